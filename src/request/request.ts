import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Outcome } from '../rollout/outcome.ts'
import type { CallAnswer, RolloutRecord } from '../report/record.ts'
import { contentOf } from './content.ts'
import { receiveInto, type ReceivedBody } from './receive.ts'
import { remarksOn } from './route-notices.ts'
import type { ApiCall } from './api-call.ts'
import { readList } from './read-list.ts'
import { givenSecrets, plainRequest, readSmall, withoutSecrets, type RequestDoors } from './call.ts'

/**
 * Sends one request to any route and hands its answer on, in a file and, when it is small, as an output.
 * @throws ControlPlaneError when it was not answered as expected; the answer, if any, is in the record all the same
 */
export async function request(call: ApiCall, doors: RequestDoors, record: RolloutRecord): Promise<Outcome> {
  const { log, clock } = doors
  log.mask(call.secrets)
  for (const { level, text } of remarksOn(call, clock.wallTime())) {
    if (level === 'error') log.error(text, 'Request')
    else log[level](text)
  }
  const folder = await mkdtemp(path.join(doors.tempDir ?? tmpdir(), 'request-'))
  const file = path.join(folder, 'response')
  if (call.paginate) await readList(call, file, doors, record)
  else await readOnce(call, file, doors, record)
  const { answer } = record
  if (answer?.file !== undefined) log.info(`${sizeOf(answer)} in ${answer.file}`)
  return { kind: 'answered' }
}

function sizeOf({ bytes, entries }: CallAnswer): string {
  const list = entries === undefined ? '' : `${entries} ${entries === 1 ? 'entry' : 'entries'}, `
  return `${list}${bytes} bytes`
}

async function readOnce(
  call: ApiCall,
  file: string,
  doors: RequestDoors,
  record: RolloutRecord,
): Promise<void> {
  let received: ReceivedBody | undefined
  const receive = receiveInto({
    file,
    secrets: givenSecrets(call, doors),
    isRaw: call.found.kind === 'known' && call.found.route.raw === true,
    mask: doors.log.mask,
    onReceived: (next) => {
      received = next
    },
  })
  const content = contentOf(call.body)
  try {
    await doors.transport.send({
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
      const text = small === undefined ? undefined : withoutSecrets(small, status, call, doors)
      record.answer = { status, bytes: size, file, text, entries: undefined }
    }
  }
}
