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

  it('keeps the logs of five failures', () => {
    const { add } = aReport({ log: aLog().log })
    const failures = Object.fromEntries(names(8).map((_, place) => [place, 'no']))
    const records = aRun({ waves: [{ names: names(8) }], failures }).map(([at, event]) => add(at, event))
    const kept = [...(records.at(-1)?.deployments ?? [])].filter(({ log }) => log !== undefined)
    expect(kept).toHaveLength(5)
  })
})
