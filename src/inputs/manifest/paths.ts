import type { Finding } from '../../sources/findings.ts'
import type { GivenEntry } from './schema.ts'

/** Lists patterns that match no file of any repository. */
export function checkPaths(deployments: readonly GivenEntry[]): Finding[] {
  return deployments.flatMap(({ paths = [] }, index) => {
    const path = ['deployments', index, 'paths']
    const found = paths.flatMap((pattern, place) => {
      const message = describePattern(pattern.trim().replace(/^!/, ''))
      return message === undefined ? [] : [{ path: [...path, place], message }]
    })
    const hasOnlyExceptions = paths.length > 0 && paths.every((pattern) => pattern.trim().startsWith('!'))
    return hasOnlyExceptions ? [...found, { path, message: ONLY_EXCEPTIONS }] : found
  })
}

const ONLY_EXCEPTIONS = 'must have a pattern that does not begin with !: the others only except files from it'

function describePattern(pattern: string): string | undefined {
  if (pattern === '') return 'must be a pattern, as in apps/search/**'
  if (pattern.includes('${')) return 'must not contain ${: no variable is replaced here'
  if (pattern.includes('\\')) return 'must not contain \\: folders are separated by /'
  return pattern.split('/').includes('..') ? 'must begin at the top of the repository, without ..' : undefined
}
