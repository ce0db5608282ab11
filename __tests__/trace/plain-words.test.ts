import { describe, expect, it } from '@jest/globals'
import { Redactor } from '../../src/secrets/redact.ts'
import { TraceRedactor } from '../../src/trace/trace-redactor.ts'

describe('the free text of a server in a trace', () => {
  it('has no secret that is a plain word, as the log has none', () => {
    const redactor = new Redactor()
    redactor.learnValues(['hunter'])
    const said = 'the password hunter is refused'
    expect(redactor.redactFreeText(said)).toBe('the password *** is refused')
    expect(new TraceRedactor(redactor).body(JSON.stringify({ status_message: said }))).not.toContain('hunter')
  })

  it('has no half of a secret that stands in two lines of a log, as the log has none', () => {
    const redactor = new Redactor()
    redactor.learnValues(['correct-horse-battery-staple'])
    const lines = ['the key is correct-horse-', 'battery-staple indeed']
    expect(redactor.redactLines(lines, true).shown).toEqual(['the key is ***', '*** indeed'])
    const body = JSON.stringify({ logs: lines.map((message) => ({ message })) })
    expect(new TraceRedactor(redactor).body(body)).not.toMatch(/correct-horse|battery-staple/)
  })
})
