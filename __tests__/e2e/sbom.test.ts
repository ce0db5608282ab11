import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { MAPPED } from '../../scripts/build/mapped.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const parts = z.array(z.object({ name: z.string(), version: z.string(), purl: z.string() }))
const sbom = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  metadata: z.object({ component: z.object({ name: z.string(), type: z.string() }) }),
  components: parts,
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

/** The packages that the source maps of the bundle name, as name@version. */
function packagesOfTheMaps(): string[] {
  const maps = readdirSync(MAPPED).filter((file) => file.endsWith('.js.map'))
  const sources = maps.flatMap((file) => {
    const map: unknown = JSON.parse(readFileSync(path.join(MAPPED, file), 'utf8'))
    return z.object({ sources: z.array(z.string()) }).parse(map).sources
  })
  const folders = new Set(sources.flatMap((source) => /node_modules\/.*/.exec(source)?.[0] ?? []).map(folderOf))
  return [...folders].map((folder) => {
    const manifest: unknown = JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'))
    const { name, version } = z.object({ name: z.string(), version: z.string() }).parse(manifest)
    return `${name}@${version}`
  })
}

const folderOf = (file: string): string => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file

describe('npm run sbom', () => {
  const text = execFileSync(process.execPath, ['scripts/sbom.ts'], { cwd: ROOT, encoding: 'utf8' })
  const { components, dependencies, metadata, specVersion } = sbom.parse(JSON.parse(text))
  const listed = components.map(({ name, version }) => `${name}@${version}`)

  it('lists exactly the packages whose code is in dist/', () => {
    expect(specVersion).toBe('1.5')
    expect(metadata.component).toMatchObject({ name: 'deployment-rollout', type: 'application' })
    expect(listed.toSorted()).toEqual(packagesOfTheMaps().toSorted())
    // A development dependency has them, too: `npm sbom --omit dev` omits them.
    expect(listed.map((one) => one.replace(/@[^@]*$/, ''))).toEqual(expect.arrayContaining(['yaml', 'ignore', 'zod']))
  })

  it('refers to nothing that it does not list, and names no registry', () => {
    const known = new Set([
      ...listed,
      ...dependencies.map(({ ref }) => ref).filter((ref) => ref.startsWith('deployment-rollout@')),
    ])
    expect(dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !known.has(ref))).toEqual(
      [],
    )
    expect(text.match(/https?:\/\/[^"/]+/g)).toEqual(['http://cyclonedx.org'])
  })
})
