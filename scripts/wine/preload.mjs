import { readFileSync, realpathSync } from 'node:fs'
import { globalNames } from './global-names.mjs'

/*
 * Loaded before the action where Node 22 for Windows runs it: Wine runs no Node 24. It adds the globals of Node 24 that
 * the bundle needs, and refuses every other one that this Node lacks, by its name, once the bundle reads it.
 * For paths of more than 260 characters it replaces realpathSync.native, but no other function that resolves links.
 * NAMES_OF_NODE_24 is a file with the names of `globalNames` on Node 24.
 */

/** Windows resolves longer ones too, and Wine 8 does not (GetFinalPathNameByHandle). */
const MAX_PATH = 260

/** By their names. They return what Node 24 returns, but `RegExp.escape` may escape a character in another form. */
const ADDED = {
  /** @param {unknown} value */
  'Error.isError': (value) => value instanceof Error || value instanceof DOMException,

  /** @param {(...args: unknown[]) => unknown} work @param {unknown[]} args */
  'Promise.try': async (work, ...args) => await work(...args),

  /** @param {string} text */
  'RegExp.escape': (text) =>
    text
      .replace(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`)
      .replace(/^[0-9A-Za-z]|[,\-=<>#&!%:;@~'"`\s]/g, (sign) => String.raw`\u${codeOf(sign)}`),
}

/** The bundle (the first) and Node's own modules look whether these exist, and do without. */
const OPTIONAL = new Set(['SuppressedError', 'Float16Array'])

/** @param {string} sign */
function codeOf(sign) {
  return sign.charCodeAt(0).toString(16).padStart(4, '0')
}

/**
 * Defines a global, such as `Promise.try`.
 * @param {string} name
 * @param {PropertyDescriptor} descriptor
 */
function define(name, descriptor) {
  const steps = name.split('.')
  const last = steps.pop() ?? ''
  /** @type {unknown} */
  let owner = globalThis
  for (const step of steps) owner = Reflect.get(Object(owner), step)
  Object.defineProperty(owner, last, { configurable: true, ...descriptor })
}

for (const [name, value] of Object.entries(ADDED)) define(name, { value, writable: true })

const present = globalNames()
/** @type {string[]} */
const names = JSON.parse(readFileSync(process.env['NAMES_OF_NODE_24'] ?? '', 'utf8'))
const lacking = new Set(names.filter((name) => !present.has(name)))
for (const name of lacking) {
  const isOfLacking = name.includes('.') && lacking.has(name.split('.')[0] ?? '')
  if (!isOfLacking && !OPTIONAL.has(name)) define(name, { get: () => refuse(name) })
}

/** @param {string} name */
function refuse(name) {
  throw new Error(`The bundle needs ${name}, which Node 22 lacks: add it to scripts/wine/preload.mjs`)
}

const { native } = realpathSync
realpathSync.native = /** @type {typeof native} */ (
  (/** @type {string} */ file) => (file.length > MAX_PATH ? realpathSync(file) : native(file))
)
