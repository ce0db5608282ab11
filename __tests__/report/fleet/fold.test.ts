import { describe, expect, it } from '@jest/globals'
import { Redactor } from '../../../src/secrets/redact.ts'
import { aDeployment } from '../../builders.ts'
import { aLog, aReport, aRun, names, of } from './a-fleet.ts'

describe('the record of a fleet', () => {
  it('is clean: a secret that becomes known later is removed from each deployment that reports it', () => {
    const redactor = new Redactor(() => undefined)
    const { log, lines } = aLog(redactor)
    const { add } = aReport({ redactor, log })
    const own = ['one', 'two']
    for (const [at, event] of aRun({ waves: [{ names: own }], stopAt: 0 })) add(at, event)
    const deployment = aDeployment({ settings: { customUrl: 'https://correct-horse.example' } })
    for (const name of own) add(2_000, of(name, { kind: 'deployment-read', deployment }))
    const urls = (): unknown[] => [...add(3_000, { kind: 'fleet-progress' }).deployments].map(({ url }) => url)
    expect(urls()).toEqual([deployment.settings.customUrl, deployment.settings.customUrl])
    redactor.learn(['correct-horse'])
    expect(urls()).toEqual([undefined, undefined])
    expect(lines.filter((line) => line.includes('reported value of url'))).toHaveLength(1)
  })

  it('cleans only what an event has changed', () => {
    const { add } = aReport({ log: aLog().log })
    for (const [at, event] of aRun({ waves: [{ names: names(3) }], stopAt: 0 })) add(at, event)
    const before = add(2_000, { kind: 'fleet-progress' }).deployments
    const after = add(2_000, of('agent-2', { kind: 'polled' })).deployments
    expect([...after].map((one) => one === before.get(one.name))).toEqual([true, false, true])
  })

  it.each([
    ['in the order of the report, not of their ends', [1, 2, 3, 4, 5], () => 'no'],
    ['those with another reason first', [1, 2, 3, 7, 8], (place: number) => (place < 6 ? 'no' : `other ${place}`)],
    ['one of each reason, if there are many', [1, 2, 3, 4, 5], (place: number) => `no ${place}`],
  ])('keeps the logs of the first five failures: %s', (_case, places, reasonOf) => {
    const { add } = aReport({ log: aLog().log })
    const all = names(8)
    const failures = Object.fromEntries(all.map((_, place) => [place, reasonOf(place)]))
    const run = aRun({ waves: [{ names: all }], failures })
    const ends = run.filter(([, { kind }]) => kind === 'deployment-ended')
    // They end in the reverse order.
    const others = run.filter((one) => !ends.includes(one))
    const events = [...others, ...ends.toReversed()]
    const kept = events.map(([at, event]) => add(at, event)).at(-1)?.deployments ?? []
    expect([...kept].flatMap(({ name, log }) => (log === undefined ? [] : name))).toEqual(
      places.map((place) => `agent-${place}`),
    )
  })
})
