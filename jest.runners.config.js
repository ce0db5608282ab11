import all from './jest.config.js'

/** Runs of the bundle that Windows cannot do, and what they need. */
export const NOT_ON_WINDOWS = {
  'signals.test.ts': 'SIGINT to another process, which ends it at once there',
  'special-files.test.ts': 'mkfifo, /dev/zero and links, which need a permission there',
}
const files = Object.keys(NOT_ON_WINDOWS).map((name) => name.replaceAll('.', String.raw`\.`))

/** The runs of the bundle, as the jobs of other systems run them. @type {import('jest').Config} */
export default {
  ...all,
  roots: ['<rootDir>/__tests__/bundle-runs'],
  testPathIgnorePatterns: process.platform === 'win32' ? files.map((name) => `bundle-runs[/\\\\]${name}$`) : [],
}
