import { createMasks, type Masks, type Redactor } from '../src/secrets/redact.ts'

export const NO_MASKS: Masks = {
  credentials: () => undefined,
  values: () => undefined,
  allow: () => undefined,
  isPublic: () => false,
}

/** Masks that print nothing. */
export const quietMasks = (redactor: Redactor): Masks => createMasks(redactor, () => undefined)
