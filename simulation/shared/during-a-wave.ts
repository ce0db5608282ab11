import type { Act, Deed } from '../../sandbox/other-clients.ts'
import { type RecordedRequest } from '../../sandbox/server.ts'
import { type Named } from './fleet-storm.ts'
import { actsOn } from './in-between.ts'
import type { readWithSecrets } from './intention.ts'
import { untruthsAmongOthers, type Intention } from './intention.ts'
import { MAIN_COMMIT } from './others.ts'
import { CONTAINER, GIT, oneOf, type Chance } from './rollouts.ts'

/** A fleet in two waves. While the first one rolls out, others rename, create or revise deployments of the second. */

/** How long a deployment of the first wave takes, in milliseconds: the plans of the second are old after that. */
export const FIRST_WAVE_MS = 40_000
/** When the last of the others has acted, in milliseconds after the first write. */
export const LAST_DEED_MS = 25_000
export const CANARIES = 4

/** A report is true if it is at one of the last looks. */
export function untruthsAtAnyLook(intentions: readonly Intention[]): string[] {
  const found = intentions.map(untruthsAmongOthers)
  return found.find(({ length }) => length === 0) ?? found.flat()
}

/** @param part of those that exist */
export function chooseEntry(chance: Chance, index: number, part = 0.75): Named {
  const name = `agent-${index + 1}`
  const basis = oneOf([GIT, CONTAINER], chance)
  const isThere = chance() < part
  const commit = basis === GIT ? { repo_commit_sha: MAIN_COMMIT } : {}
  return {
    ...basis,
    name,
    kind: isThere ? 'patch and revise' : 'create',
    seed: isThere ? basis.seed.map((one) => ({ ...one, name })) : [],
    asked: { ...basis.asked, source_revision_config: { ...basis.asked.source_revision_config, ...commit } },
    script: () => ({}),
    isWell: () => false,
  }
}

/** The deployment that takes over the name. */
export function greenOf({ name, seed }: Named): Named['seed'] {
  return seed.map((one) => ({ ...one, name: `${name}-green` }))
}

export function chooseActs(entry: Named, chance: Chance): Act[] {
  const { name, seed } = entry
  const theirs = actsOn({ ...entry, inputs: { ...entry.inputs, name } }, chance)
  if (seed.length === 0) return chance() < 0.5 ? theirs : []
  const { swap, away } = renamesOf(name)
  return oneOf([swap, swap, away, theirs, []], chance)
}

/** `away`: no deployment has the name any more. */
export function renamesOf(name: string): Record<'swap' | 'away', Act[]> {
  const away: Act[] = [{ kind: 'rename', name, to: `${name}-blue` }]
  return { away, swap: [...away, { kind: 'rename', name: `${name}-green`, to: name }] }
}

/** Deployments that were there at first by another name. */
export function greensNamed(after: ReturnType<typeof readWithSecrets>, ids: ReadonlyMap<string, string>) {
  return after
    .filter(({ id }) => ids.get(id)?.endsWith('green'))
    .map((one) => ({ ...one, revisions: one.revisions.slice(0, 1) }))
}

function idIn(path: string): string | undefined {
  return /^\/v2\/deployments\/([^/?]+)/.exec(path)?.[1]
}

/**
 * The writes to a deployment that had another name at that time.
 * @param knownMs how old the read before a write may be, in milliseconds
 */
export function writesToOthers(
  requests: readonly RecordedRequest[],
  deeds: readonly Deed[],
  ids: ReadonlyMap<string, string>,
  knownMs = 0,
): { entry: string; line: string }[] {
  return requests.flatMap(({ method, path, at }) => {
    const id = idIn(path)
    if (method === 'GET' || id === undefined) return []
    const name =
      deeds.findLast((deed) => deed.deploymentId === id && deed.at <= at - knownMs)?.name ?? ids.get(id) ?? ''
    if (!/-(blue|green)$/.test(name)) return []
    return [{ entry: name.replace(/-(blue|green)$/, ''), line: `${method} ${path} (${name})` }]
  })
}
