import { getInput } from '@actions/core'
import { CREDENTIALS, OPERATIONS, type Operation } from './names.ts'
import type { RawInputs } from './reader.ts'
import { secretTexts } from './secrets.ts'

/** The inputs that the runner sets. */
export const runnerInputs: RawInputs = (name) => getInput(name, { trimWhitespace: false })

/** Lists every text of the inputs that must be masked before anything is printed. */
export function sensitiveTexts(raw: RawInputs): string[] {
  const userInfo = [raw('base-url'), raw('repo-url')].flatMap((address) => {
    const url = URL.parse(address.trim())
    return url === null ? [] : [url.password, decoded(url.password)]
  })
  const credentials = [...CREDENTIALS, 'github-token' as const].map((name) => raw(name).trim())
  return [...credentials, ...userInfo, ...secretTexts(raw('secrets'))]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads the input `operation` on its own: a report needs it even if other inputs are wrong. */
export function askedOperation(raw: RawInputs): Operation {
  return OPERATIONS.find((known) => known === raw('operation').trim()) ?? 'rollout'
}

/** Reads the input `job-summary` on its own: it applies even if other inputs are wrong. */
export function wantsSummary(raw: RawInputs): boolean {
  return raw('job-summary').trim().toLowerCase() !== 'false'
}
