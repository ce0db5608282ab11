import { describe, expect, it } from '@jest/globals'
import { aManifest, idOf, IMAGE, outcomesOf, resultsOf, rollOutFleet, writesOf, type Manifest } from './fleets.ts'
import { aSandbox as startSandbox, everythingSaid, SECRET } from './stage.ts'

const aSandbox = async () => await startSandbox({ speed: 1 })
const matrixOf = ({ outputs }: { outputs: Record<string, string | undefined> }): unknown =>
  JSON.parse(outputs['matrix'] ?? 'null')

describe('only', () => {
  it('rolls out the named deployments: the others are not selected, and get no request that writes', async () => {
    const sandbox = await aSandbox()
    const run = await rollOutFleet(sandbox, aManifest(4), {
      only: 'agent-[1]\nagent-?\n!agent-2\n!agent-4\n'.slice(10),
    })
    expect(run.exitCode).toBe(0)
    expect(outcomesOf(run)).toEqual({
      'agent-1': 'deployed',
      'agent-3': 'deployed',
      'agent-2': 'not-selected',
      'agent-4': 'not-selected',
    })
    expect(resultsOf(run)[2]).toEqual({
      name: 'agent-2',
      outcome: 'not-selected',
      change: 'none',
      reason: '"only" does not name it',
    })
    expect(sandbox.deployments().map(({ name }) => name)).toEqual(['agent-1', 'agent-3'])
    expect(run.raw.match(/2 not selected: 2 that "only" does not name\./g)).toHaveLength(1)
    expect(run.summary).toContain('2 not selected')
    expect(run.summary).not.toContain('agent-2')
  })

  it.each([
    ['agent-9', /only: "agent-9" matches no deployment of the manifest; did you mean agent-1 or agent-2 or agent-3\?/],
    ['Agent-1', /only: "Agent-1" matches no deployment of the manifest; did you mean agent-1/],
    ['*\n!b-*', /only: "!b-\*" matches no deployment of the manifest; they are agent-1, agent-2/],
    ['!agent-9', /only: "!agent-9" matches no .*; did you mean !agent-1 or !agent-2 or !agent-3\?/],
    ['all\n!agent-1', /only: "all" matches no .*; for all deployments, write \* or only lines with !/],
    ['', /only: is empty/],
    ['!', /only: "!" has a ! without a name/],
  ])('%j is an input error', async (only, message) => {
    const sandbox = await aSandbox()
    const run = await rollOutFleet(sandbox, aManifest(4), { only })
    expect(run.exitCode).toBe(1)
    expect(run.raw).toMatch(message)
    expect(sandbox.requests).toEqual([])
  })

  it('is refused together with preview', async () => {
    const inputs = { only: 'agent-1', preview: true }
    const run = await rollOutFleet(await aSandbox(), aManifest(2), inputs, { event: { name: 'pull_request' } })
    expect(run.raw).toContain('only: "agent-1" must not be set together with preview')
  })

  it('cuts the shards of the whole manifest, and leaves out those without a selected entry', async () => {
    const sandbox = await aSandbox()
    const inputs = { only: 'agent-4\nagent-5', 'dry-run': true, 'matrix-size': 2 }
    expect(matrixOf(await rollOutFleet(sandbox, aManifest(6), inputs))).toEqual({
      include: [
        { shard: '2/3', waves: [], deployments: 1 },
        { shard: '3/3', waves: [], deployments: 1 },
      ],
    })
    const part = await rollOutFleet(sandbox, aManifest(6), { only: 'agent-4\nagent-5', shard: '2/3' })
    expect(outcomesOf(part)).toEqual({ 'agent-4': 'deployed', 'agent-3': 'not-selected' })
    const none = await rollOutFleet(sandbox, aManifest(6), { only: 'agent-4', shard: '3/3' })
    expect(none.outputs).toMatchObject({ outcome: 'unchanged', 'has-changes': 'false' })
    expect(outcomesOf(none)).toEqual({ 'agent-5': 'not-selected', 'agent-6': 'not-selected' })
  })

  it.each([true, false])(
    'counts what is not selected, and sets the matrix, if nothing is: dry-run: %s',
    async (dryRun) => {
      const run = await rollOutFleet(await aSandbox(), aManifest(2), { only: '*\n!agent-*', 'dry-run': dryRun })
      expect(run.outputs).toMatchObject({ matrix: '{"include":[]}', 'has-changes': 'false', change: 'none' })
      expect(run.outputs['outcome']).toBe(dryRun ? 'planned' : 'unchanged')
      expect(run.raw).toContain(
        dryRun ? 'Plan of 0 deployments' : '✅ No deployment is selected: 2 that "only" does not name.',
      )
      expect(run.summary.match(/2 that "only" does not name/g)).toHaveLength(1)
    },
  )

  it('takes percentages of the selected entries of a wave, and skips a wave without one with its bake', async () => {
    const sandbox = await aSandbox()
    const manifest = aManifest(6, { canaries: 2 })
    const waves = [
      { name: 'canary', bake: '1h' },
      { name: 'everyone', 'max-parallel': '50%' },
    ]
    const run = await rollOutFleet(sandbox, { ...manifest, waves }, { only: 'agent-3\nagent-4' })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.raw).toContain('Up to 1 at the same time.')
    expect(run.raw).toContain('Wave canary has no selected deployment: it is skipped, and so is its bake.')
    expect(Number(run.outputs['duration-seconds'])).toBeLessThan(1_800)
  })

  const OF_VARIABLES: Manifest = {
    defaults: { source: 'external_container', 'image-uri': IMAGE },
    deployments: [
      { name: 'agent-1', secrets: { KEY: '${MODEL_KEY}' } },
      { name: 'agent-2', secrets: { KEY: '${NOT_SET}' }, 'custom-url': 'https://${NOT_SET_EITHER}/' },
    ],
  }

  it('needs the variables of the selected entries only', async () => {
    const run = await rollOutFleet(await aSandbox(), OF_VARIABLES, { only: 'agent-1' })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(everythingSaid(run)).not.toContain(SECRET)
    const all = await rollOutFleet(await aSandbox(), OF_VARIABLES)
    expect(all.raw).toContain('names the variable NOT_SET, which is not set')
  })

  it.each<[string, Manifest['deployments'][number]]>([
    ['must be 0 to 1440', { name: 'agent-2', timeout: 'long' }],
    ['that does not begin ${NAME}', { name: 'agent-2', 'image-uri': 'x/${' }],
    ['which belongs to the runner', { name: 'agent-2', 'image-uri': 'x/${INPUT_API-KEY}'.replace('-', '_') }],
    ['has a literal value', { name: 'agent-2', secrets: { KEY: 'plain' } }],
  ])('checks the form of all entries: %s', async (message, entry) => {
    const [first] = OF_VARIABLES.deployments
    if (first === undefined) throw new Error('no entry')
    const run = await rollOutFleet(
      await aSandbox(),
      { ...OF_VARIABLES, deployments: [first, entry] },
      { only: 'agent-1' },
    )
    expect(run.exitCode).toBe(1)
    expect(run.raw).toContain(message === 'must be 0 to 1440' ? 'timeout' : message)
  })

  it('is a part of an approved plan', async () => {
    const sandbox = await aSandbox()
    const digestOf = async (inputs: Record<string, string>): Promise<string> =>
      (await rollOutFleet(sandbox, aManifest(4), { ...inputs, 'dry-run': true })).outputs['plan-digest'] ?? ''
    const [ofAll, ofTwo] = [await digestOf({}), await digestOf({ only: 'agent-1\nagent-2' })]
    const fewer = await rollOutFleet(sandbox, aManifest(4), { only: 'agent-1', 'expect-plan': ofTwo })
    expect(fewer.outputs['outcome']).toBe('failed')
    expect(fewer.raw).toContain('Approved, and not selected: agent-2.')
    const more = await rollOutFleet(sandbox, aManifest(4), { only: 'agent-?', 'expect-plan': ofTwo })
    expect(more.outputs['outcome']).toBe('failed')
    // The other shard is that of another job.
    const shard = await rollOutFleet(sandbox, aManifest(4), { shard: '1/2', only: 'agent-1', 'expect-plan': ofAll })
    expect(shard.raw).toContain('Approved, and not selected: agent-2.')
    expect(writesOf(sandbox)).toEqual([])
    const same = await rollOutFleet(sandbox, aManifest(4), { only: 'agent-1\nagent-2', 'expect-plan': ofTwo })
    expect(same.outputs['outcome']).toBe('deployed')
    expect(idOf(sandbox, 'agent-2')).toBeDefined()
  })
})
