import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { endJourneys } from '../__tests__/e2e/journey.ts'
import { runAction, type RunOptions } from '../demo/runner.ts'
import { CASES, closeGitHub } from './memory/cases.ts'

/**
 * Measures the peak of memory and the longest block of the event loop of the built action, where it is given much. Fails if
 * a limit is exceeded.
 *
 * `npm run bench:memory -- <part of a name> … [--cpu-prof]`: only these cases. Node gets the options.
 */

const MEASURED = new URL('measured.mjs', import.meta.url).href
const usage = z
  .object({ peakMb: z.number(), readingMs: z.number(), blockMs: z.number() })
  .transform(({ peakMb, readingMs, blockMs }) => ({ peakMb, blockMs: Math.max(readingMs, blockMs) }))

type Usage = z.infer<typeof usage> & { end: string; durationMs: number }

async function measure(options: RunOptions, nodeArgs: readonly string[]): Promise<Usage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-memory-'))
  const file = path.join(folder, 'usage.json')
  const env = { ...options.env, USAGE_FILE: file }
  const args = [`--import=${MEASURED}`, ...nodeArgs]
  try {
    await using run = await runAction({ ...options, env, nodeArgs: args, limitMs: 600_000 })
    const { outputs, durationMs } = run
    const end = outputs['outcome'] ?? run.raw.slice(-500)
    return { ...usage.parse(JSON.parse(readFileSync(file, 'utf8'))), end, durationMs }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const given = process.argv.slice(2)
const nodeArgs = given.filter((arg) => arg.startsWith('--'))
const parts = given.filter((arg) => !arg.startsWith('--'))
console.log(`Node ${process.version}: peak of memory, longest block of the event loop, duration, outcome`)
for (const { name, mb, blockMs, prepare } of CASES) {
  if (parts.length > 0 && !parts.some((part) => name.includes(part))) continue
  const cwd = mkdtempSync(path.join(tmpdir(), 'bench-memory-job-'))
  try {
    const { options, end: endServer } = await prepare(cwd)
    const used = await measure({ cwd, ...options }, nodeArgs)
    await endServer?.()
    const isMet = used.peakMb <= mb && used.blockMs <= blockMs
    if (!isMet) process.exitCode = 1
    const peak = `${used.peakMb.toFixed(0)} MB (≤ ${mb})`
    const block = `${used.blockMs.toFixed(0)} ms (≤ ${blockMs})`
    const end = `${(used.durationMs / 1_000).toFixed(1)} s`.padEnd(8) + used.end
    console.log(`${name.padEnd(62)}${peak.padEnd(18)}${block.padEnd(20)}${isMet ? 'met   ' : 'MISSED'}  ${end}`)
  } finally {
    rmSync(cwd, { recursive: true })
  }
}
await closeGitHub()
await endJourneys()
