import { syncBuiltinESMExports } from 'node:module'
import promised from 'node:timers/promises'

/**
 * Loaded before the built action: its clock runs faster, so that its waits are short and keep their proportions. The
 * action knows nothing of it. With `node --import`, `scaled-time.ts?by=10` is ten times faster from the start.
 */
const by = Number(new URL(import.meta.url).searchParams.get('by'))
if (!(by >= 1)) throw new Error('scaled-time.ts needs a factor, as in scaled-time.ts?by=10')

const now = performance.now.bind(performance)
performance.now = () => now() * by

globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply: (target, self, [callback, ms = 0, ...rest]: unknown[]): unknown =>
    Reflect.apply(target, self, [callback, Number(ms) / by, ...rest]),
})

const setTimeout = new Proxy(promised.setTimeout, {
  apply: (target, self, [ms = 0, ...rest]: unknown[]): unknown =>
    Reflect.apply(target, self, [Number(ms) / by, ...rest]),
})
Object.assign(promised, { setTimeout })
// Who imports it by its name gets this one, too.
syncBuiltinESMExports()
