import { z } from 'zod'
import { contentOf, departure, RELEASES, SERVICES, untruthsOfEnd, AT_ONCE } from '../shared/going-back.ts'
import { FAILING_READS, loseCreations } from '../shared/lost-answers.ts'
import { CONTAINER, GIT } from '../shared/rollouts.ts'
import { activeRevision, readDeployments } from '../shared/truth.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { strike, type Blow } from '../actors.ts'
import { oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { sumOfCounts, type SimulatedRun } from '../operation.ts'
import { askPlane, idOf, injectedBy, rest, reviseAs } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { begin, SECRETS } from './steps.ts'

export const HOUR_MS = 3_600_000
export const GO_BACK = { name: 'hello-agent', 'revision-id': 'previous', 'poll-interval': '1s', 'max-retries': '4' }

/** The action rollback with `previous`, and its reruns: they go back by one release, however often they run. */
export async function goingBack(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollback')
  const service = oneOf(SERVICES, chance)
  const basis = service === 'builds the ref' ? GIT : oneOf([GIT, CONTAINER], chance)
  const isTag = service === 'builds the ref' || chance() < 0.3
  const places = placesOf(service, chance)
  const order = scene.chance('order')
  const isOrdered = order() < 0.8
  const plane = scene.openPlane({
    seed: basis.seed,
    shows: (body) => (isOrdered ? body : inAnyOrder(body, order)),
    habits: { redeployReactivates: service === 'reactivates', redeployBuildsRef: service === 'builds the ref' },
  })
  await release(scene, plane, basis, { isTag, service })
  for (const place of places) await redeployAs(scene, plane, place)
  const before = readDeployments(plane)
  const { active, target } = departure(before[0])
  const isKilled = chance() < 0.5
  if (!isKilled) plane.setFaults(loseCreations(chance))
  const steps: EndedStep[] = []
  const ends: ReturnType<typeof activeRevision>[] = []
  const attempt = async (number: string, killAt?: number): Promise<void> => {
    const who = `attempt ${number}`
    const blow = killAt === undefined ? undefined : aKill(killAt, oneOf(['before', 'after'], chance))
    const { step } = strike(scene, who, blow, () =>
      begin(scene, who, GO_BACK, { action: 'rollback', env: { GITHUB_RUN_ATTEMPT: number } }),
    )
    steps.push(await step.ended)
    ends.push(activeRevision(readDeployments(plane)[0]))
  }
  await attempt('1', isKilled ? Math.floor(chance() * 9) : undefined)
  for (const next of chance() < 0.4 ? ['2', '3'] : ['2']) {
    await scene.time.pause(10_000)
    plane.setFaults(chance() < 0.5 ? [...FAILING_READS] : [], Math.floor(chance() * 1_000_000))
    await attempt(next)
  }
  await rest(scene, plane)
  const after = readDeployments(plane)
  const made = (after[0]?.revisions.length ?? 0) - (before[0]?.revisions.length ?? 0)
  const most = { reactivates: 0, repeats: 1, 'builds the ref': steps.length }[service]
  const now = contentOf(activeRevision(after[0]))
  const isAllowed = service === 'builds the ref' || [target, active].some((one) => contentOf(one) === now)
  return {
    rollouts: steps.length,
    kind: `a service that ${service}${isOrdered ? '' : ', and lists revisions in any order'}`,
    end: steps.map(({ outputs }) => outputs['outcome'] ?? 'killed').join(', '),
    untrue: [
      ...steps.flatMap(({ outputs }, place) => {
        return untruthsOfEnd(outputs, ends[place], target)
      }),
      ...(isAllowed ? [] : [`it went to ${now}, past ${contentOf(target)}`]),
      ...(made > most ? [`${made} revisions were made`] : []),
      ...steps.flatMap((step) => untruthsOfAny(scene, step, { secrets: SECRETS })),
    ],
    injected: sumOfCounts(injectedBy(plane), isKilled ? { kill: 1 } : {}),
  }
}

/** A list of revisions in another order each time; any other answer as it is. */
function inAnyOrder(body: unknown, chance: Chance): unknown {
  const list = revisionsIn.safeParse(body)
  if (!list.success) return body
  const { resources } = list.data
  const places = resources.map((one) => ({ one, at: chance() })).sort((one, other) => one.at - other.at)
  return { ...list.data, resources: places.map(({ one }) => one) }
}

/** A deployment has a name, too. */
const revisionsIn = z.looseObject({ resources: z.array(z.looseObject({ name: z.undefined().optional() })) })

function aKill(request: number, when: 'before' | 'after'): Blow {
  return { kind: 'kill', request, when }
}

/** What older rollbacks of others have deployed again: a service that reactivates may have left newer revisions. */
function placesOf(service: (typeof SERVICES)[number], chance: () => number): readonly number[] {
  switch (service) {
    case 'reactivates':
      return chance() < 0.4 ? oneOf([[2], [1, 2], [2, 1]], chance) : []
    case 'repeats':
      return chance() < 0.4 ? [2] : []
    case 'builds the ref':
      return []
  }
}

/** Another release after another, each an hour after the one before. */
export async function release(
  scene: Scene,
  plane: OpenSandbox,
  { asked }: typeof GIT,
  { isTag, service }: { isTag: boolean; service: (typeof SERVICES)[number] },
): Promise<void> {
  for (let count = 2; count <= RELEASES; count++) {
    await scene.time.pause(HOUR_MS)
    // Of a service that builds the ref again: all tags have moved, except for the newest one.
    const isMoved = count < RELEASES || service !== 'builds the ref'
    plane.setScript({ ...AT_ONCE, ...(isMoved && { repoCommitSha: String(count).repeat(40) }) })
    const { source_revision_config: config } = asked
    const own =
      'image_uri' in config
        ? { image_uri: `registry.example/agent:v${count}` }
        : { ...config, ...(isTag && { repo_ref: `refs/tags/v${count}` }) }
    await reviseAs(plane, { secrets: asked.secrets, source_revision_config: own })
  }
  await scene.time.pause(HOUR_MS)
  plane.setScript({})
}

/** As another client does, earlier. */
async function redeployAs(scene: Scene, plane: OpenSandbox, place: number): Promise<void> {
  const revision = readDeployments(plane)[0]?.revisions[place]
  await askPlane(plane, 'POST', `/v2/deployments/${idOf(plane)}/revisions/${revision?.id ?? ''}/redeploy`)
  await scene.time.pause(HOUR_MS)
}
