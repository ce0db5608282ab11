import { isDeepStrictEqual } from 'node:util'
import { MAX_NAMED } from '../../problem.ts'
import { chunksOf } from '../long-list.ts'
import type { PlanDocument, PublishedField } from '../plan.ts'

/** The planned rollout of one deployment. */
export interface PlanRow {
  name: string
  wave: string | undefined
  /** `none`: there is no plan. */
  kind: PlanDocument['kind'] | 'none'
  /** Without a full stop. */
  because: string | undefined
  fields: PublishedField[]
}

/** The common part of the plans of one kind. */
export interface PlanShare extends Pick<PlanRow, 'kind' | 'because' | 'fields'> {
  count: number
}

/** With two, it would take as many lines as it saves. */
const FEWEST = 3

/** Takes out of the plans what all of one kind have in common, so that a report says it once. */
export function sharePlans(all: readonly PlanRow[]): { shares: PlanShare[]; rows: PlanRow[] } {
  const shares = [...Map.groupBy(all, ({ kind }) => kind).values()].flatMap(shareOf)
  const rows = all.map((row) => {
    const share = shares.find(({ kind }) => kind === row.kind)
    return share === undefined ? row : withoutShare(row, share)
  })
  return { shares, rows }
}

function shareOf(rows: readonly PlanRow[]): PlanShare[] {
  const [first, ...others] = rows
  if (first === undefined || rows.length < FEWEST) return []
  const because = others.every((row) => row.because === first.because) ? first.because : undefined
  const fields = first.fields.filter((field) =>
    others.every((row) => row.fields.some((other) => isDeepStrictEqual(other, field))),
  )
  return because === undefined && fields.length === 0 ? [] : [{ kind: first.kind, count: rows.length, because, fields }]
}

function withoutShare(row: PlanRow, { because, fields }: PlanShare): PlanRow {
  return {
    ...row,
    because: because === undefined ? row.because : undefined,
    fields: row.fields.filter(({ input }) => fields.every((shared) => shared.input !== input)),
  }
}

/** Plans that are the same: one for each deployment. */
export interface EqualPlans extends Omit<PlanRow, 'name'> {
  names: readonly string[]
}

/** Groups equal plans of a wave, in the order of the first deployment of each group. */
export function groupPlans(rows: readonly PlanRow[]): EqualPlans[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify({ ...row, name: undefined }))
  const parts = [...groups.values()].flatMap((group) => chunksOf(group, MAX_NAMED.row))
  return parts.flatMap(([first, ...others]): EqualPlans[] => {
    if (first === undefined) return []
    const { name, ...plan } = first
    return [{ ...plan, names: [name, ...others.map((row) => row.name)] }]
  })
}
