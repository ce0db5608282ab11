import type { BodyRule } from './route.ts'

/** Contract, "Limits": annotation queue items per request. */
const MAX_ITEMS = 200

/** `POST /annotation-queues/{queue_id}/items`: the items stand in a list, or in the field `items`. */
export const queueItems: BodyRule = (body) => {
  const items = Array.isArray(body) ? body : fieldOf(body, 'items')
  if (!Array.isArray(items)) return []
  const list: unknown[] = items
  const incomplete = list.flatMap((item, place) => {
    if (fieldOf(item, 'item_type') !== 'THREAD') return []
    const missing = ['thread_id', 'session_id'].filter((name) => isAbsent(fieldOf(item, name)))
    return missing.length === 0
      ? []
      : [`has an item of type THREAD without ${missing.join(' and ')} at [${place}]`]
  })
  const tooMany = `has ${list.length} items, and at most ${MAX_ITEMS} are taken at once: send them in parts`
  return [...(list.length > MAX_ITEMS ? [tooMany] : []), ...cut(incomplete)]
}

/** `POST /v1/agentws/feedback` */
export const feedbackIds: BodyRule = (body) => {
  const missing = ['thread_id', 'run_id'].filter((name) => isAbsent(fieldOf(body, name)))
  return missing.length === 0
    ? []
    : [`lacks ${missing.join(' and ')}: a rating is submitted with both thread_id and run_id`]
}

const MAX_TOLD = 10

function cut(problems: string[]): string[] {
  const rest = problems.length - MAX_TOLD
  return rest > 0 ? [...problems.slice(0, MAX_TOLD), `has ${rest} more such items`] : problems
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
