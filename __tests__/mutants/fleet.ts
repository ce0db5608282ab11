import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const FLEET = mutantsOf({
  'fleet/execute.ts': {
    'A wave with too many failures does not wait for its end.':
      'if (failedBefore + failed <= maxFailures) await → await',
    'A bake continues after the time that it had in an earlier run.':
      'Math.max(0, Math.min(bakeMs, bakeMs - age.ms)) → bakeMs',
    'An old plan counts only if the deployment is the same.':
      'isDeepStrictEqual(now, planned) → now?.id === planned?.id',
  },
  'fleet/execute.ts, by rollout/execute.test.ts': {
    'An old plan of a promotion asks for its ref again.': 'await checkUnmoved(request, deps) →',
  },
  'fleet/execute.ts, by fleet/results.test.ts': {
    'A fleet that ended in time did not time out.': 'if (isUp && isLate) → if (isUp)',
    'A deployment decides itself whether a superseded rollout fails.':
      "this.#onSuperseded.get(name) ?? 'fail' → 'fail'",
    'A check that failed when the time was over is a failure.':
      "after.kind === 'unverified' && after.cutWhile === 'passing' → after.kind === 'unverified' && after.cutWhile !== undefined",
    'A bake that the timeout cuts is no whole bake.': 'if (deadline < beganAt + forMs) → if (false)',
    'A rollout of a fleet keeps its own timeout.':
      'Math.min(deadline, clock.now() + planned.entry.request.timeoutMs) → this.#shared.deadline',
  },
  'fleet/execute.ts, by fleet/fleet.test.ts': {
    'No rollout starts after the limit.': 'const isLate = clock.now() >= deadline → const isLate = false',
  },
  'fleet/only.ts': {
    'An exclusion counts in any line.':
      'return isIncluded && !excluded.some((pattern) => matchesName(pattern, name)) → return isIncluded',
    'Exclusions alone are of all names.': 'included.length === 0 || → ',
    'An exclusion without a name is a mistake.': '...excluded.filter(isUnmatched) → ...[].filter(isUnmatched)',
    'One sign is one character.': "sign === '?' || → sign === '' ||",
  },
  'fleet/selection.ts': {
    'Percentages are of the selected entries.':
      'parallelOf(maxParallel, entries.length) → parallelOf(maxParallel, choices.length)',
    'A wave without a selected entry is no wave.': 'if (entries.length > 0) { → if (choices.length > 0) {',
    'A shard without a selected entry is no job.': 'if (withEntries.length === 0) return [] →',
    'A shard counts what is selected.': 'names.filter(isSelected).length → names.length',
  },
  'fleet/changes.ts': {
    'An entry without paths always takes part.': "if (inRepository?.paths === undefined) return { kind: 'no-paths' } →",
    'A promotion has code of its own.': 'request.promoteFrom !== undefined || →',
    'Another ref is other code.': 'built.commit === undefined || →',
    'A deployment of another ref is rolled out.': 'buildsOther(request, deployment, built.ref) → false',
    'A failed revision is rolled out again.': '|| sameId(active, latest) → || active !== null',
    'A deployment without an active revision is rolled out.':
      'if (!isLatestActive || isBeingDeleted) → if (isBeingDeleted)',
    'Without an active revision, the commit may be that of a later one.':
      "if (active === undefined) return { kind: 'unclear', why: { kind: 'no-active-revision' } } →",
    'Without a commit of the event, there is nothing to compare.':
      "if (head === undefined) return { kind: 'unclear', why: { kind: 'no-event-commit' } } →",
    'A commit that is none is not compared.':
      'commit !== undefined && FORMS.fullCommit.test(commit) ? commit : undefined → commit',
    'Without the manifest before, an entry takes part.':
      "if (before === undefined) return { kind: 'unclear', why: { kind: 'no-manifest', commit } } →",
    'Changed defaults concern every entry.':
      'hasSameDefaults && isDeepStrictEqual(before.entries → isDeepStrictEqual(before.entries',
    'A changed text asks for a rollout.': "if (!isSameText) return { kind: 'manifest' } →",
    'A file that an entry names asks for a rollout.':
      'if (named.some((file) => changed.has(foldedPath(file)))) → if (false)',
    'A file that an entry names may have another form of Unicode.':
      'file.normalize().toLowerCase() → file.toLowerCase()',
    'A file that an entry names may have another case.': 'file.normalize().toLowerCase() → file.normalize()',
  },
  'fleet/changed-since.ts': {
    'A ref that GitHub does not know is a mistake.':
      "if (status !== 404 && status !== 422) return { kind: 'unanswered', failure } → return { kind: 'unanswered', failure }",
    'A failure of GitHub says nothing about a ref.':
      'if (status !== 404 && status !== 422) return → if (status === undefined) return',
    'The matrix of a dry run has the shards of all.': 'if (!dryRun) return own → return own',
    'Entries of one commit share a comparison, whatever its case.': '`${from.toLowerCase()} → `${from}',
    'GitHub is asked for so many comparisons only.': 'groups.slice(0, MAX_COMPARISONS) → groups',
    'The commits of most entries are compared.': 'more.length - fewer.length → fewer.length - more.length',
    'A commit that GitHub does not know is named.': 'status === 404 ? → status === 500 ?',
    'The commit of a ref is in the plan that is approved.':
      'request: { ...entry.request, changedSince: commit } → request: entry.request',
    'An entry without a change does not take part.':
      "if (verdict?.kind === 'no-change') return → if (verdict?.kind === 'only') return",
    'Without an environment, no run is looked for.':
      'if (active.size === 0 || environment === undefined) return → if (active.size === 0) return',
    'A reported commit needs no run.': 'repoCommitSha === undefined && activeRevisionId ? → activeRevisionId ?',
    'A reported commit needs no answer about runs.':
      'if (isUnanswered && deployment.repoCommitSha === undefined) return → if (isUnanswered) return',
  },
  'fleet/fleet.ts, by fleet/changed-since.test.ts': {
    'An entry that takes part has all of its variables.': 'if (unset.length > 0) throw → if (unset.length > 9) throw',
    'The deployments are listed once.': 'sources, listing) → sources)',
  },
  'fleet/limits.ts, by inputs/manifest/waves.test.ts': {
    'Allowed failures are rounded down.':
      'Math.floor((limit.percent * entries) / 100) → Math.ceil((limit.percent * entries) / 100)',
    'A small share still starts one.':
      'Math.max(1, Math.ceil((limit.percent * entries) / 100)) → Math.floor((limit.percent * entries) / 100)',
  },
  'fleet/patterns.ts': {
    'A submodule has the name of its folder.': '.add([escaped, ...folders]) → .add([escaped])',
    'The last pattern that matches a file decides.': 'rules.findLast( → rules.find(',
    'A path may have another form of Unicode.': 'matcher.ignores(file.normalize()) → matcher.ignores(file)',
  },
  'fleet/fleet.ts': {
    'The end of a fleet ends every wait.': '    controller.abort() →',
    'A fleet that is cancelled before it begins does not begin.': 'deps.signal.throwIfAborted() →',
    'One plan of a fleet that was not approved keeps all from being executed.':
      'others.length + missing.length + dropped.length === 0 → missing.length + dropped.length === 0',
    'A fleet with another hash was not approved.':
      'hashOfAll(outlines) === approved ? → hashOfAll(outlines) !== approved ?',
    'A fleet without one of the approved deployments is another one.':
      '.filter((name) => !named.has(name)) → .filter(() => false)',
    'A shard has some of the approved plans only.': 'new Set([...names, ...outlines → new Set([...outlines',
    'An entry without a plan, also one that is too late, is not what was approved.':
      '(one.outline === undefined || one.outcome → (one.outcome',
    'Each commit is compared.': '(deployed, ours) => `${deployed} ${ours}` → (deployed) => deployed',
  },
  'fleet/schedule.ts': {
    'A fleet continues up to its allowed failures.': 'failed <= allowed → failed < allowed',
    'A stopped fleet starts nothing.':
      'state.isStopped ? 0 : Math.max(0, wave.maxParallel - state.underWay.size) → Math.max(0, wave.maxParallel - state.underWay.size)',
    'A wave starts no more rollouts than its limit.': 'wave.maxParallel - state.underWay.size → wave.maxParallel',
    'A wave ends when all of its rollouts have ended.': 'if (after.underWay.size > 0) → if (start.length > 0)',
    'Failures before the first write count.': 'failed: wave?.failedBefore ?? 0 → failed: 0',
    'A wave without a success has nothing to bake.': 'after.hasSuccess && wave.bakeMs > 0 → wave.bakeMs > 0',
    'Failures of a bake count.': 'failed: before.failed + input.failed → failed: before.failed',
  },
  'fleet/prepare.ts': {
    'A list that breaks the contract proves no absence.':
      'return { byName, isComplete: false } → return { byName, isComplete: true }',
    'A preview build of the service is not the deployment.':
      '&& !byName.has(name) && isPreviewBuild !== true) → && !byName.has(name))',
    'A deployment shows its latest revision, not the active one.': '!sameId(latestRevisionId, activeRevisionId) || →',
    'A field of a wrong form may hide a difference.': '|| dropped !== undefined) → )',
  },
  'fleet/prepare.ts, by fleet/fleet.test.ts': {
    'A fleet with a wrong entry writes nothing.': 'if (problems.length > 0) throw new InputError(problems) →',
    'A deployment of the same fleet is not promoted.':
      'promoted !== undefined && foundNames.inManifest.has(promoted) → false',
    'Refused credentials end the fleet at once.': 'thrown.status === 401 || →',
    'A few refusals are about their own deployments.': ' && refusals > planned.size) → )',
  },
  'fleet/budget.ts, by fleet/fleet.test.ts': {
    'A write has its turn before the read that it is based on.':
      'turns: { ...deploymentRun.turns, write } → turns: deploymentRun.turns',
  },
  'fleet/fleet.ts, by fleet/budget.test.ts': {
    'What a run has sent before its fleet counts.': 'run.load ?? openLoad → openLoad',
  },
  'fleet/rate.ts': {
    'A service that asks to wait lowers the rate, whatever its status.':
      'status !== 429 && retryAfterMs === undefined → status !== 429',
    'A long Retry-After does not stop the fleet.':
      'Math.min(LONGEST_PAUSE_MS, retryAfterMs ?? 0) → (retryAfterMs ?? 0)',
  },
  'fleet/budget.ts': {
    'Each rollout has its own turns.': 'controlPlane: deploymentRun.controlPlane.paced(own), →',
    'Looks are sent before writes, and these before single reads.':
      "['basis', 'look', 'end', 'write', 'read'] → ['basis', 'read', 'write', 'end', 'look']",
    'The read that a write waits for does not wait for the rate.':
      "return kind === 'basis' ? pausedUntil : nextAt → return nextAt",
    'A pause that the service asks for holds all.':
      "return kind === 'basis' ? pausedUntil : nextAt → return kind === 'basis' ? 0 : nextAt",
    'No ten seconds have more than the budget allows.': 'blockedBy + WINDOW_MS → 0',
    'A write that has had its turn may be sent at any time.':
      "kind === 'basis' ? held : kind === 'write' ? 2 * held + 1 : 2 * held → 0",
    'A write keeps room for its read.': "kind === 'write' ? 2 * held + 1 : 2 * held → held",
    'More held writes than the window has room for would never be sent.': 'if (room <= 0) return Infinity →',
    'A request is sent a moment after its turn.': 'LIMIT_S * 1_000 + 100 → LIMIT_S * 1_000',
    'A small budget may have a burst of one.': 'Math.max(1, ceiling) → ceiling',
    'A read that a write waits for costs its part of a second.':
      "    this.#load.rate = afterRequest(this.#load.rate, now) →     if (next.kind !== 'basis') this.#load.rate = afterRequest(this.#load.rate, now)",
    'A write that is not sent gives its place back.':
      '[Symbol.dispose]: () => this.#end(false) → [Symbol.dispose]: () => undefined',
    'A write that is not sent does not count as sent.': 'if (isSent) this.#noteSent() → this.#noteSent()',
    'What is read for a held write comes first.':
      "this.#holdsWrite ? 'basis' : (urgency ?? 'read') → urgency ?? 'read'",
    'A held write has no second turn.': '      this.#end(true)\n      return true →       this.#end(true)',
    'A request that comes too late is not sent.':
      'for (const { resolve } of late) resolve(false) → for (const { resolve } of late) resolve(true)',
    'A request that waits for a held write ends at its deadline.': 'Math.min(soonest, latest + 1) → soonest',
    'A cancelled run waits for nothing.': 'addAbortListener(deps.signal, () => this.#wake.abort()) →',
  },
  'control-plane/many.ts': {
    'A list that ignores the ids is not believed.':
      '[...deployments.keys()].every((key) => wanted.has(key)) → deployments.size <= wanted.size',
    'What one write waits for goes first, with what others ask for.':
      'group.some((one) => one.isBasis) → group.every((one) => one.isBasis)',
    'A service that finds no id is not asked again.': 'this.#isWithoutIds ||= this.#unfound >= UNFOUND_ANSWERS →',
  },
  'fleet/watch.ts': {
    'Looks leave room for writes.': '(1_000 * pages) / (PART_OF_LOOKS * perSecond) → 0',
    'Single reads take the part of the budget that meets the bounds.': 'PART_OF_READS = 0.3 → PART_OF_READS = 0.25',
    'Single reads leave room for writes.': 'PART_OF_READS = 0.3 → PART_OF_READS = 0.5',
    'Single reads take a part of the budget only.': 'Math.min(reads, due.length) → due.length',
    'A small budget is not used up by looks and reads.': 'Math.max(1, FULL_RATE / perSecond) → 1',
    'A revision is not read at each look.':
      '(this.#readAt.get(key) ?? lookedAt) >= readMs → (this.#readAt.get(key) ?? lookedAt) >= 0',
    'The revision whose last read is oldest is read first.':
      'readAt(waiting) < readAt(soonest) ? waiting : soonest → waiting',
    'What a look has shown meanwhile is not read.':
      'due.filter((waiting) => this.#waiting.has(waiting) && → due.filter((waiting) =>',
    'A turn that came late is not kept beside that of the next look.': 'lookedAt + lookMs - 1 → Infinity',
    'Looks end with the last wait.': 'while (this.#waiting.size > 0) → for (;;)',
    'A cancelled run ends each wait.': 'for (const { update } of this.#waiting) update.reject(toError(thrown)) →',
  },
})
