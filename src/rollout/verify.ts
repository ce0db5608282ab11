import type { Clock } from '../clock.ts'

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
  clock: Clock
  signal: AbortSignal
}

export type VerifyEnd = { kind: 'verified' } | { kind: 'unverified'; url: string; trouble: string }

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5_000
const LOOK_TIMEOUT_MS = 10_000

/** Looks at the address until it answers as it should, or the time is over. */
export async function verify(
  verification: Verification,
  deploymentUrl: string | undefined,
  doors: VerifyDoors,
): Promise<VerifyEnd> {
  const { clock, signal } = doors
  const address = addressOf(verification.url, deploymentUrl)
  if (!(address instanceof URL)) return { kind: 'unverified', url: verification.url, trouble: address }
  const endsAt = clock.now() + verification.timeoutMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const left = endsAt - clock.now()
    const look = await doors.look(address, Math.max(1, Math.min(LOOK_TIMEOUT_MS, left)))
    const trouble = troubleWith(look, verification)
    if (trouble === undefined) return { kind: 'verified' }
    if (clock.now() + pause >= endsAt) return { kind: 'unverified', url: address.href, trouble }
    await clock.sleep(pause, signal)
  }
}

/** The address, or why there is none. */
function addressOf(template: string, deploymentUrl: string | undefined): URL | string {
  if (template.includes('{url}') && deploymentUrl === undefined)
    return 'the control plane tells no address of the deployment'
  const filled = template.replaceAll('{url}', deploymentUrl?.replace(/\/+$/, '') ?? '')
  const url = URL.parse(filled)
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return isWeb ? url : `${filled} is not a plain web address`
}

function troubleWith(look: Look, { status, contains }: Verification): string | undefined {
  if (look.kind === 'trouble') return look.trouble
  if (look.status !== status) return `it answers HTTP ${look.status}, not ${status}`
  if (contains !== undefined && !look.body.includes(contains))
    return `it answers HTTP ${status}, and the text that was asked for is not in it`
  return undefined
}
