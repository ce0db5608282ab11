import { sameId } from '../control-plane/model.ts'
import type { Outcome } from '../rollout/outcome.ts'
import type { Rollback, RollbackObstacle } from '../rollout/rollback-result.ts'
import type { AccessInput } from '../inputs/names.ts'
import { codeBlock } from './escape.ts'
import { paragraphs } from './markdown.ts'
import type { FinalRecord, RolloutRecord } from './record.ts'
import { hasNeverServed } from './serving.ts'
import { shownId } from './typed-fields.ts'

/** The step that goes back to the revision from before the rollout; empty if the rollout has replaced none. */
export function goBackSection(record: FinalRecord): string {
  if (record.operation !== 'rollout') return ''
  const to = replacedRevision(record, record.outcome)
  const step = to === undefined ? undefined : stepOf(record, to)
  if (step === undefined) return ''
  const names = (record.access ?? []).join(', ')
  const words = `This step deploys the previous revision again. Set ${names} as in the step of the rollout.`
  return paragraphs('### How to go back', words, codeBlock(step, 'yaml'))
}

/** The revision that was active before, if ours replaces it, or may. */
function replacedRevision(
  { activeBefore, previousRevisionId, revisionId, rollback, change }: RolloutRecord,
  outcome: Outcome,
): string | undefined {
  const isOurs = revisionId !== undefined && change !== 'none' && !sameId(revisionId, previousRevisionId)
  const isOpen = rollback === undefined || mayWorkAgain(rollback)
  return activeBefore !== undefined && isOurs && isOpen && mayServe(outcome) ? previousRevisionId : undefined
}

/** Whether the rollback of the run has left our revision active, and another one may do better. */
function mayWorkAgain(rollback: Rollback): boolean {
  switch (rollback.kind) {
    case 'not-possible':
      return mayBeRestored(rollback.because)
    case 'incomplete':
      return hasNeverServed(rollback.outcome)
    case 'error':
      return !rollback.isUnknown
    case 'under-way':
    case 'restored':
      return false
  }
}

/** Whether the action *rollback* would not meet the same obstacle. */
function mayBeRestored({ kind }: RollbackObstacle): boolean {
  switch (kind) {
    case 'no-evidence':
    case 'failed-before':
    case 'another-revision-serves':
    case 'newer-revision':
      return true
    case 'no-deployment-before':
    case 'no-active-revision-before':
    case 'unknown-source':
    case 'commit-unknown':
    case 'not-redeployed':
    case 'other-commit':
      return false
  }
}

/** Whether the revision of the run may be the active one now, or become it. */
function mayServe(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'deployed':
    case 'unverified':
    case 'started':
    case 'timed-out':
    case 'cancelled':
      return true
    case 'failed':
      return outcome.because.kind === 'active-unknown' || outcome.because.kind === 'error'
    default:
      return false
  }
}

/** The action as README.md names it. */
const ACTION = 'your-org/deployment-rollout@v1'

/** The values to copy: the run does not show its own. */
const PLACEHOLDERS: Readonly<Record<AccessInput, string>> = {
  'base-url': '${{ vars.CONTROL_PLANE_URL }}',
  'allow-http': 'true',
  'api-key': '${{ secrets.CONTROL_PLANE_API_KEY }}',
  'bearer-token': '${{ secrets.CONTROL_PLANE_TOKEN }}',
  'tenant-id': '${{ secrets.CONTROL_PLANE_TENANT_ID }}',
  'tenant-header': '${{ vars.CONTROL_PLANE_TENANT_HEADER }}',
}

function stepOf({ access = [], api, action, deployment }: RolloutRecord, to: string): string | undefined {
  const target = targetOf(deployment)
  if (target === undefined) return undefined
  const [, repository = '', ref = ''] = /^([^@]*)@(.*)$/.exec(action ?? ACTION) ?? []
  return [
    `- uses: ${repository}/rollback@${ref}`,
    '  with:',
    ...(api === 'agent-server' ? [] : [`    api: ${api}`]),
    ...access.map((input) => `    ${input}: ${PLACEHOLDERS[input]}`),
    `    ${target}`,
    `    revision-id: ${to}`,
  ].join('\n')
}

/** A name that YAML or GitHub would read as something else is replaced by the id. */
const PLAIN_NAME = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][\w.-]*$/i

function targetOf(deployment: RolloutRecord['deployment']): string | undefined {
  const { id, name = '' } = deployment ?? {}
  if (PLAIN_NAME.test(name)) return `name: ${name}`
  const shown = shownId(id)
  return shown === undefined ? undefined : `deployment-id: ${shown}`
}
