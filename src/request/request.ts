import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Outcome } from '../rollout/outcome.ts'
import { contentOf } from './content.ts'
import { receiveInto, type ReceivedBody } from './receive.ts'
import { routeNotices } from './route-notices.ts'
import type { ApiCall } from './api-call.ts'
import { readList } from './read-list.ts'
import { givenSecrets, plainRequest, readSmall, withoutSecrets, type RequestDependencies } from './call.ts'

/**
 * Sends one request to any route. Emits `answered` with the file that holds the answer, also when its status is not an
 * expected one.
 * @throws ControlPlaneError when it was not answered as expected
 */
export async function request(call: ApiCall, deps: RequestDependencies): Promise<Outcome> {
  deps.mask(call.secrets)
  for (const notice of routeNotices(call, deps.clock.wallTime()))
    deps.emit({ kind: 'route-notice', ...notice })
  const folder = await mkdtemp(path.join(deps.tempDir ?? tmpdir(), 'request-'))
  const file = path.join(folder, 'response')
  if (call.paginate) await readList(call, file, deps)
  else await readOnce(call, file, deps)
  return { kind: 'answered' }
}

async function readOnce(call: ApiCall, file: string, deps: RequestDependencies): Promise<void> {
  let received: ReceivedBody | undefined
  const receive = receiveInto({
    file,
    secrets: givenSecrets(call, deps),
    isRaw: call.found.kind === 'known' && call.found.route.raw === true,
    mask: deps.mask,
    onReceived: (next) => {
      received = next
    },
  })
  const content = contentOf(call.body)
  try {
    await deps.transport.send({
      ...plainRequest(call, call.query),
      ...(content === undefined ? {} : { content }),
      receive,
    })
  } finally {
    if (received !== undefined) {
      const { status, bytes, announcedBytes } = received
      // A HEAD tells a size and brings nothing.
      const size = call.method === 'HEAD' ? (announcedBytes ?? 0) : bytes
      const small = await readSmall(file, bytes)
      // A download is in the file as it is; an output is a text that others read.
      const text = small === undefined ? undefined : withoutSecrets(small, status, call, deps)
      deps.emit({ kind: 'answered', answer: { status, bytes: size, file, text, entries: undefined } })
    }
  }
}
