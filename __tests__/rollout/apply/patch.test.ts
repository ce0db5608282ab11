import { describe, expect, it } from '@jest/globals'
import { BusyError, type ControlPlaneError, UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../../src/control-plane/model.ts'
import {
  beginPatch,
  type PatchInput,
  type PatchMoment,
  type PatchNext,
  type PatchTask,
  stepPatch,
} from '../../../src/rollout/apply/patch.ts'
import { aDeployment } from '../../builders.ts'
import { aBrokenAnswer, aLostAnswer, refusedWith } from '../../control-plane-stub.ts'

const [OLD, NEW, THEIRS] = ['https://old.example', 'https://new.example', 'https://theirs.example']
const showing = (customUrl: string | undefined, over: Settings = {}): Deployment =>
  aDeployment({ updatedAt: 1_000, settings: { ...over, ...(customUrl !== undefined && { customUrl }) } })
const TASK: PatchTask = { before: showing(OLD), patch: { customUrl: NEW }, isRestoration: false, seenChanged: [] }

/** How a PATCH is sent, and what is seen of it. */
type Act = PatchInput | { kind: 'busy' | 'lost' | 'refused' | 'broken' | 'unsent' }

const answered = (deployment: Deployment | undefined): Act => ({ kind: 'answered', deployment, sentAt: 0 })
const read = (customUrl: string | undefined): Act => ({ kind: 'read', deployment: showing(customUrl) })
const unreadable: Act = { kind: 'unreadable', error: refusedWith(503) }
const { trouble } = aLostAnswer()
const ERRORS: Readonly<Record<'busy' | 'lost' | 'refused' | 'broken' | 'unsent', ControlPlaneError>> = {
  busy: new BusyError(trouble, { retryAfterMs: 4_000 }),
  lost: aLostAnswer(),
  refused: refusedWith(409),
  broken: aBrokenAnswer(),
  unsent: new UnreachableError(trouble),
}

interface Setting {
  task?: Partial<PatchTask>
  moment?: Partial<PatchMoment>
}

/** Feeds the inputs one after the other, each at the moment that the step before has named. */
function nextAfter(acts: readonly Act[], { task = {}, moment = {} }: Setting = {}): PatchNext {
  let at: PatchMoment = { now: 0, random: 1, deadline: 600_000, maxRetries: 3, patchesLeft: 12, ...moment }
  let step = beginPatch({ ...TASK, ...task }, at)
  for (const act of acts) {
    if ('at' in step.next) at = { ...at, now: Math.max(at.now, step.next.at) }
    step = stepPatch(step.state, inputOf(act, at.now), at)
  }
  return step.next
}

function inputOf(act: Act, now: number): PatchInput {
  switch (act.kind) {
    case 'answered':
      return { ...act, sentAt: now }
    case 'read':
    case 'unreadable':
    case 'failed':
      return act
    case 'unsent':
      return { kind: 'failed', error: ERRORS.unsent, sentAt: undefined }
    default:
      return { kind: 'failed', error: ERRORS[act.kind], sentAt: now }
  }
}

const busy: Act = { kind: 'busy' }
const lost: Act = { kind: 'lost' }
const refused: Act = { kind: 'refused' }
const broken: Act = { kind: 'broken' }
const unsent: Act = { kind: 'unsent' }
const oldReads = [read(OLD), read(OLD), read(OLD), read(OLD)]

const send = (at: number, needsLook = false): object => ({ do: 'send', at, needsLook })
const done = (form: Settings, unconfirmed: Field[] = []): object => ({ do: 'done', form, unconfirmed })
const failing = (error: unknown): object => ({ do: 'throw', error })
const unclear = (words: string): object =>
  failing(expect.objectContaining({ name: 'AmbiguousWriteError', message: expect.stringContaining(words) }))
const OURS = { customUrl: NEW }

describe('a PATCH', () => {
  it.each<[string, readonly Act[], object]>([
    ['is sent at once', [], send(0)],
    ['is done by an answer with the new value', [answered(showing(NEW))], done(OURS)],
    ['is sent again after a 429, without a look', [busy], send(4_000)],
    ['is sent again after a lost answer, with a look', [lost], send(500, true)],
    ['ends with its refusal', [refused], failing(ERRORS.refused)],
    ['ends with the error of what was to come before it', [unsent], failing(ERRORS.unsent)],
    ['is read after an answer with the old value', [answered(showing(OLD))], { do: 'read', at: 0 }],
    ['is read after an answer that is not the deployment', [answered(undefined)], { do: 'read', at: 0 }],
    ['is read after an answer that cannot be used', [broken], { do: 'read', at: 0 }],
    ['is read again after 2 s', [answered(undefined), read(OLD)], { do: 'read', at: 2_000 }],
    ['is read again after a read that fails', [answered(undefined), unreadable], { do: 'read', at: 2_000 }],
    ['is done by a read, without a word of the answer', [answered(undefined), read(NEW)], done(OURS)],
    ['is sent once more after four reads of the old value', [answered(undefined), ...oldReads], send(6_000, true)],
    [
      'is sent once more after four reads of a third value, without an acknowledgement',
      [answered(undefined), read(THEIRS), read(THEIRS), read(THEIRS), read(THEIRS)],
      send(6_000, true),
    ],
    [
      'is not known to be done after the same again',
      [answered(undefined), ...oldReads, read(OLD), answered(undefined), ...oldReads],
      unclear(
        'the response to the PATCH is not this deployment; the deployment still shows the earlier settings (custom-url)',
      ),
    ],
    [
      'is done, and not confirmed, if it is acknowledged and shows the old text twice',
      [answered(showing(OLD)), ...oldReads, read(OLD), answered(showing(OLD)), ...oldReads],
      done({}, ['customUrl']),
    ],
    [
      'is not known to be done if the last read fails',
      [answered(undefined), unreadable, unreadable, unreadable, unreadable],
      unclear('no response shows the new settings (custom-url)'),
    ],
    ['is done by a third value in its answer, and not confirmed', [answered(showing(THEIRS))], done({}, ['customUrl'])],
    [
      'is not done by a third value without an acknowledgement',
      [answered(undefined), read(THEIRS)],
      { do: 'read', at: 2_000 },
    ],
  ])('%s', (_case, acts, expected) => {
    expect(nextAfter(acts)).toMatchObject(expected)
  })
})

describe('the look before a repetition', () => {
  it.each<[string, readonly Act[], object]>([
    ['ends the PATCH if it shows the new value', [lost, read(NEW)], done(OURS)],
    ['is followed by the PATCH if it shows the old value', [lost, read(OLD)], send(500)],
    ['is followed by the PATCH if it fails', [lost, unreadable], send(500)],
    ['is repeated past the lag of replicas if it shows a third value', [lost, read(THEIRS)], { do: 'look', at: 6_500 }],
    ['is followed by the PATCH then, over the value of others', [lost, read(THEIRS), read(THEIRS)], send(6_500)],
    ['ends the PATCH if the second one shows the new value', [lost, read(THEIRS), read(NEW)], done(OURS)],
  ])('%s', (_case, acts, expected) => {
    expect(nextAfter(acts)).toMatchObject(expected)
  })
})

describe('a refusal after a lost answer', () => {
  const again = [lost, read(OLD), refused]
  it.each<[string, readonly Act[], object]>([
    ['is followed by a look', again, { do: 'look', at: 500 }],
    ['is explained by the new value', [...again, read(NEW)], done(OURS)],
    ['is looked at again past the lag of replicas', [...again, read(OLD)], { do: 'look', at: 6_500 }],
    ['is explained by the second look', [...again, unreadable, read(NEW)], done(OURS)],
    ['leaves the PATCH unknown otherwise', [...again, read(OLD), read(OLD)], unclear('the repetition failed, too')],
    ['leaves it unknown if no look can be read', [...again, unreadable, unreadable], unclear('')],
  ])('%s', (_case, acts, expected) => {
    expect(nextAfter(acts)).toMatchObject(expected)
  })
})

describe('a PATCH that restores a value', () => {
  const restoring = { task: { isRestoration: true } }
  const changed = failing(
    expect.objectContaining({ name: 'ChangedError', change: { kind: 'set', fields: ['customUrl'] } }),
  )
  it.each<[string, readonly Act[], object]>([
    ['is repeated 6 s after it was sent', [lost], send(6_000, true)],
    ['leaves what others have set', [lost, read(THEIRS), read(THEIRS)], changed],
    ['leaves what others have cleared', [lost, read(undefined), read(undefined)], changed],
    ['leaves what one look has shown, though the next one fails', [lost, read(THEIRS), unreadable], changed],
    ['is repeated over its old value', [lost, read(OLD)], send(6_000)],
    ['is not repeated without a look', [lost, unreadable], send(7_000, true)],
    [
      'is not repeated without a look after an answer that shows nothing',
      [answered(undefined), ...oldReads, unreadable, unreadable, unreadable, unreadable],
      unclear('no response acknowledged it, and then the deployment could not be read'),
    ],
  ])('%s', (_case, acts, expected) => {
    expect(nextAfter(acts, restoring)).toMatchObject(expected)
  })
})

describe('the end of the attempts', () => {
  const four = [lost, read(OLD), lost, read(OLD), lost, read(OLD), lost]
  it.each<[string, readonly Act[], Setting, object]>([
    ['comes with the last of the retries', four, {}, failing(ERRORS.lost)],
    [
      'says that an earlier one may have acted',
      [lost, read(OLD), busy, busy, busy],
      {},
      unclear('the repetition failed'),
    ],
    ['is plain if none has acted', [busy, busy, busy, busy], {}, failing(ERRORS.busy)],
    ['comes at the deadline', [busy], { moment: { deadline: 4_000 } }, failing(ERRORS.busy)],
    [
      'names a run that has sent them all',
      [],
      { moment: { patchesLeft: 0 } },
      failing(expect.objectContaining({ message: expect.stringContaining('has sent 12 PATCHes already') })),
    ],
    [
      'comes before the deadline while it is read',
      [answered(undefined), unreadable],
      { moment: { deadline: 2_000 } },
      unclear('no response shows the new settings'),
    ],
    [
      'counts retries before and after a PATCH without effect',
      [busy, busy, answered(showing(OLD)), ...oldReads, read(OLD), busy, read(OLD), busy],
      {},
      unclear(''),
    ],
  ])('%s', (_case, acts, setting, expected) => {
    expect(nextAfter(acts, setting)).toMatchObject(expected)
  })

  it('comes without a repetition if the run has no PATCH left', () => {
    let at: PatchMoment = { now: 0, random: 1, deadline: 600_000, maxRetries: 3, patchesLeft: 1 }
    const { state } = beginPatch(TASK, at)
    at = { ...at, patchesLeft: 0 }
    expect(stepPatch(state, inputOf(lost, 0), at).next).toEqual({ do: 'throw', error: ERRORS.lost })
    let step = stepPatch(state, inputOf(answered(undefined), 0), at)
    for (const act of oldReads) step = stepPatch(step.state, inputOf(act, 0), at)
    expect(step.next).toMatchObject(unclear('still shows the earlier settings'))
  })
})

describe('the values of a PATCH', () => {
  const flag = { before: showing(OLD, { buildOnPush: false }), patch: { buildOnPush: true } }
  const flagRead = (buildOnPush: boolean): Act => ({ kind: 'read', deployment: showing(OLD, { buildOnPush }) })
  const fourFlags = [flagRead(false), flagRead(false), flagRead(false), flagRead(false)]
  const commands = (buildCommand: string): Deployment => aDeployment({ updatedAt: 1_000, settings: { buildCommand } })
  const spaced = { before: commands('make all'), patch: { buildCommand: 'make  all' } }
  it.each<[string, Setting['task'], readonly Act[], object]>([
    [
      'are refused if a flag keeps its old value, though acknowledged',
      flag,
      [answered(flag.before), ...fourFlags, flagRead(false), answered(flag.before), ...fourFlags],
      unclear('still shows the earlier settings (build-on-push)'),
    ],
    [
      'are done at once if they differ in blanks only',
      spaced,
      [answered(commands('make all'))],
      done({}, ['buildCommand']),
    ],
    [
      'are not sent for the third time',
      { seenChanged: ['customUrl'] },
      [answered(showing(OLD)), ...oldReads],
      done({}, ['customUrl']),
    ],
    [
      'are read again if an answer lacks what was reported before',
      {},
      [answered(showing(undefined))],
      { do: 'read', at: 0 },
    ],
    ['are done if it was never reported', { before: showing(undefined) }, [answered(showing(undefined))], done({})],
    [
      "are the service's form of ours if it has updated the deployment",
      {},
      [answered({ ...showing(THEIRS), updatedAt: 2_000 })],
      done({ customUrl: THEIRS }, ['customUrl']),
    ],
  ])('%s', (_case, task = {}, acts, expected) => {
    expect(nextAfter(acts, { task })).toMatchObject(expected)
  })
})

it('says that a PATCH is repeated, and when', () => {
  const {
    trouble: { attempted, cameBack },
  } = ERRORS.busy
  const repeats = { kind: 'request-retried', attempted, cameBack, delayMs: 4_000 }
  expect(nextAfter([busy])).toEqual({ do: 'send', at: 4_000, needsLook: false, repeats })
})
