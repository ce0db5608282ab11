import { describe, expect, it } from '@jest/globals'
import { valueReader, createFill, givenValue } from '../../../src/inputs/manifest/values.ts'
import type { Finding } from '../../../src/sources/findings.ts'
import { NO_MASKS } from '../../quiet-masks.ts'

const readValues = valueReader({ env: { KEY: 'hunter2' }, masks: NO_MASKS })

type Inputs = Parameters<typeof readValues>[0]

/** What is wrong with an input of an entry. */
function problemsOf(inputs: Inputs): string[] {
  const findings: Finding[] = []
  readValues(inputs, ['deployments', 0], findings)
  return findings.map(({ message }) => message)
}

describe('the secrets of an entry, as a text', () => {
  it.each(['A=${KEY}', '{"A":"${KEY}"}', '${KEY}', ''])('may be %j', (secrets) => {
    expect(problemsOf({ secrets })).toEqual([])
  })

  it.each(['A=hunter2', 'A=${KEY}\nB=hunter2', '{"A":"hunter2"}', 'A=x${KEY}'])(
    'have no literal value: %j',
    (secrets) => {
      expect(problemsOf({ secrets })).toEqual([expect.stringContaining('a manifest contains no secrets')])
    },
  )
})

describe('a list of environment variables', () => {
  /** The value of `secrets` as the reader of an entry takes it. */
  const given = (own: Inputs, standard: Inputs = {}) => {
    const [ownValue, standardValue] = [own, standard].map((inputs) => readValues(inputs, [], []))
    return givenValue('secrets', ownValue?.get('secrets'), standardValue?.get('secrets'))
  }
  const entry = (name: string, value: string, at: number) => ({ name, value, at })
  const isList = (...entries: object[]) => ({ unit: 'entry', entries, mistakes: [] })

  it('is no text, and keeps a name that is set twice', () => {
    expect(given({ secrets: 'A=${KEY}\nA=${KEY}' })).toEqual(isList(entry('A', 'hunter2', 1), entry('A', 'hunter2', 2)))
    expect(given({ secrets: { A: '${KEY}' } })).toEqual(isList(entry('A', 'hunter2', 1)))
  })

  it('is merged over that of the defaults only if both are mappings', () => {
    const merged = isList(entry('B', 'hunter2', 1), entry('A', 'hunter2', 2))
    expect(given({ secrets: { A: '${KEY}' } }, { secrets: { B: '${KEY}' } })).toEqual(merged)
    expect(given({ secrets: 'A=${KEY}' }, { secrets: { B: '${KEY}' } })).toEqual(isList(entry('A', 'hunter2', 1)))
    expect(given({ secrets: { A: '${KEY}' } }, { secrets: 'B=${KEY}' })).toEqual(isList(entry('A', 'hunter2', 1)))
  })

  it('is a text if one variable holds it', () => {
    expect(given({ secrets: '${KEY}' })).toBe('hunter2')
  })
})

/** Fills a text from this environment. */
function filled(text: string) {
  const masked: string[] = []
  const problems: string[] = []
  const env = { KEY: 'hunter2', BLANK: ' ', INPUT_NAME: 'agent', GITHUB_SHA: 'c0ffee5', LATE: '${{ secrets.A }}' }
  const fill = createFill(env, { ...NO_MASKS, values: (values) => void masked.push(...values) })
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
  const values = (inputs: Inputs) => readValues(inputs, [], [])
  const entry = (name: string, value: string, at: number) => ({ name, value, at })

  it('has headers in lines or as a mapping, whose values cannot begin another header', () => {
    const reading = valueReader({ env: { KEY: 'a\nHost: b' }, masks: NO_MASKS })
    for (const headers of ['X-Key: Bearer ${KEY}', { 'X-Key': 'Bearer ${KEY}' }]) {
      const own = reading({ 'verify-headers': headers }, [], []).get('verify-headers')
      expect(givenValue('verify-headers', own, undefined)).toMatchObject({
        entries: [entry('X-Key', 'Bearer a\nHost: b', 1)],
      })
    }
  })

  it('has headers that are merged over those of the defaults', () => {
    const own = values({ 'verify-headers': { 'X-B': '2' } }).get('verify-headers')
    const standard = values({ 'verify-headers': { 'X-A': '${KEY}', 'X-B': '1' } }).get('verify-headers')
    expect(givenValue('verify-headers', own, standard)).toMatchObject({
      entries: [entry('X-A', 'hunter2', 1), entry('X-B', '2', 2)],
    })
  })

  it('may take all headers from one variable', () => {
    const reading = valueReader({ env: { ALL: 'X-A: 1\nX-B: 2' }, masks: NO_MASKS })
    const own = reading({ 'verify-headers': '${ALL}' }, [], []).get('verify-headers')
    expect(givenValue('verify-headers', own, undefined)).toBe('X-A: 1\nX-B: 2')
  })

  it('masks each value of a header', () => {
    const masked: string[] = []
    const masks = { ...NO_MASKS, values: (texts: readonly string[]) => void masked.push(...texts) }
    const reading = valueReader({ env: { KEY: 'hunter2' }, masks })
    reading({ 'verify-headers': 'Authorization: Bearer ${KEY}' }, [], [])
    reading({ 'verify-headers': { 'X-Mode': 'literal-1' } }, [], [])
    expect(masked).toEqual(expect.arrayContaining(['hunter2', 'Bearer hunter2', 'literal-1']))
  })

  it('has a body whose variables stay inside the strings of its JSON', () => {
    const reading = valueReader({ env: { KEY: 'a "b"' }, masks: NO_MASKS })
    const body = { input: { key: '${KEY}' }, stream: false }
    const own = reading({ 'verify-body': body }, [], []).get('verify-body')
    expect(givenValue('verify-body', own, undefined)).toBe('{"input":{"key":"a \\"b\\""},"stream":false}')
    expect(problemsOf({ 'verify-body': '{"key":"${KEY}"}' })).toEqual([
      'is a text, in which no variable is replaced: write it as a mapping to use ${NAME}',
    ])
    expect(problemsOf({ 'verify-body': 'key=${KEY}' })).toEqual([])
  })
})
