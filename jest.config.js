import { COMPILED } from './__tests__/compiled.ts'

// Jest's workers take this over, and what the tests start with the variables of their own process.
Object.assign(process.env, COMPILED)
// The tests use loopback only. A test about proxies sets its own.
for (const name of Object.keys(process.env)) if (/^(https?|all|no)_proxy$/i.test(name)) delete process.env[name]

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/scripts/jest/environment.ts',
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  roots: ['<rootDir>/__tests__'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  // Node itself loads TypeScript (see runtime.ts).
  transform: {},
  runtime: '<rootDir>/scripts/jest/runtime.ts',
  reporters: ['default', '<rootDir>/scripts/jest/skipped-reporter.ts'],
  testSequencer: '<rootDir>/jest.order.config.js',
  // For a machine that is busy with other work: no test waits so long by itself.
  testTimeout: 900_000,
  // Each loads the action once. Only the runs of the bundle wait, for their processes.
  maxWorkers: 3,
  // Of one file, for tests that wait: `it.concurrent`.
  maxConcurrency: 3,
}
