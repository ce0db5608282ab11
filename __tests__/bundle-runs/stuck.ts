import { aWorld, type World } from '../e2e/stage.ts'
import { until } from '../places/here.ts'

export const INPUTS = { environment: 'preview' }

/** A preview whose build never ends. */
export async function stuck(): Promise<World> {
  const world = await aWorld({ sandbox: { script: { statuses: [{ status: 'BUILDING', ms: Infinity }] } } })
  world.gitHub.seedPullRequest(7)
  return world
}

/** Resolves when the comment and the GitHub Deployment show that the rollout is under way. */
export async function isShown({ gitHub }: World): Promise<void> {
  const isCommented = (): boolean => gitHub.comments(7).length > 0
  await until(isCommented)
  await until(() => gitHub.deployments()[0]?.statuses.at(-1)?.state === 'in_progress')
}
