import { createHash } from 'node:crypto'
import { loadAction } from './load.ts'
import { Scene } from './scene.ts'
import { stormOfFaults } from './operations/storm.ts'
await loadAction()
const [, , seed = '1', from = '0', runs = '20', mode = ''] = process.argv
const ends: Record<string, number> = {}
let rollouts = 0
const digest = createHash('sha256')
const startCpu = process.cpuUsage()
for (let number = Number(from); number < Number(from) + Number(runs); number++) {
  const scene = new Scene(seed, number)
  const result = await scene.time.run(async () => await stormOfFaults(scene))
  rollouts += result.rollouts
  ends[`${result.end}`] = (ends[result.end] ?? 0) + 1
  const own = createHash('sha256').update(scene.trace.lines.join('\n')).digest('hex')
  digest.update(own)
  if (mode === 'each') console.log(number, own.slice(0, 12), result.end)
  if (result.untrue.length > 0) {
    console.log('UNTRUE', number, result.kind, result.end, result.untrue)
  }
  if (mode === 'trace') console.log(scene.trace.lines.join('\n'), result)
}
const { user, system } = process.cpuUsage(startCpu)
console.log(
  ends,
  rollouts,
  ((user + system) / 1000 / rollouts).toFixed(1),
  'ms each',
  digest.digest('hex').slice(0, 16),
  (process.memoryUsage().rss / 1e6).toFixed(0),
  'MB',
  process.resourceUsage().maxRSS / 1000,
)
