import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import { runAction, type RunEvent } from '../../demo/runner.ts'
import { ENVIRONMENT, MANIFEST, manifestOf } from './manifest.ts'

const ACTION = fileURLToPath(new URL('../../fleet', import.meta.url))
const MEASURED = new URL('../measured.mjs', import.meta.url).href
/** Without its types, as Node needs 18 MB to remove them. */
const SCALED = stripTypeScriptTypes(readFileSync(new URL('../scaled-time.ts', import.meta.url), 'utf8'))

const usage = z.object({ peakMb: z.number(), cpuMs: z.number(), readingMs: z.number(), blockMs: z.number() })
const recordFile = z.object({ results: z.array(z.object({ name: z.string(), outcome: z.string() })).default([]) })

export interface Ran extends z.infer<typeof usage> {
  exitCode: number | null
  /** Real milliseconds. */
  durationMs: number
  /** By the names of the deployments. */
  outcomes: Map<string, string>
  /** Of the step. */
  outcome: string
  log: string
}

export interface Around {
  url: string
  count: number
  /** Of the run's clock. */
  speed: number
  nodeArgs?: readonly string[]
  /** Default: one of so many deployments. */
  manifest?: string
  /** Also the values of the manifest's variables. */
  env?: Readonly<Record<string, string>>
  event?: RunEvent
}

/** Runs the built action once over a fleet. */
export async function runFleet(
  { url, count, speed, nodeArgs = [], manifest = manifestOf(count), env, event }: Around,
  inputs: Readonly<Record<string, string | boolean>>,
): Promise<Ran> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-fleet-'))
  const usageFile = path.join(folder, 'usage.json')
  const scaledTime = path.join(folder, 'scaled-time.mjs')
  writeFileSync(scaledTime, SCALED)
  writeFileSync(path.join(folder, MANIFEST), manifest)
  try {
    await using run = await runAction({
      action: ACTION,
      inputs: { 'base-url': url, 'api-key': 'sandbox-key', manifest: MANIFEST, ...inputs },
      cwd: folder,
      env: { ...ENVIRONMENT, ...env, USAGE_FILE: usageFile },
      event,
      nodeArgs: [`--import=${MEASURED}`, `--import=${pathToFileURL(scaledTime).href}?by=${speed}`, ...nodeArgs],
      limitMs: 600_000,
    })
    const { results } = recordFile.parse(JSON.parse(readFileSync(run.outputs['record-path'] ?? '', 'utf8')))
    const outcomes = new Map(results.map(({ name, outcome }) => [name, outcome]))
    const { exitCode, durationMs, outputs, raw: log } = run
    return {
      ...usage.parse(JSON.parse(readFileSync(usageFile, 'utf8'))),
      exitCode,
      durationMs,
      outcomes,
      outcome: outputs['outcome'] ?? '',
      log,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
