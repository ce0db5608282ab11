/** A plausible mistake in a guard of `src`, which a unit test must notice. */
export interface Mutant {
  /** Inside `src/`. */
  file: string
  /** What the guard is for. */
  guard: string
  /** Occurs once in the file. */
  text: string
  becomes: string
  /** Inside `__tests__/`: the file of tests in which a test must fail. Default: the one named like the file. */
  test?: string
}

/** The file of tests in which a test must fail, inside `__tests__/`. */
export function testOf({ file, test = file.replace(/\.ts$/, '.test.ts') }: Mutant): string {
  return test
}

export function occurrences(source: string, text: string): number {
  return source.split(text).length - 1
}

/** Makes the mistake in the source of the file. */
export function mutate(source: string, { text, becomes }: Pick<Mutant, 'text' | 'becomes'>): string {
  return source.split(text).join(becomes)
}
