import type { Masks } from '../masks.ts'
import { commandLine } from '../runner.ts'
import type { World } from '../world.ts'
import type { Redactor } from './redact.ts'

/** Makes the redactor and the runner hide secrets: the runner replaces them in the log of the whole job. */
export function createMasks(redactor: Redactor, print: World['print']): Masks {
  const maskAll = (forms: readonly string[]): void => {
    for (const form of forms) print(commandLine('add-mask', form))
  }
  return {
    credentials: (texts) => maskAll(redactor.learn(texts)),
    values: (values, ownTexts) => maskAll(redactor.learnValues(values, ownTexts)),
    allow: redactor.allow,
    isPublic: redactor.isPublic,
  }
}
