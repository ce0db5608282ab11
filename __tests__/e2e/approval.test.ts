import { describe, expect, it } from '@jest/globals'
import type { InputValue } from '../../demo/runner.ts'
import type { RolloutScript } from '../../sandbox/lifecycle.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { everywhere } from '../../simulation/shared/forms.ts'
import { here, until } from '../places/here.ts'
import { IMAGE, NEXT_IMAGE, resultsOf, rollOutFleet, writesOf } from './fleets.ts'
import { API_KEY, aSandbox, revisionsOf, step, theError } from './stage.ts'

const SETTLED = { speed: 10 }
const NAME = 'hello-agent'
const CONTAINER = { name: NAME, source: 'external_container', 'image-uri': IMAGE, secrets: 'unchanged' }

async function planOf(sandbox: Sandbox, inputs: Record<string, InputValue>): Promise<string> {
  const { outputs } = await step(sandbox, { ...inputs, 'dry-run': true })
  return outputs['plan-digest'] ?? ''
}

/** Another client sends it, and its revision ends. */
async function ask(sandbox: Sandbox, path: string, body: object, script?: RolloutScript): Promise<void> {
  sandbox.setScript(script ?? {})
  const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  expect((await here().fetch(`${sandbox.url}/v2/deployments${path}`, init)).ok).toBe(true)
  const hasEnded = () => /DEPLOYED|FAILED/.test(String(revisionsOf(sandbox).at(-1)?.['status']))
  if (script?.durationMs === undefined) await here().spend(async () => await until(hasEnded))
  sandbox.setScript({})
}

async function expectRefusal(sandbox: Sandbox, inputs: Record<string, InputValue>, words: string): Promise<void> {
  const before = writesOf(sandbox)
  const run = await step(sandbox, inputs)
  expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
  expect(theError(run)).toContain(`Since the approval: ${words}`)
  expect(writesOf(sandbox)).toEqual(before)
}

describe('an approved creation whose first revision has failed', () => {
  it.each<[string, Record<string, InputValue>, Record<string, InputValue>]>([
    ['one secret less: B', { secrets: 'A=value-of-a\nB=value-of-b' }, { secrets: 'A=value-of-a' }],
    [
      'max-scale 4 → (none)',
      { 'resource-spec': '{min_scale: 2, max_scale: 4}' },
      { 'resource-spec': '{min_scale: 2}' },
    ],
    [
      'one secret reference less: B',
      { 'secret-references': 'A=of-the-cluster/a\nB=of-the-cluster/b' },
      { 'secret-references': 'A=of-the-cluster/a' },
    ],
  ])('is no approval of a part of it: %s', async (words, whole, part) => {
    const sandbox = await aSandbox({ ...SETTLED, script: { ends: 'DEPLOY_FAILED' } })
    const inputs = { ...CONTAINER, 'allow-secret-removal': true }
    const digest = await planOf(sandbox, { ...inputs, ...whole })
    expect((await step(sandbox, { ...inputs, ...whole, 'expect-plan': digest })).outputs['outcome']).toBe('failed')
    sandbox.setScript({})
    await expectRefusal(sandbox, { ...inputs, ...part, 'expect-plan': digest }, words)
    const again = await step(sandbox, { ...inputs, ...whole, 'expect-plan': digest })
    expect(again.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
  })
})

describe('an approved creation of a name that somebody else has taken since', () => {
  const REVISION = { source_revision_config: { image_uri: IMAGE } }
  const THEIRS = { name: NAME, source: 'external_container' as const, source_config: {}, secrets: [], ...REVISION }
  const OTHERS: [string, object][] = [
    ["the deployment's min-scale (none) → 3", { source_config: { resource_spec: { min_scale: 3 } } }],
    [
      "the deployment's custom-url (none) → https://theirs.example",
      { source_config: { custom_url: 'https://theirs.example' } },
    ],
    ['one secret more in the deployment: THEIRS', { secrets: [{ name: 'THEIRS', value: 'of-somebody-else' }] }],
  ]
  const endings: RolloutScript[] = [{}, { ends: 'DEPLOY_FAILED' }, { durationMs: 36_000_000 }]
  const cases = OTHERS.flatMap(([words, over]) => endings.map((ending) => [words, ending, over] as const))

  it.each(cases)('is no approval of theirs: %s (%j)', async (words, ending, over) => {
    const sandbox = await aSandbox(SETTLED)
    const digest = await planOf(sandbox, CONTAINER)
    await ask(sandbox, '', { ...THEIRS, ...over }, ending)
    await expectRefusal(sandbox, { ...CONTAINER, 'expect-plan': digest }, 'the ')
    const run = await step(sandbox, { ...CONTAINER, 'expect-plan': digest })
    expect(theError(run)).toContain(words)
    expect(theError(run)).toContain('With the input environment, a rerun knows what it has made itself.')
  })

  it('nor of a flag of theirs that is true', async () => {
    const shows = (body: unknown): unknown =>
      everywhere(body, (one) => ('active_revision_id' in one ? { ...one, shareable: true } : one))
    const sandbox = await aSandbox({ ...SETTLED, shows })
    const digest = await planOf(sandbox, CONTAINER)
    await ask(sandbox, '', THEIRS, { ends: 'DEPLOY_FAILED' })
    await expectRefusal(sandbox, { ...CONTAINER, 'expect-plan': digest }, 'the deployment (none) → ')
  })

  it('but of the same one, as the run may have made it itself', async () => {
    const sandbox = await aSandbox(SETTLED)
    const digest = await planOf(sandbox, CONTAINER)
    await ask(sandbox, '', THEIRS)
    const run = await step(sandbox, { ...CONTAINER, 'expect-plan': digest })
    expect(run.outputs).toMatchObject({ outcome: 'unchanged', change: 'none' })
  })

  it('also right before the creation, and in a fleet', async () => {
    const body = { ...THEIRS, secrets: [{ name: 'THEIRS', value: 'of-somebody-else' }] }
    const visits = [{ match: { method: 'POST' }, acts: [{ kind: 'create' as const, body }] }]
    const sandbox = await aSandbox(SETTLED)
    const digest = await planOf(sandbox, CONTAINER)
    sandbox.setVisits(visits)
    const run = await step(sandbox, { ...CONTAINER, 'expect-plan': digest })
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(theError(run)).toContain('one secret more in the deployment: THEIRS')
    const fleet = await aSandbox(SETTLED)
    const { name, source, 'image-uri': image } = CONTAINER
    const manifest = { deployments: [{ name, source, 'image-uri': image }] }
    const { outputs } = await rollOutFleet(fleet, manifest, { 'dry-run': true })
    fleet.setVisits(visits)
    const ofFleet = await rollOutFleet(fleet, manifest, { 'expect-plan': outputs['plan-digest'] ?? '' })
    expect(resultsOf(ofFleet)[0]).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(resultsOf(ofFleet)[0]?.reason).toContain('one secret more in the deployment: THEIRS')
  })
})

describe('on a service that reports no active revision', () => {
  const shows = (body: unknown): unknown =>
    everywhere(body, (fields) =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'active_revision_id')),
    )

  it.each<[string, string, RolloutScript]>([
    ['one that goes back', IMAGE, {}],
    ['one of the same image that has not ended', 'registry.example/agent:1', { durationMs: 36_000_000 }],
  ])('a newer revision of somebody else is a difference: %s', async (_what, image, script) => {
    const sandbox = await aSandbox({ ...SETTLED, shows })
    await step(sandbox, CONTAINER)
    const next = { ...CONTAINER, 'image-uri': script.durationMs === undefined ? NEXT_IMAGE : image }
    const digest = await planOf(sandbox, next)
    if (script.durationMs === undefined)
      expect((await step(sandbox, { ...next, 'expect-plan': digest })).outputs['outcome']).toBe('deployed')
    const id = String(sandbox.deployments()[0]?.['id'])
    await ask(sandbox, `/${id}/revisions`, { source_revision_config: { image_uri: image } }, script)
    await expectRefusal(sandbox, { ...next, 'expect-plan': digest }, 'the ')
  })
})

it('the order of keys, and of a list where it means nothing, is no difference', async () => {
  let isReversed = false
  const reversed = (one: Record<string, unknown>) => Object.fromEntries(Object.entries(one).toReversed())
  const shows = (body: unknown): unknown => (isReversed ? everywhere(body, reversed) : body)
  const sandbox = await aSandbox({ ...SETTLED, shows })
  const specOf = (labels: object, pullSecrets: object[]) =>
    JSON.stringify({ min_scale: 1, max_scale: 2, labels, image_pull_secrets: pullSecrets })
  const [one, other] = [{ name: 'one' }, { name: 'other' }]
  const spec = specOf({ a: '1', b: '2' }, [one, other])
  await step(sandbox, { ...CONTAINER, 'resource-spec': spec })
  const next = { ...CONTAINER, 'image-uri': NEXT_IMAGE }
  const [ofAsked, ofThere] = [await planOf(sandbox, { ...next, 'resource-spec': spec }), await planOf(sandbox, next)]
  isReversed = true
  const asked = { ...next, 'resource-spec': specOf({ b: '2', a: '1' }, [other, one]) }
  const dry = await step(sandbox, { ...asked, 'expect-plan': ofAsked, 'dry-run': true })
  expect(dry.outputs['outcome']).toBe('planned')
  expect((await step(sandbox, { ...next, 'expect-plan': ofThere })).outputs['outcome']).toBe('deployed')
})

describe('a newer revision with the settings from before the approval', () => {
  const next = { ...CONTAINER, 'image-uri': NEXT_IMAGE }
  const refusedAfter = async (move: (sandbox: Sandbox, digest: string) => Promise<unknown>): Promise<void> => {
    const sandbox = await aSandbox(SETTLED)
    await step(sandbox, CONTAINER)
    const digest = await planOf(sandbox, next)
    await move(sandbox, digest)
    await expectRefusal(sandbox, { ...next, 'expect-plan': digest }, 'the active revision ')
  }

  it('is another state, as after a push to a deployment that builds on push', async () => {
    await refusedAfter(async (sandbox) => {
      const id = String(sandbox.deployments()[0]?.['id'])
      await ask(sandbox, `/${id}/revisions`, { source_revision_config: { image_uri: IMAGE } })
    })
  })

  it('is another state, as after the rollback of an earlier attempt', async () => {
    await refusedAfter(async (sandbox, digest) => {
      expect((await step(sandbox, { ...next, 'expect-plan': digest })).outputs['outcome']).toBe('deployed')
      const back = await step(sandbox, { name: NAME }, { action: 'rollback' })
      expect(back.outputs['outcome']).toBe('deployed')
    })
  })
})
