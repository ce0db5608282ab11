import { scriptOfName, scriptWithoutSource, type RolloutScript } from './lifecycle.ts'
import type { StoredDeployment } from './records.ts'
import type { Source, SourceRevisionConfig } from './schemas.ts'
import type { Uploads } from './uploads.ts'

/** How a revision ends that no script is set for. */
export function usualScript(
  uploads: Uploads,
  { id, name }: StoredDeployment,
  source: Source,
  config: SourceRevisionConfig,
): RolloutScript {
  if (source !== 'internal_source') return scriptOfName(name)
  const path = config.source_tarball_path
  if (!path) return scriptWithoutSource()
  if (uploads.find(id, path)?.received !== undefined) return scriptOfName(name)
  return { ends: 'BUILD_FAILED', statusMessage: `No source was uploaded to ${path}.` }
}
