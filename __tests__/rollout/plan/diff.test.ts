import { describe, expect, it } from '@jest/globals'
import { plannedChanges, shownValue } from '../../../src/rollout/plan/diff.ts'
import { forbiddenChanges } from '../../../src/rollout/plan/validate.ts'
import { AGENT_SERVER, LANGSMITH } from '../../../src/control-plane/api.ts'
import type { Secret, Settings } from '../../../src/control-plane/model.ts'
import { writeRevision } from '../../../src/control-plane/routes.ts'
import { compareWithActive } from '../../../src/rollout/plan/compare-active.ts'
import { planRollout } from '../../../src/rollout/plan/plan-rollout.ts'
import { requestsOf } from '../../../src/rollout/plan/planned-requests.ts'
import { aBasis, aDeployment, aRequest, aRevision, OLD_REVISION_ID } from '../../builders.ts'

const secret = (name: string, value?: string): Secret => ({ name, value })
const variable = (name: string, value: string): Secret => ({ name, value, isVariable: true })
const listOf = (...secrets: Secret[]): Settings => ({ secrets })

it.each([
  ['ssh://hunter2pass@host/x', 'ssh://***@host/x'],
  ['https://u:hunter2pass@host/x', 'https://***@host/x'],
  ['ssh://git@host/x', 'ssh://git@host/x'],
  ['git@host:o/r', 'git@host:o/r'],
  ['git@hunter2pass@host', '***@host'],
])('prints an address without its login: %s', (address, printed) => {
  for (const field of ['repoUrl', 'customUrl'] as const) expect(shownValue(field, { [field]: address })).toBe(printed)
})

it('prints an image without its login', () => {
  expect(shownValue('imageUri', { imageUri: 'me:hunter2pass@host/x:1' })).toBe('***@host/x:1')
})

describe('the list of environment variables in a plan', () => {
  /** Each change as `action input: before → after`. A list that is not reported is `?`. */
  const rowsOf = (current: Settings | undefined, wanted: Settings): string[] =>
    plannedChanges(current, wanted, () => undefined).map((change) => {
      const [before, after] = [change.before, change.after].map((list) => (Array.isArray(list) ? list.join(' ') : '?'))
      return `${change.action} ${change.input}: ${before} → ${after}`
    })

  it.each<[string, Settings | undefined, Settings, string[]]>([
    [
      'by its two inputs, variables with their values',
      listOf(secret('KEY', 'old-key'), secret('LEVEL', 'info')),
      listOf(secret('KEY', 'new-key'), variable('LEVEL', 'debug')),
      ['replace secrets: KEY → KEY', 'replace variables: LEVEL=info → LEVEL=debug'],
    ],
    [
      'which differ each on its own',
      listOf(secret('KEY', 'key'), secret('LEVEL', 'info')),
      listOf(secret('KEY', 'key'), variable('LEVEL', 'debug')),
      ['keep secrets: KEY → KEY', 'replace variables: LEVEL=info → LEVEL=debug'],
    ],
    [
      'with variables alone',
      listOf(secret('LEVEL', 'info')),
      listOf(variable('LEVEL', 'info'), variable('MODE', 'hidden')),
      ['replace variables: LEVEL=info → LEVEL=info MODE=hidden'],
    ],
    [
      'with the names that are removed among the secrets',
      listOf(secret('KEY', 'key')),
      listOf(variable('MODE', 'a')),
      ['replace secrets: KEY → ', 'replace variables:  → MODE=a'],
    ],
    [
      'without values that a placeholder hides',
      listOf(secret('KEY', '***'), secret('MODE', '***')),
      listOf(secret('KEY', 'key'), variable('MODE', 'a')),
      ['uncertain secrets: KEY → KEY', 'uncertain variables: MODE → MODE=a'],
    ],
    [
      'without values that are withheld',
      listOf(secret('MODE')),
      listOf(variable('MODE', 'a')),
      ['uncertain variables: MODE → MODE=a'],
    ],
    [
      'without earlier values that may have been secrets, unless they stay',
      listOf(secret('TOKEN', 'correct-horse'), secret('PIN', 'p4ss'), secret('URL', 'https://docs.example')),
      listOf(variable('TOKEN', 'from-vault'), variable('PIN', 'none'), variable('URL', 'https://docs.example')),
      ['replace variables: TOKEN PIN URL=https://docs.example → TOKEN=from-vault PIN=none URL=https://docs.example'],
    ],
    [
      'where the deployment reports no list',
      {},
      listOf(secret('KEY', 'key'), variable('MODE', 'a')),
      ['uncertain secrets: ? → KEY', 'uncertain variables: ? → MODE=a'],
    ],
    ['of a new deployment', undefined, listOf(variable('MODE', 'a')), ['set variables: ? → MODE=a']],
  ])('is shown %s', (_case, current, wanted, rows) => {
    expect(rowsOf(current, wanted)).toEqual(rows)
  })

  it('is sent as one, and planned with the values of variables only', () => {
    const settings = listOf(secret('KEY', 'the-key'), variable('MODE', 'a'))
    const sent = [
      { name: 'KEY', value: 'the-key' },
      { name: 'MODE', value: 'a' },
    ]
    expect(writeRevision({ source: 'git_host', settings })).toMatchObject({ secrets: sent })
    expect(JSON.stringify(writeRevision({ source: 'git_host', settings }))).not.toContain('isVariable')
    const planning = planRollout(aRequest({ settings }), aBasis(aDeployment()))
    if (planning.kind !== 'planned') throw new Error('refused')
    const bodies = requestsOf(planning.plan, false).map(({ body }) => body)
    expect(bodies).toMatchObject([{ secrets: [{ name: 'KEY', value: '(not shown)' }, sent[1]] }])
    expect(JSON.stringify(bodies)).not.toMatch(/the-key|isVariable/)
  })
})

describe('a list that is compared with the active revision', () => {
  const active = aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', settings: { imageUri: 'a/b:1' } })
  const compare = (wanted: Settings, reported: Settings, latest = active): ReturnType<typeof compareWithActive> =>
    compareWithActive(
      { settings: wanted, source: 'internal_container', commit: undefined, unreported: [] },
      { current: aDeployment({ source: 'internal_container', settings: reported }), active, latest },
    )
  const both = listOf(secret('KEY', 'key'), variable('MODE', 'a'))

  it('is the same if each value is', () => {
    expect(compare(both, listOf(secret('MODE', 'a'), secret('KEY', 'key')))).toMatchObject({ kind: 'same' })
  })

  it('names the input that differs, or is not reported', () => {
    const differs = compare(both, listOf(secret('MODE', 'b'), secret('KEY', 'key')))
    expect(differs).toEqual({ kind: 'field-differs', field: 'variables' })
    expect(compare(both, listOf(secret('MODE', 'b'), secret('KEY', 'x')))).toMatchObject({ field: 'secrets' })
    const withheld = compare(both, listOf(secret('MODE'), secret('KEY', 'key')))
    expect(withheld).toEqual({ kind: 'field-not-reported', field: 'variables' })
    const failed = aRevision({ status: 'BUILD_FAILED' })
    const ofLatest = compare(listOf(variable('MODE', 'a')), listOf(secret('MODE', 'a')), failed)
    expect(ofLatest).toEqual({ kind: 'field-of-latest-only', field: 'variables' })
  })
})

describe('names that the list lacks', () => {
  const problemsOf = (
    settings: Settings,
    reported: Settings,
    over: { secretsInput?: 'secrets' | 'variables'; allowSecretRemoval?: boolean; api?: typeof LANGSMITH } = {},
  ): unknown => {
    const { secretsInput = 'secrets', allowSecretRemoval = false, api = AGENT_SERVER } = over
    const current = aDeployment()
    return forbiddenChanges(
      aRequest({ settings, secretsInput, allowSecretRemoval }),
      { ...current, settings: { ...current.settings, ...reported } },
      api,
    )
  }
  const mode = listOf(variable('MODE', 'a'))
  const unreported = { secrets: undefined }

  it('are refused with both inputs as the cure', () => {
    const message =
      'leaves out KEY, which the deployment has: add them to secrets or variables, which together are the whole list, or set neither of the two, or set allow-secret-removal to true'
    const reported = listOf(secret('KEY', 'x'), secret('MODE', 'x'))
    expect(problemsOf(mode, reported)).toEqual([{ input: 'secrets', message }])
    expect(problemsOf(mode, reported, { secretsInput: 'variables' })).toEqual([{ input: 'variables', message }])
    expect(problemsOf(mode, reported, { secretsInput: 'variables', allowSecretRemoval: true })).toEqual([])
  })

  it('are possible if variables are set alone and the deployment reports no names', () => {
    expect(problemsOf(mode, unreported, { secretsInput: 'variables' })).toEqual([
      {
        input: 'variables',
        message:
          'would replace the whole list of secrets and variables, and the deployment does not report which names it has: set secrets as well, {} if it has none, or set allow-secret-removal to true',
      },
    ])
    expect(problemsOf(mode, unreported, { secretsInput: 'variables', allowSecretRemoval: true })).toEqual([])
    expect(problemsOf(mode, unreported)).toEqual([])
    expect(problemsOf(mode, { secrets: [] }, { secretsInput: 'variables' })).toEqual([])
    expect(problemsOf({}, unreported)).toEqual([])
  })

  it('cannot be all names of a service that takes no empty list, whichever input is empty', () => {
    const empty = { secretsInput: 'variables' as const, allowSecretRemoval: true, api: LANGSMITH }
    expect(problemsOf(listOf(), listOf(secret('KEY', 'x')), empty)).toMatchObject([{ input: 'variables' }])
    expect(problemsOf(mode, listOf(secret('KEY', 'x')), empty)).toEqual([])
  })
})
