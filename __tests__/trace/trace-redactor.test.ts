import { describe, expect, it } from '@jest/globals'
import { Redactor } from '../../src/secrets/redact.ts'
import { TraceRedactor } from '../../src/trace/trace-redactor.ts'

const KEY = 'correct-horse-battery'
const LONG_KEY = `${KEY}-staple`

function aRedactor({ credentials = [KEY], values = [] }: { credentials?: string[]; values?: string[] } = {}) {
  const redactor = new Redactor(() => undefined)
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

const knowing = (...values: string[]) => aRedactor({ credentials: [], values })

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
    const { redactor, trace } = knowing(LONG_KEY)
    const lines = ['the key is correct-horse-', 'battery-staple indeed']
    expect(redactor.redactLines(lines, true).ready).toEqual(['the key is ***', '*** indeed'])
    expect(trace.body(logOf(...lines))).toBe(logOf('the key is ***', '*** indeed'))
  })

  it('has none if a service shows the newest line first', () => {
    const { trace } = knowing(LONG_KEY)
    const lines = ['staple indeed', 'the key is correct-horse-battery-'] as const
    expect(trace.body(logOf(...lines), true)).toBe(logOf('*** indeed', 'the key is ***'))
  })

  it('has none where a page begins or ends', () => {
    const { trace } = knowing(LONG_KEY)
    expect(trace.body(logOf('first', 'the key is correct-horse'))).toBe(logOf('first', 'the key is ***'))
    expect(trace.body(logOf('-battery-staple indeed', 'last'))).toBe(logOf('*** indeed', 'last'))
  })

  it('keeps its entries, also those of several lines or without a message', () => {
    const { trace } = knowing(LONG_KEY, 'hunter')
    expect(trace.body(logOf('one\r\nhunter\r\ncorrect-horse-\n', 'battery-staple\n', 'last\r\n'))).toBe(
      logOf('one\n***\n***', '***', 'last\r\n'),
    )
    const odd = { logs: ['hunter', null, 7, { level: 'INFO' }, { message: null }, { message: 'hunter' }] }
    expect(trace.body(JSON.stringify(odd))).toBe(JSON.stringify(odd).replace('"message":"hunter"', '"message":"***"'))
    expect(trace.body('{"logs":"hunter"}')).toBe('{"logs":"hunter"}')
  })
})

describe('a file of secrets', () => {
  it('keeps its names, and no value, however short or plain', () => {
    const { trace } = aRedactor({ values: ['info'] })
    const text = `# ${KEY}\nKEY=${KEY} # note\nexport LEVEL=info\nEMPTY=\nTWO="one\ntwo"\nQ="it's"`
    expect(trace.file(text, 'secrets')).toBe(
      "KEY='redacted-0001'\nLEVEL='redacted-0002'\nEMPTY=''\nTWO='redacted-0003'\nQ='redacted-0004'\n",
    )
    expect(trace.file('a: info', undefined)).toBe('a: info')
  })

  it('has no letter of a file with a mistake', () => {
    const { trace } = aRedactor()
    expect(trace.file('A=b#hunter2\nB="é\\t"', 'secrets')).toBe('x=x#xxxxxxx\nx="x\\t"')
  })

  it('keeps what is too short to hide in quotes that fit', () => {
    const { trace } = aRedactor()
    expect(trace.file("A=\"'\"\nB='\"'\nC='\\'", 'secrets')).toMatch(/^x="'"\nx='"'\nx='\\'$/)
    expect(trace.file('A="\'"\nB=\'"\'\nC=\\', 'secrets')).toBe("A=\"'\"\nB='\"'\nC='x'\n")
  })
})
