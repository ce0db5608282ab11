import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** The modules of webpack's statistics: those that are merged into one are inside it. */
const modules = z.array(
  z.object({
    nameForCondition: z.string().nullish(),
    get modules() {
      return modules.optional()
    },
  }),
)

/** Returns the folder of each package that a module of the bundle comes from, sorted. */
export function packageFolders(stats: unknown): string[] {
  const folders = filesOf(z.object({ modules }).parse(stats).modules).map(packageFolder)
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort()
}

function filesOf(bundled: z.infer<typeof modules>): string[] {
  return bundled.flatMap(({ nameForCondition, modules: merged }) => [nameForCondition ?? '', ...filesOf(merged ?? [])])
}

/** The folder of the package that a file belongs to; undefined for a file of this repository. */
function packageFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0]
}

const manifest = z.object({ name: z.string(), license: z.string() })

/**
 * Returns the name, the kind and the text of the licence of each package.
 * @throws Error for a package without one
 */
export function licensesOf(folders: readonly string[]): string {
  // Two versions of a package mostly share one text.
  return [...new Set(folders.map(licenseOf))].join('\n\n')
}

function licenseOf(folder: string): string {
  const { name, license } = manifest.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')))
  const files = readdirSync(folder).filter((entry) => /^licen[cs]e(-\w+)?(\.(md|txt))?$/i.test(entry))
  if (files.length === 0) throw new Error(`The package ${name} has no file with its licence: ${folder}`)
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim())
  return `${name}\n${license}\n${texts.join('\n\n')}\n`
}
