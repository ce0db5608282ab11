import type { Finding } from './finding.ts'
import type { AppConfig } from './schema.ts'

/** The oldest releases that the service builds for. */
const OLDEST = { python: [3, 11], node: 20 } as const

export function checkVersions(
  { python_version: python, node_version: node }: AppConfig,
  { isPython }: { isPython: boolean },
): Finding[] {
  return [
    ...checkVersion('python_version', python, pythonProblem),
    ...(node !== null && !isSet(node) && !isPython ? [NO_NODE] : []),
    ...checkVersion('node_version', node, nodeProblem),
  ]
}

const NO_NODE: Finding = {
  level: 'warning',
  at: ['node_version'],
  message: 'is empty, by which the build takes the app for one of Python: set a major number, as in "22"',
}

const EMPTY = ['null', '""', '0', 'false', '[]', '{}']

/** Whether the client, a program in Python, takes a version for set. */
export function isSet(version: unknown): boolean {
  return !EMPTY.includes(JSON.stringify(version))
}

function checkVersion(key: string, version: unknown, problemOf: (text: string) => string | undefined): Finding[] {
  if (!isSet(version)) return []
  const value = typeof version === 'string' ? version : JSON.stringify(version)
  const message = typeof version === 'string' ? problemOf(version) : `must be a text, as in ${JSON.stringify(value)}`
  return message === undefined
    ? []
    : [{ level: 'warning', at: [key], value, message: `${message}: the build refuses it` }]
}

/** `3.12`, or with a distribution: `3.12-bookworm`. */
function pythonProblem(text: string): string | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)(?:-[^.]*)?$/.exec(text) ?? []
  if (major === undefined || minor === undefined) return 'must be a major and a minor number, as in "3.12"'
  const [oldestMajor, oldestMinor] = OLDEST.python
  if (text.includes('bullseye')) return 'names Debian bullseye, which is no longer built: use bookworm'
  const isOld = Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor)
  return isOld ? `is older than ${OLDEST.python.join('.')}` : undefined
}

function nodeProblem(text: string): string | undefined {
  if (!/^\d+$/.test(text)) return 'must be a major number, as in "22"'
  return Number(text) < OLDEST.node ? `is older than ${OLDEST.node}` : undefined
}
