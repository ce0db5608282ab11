import type { Fault } from '../../sandbox/faults.ts'
import { createChance } from '../../sandbox/chance.ts'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'
import { API_KEY, FASTER, step } from '../e2e/journey.ts'
import { LONG_REQUEST_TIMEOUT_S } from './fault-classes.ts'
import { FAILING_READS, loseCreations } from './lost-answers.ts'
import { PUSH_TO_MAIN, reviseAs } from './others.ts'
import { CONTAINER, GIT, oneOf } from './rollouts.ts'
import { SandboxClock } from './sandbox-clock.ts'
import { injectedIn, rest, saidBy, type StormRun } from './storm.ts'
import { activeRevision, readDeployments, type DeploymentState } from './truth.ts'
import { here } from '../places/here.ts'

/** The action rollback with `previous`, and its reruns: they go back by one release, however often they run. */

export const SERVICES = ['reactivates', 'reactivates', 'repeats', 'builds the ref'] as const
type Revision = DeploymentState['revisions'][number]

export const AT_ONCE = { statuses: [{ status: 'DEPLOYED', ms: Infinity }] }
export const RELEASES = 4

export async function runGoingBack(seed: number, number: number): Promise<StormRun> {
  const chance = createChance(seed * 700_001 + number)
  const service = oneOf(SERVICES, chance)
  const clock = new SandboxClock()
  const basis = service === 'builds the ref' ? GIT : oneOf([GIT, CONTAINER], chance)
  const isTag = service === 'builds the ref' || chance() < 0.3
  const sandbox = await startSandbox({
    now: clock.now,
    speed: 5,
    seed: basis.seed,
    habits: { redeployReactivates: service === 'reactivates', redeployBuildsRef: service === 'builds the ref' },
  })
  try {
    await release(sandbox, clock, basis, { isTag, service })
    const places = service === 'reactivates' && chance() < 0.4 ? oneOf([[2], [1, 2], [2, 1]], chance) : []
    for (const place of places) await redeployAs(sandbox, place, clock)
    const before = readDeployments(sandbox)
    const { active, target } = departure(before[0])
    const killAt = chance() < 0.5 ? Math.floor(chance() * 9) : undefined
    const said = [
      await attempt(
        sandbox,
        '1',
        killAt,
        oneOf(['before', 'after'], chance),
        killAt === undefined ? loseCreations(chance) : [],
      ),
    ]
    const isAlreadyBack = contentOf(activeRevision(readDeployments(sandbox)[0])) !== contentOf(active)
    const isUnknown = !isAlreadyBack && places.length > 0
    const ends = [activeRevision(readDeployments(sandbox)[0])]
    for (const next of chance() < 0.4 ? ['2', '3'] : ['2']) {
      clock.jump(10_000)
      const faults = chance() < 0.5 ? [...FAILING_READS] : []
      sandbox.setFaults(faults, Math.floor(chance() * 1_000_000))
      said.push(await attempt(sandbox, next, undefined, 'before', faults))
      ends.push(activeRevision(readDeployments(sandbox)[0]))
    }
    await rest(sandbox, clock.now)
    const after = readDeployments(sandbox)
    const made = (after[0]?.revisions.length ?? 0) - (before[0]?.revisions.length ?? 0)
    const most = { reactivates: 0, repeats: 1, 'builds the ref': said.length }[service]
    const now = activeRevision(after[0])
    const allowed = [target, active].map(contentOf)
    const violations = [
      ...said.flatMap(({ outputs }, place) =>
        untruthsOfEnd(outputs, ends[place], target, isUnknown && place > 0 ? active : undefined),
      ),
      ...(service === 'builds the ref' || allowed.includes(contentOf(now))
        ? []
        : [`it went to ${contentOf(now)}, past ${contentOf(target)}`]),
    ]
    return {
      number,
      faults: 'going back again',
      kind: service,
      outcome: said.map(({ outputs }) => outputs['outcome'] ?? 'killed').join(', '),
      violations,
      secondRevisions: Math.max(0, made - most),
      secondDeployments: after.length - 1,
      injected: injectedIn(sandbox),
      raw: `active ${contentOf(active)}, to go back to ${contentOf(target)}; isUnknown ${String(isUnknown)}\n${said.map(({ raw }) => raw).join('\n--- rerun\n')}`,
    }
  } finally {
    await sandbox.close()
  }
}

/** Another release after another, each an hour after the one before. */
async function release(
  sandbox: Sandbox,
  clock: SandboxClock,
  { asked }: typeof GIT,
  { isTag, service }: { isTag: boolean; service: (typeof SERVICES)[number] },
): Promise<void> {
  for (let count = 2; count <= RELEASES; count++) {
    clock.jump(3_600_000)
    // Of a service that builds the ref again: all tags have moved, except for the newest one.
    const isMoved = count < RELEASES || service !== 'builds the ref'
    sandbox.setScript({ ...AT_ONCE, ...(isMoved && { repoCommitSha: String(count).repeat(40) }) })
    const { source_revision_config: config } = asked
    const own =
      'image_uri' in config
        ? { image_uri: `registry.example/agent:v${count}` }
        : { ...config, ...(isTag && { repo_ref: `refs/tags/v${count}` }) }
    await reviseAs({ secrets: asked.secrets, source_revision_config: own }, sandbox)
  }
  clock.jump(3_600_000)
  sandbox.setScript({})
}

/** As another client does, earlier. */
async function redeployAs(sandbox: Sandbox, place: number, clock: SandboxClock): Promise<void> {
  const [deployment] = readDeployments(sandbox)
  const path = `/v2/deployments/${deployment?.id ?? ''}/revisions/${deployment?.revisions[place]?.id ?? ''}/redeploy`
  const answer = await here().fetch(sandbox.url + path, { method: 'POST', headers: { 'x-api-key': API_KEY } })
  if (!answer.ok) throw new Error(`the redeploy was refused: ${await answer.text()}`)
  clock.jump(3_600_000)
}

/** The active revision, and the newest one before it that ended DEPLOYED. */
export function departure(deployment: DeploymentState | undefined): Record<'active' | 'target', Revision> {
  const active = activeRevision(deployment)
  const earlier = deployment?.revisions.slice(0, active && deployment.revisions.indexOf(active))
  const target = earlier?.findLast(({ status }) => status === 'DEPLOYED')
  if (active === undefined || target === undefined) throw new Error('there is nothing to go back to')
  return { active, target }
}

/** What a revision was made of. */
export function contentOf(revision: Revision | undefined): string {
  const { image_uri, repo_commit_sha } = revision?.source_revision_config ?? {}
  return [image_uri, repo_commit_sha].find((one) => typeof one === 'string') ?? 'nothing'
}

async function attempt(
  sandbox: Sandbox,
  number: string,
  killAt: number | undefined,
  when: 'before' | 'after',
  faults: readonly Fault[],
) {
  const killed = Promise.withResolvers<undefined>()
  const gone = Promise.withResolvers<undefined>()
  const meanwhile = async (): Promise<void> => {
    killed.resolve(undefined)
    await gone.promise
  }
  if (killAt !== undefined) sandbox.setFaults([{ match: {}, skip: killAt, effect: { kind: 'drop', when, meanwhile } }])
  else if (number === '1') sandbox.setFaults([...faults])
  const ended = await step(
    sandbox,
    {
      name: 'hello-agent',
      'revision-id': 'previous',
      'poll-interval': '1s',
      'request-timeout': `${LONG_REQUEST_TIMEOUT_S}s`,
      timeout: '10m',
      'max-retries': '4',
    },
    {
      action: 'rollback',
      ...FASTER,
      event: PUSH_TO_MAIN,
      env: { GITHUB_RUN_ATTEMPT: number },
      ...(killAt === undefined ? {} : { kill: { signal: 'SIGKILL', when: killed.promise } }),
    },
  )
  gone.resolve(undefined)
  sandbox.setFaults([])
  return await saidBy(ended)
}

/** @param orStays what may stay active where nothing shows whether an earlier attempt has gone back from it */
export function untruthsOfEnd(
  { outcome, 'revision-id': id }: Readonly<Record<string, string>>,
  active: Revision | undefined,
  target: Revision,
  orStays: Revision | undefined,
): string[] {
  const isDone = outcome === 'deployed' || outcome === 'unchanged'
  if (!isDone)
    return outcome === undefined || outcome === 'failed' || outcome === 'timed-out'
      ? []
      : [`an outcome that cannot be: ${outcome}`]
  return [
    ...(id === undefined || id === active?.id ? [] : [`${outcome}, but not active`]),
    ...([target, orStays].some((one) => one !== undefined && contentOf(one) === contentOf(active))
      ? []
      : [`${outcome}, but active is ${contentOf(active)}, not ${contentOf(target)}`]),
  ]
}
