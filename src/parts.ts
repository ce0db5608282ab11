/** What is loaded when it is needed. A module below takes what it needs of it as a function, and imports only its type. */
export const PARTS = {
  later: async () => await import('./parts/later.ts'),
  github: async () => await import('./github/github.ts'),
  request: async () => await import('./parts/request.ts'),
  fleet: async () => await (await import('./parts/later.ts')).fleet(),
}
