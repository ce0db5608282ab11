import type * as Globals from '@jest/globals'

declare global {
  /** Of the file of tests that is being loaded. */
  var globalsOfTests: Omit<typeof Globals, 'jest'> & { jest: object }
}

/** What the module `@jest/globals` exports to a file of tests, see runtime.ts. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis.globalsOfTests
