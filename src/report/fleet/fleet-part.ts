import type { RunRecord } from '../record.ts'
import type { Redactor } from '../../secrets/redact.ts'
import type { ReportPart } from '../report.ts'
import { publicRecord, type DropReason, type PublicRecord } from '../typed-fields.ts'
import type { FleetDeployment } from './fleet-record.ts'
import { foldFleet } from './fold-fleet.ts'
import { fleetEntries } from './fleet-lines.ts'
import type { LongList } from './long-list.ts'

/** What a report of a fleet needs in addition. Loaded with the operation. */
export function openFleetPart(): ReportPart {
  const cleaned = openCleaner()
  return {
    fold: foldFleet,
    logEntries: fleetEntries,
    publicRecord<Of extends RunRecord>(record: Of, redactor: Redactor): PublicRecord<Of> {
      if (record.operation !== 'fleet') return publicRecord(record, redactor)
      const { deployments, dropped } = cleaned(record.deployments, redactor)
      return { record: { ...record, deployments }, dropped }
    },
  }
}

interface CleanedAll {
  deployments: LongList<FleetDeployment>
  dropped: ReadonlyMap<string, DropReason>
}

/**
 * Cleans each deployment when it has changed, or when more secrets are known: an event concerns one of perhaps a
 * thousand.
 */
function openCleaner(): (whole: LongList<FleetDeployment>, redactor: Redactor) => CleanedAll {
  let known = -1
  let seen: LongList<FleetDeployment> | undefined
  let deployments: LongList<FleetDeployment> | undefined
  return (whole, redactor) => {
    if (redactor.version !== known) seen = deployments = undefined
    known = redactor.version
    const dropped = new Map<string, DropReason>()
    const clean = (one: FleetDeployment): FleetDeployment => {
      const { record, dropped: fields } = publicRecord(one.rollout, redactor)
      fields.forEach((reason, field) => dropped.set(field, reason))
      return { ...one, rollout: record }
    }
    deployments = whole.map(clean, seen, deployments)
    seen = whole
    return { deployments, dropped }
  }
}
