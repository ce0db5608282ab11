import { ControlPlaneError } from '../../control-plane/errors.ts'
import { PAGE_SIZE } from '../../control-plane/paginate.ts'
import { editDistance } from '../../sources/nearest.ts'
import type { ReadDependencies } from '../dependencies.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { SIMILAR_NAME_MS } from '../timing.ts'

/**
 * Finds a deployment that the name of a new one is probably a typo of, on one page of the list.
 * @returns its name; undefined if there is none, or if the list cannot be read
 */
export async function findSimilarName(
  { target, warnsOfTypo }: Pick<RolloutRequest, 'target' | 'warnsOfTypo'>,
  { controlPlane, clock, deadline }: ReadDependencies,
): Promise<string | undefined> {
  if (warnsOfTypo !== true || target.kind === 'id') return undefined
  try {
    const brief = controlPlane.within(Math.min(deadline, clock.now() + SIMILAR_NAME_MS))
    const { resources } = await brief.listDeployments({ limit: PAGE_SIZE, offset: 0 })
    const own = resources.filter(({ isPreviewBuild }) => isPreviewBuild !== true)
    return own.find(({ name }) => isProbableTypo(target.name, name))?.name
  } catch (thrown) {
    if (thrown instanceof ControlPlaneError) return undefined
    throw thrown
  }
}

const MOST_LETTERS = 2

/**
 * Whether two names differ by one or two letters. Digits do not count, as `agent-1` and `agent-2` are two deployments. A
 * short word with other letters is another word, as in `agent-eu` and `agent-us`.
 */
export function isProbableTypo(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)]
  if (words.length !== others.length) return words.join('') === others.join('')
  const distances = words.map((word, place) => {
    const second = others[place] ?? ''
    const distance = editDistance(word, second)
    const most = Math.floor((Math.max(word.length, second.length) + 1) / 3)
    return distance > most ? Infinity : distance
  })
  const letters = distances.reduce((sum, distance) => sum + distance, 0)
  return letters > 0 && letters <= MOST_LETTERS
}

const wordsOf = (name: string): string[] => name.toLowerCase().match(/[a-z]+/g) ?? []
