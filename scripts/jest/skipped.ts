/** Says at the end of a run which tests were skipped, and why: the title around them has the reason. */
export default class SkippedTests {
  readonly #isSelection: boolean

  constructor({ testNamePattern }: { testNamePattern?: string | undefined }) {
    this.#isSelection = testNamePattern !== undefined && testNamePattern !== ''
  }

  onRunComplete(_contexts: unknown, { testResults }: { testResults: readonly OfFile[] }): void {
    // A run of some tests, by their names, skips the others.
    const lines = this.#isSelection ? [] : skippedLines(testResults)
    // Jest prints its counts after all reporters.
    process.once('exit', () => {
      for (const line of lines) console.error(line)
    })
  }
}

interface OfFile {
  testFilePath: string
  testResults: readonly { status: string; ancestorTitles: readonly string[] }[]
}

/** As in `Skipped 5 tests: in a real browser: there is no Chromium on this machine`. */
export function skippedLines(files: readonly OfFile[]): string[] {
  const titles = files.flatMap(({ testResults }) =>
    testResults.filter(({ status }) => status === 'pending').map(({ ancestorTitles: [title = 'a test'] }) => title),
  )
  return [...Map.groupBy(titles, (title) => title)].map(
    ([title, { length }]) => `Skipped ${length} ${length === 1 ? 'test' : 'tests'}: ${title}`,
  )
}
