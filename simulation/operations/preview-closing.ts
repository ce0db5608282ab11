import { INTEGRATION_ID } from '../../__tests__/e2e/given.ts'
import type { CreateDeployment } from '../../sandbox/schemas.ts'
import { oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { GITHUB, openGitHub } from '../github.ts'
import type { SimulatedNetwork } from '../network.ts'
import type { NetworkFault } from '../network-faults.ts'
import { sumOfCounts, type SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { counted } from '../weather.ts'
import { HEAD, previewEvent } from './preview.ts'
import { begin, GITHUB_SECRETS, WITH_GITHUB } from './steps.ts'

const NUMBER = 7
const VARIABLES = { MODEL_KEY: 'correct-horse-battery' }

/** An image reports no repository: only the files of the pull request, or a note, show whose it is. */
const IMAGE = { source: 'external_container', 'image-uri': 'registry.example/agent:1' }
const GIT = { source: 'git_host', 'integration-id': INTEGRATION_ID, 'app-config-path': 'agent.json' }
const APPS: Readonly<Record<string, object>> = { search: GIT, image: IMAGE, removed: IMAGE, web: IMAGE, docs: GIT }
/** The apps whose files the pull request changes. */
const TOUCHED = ['search', 'image', 'removed']
/** An entry without paths. */
const ALWAYS = { name: 'always', ...IMAGE }

/** Previews of other repositories, whose apps have the names of ours that the pull request does not change, or others. */
const THEIRS: readonly CreateDeployment[] = [
  imageOf('web-pr-7'),
  imageOf('strange-pr-7'),
  builtFrom('docs-pr-7', 'acme/other'),
]

/** What of GitHub fails while the previews are deleted. */
const FAILING = {
  nothing: /^$/,
  files: /\/pulls\/7\/files/,
  comments: /\/comments/,
  'files and comments': /\/pulls\/7\/files|\/comments/,
  everything: /./,
} as const

const FAULTS: readonly NetworkFault[] = [
  { kind: 'refused' },
  { kind: 'answer', status: 502 },
  { kind: 'answer', status: 403, body: '{"message":"Resource not accessible by integration"}' },
  { kind: 'stall', when: 'before' },
  { kind: 'cut' },
]

/** GitHub fails while the previews of a repository are deleted. A rerun, for which it answers, deletes the rest. */
export async function closingWithoutGitHub(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('preview-closing')
  const gitHub = openGitHub(scene)
  const files = TOUCHED.map((app) => `apps/${app}/agent.py`)
  const pull = gitHub.seedPullRequest(NUMBER, { branch: 'feature/greeting', labels: ['preview'], files })
  const plane = scene.openPlane({ seed: [...THEIRS], script: () => ({ repoCommitSha: HEAD }) })
  const idsBefore = plane.deployments().map(({ id }) => String(id))
  const inputs = { comment: chance() < 0.7, ...(chance() < 0.3 && { 'preview-label': 'preview' }) }
  const run = async (who: string, apps: readonly string[], action: 'push' | 'close' | 'unlabel', attempt = 1) => {
    const event = action === 'unlabel' ? UNLABELED : previewEvent(action)
    const around = { action: 'fleet' as const, files: { 'fleet.yml': manifestOf(apps) }, event, ...WITH_GITHUB }
    const env = { ...VARIABLES, GITHUB_RUN_ID: '7351', GITHUB_RUN_ATTEMPT: String(attempt) }
    return await begin(scene, who, { ...LIMITS, ...inputs }, { ...around, env }).ended
  }
  const all = Object.keys(APPS)
  const opened = await run('push', all, 'push')
  await rest(scene, plane)
  const end = 'preview-label' in inputs && chance() < 0.5 ? 'unlabel' : 'close'
  if (end === 'close') pull.state = 'closed'
  else pull.labels = []
  const failing = oneOf(Object.keys(FAILING).filter(isFailing), chance)
  const counts: Record<string, number> = {}
  scene.network.weather = counted(failureOf(FAILING[failing], chance), counts)
  // The pull request has removed an app from the manifest.
  const left = all.filter((app) => app !== 'removed')
  const closed = await run('end', left, end)
  const afterFirst = namesIn(plane.deployments())
  scene.network.weather = () => undefined
  const rerun = await run('rerun', left, end, 2)
  const afterRerun = namesIn(plane.deployments())
  const now = plane.deployments().map(({ id }) => String(id))
  // Without a comment, nothing shows whose the image of a removed entry is, nor what one without the label has.
  const unknown = inputs.comment ? [] : ['removed-pr-7', ...(end === 'unlabel' ? ['search-pr-7'] : [])]
  return {
    rollouts: 3,
    kind: `${failing} fails: ${end}`,
    end: [opened, closed, rerun].map(({ outputs }) => outputs['outcome'] ?? 'none').join(', '),
    untrue: [
      ...untruthsOfOpened(opened),
      ...untruthsOfEnd(closed, afterFirst, unknown),
      ...untruthsOfEnd(rerun, afterRerun, unknown),
      ...(isGreen(rerun) ? [] : [`the rerun is ${rerun.outputs['outcome'] ?? 'none'}`]),
      ...idsBefore.filter((id) => !now.includes(id)).map((id) => `${id} of another repository was deleted`),
      ...[opened, closed, rerun].flatMap((step) => untruthsOfAny(scene, step, { secrets: GITHUB_SECRETS })),
      ...gitHub.violations,
    ],
    injected: sumOfCounts(injectedBy(plane), counts),
  }
}

const LIMITS = {
  manifest: 'fleet.yml',
  preview: true,
  'request-timeout': '6s',
  'max-failures': '100%',
  timeout: '5m',
  'max-retries': '4',
}

const UNLABELED = { name: 'pull_request', sha: HEAD, payload: { action: 'unlabeled', label: { name: 'preview' } } }

function isFailing(name: string): name is keyof typeof FAILING {
  return Object.hasOwn(FAILING, name)
}

/** Each request to what fails meets a fault. */
function failureOf(path: RegExp, chance: Chance): SimulatedNetwork['weather'] {
  const fault = oneOf(FAULTS, chance)
  return ({ url }) => (url.origin === GITHUB && path.test(url.pathname) ? fault : undefined)
}

const namesIn = (deployments: readonly Record<string, unknown>[]): string[] =>
  deployments.map(({ name }) => String(name))

const OURS = [...TOUCHED, ALWAYS.name].map((app) => `${app}-pr-${NUMBER}`)

const isGreen = ({ outputs }: EndedStep): boolean =>
  outputs['outcome'] === 'torn-down' || outputs['outcome'] === 'nothing-to-tear-down'

function untruthsOfOpened({ outputs }: EndedStep): string[] {
  return outputs['outcome'] === 'deployed' ? [] : [`the previews are ${outputs['outcome'] ?? 'none'}`]
}

/** A green step has deleted all that anything shows to be a preview of the pull request. */
function untruthsOfEnd(step: EndedStep, left: readonly string[], unknown: readonly string[]): string[] {
  const kept = OURS.filter((name) => left.includes(name) && !unknown.includes(name))
  const { outcome = 'none' } = step.outputs
  if (isGreen(step)) return kept.length === 0 ? [] : [`${step.who}: ${outcome}, but ${kept.join()} exist`]
  return outcome === 'failed' ? [] : [`${step.who}: ${outcome}`]
}

function manifestOf(apps: readonly string[]): string {
  const deployments = apps.map((name) => ({ name, paths: [`apps/${name}/**`], ...APPS[name] }))
  const defaults = { secrets: { MODEL_KEY: '${MODEL_KEY}' } }
  return JSON.stringify({ version: 1, defaults, deployments: [...deployments, ALWAYS] })
}

function imageOf(name: string): CreateDeployment {
  const source_revision_config = { image_uri: 'registry.example/other:1' }
  return { name, source: 'external_container', source_config: {}, source_revision_config, secrets: [] }
}

function builtFrom(name: string, repository: string): CreateDeployment {
  const source_config = { repo_url: `https://github.com/${repository}`, integration_id: INTEGRATION_ID }
  const source_revision_config = { repo_ref: 'main', app_config_path: 'agent.json' }
  return { name, source: 'git_host', source_config, source_revision_config, secrets: [] }
}
