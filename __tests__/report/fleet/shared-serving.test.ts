import { describe, expect, it } from '@jest/globals'
import { withSentences } from '../../../src/report/markdown.ts'
import { sharedServing } from '../../../src/report/fleet/shared-serving.ts'
import type { FleetRow } from '../../../src/report/record.ts'
import type { RolloutOutcome } from '../../../src/rollout/outcome.ts'
import { redactorOf } from '../../secrets/redactor-of.ts'
import { finalStateOf } from '../../../src/notify/record-facts.ts'
import { RESTORED, UNVERIFIED } from '../a-record.ts'
import { aFinalFleet, aLog, changed, failedFleet, names, rendered, summaryOf } from './a-fleet.ts'

const at = (seconds: number): number => Date.UTC(2026, 10, 27, 2, 14, seconds)
const FAILED = { kind: 'failed', because: { kind: 'revision' } } as const
const OWN = 'a2222222-2222-4222-8222-222222222222'
const OLD = 'b3333333-3333-4333-8333-333333333333'

function failing(changes: (place: number) => Partial<FleetRow>) {
  const waves = [{ names: names(3), maxParallel: 3 }]
  const record = aFinalFleet({ waves, failures: { 0: 'no', 1: 'no', 2: 'no' } }, failedFleet(3))
  return changed(record, (_row, place) => changes(place))
}

function rowsOf(changes: (place: number) => Partial<FleetRow>): FleetRow[] {
  return [...failing(changes).deployments]
}

/** A deployment whose active revision was read. */
function serving(revisionId: string | null, seconds = 5, outcome: RolloutOutcome = FAILED): Partial<FleetRow> {
  const origins = [
    { id: OLD, origin: `main@0000000`, commit: undefined },
    { id: OWN, origin: `main@1111111`, commit: undefined },
  ]
  const servingFacts = { isRead: true, active: { revisionId, at: at(seconds) }, writtenAt: at(2), origins }
  return { servingFacts, revisionId: OWN, activeBefore: OLD, outcome }
}

describe('what serves after deployments of a fleet have ended alike', () => {
  it('is said of one as of a single rollout', () => {
    const rows = rowsOf(() => serving(OLD)).slice(0, 1)
    expect(sharedServing(rows)).toEqual({
      serving: 'Serves (as of 02:14:05 UTC): main@0000000, revision b3333333.',
      written: `Revision ${OWN} was created.`,
    })
  })

  it.each<[string, Partial<FleetRow>, string]>([
    ['the earlier revision', serving(OLD), 'Each still serves its earlier revision: main@0000000'],
    ['the new revision', serving(OWN, 5, UNVERIFIED), 'Each serves its revision of this run: main@1111111'],
    ['a revision of others', serving('c4'), 'Each serves another revision'],
    ['none', serving(null), 'Nothing serves on any of them: no revision of the deployment is active'],
  ])('is said once of all: %s', (_what, row, sentence) => {
    const rows = rowsOf((place) => ({ ...serving(null, 5 + place), ...row }))
    expect(sharedServing(rows)?.serving).toBe(`${sentence} (as of 02:14:05 UTC or later).`)
  })

  it('is the restored revision after a rollback', () => {
    const restored = { ...RESTORED, revisionId: 'd5', failsCheck: false }
    const rows = rowsOf(() => ({ ...serving('d5', 5, UNVERIFIED), rollback: restored }))
    expect(sharedServing(rows)?.serving).toBe(
      'Each serves its restored revision (as of 02:14:05 UTC or later). Rejected: main@1111111.',
    )
  })

  it('names what a rollback has rejected by its ref only if it is that of all, and counts those', () => {
    const restored = { ...RESTORED, revisionId: 'd5', failsCheck: false }
    const rejectedBy = (change: (row: Partial<FleetRow>, place: number) => Partial<FleetRow>) =>
      sharedServing(
        rowsOf((place) => change({ ...serving('d5', 5, UNVERIFIED), rollback: restored }, place)),
      )?.serving.replace(/^.*\. /, '')
    const silent = { isRead: true, active: { revisionId: 'd5', at: at(5) }, origins: [], writtenAt: at(2) }
    expect(rejectedBy((row, place) => (place === 0 ? { ...row, servingFacts: silent, ref: 'dev' } : row))).toBe(
      'Rejected: the revision of this run.',
    )
    expect(rejectedBy((row, place) => (place === 0 ? { ...row, rollback: undefined } : row))).toBe(
      'Rejected: 2 × main@1111111.',
    )
  })

  it('is counted if it differs, and has the time of the earliest read', () => {
    const rows = rowsOf((place) => (place === 0 ? serving('c4', 9) : serving(OLD, 7)))
    expect(sharedServing(rows)?.serving).toBe(
      'What serves (as of 02:14:07 UTC or later): 1 × another revision, 2 × the earlier revision.',
    )
  })

  it('is counted with the reason why it is unknown, or nothing', () => {
    const unread = { ...serving(null), servingFacts: { isRead: false, origins: [] } }
    const rows = rowsOf((place) => (place === 0 ? unread : serving(null)))
    expect(sharedServing(rows)?.serving).toBe(
      'What serves (as of 02:14:05 UTC or later): 1 × unknown (the run ended before it read the deployment), 2 × nothing (no revision of the deployment is active).',
    )
  })

  it('is the ref only if it is that of all', () => {
    const other = (row: Partial<FleetRow>): Partial<FleetRow> =>
      row.servingFacts === undefined ? row : { ...row, servingFacts: { ...row.servingFacts, origins: [] } }
    const rows = rowsOf((place) => (place === 0 ? serving(OLD) : other(serving(OLD))))
    expect(sharedServing(rows)?.serving).toBe('Each still serves its earlier revision (as of 02:14:05 UTC or later).')
  })

  it('is unknown, with the reason, if nothing was read', () => {
    const rows = rowsOf(() => ({ outcome: { kind: 'cancelled' }, servingFacts: { isRead: false, origins: [] } }))
    expect(sharedServing(rows)?.serving).toBe(
      'What each serves is unknown: the run ended before it read the deployment.',
    )
  })

  it('is not said of deployments that have no end', () => {
    expect(sharedServing(rowsOf(() => ({ outcome: undefined })))).toBeUndefined()
  })

  it('is beside what was written', () => {
    const written = (changes: (place: number) => Partial<FleetRow>) => sharedServing(rowsOf(changes))?.written
    expect(written(() => serving(OLD))).toBe('3 × Revision … was created.')
    const nothing = { change: 'none', revisionId: undefined, patchedFields: [] } as const
    expect(written(() => ({ ...serving(OLD), ...nothing }))).toBe('Nothing was written.')
    expect(written((place) => ({ ...serving(OLD), ...(place === 0 ? nothing : {}) }))).toBe(
      '1 × Nothing was written; 2 × Revision … was created.',
    )
  })
})

describe('the line of what serves', () => {
  const record = failing(() => serving(OLD))
  const LINE = 'Each still serves its earlier revision: main@0000000 (as of 02:14:05 UTC or later).'

  it('is the second of the annotation', () => {
    const { log, lines } = aLog()
    rendered(record).printBefore?.(log)
    const [, second, third] = lines.find((line) => line.startsWith('error'))?.split('\n') ?? []
    expect([second, third]).toEqual([LINE, '3 × Revision … was created.'])
  })

  it('is in the tables of the summary and the comment', () => {
    for (const text of [summaryOf(record), finalStateOf(record, String).comment])
      expect(text).toContain(
        '<br>Each still serves its earlier revision: `main@0000000` &#40;as of 02:14:05 UTC or later&#41;.<br>3 × Revision … was created. |',
      )
  })

  it('does not end its cell', () => {
    expect(withSentences('a', 'It serves x|y@1|2.', undefined)).toBe('a<br>It serves `x\\|y@1\\|2`.')
  })

  it('is that of each deployment where they are shown one by one', () => {
    const differing = failing((place) => serving(place === 0 ? OWN : OLD))
    const lines = summaryOf(differing).split('\n')
    const rows = lines.filter((line) => /^\| \[`agent-/.test(line)).map((line) => line.replace(/^.*<br>/, ''))
    const old = 'Serves &#40;as of 02:14:05 UTC&#41;: `main@0000000`, revision b3333333. |'
    expect(rows).toEqual([old.replace('0000000', '1111111').replace('b3333333', 'a2222222'), old, old])
  })

  it('is in the comment of previews, and not beside those that are deployed', () => {
    const preview = { pullRequest: 7, repoUrl: 'https://github.com/acme/agent', environment: undefined, untouched: [] }
    const fleet = aFinalFleet({ waves: [{ names: names(2) }], failures: { 0: 'no' }, preview }, failedFleet(1))
    const outcomes = [FAILED, { kind: 'deployed', isConfirmed: true }] as const
    const previews = changed(fleet, (_row, place) => serving(OLD, 5, outcomes[place]))
    const rows = finalStateOf(previews, redactorOf('0000000').redact)
      .comment.split('\n')
      .filter((line) => line.startsWith('| ['))
    expect(rows[0]).toMatch(/<br>`no`<br>Serves &#40;as of 02:14:05 UTC&#41;: `main@\*\*\*`, revision b3333333\. \|$/)
    expect(rows[1]).not.toContain('Serves')
  })
})
