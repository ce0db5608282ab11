import { givenInputs, inputOf } from '../runner.ts'
import { secretsOfAddress } from '../user-info.ts'
import {
  ACCESS,
  CREDENTIALS,
  INPUT_DEFAULTS,
  INPUT_NAMES,
  OPERATIONS,
  type AccessInput,
  type Operation,
} from './names.ts'
import { proxyAddresses, type Environment } from './proxies.ts'
import type { RawInputs } from './reader.ts'
import { secretsIn, secretTexts } from './secrets.ts'

/** The inputs that the runner sets. */
export const runnerInputs: RawInputs = inputOf
/** The names of all that are set, those that no action declares included. */
export const runnerInputNames = givenInputs

/** Lists every text of the inputs and of the proxies' addresses that must be masked before anything is printed. */
export function sensitiveTexts(raw: RawInputs, env: Environment = process.env): string[] {
  return [
    ...[...CREDENTIALS, 'github-token' as const].map((name) => raw(name).trim()),
    ...secretTexts(raw('secrets')),
    ...proxyAddresses(env).flatMap((address) => secretsOfAddress(address.trim())),
    ...INPUT_NAMES.flatMap((name) => secretsIn(name, raw(name))),
  ]
}

/** Reads the input `operation` on its own: a report needs it even if other inputs are wrong. */
export function askedOperation(raw: RawInputs): Operation {
  return OPERATIONS.find((known) => known === raw('operation').trim()) ?? 'rollout'
}

/** Reads on its own which deployment the step names: a title needs it even if other inputs are wrong. */
export function askedDeployment(raw: RawInputs): string {
  return raw('name').trim() || raw('deployment-id').trim()
}

/** The names of the inputs that another step must set for the same access. No value is taken. */
export function accessInputs(raw: RawInputs): AccessInput[] {
  return ACCESS.filter((name) => {
    const given = raw(name).trim()
    const standard = INPUT_DEFAULTS[name]
    return given !== '' && (name === 'allow-http' ? given.toLowerCase() : given) !== standard
  })
}

/** Reads the input `job-summary` on its own: it applies even if other inputs are wrong. */
export function wantsSummary(raw: RawInputs): boolean {
  return raw('job-summary').trim().toLowerCase() !== 'false'
}
