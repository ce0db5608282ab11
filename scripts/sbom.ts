import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { packageFolders } from './build/licenses.ts'
import { MAPPED, STATS } from './build/mapped.ts'

/**
 * `npm run sbom`: prints the packages whose code is in dist/ as CycloneDX. `npm run build` comes first.
 * `npm sbom --omit dev` alone lists packages that the bundle lacks, and omits those that a development dependency shares.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const manifest = z.object({ name: z.string(), version: z.string() })
const component = z.looseObject({ 'bom-ref': z.string(), scope: z.string().optional() })
const sbom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

function readManifest(folder: string): z.infer<typeof manifest> {
  return manifest.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')))
}

const stats = path.join(MAPPED, STATS)
if (!existsSync(stats)) {
  console.error('The packages of dist/ are known only after a build: run `npm run build` first.')
  process.exit(1)
}
const bundled = new Set(
  packageFolders(JSON.parse(readFileSync(stats, 'utf8'))).map((folder) => {
    const { name, version } = readManifest(folder)
    return `${name}@${version}`
  }),
)
// From the lockfile: the result names no registry.
const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
const whole = sbom.parse(JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })))
const components = whole.components.filter((one) => bundled.has(one['bom-ref']))
const missing = bundled.difference(new Set(components.map((one) => one['bom-ref'])))
if (missing.size > 0) throw new Error(`package-lock.json lacks packages of the bundle: ${[...missing].join(', ')}`)

const { component: root } = whole.metadata
const refs = new Set([root['bom-ref'], ...bundled])
const dependencies = whole.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
// npm names the folder.
const metadata = { ...whole.metadata, component: { ...root, name: readManifest(ROOT).name } }
console.log(JSON.stringify({ ...whole, metadata, components, dependencies }, null, 2))
