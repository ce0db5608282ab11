import { previewName } from '../previews/preview-name.ts'
import type { Preview } from '../previews/request.ts'
import type { Problem } from '../problem.ts'
import { type Target, nameOf } from '../rollout/rollout-request.ts'
import * as accept from './parsers.ts'
import type { InputReader } from './reader.ts'

/** Reads which deployment the step names. With a preview, the input `name` is only the first part of its name. */
export function readTarget(read: InputReader, preview: Preview | undefined): Target | undefined {
  const before = read.problems.length
  const name = read.optional('name', accept.text)
  const id = read.optional('deployment-id', accept.uuid)
  if (read.problems.length > before) return undefined
  if (id !== undefined && (name !== undefined || preview !== undefined)) {
    const other = name === undefined ? 'preview, which needs a name' : 'name'
    const message = `must not be set together with ${other}`
    read.problems.push({ input: 'deployment-id', value: id, message })
  }
  if (name !== undefined) {
    return { kind: 'name', name: preview === undefined ? name : previewName(name, preview.pullRequest) }
  }
  if (id !== undefined) return { kind: 'id', id }
  read.problems.push({ input: 'name', message: 'is required, or deployment-id instead' })
  return undefined
}

/** What the step does to the deployment that it names. */
type Act = 'delete' | 'roll back'

/**
 * Reads which deployment the step deletes or rolls back. If it is no preview and the run belongs to a pull request, the
 * input `confirm` must have its exact name: such a step without `preview: true` is usually meant for the preview. A dry
 * run needs none.
 */
export function readConfirmedTarget(
  read: InputReader,
  preview: Preview | undefined,
  { act, isOfPullRequest }: { act: Act; isOfPullRequest: boolean },
): Target | undefined {
  const target = readTarget(read, preview)
  const confirm = read.optional('confirm', accept.text)
  // If `preview` itself is wrong, that is the problem.
  const mayBePreview = preview !== undefined || read.problems.some(({ input }) => input === 'preview')
  if (target === undefined || mayBePreview) return target
  const isNeeded = isOfPullRequest && !/^true$/i.test(read.raw('dry-run').trim())
  if (read.isUnset('confirm')) {
    if (isNeeded) read.problems.push(unconfirmed(target, act))
    return target
  }
  if (target.kind === 'id') return { ...target, confirm }
  if (confirm !== undefined && confirm !== target.name) {
    const message = `must be the exact name of the deployment to ${act}, ${target.name}`
    read.problems.push({ input: 'confirm', value: confirm, message })
  }
  return target
}

function unconfirmed(target: Target, act: Act): Problem {
  const done = act === 'delete' ? 'deleted' : 'rolled back'
  const [input, which, preview, confirm] =
    target.kind === 'name'
      ? ['name', target.name, 'set preview: true', `set confirm: ${target.name}`]
      : ['deployment-id', 'this deployment', 'set name and preview: true instead', 'set confirm to its exact name']
  const message = `would be ${done} itself, in a run that belongs to a pull request. If the preview of the pull request is meant, ${preview}. To ${act} ${which}, ${confirm}`
  return { input, value: nameOf(target), message }
}
