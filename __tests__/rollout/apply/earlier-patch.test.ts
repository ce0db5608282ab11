import { describe, expect, it } from '@jest/globals'
import type { Settings } from '../../../src/control-plane/model.ts'
import { beforePatch, unprovedFields, withPatch } from '../../../src/rollout/apply/patch-known.ts'
import { aDeployment } from '../../builders.ts'

const deployment = (settings: Settings) => aDeployment({ source: 'external_container', settings })
const FIRST = { customUrl: 'https://one.example', shareable: false }
const SENT = { customUrl: 'https://two.example', shareable: true }
const OWN_FORM = { customUrl: 'https://two.example/agent' }
const THEIRS = { customUrl: 'https://three.example' }

describe('a deployment that a run has patched for an earlier plan', () => {
  it.each<[string, Settings | undefined, Settings, Settings, string[]]>([
    ['what was sent', {}, SENT, FIRST, []],
    ['what was sent, and no answer has shown anything', undefined, SENT, FIRST, []],
    ['what the service has shown of it', OWN_FORM, { ...SENT, ...OWN_FORM }, FIRST, []],
    ['another value', OWN_FORM, { ...SENT, ...THEIRS }, { ...FIRST, ...THEIRS }, ['customUrl']],
    ['what may be its form of it', {}, { ...SENT, ...OWN_FORM }, { ...FIRST, ...OWN_FORM }, ['customUrl']],
    ['what was there before', {}, FIRST, FIRST, []],
  ])('shows %s', (_case, shown, now, before, unproved) => {
    const earlier = withPatch(undefined, deployment(FIRST), SENT, shown)
    expect(beforePatch(deployment(now), earlier).settings).toEqual(deployment(before).settings)
    expect(unprovedFields(earlier, deployment(now))).toEqual(unproved)
  })

  it('is restored to what was there before it, also if its own earlier state is not shown', () => {
    const earlier = withPatch(undefined, deployment(FIRST), SENT)
    const { settings } = beforePatch({ ...deployment({}), settings: {} }, earlier, deployment(SENT))
    expect(settings).toEqual(FIRST)
  })
})
