import { describe, expect, it } from '@jest/globals'
import { Redactor } from '../../src/secrets/redact.ts'
import { TraceRedactor } from '../../src/trace/trace-redactor.ts'

const KEY = 'correct-horse-battery'

function aRedactor({ credentials = [KEY], values = [] }: { credentials?: string[]; values?: string[] } = {}) {
  const redactor = new Redactor()
  redactor.learn(credentials)
  redactor.learnValues(values)
  return { redactor, trace: new TraceRedactor(redactor) }
}

describe('TraceRedactor', () => {
  it('gives each secret a name of its own, the same one everywhere', () => {
    const { trace } = aRedactor({ credentials: [KEY, 'staple in the hay'] })
    expect(trace.text(`${KEY} staple in the hay ${KEY}`)).toBe('redacted-0001 redacted-0002 redacted-0001')
    expect(trace.text('https://plane.example/?q=staple%20in%20the%20hay')).toBe(
      'https://plane.example/?q=redacted-0002',
    )
  })

  it.each([
    ['in base64', Buffer.from(`user:${KEY}`).toString('base64')],
    ['in hex', Buffer.from(KEY).toString('hex')],
    ['with invisible characters', 'correct-\u200bhorse-battery'],
    ['encoded twice', 'correct%252Dhorse%252Dbattery'],
    ['as the password of an address', 'https://user:unknown-password@plane.example'],
  ])('hides a secret %s', (_name, text) => {
    const shown = aRedactor().trace.text(text)
    expect(shown).toMatch(/redacted-0001|\*\*\*/)
    expect(shown).not.toMatch(/horse|password|Y29ycmVjd|63 ?6f727265/)
  })

  it('leaves a text without a secret as it is', () => {
    const text = '{ "a" : 1.0,\r\n "b": "\u200b" }'
    expect(aRedactor().trace.body(text)).toBe(text)
  })

  it('keeps no value of a header and no body, whatever they are', () => {
    const { trace } = aRedactor()
    expect(trace.variable('INPUT_VERIFY-HEADERS', `X-Key: info\n\nAuthorization:Bearer ${KEY}\nbroken`)).toBe(
      'X-Key: redacted-0001\n\nAuthorization: redacted-0002\n redacted-0003',
    )
    expect(trace.variable('INPUT_VERIFY-BODY', '{"mode":"info"}')).toBe('redacted-0004')
    expect(trace.variable('INPUT_VERIFY-BODY', '')).toBe('')
  })

  it('learns late', () => {
    const { redactor, trace } = aRedactor()
    redactor.learnValues(['reported-by-the-plane'])
    expect(trace.body('{"a":"reported-by-the-plane"}')).toBe('{"a":"redacted-0001"}')
  })

  it.each([
    ['a quote', 'a "quoted" key', '{"secret":"a \\"quoted\\" key"}'],
    ['several lines', 'one-line\ntwo-line', '{"secret":"one-line\\ntwo-line"}'],
    ['quotes around it', '"in quotes"', '{"secret":"in quotes"}'],
  ])('keeps JSON, also with a secret with %s', (_name, value, json) => {
    expect(aRedactor({ values: [value, value.replace(/^"(.*)"$/, '$1')] }).trace.body(json)).toBe(
      '{"secret":"redacted-0001"}',
    )
  })

  it('hides a secret that is a number, a key, or more than one value', () => {
    const { trace } = aRedactor({ credentials: ['1234567890', KEY, '{"type":"account"}'] })
    expect(trace.body('{"a":1234567890}')).toBe('{"a":"redacted-0001"}')
    expect(trace.body(`{"${KEY}":1}`)).toBe('{"redacted-0002":1}')
    expect(trace.body(`{"a":{"type":"account"},"b":"${KEY}"}`)).toBe('{"a":redacted-0003,"b":"redacted-0002"}')
  })

  it('hides every value of secrets, also a plain word, but not what is public', () => {
    const { redactor, trace } = aRedactor({ values: ['verbose'] })
    redactor.allow(['public'])
    const list = ['verbose', 'unknown', 'public', '[hidden]'].map((value) => ({ name: 'verbose', value }))
    expect(trace.body(JSON.stringify({ status: 'verbose', secrets: list }))).toBe(
      JSON.stringify({
        status: 'verbose',
        secrets: ['redacted-0001', 'redacted-0002', 'public', '[hidden]'].map((value) => ({ name: 'verbose', value })),
      }),
    )
  })

  it('writes the input secrets as JSON, whatever its values contain', () => {
    const { trace } = aRedactor({ values: ['two words', 'verbose', 'one-line\ntwo-line'] })
    const given = 'A="two words"\nMODE=verbose\nPEM="one-line\ntwo-line"\nEMPTY='
    const expected = '{"A":"redacted-0001","MODE":"redacted-0002","PEM":"redacted-0003","EMPTY":""}'
    expect(trace.variable('INPUT_SECRETS', given)).toBe(expected)
    expect(trace.variable('REGION', 'verbose')).toBe('redacted-0002')
    expect(trace.variable('REGION', 'verbosely')).toBe('verbosely')
  })

  it('hides what of the input secrets cannot be read', () => {
    const { trace } = aRedactor({ values: ['correct-horse', 'and-the-rest'] })
    expect(trace.variable('INPUT_SECRETS', 'A=correct-horse\nand-the-rest')).toBe('A=redacted-0001\nredacted-0002')
  })

  it('keeps a signed address an address, without its host', () => {
    const address = 'https://store.example/a?signature=abcdef0123456789'
    const { trace } = aRedactor({ credentials: [address] })
    expect(trace.body(JSON.stringify({ upload_url: address }))).toBe('{"upload_url":"https://redacted-0001.example/"}')
  })
})
