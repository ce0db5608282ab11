import { ifReadable } from '../../control-plane/errors.ts'
import { addressOf } from '../../control-plane/model.ts'
import { probe, type ProbeResult } from '../../control-plane/probe.ts'
import { webAddressOf } from '../../web-address.ts'
import { withTime, type Dependencies } from '../dependencies.ts'
import type { Outcome } from '../outcome.ts'
import type { Verification, WatchRequest } from '../rollout-request.ts'
import { FIRST_VERIFY_PAUSE_MS, LONGEST_VERIFY_PAUSE_MS, VERIFY_REQUEST_TIMEOUT_MS } from '../timing.ts'
import { confirmEnd } from '../watch/confirm.ts'
import type { EndedRevision } from '../watch/watch.ts'

/** Verifies a deployed revision by its address, and checks afterwards that it is still the active one. */
export async function verifyRevision(
  ended: EndedRevision,
  { verification }: WatchRequest,
  deps: Dependencies,
): Promise<Outcome> {
  const { outcome, revision, url, deploymentId } = ended
  if (outcome.kind !== 'deployed' || revision === undefined || verification === undefined) return outcome
  deps.emit({ kind: 'verifying', url: verification.url })
  const { controlPlane } = withTime(deps, verification.timeoutMs)
  const end = await verify(verification, url, {
    ...deps,
    probe: async (address, timeoutMs) => await probe(address, timeoutMs, deps.signal),
    findUrl: async () => addressOf(await controlPlane.getDeployment(deploymentId)),
  })
  if (end.kind === 'unverified') deps.emit({ ...end, kind: 'verification-failed' })
  // Verification takes time: the last response may come from another revision that is now active.
  const again = await ifReadable(async () => await confirmEnd(revision, ended, deps))
  if (again?.kind === 'superseded') return again
  return end.kind === 'verified' ? outcome : end
}

export interface VerifyDependencies extends Pick<Dependencies, 'clock' | 'signal'> {
  /** Reads an address once, without credentials; follows redirects within its origin only. */
  probe: (url: URL, timeoutMs: number) => Promise<ProbeResult>
  /** Reads the deployment's own address, which a new deployment may not have yet. */
  findUrl: () => Promise<string | undefined>
}

/** Reads the address until it answers as expected, or `verify-timeout` is over. */
export async function verify(
  verification: Verification,
  deploymentUrl: string | undefined,
  deps: VerifyDependencies,
): Promise<{ kind: 'verified' } | { kind: 'unverified'; url: string; trouble: string }> {
  const { clock, signal } = deps
  const endsAt = clock.now() + verification.timeoutMs
  const needsUrl = verification.url.includes('{url}')
  let known = deploymentUrl
  for (let pause = FIRST_VERIFY_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_VERIFY_PAUSE_MS)) {
    if (needsUrl) known ??= await ifReadable(deps.findUrl)
    const address = needsUrl && known === undefined ? undefined : filledAddress(verification.url, known)
    if (typeof address === 'string') return { kind: 'unverified', url: verification.url, trouble: address }
    const timeoutMs = Math.max(1, Math.min(VERIFY_REQUEST_TIMEOUT_MS, endsAt - clock.now()))
    const trouble = address === undefined ? NO_ADDRESS : troubleWith(await deps.probe(address, timeoutMs), verification)
    if (trouble === undefined) return { kind: 'verified' }
    if (clock.now() + pause >= endsAt) return { kind: 'unverified', url: address?.href ?? verification.url, trouble }
    await clock.sleep(pause, signal)
  }
}

const NO_ADDRESS = 'the control plane reports no address for the deployment'

/** Returns the address, or why it cannot be used. */
function filledAddress(template: string, deploymentUrl: string | undefined): URL | string {
  const filled = template.replaceAll('{url}', deploymentUrl?.replace(/\/+$/, '') ?? '')
  return webAddressOf(filled) ?? `${filled} is not a plain web address`
}

function troubleWith(result: ProbeResult, { status, contains }: Verification): string | undefined {
  if (result.kind === 'trouble') return result.trouble
  if (result.status !== status) return `it answers HTTP ${result.status}, not ${status}`
  if (contains !== undefined && !result.body.includes(contains))
    return `it answers HTTP ${status}, and its body lacks the text of verify-contains`
  return undefined
}
