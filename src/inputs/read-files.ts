import type { Clock } from '../clock.ts'
import type { Names } from '../control-plane/langsmith/names.ts'
import type { ResourceSpecReading } from '../sources/resource-spec/resource-spec.ts'
import { locate, type Place } from '../sources/workspace-path.ts'
import type { Files } from '../world.ts'

/** Reads what inputs name in the workspace. */
export interface ReadFiles {
  locate: (given: string, workspace: string) => Promise<Place>
  readResourceSpec: (given: string, workspace: string, names: Names) => Promise<ResourceSpecReading>
}

export function readFilesOf(world: { files: Files; clock: Clock }): ReadFiles {
  return {
    locate: async (given, workspace) => await locate(given, workspace, world.files),
    async readResourceSpec(given, workspace, names) {
      // Imported here because zod and yaml come with it.
      const { readResourceSpec } = await import('../sources/resource-spec/resource-spec.ts')
      return await readResourceSpec(given, workspace, world, names)
    },
  }
}
