/** Manifests of 5 MB, each of another kind of text. What they deploy is a single deployment, or nothing sound. */

const MAX = 5 * 1024 * 1024 - 1_000
const HEAD = 'version: 1\n'
const TAIL = `
deployments:
  - { name: agent-0, source: git_host, repo-ref: next, app-config-path: agent.json, secrets: { KEY: "\${KEY}" } }
`

/** As many lines as there is room for. */
function lines(line: (index: number) => string, room = MAX): string {
  const all: string[] = []
  for (let size = 0; ; size += all.at(-1)?.length ?? 0) {
    const next = `${line(all.length)}\n`
    if (size + next.length > room) return all.join('')
    all.push(next)
  }
}

const repeat = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('')

/** A deployment with its own value of each of ten inputs. */
function entryOf(n: number): string {
  const inputs = [
    'source: git_host',
    'repo-ref: next',
    'app-config-path: agent.json',
    'timeout: 20m',
    'rollback: never',
  ]
  const others = ['verify-url: https://agent.example/ok', 'verify-timeout: 1m', 'logs: never', 'if-missing: create']
  return `- name: agent-${n}\n${[...inputs, ...others].map((one) => `  ${one}\n`).join('')}`
}

const variables = (body: string): string =>
  `${HEAD}defaults:\n  variables:\n${body}deployments:\n  - { name: agent-0, source: git_host, repo-ref: next, app-config-path: agent.json }\n`

export const MANIFESTS: Readonly<Record<string, string>> = {
  'comment lines': HEAD + lines((n) => `# a line of a comment, number ${n}`) + TAIL,
  'short comment lines': HEAD + lines(() => '#') + TAIL,
  'empty lines': HEAD + lines(() => '') + TAIL,
  'one long value': variables(`    LONG: ${'x'.repeat(MAX - 200)}\n`),
  'one long quoted value': variables(`    LONG: "${'x\\n'.repeat(MAX / 3 - 200)}"\n`),
  'one long block of lines': variables(`    LONG: |\n${lines(() => '      x', MAX - 300)}`),
  'many short keys': variables(lines((n) => `    K${n}: v`, MAX - 300)),
  'many long keys': variables(lines((n) => `    K${n}${'X'.repeat(100)}: ${'v'.repeat(100)}`, MAX - 300)),
  'nested flow': `${HEAD}defaults: { resource-spec: { a: [${'[],'.repeat(MAX / 3 - 100)}1] } }${TAIL}`,
  'deep anchors': `${HEAD}defaults:\n  variables: &v0\n    A: b\nwaves: [${Array.from({ length: 300_000 }, () => '*v0').join(',')}]${TAIL}`,
  'many anchors': `${HEAD}defaults:\n  resource-spec:\n${lines((n) => `    k${n}: &a${n} v`, MAX - 300)}${TAIL}`,
  'many aliases': `${HEAD}defaults:\n  resource-spec:\n    first: &a v\n${lines((n) => `    k${n}: *a`, MAX - 300)}${TAIL}`,
  'nested deep': `${HEAD}defaults: { resource-spec: ${'{a: '.repeat(1_200_000)} ${'}'.repeat(1_200_000)}}${TAIL}`,
  'many secrets': `${HEAD}defaults:\n  secrets:\n${lines((n) => `    K${n}: "\${KEY}"`, MAX - 300)}${TAIL}`,
  'entries of a name': `${HEAD}deployments:\n${lines((n) => `- name: a${n}`, MAX - 300)}`,
  'entries of flow': `${HEAD}deployments: [${lines((n) => `{name: a${n}},`, MAX - 300)}]\n`,
  'keys up to the limit': variables(repeat(99_000, (n) => `    K${n}: v\n`)),
  'anchors up to the limit': `${HEAD}defaults:\n  resource-spec:\n${repeat(70_000, (n) => `    k${n}: &a${n} v\n`)}${TAIL}`,
  'aliases up to the limit': `${HEAD}defaults:\n  resource-spec:\n    first: &a v\n${repeat(90_000, (n) => `    k${n}: *a\n`)}${TAIL}`,
  'lists up to the limit': `${HEAD}defaults: { resource-spec: { a: [${'[],'.repeat(99_000)}1] } }${TAIL}`,
  'waves up to the limit': `${HEAD}defaults:\n  variables: &v\n    A: b\nwaves: [${'*v,'.repeat(140_000)}*v]${TAIL}`,
  'entries up to the limit': `${HEAD}deployments:\n${repeat(30_000, (n) => `- name: a${n}\n  source: git_host\n`)}`,
  'entries of 10 keys': `${HEAD}deployments:\n${repeat(9_000, entryOf)}`,
  'only problems': `${HEAD}deployments:\n${lines(() => `- x`, MAX - 300)}`,
}
