import type { InputValue } from '../../demo/runner.ts'
import { createChance } from '../../sandbox/chance.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { resultsOf, rollOutFleet, type Manifest } from '../e2e/fleets.ts'
import { FASTER } from '../e2e/journey.ts'
import {
  ALL_CLASSES,
  FAULT_CLASSES,
  LONG_REQUEST_TIMEOUT_S,
  REQUEST_TIMEOUT_S,
  type FaultClass,
  type StormClass,
} from './fault-classes.ts'
import { showIn } from './forms.ts'
import { PUSH_TO_MAIN } from './others.ts'
import { chooseRollout, oneOf, type Chance, type StormRollout } from './rollouts.ts'
import { activeImage, BYSTANDER, injectedIn, isDelay, rest, serveApp, type StormRun } from './storm.ts'
import { readDeployments, secondOnes, untruths } from './truth.ts'

/** Deployments of each fleet. */
export const FLEET_SIZE = 12

/** No other client revises the deployments of a fleet. */
export const FLEET_CLASSES = ALL_CLASSES.filter((name) => {
  const { others }: StormClass = FAULT_CLASSES[name]
  return others === undefined
})

/** Runs one fleet on a fresh control plane. Returns a run for each of its deployments. The seed decides their ends. */
export async function runFleetInStorm(
  seed: number,
  number: number,
  classes: readonly FaultClass[] = FLEET_CLASSES,
): Promise<StormRun[]> {
  const faults = classes[number % classes.length] ?? 'any fault'
  const { form = {}, ...storm }: StormClass = FAULT_CLASSES[faults]
  const chance = createChance(seed * 200_003 + number)
  const app = await serveApp()
  const rollouts = chooseFleet(chance, app.url, form.hidden?.includes('shareable') === true)
  const sandbox = await startSandbox({
    speed: 100,
    seed: [BYSTANDER, ...rollouts.flatMap((one) => one.seed)],
    shows: (body) => showIn(form, body),
    script: (deployment, revision) =>
      rollouts.find(({ name }) => name === deployment.name)?.script(deployment, revision) ?? {},
  })
  app.answerBy((name) => rollouts.find((one) => one.name === name)?.isWell(activeImage(sandbox, name)) === true)
  try {
    const before = rollouts.map(({ name }) => readDeployments(sandbox, name))
    sandbox.setFaults([...storm.faults], Math.floor(chance() * 1_000_000))
    const inputs = {
      'request-timeout': `${storm.faults.some(isDelay) ? REQUEST_TIMEOUT_S : LONG_REQUEST_TIMEOUT_S}s`,
      'requests-per-second': '30',
      'max-parallel': oneOf(['3', '50%', '12'], chance),
      'max-failures': oneOf(['0', '100%', '100%', '100%'], chance),
      'max-retries': '4',
      timeout: '20m',
    }
    const run = await rollOutFleet(sandbox, manifestOf(rollouts), inputs, {
      ...FASTER,
      event: PUSH_TO_MAIN,
      env: SECRETS,
    })
    await run.dispose()
    await rest(sandbox)
    sandbox.setFaults([])
    const results = resultsOf(run)
    const wrong = [
      ...wrongFleet(run.outputs['outcome'], results),
      ...(readDeployments(sandbox, BYSTANDER.name)[0]?.revisions.length === 1
        ? []
        : ['another deployment was changed']),
    ]
    return rollouts.map(({ name, kind, asked }, index): StormRun => {
      const after = readDeployments(sandbox, name)
      const outputs = textsOf(results.find((result) => result.name === name))
      const annotations = run.annotations.filter(({ message }) => message.startsWith(`${name}: `))
      const error = [outputs['reason'] ?? '', ...annotations.map(({ message }) => message)].join('\n')
      const patch = sandbox.requests.findLast(
        ({ method, path }) => method === 'PATCH' && after.some(({ id }) => path.includes(id)),
      )
      const isPatchAnswered = kind !== 'verify' && patch?.fault === undefined && patch?.status === 200
      const held = { before: before[index] ?? [], after, asked, said: { outputs, error }, form, isPatchAnswered }
      const violations = [...untruths(held), ...(index === 0 ? wrong : [])]
      const made = secondOnes(held, kind === 'verify')
      const outcome = outputs['outcome'] ?? 'none'
      // Of the whole fleet.
      const injected = index === 0 ? injectedIn(sandbox) : {}
      return { number, faults, kind: 'in a fleet', outcome, violations, ...made, injected, raw: `${name}\n${run.raw}` }
    })
  } finally {
    await app.close()
    await sandbox.close()
  }
}

export type Named = StormRollout & { name: string }

function chooseFleet(chance: Chance, site: string, isShareable: boolean): Named[] {
  return Array.from({ length: FLEET_SIZE }, (_, index) => {
    const name = `agent-${index + 1}`
    const rollout = chooseRollout(chance, `${site}${name}`, isShareable)
    return { ...rollout, name, seed: rollout.seed.map((one) => ({ ...one, name })) }
  })
}

export const SECRETS = { MODEL_KEY: 'correct-horse-battery', SEARCH_KEY: 'staple-in-the-hay' }

export function manifestOf(rollouts: readonly Named[]): Manifest {
  const secrets = Object.fromEntries(Object.keys(SECRETS).map((name) => [name, `\${${name}}`]))
  return {
    defaults: { 'protect-newer': false },
    waves: [{ name: 'canary' }, { name: 'everyone' }],
    deployments: rollouts.map(({ name, inputs }, index) => {
      const own: Record<string, InputValue> = inputs
      return { ...own, name, secrets, wave: index < 4 ? 'canary' : 'everyone' }
    }),
  }
}

export function textsOf(result: Record<string, unknown> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(result).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

/** What is wrong in the report as a whole. */
export function wrongFleet(
  outcome: string | undefined,
  results: readonly { outcome: string }[],
  size = FLEET_SIZE,
): string[] {
  const areAll = results.length === size
  const areDeployed = areAll && results.every((one) => one.outcome === 'deployed' || one.outcome === 'unchanged')
  return [
    ...(areAll ? [] : [`${results.length} results`]),
    ...((outcome === 'deployed') === areDeployed ? [] : [`the fleet is ${outcome ?? 'nothing'}`]),
  ]
}
