import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** Gives the files of the bundle names that say what is inside: ncc numbers them. */

const statsSchema = z.object({
  chunks: z.array(
    z.object({
      id: z.union([z.number(), z.string()]),
      files: z.array(z.string()),
      /** The chunk was not split from others: it is what an `import()` names. */
      reason: z.string().optional(),
      origins: z.array(z.object({ request: z.string().optional() })),
      modules: z.array(z.object({ name: z.string(), modules: z.array(z.object({ name: z.string() })).optional() })),
    }),
  ),
})
type Chunk = z.infer<typeof statsSchema>['chunks'][number]

const ENTRY = 'index.js'

/** Renames the files in a folder, each with its source map, and what loads them in the first one. */
export function nameFiles(folder: string, stats: unknown): void {
  const chunks = statsSchema.parse(stats).chunks.filter(({ files }) => !files.includes(ENTRY))
  const names = new Map(chunks.map((chunk) => [String(chunk.id), nameOf(chunk)]))
  if (new Set(names.values()).size < names.size)
    throw new Error(`Two files have one name: ${[...names.values()].join()}`)
  for (const [id, name] of names) {
    renameSync(path.join(folder, `${id}.${ENTRY}`), path.join(folder, `${name}.js`))
    renameSync(path.join(folder, `${id}.${ENTRY}.map`), path.join(folder, `${name}.js.map`))
  }
  if (names.size === 0) return
  const entry = path.join(folder, ENTRY)
  const code = readFileSync(entry, 'utf8')
  const named = code.replace(
    /"" \+ (\w+) \+ "\.index\.js"/,
    `(${JSON.stringify(Object.fromEntries(names))})[$1] + ".js"`,
  )
  if (named === code) throw new Error(`${ENTRY} does not load the other files in the known way`)
  writeFileSync(entry, named)
}

/** Of the package if all is of one; else of the parts that use it. */
function nameOf({ reason, origins, modules }: Chunk): string {
  const parts = origins.flatMap(({ request }) => (request === undefined ? [] : path.parse(request).name))
  const users = [...new Set(parts)].toSorted().join('-')
  if (reason === undefined) return users
  const files = modules.flatMap(({ name, modules: parts = [] }) => [name, ...parts.map((part) => part.name)])
  const packages = new Set(files.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]))
  const [only] = packages
  if (packages.size === 1 && only !== undefined) return only.replace(/^.*\//, '')
  return packages.has(undefined) ? `shared-${users}` : `packages-${users}`
}
