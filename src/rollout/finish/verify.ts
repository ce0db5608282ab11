import type { Clock } from '../../clock.ts'
import { ifReadable } from '../../control-plane/errors.ts'
import { webAddressOf } from '../../web-address.ts'
import { FIRST_VERIFY_PAUSE_MS, LONGEST_VERIFY_PAUSE_MS, VERIFY_REQUEST_TIMEOUT_MS } from '../timing.ts'

/** What an address must answer before a rollout counts as verified. */
export interface Verification {
  /** `{url}` stands for the deployment's own address. */
  url: string
  status: number
  /** A text that the answer must hold. */
  contains: string | undefined
  timeoutMs: number
}

/** One look at the address: what came, or why nothing did. */
export type Look = { kind: 'answer'; status: number; body: string } | { kind: 'trouble'; trouble: string }

export interface VerifyDoors {
  /** Reads an address once, without any credentials, following redirects within its origin only. */
  look: (url: URL, timeoutMs: number) => Promise<Look>
  /** Asks for the deployment's own address, which a new deployment may not have yet. */
  findUrl: () => Promise<string | undefined>
  clock: Clock
  signal: AbortSignal
}

export type VerifyEnd = { kind: 'verified' } | { kind: 'unverified'; url: string; trouble: string }

/** Looks at the address until it answers as it should, or the time is over. */
export async function verify(
  verification: Verification,
  deploymentUrl: string | undefined,
  doors: VerifyDoors,
): Promise<VerifyEnd> {
  const { clock, signal } = doors
  const endsAt = clock.now() + verification.timeoutMs
  const needsUrl = verification.url.includes('{url}')
  let known = deploymentUrl
  for (let pause = FIRST_VERIFY_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_VERIFY_PAUSE_MS)) {
    if (needsUrl) known ??= await ifReadable(doors.findUrl)
    const address = needsUrl && known === undefined ? undefined : addressOf(verification.url, known)
    if (typeof address === 'string') return { kind: 'unverified', url: verification.url, trouble: address }
    const left = endsAt - clock.now()
    const look =
      address && (await doors.look(address, Math.max(1, Math.min(VERIFY_REQUEST_TIMEOUT_MS, left))))
    const trouble = troubleWith(look ?? NO_ADDRESS, verification)
    if (trouble === undefined) return { kind: 'verified' }
    if (clock.now() + pause >= endsAt)
      return { kind: 'unverified', url: address?.href ?? verification.url, trouble }
    await clock.sleep(pause, signal)
  }
}

const NO_ADDRESS: Look = { kind: 'trouble', trouble: 'the control plane tells no address of the deployment' }

/** The address, or why it is none. */
function addressOf(template: string, deploymentUrl: string | undefined): URL | string {
  const filled = template.replaceAll('{url}', deploymentUrl?.replace(/\/+$/, '') ?? '')
  return webAddressOf(filled) ?? `${filled} is not a plain web address`
}

function troubleWith(look: Look, { status, contains }: Verification): string | undefined {
  if (look.kind === 'trouble') return look.trouble
  if (look.status !== status) return `it answers HTTP ${look.status}, not ${status}`
  if (contains !== undefined && !look.body.includes(contains))
    return `it answers HTTP ${status}, and the text that was asked for is not in it`
  return undefined
}
