import { UnreachableError } from '../../control-plane/errors.ts'
import type { Archive } from '../../sources/archive/archive.ts'
import type { Run } from '../dependencies.ts'
import type { PackedSource } from '../plan/plan.ts'
import type { RolloutRequest } from '../rollout-request.ts'

export type SourceUpload = ReturnType<typeof openSourceUpload>

/** A directory that is packed when it is first needed, and only once. The caller disposes of it. */
export type Packing = ReturnType<typeof openPacking>

export function openPacking(
  { sourcePath = '.', settings: { appConfigPath } }: Pick<RolloutRequest, 'sourcePath' | 'settings'>,
  {
    workspace,
    tempDir,
    files,
    clock,
    signal,
    deadline,
    later,
  }: Pick<Run, 'workspace' | 'tempDir' | 'files' | 'clock' | 'signal' | 'deadline' | 'later'>,
) {
  let archive: Promise<Archive> | undefined
  const checkEnd = (): void => {
    signal.throwIfAborted()
    if (clock.now() >= deadline) throw packedTooLong(sourcePath)
  }
  const pack = async (onChecked: () => void): Promise<Archive> => {
    const { packSource } = await later()
    return await clock.during(packSource({ sourcePath, appConfigPath, workspace, tempDir, files, checkEnd, onChecked }))
  }
  return {
    /** `onChecked`: called when the files are found fit to be packed, if this call begins to pack them. */
    archive: async (onChecked = ignore): Promise<Archive> => await (archive ??= pack(onChecked)),
    /** Removes the archive. */
    dispose: async (): Promise<void> => {
      const packed = await archive?.catch(() => undefined)
      if (packed !== undefined) await clock.during(packed.remove())
    },
  }
}

export function openSourceUpload(request: RolloutRequest, deps: Run, packing = openPacking(request, deps)) {
  return {
    /** Packs the directory, once. `onChecked`: called before that. The warnings are about its size. */
    pack: async (onChecked = ignore): Promise<{ source: PackedSource; warnings: string[] }> => {
      const { files, bytes, sha256, warnings } = await packing.archive(onChecked)
      return { source: { files, bytes, sha256 }, warnings }
    },
    /** Uploads the archive and returns its path in the control plane. */
    send: async (deploymentId: string): Promise<string> => {
      const { uploadSource } = await deps.later()
      return await uploadSource(deploymentId, await packing.archive(), {
        ...deps,
        stallTimeoutMs: deps.requestTimeoutMs,
        onRetry: (notice) => deps.emit({ kind: 'request-retried', ...notice }),
      })
    },
    dispose: packing.dispose,
  }
}

const SMALLER_OR_LATER =
  'Exclude what the build does not need with .gitignore or .dockerignore, or set a longer timeout'

function packedTooLong(sourcePath: string): UnreachableError {
  // An outcome keeps no more of an error than this.
  const cameBack = `source-path was not packed in time. ${SMALLER_OR_LATER}`
  return new UnreachableError({ attempted: `pack source-path "${sourcePath}"`, cameBack, hint: '' })
}

const ignore = (): void => undefined
