import type { Mutant } from '../../scripts/mutants/mutant.ts'

export const REAL: readonly Mutant[] = [
  {
    file: 'real/network.ts',
    guard: 'A write has a connection of its own.',
    text: "return isKept && headers['connection'] !== 'close' ? this.#kept : this.#single",
    becomes: 'return this.#kept',
    test: 'real/network.test.ts',
  },
  {
    file: 'real/network.ts',
    guard: 'A read is sent again at once when a kept connection was closed idle.',
    text: 'if (isRead(method)) return await this.send(request)',
    becomes: '',
    test: 'real/network.test.ts',
  },
  {
    file: 'real/network.ts',
    guard: 'A server that closes a connection under a DELETE gets each DELETE on its own.',
    text: 'this.#deletedAlone.add(url.origin)',
    becomes: '',
    test: 'real/network.test.ts',
  },
  {
    file: 'real/early.ts',
    guard: 'The early connection is for its own host and port.',
    text: '|| !isSame) return',
    becomes: ') return',
    test: 'real/early.test.ts',
  },
  {
    file: 'real/early.ts',
    guard: 'What arrives before the first request is not its answer.',
    text: 'return writable && readableLength === 0',
    becomes: 'return writable',
    test: 'real/early.test.ts',
  },
  {
    file: 'real/files.ts',
    guard: 'Records are for this user only.',
    text: 'pieces, { mode: 0o600 })',
    becomes: 'pieces)',
    test: 'real/files.test.ts',
  },
  {
    file: 'real/files.ts',
    guard: 'A line creates no file.',
    text: 'if (!existsSync(file)) throw new Error(`Missing file at path: ${file}`)',
    becomes: '',
    test: 'real/files.test.ts',
  },
]
