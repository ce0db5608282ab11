import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { parse } from 'yaml'
import { z } from 'zod'
import { InputReader } from '../../src/inputs/reader.ts'
import { type Input, INPUT_NAMES, type InputName, INPUTS, type TakenInput } from '../../src/inputs/inputs.ts'
import { anyText } from '../any-text.ts'

const SCHEMA = new URL('../../schemas/workflow.schema.json', import.meta.url)
const validate = new Ajv2020({ strict: true }).compile(
  z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(SCHEMA, 'utf8'))),
)

function isValid(folder: string, given: Record<string, unknown>): boolean {
  const steps = [
    { uses: 'actions/checkout@v5', with: { any: [] } },
    { uses: `o/deployment-rollout${folder}@v1`, with: given },
  ]
  return validate({ on: 'push', jobs: { a: { steps } } })
}

/** A text that is bounded by a list of words, by a number or by the form of a UUID or a time gives nothing away. */
const isFreeText = (name: InputName): boolean => {
  const { takes }: Input = INPUTS[name]
  return takes === undefined || takes.form.pattern.test('any-text_of a person')
}

// Names, words and paths that hold no secret, and that others need not know.
// prettier-ignore
const NEITHER = [
  'cluster-namespace', 'confirm', 'deployment-type', 'expect-status', 'file', 'manifest', 'only',
  'preview-label', 'revision-id', 'secret-references', 'secrets-file', 'shard', 'source', 'template-id',
]

it('the table says of each free text whether it is secret, public or an address, or it is none of these', () => {
  const isSorted = (name: InputName): boolean =>
    ['secrecy', 'public', 'isAddress'].some((column) => column in INPUTS[name])
  expect(INPUT_NAMES.filter((name) => isFreeText(name) && !isSorted(name)).toSorted()).toEqual(NEITHER)
})

it.each([
  ['', 'rollback: always'],
  ['', 'timeout: 5 min'],
  ['', 'max-retries: 21'],
  ['', 'wiat: false'],
  ['/fleet', '{ manifest: a.yml, max-parallel: 0 }'],
  ['/fleet', 'max-failures: 5%'],
  ['/rollback', 'revision-id: latest'],
  ['/wait', 'revision-id: previous'],
  ['/request', '{ path: /v2, method: FETCH }'],
])('a step of the action %s is rejected with %s', (folder, inputs) =>
  expect(isValid(folder, z.record(z.string(), z.unknown()).parse(parse(inputs)))).toBe(false),
)

it.each([
  ['', 'source: github'],
  ['', 'rollback: ${{ vars.ROLLBACK }}'],
  ['', '{ preview: true, tenant-id: 12, timeout: 300, comment: auto, name: 12 }'],
  ['/rollback', 'revision-id: previous'],
  ['/request', '{ path: /v2, method: get }'],
])('a step of the action %s is accepted with %s', (folder, inputs) =>
  expect(isValid(folder, z.record(z.string(), z.unknown()).parse(parse(inputs)))).toBe(true),
)

const isTaken = (name: InputName): name is TakenInput => 'takes' in INPUTS[name]

const REQUIRED: Record<string, object> = { '/fleet': { manifest: 'a.yml' }, '/request': { path: '/v2' } }

it('rejects no value that the reader of a step takes', () => {
  const words = Object.values<Input>(INPUTS).flatMap(({ takes }) => takes?.form.words ?? [])
  const others = [' true', 'TRUE', 'get', '${{ x }}', '7d', '1h30m', '50%', 'auto', 12, 86_400, true, false]
  const value = fc.oneof(
    fc.constantFrom(...words, ...others),
    fc.constantFrom(
      '$A',
      '${A}',
      '$a-',
      'secrets.A',
      "secrets['A']",
      '"a"',
      '"',
      'Bearer a',
      '%41',
      'github.token',
      '#7',
    ),
    fc.constantFrom(
      'agent:',
      'agent',
      'Agent',
      '[::1]:5000/a',
      'https://h//a',
      'https:/h',
      'h:a',
      'git@h:a/',
      '{url}/a',
    ),
    fc.stringMatching(/^\d{0,3}(?:\.\d)?[hmsd%]?$/),
    anyText({ maxLength: 5 }),
  )
  fc.assert(
    fc.property(fc.constantFrom(...INPUT_NAMES.filter(isTaken)), value, (name, given) => {
      const read = new InputReader(() => String(given))
      read.optional(name)
      const folders = ['', '/wait', '/rollback', '/teardown', '/request', '/fleet']
      const rejecting = folders.filter((folder) => {
        const required = { ...REQUIRED[folder] }
        expect(isValid(folder, required)).toBe(true)
        return !isValid(folder, { ...required, [name]: given })
      })
      // The action of some folder has the input.
      if (rejecting.length === folders.length) expect(read.problems).toMatchObject([{ input: name }])
    }),
  )
})

it('accepts patterns of only in several lines, also in an editor', () => {
  expect(isValid('/fleet', { ...REQUIRED['/fleet'], only: 'web-*\n!web-eu' })).toBe(true)
})
