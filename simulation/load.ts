import { globSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import path from 'node:path'

const SRC = fileURLToPath(new URL('../src', import.meta.url))
/** What only the start of a process loads. */
const STARTS = /^(main|start)\.ts$|^(real|bundle)\//

/** Loads every module of the action: simulated time must not wait for the loading of one. */
export async function loadAction(): Promise<void> {
  const files = globSync('**/*.ts', { cwd: SRC }).filter((file) => !STARTS.test(file) && !file.endsWith('.d.ts'))
  for (const file of files.sort()) await import(pathToFileURL(path.join(SRC, file)).href)
}
