import { secretsOfText } from './address.ts'
import { commandLine } from '../runner.ts'
import type { World } from '../world.ts'
import type { Redactor } from './redact.ts'

/** Receives the texts that are secrets, before anything can print them. */
export interface Masks {
  /** Hides credentials, whatever they look like. */
  credentials: (texts: readonly string[]) => void
  /** Hides values of the deployment's environment: not those that are public, and a plain word or number only in free text. */
  values: (values: readonly string[], ownTexts?: readonly string[]) => void
  /** Adds texts that are public: a value that is one of them is not hidden. */
  allow: (texts: readonly string[]) => void
  isPublic: (value: string) => boolean
}

/** Hides nothing. */
export const NO_MASKS: Masks = {
  credentials: () => undefined,
  values: () => undefined,
  allow: () => undefined,
  isPublic: () => false,
}

/** Makes the redactor and the runner hide secrets: the runner replaces them in the log of the whole job. */
export function createMasks(redactor: Redactor, print: World['print']): Masks {
  const maskAll = (forms: readonly string[]): void => {
    for (const form of forms) print(commandLine('add-mask', form))
  }
  return {
    credentials: (texts) => maskAll(redactor.learn(texts)),
    values: (values, ownTexts) => maskAll(redactor.learnValues(values, ownTexts)),
    allow: (texts) => redactor.allow(texts),
    isPublic: (value) => redactor.isPublic(value),
  }
}

/** The values of the input `variables` are no secrets; a password of an address in them is one. */
export function maskVariables(masks: Masks, values: readonly string[]): void {
  masks.allow(values)
  masks.values(values.flatMap(secretsOfText))
}
