import { addressOf } from '../control-plane/model.ts'
import type { Choice } from '../previews/choose.ts'
import type { Removal, RunEvent, TeardownRecord } from './record.ts'

/** The record of a teardown after an event. */
export function foldTeardown(record: TeardownRecord, event: RunEvent): TeardownRecord {
  switch (event.kind) {
    case 'deletions-chosen': {
      const removals = [...record.removals, ...event.choices.map(removalOf)]
      const only = event.isOne ? event.choices[0]?.deployment : undefined
      const deployment = only && { id: only.id, name: only.name }
      return { ...record, removals, deployment, url: only && addressOf(only) }
    }
    case 'nothing-to-delete':
      return event.name === undefined ? record : { ...record, gone: [...record.gone, event.name] }
    case 'deleted': {
      const gone = record.removals.filter(({ id }) => id === event.id).map(({ name }) => name)
      return {
        ...withRemoval(record, event.id, { result: 'removed' }),
        url: undefined,
        gone: [...record.gone, ...gone],
      }
    }
    case 'deletion-dropped':
      return withRemoval(record, event.id, { result: 'kept', because: event.because })
    case 'deletion-unseen':
      return withRemoval(record, event.id, { because: { kind: 'accepted' } })
    case 'deletion-failed': {
      const because = { kind: 'failed', trouble: event.trouble } as const
      return withRemoval(record, event.id, { result: 'failed', because })
    }
    default:
      return record
  }
}

function removalOf({ deployment: { id, name }, pullRequest, verdict, because }: Choice): Removal {
  const result = verdict === 'keep' ? 'kept' : 'planned'
  return { id, name, ...(pullRequest === undefined ? {} : { pullRequest }), result, because }
}

function withRemoval(record: TeardownRecord, id: string, change: Partial<Removal>): TeardownRecord {
  const removals = record.removals.map((one) => (one.id === id ? { ...one, ...change } : one))
  return { ...record, removals }
}
