import { webAddressOf } from '../secrets/address.ts'

/** The forms of values that a run prints, or sends to GitHub, as the control plane reports them. */
export const FORMS = {
  /** Contract notes, "Statuses". */
  status: /^[A-Z0-9_]{1,64}$/,
  commit: /^[0-9a-f]{7,64}$/i,
  fullCommit: /^([0-9a-f]{40}|[0-9a-f]{64})$/i,
  /** A segment of a path: printable ASCII without `/ ? # % \`, and not `.` or `..`. The contract does not say more. */
  id: /^(?!\.{1,2}$)(?:(?![/?#%\\])[!-~]){1,128}$/,
  /** No control, invisible or unassigned character. */
  name: /^[^\p{C}\u2028\u2029]{1,255}$/u,
} as const

/** Whether a text is an address as it is: no user info, and nothing that a parser silently changes or removes. */
export function isAddress(text: string): boolean {
  return (
    /^https?:\/\/[!-~]{1,2000}$/i.test(text) &&
    !/["<>\\^`{|}]/.test(text) &&
    !hasAt(text) &&
    webAddressOf(text) !== undefined
  )
}

function hasAt(address: string): boolean {
  return /^\w+:\/\/[^/?#]*@/.test(address)
}

/** A missing value has every form. */
export function misfits<Name extends string>(
  fields: Readonly<Record<Name, readonly [value: string | null | undefined, form: RegExp]>>,
): string[] {
  return Object.entries<readonly [string | null | undefined, RegExp]>(fields).flatMap(([name, [value, form]]) =>
    value === undefined || value === null || form.test(value) ? [] : [name],
  )
}
