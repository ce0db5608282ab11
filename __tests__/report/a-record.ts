import { phaseOf } from '../../src/rollout/outcome.ts'
import type { RolloutRecord } from '../../src/report/record.ts'
import type { Rollback, SettingsLeft } from '../../src/rollout/event.ts'
import { aRecord } from '../builders.ts'

export function timelineUpTo(...seen: [status: string, afterMs: number][]): RolloutRecord['timeline'] {
  return seen.map(([status, afterMs]) => ({ status, phase: phaseOf(status), at: aRecord().startedAt + afterMs }))
}

/** A rollout whose build has failed. */
export const failed = aRecord({
  outcome: { kind: 'failed', because: { kind: 'revision' } },
  revision: {
    status: 'BUILD_FAILED',
    statusMessage: 'npm ERR! key hunter2\n| <b>x</b> @octocat',
    repoCommitSha: 'abc123',
  },
  timeline: timelineUpTo(['CREATING', 400], ['BUILDING', 2400], ['BUILD_FAILED', 12_000]),
})

export const NOTHING_LEFT = { restored: [], kept: [], changedSince: [] } satisfies SettingsLeft

export const ROLLBACK_ERROR = {
  kind: 'error',
  isUnknown: false,
  revisionId: undefined,
  trouble: 'no',
  unsure: [],
  ...NOTHING_LEFT,
} satisfies Rollback
