import type { DeploymentDraft, RevisionDraft, Settings, Source } from '../../control-plane/model.ts'
import { mismatches, missing } from './field-rules.ts'
import type { Problem } from '../../problem.ts'
import { isTag } from './repository.ts'
import { describeFields } from './diff.ts'
import { fillIn } from './defaults.ts'
import type { CreatePlan, PlanBasis, Planning } from './types.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { NOT_ON_CREATE, nonEmpty, omit, pick, withSourcePath } from './settings.ts'

/** Plans to create the deployment, and with it its first revision. */
export function planCreate(request: RolloutRequest, basis: PlanBasis): Planning {
  const { target, source } = request
  if (target.kind === 'id') throw new Error('a deployment that was found by its id always exists')
  const { name } = target
  if (request.ifMissing === 'fail') {
    const message = 'names no deployment that these credentials can see, and if-missing is "fail"'
    return { kind: 'refused', problems: [{ input: 'name', value: name, message }] }
  }
  if (source === undefined) {
    const message = `is required to create a deployment, and there is none named "${name}" yet`
    return { kind: 'refused', problems: [{ input: 'source', message }] }
  }
  const { settings: filled, problems, notes } = fillIn(request, source, basis)
  const settings = isTag(filled.repoRef) ? { ...filled, buildOnPush: false } : filled
  const found = [
    ...problems,
    ...mismatches(source, withSourcePath(settings, request)),
    ...without(missing(source, settings), problems),
  ]
  if (found.length > 0) return { kind: 'refused', problems: found }
  const draft = { name, source, settings: omit(settings, NOT_ON_CREATE) }
  const plan = { ...writesOf(draft, settings, basis), notes: [...request.notes, ...notes] }
  return { kind: 'planned', plan }
}

function writesOf(draft: DeploymentDraft, settings: Settings, basis: PlanBasis): Omit<CreatePlan, 'notes'> {
  const afterwards = nonEmpty(pick(settings, NOT_ON_CREATE))
  if (draft.source === 'internal_source') {
    return {
      kind: 'create',
      draft,
      patch: undefined,
      upload: basis.packed,
      revision: sourceRevision(draft.source, settings),
      fields: fieldsOfCreate(settings, 'revision'),
      because: 'the first revision of an uploaded source has nothing to build: the one after the upload does',
    }
  }
  return {
    kind: 'create',
    draft,
    patch: afterwards,
    upload: undefined,
    revision: undefined,
    fields: fieldsOfCreate(settings, 'patch'),
    because: 'creating a deployment makes its first revision',
  }
}

/** The revision after the upload carries along what creating did not take. */
function sourceRevision(source: Source, settings: Settings): RevisionDraft {
  return { source, settings: pick(settings, ['appConfigPath', ...NOT_ON_CREATE]) }
}

function fieldsOfCreate(settings: Settings, afterwards: 'patch' | 'revision'): CreatePlan['fields'] {
  return describeFields(undefined, settings, (field) =>
    NOT_ON_CREATE.includes(field) ? afterwards : 'create',
  )
}

/** Problems about inputs that nothing is said of yet. */
function without(problems: Problem[], said: Problem[]): Problem[] {
  return problems.filter(({ input }) => !said.some((problem) => problem.input === input))
}
