import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Form } from './forms.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Asked } from './rollouts.ts'

const revisionSchema = z.object({
  id: z.string(),
  status: z.string(),
  source_revision_config: z.record(z.string(), z.unknown()),
  /** Those with which it was created, where they are read. */
  secrets: z.array(z.object({ name: z.string(), value: z.string() })).exactOptional(),
})
const deploymentSchema = z.object({
  id: z.string(),
  active_revision_id: z.string().nullable(),
  source_config: z.record(z.string(), z.unknown()),
  secrets: z.array(z.object({ name: z.string(), value: z.string() })),
  shareable: z.boolean().optional(),
})

/** The state of one deployment on the control plane. */
export type DeploymentState = z.infer<typeof deploymentSchema> & { revisions: z.infer<typeof revisionSchema>[] }

/** What of a sandbox shows its state. */
export type Shown = Pick<Sandbox, 'deployments' | 'revisions'>

export function readDeployments(sandbox: Shown, name: unknown = 'hello-agent'): DeploymentState[] {
  const named = sandbox.deployments().filter((shown) => shown['name'] === name)
  return named.map((shown) => {
    const deployment = deploymentSchema.parse(shown)
    return { ...deployment, revisions: z.array(revisionSchema).parse(sandbox.revisions(deployment.id)) }
  })
}

export function activeRevision(state: DeploymentState | undefined): DeploymentState['revisions'][number] | undefined {
  return state?.revisions.find(({ id }) => id === state.active_revision_id)
}

/** What a rollout reported. */
export interface Said {
  outputs: Readonly<Record<string, string>>
  /** Its error, as in the log. */
  error: string
}

export interface Case {
  before: DeploymentState[]
  /** When everything has ended. */
  after: DeploymentState[]
  asked: Asked
  said: Said
  /** How the control plane writes and shows values. */
  form?: Form | undefined
  /** Whether a response that is about this deployment has confirmed a PATCH. */
  isPatchAnswered?: boolean
  /** Revisions of others, which are not what the run asks for. */
  strangers?: readonly string[]
}

/** What one run made more than once. */
export type Made = Record<'secondRevisions' | 'secondDeployments', number>

/** @param mayRollBack a rollback that is not successful makes a revision of its own, too */
export function secondOnes({ before, after, said: { outputs } }: Case, mayRollBack: boolean): Made {
  const made = (after[0]?.revisions.length ?? 0) - (before[0]?.revisions.length ?? 0)
  const most = mayRollBack && outputs['outcome'] !== 'deployed' ? 2 : 1
  return { secondRevisions: Math.max(0, made - most), secondDeployments: Math.max(0, after.length - 1) }
}

/** What is untrue in the report. */
export function untruths(held: Case): string[] {
  return [...untrueOfAny(held), ...untrueOf(held)]
}

function untrueOfAny(held: Case): string[] {
  const { before, after, strangers = [], said } = held
  const { outputs } = said
  const [deployment] = after
  const made = (deployment?.revisions.length ?? 0) - (before[0]?.revisions.length ?? 0)
  // A rollback makes one of its own.
  const most = outputs['outcome'] === 'deployed' ? 1 : 2
  const reported = outputs['revision-id']
  return [
    ...(after.length > 1 ? [`${after.length} deployments of one name`] : []),
    ...(made > most ? [`${made} revisions of one run`] : []),
    ...(outputs['deployment-id'] !== undefined && outputs['deployment-id'] !== deployment?.id
      ? ['the reported deployment does not exist']
      : []),
    ...(reported !== undefined && !deployment?.revisions.some(({ id }) => id === reported)
      ? ['the reported revision does not exist']
      : []),
    ...(strangers.some((id) => id === reported) ? ['the reported revision is that of a stranger'] : []),
    ...doubtsWithoutReason(held),
  ]
}

function untrueOf(held: Case): string[] {
  const { outcome } = held.said.outputs
  switch (outcome) {
    case 'deployed':
      return untrueOfDeployed(held)
    case 'rolled-back':
      return untrueOfRolledBack(held)
    case 'unverified':
      return untrueOfUnverified(held)
    case 'failed':
      return untrueOfFailed(held)
    case 'timed-out':
      return []
    // In a fleet.
    case 'not-started':
      return isDeepStrictEqual(held.before, held.after) ? [] : ['not started, but something was written']
    default:
      return [`an outcome that cannot be: ${outcome ?? 'none'}`]
  }
}

function untrueOfDeployed(held: Case): string[] {
  const { after, asked, said } = held
  const [deployment] = after
  const { outputs } = said
  const reported = deployment?.revisions.find(({ id }) => id === outputs['revision-id'])
  return [
    ...(reported?.status === 'DEPLOYED' ? [] : [`deployed, but the revision is ${reported?.status ?? 'none'}`]),
    ...(reported?.id === deployment?.active_revision_id ? [] : ['deployed, but not active']),
    ...differences('secrets', deployment?.secrets, asked.secrets),
    ...settingsThatDiffer(held, { shareable: asked.shareable, ...asked.source_config }),
    ...fieldsThatDiffer(reported?.source_revision_config, asked.source_revision_config),
  ].map((untrue) => `deployed, but ${untrue.replace(/^deployed, but /, '')}`)
}

function untrueOfRolledBack(held: Case): string[] {
  const [earlier, deployment] = [held.before[0], held.after[0]]
  const { custom_url } = earlier?.source_config ?? {}
  return [
    ...(serves(deployment, earlier) ? [] : ['the earlier configuration is not active']),
    ...settingsThatDiffer(held, { custom_url }),
  ].map((untrue) => `rolled back, but ${untrue}`)
}

function untrueOfUnverified({ before: [earlier], after: [deployment], said }: Case): string[] {
  const { outputs, error } = said
  const reported = deployment?.revisions.find(({ id }) => id === outputs['revision-id'])
  return [
    ...(reported?.status === 'DEPLOYED' ? [] : [`unverified, but the revision is ${reported?.status ?? 'none'}`]),
    ...(/The rollback( to revision \S+)? failed:/.test(error) && !isUnknown(said) && serves(deployment, earlier)
      ? ['the rollback failed, but the earlier configuration is active again']
      : []),
    ...(/serves, and its check failed as well/.test(error) && !serves(deployment, earlier)
      ? ['the rollback is done, but the earlier configuration is not active again']
      : []),
  ]
}

function untrueOfFailed({ before, after, said }: Case): string[] {
  const { status, change, 'revision-id': reported } = said.outputs
  const [earlier, deployment] = [before[0], after[0]]
  const revision = deployment?.revisions.find(({ id }) => id === reported)
  // A failure of the run claims nothing of the revision; one of the revision must be true.
  const isOfRevision = status?.endsWith('_FAILED') === true
  const isFirm = !isUnknown(said) && reported === undefined
  return [
    ...(isOfRevision && revision?.status !== status
      ? [`${status}, but the revision is ${revision?.status ?? 'none'}`]
      : []),
    ...(isFirm && change === 'none' && !isDeepStrictEqual(before, after)
      ? ['failed without having written anything, but something was created']
      : []),
    ...(isFirm && change === 'patched' && deployment?.revisions.length !== earlier?.revisions.length
      ? ['failed after the settings were patched, but a revision was created']
      : []),
  ]
}

/** Whether the report itself says that the result is unknown. */
export function isUnknown({ error }: Said): boolean {
  return error.includes('may have succeeded')
}

/** Whether the earlier configuration is active now: the same revision, or another one of its image or ref. */
function serves(deployment: DeploymentState | undefined, earlier: DeploymentState | undefined): boolean {
  const [now, then] = [activeRevision(deployment), activeRevision(earlier)]
  return now !== undefined && isDeepStrictEqual(now.source_revision_config, then?.source_revision_config)
}

/** The settings that are not in effect, except for those that no response shows, and that the report names as such. */
function settingsThatDiffer(
  { after: [deployment], form: { own = asIs, hidden = [] } = {}, said: { error } }: Case,
  wanted: Readonly<Record<string, unknown>>,
): string[] {
  const named = [...namedAs(NOT_CONFIRMED, error), ...namedAs(NOT_RESTORED, error)]
  const asked = Object.entries(own(wanted)).filter(([field]) => !(named.includes(field) && hidden.includes(field)))
  const { shareable, source_config } = deployment ?? {}
  return fieldsThatDiffer(own({ shareable, ...source_config }), Object.fromEntries(asked))
}

const asIs: NonNullable<Form['own']> = (fields) => fields

/** A setting is not confirmed only where no response shows it, and none confirms the PATCH. */
function doubtsWithoutReason({ form: { hidden = [] } = {}, isPatchAnswered, said: { error } }: Case): string[] {
  const named = namedAs(NOT_CONFIRMED, error)
  const shown = named.filter((field) => !hidden.includes(field))
  return [
    ...(shown.length === 0 ? [] : [`${shown.join()} is not confirmed, but reported`]),
    ...(named.length > 0 && isPatchAnswered === true ? ['not confirmed, but the PATCH was answered'] : []),
  ]
}

const NOT_CONFIRMED = 'Not confirmed'
const NOT_RESTORED = 'Not restored, so these keep the value of this run'

/** The fields that a sentence of the report names. */
function namedAs(what: string, report: string): string[] {
  const sentences = report.matchAll(new RegExp(`${what}: ([a-z, -]+)\\.`, 'g'))
  return [...sentences].flatMap(([, inputs = '']) => inputs.replaceAll('-', '_').split(', '))
}

export function fieldsThatDiffer(
  found: Readonly<Record<string, unknown>> | undefined,
  wanted: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(wanted).flatMap(([field, value]) => differences(field, found?.[field], value))
}

/** Shows values: the secrets of the storm are not secret. */
function differences(what: string, found: unknown, wanted: unknown): string[] {
  if (isDeepStrictEqual(found, wanted)) return []
  return [`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`]
}
