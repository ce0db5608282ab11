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

interface CleanedAll {
  deployments: readonly FleetDeployment[]
  dropped: ReadonlyMap<string, DropReason>
}

/**
 * Cleans each deployment when it has changed, or when more secrets are known: an event concerns one of perhaps a
 * thousand.
 */
function openCleaner(): (whole: readonly FleetDeployment[], redactor: KnownSecrets) => CleanedAll {
  let known = -1
  let seen: readonly FleetDeployment[] = []
  let deployments: readonly FleetDeployment[] = []
  return (whole, redactor) => {
    if (redactor.version() !== known) seen = []
    known = redactor.version()
    const dropped = new Map<string, DropReason>()
    const cleaned = [...deployments]
    // An iterator would take most of the time of a large fleet's report.
    for (let place = 0; place < whole.length; place++) {
      const one = whole[place]
      if (one === undefined || seen[place] === one) continue
      const clean = publicRecord(one.rollout, redactor)
      clean.dropped.forEach((reason, field) => dropped.set(field, reason))
      cleaned[place] = { ...one, rollout: clean.record }
    }
    seen = whole
    deployments = cleaned
    return { deployments, dropped }
  }
}
