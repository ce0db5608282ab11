import { appendFileSync, existsSync, realpathSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { EOL, tmpdir } from 'node:os'
import path from 'node:path'
import { readWhole } from '../files.ts'
import type { Files } from '../world.ts'

export const systemFiles: Files = {
  // Each asynchronous step would let other work begin, and the run needs its event before anything else.
  realPath: async (given) => await Promise.resolve(given).then((one) => realpathSync.native(one)),
  readWhole,
  makeFolder: async (prefix, parent = tmpdir()) => await mkdtemp(path.join(parent, prefix)),
  write: async (file, pieces) => await writeFile(file, pieces, { mode: 0o600 }),
  addLine(file, line) {
    if (!existsSync(file)) throw new Error(`Missing file at path: ${file}`)
    appendFileSync(file, line + EOL)
  },
  // Imported when the run has ended: the toolkit loads more than all that precedes the first request.
  setOutputs: async (outputs) => (await import('./outputs.ts')).setOutputs(outputs),
  addSummary: async (markdown) => await (await import('./outputs.ts')).addSummary(markdown),
}
