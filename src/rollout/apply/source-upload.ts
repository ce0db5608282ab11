import { UnreachableError } from '../../control-plane/errors.ts'
import type { Checkout } from '../../app-config/checkout.ts'
import type { Archive, ConfigVerdict, PackedFiles } from '../../sources/archive/archive.ts'
import type { Run } from '../dependencies.ts'
import type { RolloutRequest } from '../rollout-request.ts'

/** A directory that is packed when it is first needed, and only once. */
export class SourceUpload {
  readonly #request: RolloutRequest
  readonly #deps: Run
  readonly #shared: Partial<Pick<SourceUpload, 'archive' | 'checkout'>>
  #archive: Promise<Archive> | undefined
  #checkout: Promise<Checkout | undefined> | undefined

  /** @param shared packs and reads in place of this one, and disposes of the archive */
  constructor(request: RolloutRequest, deps: Run, shared: Partial<Pick<SourceUpload, 'archive' | 'checkout'>> = {}) {
    this.#request = request
    this.#deps = deps
    this.#shared = shared
  }

  /** `onChecked`: called when the files are found fit to be packed, if this call begins to pack them. */
  async archive(onChecked = (): void => undefined): Promise<Archive> {
    return await (this.#shared.archive?.(onChecked) ?? (this.#archive ??= this.#packDirectory(onChecked)))
  }

  /** The repository whose checkout is the whole workspace; undefined if there is none. */
  async checkout(): Promise<Checkout | undefined> {
    return await (this.#shared.checkout?.() ?? (this.#checkout ??= this.#readCheckout()))
  }

  async #readCheckout(): Promise<Checkout | undefined> {
    const { clock, workspace, loadRest } = this.#deps
    const { readCheckout } = await loadRest()
    return await clock.during(readCheckout(workspace))
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
    const { api } = this.#deps.controlPlane
    const { sourcePath = '.', settings, secretsFiles, checkAppConfig } = this.#request
    const { appConfigPath } = settings
    const checkEnd = (): void => {
      signal.throwIfAborted()
      if (clock.now() >= deadline) throw packedTooLong(sourcePath)
    }
    const { packSource, checkUploaded } = await this.#deps.loadRest()
    const checkConfig = async (packed: PackedFiles): Promise<ConfigVerdict> =>
      await checkUploaded(packed, { api, workspace })
    const source = { sourcePath, appConfigPath, secretsFiles, workspace, tempDir, files, checkEnd, onChecked }
    return await clock.during(packSource({ ...source, checkConfig: checkAppConfig ? checkConfig : undefined }))
  }
}

const SMALLER_OR_LATER =
  'Exclude what the build does not need with .gitignore or .dockerignore, or set a longer timeout'

function packedTooLong(sourcePath: string): UnreachableError {
  // An outcome keeps only the text of an error: its remedy must be in it.
  const cameBack = `source-path was not packed in time. ${SMALLER_OR_LATER}`
  return new UnreachableError({ attempted: `pack source-path "${sourcePath}"`, cameBack, hint: '' })
}
