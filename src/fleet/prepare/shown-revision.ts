import type { ControlPlane } from '../../control-plane/control-plane.ts'
import type { Deployment, Revision } from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'
import { pick, REPORTED_BY_REVISION, setFields } from '../../rollout/plan/settings.ts'
import type { RolloutRequest } from '../../rollout/rollout-request.ts'

/**
 * The active revision, as its deployment shows it: if it is the latest one, the deployment shows its settings (contract,
 * "Deployment"), and it is DEPLOYED (contract notes, "Statuses").
 * @returns undefined if something that a plan compares is not shown
 */
export function shownRevision(
  { latestRevisionId, activeRevisionId, settings: shown, source, repoCommitSha, dropped }: Deployment,
  { settings: wanted }: Pick<RolloutRequest, 'settings'>,
): Revision | undefined {
  if (!activeRevisionId || !sameId(latestRevisionId, activeRevisionId) || dropped !== undefined) return undefined
  const settings = pick(shown, REPORTED_BY_REVISION)
  const compared = setFields(wanted, REPORTED_BY_REVISION)
  if (compared.some((field) => settings[field] === undefined)) return undefined
  // The ref of the event is compared, too.
  const isShort = source === 'git_host' && (settings.repoRef === undefined || repoCommitSha === undefined)
  if (isShort || setFields(settings).length === 0) return undefined
  const undated = { createdAt: undefined, updatedAt: undefined }
  return { id: activeRevisionId, status: 'DEPLOYED', statusMessage: undefined, repoCommitSha, settings, ...undated }
}

/** The same control plane, which is not asked for a revision that its deployment shows. */
export function showing(
  controlPlane: ControlPlane,
  deployment: Deployment | undefined,
  request: Pick<RolloutRequest, 'settings'>,
): ControlPlane {
  const shown = deployment && shownRevision(deployment, request)
  if (shown === undefined) return controlPlane
  return {
    ...controlPlane,
    within: (deadline) => showing(controlPlane.within(deadline), deployment, request),
    getRevision: async (id, revisionId, options) =>
      sameId(id, deployment?.id) && sameId(revisionId, shown.id)
        ? shown
        : await controlPlane.getRevision(id, revisionId, options),
  }
}
