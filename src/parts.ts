/** What is loaded when it is needed. A module below takes what it needs of it as a function, and imports only its type. */
const later = async () => await import('./parts/later.ts')
export const PARTS = {
  later,
  github: async () => await import('./github/github.ts'),
  request: async () => await import('./parts/request.ts'),
  fleet: async () => await (await later()).fleet(),
}
