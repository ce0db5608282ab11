import { mutantsOf } from '../../../scripts/mutants/mutant.ts'

export const ROLLOUT = mutantsOf({
  'rollout/execute.ts': {
    'What a lost creation may have made is named, also if the next plan writes nothing.':
      'if (next.plan !== undefined) { → if (next.plan === null) {',
    'A plan after the revision of another client knows what the one before has patched.':
      'withPatchOf(next.plan, earlier, watched.patched, deployment) → earlier',
    'What it has patched of a creation that was not its own counts.':
      'earlier, watched.patched, deployment) → earlier, watched.patched)',
    'A plan after a revision that was not its own counts.': 'plans: plans + 1, → plans,',
    'The last patch of a resumed plan is for what it was planned for.': "planEnds: ['revised', 'set'] → planEnds: []",
    'A resumed revision may become active before the last patch.':
      "planEnds: ['revised', 'set'] → planEnds: ['revised', 'active', 'set']",
    'Plans of a taken name have a limit.': 'if (plans >= PLANS) → if (plans >= 2 * PLANS)',
    'A plan after a taken name comes past the lag of replicas.': 'await pauseForName(next.plan, plans, deps) →',
    'A lost creation of an earlier plan is not forgotten.':
      'repeated: [...repeated, ...begun.watched.repeated] → repeated: begun.watched.repeated',
    'What a run has lost before it finds another commit is named.':
      '{ earlier: patched }, lostBefore(begun.watched)) → { earlier: patched })',
  },
  'rollout/execute.ts, by rollout/renamed.test.ts': {
    'After a write, a rollout whose deployment is renamed is not planned again.':
      '!(isMove && isWritten) → isMove || true',
  },
  'rollout/execute.ts, by rollout/changed-meanwhile.test.ts': {
    'Another plan reads the deployment by its id.': 'begun.isMove ? undefined : begun.deploymentId → undefined',
  },
  'rollout/outcome.ts': {
    'Only what came too late is a timeout.':
      'thrown instanceof UnreachableError && time.clock.now() >= time.deadline → thrown instanceof UnreachableError',
    'A superseded rollout fails only if it is asked to.': "return onSuperseded === 'fail' → return true",
    'A skipped run is green, a skipped revision is not.': "return outcome.because === 'revision' → return false",
  },
  'rollout/outcome.ts, by rollout/execute.test.ts': {
    'A promotion of another commit is rolled back.':
      "outcome.because.kind === 'other-commit') → outcome.because.kind === 'nothing-active')",
  },
  'rollout/prepare.ts': {
    'A dry run ends with the plan.': "if (request.dryRun) return { kind: 'end', outcome: { kind: 'planned' } } →",
    'Only an older commit is outdated.':
      "=== 'behind' ? outdated(plan, check) : plan → !== 'ahead' ? outdated(plan, check) : plan",
    'A run that does not wait verifies nothing.':
      'request.wait && request.verification !== undefined → request.verification !== undefined',
    'Another plan than the approved one is not executed.':
      'if (differences.length > 0) → if (differences.length > 1_000)',
  },
  'rollout/prepare.ts, by rollout/execute.test.ts': {
    'After its patch, a rollout does not follow the name to another deployment.':
      'await (earlier === undefined → await (deps.maxRetries > 0',
  },
  'rollout/longest-end.ts': {
    'The longest time includes the rollback.':
      "if (rollback === 'never') return joined(rolledOut) → return joined(rolledOut)",
  },
  'rollout/rollback/prepare.ts': {
    'Only a deployed revision is deployed again.': "if (to.status !== 'DEPLOYED') throw → if (to.status === '') throw",
  },
  'rollout/rollback/rollback.ts, by rollout/renamed.test.ts': {
    'A rollback writes nothing to a deployment that has lost its name.': 'isNamed: isNamed(request.target), →',
    'A rollback of a deployment that is renamed is not planned again.':
      '({ isMove }) => !isMove → ({ isMove }) => isMove || true',
  },
  'rollout/rollback/rollback.ts, by rollout/changed-meanwhile.test.ts': {
    'A rollback does not go over a newer revision.': "kind === 'revised' || (await → (await",
    'The word previous means the same in each plan of a run.':
      '{ ...again, id: plan.deployment.id, to: to.id } → again',
    'A rollback follows what is there at its write.': '{ ...known, planEnds: ANY_CHANGE } → known',
    'A rollback does not go forward over a further one.': " && change.kind !== 'active') return → ) return",
    'A rollback goes on after a late activation.':
      "(await isOlder(by, to, deploymentId, deps.controlPlane)) ? by → deploymentId !== '' ? by",
    'Who has gone back to the same revision has not superseded the run.':
      'by === null || sameId(by, to.id) → by === null',
    'Another plan reads the deployment by its id.': 'id: plan.deployment.id, to → to',
  },
  'rollout/watch/superseded.ts, by rollout/changed-meanwhile.test.ts': {
    'Without a list, dates show which revision is older.':
      "ageByDate(revision?.createdAt, than.createdAt) === 'older' → revision === undefined",
  },
  'rollout/watch/made-twice.ts, by rollout/execute.test.ts': {
    'It is of the time of the write that was lost, not of a later one.':
      "'createdAt' in repeated ? repeated.createdAt : watched?.createdAt → watched?.createdAt",
  },
  'rollout/wait.ts': {
    'A replica that lags hides no revision that an earlier step has made.':
      "phaseOf(first.revision.status) !== 'terminal' → phaseOf(first.revision.status) !== 'building'",
  },
})
