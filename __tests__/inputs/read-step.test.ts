import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import type { EventRef } from '../../src/github/event-code.ts'
import { type Association, ASSOCIATIONS, readEvent, type WorkflowEvent } from '../../src/github/event.ts'
import { type Input, INPUTS_OF, OPERATIONS, ROOT } from '../../src/inputs/inputs.ts'
import { credentialTexts } from '../../src/inputs/masking.ts'
import { describeProblem, InputError } from '../../src/problem.ts'
import { readStep, reasonToSkip, type Step } from '../../src/inputs/read-step.ts'
import { aPush, AT_HEAD, codeAt, DEPLOYMENT_ID, LISTENER_ID, OF_FORK } from '../builders.ts'
import { AROUND } from '../here.ts'
import { InputReader } from '../../src/inputs/reader.ts'
import { folderWith } from '../folders.ts'

const GOOD = { 'base-url': 'https://cp.example', 'api-key': 'key-123', name: 'agent' }
const CONTAINER = { ...GOOD, source: 'external_container' }
const push = aPush()
const PULL_REQUEST = { pullRequest: { number: 7, isClosed: false } }

const labelEvent = (kind: 'labeled' | 'unlabeled', label: string, labels: string[]): Partial<WorkflowEvent> => ({
  pullRequest: { number: 7, isClosed: false, labels, labelChange: { kind, label } },
})

const rawOf = (given: Record<string, string>) => (name: string) => given[name] ?? ''
type Rollout = Extract<Step, { operation: 'rollout' }>

async function read(given: Record<string, string>, event = push): Promise<Rollout> {
  const step = await readStep(rawOf(given), event, AROUND)
  if (step.operation !== 'rollout') throw new Error(`expected a rollout, not ${step.operation}`)
  return step
}

async function refusalOf(step: Promise<Step>): Promise<InputError['problems']> {
  try {
    await step
  } catch (thrown) {
    if (thrown instanceof InputError) return thrown.problems
    throw thrown
  }
  return []
}
const problemsOf = async (given: Record<string, string>, event = push): Promise<InputError['problems']> =>
  await refusalOf(read(given, event))
/** The inputs that have a problem. */
const wrongIn = async (given: Record<string, string>, event = push): Promise<string[]> =>
  (await problemsOf(given, event)).map(({ input }) => input)
/** Each problem as the error shows it. */
const linesOf = async (given: Record<string, string>): Promise<string[]> =>
  (await problemsOf(given)).map(describeProblem)

const ACTIONS = [
  ['action.yml', '../../action.yml', ROOT, 'dist/index.js'],
  ['wait/action.yml', '../../wait/action.yml', INPUTS_OF.wait, '../dist/index.js'],
  ['rollback/action.yml', '../../rollback/action.yml', INPUTS_OF.rollback, '../dist/index.js'],
  ['teardown/action.yml', '../../teardown/action.yml', INPUTS_OF.teardown, '../dist/index.js'],
  ['request/action.yml', '../../request/action.yml', INPUTS_OF.request, '../dist/index.js'],
  ['fleet/action.yml', '../../fleet/action.yml', INPUTS_OF.fleet, '../dist/index.js'],
] as const

function defaultsOf(inputs: Partial<Record<string, Input>>) {
  return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input?.standard]))
}

function manifest(file: string) {
  return z
    .object({
      inputs: z.record(z.string(), z.object({ description: z.string().min(10), default: z.string().optional() })),
      outputs: z.record(z.string(), z.object({ description: z.string().min(10) })),
      runs: z.object({ using: z.literal('node24'), main: z.string(), post: z.string() }),
    })
    .parse(parse(readFileSync(new URL(file, import.meta.url), 'utf8')))
}

describe.each(ACTIONS)('%s', (_name, file, inputs, main) => {
  const action = manifest(file)

  it('runs the one bundle', () => {
    expect(action.runs).toMatchObject({ main, post: main })
  })

  it('has the inputs and the defaults that the code has', () => {
    const declared = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ''])
    expect(Object.fromEntries(declared)).toEqual(defaultsOf(inputs))
  })
})

describe('an api that does not exist', () => {
  const GIVEN = { 'api-key': 'key-123', name: 'agent', api: 'langsmit' }
  it.each([
    { source: 'github', 'template-id': '', 'delete-tracing-project': 'true' },
    { source: 'internal_template', 'template-id': 'a', 'deployment-type': 'dev' },
    { source: 'external_container', 'image-uri': 'a/b:1', 'resource-spec': 'cache_cpu: 1' },
    { source: 'external_docker', 'image-uri': 'a/b:1', 'resource-spec': 'redis_cpu: 1' },
    { 'base-url': 'https://cp.example', name: 'An agent', source: 'git_host' },
    { operation: 'teardown', 'delete-tracing-project': 'true' },
    { operation: 'request', path: '/v2/deployments' },
  ])('is the only problem of inputs that are right for one that exists: %j', async (inputs) => {
    expect(await problemsOf({ ...GIVEN, ...inputs })).toMatchObject([{ input: 'api' }])
  })

  it('does not hide a problem of every api', async () => {
    const given = { ...GIVEN, source: 'gitthub', 'image-uri': 'u:p@host/a', wait: 'no' }
    expect(await wrongIn(given)).toEqual(['api', 'image-uri', 'source', 'wait'])
  })
})

describe('a fleet', () => {
  const FLEET = { 'base-url': 'https://cp.example', 'api-key': 'key-123', operation: 'fleet' }
  const workspace = folderWith({
    'fleet.yml': 'version: 1\ndeployments: [{ name: a }]',
    'promotion.yml': 'version: 1\ndeployments: [{ name: a, promote-from: b }]',
  })

  it.each<[string, object, Record<string, string>, number | undefined]>([
    ['a dry run', PULL_REQUEST, { 'dry-run': 'true' }, 7],
    ['a dry run without a pull request', {}, { 'dry-run': 'true' }, undefined],
    ['a rollout', PULL_REQUEST, {}, undefined],
    ['a rollout with comment: true', PULL_REQUEST, { comment: 'true' }, 7],
  ])('comments on the pull request: %s', async (_case, event, inputs, commentOn) => {
    const raw = rawOf({ ...FLEET, manifest: 'fleet.yml', ...inputs })
    const step = await readStep(raw, { ...push, workspace, ...event }, AROUND)
    expect(step).toMatchObject({ operation: 'fleet', gitHub: { commentOn } })
    expect(step).not.toHaveProperty('gitHub.remark', expect.any(String))
  })

  it('reports the problems of the connection and of the manifest together', async () => {
    const given = { ...FLEET, 'base-url': '', 'max-parallel': 'many', manifest: 'nowhere.yml' }
    expect(await wrongIn(given, { ...push, workspace })).toEqual(['base-url', 'max-parallel', 'manifest'])
  })

  it.each<[Record<string, string>, string]>([
    [{ preview: 'true', shard: '1/2' }, 'shard: "1/2" must not be set together with preview'],
    [{ preview: 'true', 'max-previews': 'x' }, 'max-previews: "x" must be'],
    [{ 'preview-label': 'x' }, 'preview-label: is accepted only with preview: true'],
    [{ preview: 'true', manifest: 'promotion.yml' }, 'promote-from (a): "b" must not be set together with preview'],
  ])('is refused on a pull request with %j', async (given, words) => {
    const event = { ...push, workspace, ...PULL_REQUEST }
    const problems = await problemsOf({ ...FLEET, manifest: 'fleet.yml', ...given }, event)
    expect(problems.map(describeProblem).join()).toContain(words)
  })
})

describe('readStep', () => {
  it('fills in the defaults, also for inputs that are there and empty', async () => {
    const { request, connection } = await read({ ...GOOD, timeout: '', wait: ' ' })
    expect(request).toMatchObject({ timeoutMs: 1_800_000, wait: true, pollInterval: 'auto', ifMissing: 'create' })
    expect(connection).toMatchObject({ requestTimeoutMs: 30_000, maxRetries: 5 })
  })

  it('reads each choice', async () => {
    const choices = { 'if-missing': 'fail', 'if-unchanged': 'skip', 'on-superseded': 'succeed', logs: 'live' }
    const refusals = { wait: 'false', resume: 'false', 'protect-newer': 'false', 'allow-secret-removal': 'true' }
    const { request } = await read({ ...GOOD, ...choices, ...refusals })
    expect(request).toMatchObject({ ifMissing: 'fail', ifUnchanged: 'skip', onSuperseded: 'succeed', logs: 'live' })
    expect(request).toMatchObject({ wait: false, resume: false, protectNewer: false, allowSecretRemoval: true })
  })

  it('takes an empty secret only with allow-empty-secrets', async () => {
    const given = { ...GOOD, secrets: 'A=1\nB=' }
    expect(await problemsOf(given)).toMatchObject([{ input: 'secrets' }])
    const { request } = await read({ ...given, 'allow-empty-secrets': 'true' })
    expect(JSON.stringify(request)).toContain('{"name":"B","value":""}')
  })

  it('reads the limits of those phases that have one', async () => {
    const none = { queue: undefined, build: undefined, deploy: undefined }
    expect((await read(GOOD)).request.phaseLimits).toStrictEqual(none)
    const { request } = await read({ ...GOOD, 'build-timeout': '5m' })
    expect(request.phaseLimits).toStrictEqual({ ...none, build: 300_000 })
  })

  it('takes the branch, the tag or the head of the pull request from the event', async () => {
    const confirmed = { ...GOOD, confirm: 'agent' }
    const refOf = async (ref: EventRef) =>
      (await read(confirmed, { ...push, code: codeAt(ref) })).request.repository.repoRef
    expect(await refOf({ kind: 'branch', name: 'a/b' })).toEqual({ kind: 'ref', ref: 'a/b' })
    expect(await refOf({ kind: 'tag', name: 'v1' })).toEqual({ kind: 'ref', ref: 'refs/tags/v1' })
    expect(await refOf({ kind: 'head', ...AT_HEAD })).toEqual({ kind: 'ref', ref: 'fix' })
  })

  it.each<[string, Record<string, string>, string | undefined]>([
    ['of a git_host deployment', { source: 'git_host' }, ''],
    ['but not yet where the source is not set, which a read shows', {}, undefined],
    ['but not of an image', { source: 'external_container', 'image-uri': 'a.example/b:1' }, undefined],
    ['but not with an input of another source', { 'image-uri': 'a.example/b:1' }, undefined],
    ['but not with repo-ref', { source: 'git_host', 'repo-ref': 'main' }, undefined],
    ['but not yet in a preview, which may be over', { source: 'git_host', preview: 'true', confirm: '' }, undefined],
  ])('refuses the head of a fork, before any request, %s', async (_case, given, end) => {
    const event = { ...push, ...PULL_REQUEST, code: codeAt({ kind: 'head', ...OF_FORK }), head: OF_FORK }
    const problems = await problemsOf({ ...GOOD, confirm: 'agent', ...given }, event)
    const reason = "is required: the pull request's head is a branch of eve/agent, not of this repository"
    expect(problems).toEqual(end === undefined ? [] : [{ input: 'repo-ref', message: reason + end }])
  })

  it('reports every problem together', async () => {
    const wrong = { 'base-url': 'ftp://x', timeout: 'soon', 'max-retries': '99', wait: 'maybe', source: 'moon' }
    expect((await wrongIn(wrong)).sort()).toEqual(['api-key', 'name', ...Object.keys(wrong)].sort())
  })

  it.each<[string, Record<string, string>, string]>([
    ['no base-url', { ...GOOD, 'base-url': '' }, 'base-url'],
    ['no credentials', { ...GOOD, 'api-key': '' }, 'api-key'],
    ['name and deployment-id together', { ...GOOD, 'deployment-id': DEPLOYMENT_ID }, 'deployment-id'],
    ['a deployment-id that is no UUID', { ...GOOD, name: '', 'deployment-id': '../x' }, 'deployment-id'],
    ['a container field for a git host', { ...GOOD, source: 'git_host', 'listener-id': LISTENER_ID }, 'listener-id'],
    ['custom-url for a git host', { ...GOOD, source: 'git_host', 'custom-url': 'https://x' }, 'custom-url'],
    ['an app config for a container', { ...CONTAINER, 'app-config-path': 'a.json' }, 'app-config-path'],
    ['build-on-push with a tag', { ...GOOD, 'repo-ref': 'refs/tags/v1', 'build-on-push': 'true' }, 'build-on-push'],
    ['a secret that cannot be read', { ...GOOD, secrets: 'nothing' }, 'secrets'],
    ['verify-for without verify-url', { ...GOOD, 'verify-for': '5m' }, 'verify-for'],
    ['two lines in a name', { ...GOOD, name: 'a\nb' }, 'name'],
  ])('refuses %s', async (_case, given, input) => {
    expect(await wrongIn(given)).toEqual([input])
  })

  it('refuses a source-path that leads out of the workspace', async () => {
    const workspace = import.meta.dirname
    const inputs = { ...GOOD, source: 'internal_source', 'source-path': '..' }
    expect(await problemsOf(inputs, { ...push, workspace })).toEqual([
      { input: 'source-path', value: '..', message: expect.stringContaining('outside the workspace') },
    ])
  })

  it("applies the event's closed pull request to its own preview only", async () => {
    const event: WorkflowEvent = { ...push, pullRequest: { number: 7, isClosed: true } }
    const ofItsOwn = await readStep(rawOf({ ...GOOD, preview: 'true' }), event, AROUND)
    expect(ofItsOwn.operation).toBe('teardown')
    const ofAnother = await readStep(rawOf({ ...GOOD, preview: 'true', 'pull-request': '8' }), event, AROUND)
    expect(ofAnother).toMatchObject({ operation: 'rollout', preview: { pullRequest: 8, isClosed: undefined } })
  })

  it.each<[string, Partial<WorkflowEvent>, string | undefined]>([
    ['its label', labelEvent('unlabeled', 'PREVIEW', ['bug']), 'teardown'],
    ['another label', labelEvent('unlabeled', 'bug', ['preview']), 'rollout'],
    ['another label, without its own', labelEvent('unlabeled', 'bug', []), 'rollout'],
    ['its label, in a rerun', { ...labelEvent('unlabeled', 'preview', []), isFirstAttempt: false }, 'teardown'],
  ])('deletes the preview of a pull request that loses %s: %s', async (_case, event, operation) => {
    const given = { ...GOOD, preview: 'true', 'preview-label': 'preview' }
    const step = await readStep(rawOf(given), { ...push, ...event }, AROUND)
    expect(step.operation).toBe(operation)
    if (step.operation === 'teardown')
      expect(step.request.toDelete).toMatchObject({
        because: { kind: 'pull-request-unlabeled', pullRequest: 7 },
        label: 'preview',
      })
    // It is about another pull request.
    const other = await readStep(rawOf({ ...given, 'pull-request': '8' }), { ...push, ...event }, AROUND)
    expect(other).toMatchObject({
      operation: 'rollout',
      preview: { gate: { isLabeledOnEvent: undefined, change: undefined } },
    })
  })

  it.each<[string, Partial<WorkflowEvent>, object]>([
    [
      'an added label',
      labelEvent('labeled', 'Preview', ['Preview']),
      { isLabeledOnEvent: true, change: { isGateLabel: true } },
    ],
    ['another one', labelEvent('labeled', 'bug', ['bug']), { isLabeledOnEvent: false, change: { isGateLabel: false } }],
    ['no labels', PULL_REQUEST, { isLabeledOnEvent: undefined, change: undefined }],
    [
      'a rerun',
      { ...labelEvent('labeled', 'preview', ['preview']), isFirstAttempt: false },
      { isLabeledOnEvent: undefined },
    ],
  ])('reads the label of previews from an event with %s', async (_case, event, gate) => {
    const given = { ...GOOD, preview: 'true', 'preview-label': ' preview ', 'max-previews': '3' }
    const step = await read(given, { ...push, ...event })
    expect(step.preview).toMatchObject({ gate: { label: 'preview', ...gate }, limit: { name: 'agent', max: 3 } })
  })

  it.each(['preview-label', 'max-previews'])('refuses %s without a preview', async (input) => {
    const event = { ...push, ...PULL_REQUEST }
    expect(await problemsOf({ ...GOOD, [input]: '3' }, event)).toEqual([
      { input, message: 'is accepted only with preview: true' },
    ])
    expect(await problemsOf({ ...GOOD, [input]: '3', preview: 'true' }, event)).toEqual([])
  })

  it('reads the label of previews for a cleanup, and refuses it for the deletion of a named deployment', async () => {
    const given = { ...GOOD, operation: 'teardown', 'preview-label': 'preview' }
    const cleanup = await readStep(rawOf({ ...given, 'closed-pull-requests': 'true' }), push, AROUND)
    expect(cleanup).toMatchObject({ request: { toDelete: { kind: 'closed-previews', label: 'preview' } } })
    expect(await wrongIn(given)).toEqual(['preview-label'])
  })

  it.each(['-1', '1.5', 'many', '1001'])('refuses max-previews: %s', async (value) => {
    const given = { ...GOOD, preview: 'true', 'max-previews': value }
    expect(await wrongIn(given, { ...push, ...PULL_REQUEST })).toEqual(['max-previews'])
  })

  it.each([
    ['agent-pr-7', 'name already has the number of the pull request, which preview: true adds: did you mean agent?'],
    ['agent-pr-77', undefined],
    ['agent-pr-8', undefined],
    ['pr-7', undefined],
  ])('of a preview, the name %s', async (name, message) => {
    // GitHub may report that the pull request is closed.
    const { request } = await read({ ...GOOD, name, preview: 'true' }, { ...push, ...PULL_REQUEST })
    const problems = request.ifRolledOut?.map((one) => `${one.input} ${one.message}`)
    expect(problems).toEqual(message === undefined ? [] : [message])
    const closed = { ...push, pullRequest: { number: 7, isClosed: true } }
    const step = await readStep(rawOf({ ...GOOD, name, preview: 'true' }), closed, AROUND)
    expect(step.operation).toBe('teardown')
  })

  it('notes that a comment has no pull request', async () => {
    expect((await read({ ...GOOD, comment: 'true' })).gitHub.remark).toMatch(/no pull request/)
    expect((await read({ ...GOOD, comment: 'true', 'pull-request': '7' })).gitHub.remark).toBeUndefined()
    expect((await read(GOOD)).gitHub.remark).toBeUndefined()
  })

  it('refuses build-on-push on a tag event before any request', async () => {
    const event = { ...push, code: codeAt({ kind: 'tag', name: 'v1' }) }
    expect(await wrongIn({ ...GOOD, 'build-on-push': 'true' }, event)).toEqual(['build-on-push'])
  })

  it('reports every problem of the secrets together', async () => {
    const problems = await problemsOf({ ...GOOD, secrets: 'A=1\n2B=2\nnothing' })
    const secrets = { input: 'secrets', value: undefined }
    expect(problems.map(({ input, value }) => ({ input, value }))).toEqual([secrets, secrets])
  })

  it('never prints a sensitive value or a password in an address', async () => {
    const given = { ...GOOD, 'api-key': 'hunter 2', secrets: 'hunter2', 'base-url': 'https://me:hunter2@cp.example' }
    expect(JSON.stringify(await problemsOf(given))).not.toContain('hunter')
    expect(await problemsOf(given)).toHaveLength(3)
  })
})

describe('credentialTexts', () => {
  it('finds credentials and passwords in addresses', () => {
    const given = {
      'api-key': ' key-1 ',
      'bearer-token': 'token-1',
      'tenant-id': 'tenant-1',
      'base-url': 'https://u:pass%20word@h',
    }
    expect(credentialTexts(rawOf(given), {})).toEqual(
      expect.arrayContaining(['key-1', 'token-1', 'tenant-1', 'pass%20word', 'pass word']),
    )
  })

  it('finds a password whose percent-encoding is broken', () => {
    expect(credentialTexts(rawOf({ 'repo-url': 'https://u:100%zz@h' }), {})).toContain('100%zz')
  })
})

describe('an input that was accepted in silence', () => {
  const ROLLOUT = { ...GOOD, source: 'git_host' }

  it.each([
    ['{url}ok', /^verify-url: "\{url\}ok" must have a \/, \? or # after \{url\}, as in \{url\}\/ok$/],
    ['{url}.example/ok', /must have a/],
    ['{url}&a', /must have a/],
    ['https://probe.example/?of={url}ok', /must have a/],
    ['{url}', undefined],
    ['{url}/ok', undefined],
    ['{url}?a', undefined],
    ['{url}#a', undefined],
    ['https://probe.example/?of={url}&as=json', undefined],
  ])('verify-url: %s', async (given, message) => {
    const problems = await linesOf({ ...ROLLOUT, 'verify-url': given })
    expect(problems).toEqual(message === undefined ? [] : [expect.stringMatching(message)])
  })

  it.each([
    ['tags/v1', 'refs/tags/v1'],
    ['heads/main', 'main'],
    ['refs/heads/feature/a', 'feature/a'],
    ['heads/tags/v1', 'refs/heads/tags/v1'],
    ['refs/heads/tags/v1', undefined],
    ['refs/tags/v1', undefined],
    ['main', undefined],
    ['feature/tags/v1', undefined],
    ['tags', undefined],
  ])('repo-ref: %s', async (given, meant) => {
    const problems = await linesOf({ ...ROLLOUT, 'repo-ref': given })
    const message = `repo-ref: "${given}" must be a branch as main, or a tag as refs/tags/v1; did you mean ${meant}?`
    expect(problems).toEqual(meant === undefined ? [] : [message])
  })

  it('takes a branch whose name looks like a tag by its full path, unless it would be built as one', async () => {
    const { request } = await read({ ...ROLLOUT, 'repo-ref': 'refs/heads/tags/v1' })
    expect(request.settings.repoRef).toBe('tags/v1')
    const problems = await problemsOf({ ...ROLLOUT, 'repo-ref': 'refs/heads/refs/tags/v1' })
    expect(problems.map(({ message }) => message)).toEqual([
      'is a branch that the control plane would build as the tag refs/tags/v1: rename the branch',
    ])
  })

  it.each([
    [{ 'base-url': '${{ vars.CONTROL_PLANE_URL }}' }, 'base-url: "${{ vars.CONTROL_PLANE_URL }}" has an expression'],
    [{ name: 'agent-${{ github.ref }}' }, 'name: "agent-${{ github.ref }}" has an expression'],
    [{ 'api-key': '${{secrets.KEY}}' }, 'api-key: has an expression'],
    [{ secrets: 'KEY=${{ secrets.KEY }}' }, 'secrets: has an expression'],
    [{ 'verify-contains': '${{ github.sha }}' }, 'verify-contains: "${{ github.sha }}" has an expression'],
    [{ 'resource-spec': 'cpu: 1 # ${{ vars.CPU }}' }, 'resource-spec: "cpu: 1 # ${{ vars.CPU }}" has an expression'],
    [{ operation: 'request', path: '/v2/deployments', query: 'limit=${{ vars.LIMIT }}' }, 'query: has an expression'],
    [{ operation: 'request', path: '/v1/a', method: 'POST', body: 'a: ${{ vars.A }}' }, 'body: has an expression'],
  ])('an expression: %j', async (inputs, message) => {
    const problems = await linesOf({ ...('resource-spec' in inputs ? CONTAINER : GOOD), ...inputs })
    expect(problems).toEqual([expect.stringContaining(message)])
    expect(problems[0]).toContain('that GitHub did not evaluate')
  })

  it('the sign of an expression as JSON writes it is a part of a value', async () => {
    const variables = String.raw`{"TEMPLATE": "\u0024{{ price }}"}`
    const step = await readStep(rawOf({ ...GOOD, variables }), push, AROUND)
    expect(step).toMatchObject({ request: { settings: { secrets: [{ name: 'TEMPLATE', value: '${{ price }}' }] } } })
  })

  it('an expression in an input of another operation has no effect', async () => {
    expect(await problemsOf({ ...GOOD, body: '${{ x }}' })).toEqual([])
  })

  it.each<[Record<string, string>, number]>([
    [{ rollback: 'on-failure' }, 1],
    [{ rollback: 'on-failure', 'verify-url': '{url}/ok' }, 0],
    [{ rollback: 'never' }, 0],
  ])('a rollback that no check causes is a warning: %j', async (inputs, warnings) => {
    const { request } = await read({ ...GOOD, ...inputs })
    const expected = expect.stringContaining('a revision that is deployed and does not work is not rolled back')
    expect(request.warnings).toEqual(Array(warnings).fill(expected))
  })

  it('a typo in the name of a new deployment is looked for, but not of a preview', async () => {
    const { request } = await read({ ...GOOD, preview: 'true' }, { ...push, ...PULL_REQUEST })
    expect([(await read(GOOD)).request, request]).toMatchObject([{ warnsOfTypo: true }, { warnsOfTypo: false }])
  })
})

describe('a step that deletes what is no preview', () => {
  const TEARDOWN = { ...GOOD, operation: 'teardown' }

  it.each<[string, Record<string, string>, Partial<WorkflowEvent>, string[]]>([
    ['in a run of a pull request', {}, { isOfPullRequest: true }, ['name']],
    ['with the number of a pull request', { 'pull-request': '7' }, {}, ['name']],
    ['with a wrong preview', { preview: 'maybe' }, { isOfPullRequest: true }, ['preview']],
    ['with confirm', { confirm: 'agent' }, { isOfPullRequest: true }, []],
    ['with a wrong confirm', { confirm: 'a\nb' }, { isOfPullRequest: true }, ['confirm']],
    ['in a sweep', { 'closed-pull-requests': 'true' }, { isOfPullRequest: true }, []],
    ['after a push', {}, {}, []],
  ])('%s', async (_case, inputs, event, problems) => {
    const step = readStep(rawOf({ ...TEARDOWN, ...inputs }), { ...push, ...event }, AROUND)
    expect((await refusalOf(step)).map(({ input }) => input)).toEqual(problems)
  })
})

describe('promote-from', () => {
  const from = { 'promote-from': 'staging' }

  it('is a name, or an id', async () => {
    expect((await read({ ...GOOD, ...from })).request.promoteFrom).toEqual({ kind: 'name', name: 'staging' })
    const id = (await read({ ...GOOD, 'promote-from': DEPLOYMENT_ID.toUpperCase() })).request.promoteFrom
    expect(id).toEqual({ kind: 'id', id: DEPLOYMENT_ID })
  })

  it.each<[Record<string, string>, string]>([
    [{ source: 'git_host', 'image-uri': 'agent:1' }, 'together with source, image-uri: the other deployment decides'],
    [{ 'repo-url': 'https://github.com/acme/agent', 'repo-ref': 'main' }, 'together with repo-url, repo-ref: the'],
    [{ 'app-config-path': 'agent.json', 'source-path': 'app' }, 'together with app-config-path, source-path: the'],
    [{ name: 'staging' }, 'must name another deployment than the one that is rolled out'],
    [{ preview: 'true', 'pull-request': '7' }, 'must not be set together with preview'],
  ])('is refused with %j', async (given, words) => {
    expect((await linesOf({ ...GOOD, ...from, ...given })).join()).toContain(words)
  })

  it('needs no ref of the event', async () => {
    const ofFork = aPush({ code: codeAt({ kind: 'head', ...OF_FORK }) })
    expect(await problemsOf({ ...GOOD, ...from, confirm: 'agent' }, ofFork)).toEqual([])
    const tag = aPush({ code: codeAt({ kind: 'tag', name: 'v1' }) })
    expect(await problemsOf({ ...GOOD, ...from, 'build-on-push': 'true' }, tag)).toEqual([])
  })
})

const onPullRequest = { issue: { number: 7, pull_request: {} } }

async function skipOf(given: Record<string, string>, payload: object, name = 'issue_comment') {
  const env = { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: '/event.json' }
  const event = await readEvent(env, async () => await Promise.resolve(payload))
  return reasonToSkip(new InputReader((input) => given[input] ?? ''), event)
}

/** Whether a comment of each author may start a run. An association without an entry is a type error. */
const MAY_START: Record<Association, boolean> = {
  OWNER: true,
  MEMBER: true,
  COLLABORATOR: true,
  CONTRIBUTOR: false,
  FIRST_TIME_CONTRIBUTOR: false,
  FIRST_TIMER: false,
  MANNEQUIN: false,
  NONE: false,
}

describe('a run that a comment has started', () => {
  it.each(ASSOCIATIONS.flatMap((one) => OPERATIONS.map((operation) => [one, operation] as const)))(
    'of an author who is %s: %s',
    async (association, operation) => {
      const given = { operation, 'api-key': 'x' }
      const skip = await skipOf(given, { ...onPullRequest, comment: { author_association: association } })
      expect(skip).toEqual(MAY_START[association] ? undefined : { because: 'untrusted-author', association })
    },
  )

  const ofReview = ['pull_request_review', 'pull_request_review_comment']
  it.each(['issue_comment', 'commit_comment', 'discussion_comment', ...ofReview])(
    'by %s is refused if the event does not report the association',
    async (name) => {
      expect(await skipOf({ 'api-key': 'x' }, onPullRequest, name)).toEqual({ because: 'untrusted-author' })
    },
  )

  it.each<[string, object, Record<string, string>, object | undefined]>([
    ['a preview on an issue', { issue: { number: 7 } }, { preview: 'true' }, { because: 'no-pull-request' }],
    ['the same with TRUE', { issue: { number: 7 } }, { preview: 'TRUE' }, { because: 'no-pull-request' }],
    ['a preview that is not true', { issue: { number: 7 } }, { preview: 'untrue' }, undefined],
    ['a preview that is more than true', { issue: { number: 7 } }, { preview: 'trues' }, undefined],
    ['a preview whose number is set', { issue: { number: 7 } }, { preview: 'true', 'pull-request': '8' }, undefined],
    ['a preview on a pull request', onPullRequest, { preview: 'true' }, undefined],
    ['no preview, on an issue', { issue: { number: 7 } }, {}, undefined],
  ])('for %s', async (_case, payload, given, expected) => {
    const comment = { author_association: 'OWNER' }
    expect(await skipOf({ 'api-key': 'x', ...given }, { ...payload, comment })).toEqual(expected)
  })
})

describe('a run of another event', () => {
  it('needs no author, and a preview without a pull request is a mistake in the inputs', async () => {
    expect(await skipOf({ 'api-key': 'x', preview: 'true' }, {}, 'push')).toBeUndefined()
  })
})
