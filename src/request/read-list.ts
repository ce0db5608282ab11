import { isBloated } from '../http/json.ts'
import { MAX_PAGE_VALUES } from '../http/limits.ts'
import { BrokenContractError, UnreachableError, type Trouble } from '../control-plane/errors.ts'
import { CallRedaction, plainRequest, readOutput, writeFile, type ApiCall, type Parameter } from './call.ts'
import type { Run } from '../rollout/dependencies.ts'
import { routeOf } from './catalogue/find.ts'
import type { RequestEvent } from './event.ts'
import { nextPage, readPage } from './pages.ts'

interface Progress {
  status?: number
  entries: number | undefined
}

/**
 * Reads a list to its end into a file that is one JSON array. Emits `answered`, also with the status of a failed page.
 * @throws ControlPlaneError if the response to a request for a page is not an expected one
 */
export async function readList(call: ApiCall, file: string, deps: Run<RequestEvent>): Promise<void> {
  const progress: Progress = { entries: 0 }
  let bytes: number
  try {
    bytes = await writeFile(file, listOf(call, deps, progress), deps.clock)
  } catch (thrown) {
    const { status, entries } = progress
    if (status !== undefined)
      deps.emit({ kind: 'answered', answer: { status, bytes: 0, file: undefined, text: undefined, entries } })
    throw thrown
  }
  const { status = 0, entries } = progress
  const text = await readOutput(file, bytes, deps.clock)
  deps.emit({ kind: 'answered', answer: { status, bytes, file, text, entries } })
}

/** Yields the list as JSON, or the first response if it is another one that is expected, like a 404. */
async function* listOf(call: ApiCall, deps: Run<RequestEvent>, progress: Progress): AsyncGenerator<string> {
  const seen = new Set<string>()
  const redaction = new CallRedaction(call, deps)
  let query = firstQuery(call)
  let count = 0
  for (let number = 1; ; number++) {
    if (deps.clock.now() >= deps.deadline) {
      const cameBack = `the time limit was reached after ${count} entries`
      throw new UnreachableError(troubleWith(call, cameBack, 'Set a longer timeout.'))
    }
    // The transport returns no response that it retried in vain: this is where its status is seen.
    const accepts = (status: number): boolean => call.expects((progress.status = status))
    const request = plainRequest(call, query, redaction.receive)
    const attempted = number === 1 ? request.attempted : `${request.attempted}, page ${number}`
    const { status, body } = await deps.transport.send({ ...request, attempted, accepts })
    progress.status = status
    // Before anything else is made of it.
    if (isBloated(body, MAX_PAGE_VALUES)) throw bloatedPage(call)
    const text = redaction.redact(status, body)
    const page = readPage(text)
    if (page === undefined) {
      if (number > 1 || status < 300) {
        const cameBack = 'the response is neither a page of "resources" or "items" nor a list'
        throw new BrokenContractError(troubleWith(call, cameBack, 'Set paginate only for routes that return a list.'))
      }
      progress.entries = undefined
      yield text
      return
    }
    for (const entry of page.entries) yield `${count++ === 0 ? '[' : ','}\n${entry}`
    progress.entries = count
    const next = nextPage(page, query, seen)
    if (next.kind === 'stuck') deps.emit({ kind: 'list-incomplete', because: next.because })
    if (next.kind !== 'next') break
    query = next.query
  }
  redaction.warnIfFull()
  yield count === 0 ? '[]\n' : '\n]\n'
}

/** Adds the route's largest known `limit`: fewer requests. */
function firstQuery({ query, match }: ApiCall): Parameter[] {
  const rule = routeOf(match)?.query?.['limit']
  if (rule?.kind !== 'integer' || rule.max === undefined || query.some(([name]) => name === 'limit')) return query
  return [...query, ['limit', String(rule.max)]]
}

function bloatedPage(call: ApiCall): BrokenContractError {
  const cameBack = 'the page has far too many values, or is nested far too deeply'
  const hint = 'Request smaller pages by query, as in limit=10, or do not set paginate.'
  return new BrokenContractError(troubleWith(call, cameBack, hint))
}

function troubleWith({ method, path }: ApiCall, cameBack: string, hint: string): Trouble {
  return { attempted: `read the list ${method} ${path} to its end`, cameBack, hint }
}
