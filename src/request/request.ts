import path from 'node:path'
import type { Run } from '../rollout/dependencies.ts'
import { CallRedaction, isFailure, plainRequest, readOutput, type ApiCall, contentOf } from './call.ts'
import { routeOf, routeNotices } from './catalogue/find.ts'
import type { RequestEvent, RequestOutcome } from './event.ts'
import { readList } from './read-list.ts'
import { receiveInto, type ReceivedBody, type ReceiveOptions } from './receive.ts'

/**
 * Sends one request to any route. Emits `answered` with the file that contains the response, also if its status is not
 * an expected one.
 * @throws ControlPlaneError if the response is not an expected one
 */
export async function request(call: ApiCall, deps: Run<RequestEvent>): Promise<RequestOutcome> {
  deps.mask(call.secrets)
  for (const notice of routeNotices(call, deps.clock.wallTime())) deps.emit({ kind: 'route-notice', notice })
  const folder = await deps.files.makeFolder('request-', deps.tempDir)
  const file = path.join(folder, 'response')
  if (call.paginate) await readList(call, file, deps)
  else await readOnce(call, file, deps)
  return { kind: 'answered' }
}

function contentOfRoute({ match }: ApiCall): ReceiveOptions['content'] {
  const route = routeOf(match)
  return route === undefined ? 'unknown' : route.raw === true ? 'raw' : 'json'
}

/** What is sent becomes the file: compressed, a response has another size and other ranges. The call may override it. */
const UNPACKED = { 'accept-encoding': 'identity' }

async function readOnce(call: ApiCall, file: string, deps: Run<RequestEvent>): Promise<void> {
  let received: ReceivedBody | undefined
  const redaction = new CallRedaction(call, deps)
  const receive = receiveInto({
    file,
    secrets: redaction.secrets,
    content: contentOfRoute(call),
    isFailure: (status) => isFailure(call, status),
    mask: deps.mask,
    clock: deps.clock,
    onReceived: (next) => {
      received = next
    },
  })
  try {
    const plain = plainRequest(call, call.query, receive)
    await deps.transport.send({
      ...plain,
      headers: { ...UNPACKED, ...plain.headers },
      content: contentOf(call.body, deps),
    })
  } finally {
    if (received !== undefined) {
      const { status, announcedBytes = 0 } = received
      const bytes = call.method === 'HEAD' ? announcedBytes : received.bytes
      const content = await readOutput(file, received.bytes, deps.clock)
      // The file of a download is unchanged, but outputs are shown: they contain no secrets.
      const text = content === undefined ? undefined : redaction.redact(status, content)
      redaction.warnIfFull()
      deps.emit({ kind: 'answered', answer: { status, bytes, file, text, entries: undefined } })
    }
  }
}
