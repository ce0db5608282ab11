import { shortCommit } from '../secrets/text.ts'
import { sameId } from '../control-plane/model.ts'
import { isDeleted, type RolloutOutcome, ownRevisionServes } from '../rollout/outcome.ts'
import {
  notRedeployedText,
  type NotRestored,
  type Rollback,
  type RollbackObstacle,
  type SettingsLeft,
} from '../rollout/event.ts'
import type { EndedRow, Row, RunRecord } from './record.ts'
import { shownId } from './typed-fields.ts'
import type { AccessInput } from '../inputs/inputs.ts'
import { codeBlock } from './escape.ts'
import { details, paragraphs } from './markdown.ts'
import { capital, perKind, sentences, withShortIds } from './words.ts'
import { inputNames } from '../rollout/plan/settings.ts'
import { notRestoredText } from './plan-words.ts'

export function restoredRevision({ rollback }: Row): string | undefined {
  return rollback?.kind === 'restored' ? shownId(rollback.revisionId) : undefined
}

/** The address of a deployment that may serve: undefined for one without an active revision, whose address leads nowhere. */
export function liveAddress(record: RunRecord): string | undefined {
  if (!('url' in record)) return undefined
  if (record.operation === 'teardown') return record.url
  const isGone = record.outcome !== undefined && isDeleted(record.outcome)
  const leadsNowhere = isGone || (record.servesNothing && record.revision?.status !== 'DEPLOYED')
  return leadsNowhere ? undefined : record.url
}

/** The commit that is built; '' if it is unknown, or not of this repository. */
export function builtCommit({ revision, ref, commit = '' }: Row): string {
  return revision?.repoCommitSha ?? (ref === undefined ? '' : commit)
}

/** The step that goes back to the revision from before the rollout, in a fold; empty if the rollout has replaced none. */
export function goBackFold(row: EndedRow): string {
  const to = row.operation === 'rollout' ? replacedRevision(row) : undefined
  const step = to === undefined ? undefined : stepOf(row, to)
  if (step === undefined) return ''
  const names = (row.access ?? []).join(', ')
  const words = `This step deploys the previous revision again. Set ${names} as in the step of the rollout.`
  return details('How to go back', paragraphs(words, codeBlock(step, 'yaml')))
}

/** The revision that was active before, if ours replaces it, or may. */
export function replacedRevision(row: EndedRow): string | undefined {
  const { activeBefore, previousRevisionId, revisionId, rollback, change, outcome } = row
  const isOurs = revisionId !== undefined && change !== 'none' && !sameId(revisionId, previousRevisionId)
  const isOpen = rollback === undefined || mayWorkAgain(rollback)
  const isReplaced = activeBefore !== undefined && isOurs && isOpen && ownRevisionServes(outcome) === 'maybe'
  return isReplaced ? previousRevisionId : undefined
}

/** Whether the rollback of the run has left our revision active, and another one may do better. */
const mayWorkAgain = perKind<Rollback, [], boolean>({
  'not-possible': ({ because }) => RESTORABLE[because.kind],
  incomplete: ({ outcome }) => ownRevisionServes(outcome) === 'certainly-not',
  error: ({ isUnknown, isForbidden }) => !isUnknown && isForbidden !== true,
  'under-way': () => false,
  restored: () => false,
})

/** Whether the action *rollback* would not meet the obstacle again. */
const RESTORABLE: Readonly<Record<RollbackObstacle['kind'], boolean>> = {
  'no-evidence': true,
  'failed-before': true,
  'another-revision-serves': true,
  'newer-revision': true,
  'not-own-revision': false,
  'no-deployment-before': false,
  'no-active-revision-before': false,
  'unknown-source': false,
  'commit-unknown': false,
  'not-redeployed': false,
  'other-commit': false,
}

/** The action as README.md names it. */
const ACTION = 'your-org/deployment-rollout@v1'

/** The values of the step to copy: the run does not show its own. */
const PLACEHOLDERS: Readonly<Record<AccessInput, string>> = {
  'base-url': '${{ vars.CONTROL_PLANE_URL }}',
  'allow-http': 'true',
  'api-key': '${{ secrets.CONTROL_PLANE_API_KEY }}',
  'bearer-token': '${{ secrets.CONTROL_PLANE_TOKEN }}',
  'tenant-id': '${{ secrets.CONTROL_PLANE_TENANT_ID }}',
  'tenant-header': '${{ vars.CONTROL_PLANE_TENANT_HEADER }}',
}

function stepOf({ access = [], api, action, deployment }: Row, to: string): string | undefined {
  const target = targetOf(deployment)
  if (target === undefined) return undefined
  return [
    `- uses: ${(action ?? ACTION).replace('@', '/rollback@')}`,
    '  with:',
    ...(api === 'agent-server' ? [] : [`    api: ${api}`]),
    ...access.map((input) => `    ${input}: ${PLACEHOLDERS[input]}`),
    `    ${target}`,
    `    revision-id: ${to}`,
  ].join('\n')
}

/** A name that YAML or GitHub would read as something else is replaced by the id. */
const PLAIN_NAME = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][\w.-]*$/i

function targetOf(deployment: Row['deployment']): string | undefined {
  const { id, name = '' } = deployment ?? {}
  if (PLAIN_NAME.test(name)) return `name: ${name}`
  const idToShow = shownId(id)
  return idToShow === undefined ? undefined : `deployment-id: ${idToShow}`
}

export function rollbackSentence({ rollback }: Row): string | undefined {
  return rollback && rollbackText(rollback)
}

const rollbackText = perKind<Rollback, [], string | undefined>({
  'not-possible': ({ because, ...settings }) =>
    sentences(`Not rolled back: ${obstacleText(because)}.`, settingsLeft(settings)),
  'under-way': ({ to }) => `A rollback to revision ${to} had begun; it continues on the control plane.`,
  restored({ revisionId, failsCheck, ...settings }) {
    const serving = failsCheck ? `Revision ${revisionId} serves, and its check failed as well.` : undefined
    return sentences(serving, notRestoredSentences(settings)) || undefined
  },
  incomplete: ({ to, revisionId, outcome, ...settings }) =>
    sentences(describeIncomplete(to, revisionId, outcome), settingsLeft(settings)),
  error: ({ isUnknown, revisionId, trouble, unsure, ...settings }) =>
    sentences(
      isUnknown ? `The rollback may have succeeded: ${trouble}.` : `The rollback failed: ${trouble}.`,
      isUnknown && revisionId !== undefined ? `Revision ${revisionId} was created for it.` : undefined,
      settingsLeft(settings),
      unsure.length > 0 ? `It is unknown whether these settings are restored: ${inputNames(unsure)}.` : undefined,
    ),
})

function describeIncomplete(to: string, revisionId: string, outcome: RolloutOutcome): string {
  const rollback = `rollback to revision ${to}`
  if (outcome.kind === 'timed-out')
    return `The ${rollback} may have succeeded: the wait ended before revision ${revisionId} did.`
  const because = outcome.kind === 'failed' ? outcome.because : undefined
  if (because?.kind === 'active-unknown')
    return `The ${rollback} may have succeeded: revision ${revisionId} is DEPLOYED, but the deployment could not be read.`
  if (because?.kind === 'other-commit')
    return `Not restored: revision ${revisionId} is active, and ${builtText(because)}.`
  return `The ${rollback} failed: revision ${revisionId} ended ${outcome.kind}.`
}

export function deployedSentence({ goesBackTo, revision }: Row, deploymentName: string): string {
  if (goesBackTo === undefined) return `${deploymentName} is deployed.`
  const { id, origin = '' } = goesBackTo
  const commit = shortCommit(revision?.repoCommitSha ?? '')
  const built = commit === '' ? origin : origin === '' ? `commit ${commit}` : `${origin} (${commit})`
  return `${deploymentName} is back at ${built === '' ? `revision ${withShortIds(id)}` : built}.`
}

/** Lists the settings that the action *rollback* has not restored, as a fold for a summary or comment; '' if there are none. */
export function notRestoredFold({ goesBackTo, outcome }: EndedRow): string {
  const fields = goesBackTo?.notRestored ?? []
  const hasGoneBack = outcome.kind === 'deployed' || outcome.kind === 'unverified'
  if (!hasGoneBack || fields.length === 0) return ''
  return details('Settings that are not restored', `${capital(notRestoredText(fields))}.`)
}

export function builtText({ built, wanted }: { built: string | undefined; wanted: string }): string {
  return built === undefined
    ? `the control plane does not report its commit, which should be ${wanted}`
    : `it was built from the commit ${built}, not from ${wanted}`
}

const obstacleText = perKind<RollbackObstacle>({
  'no-evidence': () => 'the check received no answer, which does not show that this revision is at fault',
  'failed-before'({ seen }) {
    const how = seen === 'refused' ? 'refused connections' : `HTTP ${seen}`
    return `the check failed in the same way before this rollout (${how}), so verify-url itself may be wrong`
  },
  'no-deployment-before': () => 'the deployment did not exist before',
  'no-active-revision-before': () => 'no revision was active before',
  'another-revision-serves': ({ revisionId }) => `the failed revision is not active, and revision ${revisionId} serves`,
  'not-own-revision': ({ revisionId }) => `the active revision ${revisionId} is not of this run`,
  'newer-revision': ({ revisionId }) => `revision ${revisionId} is newer, and is not replaced`,
  'unknown-source': () => 'the source of the deployment is unknown',
  'commit-unknown': () => 'the previous revision is of a branch, and the control plane does not report its commit',
  'not-redeployed': (obstacle) => `the previous revision ${notRedeployedText(obstacle)}`,
  'other-commit': ({ revisionId, builds, wanted }) =>
    `revision ${revisionId}, which followed the redeploy, builds the commit ${builds}, not ${wanted}`,
})

function settingsLeft(settings: SettingsLeft): string | undefined {
  const { restored } = settings
  const done = restored.length === 0 ? undefined : `These settings are restored: ${inputNames(restored)}.`
  return sentences(done, notRestoredSentences(settings)) || undefined
}

function notRestoredSentences({ kept, changedSince }: NotRestored): string | undefined {
  const ours = `Not restored, so these keep the value of this run: ${inputNames(kept)}.`
  const others = `Not restored, because these no longer show the value of this run, and another client may have set them: ${inputNames(changedSince)}.`
  return sentences(kept.length > 0 ? ours : undefined, changedSince.length > 0 ? others : undefined) || undefined
}
