import { describe, expect, it } from '@jest/globals'
import { Redactor } from '../../src/secrets/redact.ts'
import { TraceRedactor } from '../../src/trace/trace-redactor.ts'

const KEY = 'correct-horse-battery-staple'

function knowing(...values: string[]) {
  const redactor = new Redactor()
  redactor.learnValues(values)
  return { redactor, trace: new TraceRedactor(redactor) }
}

function logOf(...messages: string[]): string {
  return JSON.stringify({ logs: messages.map((message, id) => ({ id, message })), next_offset: '9' })
}

describe('the free text of a server in a trace', () => {
  it('has no secret that is a plain word, as the log has none', () => {
    const { redactor, trace } = knowing('hunter')
    const said = 'the password hunter is refused'
    expect(redactor.redactFreeText(said)).toBe('the password *** is refused')
    expect(trace.body(JSON.stringify({ status_message: said }))).not.toContain('hunter')
  })

  it.each(['status_message', 'message', 'detail', 'error'])('is that of %s, and of all inside it', (name) => {
    const { trace } = knowing('hunter', '8000')
    const said = { [name]: ['no hunter', { msg: 'no hunter', input: { port: 8000 }, secrets: ['hunter'] }] }
    expect(trace.body(JSON.stringify(said))).toBe(
      JSON.stringify({ [name]: ['no ***', { msg: 'no ***', input: { port: '***' }, secrets: ['***'] }] }),
    )
    expect(trace.body('{"mode":"no hunter"}')).toBe('{"mode":"no hunter"}')
  })

  it('is an answer that is no JSON, but no input and no file', () => {
    const { trace } = knowing('hunter')
    expect(trace.body('<h1>no hunter</h1>\r\n')).toBe('<h1>no ***</h1>\n')
    expect(trace.body('<h1>\r\n')).toBe('<h1>\r\n')
    expect(trace.data('name: the-hunter\n')).toBe('name: the-hunter\n')
    expect(trace.variable('INPUT_NAME', 'the-hunter')).toBe('the-hunter')
  })

  it('shows every value of secrets by its name, also inside an error', () => {
    const { trace } = knowing('hunter')
    expect(trace.body('{"detail":{"secrets":[{"name":"PIN","value":"hunter"}]}}')).toBe(
      '{"detail":{"secrets":[{"name":"PIN","value":"redacted-0001"}]}}',
    )
  })
})

describe('a log in a trace', () => {
  it('has no half of a secret that stands in two lines, as the log has none', () => {
    const { redactor, trace } = knowing(KEY)
    const lines = ['the key is correct-horse-', 'battery-staple indeed']
    expect(redactor.redactLines(lines, true).shown).toEqual(['the key is ***', '*** indeed'])
    expect(trace.body(logOf(...lines))).toBe(logOf('the key is ***', '*** indeed'))
  })

  it('has none if a service shows the newest line first', () => {
    const { trace } = knowing(KEY)
    const lines = ['staple indeed', 'the key is correct-horse-battery-'] as const
    expect(trace.body(logOf(...lines), true)).toBe(logOf('*** indeed', 'the key is ***'))
  })

  it('has none where a page begins or ends', () => {
    const { trace } = knowing(KEY)
    expect(trace.body(logOf('first', 'the key is correct-horse'))).toBe(logOf('first', 'the key is ***'))
    expect(trace.body(logOf('-battery-staple indeed', 'last'))).toBe(logOf('*** indeed', 'last'))
  })

  it('keeps its entries, also those of several lines or without a message', () => {
    const { trace } = knowing(KEY, 'hunter')
    expect(trace.body(logOf('one\r\nhunter\r\ncorrect-horse-\n', 'battery-staple\n', 'last\r\n'))).toBe(
      logOf('one\n***\n***', '***', 'last\r\n'),
    )
    const odd = { logs: ['hunter', null, 7, { level: 'INFO' }, { message: null }, { message: 'hunter' }] }
    expect(trace.body(JSON.stringify(odd))).toBe(JSON.stringify(odd).replace('"message":"hunter"', '"message":"***"'))
    expect(trace.body('{"logs":"hunter"}')).toBe('{"logs":"hunter"}')
  })
})
