import { type ChangeClass, type Field, FIELDS, fieldsWhere } from '../../control-plane/settings.ts'

const changedBy = (change: ChangeClass): Field[] => fieldsWhere((facts) => facts.change === change)

const OF_REVISION = fieldsWhere(({ inRevision }) => inRevision === true)

/** Each upload has a path of its own, which says nothing of the source. */
const WITHOUT_UPLOADS = FIELDS.filter((field) => field !== 'sourceTarballPath')

/** Which settings each question compares, in this order. A new setting takes part by its row in `control-plane/settings.ts`. */
export const COMPARED = {
  /** Does the active revision have everything, or the latest one? Immutable settings are compared before. */
  revisionWithRequest: [...changedBy('config'), ...changedBy('revision')],
  /** Which settings does the plan PATCH? */
  patched: changedBy('config'),
  /** Which settings cannot be changed as requested? */
  immutable: changedBy('immutable'),
  /** Is a revision the result of a lost write? These are reported by each revision … */
  lostRevision: OF_REVISION,
  /** … and these by the deployment, for its latest revision. */
  lostRevisionInDeployment: ['secrets', 'secretReferences', 'resourceSpec'],
  /** Is a deployment the result of a lost creation? */
  lostDeployment: FIELDS,
  /** Is a revision the one that a rollback restores? */
  restoredRevision: OF_REVISION,
  /** Does a read after a rollout show that it may be of a replica that lags? */
  changedByRollout: [...changedBy('config'), ...changedBy('revision').filter((field) => !OF_REVISION.includes(field))],
  /** What has changed in a deployment since its plan was approved? */
  approvedDeployment: WITHOUT_UPLOADS.filter((field) => !changedBy('immutable').includes(field)),
  /** The same for a deployment that was created since. */
  createdSinceApproval: WITHOUT_UPLOADS,
  /** What does a plan add that was not requested? */
  addedByPlan: ['integrationId', 'repoUrl', 'listenerId', 'buildOnPush'],
} as const satisfies Record<string, readonly Field[]>
