import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { ModernFakeTimers } from '@jest/fake-timers'
import type OwnTemporaryFolder from './environment.ts'

const requireModule = createRequire(import.meta.url)
const TESTS = new URL('../../__tests__/', import.meta.url).href
const GLOBALS = new URL('globals.ts', import.meta.url).href
/** Jest keeps the handlers of its events here. */
const HANDLERS = Symbol.for('EVENT_HANDLERS')
const OF_FILE = '?tests='

// What a file of tests imports from `__tests__` is loaded for it alone, and so is what that imports from there.
registerHooks({
  resolve(specifier, context, next) {
    const [, name] = context.parentURL?.split(OF_FILE) ?? []
    if (name === undefined) return next(specifier, context)
    if (specifier === '@jest/globals') return { url: GLOBALS + OF_FILE + name, shortCircuit: true }
    const found = next(specifier, context)
    return found.url.startsWith(TESTS) ? { ...found, url: found.url + OF_FILE + name } : found
  },
})

type StackTraceConfig = ConstructorParameters<typeof ModernFakeTimers>[0]['config']

/** How often each file of tests was loaded: more than once while Jest watches the files. */
const loads = new Map<string, number>()

/** Of Jest's parts, compiled once. */
const scripts = new Map<string, Script>()

function scriptOf(file: string): Script {
  const known = scripts.get(file)
  if (known !== undefined) return known
  const script = new Script(`(module, require) => {${readFileSync(file, 'utf8')}\n}`, { filename: file })
  scripts.set(file, script)
  return script
}

/**
 * Loads files of tests with Node itself. Jest's own runtime loads the action's modules again for each file, which takes
 * longer than most tests: for the tests of `rollout/` and `report/` in one process, 33 s of processor time, and this one
 * 16 s. Here all files of a worker share these modules, and have their own modules of `__tests__`. If an update of Jest
 * breaks this file, leave `runtime` away in `jest.config.js`, and transform as `scripts/mutants/` does, which needs none.
 */
export default class NativeRuntime {
  readonly #environment: OwnTemporaryFolder
  readonly #timers: ModernFakeTimers

  constructor(config: StackTraceConfig, environment: OwnTemporaryFolder) {
    this.#environment = environment
    this.#timers = new ModernFakeTimers({ config, global: globalThis })
  }

  /** Loads Jest's part that runs tests, without what it has kept of the file before. */
  requireInternalModule(file: string): unknown {
    Reflect.deleteProperty(globalThis, HANDLERS)
    const module = { exports: {} }
    const load: unknown = scriptOf(file).runInThisContext()
    if (typeof load === 'function') Reflect.apply(load, undefined, [module, createRequire(file)])
    return module.exports
  }

  requireModule(file: string): unknown {
    return requireModule(file)
  }

  /** `jest` is what the tests need of it. */
  setGlobalsForRuntime(globals: Omit<typeof globalsOfTests, 'jest'>): void {
    const mocker = this.#environment.moduleMocker
    const timers = this.#timers
    const jest = {
      fn: mocker?.fn.bind(mocker),
      spyOn: mocker?.spyOn.bind(mocker),
      restoreAllMocks: mocker?.restoreAllMocks.bind(mocker),
      advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
      useFakeTimers: timers.useFakeTimers.bind(timers),
      useRealTimers: timers.useRealTimers.bind(timers),
    }
    globalThis.globalsOfTests = { ...globals, jest }
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true
  }

  async unstable_importModule(file: string): Promise<void> {
    const { href } = pathToFileURL(file)
    const count = (loads.get(href) ?? 0) + 1
    loads.set(href, count)
    // The same in every run, as Node keeps compiled code by it.
    const name = href.slice(TESTS.length, -'.test.ts'.length)
    await import(`${href}${OF_FILE}${name}${count > 1 ? `:${count}` : ''}`)
  }

  getSourceMaps(): null {
    return null
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined
  }

  enterTestCode(): void {}

  leaveTestCode(): void {}

  teardown(): void {
    this.#environment.moduleMocker?.restoreAllMocks()
    this.#timers.dispose()
  }
}
