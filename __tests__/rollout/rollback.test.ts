import { describe, expect, it } from '@jest/globals'
import type { Deployment, Revision } from '../../src/control-plane/model.ts'
import { rollback } from '../../src/rollout/rollback.ts'
import type { RollbackRequest } from '../../src/rollout/rollout-request.ts'
import { aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'
import { gitHubOf } from '../a-run.ts'
import { aLostAnswer, refusedWith } from '../control-plane-stub.ts'
import { giving } from './giving.ts'
import { namesOf, type Scenario, setUp } from './set-up.ts'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import { UnreachableError } from '../../src/control-plane/errors.ts'
import { madeRevisions } from '../../src/notify/record-facts.ts'
import { fold } from '../../src/report/fold.ts'
import { noteWarnings } from '../../src/report/plan-words.ts'
import { openRecord, type RunEvent, type RunRecord } from '../../src/report/record.ts'
import { readNotes, writeNotes } from '../../src/notes/note.ts'
import { OwnRevisions } from '../../src/rollout/read/own-revisions.ts'
import { NO_NOTES, type OwnNotes } from '../../src/rollout/dependencies.ts'

const OTHER = 'f'.repeat(40)
const settings = { repoRef: 'main', appConfigPath: 'app.json' }
const earlier = { status: 'DEPLOYED', settings, repoCommitSha: COMMIT }
const deployed = { kind: 'deployed', isConfirmed: true }
const BY_WORKFLOW = { isStartedByHand: false }

interface Given {
  request?: Partial<RollbackRequest>
  current?: Partial<Deployment>
  /** What the earlier revision reports; of a branch, if not set. */
  to?: Partial<Revision>
  /** The revision that the redeploy makes, which is the active one at once. Undefined: no route. `none`: it makes none. */
  made?: Partial<Revision> | 'none'
  revisions?: Scenario['revisions']
  answers?: Scenario['answers']
}

/** Goes back from a later commit of a branch to an earlier one. */
async function goBack({ request, current, to, made, revisions, answers }: Given) {
  const started = setUp({
    current: aDeployment({ activeRevisionId: REVISION_ID, latestRevisionId: REVISION_ID, ...current }),
    revisions: {
      [OLD_REVISION_ID]: { ...earlier, ...to },
      [REVISION_ID]: { ...earlier, repoCommitSha: OTHER },
      ...(made !== 'none' && { back: { ...earlier, ...to, ...made } }),
      ...revisions,
    },
    answers: {
      ...(made !== undefined && {
        redeploy: async () => {
          started.writes.push('redeploy')
          const ids = { latestRevisionId: 'back', activeRevisionId: 'back' }
          return await Promise.resolve(started.change(made === 'none' ? {} : ids))
        },
      }),
      ...answers,
    },
  })
  const asked = { ...BY_WORKFLOW, ...aRequest({ dryRun: false }), revisionId: OLD_REVISION_ID, ...request }
  const running = rollback(asked, { ...started.deps, isFirstAttempt: true })
  const outcome = await running.catch((thrown: unknown) => thrown)
  return { ...started, outcome, names: namesOf(started.events) }
}

const planned = ['current-state-read', 'revision-chosen', 'planned redeploy']

describe('the operation rollback', () => {
  it('deploys the revision again, and watches the new one', async () => {
    const { outcome, names, writes } = await goBack({ made: {} })
    expect(outcome).toEqual(deployed)
    expect(names).toEqual([...planned, 'applying', 'written redeployed', 'applied redeployed', 'DEPLOYED'])
    expect(writes).toEqual(['redeploy'])
  })

  it('writes nothing in a dry run', async () => {
    const { outcome, names, writes } = await goBack({ request: { dryRun: true }, made: {} })
    expect([outcome, names, writes]).toEqual([{ kind: 'planned' }, planned, []])
  })

  it('does not read again what the run has read before', async () => {
    const listDeployments = giving(refusedWith(500))
    const revisions = { [OLD_REVISION_ID]: earlier, [REVISION_ID]: { ...earlier, repoCommitSha: OTHER } }
    const { deps } = setUp({ revisions, answers: { listDeployments } })
    const deployment = aDeployment({ activeRevisionId: REVISION_ID, latestRevisionId: REVISION_ID })
    const asked = { ...BY_WORKFLOW, ...aRequest({ dryRun: true }), revisionId: OLD_REVISION_ID }
    expect(await rollback(asked, deps, { reading: { deployment, readAt: deps.clock.now() } })).toEqual({
      kind: 'planned',
    })
    await expect(rollback(asked, deps)).rejects.toThrow('Could not send')
  })

  it('writes nothing where the revision is the active one already', async () => {
    const { outcome, names, writes } = await goBack({ request: { revisionId: REVISION_ID }, made: {} })
    expect([outcome, writes]).toEqual([{ kind: 'unchanged' }, []])
    expect(names.slice(-2)).toEqual(['planned unchanged', 'attached unchanged'])
  })

  it.each<[string, (string | undefined)[], string[]]>([
    ['at once', [COMMIT], []],
    ['only after a while', [undefined, undefined, COMMIT], ['commit-awaited']],
  ])('watches the revision under way that restores it, and reports its commit %s', async (_when, commits, awaited) => {
    const latest = aRevision({ ...earlier, id: 'under-way', status: 'BUILDING' })
    const hasFailed = { ...latest, status: 'DEPLOY_FAILED' }
    const read = giving(...commits.map((repoCommitSha) => ({ ...latest, repoCommitSha })), hasFailed)
    const getRevision: ControlPlane['getRevision'] = async (_id, id) => {
      if (id === latest.id) return await read()
      return aRevision({ ...earlier, id, ...(id === REVISION_ID && { repoCommitSha: OTHER }) })
    }
    const current = { latestRevisionId: latest.id, activeRevisionId: REVISION_ID }
    const { outcome, names, writes } = await goBack({ current, made: {}, answers: { getRevision } })
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'revision' } })
    expect(names.slice(2, 4 + awaited.length)).toEqual([...awaited, 'planned resume', 'attached resumed'])
    expect(writes).toEqual([])
  })

  it.each<[string, Partial<Revision>, string[]]>([
    ['never reports its commit', { repoCommitSha: undefined }, ['commit-uncompared']],
    ['reports its commit', {}, []],
  ])('doubts what is found after a lost redeploy and %s', async (_case, made, doubts) => {
    const redeploy: ControlPlane['redeploy'] = async () => {
      around.change({ latestRevisionId: 'back', activeRevisionId: 'back' })
      return await Promise.reject(aLostAnswer())
    }
    const current = aDeployment({ activeRevisionId: REVISION_ID, latestRevisionId: REVISION_ID })
    const tagged = { ...earlier, settings: { ...settings, repoRef: 'refs/tags/v1' } }
    const revisions = { [OLD_REVISION_ID]: tagged, [REVISION_ID]: { ...tagged, repoCommitSha: OTHER } }
    const around = setUp({ current, revisions: { ...revisions, back: { ...tagged, ...made } }, answers: { redeploy } })
    const asked = { ...BY_WORKFLOW, ...aRequest({ dryRun: false }), revisionId: OLD_REVISION_ID }
    await rollback(asked, { ...around.deps, isFirstAttempt: true })
    expect(namesOf(around.events).filter((name) => name === 'commit-uncompared')).toEqual(doubts)
  })

  it('repeats the configuration of a tag where there is no route to redeploy', async () => {
    const { outcome, names } = await goBack({ to: { settings: { ...settings, repoRef: 'refs/tags/v1' } } })
    expect(outcome).toEqual(deployed)
    expect(names).toContain('applied revised')
  })

  it.each<[string, Given, RegExp]>([
    ['there is no route', {}, /no route to deploy a revision again.*roll out a tag of its commit c0ffee/],
    [
      'the control plane refuses',
      { answers: { redeploy: giving(refusedWith(422)) } },
      /refuses to deploy it again.*roll out a tag of its commit c0ffee/,
    ],
    [
      'there is no route, and the revision reports no image',
      { current: { source: 'external_container' }, to: { settings: {}, repoCommitSha: undefined } },
      /reports no configuration that could be repeated.*to go back, roll out its configuration/,
    ],
    ['no revision follows', { made: 'none' }, /no revision followed.*It may begin later/s],
  ])('cannot restore the revision where %s', async (_case, given, message) => {
    const { outcome, writes } = await goBack(given)
    expect(String(outcome)).toMatch(message)
    expect(writes.filter((write) => write !== 'redeploy')).toEqual([])
  })

  it('is superseded by a newer revision with another configuration', async () => {
    const { outcome, names } = await goBack({ made: { settings: { ...settings, repoRef: 'next' } } })
    expect(outcome).toEqual({ kind: 'superseded', by: 'back' })
    expect(names.at(-1)).toBe('applying')
  })

  it('fails where the redeploy builds another commit', async () => {
    const { outcome, names } = await goBack({ made: { repoCommitSha: OTHER } })
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'other-commit', wanted: COMMIT, built: OTHER } })
    expect(names.at(-1)).toBe('written redeployed')
  })

  it('fails where the new revision never reports the commit of a branch', async () => {
    const { outcome } = await goBack({ made: { repoCommitSha: undefined } })
    expect(outcome).toMatchObject({ kind: 'failed', because: { kind: 'other-commit', wanted: COMMIT } })
  })
})

const NOW = Date.UTC(2026, 0, 2)
const [A, B, C] = ['a', 'b', 'c'].map((sign) => sign.repeat(40))

/** `v1=A`: the revision v1 of the tag A. */
const revision = (id: string, tag: string, repoCommitSha: string | undefined): Revision => {
  const settings = { repoRef: `refs/tags/${tag}` }
  return aRevision({ id, status: 'DEPLOYED', createdAt: NOW - 86_400_000, settings, repoCommitSha })
}

interface Service {
  /** Newest first. */
  revisions: Revision[]
  active: string
  /** A redeploy makes the earlier revision itself active again. Else it makes a new one. */
  reactivates?: boolean
  /** The commits to which tags have moved. */
  moved?: Record<string, string | undefined>
  /** Since the creation of the workflow run, by GitHub. */
  runAgeMs?: number | undefined
  /** The service does not respond in the first attempt. */
  isDown?: boolean
  /** Each attempt notes what it made, and reads what the earlier one noted. `edit`: of the note between them. */
  notes?: { edit?: (note: string) => string } | undefined
  /** What the first attempt makes does not start. */
  failsAtFirst?: boolean
  /** New revisions report no commit. */
  hidesCommits?: boolean
  attempts?: number
  /** The input `revision-id` of reruns. Default: `previous`. */
  rerunTo?: string
}

/** What is called when attempt `number` has its end, given its events. */
type TakeNote = (events: readonly RunEvent[]) => void

/** The notes of one run, in the order of its attempts. */
function openNotes({ edit = (note) => note }: NonNullable<Service['notes']>) {
  const written: string[] = []
  return (attempt: number): { own: OwnNotes; takeNote: TakeNote } => {
    const revisions = new OwnRevisions({ run: '7351', attempt }, 'credential')
    const own: OwnNotes = {
      request: (...about) => revisions.request(...about),
      async findNote(...about) {
        for (const note of await Promise.resolve(written.slice(-1))) revisions.addEarlierNotes(readNotes(edit(note)))
        return revisions.isNoted(...about)
      },
      isNamedSoFar: () => false,
      findAnyNote: async (id) => await Promise.resolve(revisions.isNamed(id)),
    }
    const takeNote: TakeNote = (events) => {
      const began = { kind: 'rollout-began', operation: 'rollback', target: 'agent' } as const
      const facts = { startedAt: NOW, runUrl: undefined, commit: undefined }
      const first: RunEvent = { ...began, timeoutMs: 1, onSuperseded: 'fail', api: 'agent-server' }
      const record = [first, ...events].reduce<RunRecord>(
        (so, event) => fold(so, event, NOW),
        openRecord('rollback', facts),
      )
      for (const note of written.slice(-1)) revisions.addEarlierNotes(readNotes(note))
      written.push(writeNotes(revisions.notesWithEarlier(madeRevisions(record))))
    }
    return { own, takeNote }
  }
}

/** Goes back to `previous` in several attempts of one run. Returns what each redeploys, makes active, and ends with. */
async function goBackAgain({ revisions, active, reactivates, moved = {}, isDown = false, ...service }: Service) {
  const list = [...revisions]
  const [latest] = list
  const current = aDeployment({ source: 'git_host', activeRevisionId: active, latestRevisionId: latest?.id })
  const getRevision: ControlPlane['getRevision'] = async (_id, id) => {
    const found = list.find((one) => one.id === id)
    return await (found === undefined ? Promise.reject(new Error(`no revision ${id}`)) : Promise.resolve(found))
  }
  const attempts: { redeployed: string[]; active: unknown; outcome: unknown; warnings: string[]; error: string }[] = []
  let before = current
  const notesOf = service.notes && openNotes(service.notes)
  for (let attempt = 1; attempt <= (service.attempts ?? 2); attempt++) {
    const isFirstAttempt = attempt === 1
    const notes = notesOf?.(attempt)
    const redeployed: string[] = []
    const down = new UnreachableError({ attempted: 'list revisions', cameBack: 'no answer', hint: '' })
    const { deps, change, events } = setUp({
      current: before,
      over: {
        own: notes?.own ?? NO_NOTES,
        gitHub: gitHubOf({ readRunAge: async () => await Promise.resolve(service.runAgeMs) }),
      },
      answers: {
        serverTime: () => NOW,
        getRevision,
        listRevisions: async (_id, { offset = 0 }) =>
          await (isDown && isFirstAttempt ? Promise.reject(down) : Promise.resolve(list.slice(offset))),
        redeploy: async (_id, id) => {
          redeployed.push(id)
          const to = await getRevision('', id)
          const ref = String(to.settings.repoRef).replace('refs/tags/', '')
          const commit = service.hidesCommits === true ? undefined : (moved[ref] ?? to.repoCommitSha)
          const back = { ...to, id: `v${list.length + 1}`, repoCommitSha: commit, createdAt: NOW + 1_000 }
          if (reactivates === true) return change({ activeRevisionId: id })
          if (service.failsAtFirst === true && isFirstAttempt) {
            list.unshift({ ...back, status: 'DEPLOY_FAILED' })
            return change({ latestRevisionId: back.id })
          }
          list.unshift(back)
          return change({ activeRevisionId: back.id, latestRevisionId: back.id })
        },
      },
    })
    const revisionId = isFirstAttempt ? undefined : service.rerunTo
    const asked = { ...BY_WORKFLOW, ...aRequest({ dryRun: false }), revisionId }
    let error = ''
    const outcome = await rollback(asked, { ...deps, isFirstAttempt }).catch((thrown: unknown) => {
      error = String(thrown)
      return { kind: 'failed' }
    })
    notes?.takeNote(events)
    before = await deps.controlPlane.getDeployment(before.id)
    const planned = events.flatMap((event) =>
      event.kind === 'planned' ? noteWarnings(event.plan.notes, deps.controlPlane.api) : [],
    )
    attempts.push({ redeployed, active: before.activeRevisionId, outcome: outcome.kind, warnings: planned, error })
  }
  return attempts
}

const history = [revision('v4', 'v4', C), revision('v3', 'v3', B), revision('v2', 'v2', A), revision('v1', 'v1', C)]
const DAY = 86_400_000
const UNCLEAR = 'InputError: revision-id: An earlier attempt of this run may have gone back already. Now'
const ANEW = 'Start the workflow anew (a rerun keeps the old inputs) with revision-id:'

describe('a rerun of the action rollback with previous', () => {
  it.each([
    [
      'has made the earlier revision active again',
      { reactivates: true },
      'v3@bbbbbbb',
      'v2 (v2@aaaaaaa) or v1 (v1@ccccccc)',
    ],
    [
      'has made a new revision',
      {},
      'v3@bbbbbbb',
      'v4 (v4@ccccccc) or v3 (v3@bbbbbbb) or v2 (v2@aaaaaaa) or v1 (v1@ccccccc)',
    ],
  ])('writes nothing where the earlier attempt %s', async (_case, service, serving, candidates) => {
    const [first, second] = await goBackAgain({ revisions: history, active: 'v4', runAgeMs: 60_000, ...service })
    expect(first).toMatchObject({ redeployed: ['v3'], outcome: 'deployed', warnings: [] })
    const error = `${UNCLEAR} ${serving} serves. ${ANEW} ${candidates}`
    expect(second).toMatchObject({ redeployed: [], outcome: 'failed', error })
  })

  it.each<[string, number | undefined, string[]]>([
    ['all revisions are older than the run', DAY - 3_000, ['v3']],
    ['the active one may be of this run', DAY - 1_000, []],
    ['the active one is younger', 2 * DAY, []],
    ['the age of the run is unknown', undefined, []],
  ])('after an attempt that wrote nothing goes on if %s', async (_case, runAgeMs, redeployed) => {
    const [first, second] = await goBackAgain({ revisions: history, active: 'v4', isDown: true, runAgeMs })
    expect(first).toMatchObject({ redeployed: [], outcome: 'failed' })
    const outcome = redeployed.length > 0 ? 'deployed' : 'failed'
    expect(second).toMatchObject({ redeployed, outcome, warnings: [] })
  })

  it('writes nothing where a revision does not report its age', async () => {
    const revisions = history.map((one) => ({ ...one, createdAt: undefined }))
    const [, second] = await goBackAgain({ revisions, active: 'v4', isDown: true, runAgeMs: 60_000 })
    expect(second).toMatchObject({ redeployed: [], error: expect.stringContaining(UNCLEAR) })
  })

  it('never goes back to the release that was to be left, where the tag has moved, with notes', async () => {
    const service = { revisions: history, active: 'v4', moved: { v3: 'd'.repeat(40) }, attempts: 4, notes: {} }
    const attempts = await goBackAgain(service)
    expect(attempts.map(({ redeployed, outcome }) => [...redeployed, outcome])).toEqual(
      Array.from({ length: 4 }, () => ['v3', 'failed']),
    )
  })
})

describe('a rerun of the action rollback with previous that has the notes of its earlier attempts', () => {
  const notes = {}

  it('knows the revision that an earlier attempt has made active again', async () => {
    const [, second] = await goBackAgain({ revisions: history, active: 'v4', reactivates: true, notes })
    expect(second).toMatchObject({ redeployed: [], active: 'v3', outcome: 'unchanged', warnings: [] })
  })

  it.each<[string, (note: string) => string]>([
    ['names the revision that was left', (note) => note.replace('v3', 'v4')],
    ['names the revision before', (note) => note.replace('v3', 'v2')],
    ['has another attempt', (note) => note.replace('7351/1', '7351/0')],
    ['has another seal', (note) => note.replace(/[\da-f]{12}$/, '0123456789ab')],
    ['is deleted', () => ''],
  ])('goes no further back if the edited note %s', async (_what, edit) => {
    const [, second] = await goBackAgain({ revisions: history, active: 'v4', reactivates: true, notes: { edit } })
    expect(second).toMatchObject({ redeployed: [], active: 'v3', outcome: 'failed' })
    expect(second?.error).toContain(UNCLEAR)
  })

  it('resumes its revision without a report of the commit', async () => {
    const service = { revisions: history, active: 'v4', hidesCommits: true }
    const [, unnoted] = await goBackAgain(service)
    expect(unnoted).toMatchObject({ redeployed: [], active: 'v5', outcome: 'failed' })
    const [, second] = await goBackAgain({ ...service, notes })
    expect(second).toMatchObject({ redeployed: [], active: 'v5', outcome: 'deployed', warnings: [] })
  })

  it('goes back again after its own revision has failed, and without a note of that stays', async () => {
    const service = { revisions: history, active: 'v4', failsAtFirst: true }
    const [first, second] = await goBackAgain({ ...service, notes })
    expect(first).toMatchObject({ redeployed: ['v3'], active: 'v4', outcome: 'failed' })
    expect(second).toMatchObject({ redeployed: ['v3'], active: 'v6', outcome: 'deployed' })
    const [, unnoted] = await goBackAgain(service)
    expect(unnoted).toMatchObject({ redeployed: [], active: 'v4', outcome: 'failed', error: '' })
  })

  it('does not resume the revision of another request', async () => {
    const service = { revisions: history, active: 'v4', hidesCommits: true, rerunTo: 'v3' }
    const [, second] = await goBackAgain({ ...service, notes })
    expect(second).toMatchObject({ redeployed: ['v3'], active: 'v6' })
  })
})
