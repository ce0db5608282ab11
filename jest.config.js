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
}
