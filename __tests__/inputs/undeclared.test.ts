import { describe, expect, it } from '@jest/globals'
import { INPUT_NAMES, INPUTS_OF, OPERATIONS, ROOT, type Input, type Operation } from '../../src/inputs/inputs.ts'
import { isEntryInput } from '../../src/inputs/manifest/schema.ts'
import { meantBy } from '../../src/inputs/meanings.ts'
import { InputReader } from '../../src/inputs/reader.ts'
import { InputError, describeProblem } from '../../src/problem.ts'
import { readStep, type Step } from '../../src/inputs/read-step.ts'
import { checkDeclared, type SetInputs } from '../../src/inputs/undeclared.ts'
import type { WorkflowEvent } from '../../src/github/event.ts'
import { aPush } from '../builders.ts'
import { AROUND } from '../here.ts'

function check(operation: Operation, inputs: Record<string, string>, run: Partial<SetInputs> = {}) {
  const reader = new InputReader((name) => inputs[name] ?? '')
  const given = new Map(Object.entries(inputs))
  const { warning } = checkDeclared(reader, {
    operation,
    inputTexts: given,
    isRunByAct: false,
    endsPreview: false,
    ...run,
  })
  return { problems: reader.problems.map(describeProblem), warning }
}

const NOTHING = { problems: [], warning: undefined }
/** As the runner sets them for the root action. */
const standards = Object.entries<Input>(ROOT).map(([name, { standard }]): [string, string] => [name, standard])
const AT_DEFAULT = { ...Object.fromEntries(standards), 'github-token': 'ghs_token' }

const placeOf = (name: string): string => `in \`with\`, or as INPUT_${name.toUpperCase()} in \`env\``
const removal = (name: string): string => `Remove it from \`with\`, or INPUT_${name.toUpperCase()} from \`env\``
const ignored = (unknown: string): string => `Unknown inputs: ${unknown}. They have no effect.`
const untaken = (operation: Operation, names: string): string =>
  `Inputs that the operation ${operation} does not take: ${names}. They have no effect.`

describe('an unknown input', () => {
  it.each<[Operation, string, string]>([
    ['rollout', 'verify_url', 'verify-url'],
    ['rollout', 'verifyurl', 'verify-url'],
    ['rollout', 'api_key', 'api-key'],
    ['rollout', 'apikey', 'api-key'],
    ['rollout', 'token', 'api-key or bearer-token or github-token'],
    ['rollout', 'url', 'base-url'],
    ['request', 'url', 'base-url or path'],
    ['rollout', 'endpoint', 'base-url'],
    ['rollout', 'previw', 'preview'],
    ['rollout', 'dry_run', 'dry-run'],
    ['rollout', 'dryrun', 'dry-run'],
    ['rollout', 'plan-digest', 'expect-plan'],
    ['rollout', 'approved-plan', 'expect-plan'],
    ['rollout', 'approved_plan', 'expect-plan'],
    ['rollout', 'expected-plan', 'expect-plan'],
    ['fleet', 'expect-digest', 'expect-plan'],
    ['rollout', 'plan', 'dry-run or expect-plan'],
    ['teardown', 'plan', 'dry-run'],
    ['fleet', 'targets', 'manifest or shard'],
    ['fleet', 'include', 'manifest or shard'],
    ['fleet', 'deployments', 'manifest or shard'],
    ['fleet', 'wave', 'shard'],
    ['rollout', 'image', 'image-uri'],
    ['rollout', 'ref', 'repo-ref'],
    ['rollout', 'commit', 'repo-ref'],
    ['wait', 'sha', 'revision-id'],
    ['rollout', 'path', 'source-path'],
    ['rollout', 'config', 'app-config-path'],
    ['rollout', 'config-path', 'app-config-path'],
    ['rollout', 'spec', 'resource-spec'],
    ['rollout', 'resources', 'resource-spec'],
    ['rollout', 'wait-timeout', 'timeout'],
    ['rollout', 'secret', 'secrets'],
    ['rollout', 'variable', 'variables'],
    ['rollout', 'time_out', 'timeout'],
    ['rollout', 'soucre', 'source'],
    ['rollout', 'env', 'environment or variables'],
    ['teardown', 'env', 'environment'],
    ['rollout', 'env-vars', 'variables'],
    ['rollout', 'environment_variables', 'variables'],
    ['rollout', 'environment-name', 'environment'],
    ['teardown', 'plan-only', 'dry-run'],
    ['rollout', 'deployment_name', 'name'],
    ['rollback', 'to', 'revision-id'],
    ['rollback', 'revision', 'revision-id'],
    ['rollback', 'version', 'revision-id'],
    ['teardown', 'closed-pull-request', 'closed-pull-requests'],
    ['fleet', 'max_parallel', 'max-parallel'],
    ['request', 'expected-status', 'expect-status'],
  ])('of %s, %s, is an error, also if it is empty: %s is meant', (operation, name, meant) => {
    const start = `${name}: is no input of the operation ${operation}; did you mean ${meant}?`
    const problems = [`${start} Rename or remove it ${placeOf(name)}`]
    for (const value of ['x', ''])
      expect(check(operation, { ...AT_DEFAULT, [name]: value })).toEqual({ problems, warning: undefined })
  })

  it.each<[Operation, string, string]>([
    ['rollout', 'foo-bar', '.'],
    ['request', 'foo-bar', '.'],
    ['rollout', 'revision-id', '; it is an input of wait, rollback.'],
    ['rollout', 'closed-pull-requests', '; it is an input of teardown.'],
    ['rollout', 'manifest', '; it is an input of fleet.'],
    ['fleet', 'older-than', '; it is an input of teardown.'],
    ['fleet', 'verify_url', '; verify-url is an input of rollout, wait, rollback; in a fleet, set it in the manifest.'],
    ['fleet', 'image', '; image-uri is an input of rollout; in a fleet, set it in the manifest.'],
    // It is near to comment, which a fleet takes.
    ['fleet', 'commit', '; repo-ref is an input of rollout; in a fleet, set it in the manifest.'],
    ['wait', 'repo_ref', '; repo-ref is an input of rollout.'],
    // Words that have a meaning for another operation.
    ...['targets', 'include', 'deployments'].map((word): [Operation, string, string] => [
      'rollout',
      word,
      '; manifest and shard are inputs of fleet.',
    ]),
    ['rollout', 'wave', '; shard is an input of fleet.'],
    ['rollout', 'only', '; shard is an input of fleet.'],
    ['rollout', 'fleet', '; manifest is an input of fleet.'],
    ['rollout', 'to', '; revision-id is an input of wait, rollback.'],
    ['rollout', 'version', '; revision-id is an input of wait, rollback.'],
    ['teardown', 'image', '; image-uri is an input of rollout.'],
    ['teardown', 'plan_digest', '; expect-plan is an input of rollout, fleet.'],
    ['request', 'plan-digest', '; expect-plan is an input of rollout, fleet.'],
    ['request', 'plan', '; dry-run and expect-plan are inputs of rollout, wait, rollback, teardown, fleet.'],
    ['request', 'deployment', '; name is an input of rollout, wait, rollback, teardown.'],
    ['request', 'target_revision', '; revision-id is an input of wait, rollback.'],
    ['fleet', 'version', '; revision-id is an input of wait, rollback.'],
    // Names near inputs that keep from harm.
    ['request', 'dry_run', '; dry-run is an input of rollout, wait, rollback, teardown, fleet.'],
    ['request', 'dryrun', '; dry-run is an input of rollout, wait, rollback, teardown, fleet.'],
    ['request', 'previw', '; preview is an input of rollout, wait, rollback, teardown, fleet.'],
    ['request', 'confirrm', '; confirm is an input of rollout, rollback, teardown, fleet.'],
    ['teardown', 'expect_plan', '; expect-plan is an input of rollout, fleet.'],
    ['teardown', 'roll_back', '; rollback is an input of rollout.'],
  ])('of %s, %s, is an error, though it has no meaning there', (operation, name, why) => {
    const problems = [`${name}: is no input of the operation ${operation}${why} ${removal(name)}`]
    for (const value of ['x', ''])
      expect(check(operation, { ...AT_DEFAULT, [name]: value })).toEqual({ problems, warning: undefined })
  })

  it.each<[Operation, string]>([
    ...['parameters', 'foo', 'constructor', '__proto__', 'tostring', 'method', 'query'].map(
      (name): [Operation, string] => ['rollout', name],
    ),
    ['request', 'parameters'],
    ['request', 'verify_url'],
    ['request', 'dry'],
    // Jobs set these for other tools.
    ...['command', 'app', 'review', 'log', 'times', 'lease', 'mode'].map((name): [Operation, string] => [
      'rollout',
      name,
    ]),
    ['request', 'review'],
    ['fleet', 'pollinterval'],
    ['fleet', 'file'],
  ])('of %s that is similar to none, %s, is a warning, also if it is empty', (operation, name) => {
    for (const value of ['x', ''])
      expect(check(operation, Object.fromEntries([[name, value]]))).toEqual({ problems: [], warning: ignored(name) })
  })

  it('is an error if the similar one is set as well', () => {
    expect(check('rollout', { 'verify-url': '{url}/ok', verify_url: '{url}/ok' }).problems).toHaveLength(1)
  })

  it('shows no value, which may be a secret', () => {
    expect(JSON.stringify(check('rollout', { api_key: 'hunter-2', foo: 'hunter-3' }))).not.toContain('hunter')
    expect(JSON.stringify(check('wait', { 'resource-spec': 'hunter-2', 'build-command': 'x' }))).not.toContain('hunter')
  })

  it('is named once, with few others', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${'y'.repeat(50)}${index}`, 'z']))
    const { warning = '' } = check('wait', { ...many, foo: 'x', environment: 'production', wait: 'false' })
    expect(warning.split('\n')).toHaveLength(1)
    expect(warning.split(', ')).toHaveLength(20)
    expect(warning).toContain(' and 11 more. Inputs that the operation wait does not take: wait. They have no effect.')
  })
})

describe('a word of several operations', () => {
  it.each(OPERATIONS)('means inputs of %s only', (operation) => {
    const own = INPUT_NAMES.filter((name) => Object.hasOwn(INPUTS_OF[operation], name))
    for (const word of ['url', 'token', 'env', 'plan', 'targets', 'commit'])
      expect(own).toEqual(expect.arrayContaining(meantBy(word, own)))
  })

  it('is no name of a word list that every object has', () => {
    expect(meantBy('constructor', INPUT_NAMES)).toEqual([])
  })
})

describe('under act, which also sets the inputs of what is around the step', () => {
  const ACT = { isRunByAct: true }

  it.each<[Operation, string, string]>([
    ['rollout', 'ref', 'ref (did you mean repo-ref?)'],
    ['rollout', 'verify_url', 'verify_url (did you mean verify-url?)'],
    ['rollout', 'plan-digest', 'plan-digest (did you mean expect-plan?)'],
    ['rollout', 'foo-bar', 'foo-bar'],
    ['rollout', 'revision-id', 'revision-id'],
    ['fleet', 'image', 'image'],
  ])('an unknown input of %s, %s, is a warning: %s', (operation, name, shown) => {
    expect(check(operation, { ...AT_DEFAULT, [name]: 'x' }, ACT)).toEqual({ problems: [], warning: ignored(shown) })
  })

  it.each<Record<string, string>>([
    { ref: 'main', 'repo-ref': 'main' },
    { ref: '', 'repo-ref': '' },
    { env: 'staging', environment: ' staging ', variables: 'A=b' },
    { foo: '', 'foo-bar': '' },
  ])('is nothing if its value is passed on, or if it has none: %p', (inputs) => {
    expect(check('rollout', { ...AT_DEFAULT, ...inputs }, ACT)).toEqual(NOTHING)
  })

  it('an input of another operation is a warning, unless the step relies on it', () => {
    const { problems, warning } = check('wait', { ...AT_DEFAULT, secrets: 'A=b', rollback: 'on-failure' }, ACT)
    expect(problems).toEqual([expect.stringContaining('rollback: "on-failure" has no effect')])
    expect(warning).toBe(untaken('wait', 'secrets'))
  })
})

describe('a step that deletes its preview', () => {
  it.each<[Operation, string, string]>([
    ['rollout', 'plan-digest', 'plan-digest (did you mean expect-plan?)'],
    ['rollout', 'verify_url', 'verify_url (did you mean verify-url?)'],
    ['fleet', 'foo-bar', 'foo-bar'],
  ])('of %s ignores %s with a warning', (operation, name, shown) => {
    const found = check(operation, { ...AT_DEFAULT, [name]: 'x' }, { endsPreview: true })
    expect(found).toEqual({ problems: [], warning: ignored(shown) })
  })

  it('ignores inputs of a rollout with a warning', () => {
    const found = check('fleet', { ...AT_DEFAULT, secrets: 'A=b' }, { endsPreview: true })
    expect(found).toEqual({ problems: [], warning: untaken('fleet', 'secrets') })
  })

  it.each(['dry_run', 'plan', 'what-if'])('does not ignore that it was to be a dry run: %s', (name) => {
    expect(check('rollout', { [name]: 'true' }, { endsPreview: true }).problems).toHaveLength(1)
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

  it.each(OPERATIONS)('is no typo of an input of %s, unless it has that meaning', (operation) => {
    const own = INPUT_NAMES.filter((name) => Object.hasOwn(INPUTS_OF[operation], name))
    const others = INPUT_NAMES.filter((name) => !own.includes(name) && meantBy(name, own).length === 0)
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

  const OF_ROLLOUT = 'rollout; in a fleet, set it in the manifest'
  it.each<[Operation, string, string]>([
    ['fleet', 'name', 'rollout, wait, rollback, teardown; in a fleet, set it in the manifest'],
    ['fleet', 'deployment-id', 'rollout, wait, rollback, teardown'],
    ['fleet', 'secrets', OF_ROLLOUT],
    ['fleet', 'variables', OF_ROLLOUT],
    ['fleet', 'image-uri', OF_ROLLOUT],
    ['fleet', 'repo-ref', OF_ROLLOUT],
    ['fleet', 'source', OF_ROLLOUT],
    ['fleet', 'resource-spec', OF_ROLLOUT],
    ['fleet', 'if-missing', OF_ROLLOUT],
    ['fleet', 'if-unchanged', OF_ROLLOUT],
    ['fleet', 'verify-url', 'rollout, wait, rollback; in a fleet, set it in the manifest'],
    ['fleet', 'verify-status', 'rollout, wait, rollback; in a fleet, set it in the manifest'],
    ['wait', 'secrets', 'rollout'],
    ['wait', 'image-uri', 'rollout'],
    ['rollback', 'variables', 'rollout'],
    ['rollback', 'promote-from', 'rollout'],
  ])('%s with %s is an error, because it would change what is deployed or checked', (operation, name, takers) => {
    const message = `has no effect on the operation ${operation}, so remove it; it is an input of ${takers}`
    const found = check(operation, { ...AT_DEFAULT, [name]: 'x' })
    expect(found).toEqual({ problems: [`${name}: ${message}`], warning: undefined })
  })

  it('is set in the manifest exactly if its entries take it', () => {
    const refused = Object.keys(ROOT).filter((name) => check('fleet', { [name]: 'x' }).problems.length > 0)
    const inManifest = refused.filter((name) =>
      check('fleet', { [name]: 'x' })
        .problems.join()
        .includes('manifest'),
    )
    expect(inManifest).toEqual(refused.filter((name) => name === 'name' || isEntryInput(name)))
  })

  it.each<[Operation, string]>([
    ['fleet', 'wait'],
    ['fleet', 'logs'],
    ['fleet', 'build-timeout'],
    ['fleet', 'on-superseded'],
    ['fleet', 'protect-newer'],
    ['rollback', 'resume'],
    ['fleet', 'allow-secret-removal'],
    ['wait', 'preview-label'],
    ['rollback', 'wait'],
    ['rollback', 'delete-tracing-project'],
    ['teardown', 'secrets'],
    ['teardown', 'verify-url'],
    ['teardown', 'image-uri'],
    ['teardown', 'revision-id'],
    ['request', 'secrets'],
    ['request', 'name'],
    ['request', 'max-parallel'],
  ])('%s with %s is a warning', (operation, name) => {
    expect(check(operation, { [name]: 'x' })).toEqual({ problems: [], warning: untaken(operation, name) })
    expect(check(operation, { [name]: '' })).toEqual(NOTHING)
  })
})

describe('a step', () => {
  const GOOD = { 'base-url': 'https://cp.example', 'api-key': 'key-123', name: 'agent' }
  const CLOSED = { ...aPush(), isOfPullRequest: true, pullRequest: { number: 7, isClosed: true } }

  interface Surroundings {
    isRunByAct?: boolean
    event?: WorkflowEvent
  }

  async function read(
    inputs: Record<string, string>,
    { isRunByAct = false, event = aPush() }: Surroundings = {},
  ): Promise<{ step: Step | InputError; warnings: string[] }> {
    const warnings: string[] = []
    const given = new Map(Object.entries(inputs))
    const around = {
      ...AROUND,
      isRunByAct,
      inputTexts: given,
      warn: (sentence: string) => void warnings.push(sentence),
    }
    try {
      return { step: await readStep((name) => inputs[name] ?? '', event, around), warnings }
    } catch (thrown) {
      if (thrown instanceof InputError) return { step: thrown, warnings }
      throw thrown
    }
  }

  const refusedIn = (step: Step | InputError): string[] =>
    step instanceof InputError ? step.problems.map(({ input }) => input) : []

  it('warns beside its other problems', async () => {
    const { step, warnings } = await read({ ...GOOD, name: '', foo: 'x', verify_url: 'x' })
    expect(refusedIn(step)).toEqual(['verify_url', 'name'])
    expect(warnings).toEqual(['Unknown inputs: foo. They have no effect.'])
  })

  it('of a misspelled operation reports that alone', async () => {
    const { step, warnings } = await read({ ...GOOD, operation: 'rolback', confirm: 'agent', to: 'v1' })
    expect(step instanceof InputError ? step.problems : []).toMatchObject([{ input: 'operation' }])
    expect(warnings).toEqual([])
  })

  const WITHOUT_KEY = { ...GOOD, 'api-key': '', 'on-missing-credentials': 'skip' }

  it.each(['api_key', 'token', 'bearer_token', 'workspace-id'])(
    'with credentials under a wrong name, %s, is not skipped as one without',
    async (name) => {
      expect((await read(WITHOUT_KEY)).step).toMatchObject({ operation: 'skip' })
      const { step } = await read({ ...WITHOUT_KEY, [name]: 'key-123' })
      expect(refusedIn(step)[0]).toBe(name)
    },
  )

  it.each(['plan-digest', 'verify_url', 'foo-bar'])(
    'without credentials is skipped, whatever %s means',
    async (name) => {
      expect((await read({ ...WITHOUT_KEY, [name]: 'x' })).step).toMatchObject({ operation: 'skip' })
    },
  )

  it('warns under act', async () => {
    const { step, warnings } = await read({ ...GOOD, ref: 'main' }, { isRunByAct: true })
    expect(step).toMatchObject({ operation: 'rollout' })
    expect(warnings).toEqual(['Unknown inputs: ref (did you mean repo-ref?). They have no effect.'])
  })

  it('of a closed pull request deletes its preview, whatever its rollout would refuse', async () => {
    const inputs = { ...GOOD, preview: 'true', 'plan-digest': 'x' }
    const { step, warnings } = await read(inputs, { event: CLOSED })
    expect(step).toMatchObject({ operation: 'teardown' })
    expect(warnings).toEqual(['Unknown inputs: plan-digest (did you mean expect-plan?). They have no effect.'])
    expect(refusedIn((await read({ ...inputs, preview: 'false' }, { event: CLOSED })).step)).toContain('plan-digest')
    expect(refusedIn((await read({ ...inputs, dry_run: 'true' }, { event: CLOSED })).step)).toEqual(['dry_run'])
    const cleanup = { ...inputs, operation: 'teardown' }
    expect(refusedIn((await read(cleanup, { event: CLOSED })).step)).toEqual(['plan-digest'])
  })
})
