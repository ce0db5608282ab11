import { describe, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import { FORMS, isAddress } from '../../src/control-plane/model.ts'
import { outputsOf } from '../../src/report/outputs.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import { renderComment, renderSummary } from '../../src/report/summary.ts'
import type { RunEvent } from '../../src/report/record.ts'
import { Cleaner, droppedIn } from '../../src/report/typed-fields.ts'
import { aDeployment, aRecord, aRevision, aTeardown, COMMIT, DEPLOYMENT_ID } from '../builders.ts'
import { anyText } from '../any-text.ts'
import { redactorOf } from '../secrets/redactor-of.ts'
import { RESTORED } from './a-record.ts'

const SECRET = 'Correct-Horse/1'
const HEX_SECRET = 'deadbeefcafe'
const redactor = redactorOf(SECRET, HEX_SECRET, '404')

type RecordFields = Parameters<typeof aRecord>[0]
const clean = (over: RecordFields) => new Cleaner(redactor).clean(aRecord(over))
const named = (over: RecordFields) => Object.fromEntries(clean(over).dropped)
const outputs = (over: RecordFields) => outputsOf(clean(over).record, redactor)
const at = Date.UTC(2026, 0, 2)
const unknown = (status: string) => ({ timeline: [{ status, phase: 'unknown', at }] as const })

describe('a typed value with a secret', () => {
  it.each<[string, RecordFields]>([
    ['url', { url: `https://agent.example/${SECRET}` }],
    ['url', { url: `https://agent.example/?k=${encodeURIComponent(SECRET)}` }],
    ['url', { url: 'https://agent.example/%43orrect-Horse%2f1' }],
    ['url', { url: `https://${HEX_SECRET}.agent.example` }],
    ['status', { revision: aRevision({ status: 'X_404' }) }],
    ['status', unknown(HEX_SECRET.toUpperCase())],
    ['commit-sha', { revision: aRevision({ repoCommitSha: `00${HEX_SECRET}00` }) }],
    ['revision-id', { revisionId: `r-${SECRET}` }],
    ['previous-revision-id', { previousRevisionId: HEX_SECRET }],
    ['repo-ref', { goesBackTo: { id: 'r1', origin: `registry.example/${SECRET}`, notRestored: [] } }],
    ['restored-revision-id', { rollback: { ...RESTORED, revisionId: `r-${SECRET}` } }],
    ['deployment-id', { deployment: { id: `d-${SECRET}`, name: 'agent' } }],
    ['deployment-name', { deployment: { id: DEPLOYMENT_ID, name: `a ${SECRET}` } }],
    ['repo-ref', { ref: `release-${SECRET}` }],
  ])('is dropped from %s, and the field is named: %j', (field, over) => {
    expect(named(over)).toEqual({ [field]: 'secret' })
    const { record } = clean(over)
    const everything = `${JSON.stringify(record)} ${JSON.stringify(outputs(over))} ${renderSummary(record, (text) => text)}`
    expect(everything).not.toMatch(/Correct-Horse|%43orrect|deadbeefcafe/i)
    expect(renderComment(record, (text) => text)).not.toMatch(/Correct-Horse|%43orrect|deadbeefcafe/i)
  })

  it('is dropped from the list of a teardown', () => {
    const removal = { id: `d-${SECRET}`, name: SECRET, result: 'removed', because: { kind: 'requested' } } as const
    const { record, dropped } = new Cleaner(redactor).clean({ ...aTeardown(), removals: [removal] })
    expect(JSON.stringify(outputsOf(record, redactor))).not.toMatch(/Correct|\*\*\*/)
    expect([...dropped.keys()]).toEqual(['deployment-id', 'deployment-name'])
  })

  it.each([
    ['the name of a preview', { id: DEPLOYMENT_ID, name: `${SECRET}-pr-7`, pullRequest: 7 }],
    ['the name that the step sets', { id: DEPLOYMENT_ID, name: SECRET }],
    ['the id that the step sets', { id: SECRET, name: 'agent' }],
  ])('stays in the list of a teardown if it is %s', (_case, named) => {
    const removal = { ...named, result: 'removed', because: { kind: 'requested' } } as const
    const { record, dropped } = new Cleaner(redactor).clean({ ...aTeardown(), target: SECRET, removals: [removal] })
    expect(record.removals).toEqual([removal])
    expect([...dropped]).toEqual([])
  })
})

describe('a value without the form of its field', () => {
  it.each<[string, RecordFields]>([
    ['url', { url: 'https://user:pass@agent.example' }],
    ['url', { url: 'https://@agent.example' }],
    ['url', { url: 'https:/agent.example' }],
    ['url', { url: 'https:\\\\agent.example' }],
    ['url', { url: 'https://agent.ex\tample' }],
    ['url', { url: 'https://agent.ex\u200bample' }],
    ['url', { url: 'javascript:alert(1)' }],
    ['status', unknown('not a status')],
    ['status', unknown('A'.repeat(65))],
    ['commit-sha', { revision: aRevision({ repoCommitSha: 'main' }) }],
    ['revision-id', { revisionId: 'two words' }],
    ['revision-id', { revisionId: 'x'.repeat(129) }],
    ['deployment-name', { deployment: { id: DEPLOYMENT_ID, name: 'a\nb' } }],
  ])('is dropped from %s: %j', (field, over) => {
    expect(named(over)).toEqual({ [field]: 'malformed' })
  })

  it('leaves no false statement: an id that is not shown still exists', () => {
    const { record } = clean({ revisionId: SECRET, outcome: { kind: 'cancelled' } })
    expect(renderSummary(record, redactor.redact)).toContain(
      '&#42;&#42;&#42; was created. It continues on the control plane',
    )
    expect(outputsOf(record, redactor)['revision-id']).toBeUndefined()
  })

  it('is never terminal', () => {
    expect(clean(unknown(' DEPLOYED')).record).toMatchObject(unknown('UNKNOWN'))
  })
})

describe('what stays', () => {
  it.each<[string, RecordFields]>([
    ['an ordinary rollout', { url: 'https://agent.example/a?b=c#d', revision: aRevision({ repoCommitSha: COMMIT }) }],
    ['a status of the contract, whatever the secrets are', { revision: aRevision({ status: 'DEPLOYED' }) }],
    ['the name that the step sets', { target: SECRET, deployment: { id: DEPLOYMENT_ID, name: SECRET } }],
    ['the id that the step sets', { target: 'no id', deployment: { id: 'no id', name: 'agent' } }],
    ['a deployment without a name', { deployment: { id: DEPLOYMENT_ID, name: undefined } }],
    ['a run without a revision', { revisionId: undefined }],
    ['an id in which a short secret occurs by chance', { revisionId: '00000404-0000-4000-8000-000000000000' }],
  ])('%s', (_case, over) => {
    const { record, dropped } = new Cleaner(redactorOf(SECRET, 'DEPLOYED', '404')).clean(aRecord(over))
    expect([...dropped]).toEqual([])
    expect(record).toEqual(aRecord(over))
  })
})

describe('a part of a record', () => {
  const removalOf = (id: string) => ({ id, name: 'agent', result: 'planned', because: { kind: 'requested' } }) as const
  const [first, second] = [removalOf('d-1'), removalOf('d-2')]
  const known = new Redactor(() => undefined)
  const reveals = jest.spyOn(known, 'reveals')
  const checked = (): string[] => reveals.mock.calls.map(([text]) => text)
  const cleaner = new Cleaner(known)
  const idsOf = (...removals: ReturnType<typeof removalOf>[]): string[] => {
    reveals.mockClear()
    const { record } = cleaner.clean({ ...aTeardown(), removals })
    return record.removals.map(({ id }) => id)
  }

  it('is cleaned when it has changed, or more secrets are known', () => {
    expect(idsOf(first, second)).toEqual(['d-1', 'd-2'])
    expect(checked()).toEqual(['d-1', 'agent', 'd-2', 'agent'])
    idsOf(first, { ...second })
    expect(checked()).toEqual(['d-2', 'agent'])
    known.learn(['d-1'])
    expect(idsOf(first, second)).toEqual(['***', 'd-2'])
  })

  it('is removed from each operation as soon as it is known to be a secret', () => {
    const learning = new Redactor(() => undefined)
    const publish = new Cleaner(learning)
    const log = { type: 'build', lines: ['the key correct-horse'] } as const
    const revision = aRevision({ status: 'correct-horse', statusMessage: 'correct-horse' })
    const rollout = aRecord({ revision, log: { ...log, lines: [...log.lines] }, url: 'https://correct-horse.example' })
    const removals = [removalOf('correct-horse')]
    const all = [rollout, { ...aTeardown(), removals }]
    const shown = (): string[] => all.map((record) => JSON.stringify(publish.clean(record).record))
    for (const text of shown()) expect(text).toContain('correct-horse')
    learning.learn(['correct-horse'])
    for (const text of shown()) expect(text).not.toContain('correct-horse')
  })
})

describe('what the schemas drop from an event', () => {
  const revision = aRevision({ dropped: ['commit-sha'] })
  const withoutUrl = aDeployment({ dropped: ['url'] })
  it.each<[string, RunEvent, string[]]>([
    ['a deployment', { kind: 'deployment-read', deployment: withoutUrl }, ['url']],
    ['a revision', { kind: 'attached', because: 'resumed', deployment: aDeployment(), revision }, ['commit-sha']],
    ['a state', { kind: 'current-state-read', current: withoutUrl, builtRef: undefined }, ['url']],
    ['no state', { kind: 'current-state-read', current: undefined, builtRef: undefined }, []],
    ['an event of a rollback', { kind: 'during-rollback', event: { kind: 'status', revision } }, ['commit-sha']],
    ['an event without any', { kind: 'write-lost', cameBack: '502' }, []],
  ])('is named: %s', (_case, event, fields) => {
    expect(droppedIn(event)).toEqual(fields)
  })
})

describe('whatever a server reports', () => {
  const text = fc.oneof(
    anyText(),
    fc.webUrl({ withQueryParameters: true }),
    fc.constantFrom(SECRET, HEX_SECRET, encodeURIComponent(SECRET)),
  )
  const mixed = fc.array(text, { maxLength: 3 }).map((parts) => parts.join(''))

  it('typed outputs have their form, and no secret', () => {
    fc.assert(
      fc.property(fc.record({ url: mixed, status: mixed, commit: mixed, id: mixed, name: mixed }), (wire) => {
        const shown = outputs({
          url: wire.url,
          revisionId: wire.id,
          previousRevisionId: wire.id,
          deployment: { ...aDeployment(), id: wire.id, name: wire.name },
          revision: aRevision({ status: wire.status, repoCommitSha: wire.commit }),
          ...unknown(wire.status),
        })
        for (const value of Object.values(shown)) expect(redactor.reveals(value ?? '')).toBe(false)
        expect(isAddress(shown['url'] ?? 'https://a.example')).toBe(true)
        expect(shown['status']).toMatch(FORMS.status)
        expect(shown['commit-sha'] ?? COMMIT).toMatch(FORMS.commit)
        expect(shown['revision-id'] ?? DEPLOYMENT_ID).toMatch(FORMS.id)
      }),
      { numRuns: 200 },
    )
  })
})
