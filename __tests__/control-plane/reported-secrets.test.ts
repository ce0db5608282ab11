import { describe, expect, it } from '@jest/globals'
import { ReportedSecrets } from '../../src/control-plane/client.ts'
import { areReported } from '../../src/rollout/plan/diff.ts'
import { MAX_REPORTED_CHARACTERS, MAX_REPORTED_LINES } from '../../src/http/limits.ts'
import { aDeployment } from '../builders.ts'

const withSecrets = (...values: string[]) =>
  aDeployment({ settings: { secrets: values.map((value, n) => ({ name: `K${n}`, value })) } })

describe('ReportedSecrets', () => {
  it.each<[string, string[], number]>([
    ['more values', Array.from({ length: MAX_REPORTED_LINES + 5 }, (_, n) => `hush-${n}`), MAX_REPORTED_LINES],
    ['more lines', ['a', 'hush\n'.repeat(MAX_REPORTED_LINES), 'b'], 2],
    ['more lines that end as on an old Mac', ['a', 'hush\r'.repeat(MAX_REPORTED_LINES), 'b'], 2],
    ['more characters', ['a', 'x'.repeat(MAX_REPORTED_CHARACTERS), 'b'], 2],
    ['the same value', Array.from({ length: MAX_REPORTED_LINES + 5 }, () => 'same'), MAX_REPORTED_LINES + 5],
  ])('keeps the names, and the values within the bounds, of %s', (_case, given, kept) => {
    const { deployment, values } = new ReportedSecrets().bound(withSecrets(...given))
    expect(values).toHaveLength(kept)
    expect(deployment.settings.secrets).toHaveLength(given.length)
    expect(areReported(deployment.settings.secrets ?? [])).toBe(kept === given.length)
  })

  it.each([
    ['no secrets', undefined],
    ['a secret without its value', [{ name: 'K', value: undefined }]],
  ])('changes nothing in a deployment that reports %s', (_case, secrets) => {
    const deployment = aDeployment({ settings: { secrets } })
    expect(new ReportedSecrets().bound(deployment)).toEqual({ deployment, values: [] })
  })

  it('counts over all answers of a run, and each value once', () => {
    const reported = new ReportedSecrets()
    const first = withSecrets('x'.repeat(MAX_REPORTED_CHARACTERS - 1))
    for (let n = 0; n < 3; n++) expect(reported.bound(first).values).toHaveLength(1)
    expect(reported.bound(withSecrets('yz', 'y')).values).toEqual(['y'])
  })
})
