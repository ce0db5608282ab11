import { listNames, MAX_NAMED } from '../../problem.ts'
import type { Redact } from '../../secrets/redact.ts'
import { shortCommit } from '../../secrets/text.ts'
import { codeCell, codeLink, oneLine } from '../escape.ts'
import { durationFact, factsLine, fittedTable, nameHeader, withReason, withSentences } from '../markdown.ts'
import type { FleetRecord } from '../record.ts'
import { byAttention, reasonOf, standingOf, stateCell, tookMs } from '../row.ts'
import { builtCommit, liveAddress } from '../serving.ts'
import { MAX_NAME } from '../words.ts'
import { servingOfRow } from './shared-serving.ts'

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
    [...deployments].map((row) => {
      const serving = servingOfRow(row)
      return { row, standing: standingOf(row), reason: reasonOf(row, at, redact), serving: serving && redact(serving) }
    }),
  )
  return fittedTable({
    items,
    headerOf: (shown) => [nameHeader(shown.map(({ row }) => redact(row.name))), column],
    cellsOf: ({ row, reason, serving }) => {
      const commit = codeCell(redact(shortCommit(builtCommit(row))))
      const ms = tookMs(row, at)
      const took = ms === undefined ? '' : durationFact(ms)
      return [
        codeLink(oneLine(redact(row.name), MAX_NAME), liveAddress(row) ?? ''),
        withSentences(withReason(factsLine(stateCell(row), commit, took), reason), serving),
      ]
    },
    maxBytes: MAX_TABLE,
    others: 'the job summary shows them',
  })
}
