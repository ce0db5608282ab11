import type { Choice } from '../previews/choose-removals.ts'
import { formatAge, perKind } from './words.ts'
import type { Folds, Removal, TeardownRecord } from './record.ts'
import { addressOf } from '../control-plane/model.ts'

/** Why a deployment is deleted or kept, or why its deletion failed, as the end of a sentence. */
export const describeReason = perKind<Removal['because']>({
  requested: () => 'the step requests it',
  'pull-request-closed': ({ pullRequest }) => `pull request ${pullRequest} is closed`,
  'pull-request-unlabeled': ({ pullRequest }) =>
    `pull request ${pullRequest} does not have the label that preview-label names`,
  'not-updated': ({ forMs }) => `not updated for ${formatAge(forMs)}`,
  'pull-request-open': ({ pullRequest }) => `pull request ${pullRequest} is open`,
  'pull-request-missing': ({ pullRequest }) => `this repository has no pull request ${pullRequest}`,
  'pull-request-unknown': ({ pullRequest }) => `GitHub did not report whether pull request ${pullRequest} is closed`,
  'event-outdated': ({ pullRequest }) =>
    `GitHub did not report whether pull request ${pullRequest} is closed, and the event of a rerun may be outdated`,
  'label-event-outdated': ({ pullRequest }) =>
    `GitHub did not report whether pull request ${pullRequest} has the label that preview-label names, and the event of a rerun may be outdated`,
  'age-unknown': ({ lacks }) => `its age is unknown: the control plane does not report ${LACKING[lacks]}`,
  'revision-under-way': ({ status }) => `its latest revision is ${status}`,
  'other-repository': ({ reported, expected }) => `it is built from ${reported}, not from ${expected}`,
  'not-proven': ({ pullRequest }) =>
    `no entry of the manifest that takes part has its name, and nothing shows that it is a preview of pull request ${pullRequest}`,
  'files-unknown': ({ pullRequest }) =>
    `GitHub did not list the files of pull request ${pullRequest}, and nothing else shows that it is a preview of it`,
  'notes-unknown': ({ pullRequest }) =>
    `GitHub did not return the notes of earlier runs, and nothing else shows that it is a preview of pull request ${pullRequest}`,
  accepted: () => 'the control plane accepted its deletion, and the run ended before it looked whether it is gone',
  failed: ({ trouble }) => trouble,
})

const LACKING = {
  'server-time': 'a plausible current time (header Date)',
  'update-time': 'a plausible time of its last update',
  revision: 'its latest revision',
}

export const TEARDOWN: Folds<TeardownRecord> = {
  'deletions-chosen'(event, record) {
    const removals = [...record.removals, ...event.choices.map(removalOf)]
    const only = event.choices.find(({ pullRequest }) => pullRequest === undefined)?.deployment
    const deployment = only && { id: only.id, name: only.name }
    return { ...record, removals, deployment, url: only && addressOf(only) }
  },
  'nothing-to-delete': ({ name }, record) =>
    name === undefined ? record : { ...record, gone: [...record.gone, name] },
  deleted({ id: deleted }, record) {
    const names = record.removals.filter(({ id }) => id === deleted).map(({ name }) => name)
    const gone = [...record.gone, ...names]
    return { ...withRemoval(record, deleted, { result: 'removed' }), url: undefined, gone }
  },
  'deletion-dropped': ({ id, because }, record) => withRemoval(record, id, { result: 'kept', because }),
  'deletion-unseen': ({ id }, record) => withRemoval(record, id, { because: { kind: 'accepted' } }),
  'deletion-failed': ({ id, trouble }, record) =>
    withRemoval(record, id, { result: 'failed', because: { kind: 'failed', trouble } }),
}

function removalOf({ deployment: { id, name }, pullRequest, verdict, because }: Choice): Removal {
  const result = verdict === 'keep' ? 'kept' : 'planned'
  return { id, name, ...(pullRequest === undefined ? {} : { pullRequest }), result, because }
}

function withRemoval(record: TeardownRecord, id: string, change: Partial<Removal>): TeardownRecord {
  const removals = record.removals.map((one) => (one.id === id ? { ...one, ...change } : one))
  return { ...record, removals }
}
