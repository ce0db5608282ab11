import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runAction, type ActionRun, type InputValue, type Kill } from '../../demo/runner.ts'
import { DEFAULT_API_KEY, startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts'
import type { WinePrefix } from './prefix.ts'

const ROOT = path.join(import.meta.dirname, '../..')
/** Of one process of the action. */
const LIMIT_MS = 60_000
export const SECRET = 'correct-horse-battery'

export interface Surroundings {
  /** The folder of a sub-action, as in `fleet`. */
  action?: string
  env?: Record<string, string>
  /** The workspace; if not set, an empty one. */
  cwd?: string
  kill?: Kill
  phase?: 'main' | 'post'
  state?: Record<string, string>
}

/** A control plane on loopback, and a Windows whose Node runs the action. */
export class Bench {
  readonly sandbox: Sandbox
  readonly prefix: WinePrefix
  /** Empty at the beginning. */
  readonly folder: string
  readonly runs: ActionRun[] = []

  private constructor(sandbox: Sandbox, prefix: WinePrefix, folder: string) {
    this.sandbox = sandbox
    this.prefix = prefix
    this.folder = folder
  }

  static async open(prefix: WinePrefix, folder: string, options: SandboxOptions = {}): Promise<Bench> {
    mkdirSync(folder)
    return new Bench(await startSandbox({ speed: 400, ...options }), prefix, folder)
  }

  /** Makes a folder with these files. Returns its path on this machine. */
  folderWith(name: string, files: Readonly<Record<string, string>>): string {
    const folder = path.join(this.folder, name)
    mkdirSync(folder, { recursive: true })
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
      writeFileSync(path.join(folder, file), content)
    }
    return folder
  }

  /** Runs the action, and checks what every run must satisfy. */
  readonly step = async (
    inputs: Record<string, InputValue>,
    { action, ...around }: Surroundings = {},
  ): Promise<ActionRun> => {
    const run = await runAction({
      action: action === undefined ? undefined : path.join(ROOT, action),
      inputs: {
        'base-url': this.sandbox.url,
        'api-key': DEFAULT_API_KEY,
        ...(action === undefined && { 'poll-interval': '0.5s' }),
        timeout: '5m',
        'max-retries': 2,
        ...inputs,
      },
      os: 'Windows',
      execute: this.prefix.execute,
      limitMs: LIMIT_MS,
      ...around,
    })
    this.runs.push(run)
    checkEveryRun(run)
    return run
  }

  async close(): Promise<void> {
    for (const run of this.runs) await run.dispose()
    await this.sandbox.close()
  }
}

function checkEveryRun({ raw, summary, outputs, limitReached, undeclaredOutputs }: ActionRun): void {
  const lacking = /Error: The bundle needs \S+, .*?\.mjs/.exec(raw)?.[0]
  assert.equal(lacking, undefined)
  assert.ok(!limitReached, 'the action took too long and was stopped')
  assert.doesNotMatch(raw, /^\s+at |\(node:\d/m, 'the log has a stack trace, or a warning of Node')
  assert.deepEqual(undeclaredOutputs, [])
  const shown = [raw.replaceAll(/^::add-mask::.*$/gm, ''), summary, JSON.stringify(outputs)].join('\n')
  assert.ok(!shown.includes(SECRET), 'the run shows a secret')
}
