/** The parts that are loaded when they are needed. A module below takes their functions, and imports only the types. */
const loadRest = async () => await import('./parts/later.ts')
export const PARTS = {
  loadRest,
  github: async () => await import('./github/github.ts'),
  request: async () => await import('./parts/request.ts'),
  fleet: async () => await (await loadRest()).fleet(),
}
