import { failed, timelineUpTo } from './a-record.ts'
import { describe, expect, it } from '@jest/globals'
import { renderGantt } from '../../src/report/gantt.ts'
import { timelineOf } from '../../src/report/outputs.ts'
import { aRecord } from '../builders.ts'

describe('renderGantt', () => {
  const GANTT_LINE =
    /^ {4}section \w+( [\d.]+ s)?$|^ {4}\u200b :(done, |active, |crit, |milestone, )*[\d:. -]+, [\d:. -]+(ms)?$/

  it('draws a bar a status, coloured by its phase, on a clock that begins at zero', () => {
    const [fence, look, ...lines] = renderGantt(timelineOf(failed))
      .split('\n')
      .map((line) => line.trim())
    expect(fence).toBe('```mermaid')
    expect(look).toMatch(/^%%\{init: \{.*"activeTaskBkgColor":"#[0-9a-f]{6}".*\}%%$/)
    expect(lines).toEqual([
      'gantt',
      'dateFormat YYYY-MM-DD HH:mm:ss.SSS',
      'axisFormat \u200b',
      'section CREATING 2.0 s',
      '\u200b :done, 2000-01-01 00:00:00.000, 2000-01-01 00:00:02.000',
      'section BUILDING 9.6 s',
      '\u200b :active, 2000-01-01 00:00:02.000, 2000-01-01 00:00:11.600',
      'section BUILD_FAILED',
      '\u200b :crit, milestone, 2000-01-01 00:00:11.600, 0ms',
      '```',
    ])
  })

  it('draws a status that comes back as a row of its own', () => {
    const gantt = renderGantt(
      timelineOf(aRecord({ timeline: timelineUpTo(['A', 0], ['B', 1000], ['A', 2000], ['B', 3000]) })),
    )
    const rows = gantt.match(/section .*/g) ?? []
    expect(rows).toHaveLength(4)
    expect(new Set(rows).size).toBe(4)
  })

  it('passes no syntax in a status to mermaid', () => {
    const hostile = 'X:crit,a;b#c```\n%%{init:{}}%%\nclick x href "javascript:alert(1)"'
    const gantt = renderGantt(timelineOf(aRecord({ timeline: timelineUpTo([hostile, 0]) })))
    const lines = gantt.split('\n')
    expect(lines).toHaveLength(8)
    expect(lines.slice(5, -1).filter((line) => !GANTT_LINE.test(line))).toEqual([])
  })

  it('draws nothing for an empty timeline', () => {
    expect(renderGantt([])).toBe('')
  })
})
