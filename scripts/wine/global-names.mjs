/** `process` differs between the platforms, and the others are this object itself. */
const SKIPPED = new Set(['process', 'globalThis', 'global'])

/** Returns the names of all globals, of their members and of those of their instances, such as `Promise.try`. */
export function globalNames() {
  const globals = Object.getOwnPropertyNames(globalThis).filter((name) => !SKIPPED.has(name))
  return new Set(
    globals.flatMap((name) => {
      /** @type {unknown} */
      const value = Object.getOwnPropertyDescriptor(globalThis, name)?.value
      return [name, ...membersOf(value).map((member) => `${name}.${member}`)]
    }),
  )
}

/** @param {unknown} value */
function membersOf(value) {
  if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) return []
  /** @type {unknown} */
  const prototype = Object.getOwnPropertyDescriptor(value, 'prototype')?.value
  const ofInstances = typeof prototype === 'object' && prototype !== null ? Object.getOwnPropertyNames(prototype) : []
  return [...Object.getOwnPropertyNames(value), ...ofInstances.map((member) => `prototype.${member}`)]
}
