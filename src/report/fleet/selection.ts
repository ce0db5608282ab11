import type { Because, Selection, Unclear } from '../../fleet/changes.ts'
import type { FleetRequest, NotSelected, NotSelectedReason } from '../../fleet/fleet-request.ts'
import { listNames, MAX_NAMED, withFullStop } from '../../problem.ts'
import type { Redact } from '../../secrets/redact.ts'
import { shortCommit } from '../../secrets/text.ts'
import { oneLine } from '../escape.ts'
import { countOf, MAX_NAME, perKind } from '../words.ts'

/** An entry of the output `results`, for one that does not take part. */
export function resultOfNotSelected({ name, wave, because }: NotSelected, redact: Redact) {
  return {
    name: redact(name),
    wave: wave && redact(wave),
    outcome: 'not-selected',
    change: 'none',
    reason: reasonText(because, redact),
    'changed-since': because.kind === 'no-change' ? because.since : undefined,
  }
}

/** As in `no change in apps/web since 1111111`. */
function reasonText(because: NotSelectedReason, redact: Redact): string {
  if (because.kind === 'only') return '"only" does not name it'
  const paths = listNames(because.paths, MAX_NAMED.clause, (path) => oneLine(redact(path), MAX_NAME))
  return `no change in ${paths} since ${shortCommit(because.since)}`
}

/** As in `12 not selected: 8 without a change, 4 that "only" does not name`; '' if all are selected. */
export function notSelectedText(notSelected: readonly NotSelected[]): string {
  return notSelected.length === 0 ? '' : `${notSelected.length} not selected: ${countReasons(notSelected)}.`
}

/** As in `8 without a change, 4 that "only" does not name`. */
export function countReasons(notSelected: readonly NotSelected[]): string {
  const unnamed = notSelected.filter(({ because }) => because.kind === 'only').length
  const unchanged = notSelected.length - unnamed
  const parts = [
    ...(unchanged > 0 ? [`${unchanged} without a change`] : []),
    ...(unnamed > 0 ? [`${unnamed} that "only" does not name`] : []),
  ]
  return parts.join(', ')
}

export function skippedWavesText(waves: readonly string[], redact: Redact): string {
  if (waves.length === 0) return ''
  const names = listNames(waves, MAX_NAMED.message, (name) => oneLine(redact(name), MAX_NAME))
  return waves.length === 1
    ? `Wave ${names} has no selected deployment: it is skipped, and so is its bake.`
    : `The waves ${names} have no selected deployment: they are skipped, and so are their bakes.`
}

/** The files of those are what decided. */
const ASKED_BY: Readonly<Record<Exclude<Because['kind'], 'unclear'>, string>> = {
  paths: 'with changed files',
  manifest: 'with a changed text in the manifest',
  file: 'with a changed file that it names',
  'no-paths': 'without paths',
  'other-code': 'with other code than that of the event',
  missing: 'without a deployment',
  'not-active': 'with a newest revision that has failed or is not active',
}

/** Why the selected entries take part, in one line. */
export function selectedText({ since, commit, selected }: Selection, redact: Redact): string {
  const parts = Object.entries(ASKED_BY).flatMap(([kind, words]) => {
    const count = [...selected.values()].filter((because) => because.kind === kind).length
    return count === 0 ? [] : [`${count} ${words}`]
  })
  const unclear = [...selected.values()].filter((because) => because.kind === 'unclear').length
  if (unclear > 0) parts.push(`${unclear} with files that could not be compared`)
  const isItself = commit === undefined || commit === since
  const base = `${oneLine(redact(since), MAX_NAME)}${isItself ? '' : ` (${commit})`}`
  return `changed-since ${base}: ${parts.join(', ') || 'no deployment'}.`
}

/** The lines of the log about what does not take part. */
export function notSelectedLines(
  { notSelected = [], skippedWaves = [] }: Pick<FleetRequest, 'notSelected' | 'skippedWaves'>,
  redact: Redact,
): string[] {
  const isUncompared = notSelected.some(({ because }) => because.kind === 'no-change')
  const lines = [notSelectedText(notSelected), skippedWavesText(skippedWaves, redact)]
  return [...lines, isUncompared ? NOT_COMPARED : ''].filter((line) => line !== '')
}

const NOT_COMPARED =
  'Values of ${NAME} are not compared: after the change of a secret, run the fleet without changed-since.'

/** One warning for each reason: those that are not known to be unchanged take part. */
export function unclearWarnings({ selected }: Selection, redact: Redact): string[] {
  const unclear = [...selected].flatMap(([name, because]) =>
    because.kind === 'unclear' ? [{ name, why: unclearText(because.why, redact) }] : [],
  )
  if (unclear.length === 0) return []
  const groups = [...Map.groupBy(unclear, ({ why }) => why)].map(([why, those]) => {
    const names = listNames(
      those.map(({ name }) => name),
      MAX_NAMED.clause,
      (name) => oneLine(redact(name), MAX_NAME),
    )
    return `${names}: ${why}`
  })
  const taken = countOf(
    unclear.length,
    'deployment takes part whatever its files',
    'deployments take part whatever their files',
  )
  return [`changed-since: ${taken}. ${listReasons(groups)}`]
}

function listReasons(groups: readonly string[]): string {
  const more = groups.length - MAX_NAMED.warning
  const rest = more > 0 ? ` And ${countOf(more, 'more reason')}.` : ''
  return groups.slice(0, MAX_NAMED.warning).map(withFullStop).join(' ') + rest
}

function unclearText(why: Unclear, redact: Redact): string {
  return oneLine(redact(wordUnclear(why)), MAX_REASON)
}

const MAX_REASON = 400

const wordUnclear = perKind<Unclear>({
  'no-event-commit': () => 'the event has no commit',
  'no-active-revision': () => 'the control plane reports no active revision',
  'no-commit': () =>
    'the deployed commit is not known: neither the control plane nor a successful GitHub Deployment of the input environment has it',
  'too-many-commits': () => 'more than 100 commits are deployed, and GitHub is not asked for more',
  'unknown-commit': ({ commit }) => `GitHub does not know the commit ${shortCommit(commit)}`,
  'too-many-files': ({ commit }) =>
    `GitHub lists only the first 300 files that have changed since ${shortCommit(commit)}`,
  'no-manifest': ({ commit }) => `the manifest at ${shortCommit(commit)} cannot be read from GitHub`,
  'other-history': ({ commit, status }) =>
    `the commit of the event is not after ${shortCommit(commit)} (GitHub: ${status})`,
  unanswered: ({ failure }) => failure,
})
