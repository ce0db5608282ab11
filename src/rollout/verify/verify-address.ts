import { isAddress } from '../../control-plane/model.ts'
import { probe, type Probe, type ProbeResult } from '../../control-plane/probe.ts'
import { webAddressOf } from '../../secrets/address.ts'
import type { Run } from '../dependencies.ts'
import type { Verification } from '../rollout-request.ts'
import { withoutEnd } from '../../secrets/text.ts'

/** Reads an address once; follows redirects within its origin only. */
export type ReadAddress = (url: URL, timeoutMs: number) => Promise<ProbeResult>

/** Reads addresses for a check, each in its turn, and none after the end of the run. */
export function addressReader(
  { request, status, contains }: Pick<Verification, 'request' | 'status' | 'contains'>,
  { clock, network, signal, endsAt = Infinity, probeTurn, probe: given }: ProbeDependencies,
): ReadAddress {
  const send: Probe = given ?? (async (url, options) => await probe(url, options, { network, clock }))
  const bodyOf = contains === undefined ? undefined : status
  return async (url, timeoutMs) => {
    const read = async (): Promise<ProbeResult> => {
      // The turn may have come late.
      const leftMs = Math.min(timeoutMs, endsAt - clock.now())
      return leftMs > 0 ? await send(url, { request, timeoutMs: leftMs, signal, bodyOf }) : NOT_READ
    }
    return probeTurn === undefined ? await read() : await probeTurn(read)
  }
}

type ProbeDependencies = Pick<Run, 'clock' | 'network' | 'signal' | 'endsAt' | 'probeTurn' | 'probe'>

const NOT_READ = { kind: 'lost', trouble: 'it was not read in time' } as const

export function needsDeploymentUrl({ url }: Pick<Verification, 'url'>): boolean {
  return url.includes('{url}')
}

/**
 * Returns the address, or why it cannot be used. An address that may not be shown is neither requested: its server need
 * not be the deployment.
 */
export function filledAddress(
  template: string,
  deploymentUrl: string | undefined,
  reveals: Run['reveals'],
): URL | string {
  if (deploymentUrl === undefined) return webAddressOf(template) ?? `${template} ${NOT_PLAIN}`
  if (reveals(deploymentUrl)) return 'the address that the control plane reports contains a secret'
  const filled = template.replaceAll('{url}', withoutEnd(deploymentUrl, '/'))
  const address = isAddress(deploymentUrl) ? webAddressOf(filled) : undefined
  return address ?? `the address that the control plane reports ${NOT_PLAIN}`
}

const NOT_PLAIN = 'is not a plain web address'
