import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const REAL = mutantsOf({
  'real/network.ts': {
    'A write has a connection of its own.':
      "return isKept && headers['connection'] !== 'close' ? this.#kept : this.#single → return this.#kept",
    'A read is sent again at once when a kept connection was closed idle.':
      'if (isRead(method)) return await this.send(request) →',
    'A server that closes a connection under a DELETE gets each DELETE on its own.':
      'this.#deletedAlone.add(url.origin) →',
    'An older Node would pass a proxy by.':
      'if (proxy !== undefined && !knowsProxies(version)) throw new NoWayError(tooOld(version)) →',
    'A proxy that is not reached is named.': '?? deadProxy(error, url) ?? thrown → ?? thrown',
    'A message has no login of a proxy.': '${protocol}//${host} of → ${proxy.address.href} of',
    "A proxy's words of refusal are not repeated.":
      'throw refusalOfProxy(error) ?? deadProxy(error, url) ?? → throw deadProxy(error, url) ??',
  },
  'real/world.ts': {
    'A time that has passed is no negative one.': 'timers.setTimeout(Math.max(0, ms), → timers.setTimeout(ms,',
    'A timer for a time that has passed is no negative one.': 'setTimeout(act, Math.max(0, ms)) → setTimeout(act, ms)',
    'Records are for this user only.': 'pieces, { mode: 0o600 }) → pieces)',
    'A line creates no file.': 'if (!existsSync(file)) throw new Error(`Missing file at path: ${file}`) →',
  },
})
