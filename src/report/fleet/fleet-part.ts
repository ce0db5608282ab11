import type { RunRecord } from '../record.ts'
import type { KnownSecrets, ReportPart } from '../report.ts'
import { publicRecord, type DropReason, type PublicRecord } from '../typed-fields.ts'
import type { FleetDeployment } from './fleet-record.ts'
import { foldFleet } from './fold-fleet.ts'
import { fleetEntries } from './fleet-lines.ts'

/** What a report of a fleet needs in addition. Loaded with the operation. */
export function openFleetPart(): ReportPart {
  const cleaned = openCleaner()
  return {
    fold: foldFleet,
    logEntries: fleetEntries,
    publicRecord<Of extends RunRecord>(record: Of, redactor: KnownSecrets): PublicRecord<Of> {
      if (record.operation !== 'fleet') return publicRecord(record, redactor)
      const { deployments, dropped } = cleaned(record.deployments, redactor)
      return { record: { ...record, deployments }, dropped }
    },
  }
}

interface Cleaned {
  of: FleetDeployment
  deployment: FleetDeployment
}

interface CleanedAll {
  deployments: readonly FleetDeployment[]
  dropped: ReadonlyMap<string, DropReason>
}

/**
 * Cleans the deployments one by one, and each again only when it has changed, or more secrets are known: an event
 * concerns one of perhaps a thousand.
 */
function openCleaner(): (whole: readonly FleetDeployment[], redactor: KnownSecrets) => CleanedAll {
  let known = -1
  let latest: readonly Cleaned[] = []
  return (whole, redactor) => {
    if (redactor.count() !== known) latest = []
    known = redactor.count()
    const dropped = new Map<string, DropReason>()
    latest = whole.map((of, place) => {
      const before = latest[place]
      if (before?.of === of) return before
      const clean = publicRecord(of.rollout, redactor)
      clean.dropped.forEach((reason, field) => dropped.set(field, reason))
      return { of, deployment: { ...of, rollout: clean.record } }
    })
    return { deployments: latest.map(({ deployment }) => deployment), dropped }
  }
}
