import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { APP_FIXTURES, copyApp, type AppFixture } from '../__tests__/fixtures/apps.ts'
import { runAction } from '../demo/runner.ts'
import { DEFAULT_API_KEY, startSandbox, type Sandbox } from '../sandbox/server.ts'
import { startForwardProxy } from './act/network.ts'
import { environment } from './clients/bench.ts'
import { CLIENTS, install, type Client } from './clients/install.ts'
import { filesIn } from './clients/packed.ts'
import { reasonFor } from './clients/packing-reasons.ts'

/**
 * Packs the same apps by the newest Python client, the newest JavaScript client and the built action, and prints a table
 * of the files that not all of them pack. Exits 1 at a difference without a reason.
 */

/** For one command of a client. */
const LIMIT_MS = 60_000
const SPEED = 5000

/** A packer, and what it uploads of an app: its files from the top of the repository. */
interface Packer {
  name: string
  pack: (app: AppFixture, top: string) => Promise<string[]>
}

/** The archive that the sandbox received while `act` ran. */
async function uploadedBy(act: (sandbox: Sandbox) => Promise<string>): Promise<string[]> {
  const archives: Buffer[] = []
  const sandbox = await startSandbox({ speed: SPEED, onUpload: (archive) => archives.push(archive) })
  try {
    const output = await act(sandbox)
    const [archive, ...others] = archives
    assert.ok(archive !== undefined && others.length === 0, `${archives.length} archives were uploaded:\n${output}`)
    return await filesIn(archive)
  } finally {
    await sandbox.close()
  }
}

/** @param folder of the process: an empty one */
function byClient(client: Client, { folder, proxy }: { folder: string; proxy: string }): Packer {
  const installed = install(client)
  if (installed.kind === 'none') throw new Error(`${client.name} cannot be installed: ${installed.because}`)
  const [program = '', ...prefix] = installed.command
  return {
    name: client.name,
    async pack(app, top) {
      const cwd = path.join(top, app.config)
      const files = await uploadedBy(async ({ publicUrl }) => {
        const args = ['deploy', '--name', app.name, '--remote', '--no-input', '--no-wait', '--host-url', publicUrl]
        const env = environment(folder, proxy)
        const child = spawn(program, [...prefix, ...args], { cwd, env, timeout: LIMIT_MS })
        let output = ''
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (chunk: Buffer) => void (output += chunk.toString('utf8')))
        await once(child, 'close')
        return output
      })
      // The top of its archive is the folder that all of its folders have in common.
      const config = files.find((file) => path.basename(file) === 'langgraph.json') ?? ''
      const root = path.posix.join(app.config, path.posix.relative(path.posix.dirname(config), '.') || '.')
      return files.map((file) => path.posix.join(root, file))
    },
  }
}

const byAction: Packer = {
  name: 'action',
  async pack(app, top) {
    const files = await uploadedBy(async ({ publicUrl }) => {
      const access = { api: 'langsmith', 'base-url': publicUrl, 'api-key': DEFAULT_API_KEY }
      const upload = { name: app.name, source: 'internal_source', 'deployment-type': 'serverless', ...app.inputs }
      const run = await runAction({ inputs: { ...access, ...upload, wait: 'false' }, cwd: top })
      await run.dispose()
      return run.raw
    })
    return files.map((file) => path.posix.join(app.inputs['source-path'] ?? '.', file))
  },
}

function newest(language: Client['language']): Client {
  const client = CLIENTS.findLast((one) => one.language === language)
  if (client === undefined) throw new Error(`there is no client in ${language}`)
  return client
}

/** Prints what differs. @returns the number of differences without a reason */
async function compare(app: AppFixture, packers: readonly Packer[], folder: string): Promise<number> {
  const packed: ReadonlySet<string>[] = []
  for (const [index, { pack }] of packers.entries()) {
    const top = path.join(folder, `${app.name}-${index}`)
    mkdirSync(top)
    copyApp(app, top)
    packed.push(new Set(await pack(app, top)))
  }
  const all = [...new Set(packed.flatMap((files) => [...files]))].sort()
  const differing = all.filter((file) => !packed.every((files) => files.has(file)))
  const alike = all.length - differing.length
  const others = differing.length === 0 ? ', and no other file' : ''
  console.log(`\n### ${app.name}\n\n${alike} files are packed by all three${others}.\n`)
  if (differing.length === 0) return 0
  console.log(`| file | ${packers.map(({ name }) => name).join(' | ')} | reason |`)
  console.log(`| --- |${packers.map(() => ' --- |').join('')} --- |`)
  let unexplained = 0
  for (const file of differing) {
    const [python = false, javaScript = false, action = false] = packed.map((files) => files.has(file))
    const reason = reasonFor(app.name, file, { python, javaScript, action })
    if (reason === undefined) unexplained += 1
    const signs = packed.map((files) => (files.has(file) ? 'yes' : 'no'))
    console.log(`| ${file} | ${signs.join(' | ')} | ${reason ?? 'NO REASON IS KNOWN'} |`)
  }
  return unexplained
}

async function main(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rollout-packing-'))
  const proxy = await startForwardProxy('user:password', { isKnown: () => false, port: 0 })
  try {
    const around = { folder, proxy: `http://127.0.0.1:${proxy.port}` }
    const packers = [byClient(newest('Python'), around), byClient(newest('JavaScript'), around), byAction]
    let unexplained = 0
    for (const app of APP_FIXTURES) unexplained += await compare(app, packers, folder)
    console.log(`\n${unexplained} differences have no reason.`)
    return unexplained === 0 ? 0 : 1
  } finally {
    await proxy.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main()
