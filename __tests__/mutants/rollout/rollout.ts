import { mutantsOf } from '../../../scripts/mutants/mutant.ts'

export const ROLLOUT = mutantsOf({
  'rollout/watch/revision-of-commit.ts': {
    'A newer revision may be of the commit, too.': '(!isOpen || isOver)) return match → true) return match',
    'An unfinished revision reports its commit late.':
      'mayReport ? await readRevision(deployment.id, listed.id, deps) : listed → listed',
    'A revision that has ended reports no commit any more.':
      "isOpen ||= revision.repoCommitSha === undefined && phaseOf(revision.status) !== 'terminal' → isOpen ||= revision.repoCommitSha === undefined",
    'A revision may take a while to appear.':
      'const isOver = clock.now() + COMMIT_LOOK_MS > endsAt → const isOver = true',
    'A look may fail.':
      '(await ifReadable(async () => await look(commit, deployment.id, deps))) ?? last → await look(commit, deployment.id, deps)',
    'A list may lack the latest revision.': 'isBehind ? [await readRevision(id, latestRevisionId, deps)] : [] → []',
  },
  'rollout/wait.ts, by rollout/wait.test.ts': {
    'The commit decides about the revision.': 'if (commit !== undefined) { → if (commit === request.target.kind) {',
  },
  'rollout/execute.ts': {
    'After its patch, a rollout does not follow the name to another deployment.':
      'if (patched !== undefined) return async () => await readPatched → if (patched === null) return async () => await readPatched',
    'A promotion of another commit is not deployed.': 'commit: commitOfPromotion(plan) → commit: undefined',
    'What a lost creation may have made is named, also if the next plan writes nothing.':
      'const outcome = await confirmServing(planned, plan, lost, run) → const outcome = planned',
    'A run that may have made what serves says so.':
      'if (mayHaveMade(repeated, active)) → if (mayHaveMade([], active))',
    'A run that has patched something has not left the deployment unchanged.':
      "return patched !== undefined && outcome.kind === 'unchanged' → return outcome.kind === null",
    'After its patch, a rollout whose deployment is renamed is not planned again.':
      'isWritten: patched !== undefined → isWritten: false',
    'What it has patched of a creation that was not its own counts.':
      'const patched = plan.patch && { before: deployment, sent: plan.patch, → const sent = patchOf(plan)\n  const patched = sent && { ...sent,',
    'A run that does not wait verifies nothing.':
      'request.wait && request.verification !== undefined → request.verification !== undefined',
    'The last patch of a resumed plan is for what it was planned for.': "planEnds: ['revised', 'set'] → planEnds: []",
    'A resumed revision may become active before the last patch.':
      "planEnds: ['revised', 'set'] → planEnds: ['revised', 'active', 'set']",
    'A run says what the last patch of a resumed plan has set.':
      "if (plan.kind !== 'resume' || patched === undefined) return → if (plan.kind === 'resume' || patched === undefined) return",
    'What is found after a lost POST may be of another commit.': "isFound && built === 'git_host' → false",
    'An image has no commit.': "isFound && built === 'git_host' → isFound",
    'A run that does not wait doubts what it has found.': 'reportUncompared(watched, run) →',
    'A plan after a taken name comes past the lag of replicas.': 'await pauseWithin(STALE_READ_MS, run) →',
    'A lost creation of an earlier plan is not forgotten.':
      'repeated: [...lost, ...ofThisPlan.repeated] → repeated: ofThisPlan.repeated',
    'What a run has lost before it finds another commit is named.': 'lost: lostBefore(ofThisPlan) → lost: []',
    'What was patched is listed, if the check of the revision of another client fails.':
      "outcome.kind === 'unverified' && → outcome.kind === 'failed' &&",
  },
  'rollout/apply/own-patch.ts, by rollout/execute.test.ts': {
    'What was sent is of the run, also if no answer has shown it.': 'isOf(sent, field) ||  →',
    'A form that may be of the run is told from what was there before.':
      " && compareSetting(field, deployment.settings, before.settings) !== 'same' →",
    'A rollback restores what was there before the first patch of the run.':
      'before: withoutOwnPatch(before, patchedSoFar, deployment) → before',
    'So it does after a revision that it has resumed, before which it knows no settings.':
      'before: withoutOwnPatch(before, patchedSoFar, deployment) → before: withoutOwnPatch(before, patchedSoFar)',
    'A rollback knows what an earlier plan has patched and no answer has shown to be ours.': `...patched },
    unproved: unprovedFields(patchedSoFar, deployment) → ...patched },
    unproved: []`,
    'What an earlier patch has set is of the run, in whatever form, after another plan.':
      'patched: { ...patchedSoFar.serviceForm, ...patched } → patched',
    'What another client sets after a patch of the run is not of the run.':
      '.filter((field) => isOf(sent, field) || isOf(serviceForm, field)) →',
    'What may be of the run stays so in later plans.': 'unproved.includes(field) ||  →',
    'What was there before the first patch is kept.':
      'before: withoutOwnPatch(deployment, patchedSoFar) → before: deployment',
    'What another client clears after a patch of the run is not of the run.':
      'settings, own, before.settings) → settings, own, {})',
    'A replica that shows an earlier name ends no run.': 'await readPastStale(read, isRenamed, deps) → await read()',
    'Only what still shows a value of the run is named as its own.':
      'ownFields(patchedSoFar, now).map(inputName) → setFields(patchedSoFar.sent).map(inputName)',
  },
  'rollout/drive.ts': {
    'A run plans five times at most.': 'if (history.plans >= PLANS) → if (history.plans >= 2 * PLANS)',
  },
  'rollout/drive.ts, by rollout/execute.test.ts': {
    'A plan after a revision that was not its own counts.':
      'const plans = history.plans + 1 → const plans = history.plans',
    'For each setting, a run plans again once after its PATCH.':
      "change.kind === 'set' ? [...history → change.kind === 'deleted' ? [...history",
    'A plan after the revision of another client knows what the one before has patched.':
      'addPlannedPatch(history.patched, turn.patched, turn.patched?.form) → history.patched',
    'A plan after a change knows what the one before has patched.':
      'patched: addPlannedPatch(history.patched, patch, patched) } → }',
    'What the service shows of a patch is of the run, in whatever form.':
      'addPlannedPatch(history.patched, patch, patched) } → addPlannedPatch(history.patched, patch, undefined) }',
    'A lost creation is named after its name was taken.':
      'plans, lost: [...history.lost, ...turn.lost] }\n    case → plans }\n    case',
  },
  'rollout/execute.ts, by rollout/apply/basis.test.ts': {
    'After a write, a rollout whose deployment is renamed is not planned again.':
      '!(isMove && isWritten) → isMove || true',
    'Another plan reads the deployment by its id.': 'isMove ? undefined : deploymentId → undefined',
  },
  'rollout/outcome.ts': {
    'A superseded rollout fails only if it is asked to.': "return onSuperseded === 'fail' → return true",
    'A skipped run is green, a skipped revision is not.': "return outcome.because === 'revision'\n → return false\n",
    'Only what came too late is a timeout.':
      'thrown instanceof UnreachableError && time.clock.now() >= time.deadline → thrown instanceof UnreachableError',
  },
  'rollout/outcome.ts, by rollout/execute.test.ts': {
    'A promotion of another commit is rolled back.':
      "outcome.because.kind === 'other-commit') → outcome.because.kind === 'nothing-active')",
  },
  'rollout/prepare.ts': {
    'A dry run ends with the plan.': "if (request.dryRun) return { kind: 'end', outcome: { kind: 'planned' } } →",
    'Only an older commit is outdated.': "=== 'behind' → !== 'ahead'",
    'A plan is approved for one workspace.': 'JSON.stringify([address, deps.credentials.tenantId]) → address',
    'A plan says that what was approved is active already.':
      "const isMade = isActiveMoved && plan.kind === 'unchanged' → const isMade = false",
    'A note says who has made a newer revision.': '(isMoved || isNoteNeeded) → isNoteNeeded',
    'Another plan than the approved one is not executed.':
      'if (differences.length > 0) → if (differences.length > 1_000)',
  },
  'rollout/prepare.ts, by rollout/execute.test.ts': {
    'An approval is of one state, also where no plan shows the change.':
      'approved !== undefined && change !== undefined && → approved !== undefined && change === null &&',
    'Without an approval, a change after the PATCH ends no run.':
      'approved !== undefined && change !== undefined && → change !== undefined &&',
  },
  'rollout/prepare.ts, by rollout/rollout.test.ts': {
    'After the plan whose hash was approved, no other plan follows.':
      "const approved = typeof request.approved === 'string' ? new Map([[outline.name, outline]]) : request.approved → const { approved } = request",
  },
  'rollout/longest-end.ts': {
    'The longest time includes the rollback.': "if (rollback === 'never') return rolledOut → return rolledOut",
  },
  'rollout/rollback/prepare.ts': {
    'Only a deployed revision is deployed again.': "if (to.status !== 'DEPLOYED') throw → if (to.status === '') throw",
  },
  'rollout/rollback/prepare.ts, by rollout/rollback.test.ts': {
    'What the run has read is not read again.': 'before.reading?.deployment ?? (await → (await',
  },
  'rollout/rollback.ts, by rollout/apply/basis.test.ts': {
    'A read by an id is no list.':
      "target.kind === 'name' && beforehand.id === undefined → beforehand.id === undefined",
    'A rollback writes nothing to a deployment that has lost its name.': 'isNamed: isNamed(target),  →',
    'A rollback of a deployment that is renamed is not planned again.':
      '({ isMove }) => !isMove → ({ isMove }) => isMove || true',
    'A rollback does not go over a newer revision.': "kind === 'revised' || (await → (await",
    'The word previous means the same in each plan of a run.':
      '{ ...beforehand, id, to: to.id } → { ...beforehand, id }',
    'A rollback follows what is there at its write.': 'isListed, planEnds: ANY_CHANGE } → isListed }',
    'A rollback does not go forward over a further one.': " && change.kind !== 'active') return → ) return",
    'A rollback goes on after a late activation.':
      "(await isOlder(by, to, deploymentId, run.controlPlane)) ? by → deploymentId !== '' ? by",
    'Who has gone back to the same revision has not superseded the run.':
      'by === null || sameId(by, to.id) → by === null',
    'Another plan reads the deployment by its id.': '{ ...beforehand, id, to: to.id } → { ...beforehand, to: to.id }',
  },
  'rollout/watch/confirm.ts, by rollout/apply/basis.test.ts': {
    'Without a list, dates show which revision is older.':
      "ageByDate(revision?.createdAt, than.createdAt) === 'older' → revision === undefined",
  },
  'rollout/watch/made-twice.ts, by rollout/execute.test.ts': {
    'It is of the time of the write that was lost, not of a later one.':
      "'createdAt' in repeated ? repeated.createdAt : watched?.createdAt → watched?.createdAt",
  },
  'rollout/wait.ts': {
    'A replica that lags hides no revision that an earlier step has made.':
      "phaseOf(revision.status) === 'terminal' → phaseOf(revision.status) === 'queue'",
  },
  'rollout/rollout.ts': {
    'A plan with another hash was not approved.': 'request.approved !== hashOfAll([prepared.outline]) → false',
  },
})
