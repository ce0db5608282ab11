import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { z } from 'zod'
import { RECIPES } from '../scripts/act/recipes.ts'
import { withLocalActions } from '../scripts/act/repository.ts'

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))
const read = (path: string): string => readFileSync(at(path), 'utf8')
const workflowsOf = (folder: string): string[] =>
  readdirSync(at(folder))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => `${folder}/${name}`)

const permissions = z.record(z.string(), z.enum(['read', 'write']))
const step = z.object({
  id: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.unknown()).optional(),
  shell: z.string().optional(),
})
const concurrent = z.object({ group: z.string() }).optional()
const workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions,
  concurrency: concurrent,
  jobs: z.record(
    z.string(),
    z.object({
      permissions: permissions.optional(),
      concurrency: concurrent,
      strategy: z.object({ 'fail-fast': z.boolean().optional() }).optional(),
      'timeout-minutes': z.number().optional(),
      steps: z.array(step),
    }),
  ),
})
const action = z.object({ inputs: z.record(z.string(), z.object({ required: z.boolean().optional() })) })
const dependabot = z.object({
  updates: z.array(z.object({ 'package-ecosystem': z.string(), directories: z.array(z.string()).optional() })),
})

const EXAMPLES = workflowsOf('examples')
const WORKFLOWS = workflowsOf('.github/workflows')
const OURS = /^your-org\/deployment-rollout(\/[a-z]+)?@v1$/

/** Outputs that contain text of the server. */
const SERVER_TEXT = /\.outputs\.(plan(-markdown)?|status-message|results|response-body)\b/

const COMMENTING = ['preview', 'comment', 'closed-pull-requests']

/** The permissions to write that a job's steps have a use for. */
function neededWrites(steps: z.infer<typeof step>[]): string[] {
  const needed = steps.flatMap(({ uses = '', with: given = {}, run = '' }) => [
    ...(run.includes('$ACTIONS_ID_TOKEN_REQUEST_URL') ? ['id-token'] : []),
    ...('environment' in given && OURS.test(uses) ? ['deployments'] : []),
    ...(COMMENTING.some((input) => input in given) && OURS.test(uses) ? ['pull-requests'] : []),
    ...(uses.startsWith('docker/login-action@') ? ['packages'] : []),
  ])
  return [...new Set(needed)].sort()
}

describe.each(EXAMPLES)('%s', (name) => {
  const text = read(name)
  const { on, permissions: common, concurrency, jobs } = workflow.parse(parse(text))
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  const ours = steps.filter(({ uses }) => OURS.test(uses ?? ''))
  const fetchesKey = steps.some(({ id, run = '' }) => id === 'key' && run.includes('"::add-mask::$key"'))

  it('uses an action of this repository, with inputs that it has', () => {
    expect(ours.length).toBeGreaterThan(0)
    for (const { uses, with: given } of ours) {
      const folder = OURS.exec(uses ?? '')?.[1] ?? ''
      const { inputs } = action.parse(parse(read(`${folder}/action.yml`.replace(/^\//, ''))))
      expect(Object.keys(given ?? {}).filter((input) => !(input in inputs))).toEqual([])
      const required = Object.entries(inputs).filter(([, input]) => input.required === true)
      expect(required.map(([input]) => input).filter((input) => !(input in (given ?? {})))).toEqual([])
    }
  })

  it('takes its address and its key from where a user keeps them', () => {
    for (const { with: given } of ours)
      expect(given).toMatchObject(
        given?.['api'] === 'langsmith'
          ? { 'base-url': '${{ vars.LANGSMITH_URL }}', 'api-key': '${{ secrets.LANGSMITH_API_KEY }}' }
          : {
              'base-url': '${{ vars.CONTROL_PLANE_URL }}',
              'api-key': fetchesKey ? '${{ steps.key.outputs.key }}' : '${{ secrets.CONTROL_PLANE_API_KEY }}',
            },
      )
  })

  it('may write what its steps have a use for, and nothing else', () => {
    for (const { permissions: own = common, steps } of Object.values(jobs)) {
      const writes = Object.keys(own).filter((scope) => own[scope] === 'write')
      expect(writes.sort()).toEqual(neededWrites(steps))
    }
  })

  it('runs one at a time, and not for ever', () => {
    for (const job of Object.values(jobs)) {
      // A matrix of several deployments has a group for each.
      const isOurs = job.steps.some(({ uses }) => OURS.test(uses ?? ''))
      if (isOurs) expect((concurrency ?? job.concurrency)?.group).toBeDefined()
      expect(job['timeout-minutes']).toBeGreaterThan(0)
    }
  })

  it('lets no job of a matrix cancel the others, which act never does', () => {
    for (const { strategy } of Object.values(jobs))
      if (strategy !== undefined) expect(strategy['fail-fast']).toBe(false)
  })

  it('has no expression in a script, where the text of others would be a part of it', () => {
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([])
  })

  it('ends a script at the first failure within a pipe', () => {
    const pipes = steps.filter(({ run = '' }) => /[^|]\|[^|]/.test(run))
    expect(pipes.filter(({ shell }) => shell !== 'bash')).toEqual([])
  })

  it('fails without credentials on every event that has the secrets', () => {
    const isOnlyPullRequest = Object.keys(on).join() === 'pull_request'
    const accepted = isOnlyPullRequest ? 'skip' : "${{ github.event_name == 'pull_request' && 'skip' || 'fail' }}"
    for (const { with: given = {} } of ours) expect(given['on-missing-credentials'] ?? accepted).toBe(accepted)
  })

  it('prints no text of the server while the runner takes commands', () => {
    for (const { run = '', env = {} } of steps) {
      const ofServer = Object.keys(env).filter((key) => SERVER_TEXT.test(String(env[key])))
      const printed = ofServer.filter((key) => new RegExp(`^ *(echo|printf) .*\\$\\{?${key}\\b[^>|]*$`, 'm').test(run))
      if (printed.length > 0) expect(run).toMatch(/^ *echo "::stop-commands::\$token"\n *(echo|printf) /m)
    }
  })

  it('says first what it is for, and is run by act', () => {
    expect(text).toMatch(/^# .+/)
    expect(RECIPES.map((recipe) => recipe.workflow)).toContain(name)
  })
})

describe('the manual rollback', () => {
  it('never runs beside a workflow whose tags or images it goes back to', () => {
    const groupOf = (name: string) => workflow.parse(parse(read(`examples/${name}.yml`))).concurrency?.group
    const groups = ['rollback', 'rollback-button', 'push', 'release', 'container', 'notify-on-failure', 'oidc-key'].map(
      groupOf,
    )
    expect(new Set(groups).size).toBe(1)
    // The same whatever the event, as a rollback may be started from any branch or tag.
    expect(groups[0]).not.toContain('${{')
  })
})

describe('the promotion', () => {
  const { steps = [] } = workflow.parse(parse(read('examples/promote.yml'))).jobs['production'] ?? {}
  const { run = '', env } = steps.at(-1) ?? {}
  it.each([
    ['a1', 'a1', 0],
    ['a1', 'b2', 1],
    ['', '', 1],
    ['a1', '', 1],
    ['', 'b2', 1],
  ])('of the verified commit %j that deploys %j ends with %i', (VERIFIED, DEPLOYED, status) => {
    expect(Object.keys(env ?? {})).toEqual(['VERIFIED', 'DEPLOYED'])
    expect(spawnSync('bash', ['-e', '-c', run], { env: { VERIFIED, DEPLOYED } }).status).toBe(status)
  })
})

describe('the manifest of the fleets', () => {
  const manifest: unknown = parse(read('examples/deploy/fleet.yml'))

  it.each(['fleet', 'previews', 'apps', 'staging-production'])('%s satisfies the schema', (name) => {
    const schema = z.record(z.string(), z.unknown()).parse(JSON.parse(read('schemas/fleet.schema.json')))
    const validate = new Ajv2020({ strict: true }).compile(schema)
    expect(validate(parse(read(`examples/deploy/${name}.yml`))) ? [] : validate.errors).toEqual([])
  })

  it.each([
    ['fleet', 'fleet'],
    ['fleet', 'fleet-matrix'],
    ['previews', 'monorepo-preview'],
    ['staging-production', 'monorepo-staging-production'],
  ])('%s finds each of its variables in the environment of %s', (file, name) => {
    const used = [...read(`examples/deploy/${file}.yml`).matchAll(/\$\{(\w+)\}/g)].map(([, variable = '']) => variable)
    expect(used.length).toBeGreaterThan(0)
    const text = read(`examples/${name}.yml`)
    for (const variable of used) expect(text).toContain(`${variable}: \${{ secrets.${variable} }}`)
  })

  it('has the wave that each job of the matrix is for', () => {
    const { waves } = z.object({ waves: z.array(z.object({ name: z.string() })) }).parse(manifest)
    const shards = [...read('examples/fleet-matrix.yml').matchAll(/shard: (\w+)$/gm)].map(([, shard]) => shard)
    expect(shards.sort()).toEqual(waves.map(({ name }) => name).sort())
  })
})

describe.each(WORKFLOWS)('%s', (name) => {
  const { permissions: common, concurrency, jobs } = workflow.parse(parse(read(name)))

  it('has the least permissions for all jobs, and limits each in time', () => {
    expect(Object.values(common)).not.toContain('write')
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0)
    expect(concurrency?.group).toBeDefined()
  })
})

describe('every workflow and every example', () => {
  const all = [...EXAMPLES, ...WORKFLOWS, ...workflowsOf('__tests__/act')]

  it('pins the actions of others by a full SHA, with the version behind it, everywhere the same', () => {
    const lines = all.flatMap((name) => read(name).match(/uses: .*/g) ?? [])
    const theirs = lines.filter((line) => !/^uses: (\.\/|your-org\/deployment-rollout)/.test(line))
    const PINNED = /^uses: ([\w-]+\/[\w-]+)(?:\/[\w-]+)?(@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/
    expect(theirs.filter((line) => !PINNED.test(line))).toEqual([])
    const pins = new Set(theirs.map((line) => line.replace(PINNED, '$1$2')))
    const actions = [...pins].map((pin) => pin.replace(/@.*/, ''))
    expect(actions.sort()).toEqual([...new Set(actions)].sort())
  })

  it('is in a folder that Dependabot looks into, as a pin must be the same everywhere', () => {
    const { updates } = dependabot.parse(parse(read('.github/dependabot.yml')))
    const folders = all.map((name) => `/${name.replace(/\/[^/]+$/, '')}`)
    // Its "/" is the folder of the workflows.
    const needed = new Set(folders.map((folder) => (folder === '/.github/workflows' ? '/' : folder)))
    const [actions] = updates.filter((one) => one['package-ecosystem'] === 'github-actions')
    expect(actions?.directories?.toSorted()).toEqual([...needed].sort())
  })

  it('says why wherever it may write', () => {
    const writes = all.flatMap((name) => read(name).match(/^ +[a-z-]+: write.*$/gm) ?? [])
    expect(writes.length).toBeGreaterThan(0)
    expect(writes.filter((line) => !/: write # .+/.test(line))).toEqual([])
  })
})

describe('an example as act runs it', () => {
  it('differs by the action that is used, and by a checkout before it', () => {
    const text =
      'jobs:\n  a:\n    steps:\n      - uses: your-org/deployment-rollout@v1\n      - uses: your-org/deployment-rollout/wait@v1\n'
    expect(withLocalActions(text).split('\n')).toEqual([
      'jobs:',
      '  a:',
      '    steps:',
      expect.stringMatching(/^ {6}- uses: actions\/checkout@[0-9a-f]{40}$/),
      '      - uses: ./',
      '      - uses: ./wait',
      '',
    ])
    expect(withLocalActions('steps:\n  - uses: ./\n')).toBe('steps:\n  - uses: ./\n')
    // No pin of its own, that nothing would move.
    expect(read('scripts/act/repository.ts')).not.toMatch(/@[0-9a-f]{40}/)
  })
})
