import { describe, expect, it } from '@jest/globals'
import type { Deployment, Field, Settings } from '../../../src/control-plane/model.ts'
import {
  fieldsSetByOthers,
  isApplied,
  isUpdated,
  ownForm,
  type PatchProgress,
  progressOf,
} from '../../../src/rollout/apply/patch-progress.ts'
import { aDeployment } from '../../builders.ts'

const OTHER_ID = '66666666-6666-4666-8666-666666666666'
const having = (settings: Settings, over: Partial<Deployment> = {}): Deployment => aDeployment({ ...over, settings })

const command = (installCommand: string): Settings => ({ installCommand })

describe('a deployment compared with a patch', () => {
  const url = { customUrl: 'https://two.example' }
  const address = (customUrl: string): Settings => ({ customUrl })
  const two = (installCommand: string, buildCommand: string): Settings => ({ installCommand, buildCommand })
  const flagged = (installCommand: string, buildOnPush: boolean): Settings => ({ installCommand, buildOnPush })
  const oldCommand: Partial<PatchProgress> = { fieldsStillOld: ['installCommand'] }

  it.each<[string, Settings, Settings, Settings, Partial<PatchProgress>]>([
    ['our value', address('https://one.example'), url, url, {}],
    ['the earlier value', url, address('https://b.example'), url, { fieldsStillOld: ['customUrl'] }],
    ['no value', {}, url, {}, { notReported: ['customUrl'] }],
    ['a slash at the end', address('a'), url, address('https://TWO.example/'), {}],
    ['blanks', command('a'), command('b c'), command(' b c\n'), {}],
    ['another form of it', command('a'), command('b  c'), command('b c'), {}],
    ['the first value of a text', {}, url, address('https://two.example:1'), { setByOthers: ['customUrl'] }],
    ['a third text', url, address('b'), address('c'), { setByOthers: ['customUrl'] }],
    ['its letters', command('a'), command('v1.1'), command('v11'), { setByOthers: ['installCommand'] }],
    ['the other value of a flag', {}, { shareable: true }, { shareable: false }, { fieldsStillOld: ['shareable'] }],
    [
      'the earlier address with a slash',
      address('a.example'),
      url,
      address('a.example/'),
      { fieldsStillOld: ['customUrl'] },
    ],
    ['one text changed, and another as before', two('a b', 'x'), two('a c', 'y'), two('a b', 'y'), oldCommand],
    [
      'a text changed, and a flag as before',
      flagged('a', false),
      flagged('b', true),
      flagged('b', false),
      { fieldsStillOld: ['buildOnPush'] },
    ],
    [
      'the earlier text with single blanks',
      command('a b'),
      command('a  b'),
      command('a b'),
      { ...oldCommand, differOnlyInSpaces: ['installCommand'] },
    ],
    ['the earlier text with the same letters', command('a b'), command('A "b"'), command('a b'), oldCommand],
  ])('shows %s', (_case, before, patch, shown, found) => {
    const known = having(before, { updatedAt: 1_000 })
    const nothing = {
      fieldsStillOld: [],
      differOnlyInSpaces: [],
      setByOthers: [],
      notReported: [],
      noLongerReported: [],
    }
    expect(progressOf(having(shown), known, patch)).toEqual({ ...nothing, ...found })
    // Whenever it was updated.
    expect(progressOf(having(shown, { updatedAt: 2_000 }), known, patch)).toEqual({ ...nothing, ...found })
  })
})

describe('a deployment', () => {
  it.each<[string, Partial<Deployment>, boolean]>([
    ['was updated if it has a later date', { updatedAt: 2_000 }, true],
    ['was not updated if it has the same date', { updatedAt: 1_000 }, false],
    ['was not updated by a revision', { updatedAt: 2_000, latestRevisionId: OTHER_ID }, false],
    ['was not updated by the activation of one', { updatedAt: 2_000, activeRevisionId: OTHER_ID }, false],
  ])('%s', (_case, over, expected) => {
    expect(isUpdated(having({}, over), having({}, { updatedAt: 1_000 }))).toBe(expected)
  })
})

describe('the fields of a PATCH', () => {
  const url = (customUrl: string): Settings => ({ customUrl })
  it.each<[string, Settings, Settings, Settings, Field[], boolean]>([
    ['have our value', url('one'), url('two'), url('two'), [], true],
    ['have the value before', url('one'), url('two'), url('one'), [], false],
    ['have our value with other blanks', command('a'), command('b  c'), command('b c'), [], true],
    ['have the value before with other blanks', command('a  b'), command('c'), command('a b'), [], false],
    ['have a third value', url('one'), url('two'), url('three'), ['customUrl'], false],
    ['have a value where none was reported', {}, url('two'), url('three'), [], false],
    ['are cleared', url('one'), url('two'), {}, ['customUrl'], false],
    ['are not reported, as before', {}, url('two'), {}, [], false],
    ['are not reported any more, as a flag may be', { shareable: true }, { shareable: false }, {}, [], false],
    ['have the other value of a flag', { buildOnPush: true }, { buildOnPush: false }, { buildOnPush: true }, [], false],
  ])('%s', (_case, before, patch, shown, ofOthers, isDone) => {
    expect(fieldsSetByOthers(having(shown), having(before), patch)).toEqual(ofOthers)
    expect(isApplied(progressOf(having(shown), having(before), patch))).toBe(isDone)
  })

  it.each<[string, Settings, number, Settings]>([
    ['ours', url('two'), 1_000, url('two')],
    ['the value before', url('one'), 2_000, {}],
    ['a third value, which may be of another client', url('three'), 1_000, {}],
    ['a third value of a deployment that the service has updated', url('three'), 2_000, url('three')],
    ['no value', {}, 2_000, {}],
  ])('have as their own form %s', (_case, shown, updatedAt, expected) => {
    const before = having(url('one'), { updatedAt: 1_000 })
    expect(ownForm(having(shown, { updatedAt }), before, url('two'))).toEqual(expected)
  })
})
