import { describe, expect, it } from '@jest/globals'
import { INPUT_NAMES, INPUTS_OF, OPERATIONS, ROOT, type Input, type Operation } from '../../src/inputs/inputs.ts'
import { InputReader } from '../../src/inputs/reader.ts'
import { InputError, describeProblem } from '../../src/problem.ts'
import { readStep, type Step } from '../../src/inputs/read-step.ts'
import { checkDeclared } from '../../src/inputs/undeclared.ts'
import { aPush } from '../builders.ts'
import { AROUND } from '../here.ts'

function check(operation: Operation, inputs: Record<string, string>) {
  const reader = new InputReader((name) => inputs[name] ?? '')
  const given = Object.keys(inputs).filter((name) => inputs[name] !== '')
  const { warning } = checkDeclared(reader, operation, given)
  return { problems: reader.problems.map(describeProblem), warning }
}

const NOTHING = { problems: [], warning: undefined }
/** As the runner sets them for the root action. */
const standards = Object.entries<Input>(ROOT).map(([name, { standard }]): [string, string] => [name, standard])
const AT_DEFAULT = { ...Object.fromEntries(standards), 'github-token': 'ghs_token' }

describe('an unknown input', () => {
  it.each<[Operation, string, string]>([
    ['rollout', 'verify_url', 'verify-url'],
    ['rollout', 'verifyurl', 'verify-url'],
    ['rollout', 'api_key', 'api-key'],
    ['rollout', 'previw', 'preview'],
    ['rollout', 'dry_run', 'dry-run'],
    ['rollout', 'dryrun', 'dry-run'],
    ['rollout', 'image', 'image-uri'],
    ['rollout', 'secret', 'secrets'],
    ['rollout', 'env-vars', 'variables'],
    ['rollout', 'environment_variables', 'variables'],
    ['teardown', 'plan-only', 'dry-run'],
    ['rollout', 'deployment_name', 'name'],
    ['rollback', 'to', 'revision-id'],
    ['rollback', 'revision', 'revision-id'],
    ['rollback', 'version', 'revision-id'],
    ['teardown', 'closed-pull-request', 'closed-pull-requests'],
    ['fleet', 'max_parallel', 'max-parallel'],
    ['request', 'expected-status', 'expect-status'],
  ])('of %s, %s, is an error: %s is meant', (operation, name, meant) => {
    const message = `${name}: is no input of the operation ${operation}; did you mean ${meant}?`
    expect(check(operation, { ...AT_DEFAULT, [name]: 'x' })).toEqual({ problems: [message], warning: undefined })
  })

  it.each(['parameters', 'foo', 'constructor', '__proto__', 'tostring', 'token', 'to'])(
    'that is similar to none, %s, is a warning',
    (name) => {
      const warning = `Unknown inputs: ${name}. They have no effect.`
      expect(check('rollout', Object.fromEntries([[name, 'x']]))).toEqual({ problems: [], warning })
    },
  )

  it('is a warning in a step of a composite action, which may have it: unless it is a typo', async () => {
    const inputs: Record<string, string> = { 'base-url': 'https://cp.example', 'api-key': 'k', name: 'agent' }
    const readWith = async (given: string): Promise<string[]> => {
      const warnings: string[] = []
      const env = { GITHUB_ACTION_PATH: '/actions/composite' }
      const around = { ...AROUND, env, given: [given], warn: (text: string) => void warnings.push(text) }
      await readStep((name) => inputs[name] ?? '', aPush(), around)
      return warnings
    }
    expect(await readWith('ref')).toEqual(['Unknown inputs: ref. They have no effect.'])
    await expect(readWith('verify_url')).rejects.toThrow('did you mean verify-url?')
  })

  it('is a warning if the similar one is set as well: a composite action around the step may have it', () => {
    const both = { 'verify-url': '{url}/ok', verify_url: '{url}/ok' }
    const warning = 'Unknown inputs: verify_url. They have no effect.'
    expect(check('rollout', both)).toEqual({ problems: [], warning })
    expect(check('rollout', { 'max-retries': '5', max_retries: '5' }).problems).toHaveLength(1)
  })

  it('shows no value, which may be a secret', () => {
    expect(JSON.stringify(check('rollout', { api_key: 'hunter-2', foo: 'hunter-3' }))).not.toContain('hunter')
  })

  it('is named once, with few others', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${'y'.repeat(50)}${index}`, 'z']))
    const { warning = '' } = check('wait', { ...many, foo: 'x', environment: 'production', secrets: 'A=b' })
    expect(warning.split('\n')).toHaveLength(1)
    expect(warning.split(', ')).toHaveLength(20)
    expect(warning).toContain(
      ' and 11 more. Inputs that the operation wait does not take: secrets. They have no effect.',
    )
  })
})

describe('an input of another operation', () => {
  it.each(OPERATIONS)('has no effect on %s while it is at the default of the root action', (operation) => {
    expect(check(operation, AT_DEFAULT)).toEqual(NOTHING)
    const upperCase = Object.entries(AT_DEFAULT).map(([name, value]): [string, string] => [
      name,
      ` ${value.toUpperCase()} `,
    ])
    expect(check(operation, Object.fromEntries(upperCase))).toEqual(NOTHING)
  })

  it.each(OPERATIONS)('is no typo of an input of %s', (operation) => {
    const others = INPUT_NAMES.filter((name) => !Object.hasOwn(INPUTS_OF[operation], name))
    const wrong = others.map((name) => check(operation, { [name]: 'x' }).problems).flat()
    expect(wrong.filter((problem) => problem.includes('did you mean'))).toEqual([])
  })

  it.each<[Operation, string, string]>([
    ['fleet', 'rollback', 'on-failure'],
    ['request', 'confirm', 'agent'],
    ['wait', 'rollback', 'on-failure'],
    ['request', 'dry-run', 'true'],
    ['request', 'preview', 'true'],
    ['wait', 'confirm', 'agent'],
  ])('%s with %s: %s is an error, because the step may rely on it', (operation, name, value) => {
    const { problems, warning } = check(operation, { ...AT_DEFAULT, [name]: value })
    const start = `${name}: "${value}" has no effect on the operation ${operation}, so remove it; it is an input of `
    expect(problems).toEqual([expect.stringContaining(start)])
    expect(warning).toBeUndefined()
  })

  it('names the operations that take it', () => {
    const [problem] = check('request', { preview: 'true' }).problems
    expect(problem).toMatch(/it is an input of rollout, wait, rollback, teardown, fleet$/)
  })

  it('is a warning otherwise', () => {
    const warning = 'Inputs that the operation request does not take: environment, name. They have no effect.'
    expect(check('request', { name: 'agent', environment: 'production' })).toEqual({ problems: [], warning })
  })
})

describe('a step', () => {
  const GOOD = { 'base-url': 'https://cp.example', 'api-key': 'key-123', name: 'agent' }

  async function read(inputs: Record<string, string>): Promise<{ step: Step | InputError; warnings: string[] }> {
    const warnings: string[] = []
    const around = { ...AROUND, given: Object.keys(inputs), warn: (sentence: string) => void warnings.push(sentence) }
    try {
      return { step: await readStep((name) => inputs[name] ?? '', aPush(), around), warnings }
    } catch (thrown) {
      if (thrown instanceof InputError) return { step: thrown, warnings }
      throw thrown
    }
  }

  it('warns beside its other problems', async () => {
    const { step, warnings } = await read({ ...GOOD, name: '', foo: 'x', verify_url: 'x' })
    const problems = step instanceof InputError ? step.problems : []
    expect(problems.map(({ input }) => input)).toEqual(['verify_url', 'name'])
    expect(warnings).toEqual(['Unknown inputs: foo. They have no effect.'])
  })

  it('of a misspelled operation reports that alone', async () => {
    const { step, warnings } = await read({ ...GOOD, operation: 'rolback', confirm: 'agent', to: 'v1' })
    expect(step instanceof InputError ? step.problems : []).toMatchObject([{ input: 'operation' }])
    expect(warnings).toEqual([])
  })

  it('with credentials under a wrong name is not skipped as one without', async () => {
    const skipping = { ...GOOD, 'api-key': '', 'on-missing-credentials': 'skip' }
    expect((await read(skipping)).step).toMatchObject({ operation: 'skip' })
    const { step } = await read({ ...skipping, api_key: 'key-123' })
    expect(step instanceof InputError ? step.problems[0] : undefined).toMatchObject({ input: 'api_key' })
  })
})
