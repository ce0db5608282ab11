import everything from './jest.config.js'

/** The tests that need no build: `npm run test:unit`. @type {import('jest').Config} */
export default {
  ...everything,
  testPathIgnorePatterns: [
    '/node_modules/',
    '/__tests__/e2e/',
    '/__tests__/bundle-runs/',
    '/__tests__/faults/crash-matrix\\.',
    '/__tests__/demo/demo\\.',
  ],
}
