import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runAction, type ActionRun } from '../../demo/runner.ts'
import { execute } from '../../demo/runner/process.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { makeCertificates } from '../../scripts/act/certificates.ts'
import { Far } from './far.ts'

export const ROUND_TRIP_MS = 30
const RUNS = 21
/** That of a push, which the sandbox builds. */
const COMMIT = '5d1f0c3a9b7e4826d0c1b2a3948576e0f1a2b3c4'

/** The medians of whole runs of each dist/ that find nothing to change, in milliseconds. They are started in turn. */
export async function timeUnchanged(dists: readonly string[]): Promise<number[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-'))
  const certificates = makeCertificates(folder, ['IP:127.0.0.1'])
  const sandbox = await startSandbox({ speed: 40, script: { repoCommitSha: COMMIT } })
  await using far = await Far.open(sandbox.url, certificates, ROUND_TRIP_MS)
  const run = async (dist: string): Promise<ActionRun> =>
    await runAction({
      inputs: {
        'base-url': far.url,
        'api-key': 'sandbox-key',
        'app-config-path': 'agent.json',
        'if-unchanged': 'skip',
        name: 'bench',
        source: 'git_host',
      },
      env: { NODE_EXTRA_CA_CERTS: path.join(folder, 'ca.pem') },
      execute: async (execution, log) => await execute({ ...execution, script: path.join(dist, 'index.js') }, log),
    })
  const times: number[][] = dists.map(() => [])
  await (await run(dists[0] ?? '')).dispose()
  for (let round = 0; round < RUNS; round++) {
    for (const [index, dist] of dists.entries()) {
      await using ended = await run(dist)
      const outcome = ended.outputs['outcome']
      if (outcome !== 'unchanged') throw new Error(`the run ended as ${outcome}\n${ended.raw}`)
      times[index]?.push(ended.durationMs)
    }
  }
  await sandbox.close()
  rmSync(folder, { recursive: true })
  return times.map((each) => each.toSorted((one, other) => one - other)[RUNS >> 1] ?? Number.NaN)
}
