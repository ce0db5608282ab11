import type { Clock } from '../../clock.ts'
import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, DeploymentDraft, Revision, Settings } from '../../control-plane/model.ts'
import { differenceOf, sameValue } from '../plan/diff.ts'
import { immutableDifferences } from '../plan/validate.ts'
import { configFieldsThatDiffer } from '../plan/revise.ts'
import { pastReplicaLag } from '../read/replica-lag.ts'
import { REPORTED_BY_REVISION } from '../plan/settings.ts'

export interface FindDoors {
  controlPlane: Pick<ControlPlane, 'getDeployment' | 'getRevision' | 'listRevisions'>
  clock: Clock
  signal: AbortSignal
  deadline: number
}

/** The revision, newer than what was known, that has this configuration: the one that our lost request made. */
export async function findMade(
  known: Deployment,
  wanted: Settings,
  doors: FindDoors,
): Promise<Revision | undefined> {
  const now = await doors.controlPlane.getDeployment(known.id)
  const { latestRevisionId: latest } = now
  if (latest === undefined || latest === known.latestRevisionId) return undefined
  const since = await revisionsSince(known, latest, doors)
  return since.find(
    ({ id, settings }) =>
      // The deployment tells the rest of the configuration, and of its latest revision only.
      sameSource(settings, wanted) && (id !== latest || sameBesidesSource(now.settings, wanted)),
  )
}

const LISTED = 20

/** Revisions that are newer than what the plan knew, newest first: all of them, or the latest where no list is to be had. */
async function revisionsSince(known: Deployment, latest: string, doors: FindDoors): Promise<Revision[]> {
  const { controlPlane } = doors
  try {
    const listed = await controlPlane.listRevisions(known.id, { limit: LISTED })
    const end = listed.findIndex(({ id }) => id === known.latestRevisionId)
    if (end >= 0) return listed.slice(0, end)
  } catch (thrown) {
    // A service need not have that route.
    if (!(thrown instanceof ControlPlaneError)) throw thrown
  }
  return [await pastReplicaLag(async () => await controlPlane.getRevision(known.id, latest), doors)]
}

/** Whether a deployment is what our draft would have made. */
export function comesOf(found: Deployment, { source, settings }: DeploymentDraft): boolean {
  return (
    (found.source ?? source) === source &&
    immutableDifferences(settings, found.settings).length === 0 &&
    configFieldsThatDiffer(settings, found.settings).length === 0 &&
    sameSource(found.settings, settings) &&
    sameBesidesSource(found.settings, settings)
  )
}

function sameSource(told: Settings, wanted: Settings): boolean {
  return REPORTED_BY_REVISION.every((field) => sameValue(told[field], wanted[field]))
}

/** What is not told cannot tell two apart. */
function sameBesidesSource(told: Settings, wanted: Settings): boolean {
  const fields = (['secrets', 'secretReferences', 'resourceSpec'] as const).filter(
    (field) => wanted[field] !== undefined,
  )
  return fields.every((field) =>
    ['same', 'unknown'].includes(differenceOf(field, asTold(told, wanted), wanted)),
  )
}

/**
 * Of what is told the part that can be compared: a service may leave an empty list in the place of secrets, or leave
 * a resource spec out, or add what it has chosen itself.
 */
function asTold(told: Settings, wanted: Settings): Settings {
  const { secrets, resourceSpec, ...others } = told
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
