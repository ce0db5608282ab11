import type { Archive } from '../../sources/archive/archive.ts'
import type { Dependencies } from '../dependencies.ts'
import type { PackedSource } from '../plan/types.ts'
import type { RolloutRequest } from '../rollout-request.ts'

/** The source of an internal_source deployment. */
export type SourceUpload = ReturnType<typeof openSourceUpload>

/** The modules that pack and upload are loaded when they are needed: most rollouts upload nothing. */
export function openSourceUpload(
  { sourcePath = '.', settings: { appConfigPath } }: RolloutRequest,
  deps: Dependencies,
) {
  let archive: Archive | undefined
  return {
    /** Packs the directory, once. `onChecked`: called before that. The warnings are about its size. */
    pack: async (onChecked = ignore): Promise<{ source: PackedSource; warnings: string[] }> => {
      if (archive === undefined) {
        const { packSource } = await import('../../sources/archive/archive.ts')
        const { workspace, tempDir, signal } = deps
        archive = await packSource({ sourcePath, appConfigPath, workspace, tempDir, signal, onChecked })
      }
      const { files, bytes, sha256, warnings } = archive
      return { source: { files, bytes, sha256 }, warnings }
    },
    /** Uploads the archive and returns its path in the control plane. */
    send: async (deploymentId: string): Promise<string> => {
      if (archive === undefined) throw new Error('a source is packed before it is sent')
      const { uploadSource } = await import('../../control-plane/upload.ts')
      return await uploadSource(deploymentId, archive, {
        ...deps,
        stallTimeoutMs: deps.requestTimeoutMs,
        onRetry: (notice) => deps.emit({ kind: 'request-retried', ...notice }),
      })
    },
    /** Removes the archive. */
    dispose: async (): Promise<void> => await archive?.remove(),
  }
}

const ignore = (): void => undefined
