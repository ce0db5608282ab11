import { fileURLToPath } from 'node:url'

/** Where the build leaves the bundle with its source maps, which name the file that each part comes from. */
export const MAPPED = fileURLToPath(new URL('../../node_modules/.cache/mapped-bundle', import.meta.url))

/** The file there with the statistics of webpack. */
export const STATS = 'stats.json'

/** The code as it is in dist/: without its source map. */
export const withoutMap = (code: string): string =>
  code.replace(/^import ?['"]\.\/sourcemap-register\.cjs['"];/, '').replace(/\n\/\/# sourceMappingURL=.*$/, '')
