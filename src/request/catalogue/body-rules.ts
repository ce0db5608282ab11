import { fieldOf } from '../../http/json.ts'
import type { BodyRule } from './route.ts'

/** Contract, "Limits": annotation queue items per request. */
const MAX_ITEMS = 200

/** `POST /annotation-queues/{queue_id}/items`: the body is a list of items, or has them in the field `items`. */
export const queueItems: BodyRule = (body) => {
  const items = Array.isArray(body) ? body : fieldOf(body, 'items')
  if (!Array.isArray(items)) return []
  const list: unknown[] = items
  const tooMany = `has ${list.length} items: at most ${MAX_ITEMS} are accepted in one request`
  const incomplete = list.flatMap((item, place) => {
    const missing = fieldOf(item, 'item_type') === 'THREAD' ? absent(item, 'thread_id', 'session_id') : ''
    return missing === '' ? [] : [`has an item of type THREAD without ${missing} at [${place}]`]
  })
  return [...(list.length > MAX_ITEMS ? [tooMany] : []), ...cut(incomplete)]
}

/** `POST /v1/agentws/feedback` */
export const feedbackIds: BodyRule = (body) => {
  const missing = absent(body, 'thread_id', 'run_id')
  return missing === '' ? [] : [`lacks ${missing}: a rating requires both thread_id and run_id`]
}

const MAX_PROBLEMS = 10

function cut(problems: string[]): string[] {
  const rest = problems.length - MAX_PROBLEMS
  return rest > 0 ? [...problems.slice(0, MAX_PROBLEMS), `has ${rest} more such items`] : problems
}

/** Returns the names of the fields that have no value, joined by "and". */
function absent(value: unknown, ...names: string[]): string {
  return names.filter((name) => [undefined, null, ''].some((none) => none === fieldOf(value, name))).join(' and ')
}
