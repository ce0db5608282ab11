/** Options of a command that carries out the rows of a table, for \`parseArgs\`. */
export const ROW_OPTIONS = {
  only: { type: 'string', default: '' },
  required: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** Carries out a row. Returns how long it took, and what was wrong: undefined if nothing was. */
export async function tryRow(carryOut: () => Promise<void>): Promise<{ seconds: number; wrong: string | undefined }> {
  const startedAt = performance.now()
  let wrong: string | undefined
  try {
    await carryOut()
  } catch (thrown) {
    wrong = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  }
  return { seconds: secondsSince(startedAt), wrong }
}

export function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000
}
