import type { ControlPlane } from '../../src/control-plane/client.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import { REVISION_ID } from '../builders.ts'
import { ControlPlaneModel } from '../control-plane-model.ts'

/** When the memory control plane answers, by its own clock. */
export const SERVER_TIME = Date.UTC(2026, 5, 1)

/** A control plane with these deployments. The reads of a new revision show these statuses. */
export function aMemoryControlPlane(
  deployments: readonly Deployment[] = [],
  statuses: readonly string[] = ['BUILDING', 'DEPLOYED'],
  answers: Partial<ControlPlane> = {},
): ControlPlaneModel {
  return new ControlPlaneModel({
    deployments,
    idOf: (name) => `id-of-${name}`,
    next: () => ({ id: REVISION_ID, statuses: ['CREATING', ...statuses] }),
    serverTime: SERVER_TIME,
    answers,
  })
}

/** The end of an operation: its outcome, or the error that it throws. */
export async function endOf<Outcome>(running: Promise<Outcome>): Promise<{ outcome?: Outcome; error?: unknown }> {
  try {
    return { outcome: await running }
  } catch (error) {
    return { error }
  }
}
