import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseWorkflowCommand } from '../../demo/runner/workflow-command.ts'
import { createLog, type Log } from '../../src/report/log.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import { anyText } from '../any-text.ts'

const SECRET = 'correct-horse-battery'
/** The runner cuts what follows, and does not count the escapes of a command. */
const MAX = 4096

function messageOf(print: (log: Log) => void): string {
  const redactor = new Redactor()
  redactor.learn([SECRET])
  const printed: string[] = []
  print(createLog(redactor, (line) => printed.push(line)))
  return parseWorkflowCommand(printed.join('\n'), undefined)?.message ?? ''
}

const KINDS: [string, (text: string) => (log: Log) => void][] = [
  ['error', (text) => (log) => log.error(text, 'agent: failed')],
  ['warning', (text) => (log) => log.warning(text)],
  ['notice', (text) => (log) => log.notice(text)],
]

describe.each(KINDS)('a long %s', (_level, print) => {
  it('keeps what was attempted and the next step, whatever a server answers between them', () => {
    const between = fc.oneof(anyText({ maxLength: 50 }), fc.constantFrom('%', '::', '##[', '\n', '👍'))
    fc.assert(
      fc.property(between, fc.integer({ min: 1, max: 9000 }), (part, times) => {
        const message = messageOf(print(`Could not do it: ${part.repeat(times)}. Rerun the job.`))
        expect(message.length).toBeLessThanOrEqual(MAX)
        expect(message).toMatch(/^Could not do it:/)
        expect(message).toMatch(/Rerun the job\.$/)
      }),
      { numRuns: 50 },
    )
  })

  it('has no part of a secret where it is cut', () => {
    for (let before = 2650; before < 2750; before++) {
      const message = messageOf(print(`${'x'.repeat(before)}${SECRET}${'x'.repeat(4000)}`))
      expect(message).toContain('… (cut) …')
      expect(message).not.toMatch(/correct|horse|battery/)
    }
  })

  it('is not cut while the runner shows it whole', () => {
    expect(messageOf(print('%'.repeat(MAX)))).toBe('%'.repeat(MAX))
    expect(messageOf(print('%'.repeat(MAX + 1)))).toContain('… (cut) …')
  })
})
