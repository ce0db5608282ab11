import { INTEGRATION_ID } from '../../__tests__/e2e/given.ts'
import type { RolloutScript } from '../../sandbox/lifecycle.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { chooseBlow, strike } from '../actors.ts'
import { oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { openGitHub, type GitHubApi } from '../github.ts'
import { sumOfCounts, type SimulatedRun } from '../operation.ts'
import { readNamed } from '../plain-truth.ts'
import { injectedBy, rest } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { activeRevision } from '../shared/truth.ts'
import { counted, stormWithGitHub } from '../weather.ts'
import { resultsOf, type Results } from './fleet.ts'
import { begin, GITHUB_SECRETS, WITH_GITHUB } from './steps.ts'

const APPS = ['web', 'mail', 'image', 'free'] as const
type App = (typeof APPS)[number]

/** What each app has at a commit: a number for the content of its files, and one for its text in the manifest. */
interface Commit {
  sha: string
  files: Readonly<Record<App, number>>
  texts: Readonly<Record<App, number>>
  defaults: number
  /** Files beside those of the apps: GitHub lists the first 300 files only. */
  others: number
}

const WAYS: readonly RolloutScript[] = [{}, {}, {}, { ends: 'DEPLOY_FAILED' }]
const VARIABLES = { MODEL_KEY: 'correct-horse-battery' }

/** Pushes that roll out what has changed, or what `only` names. Some fail, some are killed, and some go back. */
export async function changedFleet(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('changed-fleet')
  const gitHub = openGitHub(scene)
  const plane = scene.openPlane({})
  const commits: Commit[] = [FIRST]
  /** The commit of the run that has made a revision, by its id. */
  const madeFrom = new Map<string, Commit>()
  const counts: Record<string, number> = {}
  const steps: EndedStep[] = []
  const untrue: string[] = []
  const pushes = oneOf([3, 4, 5], chance)
  for (let place = 0; place < pushes; place++) {
    if (place > 0) commits.push(nextCommit(commits, place, chance))
    // A run of an earlier push may come late.
    const head = (place > 1 && chance() < 0.2 ? commits.at(-3) : commits.at(-1)) ?? FIRST
    showOnGitHub(gitHub, commits)
    plane.setScript((deployment) => ({
      ...oneOf(WAYS, scene.chance('way', `${place} ${deployment.name}`)),
      ...(deployment.name === 'image' ? {} : { repoCommitSha: head.sha }),
    }))
    const share = place === 0 ? 0 : oneOf([0, 0, 0.05, 0.15], chance)
    scene.network.weather = counted(stormWithGitHub(share, scene.chance('weather', String(place))), counts)
    const blow = place > 0 && chance() < 0.4 ? chooseBlow(chance, { mostRequests: 40, mostMs: 60_000 }) : undefined
    const since = oneOf(['deployed', 'deployed', 'deployed', commits[0]?.sha ?? ''], chance)
    const only = place > 0 && chance() < 0.2 ? oneOf(['web\nim*', '*\n!web', 'm?il'], chance) : 'all'
    const asking = new Map(APPS.map((app) => [app, asksFor(app, head, since, { plane, madeFrom, commits })]))
    const from = plane.requests.length
    const { step: running, wrongEnd } = strike(scene, `push ${place + 1}`, blow, () =>
      begin(scene, `push ${place + 1}`, inputsOf(since, only), {
        ...{ action: 'fleet', files: { 'fleet.yml': manifestAt(head) }, ...WITH_GITHUB },
        event: { name: 'push', sha: head.sha },
        env: { ...VARIABLES, GITHUB_RUN_ID: String(8_000 + place) },
      }),
    )
    const step = await running.ended
    steps.push(step)
    const results = resultsOf(step)
    const isCalm = blow === undefined && step.parcels.every(({ fault }) => fault === undefined)
    untrue.push(
      ...wrongEnd(step),
      ...untruthsOfAny(scene, step, { secrets: GITHUB_SECRETS, perSecond: 120 }),
      ...untruthsOfSelection(results, asking, only),
      ...writesToNotSelected(plane, from, results),
      ...(isCalm && since === 'deployed' && only === 'all' ? needless(results, asking, head, commits) : []),
    )
    scene.network.weather = () => undefined
    await scene.time.pause(20_000)
    await rest(scene, plane)
    const revisions = APPS.flatMap((app) => readNamed(plane, app)).flatMap((deployment) => deployment.revisions)
    for (const { id } of revisions) madeFrom.set(id, madeFrom.get(id) ?? head)
  }
  return {
    rollouts: steps.length,
    kind: `${pushes} pushes`,
    end: steps.map(({ outputs }) => outputs['outcome'] ?? 'killed').join(', '),
    untrue: [...new Set([...untrue, ...gitHub.violations])],
    injected: sumOfCounts(injectedBy(plane), counts),
  }
}

const NONE = { web: 0, mail: 0, image: 0, free: 0 }
const FIRST: Commit = { sha: '1'.padEnd(40, 'c'), files: NONE, texts: NONE, defaults: 0, others: 0 }

/** A commit changes some apps, takes a change back, or changes the manifest. */
function nextCommit(commits: readonly Commit[], place: number, chance: Chance): Commit {
  const last = commits.at(-1) ?? FIRST
  const sha = String(place + 1).padEnd(40, 'c')
  const isRevert = chance() < 0.5
  const earlier = oneOf(commits, chance)
  const change = (share: number, before: number, at: number): number => {
    if (chance() >= share) return before
    return isRevert ? at : place
  }
  const changed = (share: number, key: 'files' | 'texts'): Commit['files'] => ({
    web: change(share, last[key].web, earlier[key].web),
    mail: change(share, last[key].mail, earlier[key].mail),
    image: change(share, last[key].image, earlier[key].image),
    free: change(share, last[key].free, earlier[key].free),
  })
  return {
    sha,
    files: changed(0.4, 'files'),
    texts: changed(0.1, 'texts'),
    defaults: change(0.1, last.defaults, earlier.defaults),
    others: chance() < 0.15 ? last.others + 1 : last.others,
  }
}

/** GitHub compares trees. The files of many others come first. */
function showOnGitHub(gitHub: GitHubApi, commits: readonly Commit[]): void {
  gitHub.refs.set('heads/main', commits.at(-1)?.sha ?? '')
  for (const [index, base] of commits.entries()) {
    gitHub.seedFile(base.sha, 'fleet.yml', manifestAt(base))
    for (const [place, head] of commits.entries()) {
      const status = place === index ? 'identical' : place > index ? 'ahead' : 'behind'
      gitHub.seedComparison(base.sha, head.sha, status, status === 'ahead' ? filesBetween(base, head) : [])
    }
  }
}

function filesBetween(base: Commit, head: Commit): string[] {
  const many = Array.from({ length: base.others === head.others ? 0 : 299 }, (_, index) => `a/${index}.md`)
  const changed = APPS.filter((app) => base.files[app] !== head.files[app])
  // Some changes move a file out of the folder.
  return [
    'README.md',
    ...many,
    ...changed.map((app) =>
      head.files[app] % 2 === 0 ? `apps/${app}/one.py -> libs/${app}.py` : `apps/${app}/one.py`,
    ),
  ]
}

function manifestAt({ texts, defaults }: Commit): string {
  const git = { source: 'git_host', 'integration-id': INTEGRATION_ID, 'app-config-path': 'agent.json' }
  const image = { source: 'external_container', 'image-uri': 'registry.example/agent:1', 'if-unchanged': 'revise' }
  const deployments = APPS.map((name) => ({
    ...{ name, variables: { VERSION: `of-${texts[name]}` } },
    ...(name === 'image' ? image : git),
    ...(name === 'free' ? {} : { paths: [`apps/${name}/**`] }),
  }))
  const shared = {
    'protect-newer': false,
    secrets: { MODEL_KEY: '${MODEL_KEY}' },
    'verify-timeout': `${defaults + 1}m`,
  }
  return JSON.stringify({ version: 1, defaults: shared, deployments })
}

function inputsOf(since: string, only: string) {
  return {
    ...{ manifest: 'fleet.yml', 'changed-since': since, only, environment: 'production' },
    ...{ 'request-timeout': '6s', 'requests-per-second': '30', 'max-retries': '4' },
    ...{ 'max-failures': '100%', timeout: '10m' },
  }
}

interface Known {
  plane: OpenSandbox
  madeFrom: ReadonlyMap<string, Commit>
  commits: readonly Commit[]
}

/** Whether its files, the manifest or its deployment ask for a rollout. */
function asksFor(app: App, head: Commit, since: string, { plane, madeFrom, commits }: Known): boolean {
  const [deployment] = readNamed(plane, app)
  const newest = deployment?.revisions.at(-1)
  const active = activeRevision(deployment)
  if (app === 'free' || newest === undefined || newest.status !== 'DEPLOYED' || active?.id !== newest.id) return true
  const base = since === 'deployed' ? madeFrom.get(active.id) : commits.find(({ sha }) => sha === since)
  if (base === undefined) return true
  return base.files[app] !== head.files[app] || base.texts[app] !== head.texts[app] || base.defaults !== head.defaults
}

const NAMED_BY: Readonly<Record<string, readonly App[]>> = {
  all: APPS,
  'web\nim*': ['web', 'image'],
  '*\n!web': ['mail', 'image', 'free'],
  'm?il': ['mail'],
}

function untruthsOfSelection(results: Results, asking: ReadonlyMap<string, boolean>, only: string): string[] {
  const named: readonly string[] = NAMED_BY[only] ?? []
  return results.flatMap(({ name, outcome }) => {
    const isLeftOut = outcome === 'not-selected'
    if (isLeftOut && named.includes(name) && asking.get(name) === true)
      return [`${name} asks for a rollout, and is left out`]
    return !isLeftOut && !named.includes(name) ? [`${name} is not named, and takes part`] : []
  })
}

function writesToNotSelected(plane: OpenSandbox, from: number, results: Results): string[] {
  const writes = plane.requests.slice(from).filter(({ method }) => method !== 'GET')
  return results.flatMap(({ name, outcome }) => {
    if (outcome !== 'not-selected') return []
    const ids = readNamed(plane, name).map(({ id }) => id)
    const isWritten = writes.some(
      ({ path, body }) =>
        ids.some((id) => path.includes(id)) || JSON.stringify(body ?? '').includes(`"name":"${name}"`),
    )
    return isWritten ? [`${name} is not selected, and was written`] : []
  })
}

/** Without any fault, what does not ask for a rollout is left out, unless the files cannot be compared. */
function needless(
  results: Results,
  asking: ReadonlyMap<string, boolean>,
  head: Commit,
  commits: readonly Commit[],
): string[] {
  const isComparable = head === commits.at(-1) && commits.every(({ others }) => others === head.others)
  if (!isComparable) return []
  return results.flatMap(({ name, outcome }) => {
    const isGit = name === 'web' || name === 'mail'
    return isGit && asking.get(name) === false && outcome !== 'not-selected' ? [`${name} takes part for nothing`] : []
  })
}
