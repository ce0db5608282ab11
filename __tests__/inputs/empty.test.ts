import { describe, expect, it } from '@jest/globals'
import type { WorkflowEvent } from '../../src/github/event.ts'
import { FLEET, INPUTS, INPUTS_OF, isSet } from '../../src/inputs/inputs.ts'
import { readStep, type RunnableStep } from '../../src/inputs/read-step.ts'
import { describeProblem, InputError } from '../../src/problem.ts'
import { planRollout } from '../../src/rollout/plan/plan-rollout.ts'
import { givenInputs, inputsOf, isRunByAct } from '../../src/runner.ts'
import { aBasis, aDeployment, aPush, DEPLOYMENT_ID } from '../builders.ts'
import { folderWith } from '../folders.ts'
import { AROUND } from '../here.ts'

const GOOD = { 'base-url': 'https://cp.example', 'api-key': 'k' }
const AGENT = { ...GOOD, name: 'agent' }
const CONTAINER = { ...AGENT, source: 'external_container' }
const CLOSED = aPush({ pullRequest: { number: 7, isClosed: true } })
const OPEN = aPush({ pullRequest: { number: 7, isClosed: false } })
const MANIFEST = folderWith({ 'fleet.yml': 'version: 1\nwaves: [{ name: one }]\ndeployments: [{ name: a }]' })
const ANY_FLEET = { ...GOOD, operation: 'fleet', manifest: 'fleet.yml' }

type Inputs = Record<string, string>

interface Reading {
  step?: RunnableStep
  problems: string[]
  /** Those of a plan, and those that are shown at once. */
  warnings: string[]
}

/** Reads a step as the runner passes it: what it does not set is missing. */
async function read(inputs: Inputs, event: WorkflowEvent = aPush(), more: Inputs = {}): Promise<Reading> {
  const variables = Object.entries(inputs).map(([name, text]): [string, string] => [
    `INPUT_${name.toUpperCase()}`,
    text,
  ])
  const env: Inputs = { ...more, ...Object.fromEntries(variables) }
  const passed = { inputTexts: givenInputs(env), isRunByAct: isRunByAct(env) }
  const warnings: string[] = []
  const around = { ...AROUND, ...passed, env, warn: (sentence: string) => void warnings.push(sentence) }
  try {
    const step = await readStep(inputsOf(env), { ...event, workspace: MANIFEST }, around)
    if (step.operation === 'skip') return { problems: [], warnings: ['skipped'] }
    const planned = step.operation === 'rollout' ? step.request.warnings : []
    return { step, problems: [], warnings: [...warnings, ...planned] }
  } catch (thrown) {
    if (!(thrown instanceof InputError)) throw thrown
    return { problems: thrown.problems.map(describeProblem), warnings }
  }
}

/** What the plan refuses that is made after the read. */
async function refusedByPlan(inputs: Inputs, existing?: 'git_host' | 'external_container', event = aPush()) {
  const { step, problems } = await read(inputs, event)
  if (step?.operation !== 'rollout') return problems
  const current = existing && aDeployment({ source: existing })
  const planning = planRollout(step.request, aBasis(current))
  return planning.kind === 'refused' ? planning.problems.map(describeProblem) : ['planned']
}

const CAUSE = 'is empty: the output or input that it comes from is not set, or its name is misspelt.'
const IMAGE = `image-uri: ${CAUSE} For the image that the deployment has, write current, as in \${{ inputs.image || 'current' }}`
const PROMOTION = `promote-from: ${CAUSE} For a rollout that promotes nothing, write none, as in \${{ inputs.promote-from || 'none' }}`
const SHARD = `shard: ${CAUSE} For the whole fleet, write all, as in \${{ inputs.shard || 'all' }}`
const PREVIOUS = `revision-id: ${CAUSE} For the newest revision before the active one, write previous, as in \${{ inputs.revision || 'previous' }}`
const LATEST = `revision-id: ${CAUSE} For the latest revision, write latest, as in \${{ inputs.revision || 'latest' }}`
const PLAN =
  "expect-plan: is empty: the step or job that it comes from has not set plan-digest. For a run without an approved plan, write none, as in ${{ inputs.plan-digest || 'none' }}"
const ROLLBACK = { ...AGENT, operation: 'rollback' }
const WAIT = { ...AGENT, operation: 'wait' }

describe('an empty input that would change what is deployed', () => {
  it.each<[string, Inputs, string]>([
    ['image-uri', CONTAINER, IMAGE],
    ['image-uri', { ...AGENT, api: 'langsmith', source: 'external_docker' }, IMAGE],
    ['promote-from', AGENT, PROMOTION],
    ['expect-plan', AGENT, PLAN],
    ['revision-id', ROLLBACK, PREVIOUS],
    ['revision-id', WAIT, LATEST],
    ['shard', ANY_FLEET, SHARD],
    ['expect-plan', ANY_FLEET, PLAN],
  ])('is refused with its cure: %s of %j', async (name, inputs, message) => {
    for (const text of ['', ' \n'])
      expect(await read({ ...inputs, [name]: text })).toEqual({ problems: [message], warnings: [] })
  })

  it.each<[string, Inputs]>([
    ['image-uri', { ...AGENT, source: 'git_host' }],
    ['promote-from', WAIT],
    ['expect-plan', WAIT],
  ])('is no mistake where it does not count: %s of %j', async (name, inputs) => {
    expect(await read({ ...inputs, [name]: '' })).toMatchObject({ problems: [], warnings: [] })
  })

  it('is reported with all other problems, before the first request', async () => {
    const { problems } = await read({ ...GOOD, source: 'external_container', 'image-uri': '', 'promote-from': '' })
    expect(problems).toEqual(['name: is required, or deployment-id instead', PROMOTION, IMAGE])
  })

  it('does not stop a step that deletes a preview', async () => {
    const empty = { 'image-uri': '', 'promote-from': '', 'expect-plan': '', secrets: '', 'verify-url': '' }
    const preview = { ...CONTAINER, ...empty, variables: 'A=1', preview: 'true' }
    const { step, problems, warnings } = await read(preview, CLOSED)
    expect([step?.operation, problems, warnings]).toEqual(['teardown', [], []])
    const fleet = { ...ANY_FLEET, preview: 'true', shard: '', 'expect-plan': '' }
    expect((await read(fleet, CLOSED)).step?.operation).toBe('teardown')
  })

  it('is left to the plan of a preview, which GitHub may report as over', async () => {
    const preview = { ...CONTAINER, preview: 'true', 'image-uri': '', 'expect-plan': '' }
    expect((await read(preview, OPEN)).problems).toEqual([])
    expect(await refusedByPlan(preview, 'external_container', OPEN)).toEqual([PLAN, IMAGE])
    const wrong = await read({ ...preview, wait: 'maybe' }, OPEN)
    expect(wrong.problems).toEqual(['wait: "maybe" must be true or false', PLAN, IMAGE])
  })

  it('does not matter where the run ends first', async () => {
    const skipped = { ...AGENT, 'api-key': '', 'on-missing-credentials': 'skip', 'promote-from': '' }
    expect((await read(skipped)).warnings).toEqual(['skipped'])
  })
})

describe('an empty image-uri without a source', () => {
  it('is refused once the deployment turns out to be a container', async () => {
    const inputs = { ...AGENT, 'image-uri': '' }
    expect(await refusedByPlan(inputs, 'external_container')).toEqual([IMAGE])
    expect(await refusedByPlan({ ...inputs, 'repo-ref': 'main' }, 'git_host')).toEqual(['planned'])
    expect(await refusedByPlan({ ...inputs, 'image-uri': 'current' }, 'external_container')).toEqual(['planned'])
  })

  it('does not matter beside promote-from, which decides about the image', async () => {
    const { step } = await read({ ...AGENT, 'promote-from': 'staging', 'image-uri': '' })
    expect(step?.operation === 'rollout' && step.request.empty).toEqual({ always: [], container: [], creation: [] })
  })

  it('does not hide what a creation needs', async () => {
    expect(await refusedByPlan({ ...AGENT, 'image-uri': '' })).toEqual([expect.stringContaining('source: is required')])
    const needed = 'image-uri: is required to create a deployment of source external_container'
    expect(await refusedByPlan({ ...CONTAINER, 'image-uri': 'current' })).toContain(needed)
    const preview = { ...CONTAINER, preview: 'true', 'image-uri': '' }
    expect(await refusedByPlan(preview, undefined, OPEN)).not.toContain(needed)
  })
})

describe('an empty input that counts as its default', () => {
  const NOTHING_CHECKED =
    "verify-url is empty: nothing is checked. If that is meant, write none, as in ${{ inputs.verify-url || 'none' }}"
  const WRITES =
    "dry-run is empty: this run writes. If that is meant, write false, as in ${{ inputs.dry-run || 'false' }}"

  it.each<[string, Inputs, string]>([
    ['verify-url', AGENT, NOTHING_CHECKED],
    ['verify-url', WAIT, `${NOTHING_CHECKED}.`],
    ['dry-run', AGENT, WRITES],
    ['dry-run', ROLLBACK, `${WRITES}.`],
    ['dry-run', { ...AGENT, operation: 'teardown' }, `${WRITES}.`],
    ['dry-run', ANY_FLEET, `${WRITES}.`],
  ])('is one warning: %s of %j', async (name, inputs, warning) => {
    expect(await read({ ...inputs, [name]: '' })).toMatchObject({ problems: [], warnings: [warning] })
  })

  it('has no warning where it has no effect', async () => {
    expect((await read({ ...WAIT, 'dry-run': '' })).warnings).toEqual([])
    expect((await read({ ...AGENT, preview: 'true', 'verify-url': '' }, CLOSED)).warnings).toEqual([])
  })

  it('is warned of in the deletion of a preview, which it does not hold back', async () => {
    expect((await read({ ...AGENT, preview: 'true', 'dry-run': '' }, CLOSED)).warnings).toEqual([`${WRITES}.`])
  })
})

describe('secrets and variables, one list', () => {
  const UNCHANGED = "If that is meant, write unchanged, as in ${{ secrets.APP_SECRETS || 'unchanged' }}"
  const beside = (name: string, other: string): string =>
    `${name}: is empty, and ${other} is set: together they are the whole list. Look for a typo in the name of what it comes from; otherwise remove the line, or write {} if there is none`

  it.each<[Inputs, string]>([
    [{ secrets: '' }, `secrets is empty: this run changes no secrets. ${UNCHANGED}`],
    [{ secrets: ' ', variables: 'unchanged' }, `secrets is empty: this run changes no secrets. ${UNCHANGED}`],
    [
      { variables: '' },
      "variables is empty: this run changes no variables. If that is meant, write unchanged, as in ${{ vars.APP_VARIABLES || 'unchanged' }}",
    ],
    [{ secrets: '', variables: '' }, `secrets and variables are empty: this run changes neither. ${UNCHANGED}`],
  ])('are unchanged while both are empty or unchanged, with one warning: %j', async (lists, warning) => {
    const { step, problems, warnings } = await read({ ...AGENT, ...lists })
    expect([problems, warnings]).toEqual([[], [warning]])
    expect(step?.operation === 'rollout' && step.request.settings.secrets).toBeUndefined()
  })

  it.each<[Inputs, string]>([
    [{ secrets: '', variables: 'A=1' }, beside('secrets', 'variables')],
    [{ secrets: '', variables: '{}' }, beside('secrets', 'variables')],
    [{ secrets: 'A=1', variables: '' }, beside('variables', 'secrets')],
    [{ secrets: '', variables: 'A=1', 'allow-secret-removal': 'true' }, beside('secrets', 'variables')],
  ])('are no whole list if one of them is empty beside the other: %j', async (lists, problem) => {
    expect(await read({ ...AGENT, ...lists })).toEqual({ problems: [problem], warnings: [] })
  })

  it.each<[Inputs, object[] | undefined]>([
    [{ secrets: 'unchanged' }, undefined],
    [{ secrets: ' unchanged ', variables: 'unchanged' }, undefined],
    [{ secrets: '{}' }, []],
    [{ secrets: '[]', variables: 'unchanged' }, []],
    [{ secrets: 'unchanged', variables: 'A=1' }, [{ name: 'A', value: '1', isVariable: true }]],
  ])('are as they are set by %j', async (lists, list) => {
    const { step, problems, warnings } = await read({ ...AGENT, ...lists })
    expect([problems, warnings]).toEqual([[], []])
    expect(step?.operation === 'rollout' && step.request.settings.secrets).toEqual(list)
  })

  it('is alone if the other one is unchanged', async () => {
    const { step } = await read({ ...AGENT, secrets: 'unchanged', variables: 'A=1' })
    expect(step?.operation === 'rollout' && step.request.secretsInput).toBe('variables')
  })

  const CREATED =
    "secrets: is empty, and there is no such deployment yet: it would be created without secrets. Look for a typo in the name of the workflow's secret; if the deployment needs none, write unchanged, as in ${{ secrets.APP_SECRETS || 'unchanged' }}"
  const CREATION = { ...CONTAINER, 'image-uri': 'registry.example/agent:1', 'listener-id': DEPLOYMENT_ID }

  it.each<[Inputs, string]>([
    [{ secrets: '' }, CREATED],
    [{ secrets: '', variables: '' }, CREATED],
    [{ secrets: 'unchanged' }, 'planned'],
    [{ variables: '' }, 'planned'],
    [{}, 'planned'],
  ])('of a creation: %j', async (lists, planned) => {
    expect(await refusedByPlan({ ...CREATION, ...lists })).toEqual([planned])
    expect(await refusedByPlan({ ...CREATION, ...lists }, 'external_container')).toEqual(['planned'])
  })
})

describe.each([{ ACT: 'true' }, { GITEA_ACTIONS: 'true' }, { FORGEJO_ACTIONS: 'true' }])('under %j', (runner) => {
  const counts = (names: string, words: string): string =>
    `${names} (${words}): act, and a runner that is made from it, may lose a default. GitHub's runner keeps it, and the action then refuses an empty text`

  it('an empty input counts as its default, with one warning', async () => {
    const empty = { 'image-uri': '', 'promote-from': '', 'expect-plan': '' }
    const { problems, warnings } = await read({ ...CONTAINER, ...empty }, aPush(), runner)
    expect(problems).toEqual([])
    expect(warnings).toEqual([expect.stringContaining('are empty, and count as their defaults')])
    for (const name of Object.keys(empty)) expect(warnings.join()).toContain(name)
    const rollback = await read({ ...ROLLBACK, 'revision-id': '' }, aPush(), runner)
    expect(rollback.warnings).toEqual([`${counts('revision-id is empty, and counts as its default', 'previous')}.`])
  })

  it('an empty list counts as unchanged', async () => {
    const beside = await read({ ...AGENT, secrets: '', variables: 'A=1' }, aPush(), runner)
    const WHOLE = '. Here, variables alone is the whole list: the deployment keeps nothing that it does not set'
    expect(beside.warnings).toEqual([counts('secrets is empty, and counts as its default', 'unchanged') + WHOLE])
    const other = await read({ ...AGENT, variables: '', secrets: 'A=1' }, aPush(), runner)
    expect(other.warnings.join()).toContain('secrets alone is the whole list')
    const { step, problems, warnings } = await read({ ...AGENT, secrets: '' }, aPush(), runner)
    expect([problems, warnings.length]).toEqual([[], 1])
    expect(step?.operation === 'rollout' && step.request.empty?.creation).toEqual([])
  })
})

describe('the word of a default', () => {
  it.each<[Parameters<typeof isSet>, boolean]>([
    [['image-uri', 'current'], false],
    [['image-uri', ' current\n'], false],
    [['image-uri', 'Current'], true],
    [['promote-from', 'none'], false],
    [['promote-from', 'NONE'], true],
    [['repo-ref', 'none'], true],
    [['revision-id', 'latest', 'wait'], false],
    [['revision-id', 'latest', 'rollback'], true],
    [['revision-id', 'previous', 'rollback'], false],
    [['revision-id', 'previous', 'wait'], true],
  ])('counts as not set, as it is written: %j, set: %s', (about, set) => {
    expect(isSet(...about)).toBe(set)
  })

  it('is that of the interface', () => {
    const words = { ...INPUTS, shard: FLEET.shard, 'revision-id': INPUTS_OF.wait['revision-id'] }
    const listed = ['image-uri', 'promote-from', 'shard', 'revision-id', 'verify-url', 'secrets', 'variables'] as const
    expect(listed.map((name) => words[name]?.standard)).toEqual([
      ...['current', 'none', 'all', 'latest', 'none', 'unchanged', 'unchanged'],
    ])
  })

  it('sets nothing anywhere', async () => {
    const words = { 'image-uri': 'current', 'promote-from': 'none', 'verify-url': 'none', secrets: 'unchanged' }
    const { step, warnings } = await read({ ...AGENT, source: 'git_host', ...words, variables: 'unchanged' })
    expect(warnings).toEqual([])
    expect(step?.operation === 'rollout' && step.request).toMatchObject({
      promoteFrom: undefined,
      verification: undefined,
      settings: { imageUri: undefined, secrets: undefined },
    })
    const promoted = await read({ ...AGENT, 'promote-from': 'staging', 'image-uri': 'current', source: '' })
    expect(promoted.problems).toEqual([])
    const unverified = await read({ ...AGENT, 'verify-url': 'none', 'verify-for': '5m' })
    expect(unverified.problems).toEqual(['verify-for: "5m" needs verify-url'])
  })

  it('is the whole fleet, and the revision of the operation', async () => {
    const whole = await read({ ...ANY_FLEET, shard: 'all' })
    expect(whole.step?.operation === 'fleet' && whole.step.request).toMatchObject({ shard: undefined })
    const back = await read({ ...ROLLBACK, 'revision-id': 'previous' })
    expect(back.step?.operation === 'rollback' && back.step.request.revisionId).toBeUndefined()
    const latest = await read({ ...WAIT, 'revision-id': 'latest' })
    expect(latest.step?.operation === 'wait' && latest.step.request.revisionId).toBeUndefined()
    expect((await read({ ...WAIT, 'revision-id': 'previous' })).problems).toEqual([
      'revision-id: "previous" must be a UUID or latest',
    ])
  })

  it('is not what an operation does not take', async () => {
    const { problems, warnings } = await read({ ...AGENT, operation: 'teardown', secrets: 'unchanged' })
    expect([problems, warnings]).toEqual([[], []])
  })
})

describe('a mistake in an input of a rollout', () => {
  const PREVIEW = { preview: 'true' }
  const IGNORED = 'The deletion of the preview ignores this input'

  it.each<[string, string, string]>([
    ['repo-url', 'acme/agent', `did you mean https://github.com/acme/agent? ${IGNORED}`],
    ['max-previews', 'x', `max-previews must be a whole number from 0 to 1000. ${IGNORED}`],
  ])('does not stop the deletion of a preview: %s', async (input, value, warning) => {
    const inputs = { ...AGENT, ...PREVIEW, [input]: value }
    const repositoryUrl = 'https://github.com/acme/own'
    const { step, problems, warnings } = await read(inputs, { ...CLOSED, repositoryUrl })
    expect(problems).toEqual([])
    expect(step).toMatchObject({ operation: 'teardown', request: { toDelete: { repoUrl: repositoryUrl } } })
    expect(warnings).toEqual([expect.stringContaining(warning)])
    expect((await read(inputs, OPEN)).problems).toHaveLength(1)
    expect((await read({ ...inputs, operation: 'teardown' }, CLOSED)).problems).toHaveLength(1)
  })

  it.each([
    ['max-parallel', '0'],
    ['max-failures', 'x'],
    ['matrix-size', 'x'],
    ['matrix-jobs', 'x'],
    ['requests-per-second', '0'],
    ['max-previews', 'x'],
    ['shard', 'canary'],
  ])('of a fleet does not stop the deletion of its previews: %s', async (input, value) => {
    const inputs = { ...ANY_FLEET, ...PREVIEW, [input]: value }
    const { step, problems, warnings } = await read(inputs, CLOSED)
    expect(problems).toEqual([])
    expect(step?.operation).toBe('teardown')
    expect(step).toEqual((await read({ ...ANY_FLEET, ...PREVIEW }, CLOSED)).step)
    expect(warnings).toEqual(input === 'shard' ? [] : [expect.stringContaining(IGNORED)])
    expect((await read(inputs, OPEN)).problems).not.toEqual([])
  })
})
