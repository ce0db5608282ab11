import { ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, DeploymentDraft, Revision, Settings } from '../../control-plane/model.ts'
import { differenceOf, sameValue } from '../plan/diff.ts'
import type { ReadDependencies } from '../dependencies.ts'
import { immutableDifferences } from '../plan/validate.ts'
import { configFieldsThatDiffer } from '../plan/revise.ts'
import { pastReplicaLag } from '../read/replica-lag.ts'
import { REPORTED_BY_REVISION } from '../plan/settings.ts'

/** The revision, newer than those known, that has this configuration: it counts as the one that our lost request created. */
export async function findCreated(
  known: Deployment,
  wanted: Settings,
  deps: ReadDependencies,
): Promise<Revision | undefined> {
  const now = await deps.controlPlane.getDeployment(known.id)
  const { latestRevisionId: latest } = now
  if (latest === undefined || latest === known.latestRevisionId) return undefined
  const since = await revisionsSince(known, latest, deps)
  return since.find(
    ({ id, settings }) =>
      // Only the deployment reports the rest of the configuration, and that of its latest revision.
      sameSource(settings, wanted) && (id !== latest || sameBesidesSource(now.settings, wanted)),
  )
}

const LISTED = 20

/** Revisions that are newer than those the plan knew, newest first: all of them, or only the latest where there is no list. */
async function revisionsSince(
  known: Deployment,
  latest: string,
  deps: ReadDependencies,
): Promise<Revision[]> {
  const { controlPlane } = deps
  try {
    const listed = await controlPlane.listRevisions(known.id, { limit: LISTED })
    const end = listed.findIndex(({ id }) => id === known.latestRevisionId)
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

/** A value that is not reported cannot make a difference. */
function sameBesidesSource(reported: Settings, wanted: Settings): boolean {
  const fields = (['secrets', 'secretReferences', 'resourceSpec'] as const).filter(
    (field) => wanted[field] !== undefined,
  )
  return fields.every((field) =>
    ['same', 'unknown'].includes(differenceOf(field, comparable(reported, wanted), wanted)),
  )
}

/**
 * The part of the reported settings that can be compared: a service may return an empty list in place of secrets, omit a
 * resource spec, or add values of its own to it.
 */
function comparable(reported: Settings, wanted: Settings): Settings {
  const { secrets, resourceSpec, ...others } = reported
  const wantedSpec = wanted.resourceSpec ?? {}
  const chosen = Object.keys(wantedSpec)
  return {
    ...others,
    ...(secrets === undefined || secrets.length === 0 ? {} : { secrets }),
    resourceSpec:
      resourceSpec === undefined
        ? wantedSpec
        : Object.fromEntries(Object.entries(resourceSpec).filter(([name]) => chosen.includes(name))),
  }
}
