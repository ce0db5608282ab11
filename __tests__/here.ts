import { PARTS } from '../src/parts.ts'
import { systemClock, systemFiles } from '../src/real/world.ts'
import { Redactor } from '../src/secrets/redact.ts'
import type { Files } from '../src/world.ts'

/** The real files, of this machine. */
export const FILES: Files = systemFiles

/** The real files and the real clock. */
export const HERE = { files: FILES, clock: systemClock, later: PARTS.later }

/** What a step has beside its inputs and its event: nothing is set. */
export const AROUND = {
  ...HERE,
  ...PARTS,
  env: {},
  redactor: new Redactor(() => undefined),
  given: new Map<string, string>(),
  isRunByAct: false,
  warn: (): void => undefined,
}

/** An event without a payload. */
export const NO_PAYLOAD = (): Promise<unknown> => Promise.reject(new Error('not expected'))
