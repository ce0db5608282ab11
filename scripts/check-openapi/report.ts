import { z } from 'zod'

/** The JSON report of a schemathesis run, as far as it is shown. */
const report = z.object({
  schemathesis_version: z.string(),
  seed: z.number(),
  complete: z.boolean(),
  operations: z.object({ tested: z.number(), errored: z.number() }),
  test_cases: z.object({ generated: z.number(), with_failures: z.number(), errored: z.number() }),
  warnings: z.record(z.string(), z.array(z.unknown())),
})

/**
 * The figures of a run in one or two lines: schemathesis' own closing line counts warnings, not tests.
 * @throws for text that is not such a report
 */
export function describeReport(text: string): string {
  const { operations, test_cases: cases, warnings, ...run } = report.parse(JSON.parse(text))
  const figures = [
    `${cases.generated} generated requests to ${operations.tested} operations`,
    `${cases.with_failures} with an unexpected response`,
    `${cases.errored + operations.errored} not sent`,
  ]
  const end = run.complete ? '' : ', stopped before the end'
  const kinds = Object.entries(warnings).filter(([, affected]) => affected.length > 0)
  const warned = kinds.map(([kind, affected]) => `${kind} (${affected.length})`)
  return [
    `schemathesis ${run.schemathesis_version}, seed ${run.seed}: ${figures.join(', ')}${end}`,
    ...(warned.length > 0 ? [`schemathesis warns about operations: ${warned.join(', ')}`] : []),
  ].join('\n')
}
