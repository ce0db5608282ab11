import { UnreachableError } from '../../control-plane/errors.ts'
import type { Archive } from '../../sources/archive/archive.ts'
import type { Run } from '../dependencies.ts'
import type { PackedSource } from '../plan/plan.ts'
import type { RolloutRequest } from '../rollout-request.ts'

/** A directory that is packed when it is first needed, and only once. The caller disposes of it. */
export interface Packing {
  /** `onChecked`: called when the files are found fit to be packed, if this call begins to pack them. */
  archive: (onChecked?: () => void) => Promise<Archive>
  dispose: () => Promise<void>
}

export class DirectoryPacking implements Packing {
  readonly #request: RolloutRequest
  readonly #deps: Run
  #archive: Promise<Archive> | undefined

  constructor(request: RolloutRequest, deps: Run) {
    this.#request = request
    this.#deps = deps
  }

  async archive(onChecked = ignore): Promise<Archive> {
    return await (this.#archive ??= this.#pack(onChecked))
  }

  async dispose(): Promise<void> {
    const packed = await this.#archive?.catch(() => undefined)
    if (packed !== undefined) await this.#deps.clock.during(packed.remove())
  }

  async #pack(onChecked: () => void): Promise<Archive> {
    const { clock, signal, deadline, workspace, tempDir, files } = this.#deps
    const { sourcePath = '.', settings } = this.#request
    const { appConfigPath } = settings
    const checkEnd = (): void => {
      signal.throwIfAborted()
      if (clock.now() >= deadline) throw packedTooLong(sourcePath)
    }
    const { packSource } = await this.#deps.later()
    return await clock.during(packSource({ sourcePath, appConfigPath, workspace, tempDir, files, checkEnd, onChecked }))
  }
}

export class SourceUpload {
  readonly #deps: Run
  readonly #packing: Packing

  constructor(request: RolloutRequest, deps: Run, packing: Packing = new DirectoryPacking(request, deps)) {
    this.#deps = deps
    this.#packing = packing
  }

  /** `onChecked`: called before that, if this call packs. The warnings are about its size. */
  async pack(onChecked = ignore): Promise<{ source: PackedSource; warnings: string[] }> {
    const { files, bytes, sha256, warnings } = await this.#packing.archive(onChecked)
    return { source: { files, bytes, sha256 }, warnings }
  }

  async send(deploymentId: string): Promise<string> {
    const { uploadSource } = await this.#deps.later()
    return await uploadSource(deploymentId, await this.#packing.archive(), {
      ...this.#deps,
      onRetry: (notice) => this.#deps.emit({ kind: 'request-retried', ...notice }),
    })
  }

  async dispose(): Promise<void> {
    await this.#packing.dispose()
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
