import type { Archive } from '../../sources/archive/archive.ts'
import type { Dependencies } from '../dependencies.ts'
import type { PackedSource } from '../plan/types.ts'
import type { RolloutRequest } from '../rollout-request.ts'

/** The source of an internal_source deployment. */
export interface SourceUpload {
  /** Packs the directory, once; the warnings are about its size. */
  pack: () => Promise<{ source: PackedSource; warnings: string[] }>
  /** Uploads the archive and returns its path in the control plane. */
  send: (deploymentId: string) => Promise<string>
  /** Removes the archive. */
  dispose: () => Promise<void>
}

/** The modules that pack and upload are loaded when they are needed: most rollouts upload nothing. */
export function openSourceUpload(
  { sourcePath = '.', settings: { appConfigPath } }: RolloutRequest,
  deps: Dependencies,
): SourceUpload {
  let archive: Archive | undefined
  return {
    async pack() {
      if (archive === undefined) {
        const { packSource } = await import('../../sources/archive/archive.ts')
        const { workspace, tempDir, signal } = deps
        archive = await packSource({ sourcePath, appConfigPath, workspace, tempDir, signal })
      }
      const { files, bytes, sha256, warnings } = archive
      return { source: { files, bytes, sha256 }, warnings }
    },
    async send(deploymentId) {
      if (archive === undefined) throw new Error('a source is packed before it is sent')
      const { uploadSource } = await import('../../control-plane/upload.ts')
      return await uploadSource(deploymentId, archive, {
        ...deps,
        stallTimeoutMs: deps.requestTimeoutMs,
        onRetry: (notice) => deps.emit({ kind: 'request-retried', ...notice }),
      })
    },
    async dispose() {
      await archive?.remove()
    },
  }
}
