import { forEachOfFew } from '../async.ts'
import type { Deployment } from '../control-plane/model.ts'
import { InputError } from '../problem.ts'
import { phaseOf } from '../rollout/outcome.ts'
import {
  type Because,
  byFiles,
  type Comparable,
  deployedCommit,
  type Selection,
  type Since,
  type Unclear,
  withoutFiles,
} from './changes.ts'
import type { ChangedSince, Choice, FleetEntry, FleetRequest, NotSelectedReason } from './fleet-request.ts'
import { type FoundNames, type ListedNames, listDeploymentsByName, type Shared } from './prepare.ts'
import { selectFrom, shardsWith } from './selection.ts'

interface Decided {
  request: FleetRequest
  listing: ListedNames
  selection: Selection
}

type Verdict = Because | NotSelectedReason

/**
 * Leaves out the entries of which nothing has changed. An unknown change selects its entry. Throws ControlPlaneError when
 * the deployments cannot be listed; InputError for a ref that GitHub does not know.
 */
export async function selectChanged(request: FleetRequest, changed: ChangedSince, shared: Shared): Promise<Decided> {
  const { since, parts } = changed
  const base = since === DEPLOYED ? undefined : await commitOf(changed, shared)
  const entries = candidatesOf(request, changed)
  const listing = await listDeploymentsByName(new Set(entries.map(({ name }) => name)), shared)
  const verdicts = await judge(entries, changed, { base, listing }, shared)
  const commit = typeof base === 'string' ? base : undefined
  const chosen = withVerdicts(changed, verdicts, commit)
  const { waves, ...others } = selectFrom(chosen)
  const isSelected = (name: string): boolean => verdicts.get(name) !== undefined && !isLeftOut(verdicts.get(name))
  const names = waves.flatMap((wave) => wave.entries.map(({ name }) => name))
  const selected = new Map(names.flatMap((name) => becauseOf(name, verdicts.get(name))))
  return {
    request: { ...request, ...others, waves, shards: shardsWith(parts, isSelected), changedSince: undefined },
    listing,
    selection: { since, commit, selected },
  }
}

const DEPLOYED = 'deployed'

/** The matrix of a dry run is of all shards. */
function candidatesOf({ dryRun }: FleetRequest, { waves, entries, parts }: ChangedSince): FleetEntry[] {
  const own = waves.flatMap((wave) => wave.entries.flatMap((one) => (one.kind === 'selected' ? one.entry : [])))
  if (!dryRun) return own
  const names = new Set(parts.flatMap((part) => part.waves.flatMap((wave) => wave.names)))
  const others = [...names].flatMap((name) => entries.get(name) ?? [])
  return [...new Set([...own, ...others])]
}

/** Throws InputError if GitHub knows no such ref. Returns why it is not known otherwise. */
async function commitOf({ since, repository }: ChangedSince, { gitHub }: Shared): Promise<string | Unclear> {
  const resolved = await gitHub.resolveCommit(since)
  if ('commit' in resolved) return resolved.commit
  const { failure, status } = resolved
  if (status !== 404 && status !== 422) return { kind: 'unanswered', failure }
  const message = `is neither a branch, a tag nor a commit of ${repository ?? 'the repository'} that GitHub shows to github-token: ${failure}`
  throw new InputError([{ input: 'changed-since', value: since, message }])
}

interface Known {
  /** The commit for all entries; why it is unknown; undefined for the commit that each has deployed. */
  base: string | Unclear | undefined
  listing: FoundNames
}

async function judge(
  entries: readonly FleetEntry[],
  changed: ChangedSince,
  { base, listing }: Known,
  shared: Shared,
): Promise<ReadonlyMap<string, Verdict>> {
  const verdicts = new Map<string, Verdict>()
  const open: { entry: FleetEntry; head: string; deployment: Deployment }[] = []
  await forEachOfFew(entries, READS_AT_ONCE, async (entry) => {
    const first = withoutFiles(entry, listing.byName.get(entry.name))
    const state = first.kind === 'unread-revision' ? await withLatest(first, base, shared) : first
    if (state.kind === 'comparable') open.push({ entry, head: state.head, deployment: state.deployment })
    else if (state.kind !== 'unread-revision') verdicts.set(entry.name, state)
  })
  const noted = base === undefined ? await notedCommits(open, changed, shared) : new Map<string, string>()
  const compared = open.map((one) => ({ ...one, from: baseOf(one, base, noted) }))
  const comparisons = new Comparisons(changed, shared)
  await comparisons.compare(compared.flatMap(({ head, from }) => (typeof from === 'string' ? { from, head } : [])))
  for (const { entry, head, from } of compared) {
    const verdict: Verdict =
      typeof from === 'string'
        ? byFiles(entry, head, comparisons.since(from, head), changed.texts)
        : { kind: 'unclear', why: from }
    verdicts.set(entry.name, verdict)
  }
  return verdicts
}

const READS_AT_ONCE = 20

/** Reads the latest revision of a deployment that reports no active one: its commit counts if it is DEPLOYED. */
async function withLatest(
  { head, deployment }: Comparable,
  base: Known['base'],
  { controlPlane, signal }: Shared,
): Promise<Because | Comparable> {
  const unclear = { kind: 'unclear', why: { kind: 'no-active-revision' } } as const
  const { id, latestRevisionId } = deployment
  if (base === undefined || latestRevisionId === undefined) return unclear
  try {
    const { status } = await controlPlane.getRevision(id, latestRevisionId)
    if (status === 'DEPLOYED') return { kind: 'comparable', head, deployment }
    return phaseOf(status) === 'terminal' ? { kind: 'not-active' } : unclear
  } catch {
    signal.throwIfAborted()
    return unclear
  }
}

/** The commits that GitHub Deployments have, of the entries whose deployments report none. */
async function notedCommits(
  open: readonly { entry: FleetEntry; deployment: Deployment }[],
  { environment }: ChangedSince,
  { gitHub }: Shared,
): Promise<ReadonlyMap<string, string> | Unclear> {
  const active = new Map(
    open.flatMap(({ entry, deployment: { repoCommitSha, activeRevisionId } }): [string, string][] =>
      repoCommitSha === undefined && activeRevisionId ? [[entry.name, activeRevisionId]] : [],
    ),
  )
  if (active.size === 0 || environment === undefined) return new Map()
  const answer = await gitHub.deployedCommits(environment, active)
  return 'commits' in answer ? answer.commits : { kind: 'unanswered', failure: answer.failure }
}

function baseOf(
  { entry, deployment }: { entry: FleetEntry; deployment: Deployment },
  base: Known['base'],
  noted: ReadonlyMap<string, string> | Unclear,
): string | Unclear {
  if (base !== undefined) return base
  const isUnanswered = 'kind' in noted
  if (isUnanswered && deployment.repoCommitSha === undefined) return noted
  return deployedCommit(deployment, isUnanswered ? undefined : noted.get(entry.name)) ?? { kind: 'no-commit' }
}

/** More would use up the requests that GitHub allows in an hour. */
const MAX_COMPARISONS = 100
const COMPARISONS_AT_ONCE = 5

interface Pair {
  from: string
  head: string
}

/** Comparisons of commits, each made once. */
class Comparisons {
  readonly #changed: ChangedSince
  readonly #shared: Shared
  readonly #made = new Map<string, Since>()

  constructor(changed: ChangedSince, shared: Shared) {
    this.#changed = changed
    this.#shared = shared
  }

  /** Those of most entries first. */
  async compare(pairs: readonly Pair[]): Promise<void> {
    const groups = [...Map.groupBy(pairs, keyOf)].sort(([, fewer], [, more]) => more.length - fewer.length)
    await forEachOfFew(groups.slice(0, MAX_COMPARISONS), COMPARISONS_AT_ONCE, async ([key, [pair]]) => {
      if (pair !== undefined) this.#made.set(key, await this.#compare(pair))
    })
  }

  since(from: string, head: string): Since {
    const none: Since = {
      commit: from,
      files: { kind: 'unclear', why: { kind: 'too-many-commits' } },
      texts: undefined,
    }
    return this.#made.get(keyOf({ from, head })) ?? none
  }

  async #compare({ from, head }: Pair): Promise<Since> {
    const { gitHub } = this.#shared
    const files = await gitHub.filesSince(from, head)
    if ('failure' in files) {
      const { failure, status } = files
      const why: Unclear = status === 404 ? { kind: 'unknown-commit', commit: from } : { kind: 'unanswered', failure }
      return { commit: from, files: { kind: 'unclear', why }, texts: undefined }
    }
    return { commit: from, files, texts: files.kind === 'known' ? await this.#textsAt(from) : undefined }
  }

  async #textsAt(commit: string): Promise<Since['texts']> {
    const { file, readTexts } = this.#changed
    const answer = await this.#shared.gitHub.fileAt(commit, file)
    return 'text' in answer ? await readTexts(answer.text) : undefined
  }
}

function keyOf({ from, head }: Pair): string {
  return `${from.toLowerCase()} ${head.toLowerCase()}`
}

function isLeftOut(verdict: Verdict | undefined): boolean {
  return verdict?.kind === 'no-change'
}

function becauseOf(name: string, verdict: Verdict | undefined): [string, Because][] {
  return verdict === undefined || verdict.kind === 'no-change' || verdict.kind === 'only' ? [] : [[name, verdict]]
}

/** @param commit of the ref that the step names: it is a part of what is approved */
function withVerdicts(
  { waves }: ChangedSince,
  verdicts: ReadonlyMap<string, Verdict>,
  commit: string | undefined,
): ChangedSince['waves'] {
  const choose = (choice: Choice): Choice => {
    if (choice.kind === 'not-selected') return choice
    const { entry } = choice
    const verdict = verdicts.get(entry.name)
    if (verdict?.kind === 'no-change') return { kind: 'not-selected', name: entry.name, because: verdict }
    if (commit === undefined) return choice
    return { ...choice, entry: { ...entry, since: commit, request: { ...entry.request, changedSince: commit } } }
  }
  return waves.map((wave) => ({ ...wave, entries: wave.entries.map(choose) }))
}
