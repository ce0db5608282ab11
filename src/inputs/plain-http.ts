import type { RawInputs } from './reader.ts'

/** Whether `base-url` is a plain http address, before the step is read: such a run needs no TLS, unless it asks GitHub. */
export function isPlainHttp(raw: RawInputs): boolean {
  return /^\s*http:/i.test(raw('base-url'))
}
