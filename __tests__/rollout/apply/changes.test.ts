import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER } from '../../../src/control-plane/api.ts'
import type { Deployment, Settings } from '../../../src/control-plane/model.ts'
import { changesSince, type Comparing, type OwnPatch, replacedSince } from '../../../src/rollout/apply/changes.ts'
import { aDeployment } from '../../builders.ts'

const [ONE, TWO, THREE] = ['https://one.example', 'https://two.example', 'https://three.example']
const image = { imageUri: 'r/i:1' }
const before = { ...image, customUrl: ONE }
const sent = { customUrl: TWO }
const DONE: OwnPatch = { before, sent, confirmed: sent, isRestoration: false }
const shown = (settings: Settings, over: Partial<Deployment> = {}): Deployment => {
  const plain = aDeployment({ source: 'external_container' })
  return { ...plain, ...over, settings }
}

/** What counts as changed of the settings, after a PATCH of `customUrl`. */
function changedSettings(now: Settings, over: Partial<Comparing> = {}, known = shown(before)): readonly string[] {
  const comparing = { isListed: false, own: DONE, seenChanged: [], api: AGENT_SERVER, ...over }
  const changes = changesSince(known, { ...known, settings: now }, comparing)
  return changes.flatMap((one) => (one.kind === 'set' ? one.fields : []))
}

describe('the settings that others have changed since a PATCH', () => {
  const ours = { ...before, ...sent }
  const uncertain = { ...DONE, confirmed: {} }
  it.each<[string, Settings, Partial<Comparing>, string[]]>([
    ['what was sent', ours, {}, []],
    ['what was sent, with a slash', { ...ours, customUrl: `${TWO}/` }, {}, []],
    ['the earlier value, which a replica that lags shows', before, {}, []],
    ['a third value', { ...ours, customUrl: THREE }, {}, ['customUrl']],
    ['a third value that no answer has shown before', { ...ours, customUrl: THREE }, { own: uncertain }, ['customUrl']],
    ['no value any more', image, {}, ['customUrl']],
    ['no value, as ever', image, { own: uncertain }, []],
    [
      'a third value, before the PATCH has ended',
      { ...ours, customUrl: THREE },
      { own: { ...DONE, confirmed: undefined } },
      [],
    ],
    ['a third value for the second time', { ...ours, customUrl: THREE }, { seenChanged: ['customUrl'] }, []],
    ['a third value, which must stay', { ...ours, customUrl: THREE }, { own: { ...DONE, isRestoration: true } }, []],
    ['another image', { ...ours, imageUri: 'r/i:2' }, {}, ['imageUri']],
    [
      'another image, before the PATCH has ended',
      { ...before, imageUri: 'r/i:2' },
      { own: { ...DONE, confirmed: undefined } },
      ['imageUri'],
    ],
    ['another image for the second time', { ...ours, imageUri: 'r/i:2' }, { seenChanged: ['imageUri'] }, []],
    ['no image, which is not reported', sent, {}, []],
    ['a command, which the source does not take', { ...ours, installCommand: 'make' }, {}, []],
  ])('shows %s', (_case, now, over, expected) => {
    expect(changedSettings(now, over)).toEqual(expected)
  })

  const command = { installCommand: 'npm ci' }
  it.each([
    ['external_container', []],
    ['git_host', ['installCommand']],
    ['of-tomorrow', ['installCommand']],
  ])('are those that the source takes: a command of %s', (source, expected) => {
    const known = shown({ ...before, ...command }, { source })
    expect(changedSettings({ ...before, installCommand: 'make' }, {}, known)).toEqual(expected)
  })

  it('are all settings before the first write', () => {
    const known = shown({ ...before, ...command })
    const now = { ...image, customUrl: THREE, installCommand: 'make' }
    expect(changedSettings(now, { own: undefined }, known)).toEqual(['installCommand', 'customUrl'])
  })
})

describe('the settings of a PATCH that are shown otherwise than by its answer', () => {
  it.each<[string, Settings, OwnPatch, string[]]>([
    ['what was sent', sent, DONE, []],
    ['the earlier value', before, DONE, ['customUrl']],
    ['a third value', { customUrl: THREE }, DONE, ['customUrl']],
    ['a third value that must stay', { customUrl: THREE }, { ...DONE, isRestoration: true }, []],
    ['a third value, while no answer has shown ours', { customUrl: THREE }, { ...DONE, confirmed: {} }, []],
    ['no value any more', {}, DONE, ['customUrl']],
    ['no value, as before', {}, { ...DONE, before: image }, []],
  ])('show %s', (_case, now, own, expected) => {
    expect(replacedSince(now, own)).toEqual(expected)
  })
})
