import type { Mutant } from '../../scripts/mutants/mutant.ts'

export const SOURCES: readonly Mutant[] = [
  {
    file: 'sources/workspace-path.ts',
    guard: 'A path outside the workspace is refused.',
    text: "return relative.split(path.sep)[0] === '..' || path.isAbsolute(relative)",
    becomes: 'return path.isAbsolute(relative)',
  },
  {
    file: 'sources/workspace-path.ts',
    guard: 'The folder of Git can contain credentials.',
    text: "relative.split(path.sep).includes('.git') &&",
    becomes: "relative.split(path.sep)[0] === '.git' &&",
  },
  {
    file: 'sources/archive/walk.ts',
    guard: 'The folder of Git is not packed.',
    text: "if (name === '.git') continue",
    becomes: '',
    test: 'sources/archive.test.ts',
  },
  {
    file: 'sources/archive/walk.ts',
    guard: 'A link that leads outside is refused.',
    text: 'return isOutside(path.relative(realRoot, await realpath(full))) ? outside : undefined',
    becomes: 'return undefined',
    test: 'sources/archive.test.ts',
  },
  {
    file: 'sources/archive/ignore-rules.ts',
    guard: 'A file in an ignored directory may be an exception.',
    text: '(docker?.hasExceptions === false && docker.rules.ignores(at + name))',
    becomes: 'docker?.rules.ignores(at + name) === true',
    test: 'sources/archive.test.ts',
  },
  {
    file: 'sources/archive/pack.ts',
    guard: 'A file that changes while it is read is not packed.',
    text: 'if (after.size !== size || after.mtimeMs !== mtimeMs) throw',
    becomes: 'if (after.size < 0) throw',
    test: 'sources/archive.test.ts',
  },
  {
    file: 'sources/yaml-file.ts',
    guard: 'A key that is set twice is a mistake.',
    text: 'if (first === undefined) seen.set(name, at)',
    becomes: 'if (first !== at) seen.set(name, at)',
    test: 'sources/resource-spec.test.ts',
  },
  {
    file: 'sources/resource-spec/rules.ts',
    guard: 'A limit may equal its request.',
    text: 'if (effective(upper) >= effective(lower)) return []',
    becomes: 'if (effective(upper) > effective(lower)) return []',
    test: 'sources/resource-spec.test.ts',
  },
  {
    file: 'sources/findings.ts',
    guard: 'A key that may contain a secret is not shown.',
    text: "return mayHoldSecrets(path.slice(0, depth)) ? '[…]' :",
    becomes: "return mayHoldSecrets([]) ? '[…]' :",
    test: 'sources/resource-spec.test.ts',
  },
  {
    file: 'sources/resource-spec/fields.ts',
    guard: 'A value of the environment is not shown.',
    text: 'value === null || value === undefined ? value : NOT_SHOWN',
    becomes: 'value',
    test: 'sources/fields.test.ts',
  },
]
