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

/** The apps of a repository. */
interface Apps {
  names: readonly string[]
  /** The one with a variable of its own. */
  keyed: string
  pushes: readonly number[]
  /** The shares of the apps that a commit changes. */
  changes: readonly number[]
  /** The share of the rollouts that fail. */
  failures: number
  /** How often a push has `only`, and the names that each of its patterns means. */
  onlyShare: number
  named: Readonly<Record<string, readonly string[]>>
}

const FEW: Apps = {
  names: ['web', 'mail', 'image', 'free'],
  keyed: 'mail',
  pushes: [3, 4, 5],
  changes: [0.4],
  failures: 0.25,
  onlyShare: 0.2,
  named: { 'web\nim*': ['web', 'image'], '*\n!web': ['mail', 'image', 'free'], 'm?il': ['mail'] },
}

const IMAGES = Array.from({ length: 23 }, (_, index) => `image-${String(index + 1).padStart(2, '0')}`)
/** So many that a push of all has one GitHub Deployment for all, and a push of some has one for each. */
const MANY: Apps = {
  names: IMAGES,
  keyed: 'image-02',
  pushes: [3, 4],
  changes: [0.1, 0.9],
  failures: 0.05,
  onlyShare: 0.5,
  named: { 'image-0?': IMAGES.slice(0, 9), '*\n!image-0?': IMAGES.slice(9), 'image-*\n!image-01': IMAGES.slice(1) },
}

type Numbers = Readonly<Record<string, number>>

/** What each app has at a commit: a number for the content of its files, and one for its text in the manifest. */
interface Commit {
  sha: string
  files: Numbers
  texts: Numbers
  defaults: number
  /** Files beside those of the apps: GitHub lists the first 300 files only. */
  others: number
}

const VARIABLES = { MODEL_KEY: 'correct-horse-battery' }
const OWN_KEY = { OWN_KEY: 'staple-in-the-hay' }

/** Pushes that roll out what has changed, or what `only` names. Some fail, some are killed, and some go back. */
export async function changedFleet(scene: Scene): Promise<SimulatedRun> {
  return await pushesTo(scene, FEW)
}

/** Images report no commit. GitHub Deployments that are not for all of them have it. */
export async function changedImages(scene: Scene): Promise<SimulatedRun> {
  return await pushesTo(scene, MANY)
}

async function pushesTo(scene: Scene, apps: Apps): Promise<SimulatedRun> {
  const { names } = apps
  const chance = scene.chance('changed-fleet')
  const gitHub = openGitHub(scene)
  const plane = scene.openPlane({})
  const first = firstCommit(names)
  const commits: Commit[] = [first]
  /** The commit of the run that has made a revision, by its id. */
  const madeFrom = new Map<string, Commit>()
  const counts: Record<string, number> = {}
  const steps: EndedStep[] = []
  const untrue: string[] = []
  const pushes = oneOf(apps.pushes, chance)
  for (let place = 0; place < pushes; place++) {
    if (place > 0) commits.push(nextCommit(commits, place, chance, apps))
    // A run of an earlier push may come late.
    const head = (place > 1 && chance() < 0.2 ? commits.at(-3) : commits.at(-1)) ?? first
    showOnGitHub(gitHub, commits, apps)
    plane.setScript((deployment) => ({
      ...wayOf(apps, scene.chance('way', `${place} ${deployment.name}`)),
      ...(isImage(deployment.name) ? {} : { repoCommitSha: head.sha }),
    }))
    const share = place === 0 ? 0 : oneOf([0, 0, 0.05, 0.15], chance)
    scene.network.weather = counted(stormWithGitHub(share, scene.chance('weather', String(place))), counts)
    const blow = place > 0 && chance() < 0.4 ? chooseBlow(chance, { mostRequests: 40, mostMs: 60_000 }) : undefined
    const since = oneOf(['deployed', 'deployed', 'deployed', commits[0]?.sha ?? ''], chance)
    const only = place > 0 && chance() < apps.onlyShare ? oneOf(Object.keys(apps.named), chance) : 'all'
    const hasKey = place === 0 || chance() < 0.8
    const asking = new Map(names.map((app) => [app, asksFor(app, head, since, { plane, madeFrom, commits })]))
    const from = plane.requests.length
    const { step: running, wrongEnd } = strike(scene, `push ${place + 1}`, blow, () =>
      begin(scene, `push ${place + 1}`, inputsOf(since, only), {
        ...{ action: 'fleet', files: { 'fleet.yml': manifestAt(head, apps) }, ...WITH_GITHUB },
        event: { name: 'push', sha: head.sha },
        env: { ...VARIABLES, ...(hasKey && OWN_KEY), GITHUB_RUN_ID: String(8_000 + place) },
      }),
    )
    const step = await running.ended
    steps.push(step)
    const results = resultsOf(step)
    const isLeftOut = (app: string): boolean =>
      !isImage(app) && asking.get(app) === false && areFilesKnown(head, commits)
    const isCalm = blow === undefined && step.parcels.every(({ fault }) => fault === undefined)
    untrue.push(
      ...wrongEnd(step),
      ...untruthsOfAny(scene, step, { secrets: GITHUB_SECRETS, perSecond: 120 }),
      ...untruthsOfSelection(results, asking, apps.named[only] ?? names),
      ...writesToNotSelected(plane, from, results),
      ...(!hasKey && isWritten(plane, from, apps.keyed) ? [`${apps.keyed} was written without its variable`] : []),
      ...(isCalm && since === 'deployed' && only === 'all' ? needless(results, asking, head, commits) : []),
      ...(isCalm && since === 'deployed' ? needlessVariable(step, hasKey || isLeftOut(apps.keyed)) : []),
    )
    scene.network.weather = () => undefined
    await scene.time.pause(20_000)
    await rest(scene, plane)
    const revisions = names.flatMap((app) => readNamed(plane, app)).flatMap((deployment) => deployment.revisions)
    for (const { id } of revisions) madeFrom.set(id, madeFrom.get(id) ?? head)
  }
  return {
    rollouts: steps.length,
    kind: `${pushes} pushes to ${names.length} apps`,
    end: steps.map(({ outputs }) => outputs['outcome'] ?? 'killed').join(', '),
    untrue: [...new Set([...untrue, ...gitHub.violations])],
    injected: sumOfCounts(injectedBy(plane), counts),
  }
}

function firstCommit(names: readonly string[]): Commit {
  const none = Object.fromEntries(names.map((app) => [app, 0]))
  return { sha: '1'.padEnd(40, 'c'), files: none, texts: none, defaults: 0, others: 0 }
}

function isImage(app: string): boolean {
  return app.startsWith('image')
}

function wayOf({ failures }: Apps, chance: Chance): RolloutScript {
  return chance() < failures ? { ends: 'DEPLOY_FAILED' } : {}
}

/** A commit changes some apps, takes a change back, or changes the manifest. */
function nextCommit(commits: readonly Commit[], place: number, chance: Chance, { names, changes }: Apps): Commit {
  const last = commits.at(-1) ?? firstCommit(names)
  const sha = String(place + 1).padEnd(40, 'c')
  const isRevert = chance() < 0.5
  const earlier = oneOf(commits, chance)
  const change = (share: number, before: number, at: number): number => {
    if (chance() >= share) return before
    return isRevert ? at : place
  }
  const changed = (share: number, key: 'files' | 'texts'): Numbers =>
    Object.fromEntries(names.map((app) => [app, change(share, last[key][app] ?? 0, earlier[key][app] ?? 0)]))
  return {
    sha,
    files: changed(oneOf(changes, chance), 'files'),
    texts: changed(0.1, 'texts'),
    defaults: change(0.1, last.defaults, earlier.defaults),
    others: chance() < 0.15 ? last.others + 1 : last.others,
  }
}

/** GitHub compares trees. The files of many others come first. */
function showOnGitHub(gitHub: GitHubApi, commits: readonly Commit[], apps: Apps): void {
  gitHub.refs.set('heads/main', commits.at(-1)?.sha ?? '')
  for (const [index, base] of commits.entries()) {
    gitHub.seedFile(base.sha, 'fleet.yml', manifestAt(base, apps))
    for (const [place, head] of commits.entries()) {
      const status = place === index ? 'identical' : place > index ? 'ahead' : 'behind'
      gitHub.seedComparison(base.sha, head.sha, status, status === 'ahead' ? filesBetween(base, head, apps.names) : [])
    }
  }
}

function filesBetween(base: Commit, head: Commit, names: readonly string[]): string[] {
  const many = Array.from({ length: base.others === head.others ? 0 : 299 }, (_, index) => `a/${index}.md`)
  const changed = names.filter((app) => base.files[app] !== head.files[app])
  // Some changes move a file out of the folder.
  return [
    'README.md',
    ...many,
    ...changed.map((app) =>
      (head.files[app] ?? 0) % 2 === 0 ? `apps/${app}/one.py -> libs/${app}.py` : `apps/${app}/one.py`,
    ),
  ]
}

function manifestAt({ texts, defaults }: Commit, { names, keyed }: Apps): string {
  const git = { source: 'git_host', 'integration-id': INTEGRATION_ID, 'app-config-path': 'agent.json' }
  const image = { source: 'external_container', 'image-uri': 'registry.example/agent:1', 'if-unchanged': 'revise' }
  const deployments = names.map((name) => ({
    ...{ name, variables: { VERSION: `of-${texts[name] ?? 0}` } },
    ...(isImage(name) ? image : git),
    ...(name === 'free' ? {} : { paths: [`apps/${name}/**`] }),
    ...(name === keyed && { secrets: { OWN_KEY: '${OWN_KEY}' } }),
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
function asksFor(app: string, head: Commit, since: string, { plane, madeFrom, commits }: Known): boolean {
  const [deployment] = readNamed(plane, app)
  const newest = deployment?.revisions.at(-1)
  const active = activeRevision(deployment)
  if (app === 'free' || newest === undefined || newest.status !== 'DEPLOYED' || active?.id !== newest.id) return true
  const base = since === 'deployed' ? madeFrom.get(active.id) : commits.find(({ sha }) => sha === since)
  if (base === undefined) return true
  return base.files[app] !== head.files[app] || base.texts[app] !== head.texts[app] || base.defaults !== head.defaults
}

function untruthsOfSelection(
  results: Results,
  asking: ReadonlyMap<string, boolean>,
  named: readonly string[],
): string[] {
  return results.flatMap(({ name, outcome }) => {
    const isLeftOut = outcome === 'not-selected'
    if (isLeftOut && named.includes(name) && asking.get(name) === true)
      return [`${name} asks for a rollout, and is left out`]
    return !isLeftOut && !named.includes(name) ? [`${name} is not named, and takes part`] : []
  })
}

function writesToNotSelected(plane: OpenSandbox, from: number, results: Results): string[] {
  return results.flatMap(({ name, outcome }) =>
    outcome === 'not-selected' && isWritten(plane, from, name) ? [`${name} is not selected, and was written`] : [],
  )
}

/** Whether one of the requests from the given one on has written the deployment. */
function isWritten(plane: OpenSandbox, from: number, name: string): boolean {
  const writes = plane.requests.slice(from).filter(({ method }) => method !== 'GET')
  const ids = readNamed(plane, name).map(({ id }) => id)
  return writes.some(
    ({ path, body }) => ids.some((id) => path.includes(id)) || JSON.stringify(body ?? '').includes(`"name":"${name}"`),
  )
}

/** Without any fault, what does not ask for a rollout is left out, unless the files cannot be compared. */
function needless(
  results: Results,
  asking: ReadonlyMap<string, boolean>,
  head: Commit,
  commits: readonly Commit[],
): string[] {
  if (!areFilesKnown(head, commits)) return []
  return results.flatMap(({ name, outcome }) => {
    const isGit = name === 'web' || name === 'mail'
    return isGit && asking.get(name) === false && outcome !== 'not-selected' ? [`${name} takes part for nothing`] : []
  })
}

/** GitHub lists all files of each comparison with the newest commit. */
function areFilesKnown(head: Commit, commits: readonly Commit[]): boolean {
  return head === commits.at(-1) && commits.every(({ others }) => others === head.others)
}

/** @param isNeedless the variable is set, or its entry is not selected */
function needlessVariable({ annotations }: EndedStep, isNeedless: boolean): string[] {
  const isRequired = annotations.some(({ message }) => message.includes('OWN_KEY'))
  return isNeedless && isRequired ? ['a variable of an entry that is not selected is required'] : []
}
