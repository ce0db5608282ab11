import type { Mutant } from '../../scripts/mutants/mutant.ts'

export const ROOT: readonly Mutant[] = [
  { file: 'async.ts', guard: 'No work begins after a failure.', text: 'if (hasFailed) return', becomes: '' },
  { file: 'async.ts', guard: 'A failure is asked for again.', text: 'answers.delete(key)', becomes: '' },
  {
    file: 'files.ts',
    guard: 'A file larger than the limit is refused.',
    text: 'size <= maxBytes; size',
    becomes: 'size <= 2 * maxBytes; size',
  },
  {
    file: 'files.ts',
    guard: 'A folder on the path may be replaced by a link.',
    text: 'if (realpathSync.native(real) !== real) throw',
    becomes: "if (real === '') throw",
  },
  {
    file: 'run-time.ts',
    guard: 'A fleet leaves time for its end.',
    text: 'deadlineMs: timeoutMs - lastMs',
    becomes: 'deadlineMs: timeoutMs',
  },
  {
    file: 'run.ts',
    guard: 'No text of a request is in a trace.',
    text: "=== '1' && askedOperation(inputsOf(world.env)) !== 'request'",
    becomes: "=== '1'",
    test: 'simulation/replay.test.ts',
  },
  {
    file: 'secrets/address.ts',
    guard: 'The last character of a beginning may begin another address.',
    text: 'sign < from ? from - 1 : sign + 1',
    becomes: 'sign < from ? from : sign + 1',
  },
  {
    file: 'secrets/address.ts',
    guard: 'An embedded address ends within its limit.',
    text: '(signs[passed] ?? Infinity) <= from + MAX_EMBEDDED',
    becomes: 'passed < signs.length',
  },
]
