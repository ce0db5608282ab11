import { Redactor } from '../../src/secrets/redact.ts'

/** A redactor that knows these secrets. */
export function redactorOf(...secrets: string[]): Redactor {
  const redactor = new Redactor(() => undefined)
  redactor.learn(secrets)
  return redactor
}

/** A redactor that knows nothing, and lists what it is to learn. */
export function listing(learnt: string[]): Redactor {
  const list = (values: readonly string[]): void => void learnt.push(...values)
  return Object.assign(new Redactor(() => undefined), { learn: list, learnValues: list })
}
