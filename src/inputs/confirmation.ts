import type { EventCode, RefusedEvent } from '../github/event-code.ts'
import type { WorkflowEvent } from '../github/event.ts'
import type { Preview } from '../previews/request.ts'
import type { Problem } from '../problem.ts'
import { nameOf, type Target } from '../rollout/rollout-request.ts'
import { isTrue, type InputReader } from './reader.ts'
import { readTarget } from './target.ts'

/** An act on a deployment that is no preview: a run of a pull request must confirm it. */
export type ConfirmedAct = 'delete' | 'roll back' | 'roll out'

/** The event of a run, and the pull request that the step or the event names. */
export interface ConfirmingEvent extends Pick<WorkflowEvent, 'name' | 'code' | 'isOfPullRequest'> {
  pullRequest: number | undefined
}

export interface ConfirmedTarget {
  target: Target
  /** Set if a rollout may go ahead only where the deployment builds the branch into which the pull request was merged. */
  onlyIfMerged: Problem | undefined
}

/**
 * In a run of a pull request, `confirm` must have the exact name of what is no preview: such a step without
 * `preview: true` is usually meant for the preview, or for pushes. A dry run needs none.
 */
export function readConfirmedTarget(
  read: InputReader,
  preview: Preview | undefined,
  event: ConfirmingEvent,
  act: ConfirmedAct,
): ConfirmedTarget | undefined {
  const target = readTarget(read, preview)
  const confirm = read.optional('confirm')
  if (target === undefined) return undefined
  // If `preview` itself is wrong, that is the problem.
  const mayBePreview = preview !== undefined || read.problems.some(({ input }) => input === 'preview')
  if (mayBePreview) return { target, onlyIfMerged: undefined }
  if (read.isUnset('confirm'))
    return { target, onlyIfMerged: requireConfirmation(read, event, { act, ...named(target) }) }
  if (target.kind === 'id') return { target: { ...target, confirm }, onlyIfMerged: undefined }
  if (confirm !== undefined && confirm !== target.name)
    read.refuse('confirm', `must be the exact name of the deployment to ${act}, ${target.name}`, confirm)
  return { target, onlyIfMerged: undefined }
}

/** The same for all deployments of a manifest. Its path, as the step sets it, confirms them. */
export function readConfirmedFleet(read: InputReader, event: ConfirmingEvent): Problem | undefined {
  const confirm = read.optional('confirm')
  const manifest = read.raw('manifest').trim()
  const isPreviewWrong = read.problems.some(({ input }) => input === 'preview')
  if (manifest === '' || isPreviewWrong) return undefined
  if (read.isUnset('confirm')) {
    const unconfirmed = {
      input: 'manifest',
      value: manifest,
      confirm: manifest,
      itself: 'its deployments themselves',
    } as const
    return requireConfirmation(read, event, { act: 'roll out', ...unconfirmed })
  }
  if (confirm !== undefined && confirm !== manifest)
    read.refuse('confirm', `must be the manifest's path as the step sets it, ${manifest}`, confirm)
  return undefined
}

/** A target that the step names, and the value that confirms it. */
interface Unconfirmed {
  act: ConfirmedAct
  input: 'name' | 'deployment-id' | 'manifest'
  value: string
  /** The value of `confirm`; undefined if only a read of the deployment shows its name. */
  confirm: string | undefined
  itself: string
}

function named(target: Target): Omit<Unconfirmed, 'act'> {
  const value = nameOf(target)
  return target.kind === 'name'
    ? { input: 'name', value, confirm: value, itself: `${value} itself` }
    : { input: 'deployment-id', value, confirm: undefined, itself: 'this deployment itself' }
}

/** Returns the problem that counts only unless the deployment builds the branch into which the pull request was merged. */
function requireConfirmation(read: InputReader, event: ConfirmingEvent, unconfirmed: Unconfirmed): Problem | undefined {
  const { act, input, value } = unconfirmed
  const { refused, mergedInto } = event.code
  const isDryRun = isTrue(read.raw('dry-run'))
  const isRollout = act === 'roll out'
  if (isRollout && refused !== undefined) {
    // A dry run plans for the branch into which the queue merges. Nothing can be planned for any other refused event.
    if (refused.kind === 'merge-queue' && isDryRun) return undefined
    const message = buildsQueue(read, refused)
      ? messageOfRefused(refused, event, unconfirmed)
      : messageOfGuarded(event, unconfirmed)
    read.problems.push({ input, value, message })
    return undefined
  }
  if (isDryRun || !(isRollout ? event.code.isGuarded : event.isOfPullRequest)) return undefined
  const problem = { input, value, message: messageOfGuarded(event, unconfirmed) }
  // Each deployment of a fleet is judged by itself, and has a name of its own.
  if (isRollout && mergedInto !== undefined) return input === 'manifest' ? { ...problem, input: 'name' } : problem
  read.problems.push(problem)
  return undefined
}

/** Whether the branch of a merge queue would be built. With a ref of its own, or an image, the step builds other code. */
function buildsQueue(read: InputReader, refused: RefusedEvent): boolean {
  if (refused.kind !== 'merge-queue') return true
  const hasOther = (['repo-ref', 'image-uri', 'promote-from'] as const).some((name) => !read.isUnset(name))
  return !hasOther && ['', 'git_host', 'github'].includes(read.raw('source').trim())
}

const WOULD_BE: Readonly<Record<ConfirmedAct, string>> = {
  delete: 'would be deleted itself',
  'roll back': 'would be rolled back itself',
  'roll out': 'would be rolled out itself',
}

function messageOfGuarded(event: ConfirmingEvent, unconfirmed: Unconfirmed): string {
  const { act, input, itself } = unconfirmed
  const isOfMany = input === 'manifest' && event.code.mergedInto === undefined
  const subject = isOfMany ? `would roll out ${itself}` : WOULD_BE[act]
  const ways = waysOf(event, unconfirmed)
  if (act !== 'roll out') return `${subject}, in a run that belongs to a pull request. ${ways}`
  return `${subject}, in a run ${ofWhom(event.code)}. ${FOR_PUSHES} ${ways}`
}

function ofWhom({ mergedInto }: EventCode): string {
  return mergedInto === undefined
    ? "whose code or trigger is a pull request's"
    : `of a pull request that was merged into ${mergedInto.branch}, which is neither the default branch nor what this deployment builds`
}

const FOR_PUSHES =
  "If this step is meant for pushes: `if: github.event_name == 'push'` (after CI: `if: github.event.workflow_run.event == 'push'`)."

/** Words how a step names the preview, and how it names the deployment itself. */
function waysOf({ pullRequest, code }: ConfirmingEvent, { act, input, confirm, itself }: Unconfirmed): string {
  const which = pullRequest === undefined ? 'the pull request' : `pull request ${pullRequest}`
  const needsRef = act === 'roll out' && code.ref.kind === 'none'
  const meant = input === 'manifest' ? `its previews for ${which} are meant` : `the preview of ${which} is meant`
  const inputs = [
    ...(input === 'deployment-id' ? ['`name`'] : []),
    '`preview: true`',
    ...(pullRequest === undefined ? ['`pull-request`'] : []),
  ]
  return `If ${meant}: ${inputs.join(' and ')}. To ${act} ${itself} from a pull request: ${settingOf(confirm)}${needsRef ? ', and for git `repo-ref`' : ''}.`
}

function settingOf(confirm: string | undefined): string {
  return confirm === undefined ? '`confirm` with its exact name' : `\`confirm: ${confirm}\``
}

/** The end of a sentence that begins with what would be rolled out. */
function messageOfRefused(refused: RefusedEvent, event: ConfirmingEvent, unconfirmed: Unconfirmed): string {
  const not = unconfirmed.input === 'manifest' ? 'is not carried out' : 'is not rolled out'
  const byEvent = `To roll out ${unconfirmed.itself} by this event: ${settingOf(unconfirmed.confirm)}`
  switch (refused.kind) {
    case 'deleted-ref': {
      const cure = event.name === 'push' ? '`if: github.event.deleted == false`' : 'remove `delete` from `on:`'
      return `${not} when a branch or a tag is deleted: GitHub then reports the default branch. For pushes only: ${cure}. ${byEvent}, and for git \`repo-ref\`.`
    }
    case 'merge-queue':
      return `${not} from a merge queue: GitHub deletes its branch minutes later. If this step is meant for pushes: \`if: ${conditionOf(event.code)}\`. ${byEvent} (from git, it builds the base branch).`
    case 'release':
      return `${not} when a release is ${refused.action}: that is no new version. Under \`on: release\`, write \`types: [published]\`. ${byEvent}.`
    case 'not-merged':
      return `${not} when a pull request is closed without a merge: nothing was merged. To deploy what is merged: \`if: github.event.pull_request.merged == true\`. ${waysOf(event, unconfirmed)}`
  }
}

function conditionOf({ ref }: EventCode): string {
  const branch = ref.kind === 'branch' ? ref.name : 'main'
  return `github.event_name == 'push' && github.ref == 'refs/heads/${branch}'`
}
