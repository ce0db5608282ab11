/** The operation fleet, with its manifest and its report. */
export { withBudget } from '../fleet/budget.ts'
export { fleet } from '../fleet/fleet.ts'
export { fleetPreview } from '../previews/fleet-preview.ts'
export { readFleet } from '../inputs/manifest/read-fleet.ts'
export { renderFleet } from '../report/fleet/end.ts'
export { FLEET_PART } from '../report/fleet/fold.ts'
