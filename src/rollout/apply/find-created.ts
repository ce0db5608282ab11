import { ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, DeploymentDraft, Revision, Settings } from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'
import type { ReadDependencies } from '../dependencies.ts'
import { differenceOf, sameValue } from '../plan/diff.ts'
import { configFieldsThatDiffer } from '../plan/revise.ts'
import { REPORTED_BY_REVISION, setFields } from '../plan/settings.ts'
import { immutableDifferences } from '../plan/validate.ts'
import { pastReplicaLag } from '../read/replica-lag.ts'

/** Finds a revision newer than `known` with this configuration: it counts as the one of our lost request. */
export async function findCreated(
  known: Deployment,
  wanted: Settings,
  deps: ReadDependencies,
): Promise<Revision | undefined> {
  const now = await deps.controlPlane.getDeployment(known.id)
  const { latestRevisionId: latest } = now
  if (latest === undefined || sameId(latest, known.latestRevisionId)) return undefined
  const newer = await revisionsSince(known, latest, deps)
  return newer.find(
    ({ id, settings }) =>
      // Only the deployment reports the rest of the configuration, and only that of its latest revision.
      sameSource(settings, wanted) && (!sameId(id, latest) || sameBesidesSource(now.settings, wanted)),
  )
}

const LISTED = 20

/** Returns the revisions newer than the latest one of `known`, newest first; only the latest one if there is no list. */
async function revisionsSince(known: Deployment, latest: string, deps: ReadDependencies): Promise<Revision[]> {
  const { controlPlane } = deps
  try {
    const listed = await controlPlane.listRevisions(known.id, { limit: LISTED })
    const end = listed.findIndex(({ id }) => sameId(id, known.latestRevisionId))
    if (end >= 0) return listed.slice(0, end)
  } catch (thrown) {
    // The list is optional.
    if (!(thrown instanceof ControlPlaneError)) throw thrown
  }
  return [await pastReplicaLag(async () => await controlPlane.getRevision(known.id, latest), deps)]
}

/** Whether a deployment is what our draft would have created. */
export function matchesDraft(found: Deployment, { source, settings }: DeploymentDraft): boolean {
  return (
    (found.source ?? source) === source &&
    immutableDifferences(settings, found.settings).length === 0 &&
    configFieldsThatDiffer(settings, found.settings).length === 0 &&
    sameSource(found.settings, settings) &&
    sameBesidesSource(found.settings, settings)
  )
}

function sameSource(reported: Settings, wanted: Settings): boolean {
  return REPORTED_BY_REVISION.every((field) => sameValue(reported[field], wanted[field]))
}

/** A value that is not reported makes no difference. */
function sameBesidesSource(reported: Settings, wanted: Settings): boolean {
  const comparable = comparablePart(reported, wanted)
  return setFields(wanted, ['secrets', 'secretReferences', 'resourceSpec']).every((field) =>
    ['same', 'unknown'].includes(differenceOf(field, comparable, wanted)),
  )
}

/** A service may return an empty list in place of secrets, omit a resource spec, or add values of its own to it. */
function comparablePart(reported: Settings, wanted: Settings): Settings {
  const { secrets, resourceSpec: spec = wanted.resourceSpec ?? {} } = reported
  const ofWanted = Object.entries(spec).filter(([name]) => Object.hasOwn(wanted.resourceSpec ?? {}, name))
  return {
    ...reported,
    secrets: secrets?.length === 0 ? undefined : secrets,
    resourceSpec: Object.fromEntries(ofWanted),
  }
}
