import assert from 'node:assert/strict'
import type { Bench, Ran } from './bench.ts'

/** What is asked of a client. */
export interface Case {
  name: string
  appliesTo: (bench: Bench) => boolean
  run: (bench: Bench) => Promise<void>
}

/** A deploy that is built by the service. */
export function deploy(name: string, ...more: string[]): string[] {
  return ['deploy', '--name', name, '--remote', '--no-input', ...more]
}

export function assertShows({ output }: Ran, ...texts: string[]): void {
  for (const text of texts) assert.ok(output.includes(text), `the output lacks "${text}":\n${output}`)
}

export const always = (): boolean => true
