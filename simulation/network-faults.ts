/** What goes wrong on the way between the action and a server of the simulation. */
export type NetworkFault =
  /** No connection: the server receives nothing. */
  | { kind: 'refused' }
  /** The connection breaks, before or after the server acts. */
  | { kind: 'reset'; when: 'before' | 'after' }
  /** Something in between answers, as a gateway does; with `acts` the server acts first. */
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string; acts?: boolean }
  /** The body ends in its middle. */
  | { kind: 'cut' }
  /** There is no answer until the client gives up. */
  | { kind: 'stall'; when: 'before' | 'after' }
  /** A gateway answers 502, or nothing, and the server acts so many milliseconds later. */
  | { kind: 'late'; ms: number; isLost: boolean }
  /** The Date of the answer is wrong by so many milliseconds, or missing. */
  | { kind: 'date'; ms: number | undefined }
  | PlaneFault

/** What a control plane itself gets wrong. */
export type PlaneFault =
  /** It shows the state of so many milliseconds ago. For reads. */
  | { kind: 'lag'; ms: number }
  /** It responds about another deployment or revision; with `acts` it acts first. */
  | { kind: 'about-another'; acts: boolean }
  /** An entry of this page of a list has moved to one that was read already. */
  | { kind: 'shift' }

const HTML = { 'content-type': 'text/html' }
const PAGE = '<html><title>Log in</title></html>'

const STATUSES = [429, 500, 502, 503, 504] as const

/** What servers write into Retry-After that names no time to come. */
const NO_TIME: readonly (readonly [status: number, header: string])[] = [
  [429, '0'],
  [429, '-1'],
  [503, 'Mon, 02 Mar 2026 09:30:12 GMT'],
  [503, 'retry 5'],
]

/** Every single fault. */
export const NETWORK_FAULTS: readonly NetworkFault[] = [
  { kind: 'refused' },
  { kind: 'reset', when: 'before' },
  { kind: 'reset', when: 'after' },
  ...STATUSES.flatMap((status): NetworkFault[] => [
    { kind: 'answer', status },
    { kind: 'answer', status, headers: { 'retry-after': '3' } },
  ]),
  ...NO_TIME.map(([status, header]): NetworkFault => ({ kind: 'answer', status, headers: { 'retry-after': header } })),
  { kind: 'answer', status: 502, acts: true },
  { kind: 'answer', status: 503, acts: true },
  { kind: 'answer', status: 200, headers: HTML, body: PAGE },
  { kind: 'answer', status: 200, headers: HTML, body: PAGE, acts: true },
  { kind: 'cut' },
  { kind: 'stall', when: 'before' },
  { kind: 'stall', when: 'after' },
  { kind: 'late', ms: 4_000, isLost: false },
  { kind: 'late', ms: 9_000, isLost: true },
  { kind: 'date', ms: undefined },
  { kind: 'date', ms: 3_600_000 },
  { kind: 'date', ms: -3_600_000 },
]

/** Every single fault of a control plane; a list shifts only where it has several pages. */
export const PLANE_FAULTS: readonly PlaneFault[] = [
  { kind: 'lag', ms: 6_000 },
  { kind: 'about-another', acts: true },
  { kind: 'about-another', acts: false },
  { kind: 'shift' },
]

const LIMITED = 'You have exceeded a secondary rate limit.'

/** What GitHub answers when there were too many requests. */
export const RATE_LIMITS: readonly NetworkFault[] = [
  rateLimit(429, { 'retry-after': '7' }, LIMITED),
  rateLimit(403, { 'retry-after': '7' }, LIMITED),
  rateLimit(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1772530500' }, 'API rate limit exceeded'),
  rateLimit(429, { 'retry-after': '0' }, LIMITED),
  rateLimit(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1772443800' }, 'API rate limit exceeded'),
]

/** Whoever follows it hands over what was sent, the token included. */
export const STRAY_REDIRECT: NetworkFault = {
  kind: 'answer',
  status: 307,
  headers: { location: 'https://elsewhere.example/' },
}

function rateLimit(status: number, headers: Record<string, string>, message: string): NetworkFault {
  const all = { 'content-type': 'application/json', ...headers }
  return { kind: 'answer', status, headers: all, body: JSON.stringify({ message }) }
}

/** A short name, by which faults are counted. */
export function nameOfFault(fault: NetworkFault): string {
  switch (fault.kind) {
    case 'refused':
    case 'cut':
    case 'lag':
      return fault.kind
    case 'reset':
    case 'stall':
      return `${fault.kind} ${fault.when}`
    case 'answer': {
      if (fault.body?.includes('rate limit') === true) return 'rate limit of GitHub'
      const what = fault.body === PAGE ? 'HTML page' : String(fault.status)
      const asked = fault.headers?.['retry-after']
      const wait = asked === undefined ? '' : ` with Retry-After${/^[1-9]/.test(asked) ? '' : ' of no time'}`
      return `${what}${wait}${fault.acts === true ? ', acted' : ''}`
    }
    case 'late':
      return 'late act'
    case 'about-another':
      return fault.acts ? 'about another, acted' : 'about another'
    case 'shift':
      return 'shifted list'
    case 'date':
      return fault.ms === undefined ? 'no Date' : 'wrong Date'
  }
}
