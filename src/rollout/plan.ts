import {
  CHANGE_CLASS,
  type Deployment,
  type DeploymentDraft,
  type Field,
  type RevisionDraft,
  type Settings,
  type Source,
} from '../control-plane/model.ts'
import { inputName, isSource, mismatches, missing } from '../sources/matrix.ts'
import type { Problem } from '../sources/problem.ts'
import { isTag, sameRepository } from '../sources/repository.ts'
import { describeChanges, sameValue, shownValue, type FieldChange } from './changes.ts'
import { withRepositoryDefaults } from './defaults.ts'
import type { RolloutRequest } from './request.ts'
import { fieldsOf, nonEmpty, omit, pick } from './settings.ts'

/** What a rollout is going to write: at most one PATCH, and exactly one revision. */
export type RolloutPlan = CreatePlan | RevisePlan

export interface CreatePlan {
  kind: 'create'
  draft: DeploymentDraft
  /** Settings that creating does not take and that need no revision: patched right afterwards. */
  patch: Settings | undefined
  changes: FieldChange[]
  notes: string[]
}

export interface RevisePlan {
  kind: 'revise'
  /** As it was when the plan was made. */
  deployment: Deployment
  /** Config-only settings that really differ. */
  patch: Settings | undefined
  draft: RevisionDraft
  changes: FieldChange[]
  notes: string[]
}

export type Planning = { kind: 'planned'; plan: RolloutPlan } | { kind: 'refused'; problems: Problem[] }

/** Compares what is wanted with what the control plane says, and decides what to write. Writes nothing. */
export function planRollout(request: RolloutRequest, current: Deployment | undefined): Planning {
  return current === undefined ? planCreate(request) : planRevise(request, current)
}

/** The create body has no place for these (contract notes, `POST /v2/deployments`). */
const NOT_ON_CREATE: readonly Field[] = ['shareable', 'routeThroughGateway']

function planCreate(request: RolloutRequest): Planning {
  const { target, source } = request
  if (target.kind === 'id') throw new Error('a deployment that was found by its id always exists')
  const { name } = target
  if (request.ifMissing === 'fail') {
    return refused({
      input: 'name',
      value: name,
      message: 'names no deployment that these credentials can see, and if-missing is "fail"',
    })
  }
  if (source === undefined) {
    return refused({
      input: 'source',
      message: `is required to create a deployment, and there is none named "${name}" yet`,
    })
  }
  const { settings: wanted, problems, notes } = withRepositoryDefaults(request, source, undefined)
  const settings = isTag(wanted.repoRef) ? { ...wanted, buildOnPush: false } : wanted
  const found = [
    ...problems,
    ...mismatches(source, settings),
    ...without(missing(source, settings), problems),
  ]
  if (found.length > 0) return { kind: 'refused', problems: found }

  const draft = { name, source, settings: omit(settings, NOT_ON_CREATE) }
  const patch = nonEmpty(pick(settings, NOT_ON_CREATE))
  const changes = describeChanges({}, settings, (field) =>
    NOT_ON_CREATE.includes(field) ? 'patch' : 'create',
  )
  return { kind: 'planned', plan: { kind: 'create', draft, patch, changes, notes } }
}

function planRevise(request: RolloutRequest, current: Deployment): Planning {
  const source = sourceOf(request, current)
  if (typeof source !== 'string') {
    return refused(
      source,
      ...immutableDifferences(request.settings, current.settings),
      ...secretsLeftOut(request, current),
    )
  }
  const { settings: wanted, problems, notes } = withRepositoryDefaults(request, source, current)
  const found = [
    ...problems,
    ...mismatches(source, wanted),
    ...immutableDifferences(wanted, current.settings),
    ...secretsLeftOut(request, current),
  ]
  if (found.length > 0) return { kind: 'refused', problems: found }

  const tagNeedsPushOff = isTag(wanted.repoRef) && current.settings.buildOnPush === true
  const config = tagNeedsPushOff ? { ...wanted, buildOnPush: false } : wanted
  const patch = nonEmpty(pick(config, configFieldsThatDiffer(config, current.settings)))
  const draft = { source, settings: revisionSettings(wanted, current.settings) }
  const changes = describeChanges(
    current.settings,
    { ...patch, ...pick(wanted, fieldsOf('revision')) },
    (field) => (CHANGE_CLASS[field] === 'config' ? 'patch' : 'revision'),
  )
  const untold = fieldsOf('immutable')
    .filter((field) => request.settings[field] !== undefined && current.settings[field] === undefined)
    .map(
      (field) =>
        `${inputName(field)} is not sent: it cannot change, and the deployment does not tell its own to compare`,
    )
  const because = tagNeedsPushOff ? ['build-on-push is turned off first: a tag cannot be built on push'] : []
  return {
    kind: 'planned',
    plan: {
      kind: 'revise',
      deployment: current,
      patch,
      draft,
      changes,
      notes: [...notes, ...untold, ...because],
    },
  }
}

function sourceOf(request: RolloutRequest, current: Deployment): Source | Problem {
  const known = current.source ?? request.source
  if (known === undefined) {
    return {
      input: 'source',
      message: 'is required here: the control plane does not say which source this deployment has',
    }
  }
  if (request.source !== undefined && request.source !== known) {
    return {
      input: 'source',
      value: request.source,
      message: `differs from the deployment's, which is "${known}" and cannot change after it is created`,
    }
  }
  if (!isSource(known)) {
    return { input: 'source', message: `of this deployment is "${known}", which this action does not know` }
  }
  return known
}

/** Rule 6 of the contract notes. A value that the answer does not tell cannot be compared and is not sent. */
function immutableDifferences(wanted: Settings, current: Settings): Problem[] {
  return fieldsOf('immutable').flatMap((field) => {
    if (wanted[field] === undefined || current[field] === undefined) return []
    if (sameImmutable(field, wanted, current)) return []
    const message = `differs from the deployment's, which is "${printed(field, current)}" and cannot change after it is created`
    return [{ input: inputName(field), value: printed(field, wanted), message }]
  })
}

function printed(field: Field, settings: Settings): string {
  const value = shownValue(field, settings)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function sameImmutable(field: Field, wanted: Settings, current: Settings): boolean {
  if (field === 'repoUrl') return sameRepository(wanted.repoUrl ?? '', current.repoUrl ?? '')
  return sameValue(wanted[field], current[field])
}

/** A list of secrets replaces the one that the deployment has: what it leaves out would be gone. */
function secretsLeftOut(request: RolloutRequest, current: Deployment): Problem[] {
  const { secrets } = request.settings
  if (secrets === undefined || request.allowSecretRemoval) return []
  const kept = new Set(secrets.map(({ name }) => name))
  const lost = (current.settings.secrets ?? []).map(({ name }) => name).filter((name) => !kept.has(name))
  if (lost.length === 0) return []
  const message = `leaves out ${lost.join(', ')}, which the deployment has and would lose: add them, leave secrets out altogether, or set allow-secret-removal to true`
  return [{ input: 'secrets', message }]
}

function configFieldsThatDiffer(wanted: Settings, current: Settings): Field[] {
  return fieldsOf('config').filter(
    (field) => wanted[field] !== undefined && !sameValue(wanted[field], current[field]),
  )
}

/**
 * What the new revision is told. The fields of source_revision_config go in full, those that stay included: whether
 * the control plane merges that object or replaces it, the revision comes out the same.
 */
function revisionSettings(wanted: Settings, current: Settings): Settings {
  const { repoRef, appConfigPath, imageUri, sourceTarballPath } = current
  return omit(
    { repoRef, appConfigPath, imageUri, sourceTarballPath, ...pick(wanted, fieldsOf('revision')) },
    [],
  )
}

/** Problems about inputs that nothing is said of yet. */
function without(problems: Problem[], said: Problem[]): Problem[] {
  return problems.filter(({ input }) => !said.some((problem) => problem.input === input))
}

function refused(...problems: Problem[]): Planning {
  return { kind: 'refused', problems }
}
