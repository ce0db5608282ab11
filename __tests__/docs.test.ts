import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { z } from 'zod'
import { readAction } from '../scripts/docs/action-tables.ts'
import { GENERATED } from '../scripts/docs/generated.ts'
import { cell } from '../scripts/docs/markdown-table.ts'
import type { PlanDocument } from '../src/report/plan.ts'
import type { Outcome } from '../src/report/record.ts'

const ROOT = new URL('..', import.meta.url)
const SCHEMA = 'docs/schemas/resource-spec.schema.json'
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8')

describe('npm run docs', () => {
  it.each(GENERATED)('would not change $file', ({ file, generate }) => {
    expect(generate(() => read(file))).toBe(read(file))
  })
})

describe('the JSON Schema of a resource spec', () => {
  const validate = new Ajv2020().compile(z.record(z.string(), z.unknown()).parse(JSON.parse(read(SCHEMA))))

  it('accepts a spec that the action accepts', () => {
    const container = { name: 'proxy', image: 'proxy:1', env: [{ name: 'A', value: 'b' }], restartPolicy: 'Always' }
    expect(validate({ cpu: 0.5, memory_mb: 256, sidecars: [container], volumes: [{ name: 'v', emptyDir: {} }] })).toBe(
      true,
    )
  })

  it.each([
    [{ cpus: 1 }],
    [{ cpu: 0.05 }],
    [{ memory_mb: 100 }],
    [{ sidecars: [{ name: 'Not a label', image: 'x' }] }],
    [{ volumes: [{ name: 'v', nowhere: {} }] }],
  ])('rejects %j, as the action does', (spec) => {
    expect(validate(spec)).toBe(false)
  })

  it('describes each field', () => {
    const { properties } = z
      .object({ properties: z.record(z.string(), z.object({ description: z.string().min(5) })) })
      .parse(JSON.parse(read(SCHEMA)))
    expect(Object.keys(properties)).toHaveLength(34)
  })
})

describe('the README', () => {
  const readme = read('README.md')

  it.each([
    ['which Node and npm its commands need', /`npm ci && npm run demo` .*Node from 20 on with its npm/],
    [
      'before its first workflow, what to write in place of your-org and, before a release, of v1',
      /^(?:(?!```yaml)[^])*replace `your-org` by .*`v1`, until a release exists, by the full SHA of a commit/,
    ],
    ['what answers verify-url', /\*\*`verify-url`:\*\* the app must answer 200 at `\/ok`.*Otherwise use another path/],
    ['where plain values go', /\*\*`variables`\*\* \(lines `NAME=value`\) takes values that are no secret/],
    [
      'how long a step may take',
      /\*\*`timeout-minutes`\*\* must be more than `timeout` .*`verify-timeout`.*`verify-for`/,
    ],
  ])('says %s', (_what, sentence) => expect(readme).toMatch(sentence))

  it('names every variable and every secret that its workflows use, and those that it refers to', () => {
    const texts = [readme, read('examples/preview.yml'), read('examples/langsmith.yml')].join('\n')
    const used = [...texts.matchAll(/\$\{\{ (?:vars|secrets)\.(\w+) \}\}/g)].map(([, name]) => name)
    expect(used.length).toBeGreaterThan(0)
    for (const name of used) expect(readme).toMatch(new RegExp(`^ *\\| (variable|secret) +\\| \`${name}\` `, 'm'))
  })
})

describe('the results of a fleet, which may be too long for an environment variable', () => {
  it.each(['README.md', 'docs/outputs.md', 'docs/fleets.md', 'fleet/README.md'])('are read from a file: %s', (file) => {
    const lines = read(file).split('\n')
    expect(lines.filter((line) => /`results`.*record-path|record-path.*`results`/.test(line))).not.toEqual([])
  })

  it('are in no expression of an example', () => {
    for (const file of readdirSync(new URL('examples/', ROOT)).filter((name) => name.endsWith('.yml')))
      expect(read(`examples/${file}`)).not.toContain('.outputs.results')
  })
})

describe('the form of a bug', () => {
  it('offers every action of the repository', () => {
    const { body } = z
      .object({ body: z.array(z.object({ id: z.string().optional(), attributes: z.looseObject({}) })) })
      .parse(parse(read('.github/ISSUE_TEMPLATE/bug.yml')))
    const folders = readdirSync(ROOT).filter((name) => existsSync(new URL(`${name}/action.yml`, ROOT)))
    const options = z.array(z.string()).parse(body.find(({ id }) => id === 'action')?.attributes['options'])
    expect(options.sort()).toEqual(
      ['', ...folders.map((name) => `/${name}`)].map((name) => `deployment-rollout${name}`).sort(),
    )
  })
})

const nameColumn = (text: string): string[] => [...text.matchAll(/^\| `([a-z-]+)` /gm)].map(([, name = '']) => name)
const sectionOf = (file: string, heading: string): string =>
  new RegExp(`\n## ${heading}\n([\\s\\S]*?)(?:\n## |$)`).exec(read(file))?.[1] ?? ''

describe.each(['wait', 'rollback', 'teardown', 'request', 'fleet'])('the README of %s', (folder) => {
  const { inputs, outputs } = readAction(folder)

  const inputsSection = sectionOf(`${folder}/README.md`, 'Inputs')
  const outputsSection = sectionOf(`${folder}/README.md`, 'Outputs')
  /** The names in the sentence that refers to another page. A group is that of docs/inputs.md. */
  const referredTo = (section: string): string[] => {
    const sentence = /^As in .*$/m.exec(section)?.[0] ?? ''
    const groups = [...sentence.matchAll(/all of _([^_]+)_/g)].map(([, group = '']) => group)
    const page = read('docs/inputs.md')
    const inGroups = groups.flatMap((group) =>
      nameColumn(page.slice(page.indexOf(`| **${group}** |`)).split('\n| **')[0] ?? ''),
    )
    return [...inGroups, ...[...sentence.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name)]
  }

  it('lists exactly the inputs of the action, except for operation', () => {
    const names = inputs.map(({ name }) => name).filter((name) => name !== 'operation')
    expect([...nameColumn(inputsSection), ...referredTo(inputsSection)].sort()).toEqual(names.sort())
  })

  it('lists exactly the outputs of the action', () => {
    const names = outputs.map(({ name }) => name)
    expect([...nameColumn(outputsSection), ...referredTo(outputsSection)].sort()).toEqual(names.sort())
  })

  it('refers only to rows that hold for it, too', () => {
    const rowOf = (file: string, name: string): string =>
      new RegExp(`^\\| \`${name}\` .*$`, 'm').exec(read(file))?.[0] ?? ''
    const referred = referredTo(inputsSection)
    for (const { name, description, default: value = '' } of inputs.filter((one) => referred.includes(one.name))) {
      const shown = value === '' ? '' : ` (\`${value}\`)`
      expect(rowOf('docs/inputs.md', name)).toBe(`| \`${name}\`${shown} | ${cell(description)} |`)
    }
    for (const { name, description } of outputs.filter((one) => referredTo(outputsSection).includes(one.name)))
      expect(rowOf('docs/outputs.md', name)).toBe(`| \`${name}\` | ${cell(description)} |`)
  })
})

/** Inputs with another meaning in a sub-action than in a rollout. */
const OWN_MEANING: Readonly<Record<string, readonly string[]>> = {
  wait: ['operation', 'preview', 'dry-run'],
  rollback: ['operation', 'preview'],
  teardown: ['operation', 'name', 'preview', 'preview-label', 'dry-run', 'environment', 'repo-url', 'timeout'],
  request: ['operation', 'timeout'],
  fleet: ['operation', 'timeout', 'confirm', 'preview', 'comment', 'environment', 'dry-run', 'expect-plan'],
}

describe.each(['wait', 'rollback', 'teardown', 'request', 'fleet'])(
  'the inputs that %s shares with the rollout',
  (folder) => {
    it('have the same group, default and description as in action.yml, unless their meaning differs', () => {
      const root = new Map(readAction('').inputs.map((input) => [input.name, input]))
      const shared = readAction(folder).inputs.filter(({ name }) => root.has(name))
      const different = shared.filter((input) => {
        const { description, default: value, group } = input
        const other = root.get(input.name)
        return description !== other?.description || value !== other.default || group !== other.group
      })
      expect(shared.length).toBeGreaterThan(10)
      expect(different.map(({ name }) => name).sort()).toEqual([...(OWN_MEANING[folder] ?? [])].sort())
    })
  },
)

describe('the outcomes of the code', () => {
  /** Every kind of outcome; the compiler reports a missing one. */
  const kinds = Object.keys({
    deployed: true,
    failed: true,
    'timed-out': true,
    superseded: true,
    skipped: true,
    interrupted: true,
    cancelled: true,
    unverified: true,
    'rolled-back': true,
    started: true,
    planned: true,
    unchanged: true,
    'torn-down': true,
    'nothing-to-tear-down': true,
    answered: true,
  } satisfies Record<Outcome['kind'], true>).sort()
  const listedIn = (folder: string): string[] => {
    const { description = '' } = readAction(folder).outputs.find(({ name }) => name === 'outcome') ?? {}
    const list = description.replace(/^Result of the \w+: /, '').replace(/\.$/, '')
    return list.split(/, | or /).sort()
  }

  /** Outcomes that no rollout has, by the action that has them. */
  const ofOthers = { teardown: ['torn-down', 'nothing-to-tear-down'], request: ['answered'] }

  it('of a rollout are exactly those in the table of the README', () => {
    const others = Object.values(ofOthers).flat()
    const ofRollouts = kinds.filter((kind) => !others.includes(kind))
    expect(nameColumn(sectionOf('README.md', 'Outcomes')).sort()).toEqual(ofRollouts)
  })

  it.each(Object.entries(ofOthers))('of %s alone are explained on its page', (folder, outcomes) => {
    const [text = ''] = read(`${folder}/README.md`).split('\n## Inputs')
    for (const outcome of outcomes) expect(text).toContain(`\`${outcome}\``)
  })

  it('are exactly those of the output in action.yml', () => {
    expect(listedIn('')).toEqual(kinds)
  })

  it.each(['wait', 'rollback', 'teardown', 'request', 'fleet'])('include those of the output of %s', (folder) => {
    expect(kinds).toEqual(expect.arrayContaining(listedIn(folder)))
  })
})

describe('docs/plan.md', () => {
  /** Every kind of plan; the compiler reports a missing one. */
  const kinds = Object.keys({
    create: true,
    revise: true,
    resume: true,
    redeploy: true,
    unchanged: true,
    outdated: true,
  } satisfies Record<PlanDocument['kind'], true>)
  const row = /^\| `kind` +\|(.*)\|$/m.exec(read('docs/plan.md'))?.[1] ?? ''

  it('names exactly the kinds of plan', () => {
    expect([...row.matchAll(/`([a-z]+)`/g)].map(([, kind]) => kind).sort()).toEqual(kinds.sort())
  })
})

/** Messages of the control plane, of Node and of the runner. */
const MESSAGES_OF_OTHERS = [
  'requires workspace specification',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_',
  'Unexpected input(s)',
]

describe('the messages quoted in docs/troubleshooting.md', () => {
  const heads = [...read('docs/troubleshooting.md').matchAll(/^- (`.*?`): /gm)].map(([, head = '']) => head)
  const phrases = heads.flatMap((head) => [...head.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase))
  const code = ['src', 'demo'].map((folder) => sourcesIn(folder)).join('\n')

  it('are many', () => {
    expect(phrases.length).toBeGreaterThan(30)
  })

  it.each(phrases)('are messages of the code: %s', (phrase) => {
    const parts = phrase
      .replace(/^[a-z-]+: /, '')
      .split(/…|\b(?:build|\d{3}|BUILD_FAILED|DEPLOY_FAILED|ECONNREFUSED)\b/)
    for (const part of parts.map((one) => one.trim()).filter((one) => one.length > 3))
      expect(MESSAGES_OF_OTHERS.includes(part) || code.includes(part) ? part : `not in the code: ${part}`).toBe(part)
  })
})

function sourcesIn(folder: string): string {
  const url = new URL(`${folder}/`, ROOT)
  return readdirSync(url, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(new URL(name, url), 'utf8'))
    .join('\n')
}

const DOCUMENTS = ['', 'docs/', 'examples/', 'wait/', 'rollback/', 'teardown/', 'request/', 'fleet/'].flatMap(
  (folder) =>
    readdirSync(new URL(`./${folder}`, ROOT))
      .filter((name) => name.endsWith('.md'))
      .map((name) => folder + name),
)

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-'),
  )
}

describe.each(DOCUMENTS)('%s', (name) => {
  const text = read(name).replace(/^```[\s\S]*?^```$/gm, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(
    ([, link, attribute]) => link ?? attribute ?? '',
  )
  const within = links.filter((link) => !/^[a-z]+:/i.test(link))

  it('has no broken link within the repository', () => {
    const broken = within.filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? new URL(name, ROOT) : new URL(file, new URL(name, ROOT))
      if (!existsSync(target)) return true
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
    })
    expect(broken).toEqual([])
  })
})

/** The steps of this repository's actions within a value of YAML. */
function stepsIn(value: unknown): { uses: string; with: Record<string, unknown> }[] {
  if (Array.isArray(value)) return value.flatMap(stepsIn)
  if (typeof value !== 'object' || value === null) return []
  const step = z
    .object({ uses: z.string().regex(OUR_ACTION), with: z.record(z.string(), z.unknown()) })
    .safeParse(value)
  return step.success ? [step.data] : Object.values(value).flatMap(stepsIn)
}
const OUR_ACTION = /^your-org\/deployment-rollout(?:\/([a-z]+))?@v1$/

describe.each(DOCUMENTS)('the steps in %s', (name) => {
  const blocks = [...read(name).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) =>
    z.unknown().parse(parse(block)),
  )

  it('use inputs that their actions have, and those that these require', () => {
    for (const { uses, with: given } of blocks.flatMap(stepsIn)) {
      const { inputs } = readAction(OUR_ACTION.exec(uses)?.[1] ?? '')
      const names = inputs.map((input) => input.name)
      expect(Object.keys(given).filter((input) => !names.includes(input))).toEqual([])
      expect(inputs.filter((input) => input.required === true && !(input.name in given))).toEqual([])
    }
  })

  it('are whole, or inputs of a rollout', () => {
    const inputs = readAction('').inputs.map((input) => input.name)
    const keys = blocks.flatMap((block) =>
      typeof block === 'object' && block !== null && ('source' in block || 'preview' in block)
        ? Object.keys(block)
        : [],
    )
    expect(keys.filter((key) => !inputs.includes(key))).toEqual([])
  })
})

/** Every file that git tracks, and every folder of one with a slash: a clean checkout may not have built `dist/`. */
const TRACKED = new Set(
  execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .flatMap((file) => [file, ...[...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index + 1))]),
)

describe.each(['CONTRIBUTING.md', 'docs/architecture.md'])('the paths in %s', (name) => {
  // A path ends with a slash or a file ending: `repo-ref` is none.
  const paths = [...read(name).matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\/|\.(?:ts|md|json|yml)))`/g)]
  const named = [...new Set(paths.map(([, path = '']) => path))]

  it('are many', () => {
    expect(named.length).toBeGreaterThan(8)
  })

  it.each(named)('exist, in the repository or in src/: %s', (path) => {
    expect(['', 'src/'].some((folder) => TRACKED.has(folder + path))).toBe(true)
  })
})

describe('docs/architecture.md', () => {
  it('describes every folder of src/', () => {
    const folders = readdirSync(new URL('src/', ROOT), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${entry.name}/`)
    const rows = sectionOf('docs/architecture.md', 'Layout')
    expect(folders.filter((folder) => !rows.includes(`| \`${folder}\` |`))).toEqual([])
  })
})
