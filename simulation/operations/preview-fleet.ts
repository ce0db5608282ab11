import { INTEGRATION_ID } from '../../__tests__/e2e/given.ts'
import { WAYS } from '../shared/rollouts.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import type { CreateDeployment } from '../../sandbox/schemas.ts'
import { chooseBlow, strike } from '../actors.ts'
import { oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { REPOSITORY, openGitHub } from '../github.ts'
import { sumOfCounts, type SimulatedRun } from '../operation.ts'
import { readNamed } from '../plain-truth.ts'
import { injectedBy, rest } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { counted, stormWithGitHub } from '../weather.ts'
import { resultsOf } from './fleet.ts'
import { HEAD, previewEvent } from './preview.ts'
import { begin, GITHUB_SECRETS, WITH_GITHUB } from './steps.ts'

const NUMBER = 7
const APPS = ['search', 'chat', 'mail', 'image']
const VARIABLES = { MODEL_KEY: 'correct-horse-battery' }
const MARKER = '<!-- deployment-rollout -->'

const seedOf = (name: string, repository?: string): CreateDeployment => ({
  ...{ name, secrets: [] },
  ...(repository === undefined
    ? { source: 'internal_template' as const, source_config: {}, source_revision_config: {} }
    : {
        source: 'git_host' as const,
        source_config: { repo_url: `https://github.com/${repository}`, integration_id: INTEGRATION_ID },
        source_revision_config: { repo_ref: 'main', app_config_path: 'agent.json' },
      }),
})

const PLANNED: CreateDeployment = {
  ...seedOf('planned-pr-7'),
  source: 'external_container',
  source_revision_config: { image_uri: 'registry.example/other:1' },
}

/** None of them is of our pull request: of another repository, of another number, or nothing shows whose they are. */
const OTHERS: readonly CreateDeployment[] = [
  seedOf('search'),
  seedOf('search-pr-70', REPOSITORY),
  seedOf('chat-pr-8', REPOSITORY),
  seedOf('search-pr-7-b'),
  seedOf('strange-pr-7'),
  seedOf('billing-pr-7', 'acme/other'),
  PLANNED,
]
/** Of another repository, whose app has the name of one of ours that the pull request does not change. */
const NAMESAKE: CreateDeployment = { ...PLANNED, name: 'guest-pr-7' }
/** Of our pull request, of an app that the manifest does not have any more. */
const FORMER = seedOf('former-pr-7', REPOSITORY)

type Happening = Parameters<typeof previewEvent>[0] | 'unlabel'

/** The previews of a whole repository: pushes change files and the manifest, and at the end the pull request is closed. */
export async function previewsOfRepository(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('preview-fleet')
  const gitHub = openGitHub(scene)
  const pull = gitHub.seedPullRequest(NUMBER, { branch: 'feature/greeting', labels: ['preview'] })
  // Such a name in our manifest is another repository's preview all the same.
  const taken = chance() < 0.3 ? [seedOf('mail-pr-7', 'acme/other')] : []
  const others = [...OTHERS, ...taken]
  const plane = scene.openPlane({ seed: [...others, NAMESAKE, FORMER] })
  const idsBefore = new Map(plane.deployments().map(({ id, name }) => [name, id]))
  if (chance() < 0.3) gitHub.comment(NUMBER, 'eve', forged([...idsBefore.values()].map(String)))
  const inputs = {
    manifest: 'fleet.yml',
    preview: true,
    environment: chance() < 0.5 ? 'preview' : '',
    'preview-label': chance() < 0.4 ? 'preview' : '',
    'request-timeout': '6s',
    'requests-per-second': oneOf(['30', '30', '1'], scene.chance('budget')),
    'max-retries': '4',
    'max-failures': '100%',
    timeout: '5m',
  }
  const steps: EndedStep[] = []
  const untrue: string[] = []
  const counts: Record<string, number> = {}
  const life = chooseLife(chance)
  let wasCalm = true
  // An adopted preview stays one after its deletion, when no revision shows it any more.
  let isAdopted = false
  for (const [place, happening] of life.entries()) {
    if (happening === 'close') pull.state = 'closed'
    if (happening === 'reopen') pull.state = 'open'
    if (happening === 'unlabel') pull.labels = []
    const isPlan = chance() < 0.2 && happening !== 'close' && happening !== 'unlabel'
    // Of the last one, only plans are made.
    const planned = isPlan ? ['planned'] : []
    const touched = [...APPS.filter(() => chance() < 0.6), ...planned]
    pull.files = chance() < 0.05 ? tooMany() : touched.map((app) => `apps/${app}/agent.py`)
    isAdopted ||= isRevised(plane, NAMESAKE)
    const apps = [...APPS.filter(() => chance() < 0.8), 'guest', ...planned]
    plane.setScript({ ...oneOf(WAYS, chance), repoCommitSha: HEAD })
    const wind = scene.chance('weather', String(place))
    scene.network.weather = counted(stormWithGitHub(oneOf([0, 0, 0.05, 0.15], chance), wind), counts)
    const who = `run ${place + 1}`
    const blow = chance() < 0.2 ? chooseBlow(chance, { mostRequests: 30, mostMs: 15_000 }) : undefined
    const event = happening === 'unlabel' ? UNLABELED : previewEvent(happening)
    const { step: running, wrongEnd } = strike(scene, who, blow, () =>
      begin(
        scene,
        who,
        { ...inputs, 'dry-run': isPlan },
        {
          ...{ action: 'fleet', files: { 'fleet.yml': JSON.stringify(manifestOf(apps)) }, event, ...WITH_GITHUB },
          env: { ...VARIABLES, GITHUB_RUN_ID: String(7_000 + place) },
        },
      ),
    )
    const step = await running.ended
    steps.push(step)
    const left = plane.deployments().map(({ name }) => String(name))
    const isCalm = step.parcels.every(({ fault }) => fault === undefined) && blow === undefined
    // A plan of deletions writes no comment, and so it deletes no second one.
    const mayComment = !isPlan || pull.state === 'open'
    const comments = gitHub.comments(NUMBER).filter(({ author }) => author !== 'eve').length
    wasCalm &&= isCalm
    untrue.push(
      ...wrongEnd(step),
      ...untruthsOfAny(scene, step, { secrets: GITHUB_SECRETS, perSecond: 120 }),
      ...untruthsOfPreviews(step, { left, apps, touched, isClosed: pull.state === 'closed', isCalm, wasCalm }),
      ...(isCalm && mayComment && comments > 1 ? ['2 comments'] : []),
    )
    scene.network.weather = () => undefined
    await scene.time.pause(20_000)
    await rest(scene, plane)
    const now = new Map(plane.deployments().map(({ id, name }) => [name, id]))
    // A rollout has adopted it where it did not know the files.
    const all = isAdopted ? others : [...others, NAMESAKE]
    untrue.push(...taken.filter((one) => isRevised(plane, one)).map(({ name }) => `${name} was revised`))
    untrue.push(...all.flatMap(({ name }) => (now.get(name) === idsBefore.get(name) ? [] : [`${name} was deleted`])))
  }
  return {
    rollouts: steps.length,
    kind: life.join(', '),
    end: steps.map(({ outputs }) => outputs['outcome'] ?? 'killed').join(', '),
    untrue: [...new Set([...untrue, ...gitHub.violations])],
    injected: sumOfCounts(injectedBy(plane), counts),
  }
}

/** What anyone can write, with the ids of deployments. */
function forged(ids: readonly string[]): string {
  return `${MARKER}<!-- began:1 --><!-- previews:${ids.join(' ')} -->\nI am the action.`
}

const isRevised = (plane: OpenSandbox, { name }: CreateDeployment): boolean =>
  readNamed(plane, name).some(({ revisions }) => revisions.length > 1)

const tooMany = (): string[] => Array.from({ length: 3_000 }, (_, index) => `docs/${index}.md`)

const UNLABELED = { name: 'pull_request', sha: HEAD, payload: { action: 'unlabeled', label: { name: 'preview' } } }

function chooseLife(chance: Chance): Happening[] {
  return oneOf<Happening[]>(
    [
      ['push', 'push', 'close'],
      ['push', 'close', 'late push'],
      ['push', 'close', 'close'],
      ['push', 'unlabel', 'push', 'close'],
      ['push', 'close', 'reopen', 'close'],
      ['close', 'late push'],
    ],
    chance,
  )
}

/** Some apps are images, which report no repository. */
const IMAGES = ['image', 'guest', 'planned']

function manifestOf(apps: readonly string[]): object {
  const git = { source: 'git_host', 'integration-id': INTEGRATION_ID, 'app-config-path': 'agent.json' }
  const image = { source: 'external_container', 'image-uri': 'registry.example/agent:1' }
  return {
    version: 1,
    defaults: { secrets: { MODEL_KEY: '${MODEL_KEY}' } },
    deployments: [
      ...apps.map((name) => ({ name, paths: [`apps/${name}/**`], ...(IMAGES.includes(name) ? image : git) })),
      { name: 'always', ...git },
    ],
  }
}

interface Left {
  /** The names that the control plane has. */
  left: readonly string[]
  apps: readonly string[]
  touched: readonly string[]
  isClosed: boolean
  isCalm: boolean
  /** All runs so far. */
  wasCalm: boolean
}

/** After another refusal for a rate limit, it is no warning any more. */
const hasFiles = ({ lines }: EndedStep): boolean => !lines.some((line) => line.includes('Continuing without the files'))

function untruthsOfPreviews(step: EndedStep, { left, apps, touched, isClosed, isCalm, wasCalm }: Left): string[] {
  const { outcome = 'none' } = step.outputs
  const ours = [...apps, 'always', 'former'].map((app) => `${app}-pr-${NUMBER}`)
  // That of another repository stays, and what is not known to be changed any more and could not be noted.
  const isUnknown = !wasCalm && !(touched.includes('image') && hasFiles(step))
  const stay = ['mail-pr-7', 'guest-pr-7', ...(isUnknown ? ['image-pr-7'] : [])]
  const still = ours.filter((name) => left.includes(name) && !stay.includes(name))
  if (outcome === 'torn-down' && isClosed && still.length > 0) return [`torn down, but ${still.join()} exist`]
  if (outcome !== 'deployed' && outcome !== 'unchanged') return []
  const isAsked = !step.error.includes('Could not read pull requests from GitHub')
  const rolledOut = resultsOf(step).map(({ name }) => name)
  const untouched = rolledOut.filter((name) => {
    const app = name.replace(`-pr-${NUMBER}`, '')
    return app !== 'always' && !touched.includes(app)
  })
  const missing = [...apps.filter((app) => touched.includes(app)), 'always'].filter(
    (app) => !rolledOut.includes(`${app}-pr-${NUMBER}`),
  )
  return [
    ...(isClosed && isAsked && isCalm ? [`${outcome} for a closed pull request`] : []),
    ...(hasFiles(step) && untouched.length > 0 ? [`${untouched.join()} without a changed file`] : []),
    ...(hasFiles(step) && missing.length > 0 ? [`${missing.join()} has no preview`] : []),
  ]
}
