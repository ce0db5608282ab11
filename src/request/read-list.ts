import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { BrokenContractError, UnreachableError } from '../control-plane/errors.ts'
import type { ApiResponse } from '../control-plane/api-request.ts'
import type { Answer } from './event.ts'
import { isBloatedPage, nextPage, readPage } from './pages.ts'
import type { ApiCall } from './api-call.ts'
import { plainRequest, readSmall, withoutSecrets, type RequestDependencies } from './call.ts'

type Query = [string, string][]

/**
 * Reads a list to its end, into a file that is one JSON array. Emits `answered`, also with the status of a failed page.
 * @throws ControlPlaneError when a page was not answered as expected
 */
export async function readList(call: ApiCall, file: string, deps: RequestDependencies): Promise<void> {
  const answered = (answer: Answer): void => deps.emit({ kind: 'answered', answer })
  let entries: number | undefined = 0
  let status: number | undefined
  const ask = async (query: Query): Promise<ApiResponse> => {
    const request = plainRequest(call, query)
    // An answer that is retried to no end is never handed over: here its status is told.
    const accepts = (told: number): boolean => call.expects.has((status = told))
    const answer = await deps.transport.send({ ...request, accepts })
    status = answer.status
    return answer
  }
  const json = async function* (): AsyncGenerator<string> {
    let count = 0
    for await (const part of readParts(call, deps, ask)) {
      if (part.kind === 'no list') {
        entries = undefined
        yield part.text
        return
      }
      for (const entry of part.entries) yield `${count++ === 0 ? '[' : ','}\n${entry}`
      entries = count
    }
    yield count === 0 ? '[]\n' : '\n]\n'
  }
  try {
    await pipeline(json, createWriteStream(file, { mode: 0o600 }))
  } catch (thrown) {
    if (status !== undefined) answered({ status, bytes: 0, file: undefined, text: undefined, entries })
    throw thrown
  }
  const { size: bytes } = await stat(file)
  answered({ status: status ?? 0, bytes, file, text: await readSmall(file, bytes), entries })
}

type Part =
  | { kind: 'page'; entries: string[] }
  /** Another answer that was expected as well, like a 404. */
  | { kind: 'no list'; text: string }

async function* readParts(
  call: ApiCall,
  deps: RequestDependencies,
  ask: (query: Query) => Promise<ApiResponse>,
): AsyncGenerator<Part> {
  const seen = new Set<string>()
  let query = startOf(call)
  let count = 0
  for (let isFirst = true; ; isFirst = false) {
    if (deps.clock.now() >= deps.deadline) throw tooLate(call, count)
    const { status, body } = await ask(query)
    const text = withoutSecrets(body, status, call, deps)
    const page = readPage(text)
    if (page === undefined) {
      if (isBloatedPage(body)) throw bloated(call)
      if (!isFirst || status < 300) throw notPaged(call)
      yield { kind: 'no list', text }
      return
    }
    count += page.entries.length
    yield { kind: 'page', entries: page.entries }
    const next = nextPage(page, query, seen)
    if (next.kind === 'stuck') deps.emit({ kind: 'list-incomplete', because: next.why })
    if (next.kind !== 'next') return
    query = next.query
  }
}

/** The largest page that the route is known to give: fewer requests. */
function startOf({ query, found }: ApiCall): Query {
  const rule = found.kind === 'known' ? found.route.query?.['limit'] : undefined
  if (rule?.kind !== 'integer' || rule.max === undefined || query.some(([name]) => name === 'limit'))
    return query
  return [...query, ['limit', String(rule.max)]]
}

function toItsEnd({ method, path: at }: ApiCall): string {
  return `read the list ${method} ${at} to its end`
}

function tooLate(call: ApiCall, count: number): UnreachableError {
  return new UnreachableError({
    attempted: toItsEnd(call),
    cameBack: `the time was over after ${count} entries`,
    hint: 'Set a longer timeout.',
  })
}

function bloated(call: ApiCall): BrokenContractError {
  return new BrokenContractError({
    attempted: toItsEnd(call),
    cameBack: 'the page has far too many values, or is nested far too deeply',
    hint: 'Ask for smaller pages by query, as in limit=10, or leave paginate out.',
  })
}

function notPaged(call: ApiCall): BrokenContractError {
  return new BrokenContractError({
    attempted: toItsEnd(call),
    cameBack: 'the answer is no page of "resources" or "items", and no list',
    hint: 'Leave paginate out for a route that gives no list.',
  })
}
