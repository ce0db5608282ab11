import type { InputValue } from '../../demo/runner.ts'
import { PUSH_TO_MAIN } from '../shared/others.ts'
import type { Secret } from '../checks.ts'
import { GITHUB, TOKEN } from '../github.ts'
import { startStep, type RunningStep, type StepOptions } from '../runner.ts'
import { API_KEY, PLANE, type Scene } from '../scene.ts'

/** The secrets of the rollouts of the simulation, and who may receive them. */
export const SECRETS: readonly Secret[] = [
  { value: API_KEY, origins: [PLANE] },
  { value: 'correct-horse-battery', origins: [PLANE] },
  { value: 'staple-in-the-hay', origins: [PLANE] },
]

/** Starts a step against the simulated control plane, for a push to main. */
export function begin(
  scene: Scene,
  who: string,
  inputs: Readonly<Record<string, InputValue>>,
  around: Partial<StepOptions> = {},
): RunningStep {
  const fixed = { 'base-url': PLANE, 'api-key': API_KEY, ...PATIENT, ...inputs }
  return startStep(scene, { who, inputs: fixed, event: PUSH_TO_MAIN, ...around })
}

const PATIENT = { 'request-timeout': '100s', timeout: '10m' }

/** The steps that write to GitHub, or ask it. */
export const WITH_GITHUB = { token: TOKEN } as const
export const GITHUB_SECRETS: readonly Secret[] = [...SECRETS, { value: TOKEN, origins: [GITHUB] }]
