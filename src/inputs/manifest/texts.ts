import nodePath, { type PlatformPath } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import type { ManifestTexts } from '../../fleet/fleet-request.ts'
import { pathInside } from '../../sources/disk-path.ts'
import type { Finding } from '../../sources/findings.ts'
import type { InputReader } from '../reader.ts'
import { parseManifest } from './document.ts'

/** The inputs of an entry that may name a file. */
const NAMING_FILES = ['app-config-path', 'resource-spec', 'secrets-file'] as const

/** The paths below the workspace, with slashes. An app's configuration may also be below what is uploaded. */
export function filesNamedBy(
  read: Pick<InputReader, 'raw'>,
  workspace: string,
  path: PlatformPath = nodePath,
): string[] {
  const named = NAMING_FILES.map((input) => read.raw(input).trim()).filter(
    (text) => text !== '' && !text.includes('\n'),
  )
  const below = read.raw('source-path').trim()
  const all = below === '' ? named : [...named, ...named.map((file) => `${below}/${file}`)]
  const inWorkspace = (file: string): string | undefined => pathInside(workspace, path.resolve(workspace, file), path)
  return [...new Set(all.flatMap((file) => inWorkspace(file) ?? []))]
}

/** Whether the finding is about a path, by which the files of an entry are known. */
export function namesFile({ path: [, , input, ...below] }: Finding): boolean {
  return below.length === 0 && [...NAMING_FILES, 'source-path'].some((name) => name === input)
}

/** The manifest as it is written; undefined if it has no list of deployments with names. */
export function textsIn(manifest: unknown): ManifestTexts | undefined {
  const texts = z.object({ defaults: z.unknown(), deployments: z.array(NAMED) }).safeParse(manifest).data
  if (texts === undefined) return undefined
  return { defaults: texts.defaults, entries: new Map(texts.deployments.map((entry) => [entry.name.trim(), entry])) }
}

const NAMED = z.looseObject({ name: z.string() })

/** Reads the text of another version of the manifest; undefined if it cannot be read. */
export async function readTexts(text: string, file: string, clock: Clock): Promise<ManifestTexts | undefined> {
  const document = await parseManifest(text, file, clock)
  return Array.isArray(document) ? undefined : textsIn(document.value)
}
