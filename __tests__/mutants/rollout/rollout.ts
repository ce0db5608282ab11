import type { Mutant } from '../../../scripts/mutants/mutant.ts'

export const ROLLOUT: readonly Mutant[] = [
  {
    file: 'rollout/prepare.ts',
    guard: 'A dry run ends with the plan.',
    text: "if (request.dryRun) return { kind: 'end', outcome: { kind: 'planned' } }",
    becomes: '',
    test: 'rollout/prepare.test.ts',
  },
  {
    file: 'rollout/prepare.ts',
    guard: 'Only an older commit is outdated.',
    text: "=== 'behind' ? outdated(plan, check) : plan",
    becomes: "!== 'ahead' ? outdated(plan, check) : plan",
    test: 'rollout/prepare.test.ts',
  },
  {
    file: 'rollout/prepare.ts',
    guard: 'A run that does not wait verifies nothing.',
    text: 'request.wait && request.verification !== undefined',
    becomes: 'request.verification !== undefined',
    test: 'rollout/prepare.test.ts',
  },
  {
    file: 'rollout/outcome.ts',
    guard: 'A superseded rollout fails only if it is asked to.',
    text: "return onSuperseded === 'fail'",
    becomes: 'return true',
    test: 'rollout/fails-step.test.ts',
  },
  {
    file: 'rollout/outcome.ts',
    guard: 'A skipped run is green, a skipped revision is not.',
    text: "return outcome.because === 'revision'",
    becomes: 'return false',
    test: 'rollout/fails-step.test.ts',
  },
  {
    file: 'rollout/longest-end.ts',
    guard: 'The longest time includes the rollback.',
    text: "if (rollback === 'never') return joined(rolledOut)",
    becomes: 'return joined(rolledOut)',
    test: 'rollout/longest-end.test.ts',
  },
  {
    file: 'rollout/outcome-of-error.ts',
    guard: 'Only what came too late is a timeout.',
    text: 'thrown instanceof UnreachableError && time.clock.now() >= time.deadline',
    becomes: 'thrown instanceof UnreachableError',
    test: 'rollout/outcome-of-error.test.ts',
  },
  {
    file: 'rollout/prepare-rollback.ts',
    guard: 'Only a deployed revision is deployed again.',
    text: "if (to.status !== 'DEPLOYED') throw",
    becomes: "if (to.status === '') throw",
    test: 'rollout/prepare-rollback.test.ts',
  },
  {
    file: 'rollout/execute.ts',
    guard: 'After a write, a rollout whose deployment is renamed is not planned again.',
    text: '!(thrown instanceof ChangedError) || thrown.isWritten',
    becomes: '!(thrown instanceof ChangedError)',
    test: 'rollout/renamed.test.ts',
  },
  {
    file: 'rollout/rollback.ts',
    guard: 'A rollback writes nothing to a deployment that has lost its name.',
    text: 'isNamed: isNamed(request.target)',
    becomes: '',
    test: 'rollout/renamed.test.ts',
  },
]
