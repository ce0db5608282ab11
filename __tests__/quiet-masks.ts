import { createMasks, type Masks, type Redactor } from '../src/secrets/redact.ts'

/** Masks that print nothing. */
export const quietMasks = (redactor: Redactor): Masks => createMasks(redactor, () => undefined)
