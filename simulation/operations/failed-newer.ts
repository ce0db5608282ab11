import type { InputValue, RunEvent } from '../../demo/runner.ts'
import { contentOf, departure, untruthsOfEnd } from '../shared/going-back.ts'
import { LAG } from '../shared/fault-classes.ts'
import { FAILING_READS } from '../shared/lost-answers.ts'
import { MAIN_COMMIT, PUSH_TO_MAIN } from '../shared/others.ts'
import { CONTAINER } from '../shared/rollouts.ts'
import { activeRevision, readDeployments } from '../shared/truth.ts'
import { oneOf } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { openGitHub } from '../github.ts'
import type { SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { GO_BACK, HOUR_MS, release } from './going-back.ts'
import { begin, GITHUB_SECRETS, WITH_GITHUB } from './steps.ts'

const BUTTON: RunEvent = { name: 'workflow_dispatch', sha: MAIN_COMMIT }
const IMAGE: Record<string, InputValue> = { name: 'hello-agent', 'image-uri': 'registry.example/agent:v9' }
/** The failure is older than what a replica may hide. */
const FAILS_AFTER_MS = 12_000
const RUN_ID = 7351

const KINDS = ['a workflow', 'a workflow', 'the run of a button', 'a later button', 'a button without GitHub'] as const

/**
 * A rollout fails, and its workflow goes on to the action rollback with `previous`: the good release stays. A button that
 * somebody presses later goes back by one release.
 */
export async function goingBackFromFailure(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollback')
  const kind = oneOf(KINDS, chance)
  const service = oneOf(['reactivates', 'repeats'] as const, chance)
  const plane = scene.openPlane({ seed: CONTAINER.seed, habits: { redeployReactivates: service === 'reactivates' } })
  const gitHub = openGitHub(scene)
  await release(scene, plane, CONTAINER, { isTag: false, service })
  const status = oneOf(['CREATE_FAILED', 'BUILD_FAILED', 'DEPLOY_FAILED', 'SKIPPED', 'INTERRUPTED'] as const, chance)
  const isButton = kind !== 'a workflow'
  const event = isButton ? BUTTON : PUSH_TO_MAIN
  const where: Record<string, InputValue> = chance() < 0.4 ? { environment: 'production' } : {}
  const faults = oneOf([[], LAG, FAILING_READS], chance)
  const { active, target } = departure(readDeployments(plane)[0])
  gitHub.runs.set(RUN_ID, scene.time.wallTime())
  const statuses = [
    { status: 'QUEUED', ms: FAILS_AFTER_MS },
    { status, ms: Infinity },
  ]
  plane.setScript({ statuses })
  plane.setFaults([...faults], Math.floor(chance() * 1_000_000))
  const isOtherRun = kind === 'a later button' || kind === 'a button without GitHub'
  const ofRollout = isOtherRun ? {} : where
  const failed = await begin(scene, 'rollout', { ...IMAGE, ...ofRollout }, { ...WITH_GITHUB, event }).ended
  plane.setScript({})
  if (isOtherRun) await scene.time.pause(HOUR_MS)
  if (kind === 'a later button') gitHub.runs.set(RUN_ID, scene.time.wallTime() + 1_000)
  if (kind === 'a button without GitHub')
    gitHub.fail({ path: /\/actions\/runs\//, status: oneOf([403, 404, 'hang up'], chance) })
  const before = readDeployments(plane)[0]
  const attempt = async (number: string): Promise<EndedStep> => {
    const env = { GITHUB_RUN_ATTEMPT: number }
    const about = { ...WITH_GITHUB, action: 'rollback', event, env } as const
    return await begin(scene, `attempt ${number}`, { ...GO_BACK, ...(isOtherRun ? {} : where) }, about).ended
  }
  const first = await attempt('1')
  const steps = !isOtherRun && chance() < 0.4 ? [first, await attempt('2')] : [first]
  await rest(scene, plane)
  const [after] = readDeployments(plane)
  const now = activeRevision(after)
  const hasAsked = gitHub.requests.some(({ path }) => path.includes('/actions/runs/'))
  return {
    rollouts: 1 + steps.length,
    kind: `after a failure: ${kind}`,
    end: [failed, ...steps].map(({ outputs }) => outputs['outcome'] ?? 'none').join(', '),
    untrue: [
      ...(isOtherRun
        ? steps.flatMap((step) => untruthsOfLeaving(step, now, target))
        : untruthsOfStaying(
            steps,
            contentOf(now) === contentOf(active),
            after?.revisions.length === before?.revisions.length,
          )),
      ...(!isButton && hasAsked ? ['GitHub was asked, and decides nothing'] : []),
      ...gitHub.violations,
      ...[failed, ...steps].flatMap((step) => untruthsOfAny(scene, step, { secrets: GITHUB_SECRETS })),
    ],
    injected: injectedBy(plane),
  }
}

function untruthsOfStaying(steps: readonly EndedStep[], isActive: boolean, isUnchanged: boolean): string[] {
  const wrong = steps.map(({ outputs }) => outputs['outcome'] ?? 'none').filter((outcome) => outcome !== 'failed')
  const says = steps.every(({ error }) => error.includes('so there is nothing to go back from'))
  return [
    ...wrong.map((outcome) => `after a failure, the rollback is ${outcome}`),
    ...(isActive ? [] : ['the release that served is left']),
    ...(isUnchanged ? [] : ['a revision was made']),
    ...(says ? [] : ['it does not say that the release serves']),
  ]
}

function untruthsOfLeaving(
  step: EndedStep,
  now: ReturnType<typeof activeRevision>,
  target: NonNullable<typeof now>,
): string[] {
  const isWarned = step.annotations.some(
    ({ level, message }) => level === 'warning' && message.includes('never served'),
  )
  return [
    ...untruthsOfEnd(step.outputs, now, target),
    ...(step.outputs['outcome'] === 'deployed' ? [] : [`the button is ${step.outputs['outcome'] ?? 'none'}`]),
    ...(isWarned ? [] : ['it goes back from a release that serves, without a warning']),
  ]
}
