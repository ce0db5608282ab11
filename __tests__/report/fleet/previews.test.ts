import { describe, expect, it } from '@jest/globals'
import { previewsTable } from '../../../src/report/fleet/previews.ts'
import { aFinalFleet, changed, failedFleet, names, STARTED_AT } from './a-fleet.ts'

describe('the previews of a repository, as a table', () => {
  it('are those first that need attention, each with a mark before its state', () => {
    const whole = aFinalFleet({ waves: [{ names: names(4) }], failures: { 3: 'pip: no such package' } }, failedFleet(1))
    const record = changed(whole, (_one, place) => {
      if (place === 1) return { outcome: undefined, beganAt: undefined }
      return place === 2 ? { outcome: undefined } : {}
    })
    const [header = '', , ...rows] = previewsTable(record, (text) => text, STARTED_AT, 'State').split('\n')
    expect(header).toMatch(/\| State \|$/)
    expect(previewsTable(whole, String, STARTED_AT, 'Outcome')).toContain('| Outcome |')
    const cells = rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| /, '')))
    expect(cells.map(([name = '', state = '']) => [/agent-\d/.exec(name)?.[0], state.split('&nbsp;')[0]])).toEqual([
      ['agent-4', '❌'],
      ['agent-3', '🚀'],
      ['agent-2', '⏸'],
      ['agent-1', '✅'],
    ])
    expect(cells[2]?.[1]).toBe('⏸&nbsp;not&nbsp;started |')
    expect(cells[3]?.[1]).toBe('✅&nbsp;deployed · 1&nbsp;m&nbsp;00&nbsp;s |')
  })
})
