import { readFileSync } from 'node:fs'

const { compilerOptions } = JSON.parse(readFileSync(new URL('tsconfig.json', import.meta.url), 'utf8'))
// Tests import the sources themselves: an import of x.ts stays one of x.ts. Types are checked by `npm run typecheck`.
const tsconfig = {
  ...compilerOptions,
  rewriteRelativeImportExtensions: false,
  allowImportingTsExtensions: true,
  noEmit: false,
}

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/__tests__'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true, diagnostics: false, tsconfig }] },
  testTimeout: 20_000,
  // Most of the time of the end-to-end tests is waiting.
  maxWorkers: 6,
}
