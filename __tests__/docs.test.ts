import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { readAction } from '../scripts/docs/action-tables.ts'
import { GENERATED } from '../scripts/docs/generated.ts'
import type { PlanDocument } from '../src/report/plan-document.ts'

const ROOT = new URL('..', import.meta.url)
const SCHEMA = 'docs/schemas/resource-spec.schema.json'
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8')

describe('what is generated (npm run docs)', () => {
  it.each(GENERATED)('is in $file as it would be generated now', ({ file, generate }) => {
    expect(generate(() => read(file))).toBe(read(file))
  })
})

describe('the JSON Schema of a resource spec', () => {
  const validate = new Ajv2020().compile(z.record(z.string(), z.unknown()).parse(JSON.parse(read(SCHEMA))))

  it('takes what the action takes', () => {
    const container = {
      name: 'proxy',
      image: 'proxy:1',
      env: [{ name: 'A', value: 'b' }],
      restartPolicy: 'Always',
    }
    expect(
      validate({ cpu: 0.5, memory_mb: 256, sidecars: [container], volumes: [{ name: 'v', emptyDir: {} }] }),
    ).toBe(true)
  })

  it.each([
    [{ cpus: 1 }],
    [{ cpu: 0.05 }],
    [{ memory_mb: 100 }],
    [{ sidecars: [{ name: 'Not a label', image: 'x' }] }],
    [{ volumes: [{ name: 'v', nowhere: {} }] }],
  ])('refuses %j, as the action does', (spec) => {
    expect(validate(spec)).toBe(false)
  })

  it('says what each field means', () => {
    const { properties } = z
      .object({ properties: z.record(z.string(), z.object({ description: z.string().min(5) })) })
      .parse(JSON.parse(read(SCHEMA)))
    expect(Object.keys(properties)).toHaveLength(34)
  })
})

describe.each(['wait', 'teardown', 'request'])("the README's reference of %s", (folder) => {
  const section = new RegExp(`\n## ${folder}\n([\\s\\S]*?)\n## `).exec(read('README.md'))?.[1] ?? ''
  const sentence = /^It takes the inputs .*$/m.exec(section)?.[0] ?? ''
  const groups = [...sentence.matchAll(/\*\*(.+?)\*\*/g)].map(([, group = '']) => group)
  const all = readAction('').inputs.filter(({ group }) => groups.includes(group))
  const taken = readAction(folder).inputs.map(({ name }) => name)

  it('has every input that it takes, in its table or in a group that is named', () => {
    const shared = all.map(({ name }) => name)
    const missing = taken.filter(
      (name) => name !== 'operation' && !shared.includes(name) && !section.includes(`\n| \`${name}\` `),
    )
    expect(missing).toEqual([])
  })

  it('says which inputs of those groups it does not take', () => {
    const refused = all.map(({ name }) => name).filter((name) => !taken.includes(name))
    expect(groups).toContain('Control plane')
    expect([...sentence.matchAll(/`(.+?)`/g)].map(([, name]) => name)).toEqual(refused)
  })
})

describe("the README's table of outcomes", () => {
  const section = /## Outcomes and exit\n([\s\S]*?)\n## /.exec(read('README.md'))?.[1] ?? ''
  const outcomes = [...section.matchAll(/^\| `([a-z-]+)`/gm)].map(([, outcome = '']) => outcome)

  it('names those that the output names, and no other', () => {
    const { description = '' } = readAction('').outputs.find(({ name }) => name === 'outcome') ?? {}
    const list = description.replace(/^What became of the run, /, '').replace(/\.$/, '')
    expect(list.split(/, | or /).sort()).toEqual(outcomes.sort())
  })
})

describe('docs/plan.md', () => {
  /** Each kind there is: the compiler sees to it that none is missing here. */
  const kinds = Object.keys({
    create: true,
    revise: true,
    resume: true,
    unchanged: true,
  } satisfies Record<PlanDocument['kind'], true>)
  const row = /^\| `kind` +\|(.*)\|$/m.exec(read('docs/plan.md'))?.[1] ?? ''

  it('names every kind of plan, and no other', () => {
    expect([...row.matchAll(/`([a-z]+)`/g)].map(([, kind]) => kind).sort()).toEqual(kinds.sort())
  })
})

/** What others than this action say: the control plane, Node, the runner. */
const WORDS_OF_OTHERS = [
  'requires workspace specification',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_',
  'Unexpected input(s)',
]

describe("the README's table of errors", () => {
  const section = /## Troubleshooting\n([\s\S]*?)\n## /.exec(read('README.md'))?.[1] ?? ''
  const cells = section
    .split('\n')
    .flatMap((line) => (line.startsWith('| `') ? [line.split(' | ')[0] ?? ''] : []))
  const phrases = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase))
  const code = ['src', 'demo'].map((folder) => sourcesIn(folder)).join('\n')

  it('names many', () => {
    expect(phrases.length).toBeGreaterThan(20)
  })

  it.each(phrases)('names words that are really said: %s', (phrase) => {
    const parts = phrase
      .replace(/^[a-z-]+: /, '')
      .split(/…|\b(?:build|\d{3}|BUILD_FAILED|DEPLOY_FAILED|ECONNREFUSED)\b/)
    for (const part of parts.map((one) => one.trim()).filter((one) => one.length > 3))
      expect(WORDS_OF_OTHERS.includes(part) || code.includes(part) ? part : `nobody says: ${part}`).toBe(part)
  })
})

function sourcesIn(folder: string): string {
  const url = new URL(`${folder}/`, ROOT)
  return readdirSync(url, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(new URL(name, url), 'utf8'))
    .join('\n')
}

const PAGES = ['', 'docs/'].flatMap((folder) =>
  readdirSync(new URL(`./${folder}`, ROOT))
    .filter((name) => name.endsWith('.md'))
    .map((name) => folder + name),
)

/** As GitHub names the headings of a page. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-'),
  )
}

describe.each(PAGES)('%s', (name) => {
  const text = read(name).replace(/^```[\s\S]*?^```$/gm, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(
    ([, link, attribute]) => link ?? attribute ?? '',
  )
  const within = links.filter((link) => !/^[a-z]+:/i.test(link))

  it('leads nowhere within the repository that is not there', () => {
    const broken = within.filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? new URL(name, ROOT) : new URL(file, new URL(name, ROOT))
      if (!existsSync(target)) return true
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
    })
    expect(broken).toEqual([])
  })
})
