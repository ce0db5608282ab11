import { expect, it } from '@jest/globals'
import { aLog, aReport, aRun, names, type FleetShape } from './a-fleet.ts'

const shape: FleetShape = {
  waves: [
    { name: 'canary', names: ['agent-eu', 'us'], maxParallel: 1, bakeMs: 60_000 },
    { name: 'everyone', names: names(3), maxParallel: 2 },
  ],
  failures: { 3: 'pip: no such package' },
}
it('x', () => {
  const { log, lines } = aLog()
  const { add } = aReport(undefined, log)
  for (const [at, event] of aRun(shape)) { add(at, event); if (at > 1000) add(at, {kind:'fleet-progress'}) }
  console.log(lines.join('\n'))
  expect(1).toBe(1)
})
