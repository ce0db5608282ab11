import type { Mutant } from '../../scripts/mutants/mutant.ts'

export const REAL: readonly Mutant[] = [
  {
    file: 'real/network.ts',
    guard: 'A write has a connection of its own.',
    text: "return isKept && headers['connection'] !== 'close' ? this.#kept : this.#single",
    becomes: 'return this.#kept',
  },
  {
    file: 'real/network.ts',
    guard: 'A read is sent again at once when a kept connection was closed idle.',
    text: 'if (isRead(method)) return await this.send(request)',
    becomes: '',
  },
  {
    file: 'real/network.ts',
    guard: 'A server that closes a connection under a DELETE gets each DELETE on its own.',
    text: 'this.#deletedAlone.add(url.origin)',
    becomes: '',
  },
  {
    file: 'real/network.ts',
    guard: 'An older Node would pass a proxy by.',
    text: 'if (proxy !== undefined && !knowsProxies(version)) throw new NoWayError(tooOld(version))',
    becomes: '',
    test: 'real/proxies.test.ts',
  },
  {
    file: 'real/network.ts',
    guard: 'Node passes by a proxy with a scheme that it does not know.',
    text: "proxy?.replace(/^(?!https?:)[^:]*:/, 'http:')",
    becomes: 'proxy',
    test: 'real/proxies.test.ts',
  },
  {
    file: 'real/network.ts',
    guard: 'The early connection goes past a proxy.',
    text: 'proxy === undefined && early !== undefined',
    becomes: 'early !== undefined',
    test: 'real/proxies.test.ts',
  },
  {
    file: 'real/network.ts',
    guard: "A proxy's words of refusal are not repeated.",
    text: 'throw refusalOfProxy(error) ?? thrown',
    becomes: 'throw thrown',
    test: 'real/proxies.test.ts',
  },
  {
    file: 'real/early.ts',
    guard: 'The early connection is for its own host and port.',
    text: '|| !isSame) return',
    becomes: ') return',
  },
  {
    file: 'real/early.ts',
    guard: 'What arrives before the first request is not its answer.',
    text: 'return writable && readableLength === 0',
    becomes: 'return writable',
  },
  {
    file: 'real/world.ts',
    guard: 'Records are for this user only.',
    text: 'pieces, { mode: 0o600 })',
    becomes: 'pieces)',
  },
  {
    file: 'real/world.ts',
    guard: 'A line creates no file.',
    text: 'if (!existsSync(file)) throw new Error(`Missing file at path: ${file}`)',
    becomes: '',
  },
]
