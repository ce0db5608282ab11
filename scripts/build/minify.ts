import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { minify } from 'terser'

/**
 * Every module of a file runs as soon as the file is loaded. Node compiles a function in parentheses at once, and reads
 * any other twice: first to find its end. terser keeps the parentheses where something is called on the function.
 */
const compiledAtOnce = (code: string): string => code.replace(/^\/\*{3}\/ \}\)/gm, '$&.valueOf()')

/** Minifies a file of the bundle in its place, and its source map with it. */
export async function minifyMapped(file: string): Promise<void> {
  const name = path.basename(file)
  const sourceMap = { content: readFileSync(`${file}.map`, 'utf8'), filename: name, url: `${name}.map` }
  const { code, map } = await minify(compiledAtOnce(readFileSync(file, 'utf8')), {
    module: true,
    // webpack leaves functions in that nothing imports. All of `compress` would double the time of a build.
    compress: { defaults: false, unused: true },
    // licenses.txt holds the licences.
    format: { comments: false },
    sourceMap,
  })
  if (code === undefined || typeof map !== 'string') throw new Error(`${name} cannot be minified`)
  writeFileSync(file, code)
  writeFileSync(`${file}.map`, map)
}
