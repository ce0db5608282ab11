import { describe, expect, it } from '@jest/globals'
import type { PublishedField } from '../../../src/report/plan.ts'
import {
  fleetPlanLines,
  fleetPlanMarkdown,
  fleetPlanTable,
  planWarnings,
  unguardedLines,
} from '../../../src/report/fleet/plan.ts'
import { endingsOf } from '../../../src/report/fleet/results.ts'
import { aFinalFleet, changed, DEPLOYED, names, rendered, TWO } from './a-fleet.ts'

describe('the plan of a fleet', () => {
  const long = 'n'.repeat(150)
  const ofLongNames = aFinalFleet({ waves: [{ name: long, names: [`${long}1`] }], dryRun: true }, { kind: 'planned' })

  it('cuts names, waves and inputs in the log, after they are redacted', () => {
    const many = changed(ofLongNames, ({ plan }) => {
      const [field] = plan?.fields ?? []
      const fields = field === undefined ? [] : Array.from({ length: 50 }, () => field)
      return { plan: plan && { ...plan, fields } }
    })
    const [, line = ''] = fleetPlanLines(many, String)
    expect(line.length).toBeLessThanOrEqual(2 + 40 + 2 + 40 + 2 + 12 + 2 + 300 + ' (image-uri differs)'.length)
    const redacted = fleetPlanLines(ofLongNames, (text) => text.replace(long, '***')).join('\n')
    expect(redacted.match(/\*\*\*/g)).toHaveLength(2)
  })

  it('cuts names in the summary', () => {
    expect(rendered(ofLongNames).outputs['plan-markdown']).not.toContain('n'.repeat(101))
  })

  const digest = `sha256:${'a'.repeat(64)}`
  const [before, after] = [`registry.example/agent:v1@${digest}`, `registry.example/agent:v2@${digest}`]
  const withFields = (...fields: Partial<PublishedField>[]) =>
    changed(aFinalFleet({ waves: [{ names: ['a'] }], dryRun: true }, { kind: 'planned' }), ({ plan }) => ({
      plan: plan && {
        ...plan,
        fields: fields.map((field) => ({ input: 'image-uri', wanted: after, difference: 'changed', ...field })),
      },
    }))

  it('shows the values that change, as the plan of one deployment does', () => {
    const record = withFields(
      { current: before, via: 'revision' },
      { input: 'secrets', current: ['API_KEY'], wanted: ['API_KEY', 'TOKEN'], via: 'patch' },
      { input: 'repo-ref', current: 'main', wanted: 'main', difference: 'same' },
    )
    const values = [
      `\`image-uri\`: \`${before}\` → \`${after}\``,
      '`secrets`: `API_KEY` → `API_KEY` `TOKEN`<br>by a patch, values not shown',
    ]
    const { markdown, outputs } = rendered(record)
    for (const text of [markdown(), outputs['plan-markdown']])
      expect(text).toContain(`| new revision (image-uri differs)<br>${values.join('<br>')} |`)
    expect(fleetPlanLines(record, String)[1]).toBe(
      `  a    new revision  image-uri ${before} → ${after}, secrets API_KEY → API_KEY, TOKEN (values not shown) (image-uri differs)`,
    )
  })

  it('shows of a long list or object what differs', () => {
    const keys = Array.from({ length: 12 }, (_, index) => `KEY_${index}`)
    const labels = Object.fromEntries(keys.map((key) => [key, 'x'.repeat(20)]))
    const record = withFields(
      { input: 'secrets', current: [...keys, 'OLD_KEY'], wanted: [...keys, 'NEW_KEY'] },
      { input: 'resource-spec', current: { labels, cpu: 1 }, wanted: { labels, cpu: 4 }, via: 'patch' },
      {
        input: 'image-uri',
        current: { labels: { ...labels, z: 1 } },
        wanted: { labels: { ...labels, z: 2 } },
        via: 'patch',
      },
    )
    const table = fleetPlanTable(record, String)
    expect(table).toContain('`secrets`: `OLD_KEY` → `NEW_KEY`<br>what both have is not shown')
    expect(table).toContain('`resource-spec`: `{"cpu":1}` → `{"cpu":4}`<br>what both have is not shown')
    expect(table).toContain('<br>they differ in what is not shown')
    expect(fleetPlanLines(record, String)[1]).toBe(
      '  a    new revision  secrets, resource-spec, image-uri (image-uri differs)',
    )
  })

  it('says where both sides are cut to the same text, and shows names of secrets whose values are unknown', () => {
    const keys = Array.from({ length: 12 }, (_, index) => `KEY_${index}`)
    const long = 'x'.repeat(300)
    const record = withFields(
      { input: 'secrets', current: keys, wanted: keys, difference: 'unknown', via: 'patch' },
      { input: 'build-command', current: `${long}1`, wanted: `${long}2`, via: 'patch' },
    )
    const table = fleetPlanTable(record, String)
    expect(table).toContain('`KEY_9` and 2 more → `KEY_0`')
    expect(table).not.toContain('none')
    expect(table).toMatch(/`build-command`: `x+…` → `x+…`<br>they differ in what is not shown, by a patch/)
  })

  it('names the inputs alone where values leave no room for all rows', () => {
    const one = withFields({ current: before, via: 'revision' })
    const table = fleetPlanTable(one, String, 150)
    expect(table).toContain('| new revision (image-uri differs) `image-uri` |')
    expect(table).not.toContain(after)
  })

  it('shows no secret, and of long values the begin', () => {
    const list = Array.from({ length: 900 }, (_, index) => `V${index}=${'x'.repeat(900)}`)
    const fields = Array.from({ length: 25 }, (_, index) => ({ input: `input-${index}`, wanted: '漢'.repeat(900) }))
    const record = withFields(...fields, { input: 'variables', wanted: [...list, 'KEY=hunter-2'] })
    const table = fleetPlanTable(record, String)
    expect(table).toContain('`V9=xxx')
    expect(table).toContain('and 891 more')
    expect(table).not.toContain('V10=')
    expect(Buffer.byteLength(table)).toBeLessThan(50_000)
    const redact = (text: string): string => text.replaceAll('hunter-2', '***')
    const secret = withFields({ current: 'hunter-2', wanted: { key: 'hunter-2' } }, { wanted: ['A=hunter-2'] })
    expect(fleetPlanTable(secret, redact) + fleetPlanLines(secret, redact).join()).not.toContain('hunter-2')
    expect(fleetPlanTable(secret, redact)).toContain('`***` → `{"key":"***"}`')
  })

  it('has nine warnings at most; the last one has up to 50 of the others', () => {
    const record = changed(aFinalFleet({ waves: [{ names: names(70) }] }, DEPLOYED), (_one, place) => ({
      warnings: [`warning ${place}`, `warning ${place}`, 'of all'],
    }))
    const warnings = planWarnings(record)
    expect(warnings).toHaveLength(9)
    expect(warnings[1]).toMatch(/^agent-01, agent-02, agent-03, agent-04, agent-05 and 65 more: of all\.$/)
    expect(warnings[0]).toBe('agent-01: warning 0.')
    expect(warnings[8]).toMatch(/^The plans have 63 more warnings:\n/)
    expect(warnings[8]?.split('\n')).toHaveLength(1 + 42)
    expect(
      planWarnings(changed(record, (_one, place) => ({ warnings: place < 9 ? [`w ${place}`] : [] }))),
    ).toHaveLength(9)
  })
})

it.each([0, 1, 2])('the log says once that protect-newer compares no commits of %i deployments', (count) => {
  const record = changed(aFinalFleet(TWO, DEPLOYED), (_one, place) => ({ isOfOtherRef: place < count }))
  const [line] = unguardedLines(record)
  expect(line?.startsWith('protect-newer compares no commits of ')).toBe(count === 0 ? undefined : true)
})

it('the plan of a fleet names the host that no input names', () => {
  const record = changed(aFinalFleet({ ...TWO, dryRun: true }, { kind: 'planned' }), ({ plan }) => ({
    plan: plan && { ...plan, host: 'api.host.example' },
  }))
  expect(fleetPlanLines(record, String)[0]).toBe('Plan of 2 deployments: 2 to revise on api.host.example.')
  expect(fleetPlanMarkdown(record, String)).toMatch(/^\*\*Plan of 2 deployments: 2 to revise on api\.host\.example\*\*/)
})

it('the plan of a fleet begins with what has no plan', () => {
  const record = changed(aFinalFleet({ ...TWO, dryRun: true }, { kind: 'planned' }), ({ name }) =>
    name === 'b' ? { plan: undefined } : {},
  )
  expect(endingsOf(record, String).map(({ result }) => result.outcome)).toEqual(['planned', 'not-started'])
  expect(fleetPlanLines(record, String)).toEqual([
    'Plan of 2 deployments: 1 to revise, 1 without a plan.',
    '  b    no plan',
    '  a    new revision  image-uri a:1 → a:2 (image-uri differs)',
  ])
})

describe('what all plans of a kind share', () => {
  const THREE = { waves: [{ names: ['a', 'b', 'd', 'e'] }], dryRun: true }
  /** Each has its own ref, and the same variable. */
  const ofRefs = changed(aFinalFleet(THREE, { kind: 'planned' }), ({ plan, name }) => ({
    plan: plan && {
      ...plan,
      kind: 'revise',
      revision: { follows: true, because: name === 'e' ? 'no revision is active' : 'repo-ref differs' },
      fields: [
        { input: 'repo-ref', current: 'main', wanted: `of-${name}`, difference: 'changed', via: 'revision' },
        { input: 'variables', wanted: ['A=1'], difference: 'new', via: 'revision' },
      ],
    },
  }))

  it('is in one line of the log, and each line has the reason in the words of a single plan', () => {
    expect(fleetPlanLines(ofRefs, String)).toEqual([
      'Plan of 4 deployments: 4 to revise.',
      '  all: variables (none) → A=1',
      '  a    new revision  repo-ref main → of-a (repo-ref differs)',
      '  b    new revision  repo-ref main → of-b (repo-ref differs)',
      '  d    new revision  repo-ref main → of-d (repo-ref differs)',
      '  e    new revision  repo-ref main → of-e (no revision is active)',
    ])
  })

  it('says how many share it, if others change otherwise', () => {
    const record = changed(ofRefs, ({ plan, name }) => (name === 'e' ? { plan: undefined } : { plan }))
    expect(fleetPlanLines(record, String).slice(0, 3)).toEqual([
      'Plan of 4 deployments: 3 to revise, 1 without a plan.',
      '  all 3 to revise: variables (none) → A=1 (repo-ref differs)',
      '  e    no plan',
    ])
  })

  it('is before the table of the summary', () => {
    expect(fleetPlanTable(ofRefs, String)).toMatch(
      /^\*\*All\*\*<br>\n`variables`: — → `A=1`\n\n\| Deployment \| Change \|\n.*\n\| `a` \| new revision \(repo-ref differs\)<br>`repo-ref`: `main` → `of-a` \|/,
    )
  })

  it('is the new revision and its reason where no field differs', () => {
    const record = changed(ofRefs, ({ plan }) => ({
      plan: plan && { ...plan, revision: { follows: true, because: 'every rollout creates one' }, fields: [] },
    }))
    expect(fleetPlanLines(record, String).slice(0, 3)).toEqual([
      'Plan of 4 deployments: 4 to revise.',
      '  all: new revision (every rollout creates one)',
      '  a    new revision',
    ])
    expect(fleetPlanTable(record, String)).toMatch(/^\*\*All\*\*: new revision \(every rollout creates one\)\n/)
  })

  it('leaves a row for those of a wave that change alike, of at most 25 names', () => {
    const record = aFinalFleet({ waves: [{ name: 'all', names: names(80) }], dryRun: true }, { kind: 'planned' })
    const table = fleetPlanTable(record, String)
    expect(table.match(/^\| `.*$/gm)?.map((row) => row.replace(/`, .*, `/, '` … `'))).toEqual([
      '| `agent-01` … `agent-37`<br>wave `all` | 25 × new revision |',
      '| `agent-38` … `agent-74`<br>wave `all` | 25 × new revision |',
      '| `agent-76` … `agent-80`<br>wave `all` | 4 × new revision |',
      '| `agent-03` … `agent-75`<br>wave `all` | 25 × unchanged |',
      '| `agent-78`<br>wave `all` | unchanged |',
    ])
    expect(fleetPlanTable(record, String, 600)).toContain('\n\nAnd 55 more: ')
  })

  it('is redacted, and names the inputs alone if their values are long', () => {
    const wanted = Array.from({ length: 10 }, (_, index) => `V${index}=${'漢'.repeat(300)}`)
    const record = changed(ofRefs, ({ plan }) => ({
      plan: plan && {
        ...plan,
        revision: { follows: true, because: 'hunter-2 differs' },
        fields: ['a', 'b'].map((input) => ({ input, wanted, difference: 'new' })),
      },
    }))
    const redact = (text: string): string => text.replaceAll('hunter-2', '***')
    expect(fleetPlanTable(record, redact)).toMatch(/^\*\*All\*\* \(&#42;&#42;&#42; differs\) `a` `b`\n/)
    expect(fleetPlanLines(record, redact)[1]).toBe('  all: a, b (*** differs)')
  })
})
