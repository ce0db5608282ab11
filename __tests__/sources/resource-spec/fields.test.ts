import { describe, expect, it } from '@jest/globals'
import type { ResourceSpec } from '../../../src/control-plane/resource-spec-schema.ts'
import { roundCores, sameSpec, withoutEnvValues } from '../../../src/sources/resource-spec/fields.ts'

type Container = NonNullable<ResourceSpec['sidecars']>[number]

describe('sameSpec', () => {
  it.each([
    ['a spelled-out default', { cpu: 1, cpu_limit: 2 }, { cpu: 1 }],
    ['a default of a default', { cpu: 0.3, queue_cpu_limit: 0.6 }, { cpu: 0.3 }],
    ['null', { cpu: 1, memory_mb: null }, { cpu: 1 }],
    ['an empty list', { cpu: 1, volumes: [] }, { cpu: 1 }],
    [
      'the cache, whose limit is what it asks for',
      { cache_memory_mb: 256, cache_memory_limit_mb: 256 },
      { cache_memory_mb: 256 },
    ],
    [
      'the value of a variable, empty',
      aSidecar({ env: [{ name: 'A', value: '' }] }),
      aSidecar({ env: [{ name: 'A' }] }),
    ],
    ['no labels', { cpu: 1, labels: {}, annotations: null }, { cpu: 1 }],
    [
      'no resources of a container',
      aSidecar({ resources: { limits: {}, requests: null }, securityContext: {} }),
      aSidecar({ resources: null }),
    ],
    [
      'no limits, but requests',
      aSidecar({ resources: { limits: {}, requests: { cpu: '1' } } }),
      aSidecar({ resources: { requests: { cpu: '1' } } }),
    ],
  ])('makes no difference of %s', (_case, one, other) => {
    expect(sameSpec(one, other)).toBe(true)
    expect(sameSpec(other, one)).toBe(true)
  })

  it.each<[keyof ResourceSpec, number, keyof ResourceSpec]>([
    ['cpu_limit', 2, 'cpu'],
    ['memory_limit_mb', 2, 'memory_mb'],
    ['queue_min_scale', 1, 'min_scale'],
    ['queue_max_scale', 1, 'max_scale'],
    ['queue_cpu', 1, 'cpu'],
    ['queue_cpu_limit', 2, 'queue_cpu'],
    ['queue_memory_mb', 1, 'memory_mb'],
    ['queue_memory_limit_mb', 2, 'queue_memory_mb'],
    ['cache_cpu_limit', 2, 'cache_cpu'],
    ['cache_memory_limit_mb', 1, 'cache_memory_mb'],
    ['core_cpu_limit', 2, 'core_cpu'],
    ['core_memory_limit_mb', 2, 'core_memory_mb'],
    ['db_cpu_limit', 2, 'db_cpu'],
    ['db_memory_limit_mb', 2, 'db_memory_mb'],
  ])('applies the default of %s: %d times %s', (field, times, base) => {
    expect(sameSpec({ [base]: 256, [field]: 256 * times }, { [base]: 256 })).toBe(true)
    expect(sameSpec({ [base]: 256, [field]: 256 * times + 128 }, { [base]: 256 })).toBe(false)
  })

  it.each([
    ['another value', { cpu: 1 }, { cpu: 2 }],
    ['a limit that is not the default', { cpu: 1, cpu_limit: 3 }, { cpu: 1 }],
    ['a field that would be gone', { cpu: 1, min_scale: 2 }, { cpu: 1 }],
    ['another value of a variable', envSpec('a'), envSpec('b')],
    ['a variable more', envSpec(''), aSidecar({ env: [] })],
    ['an empty label', { labels: { value: '' } }, { labels: {} }],
    ['an empty volume', { volumes: [{ name: 'v', emptyDir: {} }] }, { volumes: [{ name: 'v' }] }],
  ])('sees %s', (_case, one, other) => {
    expect(sameSpec(one, other)).toBe(false)
  })
})

describe('withoutEnvValues', () => {
  it('hides what a variable holds, wherever one may be', () => {
    const shown = JSON.stringify(
      withoutEnvValues({ ...envSpec('hunter2'), init_containers: envSpec('hunter2').sidecars }),
    )
    expect(shown).not.toContain('hunter2')
    expect(shown).toContain('(not shown)')
    expect(shown).toContain('TOKEN')
  })

  it('leaves a spec without containers as it is', () => {
    expect(withoutEnvValues({ cpu: 1 })).toEqual({ cpu: 1 })
  })
})

function envSpec(value: string) {
  return aSidecar({ env: [{ name: 'TOKEN', value }] })
}

function aSidecar(over: Partial<Container>): { sidecars: Container[] } {
  return { sidecars: [{ name: 'proxy', image: 'envoy:1', ...over }] }
}

describe('cores', () => {
  it.each([
    [0.04, 0.1],
    [0.1, 0.1],
    [0.25, 0.3],
    [2, 2],
  ])('of %d count as %d: a tenth at least', (given, effective) => {
    expect(roundCores(given)).toBe(effective)
  })
})
