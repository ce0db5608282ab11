import { describe, expect, it } from '@jest/globals'
import { toError } from '../../src/clock.ts'
import { readStep } from '../../src/inputs/read-step.ts'
import { formatDigest } from '../../src/rollout/plan/plan-digest.ts'
import { aPush } from '../builders.ts'
import { AROUND } from '../here.ts'

const THERE = { place: 'p', id: 'i', active: 'a', settings: new Map([['image-uri', 'x']]), adds: new Map() }
const DIGEST = formatDigest([{ kind: 'unchanged', name: 'agent', requested: new Map(), there: THERE }])

async function read(inputs: Record<string, string>, env: Record<string, string> = {}, event = aPush()) {
  const given: Record<string, string> = { 'base-url': 'https://cp.example', 'api-key': 'k', name: 'agent', ...inputs }
  return await readStep((name) => given[name] ?? '', event, { ...AROUND, env })
}
const refusal = async (...about: Parameters<typeof read>): Promise<string> =>
  await read(...about).then(
    () => 'accepted',
    (thrown: unknown) => toError(thrown).message,
  )

describe('expect-plan', () => {
  it('is a hash of the plan if its values are too many', async () => {
    const step = await read({ 'expect-plan': DIGEST.replace(/[^.]+$/, 'hash-only') })
    expect(step.operation === 'rollout' && step.request.approved).toBe(DIGEST.split('.')[1])
  })

  it('is the plans of the digest', async () => {
    const step = await read({ 'expect-plan': DIGEST })
    const { approved } = step.operation === 'rollout' ? step.request : {}
    expect(approved).toBeInstanceOf(Map)
    expect(typeof approved === 'object' && approved.get('agent')).toMatchObject({
      kind: 'unchanged',
      there: { id: 'i', active: 'a' },
    })
  })

  it.each(['none', ''])('is nothing if it is not set: %j', async (given) => {
    const step = await read({ 'expect-plan': given })
    expect(step.operation === 'rollout' && step.request.approved).toBeUndefined()
  })

  it('is never printed', async () => {
    expect(await refusal({ 'expect-plan': 'a-secret-by-mistake' })).toBe(
      'expect-plan: must be the output plan-digest of an earlier run, unchanged',
    )
  })

  it('is refused where a preview is deleted', async () => {
    const event = aPush({ pullRequest: { number: 7, isClosed: true } })
    const preview = { preview: 'true', 'expect-plan': DIGEST }
    expect(await refusal(preview, {}, event)).toContain('is not for a step that deletes the preview')
    expect(await refusal({ ...preview, 'expect-plan': 'none' }, {}, event)).toBe('accepted')
  })
})
