import { PARTS } from '../src/parts.ts'
import { systemClock, systemFiles } from '../src/real/world.ts'
import { Redactor } from '../src/secrets/redact.ts'
import type { Environment, Files } from '../src/world.ts'

/** The real files, of this machine. */
export const FILES: Files = systemFiles

const NOTHING_SET: Environment = {}

/** The real files and the real clock. */
export const HERE = {
  env: NOTHING_SET,
  files: FILES,
  clock: systemClock,
  redactor: new Redactor(() => undefined),
  loadRest: PARTS.loadRest,
}

/** What a step has beside its inputs and its event: nothing is set. */
export const AROUND = {
  ...HERE,
  ...PARTS,
  inputTexts: new Map<string, string>(),
  isRunByAct: false,
  warn: (): void => undefined,
  note: (): void => undefined,
}

/** An event without a payload. */
export const NO_PAYLOAD = (): Promise<unknown> => Promise.reject(new Error('not expected'))
