import { openPacking, openSourceUpload, type Packing, type SourceUpload } from '../../rollout/apply/source-upload.ts'
import type { Dependencies } from '../../rollout/dependencies.ts'
import type { RolloutRequest } from '../../rollout/rollout-request.ts'

/** The sources of a fleet: deployments of the same directory share its archive. */
export interface Sources {
  /** The fleet disposes of it, not the rollout. */
  of: (request: RolloutRequest, deps: Dependencies) => SourceUpload
  dispose: () => Promise<void>
}

/** Packs one directory after another. */
export function openSources(): Sources {
  const packings = new Map<string, Packing>()
  let last: Promise<unknown> = Promise.resolve()
  const open = (request: RolloutRequest, deps: Dependencies): Packing => {
    const packing = openPacking(request, deps)
    let archive: ReturnType<Packing['archive']> | undefined
    const inTurn = (): ReturnType<Packing['archive']> => {
      const packed = last.then(async () => await packing.archive())
      last = packed.catch(() => undefined)
      return packed
    }
    return { ...packing, archive: async () => await (archive ??= inTurn()) }
  }
  return {
    of(request, deps) {
      const key = JSON.stringify([request.sourcePath, request.settings.appConfigPath])
      const packing = packings.get(key) ?? open(request, deps)
      packings.set(key, packing)
      return openSourceUpload(request, deps, { ...packing, dispose: () => Promise.resolve() })
    },
    dispose: async () => {
      await Promise.all([...packings.values()].map(async (packing) => await packing.dispose()))
    },
  }
}
