import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { z } from 'zod'
import { readResourceSpec } from '../../../src/sources/resource-spec/resource-spec.ts'
import {
  containerSchema,
  envVarSchema,
  localObjectReferenceSchema,
  resourceRequirementsSchema,
  resourceSpecSchema,
  volumeMountSchema,
  volumeSchema,
} from '../../../src/sources/resource-spec/schema.ts'
import { CONTRACT_FIELDS, type ContractField } from '../../fixtures/contract.ts'
import { FULL, LEAST, ORDERED, REFUSED, sidecar } from '../../fixtures/resource-specs.ts'
import { HERE } from '../../here.ts'
import { folderWith, makePipes } from '../../folders.ts'

const workspace = folderWith()

const readingOf = async (given: string | object) =>
  await readResourceSpec(typeof given === 'string' ? given : JSON.stringify(given), workspace, HERE)

async function problemsOf(given: string | object): Promise<Record<string, string>> {
  const reading = await readingOf(given)
  if (reading.kind === 'read') return {}
  return Object.fromEntries(reading.problems.map(({ input, message }) => [input, message]))
}

async function readGood(given: string | object) {
  const reading = await readingOf(given)
  if (reading.kind === 'refused') throw new Error(JSON.stringify(reading.problems))
  return reading
}

const ALIASES = `a: &a [${'x, '.repeat(20)}]\nb: &b [${'*a, '.repeat(20)}]\nc: [${'*b, '.repeat(20)}]\n`

describe('a resource-spec', () => {
  it('may use every field of the contract, and is sent as it was given', async () => {
    expect(await readGood(FULL)).toEqual({ kind: 'read', spec: FULL, notes: [], warnings: [] })
    expect(Object.keys(FULL).sort()).toEqual(Object.keys(resourceSpecSchema.shape).sort())
  })

  it('may be YAML, JSON, or the path of a file of either', async () => {
    mkdirSync(path.join(workspace, 'ops'), { recursive: true })
    writeFileSync(path.join(workspace, 'ops/spec.yaml'), stringify(FULL))
    writeFileSync(path.join(workspace, 'ops/spec.json'), JSON.stringify(FULL))
    writeFileSync(path.join(workspace, 'ops/plain'), 'cpu: 1')
    for (const given of [stringify(FULL), JSON.stringify(FULL, null, 2), 'ops/spec.yaml', ' ops/spec.json '])
      expect((await readGood(given)).spec).toEqual(FULL)
    expect((await readGood('ops/plain')).spec).toEqual({ cpu: 1 })
    expect((await readGood('cpu: 1')).spec).toEqual({ cpu: 1 })
    expect((await readGood('{"cpu": 1}')).spec).toEqual({ cpu: 1 })
  })

  it('leaves out what is null, but not inside free-form objects', async () => {
    const { spec } = await readGood({
      cpu: null,
      memory_mb: 128,
      sidecars: [{ name: 'a', image: 'b', command: null, securityContext: { x: null } }],
    })
    expect(spec).toEqual({ memory_mb: 128, sidecars: [{ name: 'a', image: 'b', securityContext: { x: null } }] })
  })

  it.each([
    [0.25, 0.3],
    [0.14, 0.1],
    [1.04, 1],
  ])('is rounded as the control plane does, with a note: %d cores', async (given, sent) => {
    const { spec, notes } = await readGood({ cpu: given })
    expect(spec.cpu).toBe(sent)
    expect(notes).toEqual([`resource-spec.cpu is rounded from ${given} to ${sent} cores, as the control plane does`])
  })

  it('is rounded only if it is a number of cores', async () => {
    const { spec, notes } = await readGood({ min_scale: 0, queue_min_scale: 0 })
    expect(spec).toEqual({ min_scale: 0, queue_min_scale: 0 })
    expect(notes).toEqual([])
  })

  it('may have a limit that is its request once both are rounded', async () => {
    const { spec } = await readGood({ cpu: 1.04, cpu_limit: 1, db_cpu: 0.14, db_cpu_limit: 0.1 })
    expect(spec).toEqual({ cpu: 1, cpu_limit: 1, db_cpu: 0.1, db_cpu_limit: 0.1 })
  })

  it('is warned of a restartPolicy that has no effect', async () => {
    const container = { name: 'a', image: 'b', restartPolicy: 'Always' }
    expect((await readGood({ init_containers: [container] })).warnings.join()).toContain('is for sidecars')
    expect((await readGood({ sidecars: [container] })).warnings).toEqual([])
  })
})

const withEnv = (given: string): string => `sidecars: [{ name: a, image: b, ${given} }]`

describe('a resource-spec is refused', () => {
  /** The contract does not say so, but Kubernetes does. */
  const ONE_NAME: (typeof REFUSED)[number] = [
    'one name for two containers',
    { init_containers: [{ name: 'a', image: 'b' }], ...sidecar({}) },
    'resource-spec.sidecars[0].name',
    /twice/,
  ]

  it.each([...REFUSED, ONE_NAME])('for %s', async (_case, given, input, message) => {
    const problems = await problemsOf(given)
    expect(Object.keys(problems)).toEqual([input])
    expect(problems[input]).toMatch(message)
  })

  it.each(LEAST)('for %s below %d', async (field, least, below) => {
    expect(await problemsOf({ [field]: least })).toEqual({})
    expect(Object.keys(await problemsOf({ [field]: below }))).toEqual([`resource-spec.${field}`])
  })

  it.each(ORDERED)('for %s below %s', async (limit, request) => {
    expect(await problemsOf({ [request]: 256, [limit]: 256 })).toEqual({})
    expect(Object.keys(await problemsOf({ [request]: 256, [limit]: 128 }))).toEqual([`resource-spec.${limit}`])
  })

  it.each<[object, string, RegExp]>([
    [{ memroy_mb: 1 }, 'resource-spec.memroy_mb', /is not a field of resource-spec; did you mean memory_mb\?/],
    [{ memoryMb: 1 }, 'resource-spec.memoryMb', /did you mean memory_mb\?/],
    [{ volumeMounts: [] }, 'resource-spec.volumeMounts', /did you mean volume_mounts\?/],
    [{ teleport: 1 }, 'resource-spec.teleport', /whose fields are min_scale/],
    [
      sidecar({ image_pull_policy: 'Always' }),
      'resource-spec.sidecars[0].image_pull_policy',
      /did you mean imagePullPolicy\?/,
    ],
    [
      sidecar({ env: [{ name: 'A', valeu: 'x' }] }),
      'resource-spec.sidecars[0].env[0].valeu',
      /environment variable; did you mean value\?/,
    ],
    [sidecar({ resources: { limit: {} } }), 'resource-spec.sidecars[0].resources.limit', /did you mean limits\?/],
    [{ volumes: [{ name: 'a', emptydir: {} }] }, 'resource-spec.volumes[0].emptydir', /did you mean emptyDir\?/],
    [
      { volumes: [{ name: 'a' }], volume_mounts: [{ name: 'a', mountPath: '/', readonly: true }] },
      'resource-spec.volume_mounts[0].readonly',
      /did you mean readOnly\?/,
    ],
    [{ orchestrator_cpu: 1 }, 'resource-spec.orchestrator_cpu', /reported by the control plane and cannot be set/],
    [{ executor_max_scale: 1 }, 'resource-spec.executor_max_scale', /cannot be set/],
  ])('for a field that is not known: %j', async (given, input, message) => {
    const problems = await problemsOf(given)
    expect(Object.keys(problems)).toEqual([input])
    expect(problems[input]).toMatch(message)
  })

  it('with every problem at once, in the order of the document', async () => {
    const given = `
sidecars:
  - name: A_B
    image: x
    env:
      - name: 1a
memroy_mb: 1
cpu: 0
volume_mounts:
  - name: nowhere
`
    expect(Object.keys(await problemsOf(given))).toEqual([
      'resource-spec.sidecars[0].name',
      'resource-spec.sidecars[0].env[0].name',
      'resource-spec.memroy_mb',
      'resource-spec.cpu',
      'resource-spec.volume_mounts[0].name',
      'resource-spec.volume_mounts[0].mountPath',
    ])
  })

  it.each([
    ['a value that is no text', 'sidecars: [{ name: a, image: b, env: [{ name: A, value: [hunter2] }] }]'],
    ['a value that is a number', 'sidecars: [{ name: a, image: b, env: [{ name: A, value: 5550123 }] }]'],
    ['YAML that breaks off', 'sidecars:\n  - env:\n    - value: "hunter2\n'],
    ['YAML with a tab', 'sidecars:\n\t- hunter2: 1'],
    ['a mapping for a list', 'sidecars: { env: { value: hunter2 } }'],
    ['a variable as a text', withEnv('env: [TOKEN=hunter2]')],
    ['all variables as one text', withEnv('env: TOKEN=hunter2')],
    ['a value that is a name, too', withEnv('env: [{ name: TOKEN=hunter2 }]')],
    ['a value that is a key', withEnv('env: [{ TOKEN=hunter2 }, { TOKEN:hunter2 }]')],
    ['a value that comes from nowhere', withEnv('env: [{ name: A, valueFrom: hunter2 }]')],
    ['a source that is a text', withEnv('envFrom: [hunter2]')],
  ])('without showing the value of a variable: %s', async (_case, given) => {
    const problems = await problemsOf(given)
    expect(Object.keys(problems).length).toBeGreaterThan(0)
    expect(JSON.stringify(problems)).not.toMatch(/hunter2|5550123/)
  })

  it.each([
    ['a text', 'env: [TOKEN=hunter2]', 'env[0]', 'must be a mapping, not a string'],
    ['a number', 'env: [{ name: A, value: 5550123 }]', 'env[0].value', 'must be a string, not a number'],
    ['true', 'env: [{ name: A, value: true }]', 'env[0].value', 'must be a string, not a boolean'],
    ['a mapping', 'env: { TOKEN: hunter2 }', 'env', 'must be a list, not a mapping'],
    ['a text as a source', 'envFrom: [hunter2]', 'envFrom[0]', 'must be a mapping, not a string'],
  ])('with the place and the kind of what is wrong about a variable: %s', async (_case, given, place, says) => {
    expect(await problemsOf(withEnv(given))).toEqual({ [`resource-spec.sidecars[0].${place}`]: says })
  })

  it.each<[string, string, RegExp]>([
    ['an empty mapping', '{}', /sets no field/],
    ['nothing but nulls', 'cpu: null', /sets no field/],
    ['an empty document', '---\n# nothing\n', /sets no field/],
    ['a list', '- cpu: 1', /must be a mapping/],
    ['a text over lines', 'cpu\nmemory', /must be a mapping/],
    ['a file that is not there', 'ops/none.yaml', /there is no such file/],
    ['a word', 'large', /neither a mapping in YAML or JSON nor a file/],
    ['two documents', 'cpu: 1\n---\ncpu: 2', /multiple docs in line 2/],
    ['a key twice', 'cpu: 1\ncpu: 2', /duplicate key in line 2/],
    ['a tag of its own', 'cpu: !!js/function 1', /tag resolve failed/],
    ['an alias to nothing', 'cpu: *nowhere', /is not valid YAML|has no anchor/],
    ['not a number', 'cpu: .nan', /must be a finite number, not NaN/],
    ['no end', 'cpu: .inf', /must be a finite number, not Infinity/],
    ['too large for a number', 'min_scale: 1e400', /must be a finite number, not Infinity/],
  ])('when it is %s', async (_case, given, message) => {
    expect(Object.values(await problemsOf(given)).join()).toMatch(message)
  })

  it.each<[string, string, [input: string, line: number][]]>([
    ['an unknown field', 'cpu: 1\n\nmemroy_mb: 1', [['resource-spec.memroy_mb', 3]]],
    [
      'several mistakes in lists, in their order',
      'sidecars:\n  - name: a\n    image: b\n  - name: "-"\n    image: 7\ncpu: 0.01\n',
      [
        ['resource-spec.sidecars[1].name', 4],
        ['resource-spec.sidecars[1].image', 5],
        ['resource-spec.cpu', 6],
      ],
    ],
    ['a field that is missing', 'cpu: 1\nsidecars:\n  - name: a\n', [['resource-spec.sidecars[0].image', 3]]],
    ['an alias without an anchor', 'cpu: 1\nmemory_mb: &a 1\nmax_scale: *a\nmin_scale: *b\n', [['resource-spec', 4]]],
    ['aliases that are used too often', ALIASES, [['resource-spec', 1]]],
    ['an alias', 'volumes: &v\n  - nome: a\nvolume_mounts: *v\n', [['resource-spec.volumes[0].nome', 2]]],
    ['JSON', '{\n  "cpu": 1,\n  "memory_mb": "x"\n}', [['resource-spec.memory_mb', 3]]],
    ['no mapping', '# nothing\n\n- cpu', [['resource-spec', 3]]],
    ['nothing', '# nothing\n', [['resource-spec', 1]]],
    ['broken YAML', 'cpu: 1\nmemory_mb: [1\n', [['resource-spec', 3]]],
    ['a mapping as a key', 'cpu: 1\n? { a: 1 }\n: 2\n', [['resource-spec', 2]]],
  ])('with the line of its file, when it has %s', async (_case, text, expected) => {
    mkdirSync(path.join(workspace, 'ops'), { recursive: true })
    writeFileSync(path.join(workspace, 'ops/bad.yaml'), text)
    const reading = await readResourceSpec('ops/bad.yaml', workspace, HERE)
    const problems = reading.kind === 'refused' ? reading.problems : []
    for (const [input, line] of expected)
      expect(problems).toContainEqual(expect.objectContaining({ input, place: { file: 'ops/bad.yaml', line } }))
    const inWorkflow = await readResourceSpec(`${text}\n`, workspace, HERE)
    expect(inWorkflow.kind === 'refused' && inWorkflow.problems.filter(({ place }) => place !== undefined)).toEqual([])
  })

  it.each(['cache_cpu', 'redis_cpu'])('with its line under each of its names, like %s', async (name) => {
    writeFileSync(path.join(workspace, 'named.yaml'), `cpu: 1\n${name}: x\n`)
    const reading = await readResourceSpec('named.yaml', workspace, HERE, { cache_cpu: 'redis_cpu' })
    expect(reading).toMatchObject({ problems: [{ place: { file: 'named.yaml', line: 2 } }] })
  })

  it('with the line of a field that is set under both of its names', async () => {
    writeFileSync(path.join(workspace, 'twice.yaml'), 'cpu: 1\ncache_cpu: 1\nredis_cpu: 1\n')
    const reading = await readResourceSpec('twice.yaml', workspace, HERE, { cache_cpu: 'redis_cpu' })
    expect(reading).toMatchObject({ problems: [{ place: { file: 'twice.yaml', line: 3 } }] })
  })

  it('without a line, when its file is outside of the workspace', async () => {
    writeFileSync(path.join(workspace, 'bad.yaml'), 'cpu: x')
    mkdirSync(path.join(workspace, 'below'), { recursive: true })
    const reading = await readResourceSpec(path.join(workspace, 'bad.yaml'), path.join(workspace, 'below'), HERE)
    expect(reading).toMatchObject({ problems: [{ input: 'resource-spec.cpu', place: undefined }] })
  })

  it.each([
    ['a NUL byte', Buffer.from([1, 0, 2])],
    ['UTF-16 without a mark', Buffer.from('cpu: 1\n', 'utf16le')],
    ['UTF-16 with a mark', Buffer.from('\ufeffcpu: 1\n', 'utf16le')],
    ['Windows-1252', Buffer.from('labels:\r\n  team: Grün\r\n', 'latin1')],
  ])('when its file is %s', async (_case, bytes) => {
    writeFileSync(path.join(workspace, 'other.yaml'), bytes)
    const message = 'names the file other.yaml, which is not UTF-8 text: save it as UTF-8'
    expect((await problemsOf('other.yaml'))['resource-spec']).toBe(message)
  })

  it('when its file is too large or missing', async () => {
    writeFileSync(path.join(workspace, 'large.yaml'), `a: ${'x'.repeat(1_100_000)}`)
    expect((await problemsOf('large.yaml'))['resource-spec']).toContain('larger than 1 MB')
    expect((await problemsOf('.yaml'))['resource-spec']).toContain('no such file')
  })

  it.each([
    ['a pipe', 'pipe.yaml', 'names the file pipe.yaml, which cannot be read (it is not a regular file)'],
    ['a device', '/dev/zero', 'names the file /dev/zero, which cannot be read (it is not a regular file)'],
    ['a link out of the workspace', 'link.yaml', 'names the file link.yaml, which leads to "/etc/hostname", outside'],
    ['a path out of the workspace', `${'../'.repeat(20)}etc/hostname`, 'etc/hostname, which leads to'],
  ])('when its file is %s', async (_case, given, message) => {
    if (given === 'pipe.yaml') makePipes(path.join(workspace, given))
    if (given === 'link.yaml') symlinkSync('/etc/hostname', path.join(workspace, given))
    expect((await problemsOf(given))['resource-spec']).toContain(message)
  })

  it('quickly, when it is hostile', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefghij'.split('').map((name, n) => `${name}: &${name} [${`*${'abcdefghij'[n] ?? ''},`.repeat(9)}]`),
    ]
    const hostile = [
      bomb.join('\n'),
      `cpu: ${'['.repeat(20_000)}`,
      `cpu: ${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
      '{"__proto__": {"cpu": 1}}',
      '{"constructor": {"prototype": {"polluted": true}}}',
      'x'.repeat(1_000_000),
      `sidecars: [${'{},'.repeat(10_000)}]`,
    ]
    for (const given of hostile) expect(Object.keys(await problemsOf(given)).length).toBeGreaterThan(0)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

const usual = { noNullPrototype: true } as const
const cores = fc.integer({ min: 1, max: 80 }).map((tenths) => tenths / 10)
const memory = fc.integer({ min: 1, max: 100 }).map((times) => times * 128)
const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/)
const anySpec = fc
  .record(
    {
      cpu: cores,
      memory_mb: memory,
      cache_memory_mb: memory,
      labels: fc.dictionary(label, fc.string(), usual),
      sidecars: fc.uniqueArray(
        fc.record(
          {
            name: label,
            image: fc.constant('registry.example/a:1'),
            env: fc.array(fc.record({ name: fc.stringMatching(/^[A-Z_]{1,5}$/), value: fc.string() }, usual)),
            args: fc.array(fc.string()),
          },
          usual,
        ),
        { selector: ({ name }) => name, maxLength: 3 },
      ),
    },
    { requiredKeys: ['cpu'], ...usual },
  )
  .map((spec) => ({ ...spec, cpu_limit: spec.cpu * 2 }))

describe('any valid spec', () => {
  it('is read from JSON and from YAML as the same, and reads the same once more', async () => {
    await fc.assert(
      fc.asyncProperty(anySpec, async (spec) => {
        const { spec: once } = await readGood(JSON.stringify(spec))
        expect((await readGood(stringify(spec))).spec).toEqual(once)
        expect(await readGood(JSON.stringify(once))).toEqual({ kind: 'read', spec: once, notes: [], warnings: [] })
      }),
    )
  })
})

describe('the schema', () => {
  it('can be written as a JSON Schema', () => {
    const told = z.toJSONSchema(resourceSpecSchema, { io: 'input' })
    expect(told).toMatchObject({ type: 'object', additionalProperties: false })
  })

  it.each([
    ['ResourceSpec', resourceSpecSchema],
    ['LocalObjectReference', localObjectReferenceSchema],
    ['Volume', volumeSchema],
    ['VolumeMount', volumeMountSchema],
    ['Container', containerSchema],
    ['EnvVar', envVarSchema],
    ['ResourceRequirements', resourceRequirementsSchema],
  ] as const)("knows each field of the contract's %s, and no other", (name, { shape }) => {
    expect(Object.keys(shape).sort()).toEqual(Object.keys(CONTRACT_FIELDS[name]).sort())
  })
})

type Spec = Record<string, unknown>

/** The places in a spec that have a problem, or the warnings of a spec that is read. */
async function wrongIn(spec: Spec): Promise<string[]> {
  const reading = await readingOf(spec)
  if (reading.kind === 'read') return reading.warnings
  return reading.problems.map(({ input }) => input.replace(/^resource-spec\.?/, ''))
}

const fields = Object.entries(CONTRACT_FIELDS.ResourceSpec).map(([name, field]) => ({ name, ...field }))
const numbers = fields.filter(({ type }) => type === 'number' || type === 'integer')

describe('a field of the resource-spec', () => {
  it.each(fields.filter(({ minimum }) => minimum !== undefined))(
    '$name is at least $minimum',
    async ({ name, minimum = 0 }) => {
      expect(await wrongIn({ [name]: minimum })).toEqual([])
      expect(await wrongIn({ [name]: minimum - 0.01 })).toEqual([name])
    },
  )

  // A self-hosted cluster may have more: the ceiling is a warning only.
  it.each(fields.filter(({ maximum }) => maximum !== undefined))(
    '$name is warned of above $maximum',
    async ({ name, maximum = 0 }) => {
      expect((await readGood({ [name]: maximum })).warnings).toEqual([])
      const { warnings } = await readGood({ [name]: maximum + 1 })
      expect(warnings).toEqual([expect.stringMatching(new RegExp(`^resource-spec\\.${name} is ${maximum + 1}, above`))])
    },
  )

  it.each(numbers.filter(({ maximum }) => maximum === undefined))('$name has no ceiling', async ({ name }) => {
    expect(await wrongIn({ [name]: 128 * 1024 })).toEqual([])
  })

  it.each(numbers.filter(({ type }) => type === 'integer'))('$name is a whole number', async ({ name }) => {
    expect(await wrongIn({ [name]: 128 })).toEqual([])
    expect(await wrongIn({ [name]: 128.5 })).toContain(name)
  })

  it.each(fields.filter(({ multipleOf }) => multipleOf !== undefined))(
    '$name is a multiple of $multipleOf',
    async ({ name, multipleOf = 1 }) => {
      expect(await wrongIn({ [name]: 3 * multipleOf })).toEqual([])
      expect(await wrongIn({ [name]: 3 * multipleOf + 1 })).toEqual([name])
    },
  )

  it.each(numbers.filter(({ multipleOf }) => multipleOf === undefined))(
    '$name is any number otherwise',
    async ({ name }) => {
      expect(await wrongIn({ [name]: 7 })).toEqual([])
    },
  )

  it.each(fields.filter(({ name, default: standard }) => name.includes('limit') && standard !== undefined))(
    '$name is not below $default.of',
    async ({ name, default: standard }) => {
      const request = standard?.of ?? ''
      expect(await problemsOf({ [request]: 256, [name]: 256 })).toEqual({})
      expect(await wrongIn({ [request]: 256, [name]: 128 })).toEqual([name])
    },
  )

  // A field of another type is refused: an object is the wrong type of all but the maps.
  it.each(fields)('$name is a $type', async ({ name, type }) => {
    const wrong = type === 'string map' ? ['text'] : { nested: true }
    expect(await wrongIn({ [name]: wrong })).toEqual([name])
  })
})

const { LocalObjectReference, Volume, VolumeMount, Container, EnvVar, ResourceRequirements } = CONTRACT_FIELDS
const proxy = { name: 'proxy', image: 'proxy:1' }

interface ContractObject {
  object: string
  fields: Record<string, ContractField>
  /** A spec that holds the object. */
  within: (given: Spec) => Spec
  /** The object with its required fields only. */
  least: Spec
}

const OBJECTS: readonly ContractObject[] = [
  {
    object: 'LocalObjectReference',
    fields: LocalObjectReference,
    within: (given) => ({ image_pull_secrets: [given] }),
    least: { name: 'registry' },
  },
  { object: 'Volume', fields: Volume, within: (given) => ({ volumes: [given] }), least: { name: 'cache' } },
  {
    object: 'VolumeMount',
    fields: VolumeMount,
    within: (given) => ({ volumes: [{ name: 'cache' }], volume_mounts: [given] }),
    least: { name: 'cache', mountPath: '/cache' },
  },
  { object: 'Container', fields: Container, within: (given) => ({ sidecars: [given] }), least: proxy },
  {
    object: 'EnvVar',
    fields: EnvVar,
    within: (given) => ({ sidecars: [{ ...proxy, env: [given] }] }),
    least: { name: 'LEVEL' },
  },
  {
    object: 'ResourceRequirements',
    fields: ResourceRequirements,
    within: (given) => ({ sidecars: [{ ...proxy, resources: given }] }),
    least: {},
  },
]

const objectFields = OBJECTS.flatMap(({ fields: all, ...object }) =>
  Object.entries(all).map(([name, field]) => ({ ...object, name, ...field })),
)

/** The choices of all fields, and one that no field takes. */
const ANY_CHOICE = ['Sometimes', ...objectFields.flatMap(({ oneOf }) => oneOf ?? [])]

/** The last step of each problem's place. */
const fieldsOf = (problems: readonly string[]): string[] => problems.map((place) => place.replace(/^.*\./, ''))

describe('an object of the resource-spec', () => {
  it.each(objectFields.filter(({ required }) => required === true))(
    '$object requires $name',
    async ({ within, least, name }) => {
      expect(await wrongIn(within(least))).toEqual([])
      expect(fieldsOf(await wrongIn(within({ ...least, [name]: undefined })))).toEqual([name])
    },
  )

  it.each(objectFields.filter(({ required }) => required !== true))(
    '$object does not require $name, which may be null',
    async ({ within, least, name }) => {
      expect(await wrongIn(within({ ...least, [name]: null }))).toEqual([])
    },
  )

  it.each(objectFields.filter(({ oneOf }) => oneOf !== undefined))(
    '$object takes for $name one of $oneOf',
    async ({ within, least, name, oneOf = [] }) => {
      for (const value of oneOf) expect(await wrongIn(within({ ...least, [name]: value }))).toEqual([])
      for (const value of ANY_CHOICE.filter((one) => !oneOf.includes(one))) {
        expect(fieldsOf(await wrongIn(within({ ...least, [name]: value })))).toEqual([name])
      }
    },
  )

  it.each(objectFields)('$object takes for $name a $type', async ({ within, least, name, type }) => {
    const wrong = type.startsWith('list') ? { x: 'y' } : ['x']
    expect(fieldsOf(await wrongIn(within({ ...least, [name]: wrong })))).toContain(name)
  })

  it.each(OBJECTS)('$object has no other field', async ({ within, least }) => {
    expect(fieldsOf(await wrongIn(within({ ...least, unheard_of: 'x' })))).toEqual(['unheard_of'])
  })
})

describe('a secret in a resource-spec', () => {
  const TOKEN = 'ghp_a1B2c3D4e5F6g7H8'
  const REFUSED =
    'contains what looks like a secret, and a plan shows it: remove it, or set it in env of a container, whose values are not shown'

  it('is refused where a plan shows it', async () => {
    const spec = {
      labels: { team: TOKEN, other: 'sk-telecom-agents-prod' },
      annotations: { 'x/y': 'postgres://me:hunter2@db.example' },
      sidecars: [{ name: 'a', image: 'a:1', args: ['x', `--token=${TOKEN}`] }],
    }
    expect(await problemsOf(spec)).toEqual({
      'resource-spec.labels.team': REFUSED,
      'resource-spec.annotations["x/y"]': REFUSED,
      'resource-spec.sidecars[0].args[1]': REFUSED,
    })
  })

  it('is refused in a name of a list of labels, which is not repeated', async () => {
    const spec = { labels: { [TOKEN]: 'x' }, annotations: { 'sk-telecom-agents-prod': 'x' } }
    expect(await problemsOf(spec)).toEqual({ 'resource-spec.labels[…]': REFUSED })
  })

  it('may be in env, whose values are not shown', async () => {
    const env = [{ name: 'TOKEN', value: TOKEN }]
    expect(await problemsOf({ sidecars: [{ name: 'a', image: 'a:1', env }] })).toEqual({})
  })

  it('is in no message about another mistake', async () => {
    const spec = {
      service_account_name: TOKEN,
      labels: { [TOKEN]: 1 },
      volumes: [{ name: TOKEN }, { name: TOKEN }],
      volume_mounts: [{ name: `${TOKEN}x`, mountPath: '/x' }],
      sidecars: [{ name: 'a', image: 'a:1', imagePullPolicy: TOKEN }],
    }
    const reading = await readingOf(spec)
    expect(reading.kind === 'refused' && reading.problems.length).toBeGreaterThan(8)
    expect(JSON.stringify(reading)).not.toContain('a1B2c3')
  })
})
