import { UnreachableError } from '../../control-plane/errors.ts'
import type { Archive } from '../../sources/archive/archive.ts'
import type { Run } from '../dependencies.ts'
import type { RolloutRequest } from '../rollout-request.ts'

/** A directory that is packed when it is first needed, and only once. */
export class SourceUpload {
  readonly #request: RolloutRequest
  readonly #deps: Run
  readonly #shared: SourceUpload['archive'] | undefined
  #archive: Promise<Archive> | undefined

  /** @param shared packs the directory in place of this one, and disposes of the archive */
  constructor(request: RolloutRequest, deps: Run, shared?: SourceUpload['archive']) {
    this.#request = request
    this.#deps = deps
    this.#shared = shared
  }

  /** `onChecked`: called when the files are found fit to be packed, if this call begins to pack them. */
  async archive(onChecked = (): void => undefined): Promise<Archive> {
    return await (this.#shared?.(onChecked) ?? (this.#archive ??= this.#packDirectory(onChecked)))
  }

  async send(deploymentId: string): Promise<string> {
    const { uploadSource } = await this.#deps.loadRest()
    return await uploadSource(deploymentId, await this.archive(), this.#deps)
  }

  async dispose(): Promise<void> {
    const packed = await this.#archive?.catch(() => undefined)
    if (packed !== undefined) await this.#deps.clock.during(packed.remove())
  }

  async #packDirectory(onChecked: () => void): Promise<Archive> {
    const { clock, signal, deadline, workspace, tempDir, files } = this.#deps
    const { sourcePath = '.', settings, secretsFiles } = this.#request
    const { appConfigPath } = settings
    const checkEnd = (): void => {
      signal.throwIfAborted()
      if (clock.now() >= deadline) throw packedTooLong(sourcePath)
    }
    const { packSource } = await this.#deps.loadRest()
    return await clock.during(
      packSource({ sourcePath, appConfigPath, secretsFiles, workspace, tempDir, files, checkEnd, onChecked }),
    )
  }
}

const SMALLER_OR_LATER =
  'Exclude what the build does not need with .gitignore or .dockerignore, or set a longer timeout'

function packedTooLong(sourcePath: string): UnreachableError {
  // An outcome keeps no more of an error than this.
  const cameBack = `source-path was not packed in time. ${SMALLER_OR_LATER}`
  return new UnreachableError({ attempted: `pack source-path "${sourcePath}"`, cameBack, hint: '' })
}
