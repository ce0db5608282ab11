import { COMPILED } from './__tests__/compiled.ts'

// Jest's workers take this over, and what the tests start with the variables of their own process.
Object.assign(process.env, COMPILED)

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/__tests__'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/scripts/strip-types.ts' },
  testSequencer: '<rootDir>/jest.order.config.js',
  testTimeout: 20_000,
  // Most of the time of the end-to-end tests is waiting.
  maxWorkers: 6,
  // Of one file, for tests that wait: `it.concurrent`.
  maxConcurrency: 3,
}
