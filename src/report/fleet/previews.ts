import { listNames, MAX_NAMED } from '../../problem.ts'
import type { Redact } from '../../secrets/redact.ts'
import { shortCommit } from '../../secrets/text.ts'
import { codeCell, codeLink, oneLine } from '../escape.ts'
import { durationFact, factsLine, fittedTable, nameHeader, withReason } from '../markdown.ts'
import type { FleetRow, FleetRecord } from '../record.ts'
import { builtCommit, liveAddress } from '../serving.ts'
import { MAX_NAME } from '../words.ts'
import { byAttention, isOfRevision, reasonOf, standingOf, STANDINGS } from './results.ts'

/** The entries that the pull request does not touch; '' if it touches all. `show` puts a name into its form, and cuts it. */
export function untouchedText(untouched: readonly string[], redact: Redact, show: typeof oneLine): string {
  if (untouched.length === 0) return ''
  const names = listNames(untouched, MAX_NAMED.message, (name) => show(redact(name), MAX_NAME))
  return `Without changed files, and so not rolled out: ${names}.`
}

/** In bytes: beside the notes of a comment. */
const MAX_TABLE = 28_000

/** Two columns, of which a narrow screen breaks the second one, `column`. `at`: now, in milliseconds since the epoch. */
export function previewsTable({ deployments }: FleetRecord, redact: Redact, at: number, column: string): string {
  const items = byAttention(
    [...deployments].map((one) => ({ one, standing: standingOf(one), reason: reasonOf(one, at, redact) })),
  )
  return fittedTable({
    items,
    headerOf: (shown) => [nameHeader(shown.map(({ one }) => redact(one.name))), column],
    cellsOf: ({ one, standing, reason }) => {
      const mark = one.outcome === undefined && standing === 'under-way' ? '🚀' : STANDINGS[standing].mark
      const commit = codeCell(redact(shortCommit(builtCommit(one))))
      const duration = one.beganAt === undefined ? '' : durationFact((one.endedAt ?? at) - one.beganAt)
      return [
        codeLink(oneLine(redact(one.name), MAX_NAME), liveAddress(one) ?? ''),
        withReason(factsLine(`${mark}&nbsp;${stateOf(one)}`, commit, duration), reason),
      ]
    },
    maxBytes: MAX_TABLE,
    others: 'the job summary shows them',
  })
}

function stateOf(one: FleetRow): string {
  const { outcome, beganAt, revision } = one
  const status = codeCell(revision?.status ?? '')
  if (outcome !== undefined) return isOfRevision(outcome) ? `${outcome.kind} ${status}` : outcome.kind
  return beganAt === undefined ? 'not&nbsp;started' : status || 'begun'
}
