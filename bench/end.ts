import path from 'node:path'
import { startGitHubApi } from '../__tests__/github-api/server.ts'
import { runAction } from '../demo/runner.ts'
import { startSandbox } from '../sandbox/server.ts'
import { ROUND_TRIP_MS, timeUnchanged } from './end/unchanged.ts'

/**
 * Measures the end of a preview with comment and GitHub Deployment: from its last request to the control plane on. Then
 * measures whole runs that find nothing to change, over a network.
 *
 * `npm run bench:end -- <folder>`: compares such a run with that of another dist/, such as an earlier one.
 */

const RUNS = 9
const AIM_MS = 500

/** GitHub answers at once. The second preview of the same pull request updates the comment and retires a deployment. */
async function timeEnds(): Promise<number[]> {
  const sandbox = await startSandbox({ speed: 40 })
  const gitHub = await startGitHubApi()
  gitHub.seedPullRequest(7)
  const ends: number[] = []
  for (let run = 0; run < 2; run++) {
    await using preview = await runAction({
      inputs: {
        'base-url': sandbox.url,
        'api-key': 'sandbox-key',
        'github-token': gitHub.token,
        'app-config-path': 'agent.json',
        'poll-interval': '0.05s',
        environment: 'preview',
        name: 'bench',
        preview: true,
        'protect-newer': false,
        source: 'git_host',
      },
      event: { name: 'pull_request' },
      env: { GITHUB_API_URL: gitHub.url },
    })
    const endedAt = Date.now()
    const outcome = preview.outputs['outcome']
    if (outcome !== 'deployed' || /::warning/.test(preview.raw))
      throw new Error(`the run ended as ${outcome}\n${preview.raw}`)
    ends.push(endedAt - (sandbox.requests.at(-1)?.at ?? Number.NaN))
  }
  await Promise.all([sandbox.close(), gitHub.close()])
  return ends
}

const pairs: number[][] = []
for (let run = 0; run < RUNS; run++) pairs.push(await timeEnds())

console.log(`Node ${process.version}, ${RUNS} runs each: last request to the control plane to the end of the process`)
for (const [index, name] of ['first preview', 'second preview'].entries()) {
  const times = pairs.map((pair) => pair[index] ?? Number.NaN).toSorted((one, other) => one - other)
  const at = (rank: number): string => (times[rank] ?? Number.NaN).toFixed(0)
  const isMet = (times[(RUNS - 1) / 2] ?? Number.NaN) <= AIM_MS
  console.log(
    `${name.padEnd(15)} median ${at((RUNS - 1) / 2)} ms (min ${at(0)}, max ${at(RUNS - 1)}), at most ${AIM_MS}: aim ${isMet ? 'met' : 'missed'}`,
  )
}

const others = process.argv.slice(2).map((folder) => path.resolve(folder))
const [own = Number.NaN, ...compared] = await timeUnchanged([path.resolve(import.meta.dirname, '../dist'), ...others])
const ratios = compared.map((time) => `, ${(own / time).toFixed(2)} of the other`).join('')
console.log(`unchanged push, TLS, round trip of ${ROUND_TRIP_MS} ms: median ${own.toFixed(0)} ms${ratios}`)
