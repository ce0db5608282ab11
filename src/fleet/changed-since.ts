import { forEachOfFew, LongWork } from '../async.ts'
import type { Deployment } from '../control-plane/model.ts'
import { InputError } from '../problem.ts'
import {
  type Because,
  byFiles,
  deployedCommit,
  type Selection,
  type Since,
  sinceCommit,
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
  for (const entry of entries) {
    const state = withoutFiles(entry, listing.byName.get(entry.name))
    if (state.kind === 'comparable') open.push({ entry, head: state.head, deployment: state.deployment })
    else verdicts.set(entry.name, state)
  }
  const noted = base === undefined ? await notedCommits(open, changed, shared) : new Map<string, string>()
  const comparable: Compared[] = []
  for (const { entry, head, deployment } of open) {
    const from = baseOf({ entry, deployment }, base, noted)
    if (typeof from === 'string') comparable.push({ entry, head, from })
    else verdicts.set(entry.name, { kind: 'unclear', why: from })
  }
  await compareAll(comparable, changed, shared, (name, verdict) => verdicts.set(name, verdict))
  return verdicts
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
/** A manifest of each is in memory. */
const COMPARISONS_AT_ONCE = 5

/** An entry whose files decide. `from`: the commit since which they count. */
interface Compared {
  entry: FleetEntry
  head: string
  from: string
}

/** Compares each pair of commits once, those of most entries first. */
async function compareAll(
  all: readonly Compared[],
  changed: ChangedSince,
  shared: Shared,
  decide: (name: string, verdict: Verdict) => void,
): Promise<void> {
  const groups = [...Map.groupBy(all, keyOf).values()].sort((fewer, more) => more.length - fewer.length)
  // The files of many entries take time.
  const work = new LongWork(shared.clock)
  await forEachOfFew(groups.slice(0, MAX_COMPARISONS), COMPARISONS_AT_ONCE, async (group) => {
    const [pair] = group
    if (pair === undefined) return
    const since = await compare(pair, changed, shared)
    for (const { entry, head } of group) {
      decide(entry.name, byFiles(entry, head, since, changed.texts))
      await work.giveWay()
    }
  })
  for (const { entry } of groups.slice(MAX_COMPARISONS).flat())
    decide(entry.name, { kind: 'unclear', why: { kind: 'too-many-commits' } })
}

async function compare(
  { from, head }: Compared,
  { file, texts, readTexts }: ChangedSince,
  { gitHub }: Shared,
): Promise<Since> {
  const files = await gitHub.filesSince(from, head)
  if ('failure' in files) {
    const { failure, status } = files
    const why: Unclear = status === 404 ? { kind: 'unknown-commit', commit: from } : { kind: 'unanswered', failure }
    return sinceCommit({ commit: from, files: { kind: 'unclear', why }, before: undefined }, texts)
  }
  const manifest = files.kind === 'known' ? await gitHub.fileAt(from, file) : undefined
  const before = manifest !== undefined && 'text' in manifest ? await readTexts(manifest.text) : undefined
  return sinceCommit({ commit: from, files, before }, texts)
}

function keyOf({ from, head }: Compared): string {
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
