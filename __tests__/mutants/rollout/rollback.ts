import { mutantsOf } from '../../../scripts/mutants/mutant.ts'

export const ROLLOUT_ROLLBACK = mutantsOf({
  'rollout/verify/evidence.ts': {
    'No key goes to an address that the rollout replaces.':
      'if (isMoved && verification.request !== undefined) return undefined →',
    'The check before the first write sends the same request.':
      'addressReader({ request, status, → addressReader({ status,',
    'In JSON, the value at the pointer counts, and not a text elsewhere.':
      'if (at === undefined || json?.ok !== true) → if (at === undefined || json?.ok !== true || body.includes(text))',
    'A pointer finds members of the answer only.': '|| !Object.hasOwn(value, name) →',
    'JSON that is too large to parse lacks nothing.': '!isBloatedJson(result.body, MAX_VALUES) → true',
    'A text is found in any body.': 'contains?.at === undefined || → contains === undefined ||',
    'A target that repeats a secret is not named.': '|| !reveals(result.unfollowed.to)) → || reveals(` `))',
    'A failure names no header.': "['with verify-headers'] → ['with ' + Object.keys(request?.headers ?? {}).join()]",
  },
  'rollout/verify/evidence.ts, by rollout/verify/verify.test.ts': {
    'A key of a check does not go to an address of plain http that the control plane reports.':
      'isEncrypted && isUnencrypted(address) → false',
    'A lost connection is no evidence.':
      "ends.length > 0 && ends.every((end) => end === 'refused') → ends.length > 0 && ends.some((end) => end === 'refused')",
    'A right status shows that what failed before is over.': "ends.slice(ends.lastIndexOf('unread') + 1) → ends",
    'The address of a deployment is no replacement text.':
      "replaceAll('{url}', () => base) → replaceAll('{url}', base)",
    'The query of an address is no part of a path.':
      "const [withoutQuery = ''] = deploymentUrl.split(/[?#]/, 1) → const withoutQuery = deploymentUrl",
    'The status is the expected one.': 'if (result.status !== status) → if (result.status >= 500)',
    'The body contains the expected text.': "return body.includes(text) ? → return body !== '' ?",
    'An address that contains a secret is not requested.':
      "if (reveals(deploymentUrl)) return → if (deploymentUrl === '') return",
  },
  'inputs/verification.ts': {
    'A key of a check does not go to a verify-url of plain http.':
      'address !== undefined && isUnencrypted(address) → false',
  },
  'rollout/rollback/restore.ts': {
    'What is restored itself has the commit that it had.':
      'return isFound && !sameId(revisionId, to.id) && → return isFound &&',
    'An image that is restored has no commit.':
      ' && to.settings.repoRef !== undefined\n}\n\n/** A revision that restores → \n}\n\n/** A revision that restores',
    'What an answer names is of the rollback.': 'return isFound && !sameId(revisionId → return !sameId(revisionId',
    'What another client has made right before a redeploy is not its end.':
      "distinction(revision, to) !== 'settings') return made → true) return made",
  },
  'rollout/rollback/restore.ts, by rollout/rollback/plan.test.ts': {
    'A restored branch reports its commit.':
      'built === undefined ? draft !== undefined : sameCommit(built, wanted) → built === undefined || sameCommit(built, wanted)',
  },
  'rollout/rollback/never-served.ts': {
    'A revision that still may serve is not one that failed.': "phaseOf(status) === 'terminal' && →",
    'A newer revision that has served is one to go back from.':
      '!since.every(hasNeverServed) → !since.some(hasNeverServed)',
    'An attempt continues what an earlier one has made.': '[active, ...since].some(isNoted) → [active].some(isNoted)',
    'An attempt continues where an earlier one has restored the active revision.':
      '[active, ...since].some(isNoted) → since.some(isNoted)',
    'A workflow leaves no revision that serves.': 'if (isStartedByHand && !(await → if (!(await',
    'A button does not undo the failure of its own run.': ' && !(await isOneOfThisRun(since, deps)) →',
    'A note of the run names its revision.':
      'if (await deps.own.findAnyNote(id)) return true → await deps.own.findAnyNote(id)',
    'GitHub is asked only where the answer decides.': 'if (agesOf(revisions, deps).length === 0) return false →',
    'An unknown time of the run keeps no button from going back.':
      'runAgeMs !== undefined && agesOf(revisions, deps).some((ageMs) => isSince(ageMs, runAgeMs)) → agesOf(revisions, deps).some((ageMs) => isSince(ageMs, runAgeMs ?? Infinity))',
    'Ages are by the clock of the control plane.':
      'controlPlane.serverTime(), clock.wallTime()) → clock.wallTime(), clock.wallTime())',
    'Two clocks are cut to the second.': 'ageMs < runAgeMs + TIME_TOLERANCE_MS → ageMs < runAgeMs',
  },
  'rollout/rollback/never-served.ts, by rollout/rollback/prepare.test.ts': {
    'The error names the revision before the active one.': 'before: before?.id → before: undefined',
  },
  'rollout/rollback/prepare.ts': {
    'A failed revision that a lagging list lacks counts.':
      'revisionsRead.includes(latest) ? since → revisionsRead.length > 0 ? since',
    'An id that is given is not judged.':
      'if (wanted === undefined) return await → if (wanted !== planned) return await',
    'What a given beginning names is read once, and whole.': 'wanted === planned || !isBeginning(wanted) → true',
  },
  'rollout/rollback/beginning.ts': {
    'Of two ids that begin so, none is meant.': 'if (others.length === 0) return match → return match',
    'Ids have no case.': 'idKey(one.id).startsWith(idKey(beginning)) → one.id.startsWith(beginning)',
  },
  'rollout/read/list-revisions.ts, by rollout/rollback/beginning.test.ts': {
    'A second id that begins so may be on the last page.': 'revisions.size === offset || → page.length > 0 ||',
    'A service without a list of revisions does not fail.': ' || thrown instanceof BrokenContractError →',
  },
  'rollout/read/list-revisions.ts': { 'No page is read that is not needed.': ' || isEnough(listed) →' },
  'rollout/rollback/departure.ts': {
    'A release that has replaced what a run has made is not left.': ' || !newer.every(isMade)) → )',
    'Without a note, nothing is known of an earlier attempt.': '![active, ...since].some(isMade) || → ',
    'What a run has made is not what it goes back to.':
      '[active, ...older].filter((revision) => !isMade(revision)) → [active, ...older]',
  },
  'rollout/rollback/previous.ts': {
    'A newer revision that may still serve, and has failed by now, is read again.':
      'previous.since.every(hasNeverServed) → previous.newer.length === 0',
  },
  'rollout/verify/verify.ts': {
    'A check that has failed is reported, also if nothing can be read afterwards.':
      'await ifReadable(confirm) → await confirm()',
    'A check that the end of the run cuts is failing after a failed read.':
      "row.length > 0 || kind !== 'lost' → kind !== 'lost'",
    'A check that the end of the run cuts is failing by an answer.':
      "row.length > 0 || kind !== 'lost' → row.length > 0",
  },
  'rollout/verify/verify.ts, by rollout/finish.test.ts': {
    'Another revision may have answered.': "(again.kind === 'superseded' || isDeleted(again)) → isDeleted(again)",
  },
  'rollout/watch/confirm.ts, by rollout/finish.test.ts': {
    'A revision that is verified is deployed only if the reads after the check show it.':
      'return last.contradictsActive(revision) ? again : outcome → return outcome',
  },
  'rollout/rollback/prepare.ts, by rollout/rollback.test.ts': {
    'A DEPLOYED revision that is newer may be the one that was left.': 'newer.length > 0 || !(await → !(await',
  },
  'rollout/rollback/never-served.ts, by rollout/rollback.test.ts': {
    'A revision without an age may be of this run.': 'if (ages.length < revisions.length) return false →',
    'Without the age of the run, any revision may be of it.':
      'runAgeMs !== undefined && !ages.some((ageMs) => isSince(ageMs, runAgeMs)) → runAgeMs === undefined || !ages.some((ageMs) => isSince(ageMs, runAgeMs))',
    'A revision of this run may be of its earlier attempt.':
      '!ages.some((ageMs) => isSince(ageMs, runAgeMs)) → ages.length > 0',
  },
  'rollout/rollback.ts': {
    'What a rollback has found after a lost response may be of another commit.':
      'isAdopted: isAdopted(restored, plan.to) → isAdopted: false',
  },
  'rollout/rollback/automatic.ts': {
    'A PATCH after a redeploy leaves it to the watch what its answer shows.':
      "this.#patch(knownDeployment(now, this.#deps, { readAt, planEnds: ['set'] }), { isLast: true }) → this.#patch(knownDeployment(now, this.#deps, { readAt, planEnds: ['set'] }))",
    'What an earlier plan has restored is named.': 'for (const field of fields) this.#restored.add(field) →',
    'What another client has changed before a PATCH after a redeploy is listed.':
      '[...before, ...changedSince] → before',
    'A replica that lags hides no changed secret.': 'COMPARED.changedByRollout → COMPARED.patched',
    'A rollback does not wait for values that no answer shows.':
      "compareSetting(field, settingsBefore, changed, 'spaces') === 'other' → compareSetting(field, settingsBefore, changed, 'spaces') !== 'same'",
    'A rollback restores nothing over what others have set.':
      'sendPatch(basis, patch, this.#deps, { isRestoration: true }) → sendPatch(basis, patch, this.#deps)',
    'The rollback of a run follows what is there at its first write.': '{ readAt, planEnds: ANY_CHANGE } → { readAt }',
    'Settings that are restored after a redeploy follow what is there at their PATCH.':
      "{ readAt, planEnds: ['set'] } → { readAt }",
    'A replica that lags does not hide what the run has patched.': '|| this.#showsEarlier(read) →',
    'Nor does it after a redeploy.': '(read) => this.#showsEarlier(read) → () => false',
    'What the run has set to its earlier value is not waited for.':
      "compareSetting(field, settingsBefore, changed, 'spaces') === 'other' → compareSetting(field, settingsBefore, changed, 'spaces') !== 'not-reported'",
    'Nor is a value that the service has shown after the PATCH.':
      "compareSetting(field, patched ?? {}, settingsBefore) !== 'same' → true",
  },
  'rollout/rollback/plan.ts': {
    'What a rerun leaves is no rollback, whatever it reports.':
      "note.kind === 'rerun-departs' && sameId(note.revisionId, latest.id) → false",
  },
  'rollout/rollback/plan.ts, by rollout/rollback/automatic.test.ts': {
    'A rollback also lists the settings that it leaves where a newer revision stays.':
      'revisionId: newer }, leftAsIs(config)) → revisionId: newer })',
  },
  'rollout/rollback/automatic.ts, by rollout/finish.test.ts': {
    'Only a refusal of the credentials would be repeated.': 'areCredentialsRefused(thrown) ? → true ?',
    'What to do is no part of what came back.': 'thrown instanceof ControlPlaneError ? → false ?',
    'A rollback that is not possible lists the settings that it has not sent.':
      '= leftAsIs(this.#settings) → = this.#settings',
    'What it has sent does not keep the value of the run.':
      'const settled = [...this.#restored, ...changedSince, → const settled = [...changedSince,',
    'Of a lost PATCH it is unknown whether it has restored its settings.':
      'if (thrown instanceof AmbiguousWriteError) this.#unsure = fields →',
    'A rollback that ends with a lost PATCH has not succeeded.':
      'thrown instanceof AmbiguousWriteError && unsure.length === 0 → thrown instanceof AmbiguousWriteError',
    'A rollback that cannot read the deployment lists the settings, too.':
      'unread === undefined ? leftAsIs() → unread !== null ? leftAsIs()',
    'A rollback that is incomplete says what it has restored.':
      'outcome: result, ...settingsLeft → outcome: result, ...settingsLeft, restored: []',
    'A rollback that ends with an error says what it has restored.':
      'unsure, ...forbidden, ...this.#settingsLeft() }) → unsure, ...forbidden, ...this.#settingsLeft(), restored: [] })',
  },
  'rollout/rollback/automatic.ts, by rollout/execute.test.ts': {
    'A rollback knows what the service showed right after the PATCH.':
      'this.#request.settings, patched, unproved, → this.#request.settings, unproved,',
    'A rollback lists what may be our own value in place of the earlier one.':
      'this.#request.settings, patched, unproved, → this.#request.settings, patched,',
  },
  'rollout/rollback/automatic.ts, by report/fold.test.ts': {
    'The address is the one that a rollback has restored, also if no read reports it.':
      '{ ...state.settings, ...patch, ...sent.form } → state.settings',
    'The address is the one that another client has set before a rollback.':
      "deps.emit({ kind: 'deployment-read', deployment: now }) →",
  },
  'rollout/finish.ts': {
    'A rollback needs evidence.': "if (outcome.evidence === 'none') return { kind: 'no-evidence' } →",
    'A check that the end of the run cuts proves nothing.': "if (outcome.cutWhile !== undefined) return 'none' →",
    'A check that failed before shows nothing.': 'return isAsBefore ? → return !isAsBefore && failedBefore ?',
    'A check that fails in another way is evidence.': ' && outcome.seen === failedBefore.seen →',
  },
  'rollout/finish.ts, by rollout/wait.test.ts': {
    'A run that asks for no rollback makes none.': "rollback = 'never' } → rollback = 'on-failure' }",
  },
  'rollout/finish.ts, by fleet/execute.test.ts': {
    'A run that has written nothing restores nothing.': ' || ended.isUnchanged →',
  },
  'rollout/verify/bake.ts': {
    'A row of failures ends a bake.': 'if (row.length < BAKE_FAILURES) → if (row.length <= BAKE_FAILURES)',
    'A success ends a row of failures.':
      "return { bake: { ...before, row: [], reportedAt }, events, next: { kind: 'read', at } } → return { bake: { ...before, reportedAt }, events, next: { kind: 'read', at } }",
  },
})
