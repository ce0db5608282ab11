import { Redactor } from '../../src/secrets/redact.ts'

/** A redactor that knows these secrets. */
export function redactorOf(...secrets: string[]): Redactor {
  const redactor = new Redactor()
  redactor.learn(secrets)
  return redactor
}
