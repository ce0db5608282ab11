import { describe, expect, it } from '@jest/globals'
import { valueReader, createFill, givenValue } from '../../../src/inputs/manifest/values.ts'
import type { EntryInput } from '../../../src/inputs/manifest/schema.ts'
import type { Finding } from '../../../src/sources/findings.ts'
import { listing, redactorOf } from '../../secrets/redactor-of.ts'

type Inputs = Parameters<ReturnType<typeof valueReader>>[0]

/** An input of an entry over that of the defaults, as the reader of an entry takes it. */
function given(name: EntryInput, own: Inputs, { standard = {}, env = { KEY: 'hunter2' } }: Around = {}) {
  const read = valueReader({ env, redactor: redactorOf() })
  const [ownValue, standardValue] = [own, standard].map((inputs) => read(inputs, [], []).get(name))
  return givenValue(name, ownValue, standardValue)
}
interface Around {
  standard?: Inputs
  env?: Record<string, string>
}

const entry = (name: string, value: string, at: number) => ({ name, value, at })

describe('a list of environment variables', () => {
  const isList = (...entries: object[]) => ({ unit: 'entry', entries, mistakes: [] })

  it('is no text, and keeps a name that is set twice', () => {
    const twice = isList(entry('A', 'hunter2', 1), entry('A', 'hunter2', 2))
    expect(given('secrets', { secrets: 'A=${KEY}\nA=${KEY}' })).toEqual(twice)
    expect(given('secrets', { secrets: { A: '${KEY}' } })).toEqual(isList(entry('A', 'hunter2', 1)))
  })

  it.each<[string, Inputs, Inputs, object[]]>([
    [
      'both',
      { secrets: { A: '${KEY}' } },
      { secrets: { B: '${KEY}' } },
      [entry('B', 'hunter2', 1), entry('A', 'hunter2', 2)],
    ],
    ['its default', { secrets: 'A=${KEY}' }, { secrets: { B: '${KEY}' } }, [entry('A', 'hunter2', 1)]],
    ['its own', { secrets: { A: '${KEY}' } }, { secrets: 'B=${KEY}' }, [entry('A', 'hunter2', 1)]],
  ])('is merged over that of the defaults only if both are mappings', (_mappings, own, standard, entries) => {
    expect(given('secrets', own, { standard })).toEqual(isList(...entries))
  })

  it('is a text if one variable holds it', () => {
    expect(given('secrets', { secrets: '${KEY}' })).toBe('hunter2')
  })
})

/** Fills a text from this environment. */
function filled(text: string) {
  const masked: string[] = []
  const problems: string[] = []
  const env = { KEY: 'hunter2', BLANK: ' ', INPUT_NAME: 'agent', GITHUB_SHA: 'c0ffee5', LATE: '${{ secrets.A }}' }
  const fill = createFill(env, listing(masked))
  return { text: fill(text, (message) => problems.push(message)), masked, problems }
}

it.each<[string, string, string[]]>([
  ['${KEY}/${KEY}', 'hunter2/hunter2', ['hunter2']],
  ['${GITHUB_SHA}', 'c0ffee5', []],
  ['$${KEY}', '${KEY}', []],
])('%j becomes %j, and masks %j', (given, text, masked) => {
  expect(filled(given)).toEqual({ text, masked, problems: [] })
})

it.each([
  ['${NOWHERE}', 'names the variable NOWHERE, which is not set'],
  ['${toString}', 'names the variable toString, which is not set'],
  ['${BLANK}', 'names the variable BLANK, which is empty'],
  ['${INPUT_NAME}', 'names the variable INPUT_NAME, which belongs to the runner'],
  ['${LATE}', 'names the variable LATE, whose value has an expression'],
  ['${{ secrets.A }}', 'has an expression'],
  ['${', 'has a ${ that does not begin ${NAME}'],
])('%j stays: it %s', (given, problem) => {
  const { text, masked, problems } = filled(given)
  expect([text, masked]).toEqual([given, []])
  expect(problems).toEqual([expect.stringContaining(problem)])
})

describe('the request of a check', () => {
  it.each<[string, Inputs]>([
    ['in lines', { 'verify-headers': 'X-Key: Bearer ${KEY}' }],
    ['as a mapping', { 'verify-headers': { 'X-Key': 'Bearer ${KEY}' } }],
  ])('has headers %s, whose values cannot begin another header', (_form, own) => {
    const headers = given('verify-headers', own, { env: { KEY: 'a\nHost: b' } })
    expect(headers).toMatchObject({ entries: [entry('X-Key', 'Bearer a\nHost: b', 1)] })
  })

  it('has headers that are merged over those of the defaults', () => {
    const standard = { 'verify-headers': { 'X-A': '${KEY}', 'X-B': '1' } }
    const headers = given('verify-headers', { 'verify-headers': { 'X-B': '2' } }, { standard })
    expect(headers).toMatchObject({ entries: [entry('X-A', 'hunter2', 1), entry('X-B', '2', 2)] })
  })

  it('may take all headers from one variable', () => {
    const headers = given('verify-headers', { 'verify-headers': '${ALL}' }, { env: { ALL: 'X-A: 1\nX-B: 2' } })
    expect(headers).toBe('X-A: 1\nX-B: 2')
  })

  it('masks each value of a header', () => {
    const masked: string[] = []
    const read = valueReader({ env: { KEY: 'hunter2' }, redactor: listing(masked) })
    read({ 'verify-headers': 'Authorization: Bearer ${KEY}' }, [], [])
    read({ 'verify-headers': { 'X-Mode': 'literal-1' } }, [], [])
    expect(masked).toEqual(expect.arrayContaining(['hunter2', 'Bearer hunter2', 'literal-1']))
  })

  it('has a body whose variables stay inside the strings of its JSON', () => {
    const body = { 'verify-body': { input: { key: '${KEY}' }, stream: false } }
    const text = given('verify-body', body, { env: { KEY: 'a "b"' } })
    expect(text).toBe('{"input":{"key":"a \\"b\\""},"stream":false}')
  })

  it.each([
    ['{"key":"${KEY}"}', ['is a text, in which no variable is replaced: write it as a mapping to use ${NAME}']],
    ['key=${KEY}', []],
  ])('may have the text %j as its body, unless %j', (text, problems) => {
    const findings: Finding[] = []
    valueReader({ env: { KEY: 'hunter2' }, redactor: redactorOf() })({ 'verify-body': text }, [], findings)
    expect(findings.map(({ message }) => message)).toEqual(problems)
  })
})
