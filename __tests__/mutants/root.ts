import type { Mutant } from '../../scripts/mutants/mutant.ts'

export const ROOT: readonly Mutant[] = [
  {
    file: 'user-info.ts',
    guard: 'An encoded @ ends user info, too.',
    text: 'isUsable ? /@/g : /@|%40/g',
    becomes: '/@/g',
    test: 'user-info.test.ts',
  },
  {
    file: 'plain-value.ts',
    guard: 'A long value is distinctive.',
    text: 'value.length < MIN_DISTINCTIVE_LENGTH && PLAIN.test(value)',
    becomes: 'PLAIN.test(value)',
    test: 'plain-value.test.ts',
  },
  {
    file: 'step-values.ts',
    guard: 'A secret of one deployment may be a variable of another.',
    text: 'given.flatMap(({ name }) => (isSecret.has(name) ? [] : [name]))',
    becomes: 'given.flatMap(({ name, isVariable }) => (isVariable ? [name] : []))',
    test: 'step-values.test.ts',
  },
  {
    file: 'at-once.ts',
    guard: 'No work begins after a failure.',
    text: 'if (hasFailed) return',
    becomes: '',
    test: 'at-once.test.ts',
  },
  {
    file: 'once-per-key.ts',
    guard: 'A failure is asked for again.',
    text: 'answers.delete(key)',
    becomes: '',
    test: 'once-per-key.test.ts',
  },
  {
    file: 'regular-file.ts',
    guard: 'A file larger than the limit is refused.',
    text: 'size <= maxBytes; size',
    becomes: 'size <= 2 * maxBytes; size',
    test: 'regular-file.test.ts',
  },
  {
    file: 'regular-file.ts',
    guard: 'A folder on the path may be replaced by a link.',
    text: 'if (realpathSync.native(real) !== real) throw',
    becomes: "if (real === '') throw",
    test: 'regular-file.test.ts',
  },
  {
    file: 'run-time.ts',
    guard: 'A fleet leaves time for its end.',
    text: 'deadlineMs: timeoutMs - lastMs',
    becomes: 'deadlineMs: timeoutMs',
    test: 'run-time.test.ts',
  },
  {
    file: 'read-step.ts',
    guard: 'A problem of an input ends the step.',
    text: 'asked === undefined || read.problems.length > 0)',
    becomes: 'asked === undefined)',
    test: 'inputs/read-step.test.ts',
  },
  {
    file: 'read-step.ts',
    guard: 'Credentials under a wrong name are not missing.',
    text: "skip?.because === 'no-credentials' && misnamed.length > 0",
    becomes: 'false',
    test: 'inputs/undeclared.test.ts',
  },
]
