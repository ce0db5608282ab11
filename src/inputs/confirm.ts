import type { Preview } from '../previews/request.ts'
import type { Problem } from '../problem.ts'
import { nameOf, type Target } from '../rollout/rollout-request.ts'
import * as accept from './parsers.ts'
import type { InputReader } from './reader.ts'
import { readTarget } from './target.ts'

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
