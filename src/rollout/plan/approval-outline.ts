/**
 * The parts of a plan that an approval covers, as texts: `Asked` is set by the step, and `There` is the state that the step
 * read. The digest of a plan is made of them, and `approval.ts` compares them.
 */
import { type Deployment, type Revision, sameId, type Settings } from '../../control-plane/model.ts'
import { SETTINGS } from '../../control-plane/settings.ts'
import { COMPARED } from '../fields/compared.ts'
import { type Entry, entriesOf, hidden, type Hiding, type Texts, textsOf } from './approval-texts.ts'
import { type AskedRequest, commitOfPromotion, type PackedSource, type RolloutPlan } from './plan.ts'
import { isSource, omit, pick, REPORTED_BY_REVISION, setFields } from './settings.ts'

/** The plan that somebody approves: with names of secrets, never their values. From another job, it may hold any text. */
export interface PlanOutline {
  kind: RolloutPlan['kind']
  name: string
  requested: Asked
  there: There
}

/**
 * Inputs, the ref of the event where the source builds one, the hash of an upload, the commit of a promotion, and the
 * source, which counts for a creation only.
 */
export type Asked = Texts

export interface There {
  /** A hash of the control plane's address and `tenant-id`: what is to be created has no id yet. */
  place: string
  /** The id of the deployment; undefined if none has the name. */
  id?: string | undefined
  latest?: string | undefined
  /** The id of the active revision; `null` if none is active, undefined if it is not reported. */
  active?: string | null | undefined
  /** The value before of each setting that can change, as far as it is reported. */
  settings: Texts
  /** The values that the plan adds by itself: what a creation looks up, and `build-on-push` off for a tag. */
  adds: Texts
}

/** The facts that a plan was made of. `latest`: the deployment's latest revision, if it was read. */
export interface PlanBasis {
  plan: RolloutPlan
  request: AskedRequest
  packed: PackedSource | undefined
  latest: Revision | undefined
  place: string
}

export function outlineOf(basis: PlanBasis, hiding: Hiding): PlanOutline {
  const { plan } = basis
  const { kind } = plan
  const name = hidden(plan.kind === 'create' ? plan.draft.name : plan.deployment.name, hiding)
  return { kind, name, requested: askedOf(basis, hiding), there: thereOf(basis, hiding) }
}

function askedOf(basis: PlanBasis, hiding: Hiding): Asked {
  const { request, packed } = basis
  const requested = askedSettings(basis)
  const commit = commitOfPromotion(request)
  const besides = {
    source: request.source,
    'source-path': packed && `sha256 ${packed.sha256}`,
    'promote-from': commit && `commit ${commit}`,
    'changed-since': request.changedSince && `commit ${request.changedSince}`,
  }
  const others = Object.entries(besides)
  const set = others.flatMap(([key, value]): Entry[] => (value === undefined ? [] : [{ key, value }]))
  return textsOf([...entriesOf(requested, requested), ...set], hiding)
}

function askedSettings({ plan, request: { settings, source, repository } }: PlanBasis): Settings {
  const built = plan.kind === 'create' ? plan.draft.source : (plan.deployment.source ?? source)
  const ofEvent = built === 'git_host' && repository.repoRef.kind === 'ref' ? repository.repoRef.ref : undefined
  return { ...settings, repoRef: settings.repoRef ?? ofEvent }
}

function thereOf(basis: PlanBasis, hiding: Hiding): There {
  const { plan, place } = basis
  const adds = textsOf(entriesOf(addedSettings(basis), {}), hiding)
  if (plan.kind === 'create') return { place, settings: new Map(), adds }
  const { id, latestRevisionId: latest, activeRevisionId: active } = plan.deployment
  const clean = (one: string): string => hiding.clean(one)
  return {
    place,
    id: clean(id),
    latest: latest === undefined ? undefined : clean(latest),
    active: active && clean(active),
    settings: deployedTexts(basis, plan.deployment, hiding),
    adds,
  }
}

function addedSettings({ plan }: PlanBasis): Settings {
  const sent = plan.kind === 'create' ? plan.draft.settings : 'patch' in plan ? (plan.patch ?? {}) : {}
  return pick(sent, COMPARED.addedByPlan)
}

/** Returns the settings that its source has, as the deployment reports them, or else its latest revision. */
export function deployedTexts(basis: PlanBasis, deployment: Deployment, hiding: Hiding, isCreatedSince = false): Texts {
  const { latest } = basis
  const { source, settings, latestRevisionId } = deployment
  if (!isSource(source)) return new Map()
  const ofLatest = sameId(latest?.id, latestRevisionId) ? pick(latest?.settings ?? {}, REPORTED_BY_REVISION) : {}
  const reported = { ...ofLatest, ...omit(settings, []) }
  const compared = isCreatedSince ? COMPARED.createdSinceApproval : COMPARED.approvedDeployment
  const fields = setFields(reported, compared).filter((field) => SETTINGS[field].rules[source] !== undefined)
  return textsOf(entriesOf(reported, askedSettings(basis), fields), hiding)
}
