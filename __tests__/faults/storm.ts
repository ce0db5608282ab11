import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createChance } from '../../sandbox/chance.ts'
import type { Fault } from '../../sandbox/faults.ts'
import { phaseOf } from '../../sandbox/lifecycle.ts'
import type { ActionRun } from '../../demo/runner.ts'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'
import type { CreateDeployment } from '../../sandbox/schemas.ts'
import { FASTER, step } from '../e2e/journey.ts'
import {
  ALL_CLASSES,
  FAULT_CLASSES,
  HELD_BACK_MS,
  LONG_REQUEST_TIMEOUT_S,
  REQUEST_TIMEOUT_S,
  type FaultClass,
  type StormClass,
} from './fault-classes.ts'
import { showIn, type Form } from './forms.ts'
import { chooseAfterStranger, chooseTwoAtOnce, PUSH_TO_MAIN, reviseAs, settled } from './others.ts'
import { chooseRollout, type Chance, type StormRollout } from './rollouts.ts'
import {
  activeRevision,
  readDeployments,
  secondOnes,
  untruths,
  type Case,
  type Made,
  type Said,
  type Shown,
} from './truth.ts'
import { secondOnesOfTwo, untruthsOfTwo } from './two-at-once.ts'

/** Runs with other clients, or with reruns: see stories.ts. */
export type StoryClass =
  'somebody in between' | 'going back again' | 'during a wave' | 'late activation' | 'renamed before a write'

/** One rollout in a storm, and what is untrue in its report. */
export interface StormRun extends Made {
  number: number
  faults: FaultClass | StoryClass
  kind: string
  outcome: string
  violations: string[]
  /** How often each fault was injected, and each deed of another client was done. */
  injected: Readonly<Record<string, number>>
  /** Its whole log, to find the cause. */
  raw: string
}

export function isWrong({ violations, secondRevisions, secondDeployments }: StormRun): boolean {
  return violations.length + secondRevisions + secondDeployments > 0
}

/** A deployment that no rollout is about. */
export const BYSTANDER: CreateDeployment = {
  name: 'bystander',
  source: 'external_container',
  source_config: {},
  source_revision_config: { image_uri: 'registry.example/other:1' },
  secrets: [],
}

/** Runs one rollout on a fresh control plane. The seed decides its kind and its end. */
export async function runInStorm(
  seed: number,
  number: number,
  classes: readonly FaultClass[] = ALL_CLASSES,
): Promise<StormRun> {
  const faults = classes[number % classes.length] ?? 'any fault'
  const { form = {}, others, ...storm } = FAULT_CLASSES[faults]
  const chance = createChance(seed * 100_003 + number)
  const app = await serveApp()
  const requestTimeout = `${storm.faults.some(isDelay) ? REQUEST_TIMEOUT_S : LONG_REQUEST_TIMEOUT_S}s`
  const rollout = chooseInStorm(others, chance, app.url, form)
  const { kind, stranger, second, optionalRoutes = true } = rollout
  const sandbox = await startSandbox({
    speed: 100,
    seed: [BYSTANDER, ...rollout.seed],
    shows: (body) => showIn(form, body),
    optionalRoutes,
  })
  app.answerBy(() => rollout.isWell(activeImage(sandbox)))
  try {
    sandbox.setScript(rollout.script)
    const revisionId = stranger && (await reviseAs(stranger.revision, sandbox))
    const strangers = revisionId === undefined || stranger?.isSame === true ? [] : [revisionId]
    const begun = readDeployments(sandbox)
    sandbox.setFaults([...storm.faults], Math.floor(chance() * 1_000_000))
    const from = sandbox.requests.length
    const runs = await Promise.all(
      [rollout, ...(second === undefined ? [] : [second])].map(async (one) => ({
        asked: one.asked,
        run: await report(sandbox, { 'request-timeout': requestTimeout, ...one.inputs }),
      })),
    )
    await rest(sandbox)
    sandbox.setFaults([])
    const patch = sandbox.requests.slice(from).findLast(({ method }) => method === 'PATCH')
    // A rollback sends a PATCH of its own.
    const isPatchAnswered = kind !== 'verify' && patch?.fault === undefined && patch?.status === 200
    const after = readDeployments(sandbox)
    const before = stranger === undefined ? begun : settled(begun, after)
    const cases = runs.map(({ asked, run }): Case => ({
      before,
      after,
      asked,
      said: run,
      form,
      isPatchAnswered,
      strangers,
    }))
    const bystander = readDeployments(sandbox, BYSTANDER.name)[0]
    const [held, other] = cases
    if (held === undefined) throw new Error('no run has reported')
    const violations = [
      ...(other === undefined ? untruths(held) : untruthsOfTwo(held, other)),
      ...(bystander?.revisions.length === 1 ? [] : ['another deployment was changed']),
    ]
    const made = other === undefined ? secondOnes(held, kind === 'verify') : secondOnesOfTwo(held)
    const outcome = runs
      .map(({ run }) => run.outputs['outcome'] ?? 'none')
      .sort()
      .join(' + ')
    const raw = runs.map(({ run }) => run.raw).join('\n')
    return { number, faults, kind, outcome, violations, ...made, injected: injectedIn(sandbox), raw }
  } finally {
    await app.close()
    await sandbox.close()
  }
}

export function isDelay({ effect }: Fault): boolean {
  return effect.kind === 'delay' || (effect.kind === 'act-later' && effect.answer.kind === 'delay')
}

/** @param site where the app of a rollout answers */
export function chooseInStorm(
  others: StormClass['others'],
  chance: Chance,
  site: string,
  { hidden = [] }: Form,
): StormRollout {
  switch (others) {
    case 'stranger':
      return chooseAfterStranger(chance)
    case 'second run':
      return chooseTwoAtOnce(chance)
    case undefined:
      return chooseRollout(chance, site, hidden.includes('shareable'))
  }
}

/** Runs the action. Returns its outputs, its annotations and its log. */
async function report(sandbox: Sandbox, inputs: StormRollout['inputs']): Promise<Said & Pick<StormRun, 'raw'>> {
  const fixed = { 'protect-newer': false, 'max-retries': 4 }
  // A lost write is recognised by the commit, too.
  const around = { ...FASTER, event: PUSH_TO_MAIN }
  return await saidBy(await step(sandbox, { ...fixed, ...inputs, timeout: '10m' }, around))
}

/** What a run has reported. Removes its files. */
export async function saidBy(run: ActionRun): Promise<Said & Pick<StormRun, 'raw'>> {
  await run.dispose()
  const { outputs, raw, annotations } = run
  return { outputs, raw, error: annotations.map(({ message }) => message).join('\n') }
}

/** How often each kind of fault was injected, and each kind of deed done. */
export function injectedIn({ requests, deeds }: Sandbox): StormRun['injected'] {
  const faults = requests.flatMap(({ fault, status }) =>
    fault === undefined ? [] : [fault === 'status' ? String(status) : fault],
  )
  const kinds = [...faults, ...deeds().map(({ kind }) => `others ${kind}`)]
  return Object.fromEntries(
    Object.entries(Object.groupBy(kinds, (kind) => kind)).map(([kind, all = []]) => [kind, all.length]),
  )
}

/** Resolves when no request is held back any more and every revision has ended: only then the state is final. */
export async function rest(sandbox: Sandbox, now = Date.now): Promise<void> {
  for (;;) {
    const since = now() - HELD_BACK_MS
    const isHeldBack = sandbox.requests.some(({ at, status }) => status === 0 && at > since)
    const names = sandbox.deployments().map(({ name }) => name)
    const revisions = names.flatMap((name) => readDeployments(sandbox, name)).flatMap((one) => one.revisions)
    if (!isHeldBack && sandbox.late() === 0 && revisions.every(({ status }) => phaseOf(status) === 'terminal')) return
    await pause(20)
  }
}

export function activeImage(sandbox: Shown, name?: string): string {
  return String(activeRevision(readDeployments(sandbox, name)[0])?.source_revision_config['image_uri'])
}

/** The app that is rolled out, on a server of its own, which responds with 200 or 500. */
export async function serveApp() {
  let isWell: (name: string) => boolean = () => false
  const server = createServer(({ url = '' }, response) => response.writeHead(isWell(url.slice(1)) ? 200 : 500).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`,
    /** @param judge takes the path that is read, without its first slash */
    answerBy: (judge: (name: string) => boolean) => {
      isWell = judge
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
