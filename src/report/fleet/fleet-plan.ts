import type { PlanDocument } from '../plan-document.ts'
import type { FleetDeployment, FleetRecord } from './fleet-record.ts'
import { countOf } from '../words.ts'

/** The plan of one deployment in few words. */
export interface PlanRow {
  name: string
  wave: string | undefined
  kind: PlanDocument['kind'] | undefined
  /** What the rollout does. */
  change: string
  /** The inputs that differ from what is active. */
  inputs: readonly string[]
}

const CHANGES: Record<PlanDocument['kind'], string> = {
  create: 'create',
  revise: 'new revision',
  redeploy: 'redeploy',
  resume: 'resume',
  unchanged: 'unchanged',
  outdated: 'newer deployed',
}

const COUNTED: Record<PlanDocument['kind'], string> = {
  create: 'to create',
  revise: 'to revise',
  redeploy: 'to redeploy',
  resume: 'to resume',
  unchanged: 'unchanged',
  outdated: 'with a newer commit deployed',
}

/** Every deployment, those without a plan first and those without a change last. */
export function planRows(record: FleetRecord): PlanRow[] {
  const rows = [...record.deployments].map((one): PlanRow => {
    const { plan } = one.rollout
    const inputs = plan?.fields.filter(({ difference }) => difference !== 'same').map(({ input }) => input) ?? []
    const change = plan === undefined ? 'no plan' : CHANGES[plan.kind]
    return { name: one.name, wave: record.waves[one.wave]?.name, kind: plan?.kind, change, inputs }
  })
  const rankOf = ({ kind }: PlanRow): number =>
    kind === undefined ? 0 : kind === 'unchanged' || kind === 'outdated' ? 2 : 1
  return rows.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** `Plan of 12 deployments: 2 to create, 9 to revise, 1 unchanged`. */
export function planCounts(rows: readonly PlanRow[]): string {
  const counts = new Map<string, number>(Object.values(COUNTED).map((words) => [words, 0]))
  for (const { kind } of rows) {
    const words = kind === undefined ? 'without a plan' : COUNTED[kind]
    counts.set(words, (counts.get(words) ?? 0) + 1)
  }
  const parts = [...counts].filter(([, count]) => count > 0).map(([words, count]) => `${count} ${words}`)
  return `Plan of ${countOf(rows.length)}: ${parts.join(', ') || 'nothing to do'}`
}

export function hasFleetChanges(deployments: readonly FleetDeployment[]): boolean {
  return deployments.some(({ rollout }) => rollout.plan?.hasChanges === true)
}
