import { describe, expect, it } from '@jest/globals'
import { RefusedError } from '../../../src/control-plane/errors.ts'
import { countUnannotated, failuresOf, type Failures } from '../../../src/report/fleet/failures.ts'
import { endingsOf } from '../../../src/report/fleet/results.ts'
import type { Final, FleetRecord } from '../../../src/report/record.ts'
import { finalStateOf } from '../../../src/notify/record-facts.ts'
import type { FleetOutcome } from '../../../src/fleet/event.ts'
import type { Redact } from '../../../src/secrets/redact.ts'
import { redactorOf } from '../../secrets/redactor-of.ts'
import { OLD_REVISION_ID } from '../../builders.ts'
import { UNVERIFIED } from '../a-record.ts'
import { aFinalFleet, aLog, changed, DEPLOYED, failedFleet, names, rendered, summaryOf } from './a-fleet.ts'

const UNREPORTED = 'unknown: the control plane does not report which revision is active.'
const PIP = 'No matching distribution found for torch==9.9'

function failing(reasons: readonly string[], outcome: FleetOutcome = failedFleet(reasons.length)) {
  const waves = [{ names: names(reasons.length, 'customer'), maxParallel: reasons.length }]
  return aFinalFleet({ waves, failures: Object.fromEntries(reasons.entries()) }, outcome)
}

function groupsOf(record: Final<FleetRecord>, redact: Redact = String): Failures[] {
  return failuresOf(endingsOf(record, redact), record.endedAt, redact)
}

function namedIn({ endings }: Failures): string[] {
  return endings.map(({ result }) => result.name)
}

function errorsOf(record: Final<FleetRecord>): string[] {
  return linesOf(record).filter((line) => line.startsWith('error'))
}

function linesOf(record: Final<FleetRecord>): string[] {
  const { log, lines } = aLog()
  rendered(record).printBefore?.(log)
  return lines
}

describe('the failures of a fleet', () => {
  it('are grouped by their reason, in the order of the waves', () => {
    const groups = groupsOf(failing([PIP, 'other', PIP, PIP]))
    expect(groups.map((one) => [one.reason, namedIn(one)])).toEqual([
      [PIP, ['customer-1', 'customer-3', 'customer-4']],
      ['other', ['customer-2']],
    ])
  })

  it('are not grouped if they ended otherwise', () => {
    const record = changed(failing([PIP, PIP]), ({ revision }, place) =>
      place === 0 || revision === undefined ? {} : { revision: { ...revision, status: 'DEPLOY_FAILED' } },
    )
    expect(groupsOf(record)).toHaveLength(2)
  })

  it('have one reason if only a name, an address or an id differs', () => {
    const unverified = changed(failing(['', '']), (_one, place) => ({
      outcome: { ...UNVERIFIED, url: `https://agent-${place}.example/ok`, trouble: 'it answers HTTP 503' },
    }))
    expect(groupsOf(unverified).map(({ reason }) => reason)).toEqual([
      'The deployment is deployed, but the check of verify-url failed. It answers HTTP 503',
    ])
    const back = changed(unverified, ({ outcome, revisionId = '' }) => ({
      ...(outcome && { outcome: { kind: 'rolled-back', from: outcome, to: revisionId } }),
      rollback: { kind: 'restored', to: revisionId, revisionId, kept: [], changedSince: [], failsCheck: false },
    }))
    const [group, ...others] = groupsOf(back)
    expect(others).toEqual([])
    expect(group?.reason).not.toMatch(/customer|[0-9a-f]{8}-/)
    const stillFailing = changed(unverified, ({ revisionId = '' }) => ({
      rollback: { kind: 'restored', to: revisionId, revisionId, kept: [], changedSince: [], failsCheck: true },
    }))
    expect(errorsOf(stillFailing)).toEqual([expect.stringMatching(/\nCheck verify-url and what answers there\.$/)])
  })

  it('have their own words if there is only one', () => {
    const [one] = groupsOf(changed(failing(['no']), () => ({ outcome: UNVERIFIED })))
    expect(one?.reason).toContain('customer-1 is deployed, but the check of https://')
  })

  it('have no secret', () => {
    const [one] = groupsOf(failing(['key hunter-2', 'key hunter-2']), redactorOf('hunter-2').redact)
    expect(one?.reason).toBe('key ***')
  })
})

describe('the annotations of failures', () => {
  it('have the reason once, the names, and the next step', () => {
    expect(errorsOf(failing([PIP, 'other', PIP]))).toEqual([
      `error [2 deployments: BUILD_FAILED] 2 × ${PIP}: customer-1, customer-3\nWhat each serves is ${UNREPORTED}\n2 × Revision … was created.\nCheck the end of the build log in this step's log, and the app's dependencies, then rerun the job.`,
      `error [customer-2: BUILD_FAILED] customer-2: other\nWhat serves is ${UNREPORTED}\nRevision 40599bd3-2222-4222-8222-000000000001 was created.\nCheck the end of the build log in this step's log, and the app's dependencies, then rerun the job.`,
    ])
  })

  it('have 20 names of a reason; the log has the others below', () => {
    const lines = linesOf(failing(Array.from({ length: 45 }, () => PIP)))
    expect(lines.find((line) => line.startsWith('error'))).toMatch(/customer-20 and 25 more\n/)
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^ {2}customer-21, .*customer-40$/),
      '  customer-41, customer-42, customer-43, customer-44, customer-45',
    ])
  })

  it('name the deployment that a next step is about, if it differs from the others', () => {
    const record = changed(failing(['no', 'no']), ({ name }) => ({
      outcome: UNVERIFIED,
      change: 'revised',
      previousRevisionId: `revision-before-${name}`,
      activeBefore: `revision-before-${name}`,
    }))
    expect(errorsOf(record)).toEqual([
      expect.stringMatching(
        /customer-1, customer-2\n.*\n.*\nFor customer-1: .*revision-id: revision-before-customer-1\.$/,
      ),
    ])
  })

  it('name one revision that superseded, as the shared reason has no id', () => {
    const record = changed(failing(['', '']), ({ name }) => ({
      outcome: { kind: 'superseded', by: `newer-than-${name}` },
    }))
    expect(errorsOf(record)).toEqual([
      expect.stringContaining('\nCheck the run that created that revision.'),
      expect.stringContaining('\nCheck the run that created that revision.'),
    ])
    const alike = changed(record, () => ({ outcome: { kind: 'superseded', by: OLD_REVISION_ID } }))
    expect(errorsOf(alike)).toEqual([
      expect.stringMatching(
        `: customer-1, customer-2\n.*\n.*\nFor customer-1: Check the run that created revision ${OLD_REVISION_ID}\\.`,
      ),
    ])
  })

  it('are nine; the error of the run counts the rest, whose reasons are in the log', () => {
    const reasons = Array.from({ length: 12 }, (_, place) => `no ${Math.min(place, 10)}`)
    const record = failing(reasons)
    const lines = linesOf(record)
    expect(errorsOf(record)).toHaveLength(9)
    expect(lines.slice(-6)).toEqual([
      'customer-10: no 9',
      `What serves is ${UNREPORTED}`,
      expect.stringMatching(/^Revision \S+ was created\.$/),
      '2 × no 10: customer-11, customer-12',
      `What each serves is ${UNREPORTED}`,
      '2 × Revision … was created.',
    ])
    expect(rendered(record).unannotated).toBe("3 more deployments failed: the reasons are in this step's log.")
    expect(countUnannotated(groupsOf(failing(reasons.slice(0, 10))))).toBe(
      "1 more deployment failed: the reason is in this step's log.",
    )
    expect(countUnannotated(groupsOf(failing(reasons.slice(0, 9))))).toBeUndefined()
  })

  it('are about what has failed only', () => {
    const record = changed(failing(['no', 'no']), (_one, place) => ({
      outcome: place === 0 ? { kind: 'cancelled' } : DEPLOYED,
    }))
    expect(linesOf(record)).toEqual([])
    expect(groupsOf(record).map(namedIn)).toEqual([['customer-1']])
  })
})

it('a refusal that several deployments share is about the deployment', () => {
  const shape = { waves: [{ names: names(2) }], failures: { 0: 'no', 1: 'no' } }
  const fleet = changed(aFinalFleet(shape, failedFleet(2)), ({ deployment }) => {
    const trouble = { attempted: `update the deployment ${deployment?.id ?? ''}`, cameBack: 'no', hint: 'Wait.' }
    return { outcome: { kind: 'failed', because: { kind: 'error', error: new RefusedError(403, '', trouble) } } }
  })
  expect(summaryOf(fleet)).toContain('`The control plane refused to update the deployment. no`')
})

describe('the tables of failures', () => {
  it('have a row for each reason, and one for each of its deployments in a fold', () => {
    const record = failing([PIP, 'other', ...Array.from({ length: 11 }, () => PIP)])
    for (const text of [summaryOf(record), finalStateOf(record, String).comment]) {
      const [open = '', fold = ''] = text.split('<details>\n')
      expect(open).toMatch(
        /^\| `customer-01`, `customer-03`, .*`customer-11` and 2 more \| 12 × ❌&nbsp;failed `BUILD_FAILED`<br>`No matching .*`<br>What each serves is .*<br>12 × Revision … was created\. \|$/m,
      )
      expect(open).toMatch(
        /^\| \[`customer-02`\].* \| ❌&nbsp;failed `BUILD_FAILED` · 1&nbsp;m.*<br>`other`<br>What serves is .*<br>Revision \w{8} was created\. \|$/m,
      )
      expect(fold).toMatch(/^<summary>❌ 12 failed, one by one<\/summary>/)
      expect(fold.match(/^\| \[`customer-\d\d`\]/gm)).toHaveLength(12)
    }
  })

  it('have the logs in their order', () => {
    const record = failing(['a', 'b', 'a'])
    expect(summaryOf(record).match(/log of <code>.*(?=<\/code>)/g)).toEqual(
      ['1', '3', '2'].map((number) => `log of <code>customer-${number}`),
    )
  })
})
