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

/**
 * Mutants as a list writes them: what each changes (`text → becomes`, and nothing after the arrow for a text that goes),
 * by the guard, by the file. After the file may stand the file of tests: `async.ts, by run.test.ts`.
 */
export function mutantsOf(files: Readonly<Record<string, Readonly<Record<string, string>>>>): Mutant[] {
  return Object.entries(files).flatMap(([heading, changes]) => {
    const [file = '', test] = heading.split(', by ')
    return Object.entries(changes).map(([guard, change]) => {
      const arrow = change.indexOf(' →')
      return { file, guard, text: change.slice(0, arrow), becomes: change.slice(arrow + 3), ...(test && { test }) }
    })
  })
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
