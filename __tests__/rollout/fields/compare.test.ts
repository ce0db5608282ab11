import { describe, expect, it } from '@jest/globals'
import type { Field, Secret, Settings } from '../../../src/control-plane/model.ts'
import {
  canBeCleared,
  compareSetting,
  compareWithDeployment,
  type Comparison,
  contradicts,
  showsOtherValue,
  showsSecrets,
  showsValue,
  type Tolerance,
} from '../../../src/rollout/fields/compare.ts'
import { COMPARED } from '../../../src/rollout/fields/compared.ts'
import { FIELDS } from '../../../src/control-plane/settings.ts'

const listOf = (...secrets: (string | Secret)[]): Settings => ({
  secrets: secrets.map((secret) => (typeof secret === 'string' ? { name: secret, value: '***' } : secret)),
})
const secret = (name: string, value?: string): Secret => ({ name, value })
const reference = (name: string, secretKey = 'key') => ({ name, secretName: 'vault', secretKey })

describe('a text', () => {
  it.each<[Field, string, string, Comparison]>([
    ['customUrl', 'https://a.example/', 'https://a.example', 'same'],
    ['customUrl', 'https://a.example', 'https://A.example:443//', 'same'],
    ['customUrl', 'a.example/', ' a.example', 'same'],
    ['customUrl', 'https://a.example/x/', 'https://a.example/x', 'same'],
    ['customUrl', 'https://a.example/x', 'https://a.example', 'other'],
    ['customUrl', 'http://a.example', 'https://a.example', 'other'],
    ['repoUrl', 'git@HOST:o/R.git', 'https://host/o/r/', 'same'],
    ['repoUrl', 'https://host/o/r', 'https://host/o/s', 'other'],
    ['repoUrl', 'No Address', 'no address ', 'same'],
    ['integrationId', 'AB-1', 'ab-1', 'same'],
    ['listenerId', 'AB-1', 'ab-1', 'same'],
    ['installCommand', ' npm ci\n', 'npm ci', 'same'],
    ['buildCommand', 'npm run build ', 'npm run build', 'same'],
    ['buildCommand', 'npm  run build', 'npm run build', 'other'],
    ['appConfigPath', 'a/', 'a', 'other'],
    ['appConfigPath', './src/app.json', 'src/app.json', 'same'],
    ['appConfigPath', 'src/app.json', './src/app.json', 'same'],
    ['appConfigPath', '././/app.json', 'app.json', 'same'],
    ['appConfigPath', '.src/app.json', 'src/app.json', 'other'],
    ['appConfigPath', '../app.json', 'app.json', 'other'],
    ['imageUri', 'r/i:1', 'r/i:1', 'same'],
    ['imageUri', 'r/i:1', 'R/i:1', 'other'],
  ])('%s: "%s" is beside "%s" %s', (field, reported, wanted, expected) => {
    expect(compareSetting(field, { [field]: reported }, { [field]: wanted })).toBe(expected)
  })
})

describe('what counts as no difference', () => {
  const spec = { cpu: 1, memory_mb: 1024 }
  it.each<[string, Field, Settings, Settings, Record<Tolerance, Comparison>]>([
    [
      'blanks',
      'buildCommand',
      { buildCommand: 'make  all' },
      { buildCommand: ' make all' },
      { meaning: 'other', spaces: 'same', 'service-form': 'other' },
    ],
    [
      'the letters of a command',
      'buildCommand',
      { buildCommand: 'make All' },
      { buildCommand: 'make all' },
      { meaning: 'other', spaces: 'other', 'service-form': 'other' },
    ],
    [
      'the prefix of a ref',
      'repoRef',
      { repoRef: 'main' },
      { repoRef: 'refs/heads/main' },
      { meaning: 'other', spaces: 'other', 'service-form': 'same' },
    ],
    [
      'a slash at the end of a path',
      'appConfigPath',
      { appConfigPath: 'a/' },
      { appConfigPath: './a' },
      { meaning: 'other', spaces: 'other', 'service-form': 'same' },
    ],
    [
      'a flag',
      'shareable',
      { shareable: false },
      { shareable: true },
      { meaning: 'other', spaces: 'other', 'service-form': 'other' },
    ],
    [
      'a secret more',
      'secrets',
      listOf(secret('A', '1'), secret('B', '2')),
      listOf(secret('A', '1')),
      { meaning: 'other', spaces: 'other', 'service-form': 'same' },
    ],
    [
      'a secret less',
      'secrets',
      listOf(secret('B', '2')),
      listOf(secret('A', '1'), secret('B', '2')),
      { meaning: 'other', spaces: 'other', 'service-form': 'other' },
    ],
    [
      'an empty list of secrets',
      'secrets',
      listOf(),
      listOf(secret('A', '1')),
      { meaning: 'other', spaces: 'other', 'service-form': 'not-reported' },
    ],
    [
      'another value of a secret',
      'secrets',
      listOf(secret('A', '2')),
      listOf(secret('A', '1')),
      { meaning: 'other', spaces: 'other', 'service-form': 'other' },
    ],
    [
      'the order of references',
      'secretReferences',
      { secretReferences: [reference('B'), reference('A')] },
      { secretReferences: [reference('A'), reference('B')] },
      { meaning: 'same', spaces: 'same', 'service-form': 'same' },
    ],
    [
      'a reference more',
      'secretReferences',
      { secretReferences: [reference('B'), reference('A')] },
      { secretReferences: [reference('A')] },
      { meaning: 'other', spaces: 'other', 'service-form': 'same' },
    ],
    [
      'another key of a reference',
      'secretReferences',
      { secretReferences: [reference('A', 'other')] },
      { secretReferences: [reference('A')] },
      { meaning: 'other', spaces: 'other', 'service-form': 'other' },
    ],
    [
      'an omitted part of a resource spec',
      'resourceSpec',
      { resourceSpec: { cpu: 1 } },
      { resourceSpec: spec },
      { meaning: 'other', spaces: 'other', 'service-form': 'same' },
    ],
    [
      'an added part of a resource spec',
      'resourceSpec',
      { resourceSpec: { ...spec, max_scale: 9 } },
      { resourceSpec: spec },
      { meaning: 'other', spaces: 'other', 'service-form': 'same' },
    ],
    [
      'another number in a resource spec',
      'resourceSpec',
      { resourceSpec: { ...spec, cpu: 2 } },
      { resourceSpec: spec },
      { meaning: 'other', spaces: 'other', 'service-form': 'other' },
    ],
  ])('%s', (_case, field, reported, wanted, expected) => {
    for (const tolerance of ['meaning', 'spaces', 'service-form'] as const)
      expect([tolerance, compareSetting(field, reported, wanted, tolerance)]).toEqual([tolerance, expected[tolerance]])
    expect(showsValue(field, reported, wanted)).toBe(expected.spaces === 'same')
    expect(contradicts(field, reported, wanted)).toBe(expected['service-form'] === 'other')
  })

  it('is for each field not known if one of the two values is missing', () => {
    for (const field of FIELDS)
      for (const tolerance of ['meaning', 'spaces', 'service-form'] as const)
        expect(compareSetting(field, {}, {}, tolerance)).toBe('not-reported')
    for (const [reported, wanted] of [
      [{ customUrl: 'a' }, {}],
      [{}, { customUrl: 'a' }],
      [{ resourceSpec: {} }, {}],
      [{}, { resourceSpec: {} }],
    ] as const)
      expect(
        compareSetting('customUrl' in { ...reported, ...wanted } ? 'customUrl' : 'resourceSpec', reported, wanted),
      ).toBe('not-reported')
  })
})

describe('a list of secrets', () => {
  it.each<[string, Settings, Comparison]>([
    ['of the same names, whose values are hidden', listOf('A', 'B'), 'not-reported'],
    ['with another name', listOf('A', 'C'), 'other'],
    ['with one name more', listOf('A', 'B', 'C'), 'other'],
    ['with one name less', listOf('A'), 'other'],
    ['with one value that is another one, and one hidden', listOf(secret('A', '9'), 'B'), 'not-reported'],
  ])('%s', (_case, reported, expected) => {
    expect(compareSetting('secrets', reported, listOf(secret('A', '1'), secret('B', '2')))).toBe(expected)
  })

  it.each<[string, Settings, Settings, boolean]>([
    [
      'are shown with their values, among others',
      listOf(secret('A', '1'), secret('B')),
      listOf(secret('A', '1')),
      true,
    ],
    ['are hidden', listOf('A'), listOf(secret('A', '1')), false],
    ['are not reported', {}, listOf(secret('A', '1')), false],
    ['are none', {}, listOf(), true],
    ['are not set', listOf('A'), {}, true],
  ])('whose wanted ones %s', (_case, reported, wanted, expected) => {
    expect(showsSecrets(reported, wanted)).toBe(expected)
  })
})

describe('a field that a deployment does not report', () => {
  it.each<[string, Field, readonly Field[], Comparison]>([
    ['is not set', 'buildCommand', [], 'other'],
    ['is unknown if this service never reports it', 'buildCommand', ['buildCommand'], 'not-reported'],
    ['is unknown if no service need report it', 'shareable', [], 'not-reported'],
  ])('%s', (_case, field, unreported, expected) => {
    expect(compareWithDeployment(field, {}, { buildCommand: 'make', shareable: true }, unreported)).toBe(expected)
  })
})

describe('a field that a deployment showed before', () => {
  it.each<[string, Parameters<typeof showsOtherValue>, boolean]>([
    ['has another value', ['customUrl', { customUrl: 'two' }, { customUrl: 'one' }], true],
    ['has the same value', ['customUrl', { customUrl: 'one' }, { customUrl: 'one' }], false],
    ['is cleared', ['buildCommand', {}, { buildCommand: 'make' }], true],
    ['is cleared after ours', ['buildCommand', {}, { buildCommand: 'ours' }, { buildCommand: 'make' }], true],
    ['was not shown before ours', ['buildCommand', {}, { buildCommand: 'ours' }, {}], false],
    ['is of a revision', ['imageUri', {}, { imageUri: 'r/i:1' }], false],
    ['is never cleared', ['buildOnPush', {}, { buildOnPush: true }], false],
  ])('%s', (_case, given, expected) => {
    expect(showsOtherValue(...given)).toBe(expected)
  })
})

describe('the lists of what is compared', () => {
  const config = 'buildOnPush installCommand buildCommand customUrl'
  const origin = 'repoRef appConfigPath imageUri'
  const runtime = 'secrets secretReferences shareable routeThroughGateway'
  const immutable = 'integrationId repoUrl deploymentType templateId listenerId clusterNamespace'
  const upload = 'sourceTarballPath'
  it.each<[keyof typeof COMPARED, string]>([
    ['revisionWithRequest', `${config} ${origin} resourceSpec ${upload} ${runtime}`],
    ['patched', config],
    ['immutable', immutable],
    ['lostRevision', `${origin} ${upload}`],
    ['lostRevisionInDeployment', 'secrets secretReferences resourceSpec'],
    ['lostDeployment', `${immutable} ${config} ${origin} resourceSpec ${upload} ${runtime}`],
    ['restoredRevision', `${origin} ${upload}`],
    ['changedByRollout', `${config} resourceSpec ${runtime}`],
    ['approvedDeployment', `${config} ${origin} resourceSpec ${runtime}`],
    ['createdSinceApproval', `${immutable} ${config} ${origin} resourceSpec ${runtime}`],
    ['addedByPlan', 'integrationId repoUrl listenerId buildOnPush'],
  ])('have for %s: %s', (question, fields) => {
    expect([...COMPARED[question]].toSorted()).toEqual(fields.split(' ').toSorted())
  })

  it('has the settings of the deployment first that need no revision', () => {
    expect(COMPARED.revisionWithRequest.slice(0, 4)).toEqual(COMPARED.patched)
  })

  it('have no field that can be cleared and is not patched', () => {
    expect(FIELDS.filter(canBeCleared).filter((field) => !COMPARED.patched.includes(field))).toEqual([])
  })
})
