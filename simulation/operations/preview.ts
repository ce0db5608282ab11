import type { InputValue, RunEvent } from '../../demo/runner.ts'
import { INTEGRATION_ID } from '../../__tests__/e2e/given.ts'
import { WAYS } from '../shared/rollouts.ts'
import { phaseOf } from '../../sandbox/lifecycle.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { markerOf } from '../../src/notes/comment-head.ts'
import { chooseBlow, strike } from '../actors.ts'
import { oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { openGitHub, type Comment, type GitHubApi } from '../github.ts'
import { sumOfCounts, type SimulatedRun } from '../operation.ts'
import { plainUntruths, readNamed } from '../plain-truth.ts'
import { injectedBy, rest } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { counted, losingComments, stormWithGitHub } from '../weather.ts'
import { begin, GITHUB_SECRETS, WITH_GITHUB } from './steps.ts'

const NUMBER = 7
export const HEAD = 'f'.repeat(40)
export const PREVIEW_NAME = `hello-agent-pr-${NUMBER}`
/** The marker of our comment, and a text of somebody else. */
const FORGED = `${markerOf(PREVIEW_NAME)}\nI am the action.`
/** Neither of these is the preview. */
const OTHERS = ['hello-agent', 'hello-agent-pr-70', 'hello-agent-pr-7-b', 'hello-agent-pr-8']
export const PREVIEW_INPUTS: Readonly<Record<string, InputValue>> = {
  name: 'hello-agent',
  preview: true,
  source: 'git_host',
  'integration-id': INTEGRATION_ID,
  'app-config-path': 'agent.json',
  secrets: 'MODEL_KEY=correct-horse-battery\nSEARCH_KEY=staple-in-the-hay',
  'request-timeout': '6s',
  'max-retries': '4',
  timeout: '5m',
}

type Happening = 'push' | 'close' | 'reopen' | 'late push'

/** The life of a pull request with a preview: its events come in any order, and each run may fail, be killed or rerun. */
export async function previewOfPull(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('preview')
  const gitHub = openGitHub(scene)
  const pull = gitHub.seedPullRequest(NUMBER, { branch: 'feature/greeting' })
  const seed = OTHERS.map((name) => ({
    ...{ name, source: 'internal_template' as const, source_config: {}, source_revision_config: {}, secrets: [] },
  }))
  const plane = scene.openPlane({ seed })
  const forge = (): Comment[] => (chance() < 0.3 ? [gitHub.comment(NUMBER, 'eve', FORGED)] : [])
  const forged = forge()
  const environment = chance() < 0.5 ? 'preview' : ''
  const steps: EndedStep[] = []
  const untrue: string[] = []
  const counts: Record<string, number> = {}
  const life = chooseLife(chance)
  for (const [place, happening] of life.entries()) {
    if (happening === 'close') pull.state = 'closed'
    if (happening === 'reopen') pull.state = 'open'
    // A lost write is recognised by the commit, too.
    plane.setScript({ ...oneOf(WAYS, chance), repoCommitSha: HEAD })
    const wind = scene.chance('weather', String(place))
    const weather = stormWithGitHub(oneOf([0, 0, 0.05, 0.15], chance), wind)
    scene.network.weather = counted(chance() < 0.15 ? losingComments(weather, wind) : weather, counts)
    forged.push(...forge())
    const before = readNamed(plane, PREVIEW_NAME)
    const kept = gitHub.deployments().length
    const who = `run ${place + 1}`
    const blow = chance() < 0.2 ? chooseBlow(chance, { mostRequests: 20, mostMs: 15_000 }) : undefined
    const around = { event: previewEvent(happening), ...WITH_GITHUB, env: { GITHUB_RUN_ID: String(7_000 + place) } }
    const { step: running, wrongEnd } = strike(scene, who, blow, () =>
      begin(scene, who, { ...PREVIEW_INPUTS, environment }, around),
    )
    const step = await running.ended
    steps.push(step)
    const comments = gitHub.comments(NUMBER).filter(({ author }) => author !== 'eve')
    // Faults may keep a comment from being updated; it then shows less, and a warning says so.
    const isCalm = step.parcels.every(({ fault }) => fault === undefined) && blow === undefined
    untrue.push(
      ...plainUntruths({ step, before, after: readNamed(plane, PREVIEW_NAME), most: 1 }),
      ...untruthsOfPreview(step, plane, pull.state),
      ...(isCalm ? untruthsOfComment(step, comments, readNamed(plane, PREVIEW_NAME).length) : []),
      ...(comments.length > 1 && isCalm ? [`${comments.length} comments`] : []),
      // Without one of its own, the newest is that of an earlier run.
      ...(gitHub.deployments().length > kept ? untruthsOfDeployments(step, gitHub) : []),
      ...wrongEnd(step),
      ...untruthsOfAny(scene, step, { secrets: GITHUB_SECRETS }),
    )
    scene.network.weather = () => undefined
    await scene.time.pause(20_000)
    await rest(scene, plane)
    if (chance() < 0.1) for (const { id } of comments) gitHub.deleteComment(id)
  }
  const left = plane.deployments().map(({ name }) => name)
  return {
    rollouts: steps.length,
    kind: life.join(', '),
    end: steps.map(({ outputs }) => outputs['outcome'] ?? 'killed').join(', '),
    untrue: [
      ...untrue,
      ...OTHERS.filter((name) => !left.includes(name)).map((name) => `${name} was deleted`),
      ...OTHERS.filter((name) => (readNamed(plane, name)[0]?.revisions.length ?? 1) > 1).map(
        (name) => `${name} was revised`,
      ),
      ...untruthsOfForged(forged, gitHub.comments(NUMBER)),
      ...gitHub.violations,
    ],
    injected: sumOfCounts(injectedBy(plane), counts),
  }
}

/** Anyone can copy the marker of a comment. */
function untruthsOfForged(forged: readonly Comment[], now: readonly Comment[]): string[] {
  const kept = forged.filter(({ id }) => now.some((one) => one.id === id && one.body === FORGED))
  return kept.length === forged.length ? [] : ['a comment of another author was changed or deleted']
}

function chooseLife(chance: Chance): Happening[] {
  return oneOf<Happening[]>(
    [
      ['push', 'push', 'close'],
      ['push', 'close', 'late push'],
      ['push', 'close', 'close'],
      ['push', 'close', 'reopen', 'close'],
      ['close', 'late push'],
      ['push', 'push', 'push'],
    ],
    chance,
  )
}

export function previewEvent(happening: Happening): RunEvent {
  const action = { push: 'synchronize', close: 'closed', reopen: 'reopened', 'late push': 'synchronize' }[happening]
  return { name: 'pull_request', sha: HEAD, payload: { action } }
}

/** A preview exists only as long as its pull request is open, as far as GitHub says so. */
function untruthsOfPreview({ outputs, error }: EndedStep, plane: OpenSandbox, state: string): string[] {
  const { outcome = 'none' } = outputs
  const isAsked = !error.includes('Could not read pull requests from GitHub')
  const isThere = readNamed(plane, PREVIEW_NAME).length > 0
  const isGone = outcome === 'torn-down' || outcome === 'nothing-to-tear-down'
  return [
    ...(isGone && isThere ? [`${outcome}, but the preview exists`] : []),
    ...(isGone && state === 'open' ? [`${outcome}, but the pull request is open`] : []),
    ...(outcome === 'deployed' && state === 'closed' && isAsked ? ['deployed for a closed pull request'] : []),
  ]
}

function untruthsOfComment({ outputs }: EndedStep, comments: readonly Comment[], previews: number): string[] {
  const { outcome, 'revision-id': revisionId } = outputs
  const body = comments.at(-1)?.body
  if (body === undefined) return outcome === 'nothing-to-tear-down' ? [] : [`${outcome ?? 'none'} without a comment`]
  const says = /is deployed\./.test(body)
  return [
    ...(outcome === 'deployed' && !says ? ['deployed, and the comment does not say so'] : []),
    ...(outcome !== 'deployed' && says ? [`${outcome ?? 'none'}, and the comment says that it is deployed`] : []),
    ...(outcome === 'deployed' && !body.includes(revisionId?.slice(0, 8) ?? 'none')
      ? ['the comment lacks the revision']
      : []),
    ...(outcome === 'torn-down' && previews === 0 && !/is deleted/.test(body)
      ? ['deleted, and the comment does not say so']
      : []),
  ]
}

/** No GitHub Deployment says that a rollout succeeded that did not, and none stays active for what is deleted. */
function untruthsOfDeployments(step: EndedStep, gitHub: GitHubApi): string[] {
  const { outcome = 'none' } = step.outputs
  const states = gitHub.deployments().map(({ statuses }) => statuses.at(-1)?.state ?? 'none')
  const isCalm = step.exitCode !== undefined && step.parcels.every(({ fault }) => fault === undefined)
  const isDone = outcome === 'deployed'
  return [
    ...(isCalm && isDone && states.at(-1) !== 'success'
      ? [`deployed, and the GitHub Deployment is ${states.join()}`]
      : []),
    ...(outcome === 'failed' && phaseOf(step.outputs['status'] ?? '') === 'terminal' && states.at(-1) === 'success'
      ? ['failed, and the GitHub Deployment is a success']
      : []),
    ...(isCalm && outcome === 'torn-down' && states.some((state) => state === 'success')
      ? [`torn down, and the GitHub Deployments are ${states.join()}`]
      : []),
  ]
}
