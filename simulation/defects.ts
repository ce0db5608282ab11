import type { OperationName } from './operations.ts'

interface Change {
  /** Inside `src/`. */
  file: string
  /** Occurs once in the file. */
  text: string
  becomes: string
}

/** A defect that the action has had, or nearly had, put back by changes of its text. */
export interface Defect {
  name: string
  /** Several where one guard alone is not the only one. */
  changes: readonly Change[]
  /** Whose runs can find it. */
  operation: OperationName
}

/** Asks a job for the action as it is. */
export const WITHOUT = 'without the defect'

/** Each must be found within 10,000 runs: `npm run simulate:defects`. */
export const DEFECTS: readonly Defect[] = [
  {
    name: 'a revision repeated without looking',
    changes: [
      {
        file: 'rollout/apply/write-once.ts',
        text: 'const result = await findLostWrite(lost, sentAt, findNew, deps)',
        becomes: 'const result: PossibleResult<Made> | undefined = undefined',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'an answer about another revision believed',
    changes: [
      {
        file: 'control-plane/routes.ts',
        text: 'revisionId, ({ id }) => sameId(id, revisionId)',
        becomes: 'revisionId, () => true',
      },
    ],
    operation: 'rollout',
  },
  {
    name: "a stranger's revision resumed",
    changes: [
      {
        file: 'rollout/plan/compare-active.ts',
        text: "return sameCommit(built, ours) ? undefined : { kind: 'other-commit' }",
        becomes: 'return undefined',
      },
      {
        file: 'rollout/watch/step.ts',
        text: 'if (commit !== undefined && revision.repoCommitSha !== undefined && !sameCommit',
        becomes: 'if (commit !== undefined && revision.repoCommitSha === undefined && !sameCommit',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a deletion without asking GitHub',
    changes: [
      {
        file: 'previews/choose-removals.ts',
        text: "if (state === 'closed' || state === 'unlabeled') return",
        becomes: "if (state !== 'closed' || state !== 'unlabeled') return",
      },
    ],
    operation: 'sweep',
  },
  {
    name: 'a list that shifts believed',
    changes: [
      {
        file: 'control-plane/many.ts',
        text: 'if (!isLong || pageSize === undefined) return',
        becomes: 'if (pageSize !== undefined) return',
      },
    ],
    operation: 'teardown',
  },
  {
    name: 'a fleet that starts after its limit',
    changes: [
      { file: 'fleet/execute.ts', text: 'const isLate = clock.now() >= deadline', becomes: 'const isLate = false' },
      {
        file: 'fleet/execute.ts',
        text: 'Math.min(deadline, clock.now() + planned.entry.request.timeoutMs)',
        becomes: 'clock.now() + planned.entry.request.timeoutMs',
      },
    ],
    operation: 'fleet',
  },
  {
    name: 'a rollback without evidence',
    changes: [
      {
        file: 'rollout/finish.ts',
        text: "if (outcome.evidence === 'none') return { kind: 'no-evidence' }",
        becomes: '',
      },
    ],
    operation: 'rollout',
  },
  {
    name: "a secret of one fleet entry in another's request",
    changes: [
      {
        file: 'inputs/manifest/values.ts',
        text: 'masked.add(name)\n      return value',
        becomes: "masked.add(name)\n      return env[name.replace(/\\d+$/, '1')] ?? value",
      },
    ],
    operation: 'fleet',
  },
  {
    name: 'a superseded revision called deployed',
    changes: [
      {
        file: 'rollout/watch/confirm.ts',
        text: "if (sameId(active, revision.id)) return { kind: 'deployed', isConfirmed: true }\n    // One",
        becomes: "if (active !== undefined) return { kind: 'deployed', isConfirmed: true }\n    // One",
      },
    ],
    operation: 'rollout',
  },
  {
    name: "a killed run's second revision",
    changes: [
      {
        file: 'rollout/plan/compare-active.ts',
        text: 'if (!isOpen && (obstacle !== undefined || !isNotActiveYet(latest, current))) return',
        becomes: 'if (!isOpen) return',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'no check of the name before a write',
    changes: [
      {
        file: 'rollout/apply/changes.ts',
        text: 'return now.name === name ? undefined',
        becomes: 'return now.name !== undefined ? undefined',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a third value after a lost PATCH believed',
    changes: [
      {
        file: 'rollout/apply/patch.ts',
        text: 'isPatchAcknowledged ? fieldsStillOld : [...fieldsStillOld, ...setByOthers, ...notReported]',
        becomes: 'isPatchAcknowledged ? fieldsStillOld : [...fieldsStillOld, ...notReported]',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'the answer to its own PATCH not looked at',
    changes: [
      {
        file: 'rollout/apply/basis.ts',
        text: '!answers.some(isChanged)) return previous',
        becomes: 'answers.length > 0) return previous',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a setting that others change after its PATCH ignored',
    changes: [
      {
        file: 'rollout/apply/changes.ts',
        text: 'patched.includes(field) ? isThird(field, now.settings, own) : others.includes(field)',
        becomes: '!patched.includes(field) && others.includes(field)',
      },
      {
        file: 'rollout/apply/changes.ts',
        text: 'return setFields(confirmed).filter(isReplaced)',
        becomes: 'return setFields(confirmed, []).filter(isReplaced)',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a revision whose commit nothing shows taken for its own without a word',
    changes: [
      { file: 'rollout/execute.ts', text: "isFound && built === 'git_host'", becomes: "isFound && built === 'none'" },
    ],
    operation: 'rollout',
  },
  {
    name: 'a change after its PATCH that no plan shows applied with an approved plan',
    changes: [
      {
        file: 'rollout/prepare.ts',
        text: 'approved !== undefined && change !== undefined &&',
        becomes: 'approved === null && change !== undefined &&',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a lost PATCH of a rollback repeated over the value of others',
    changes: [
      { file: 'rollout/rollback/automatic.ts', text: '{ isRestoration: true }', becomes: '{ isRestoration: false }' },
    ],
    operation: 'rollout',
  },
  {
    name: 'a setting that a colleague has cleared set again by a rollback',
    changes: [
      {
        file: 'rollout/fields/compare.ts',
        text: 'reported[field] === undefined && before',
        becomes: 'reported === undefined && before',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a look after a lost PATCH that does not compare the name',
    changes: [
      {
        file: 'rollout/apply/patch-known.ts',
        text: 'await basis.read()',
        becomes: 'await deps.controlPlane.getDeployment(id)',
      },
      { file: 'rollout/apply/patch-known.ts', text: 'await basis.renew()', becomes: '' },
    ],
    operation: 'rollout',
  },
  {
    name: "a colleague's newer revision taken for the one that an answer has named",
    changes: [
      {
        file: 'rollout/watch/watch.ts',
        text: 'return { ...end, outcome: await confirmBesides(end, deps) }',
        becomes: `let newest: string | undefined
  const outcome = await confirmBesides(end, { ...deps, emit: (event) => {
    const isNewer = event.kind === 'made-twice' && !event.isDoubtful && end.outcome.kind === 'superseded'
    if (isNewer && !event.isSentOnce) newest = event.other
    deps.emit(event)
  } })
  if (newest !== undefined) {
    const next = { ...watched, revisionId: newest, revision: undefined, repeated: [] }
    return await new Watch(next, commit, request, deps).end()
  }
  return { ...end, outcome }`,
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'going back hides a new revision',
    changes: [
      {
        file: 'rollout/apply/revise-once.ts',
        text: '!newer.some(isLatest) && !isBack',
        becomes: '!newer.some(isLatest)',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a commit that is reported late not compared',
    changes: [
      { file: 'rollout/execute.ts', text: 'commit: isFound ? plan.commit : undefined', becomes: 'commit: undefined' },
    ],
    operation: 'rollout',
  },
  {
    name: 'no tolerance for clocks that are a second apart',
    changes: [
      {
        file: 'rollout/apply/write-once.ts',
        text: 'createdAt < since - TIME_TOLERANCE_MS',
        becomes: 'createdAt < since',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a 429 followed without a new read',
    changes: [
      {
        file: 'rollout/apply/basis.ts',
        text: 'if (thrown instanceof BusyError) this.#readAt = -Infinity',
        becomes: '',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a second comment on the pull request kept',
    changes: [
      {
        file: 'github/comment.ts',
        text: 'for (const { id } of later) await remove(this.#gitHub, id)',
        becomes: 'void later',
      },
    ],
    operation: 'preview',
  },
  {
    name: 'a preview of another pull request deleted',
    changes: [
      {
        file: 'previews/preview-name.ts',
        text: 'previewName(name, Number(digits)) === deploymentName ? Number(digits) : undefined',
        becomes: 'Number(digits)',
      },
    ],
    operation: 'sweep',
  },
  {
    name: 'a cancelled run that says failed',
    changes: [
      {
        file: 'run.ts',
        text: "if (signal.aborted) return { ended: { operation: 'any', outcome: { kind: 'cancelled' } }, shownRun }",
        becomes: '',
      },
    ],
    operation: 'wait',
  },
  {
    name: 'a success with an exit code for failure, and the reverse',
    changes: [
      { file: 'rollout/outcome.ts', text: "return onSuperseded === 'fail'", becomes: "return onSuperseded !== 'fail'" },
    ],
    operation: 'rollout',
  },
  {
    name: 'a deletion repeated without looking',
    changes: [
      {
        file: 'previews/remove.ts',
        text: 'await check(lost !== undefined, deps)',
        becomes: "retries > 0 ? ({ kind: 'remove' } as const) : await check(false, deps)",
      },
    ],
    operation: 'teardown',
  },
  {
    name: 'the part of a name taken for the name',
    changes: [
      {
        file: 'rollout/read/find-deployment.ts',
        text: 'deployment.name === name && deployment.isPreviewBuild !== true',
        becomes: 'deployment.name.startsWith(name) && deployment.isPreviewBuild !== true',
      },
    ],
    operation: 'teardown',
  },
  {
    name: 'a token sent on to another origin',
    changes: [
      {
        file: 'github/octokit.ts',
        text: 'if (next?.origin !== url.origin || hop === MAX_REDIRECTS)',
        becomes: 'if (next === null || hop === MAX_REDIRECTS)',
      },
    ],
    operation: 'preview',
  },
  {
    name: 'the key of an app sent on to another origin',
    changes: [
      {
        file: 'control-plane/probe.ts',
        text: 'if (next?.origin !== address.origin || next.protocol !== address.protocol)',
        becomes: 'if (next?.hostname !== address.hostname)',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a failed rollout whose GitHub Deployment is a success',
    changes: [
      {
        file: 'report/messages.ts',
        text: "const FAILED: Look = { mark: '❌', state: 'failure' }",
        becomes: "const FAILED: Look = { mark: '❌', state: 'success' }",
      },
    ],
    operation: 'preview',
  },
  {
    name: 'a secret that a build prints, in the log',
    changes: [
      {
        file: 'report/log.ts',
        text: 'this.write(title, this.#redactor.redactTail(lines, LOG_TAIL_LINES))',
        becomes: 'this.write(title, lines)',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a wait for the end of a deletion without pauses',
    changes: [{ file: 'previews/remove.ts', text: 'yield pauseMs', becomes: 'yield 1' }],
    operation: 'teardown',
  },
  {
    name: 'a deployment deleted by its name alone',
    changes: [
      {
        file: 'previews/choose-removals.ts',
        text: 'if (stranger !== undefined) return { ...preview',
        becomes: 'if (stranger !== undefined && deployment.id === "") return { ...preview',
      },
    ],
    operation: 'preview-fleet',
  },
  {
    name: "an untouched entry's deployment deleted by its name",
    changes: [{ file: 'previews/fleet-teardown.ts', text: "|| parts.get(name) !== 'touched'", becomes: '' }],
    operation: 'preview-fleet',
  },
  {
    name: "a dry run's finding noted as a preview",
    changes: [
      {
        file: 'notify/record-facts.ts',
        text: "change === 'none' || isDryRun || deployment",
        becomes: "change === 'none' || deployment",
      },
    ],
    operation: 'preview-fleet',
  },
  {
    name: 'no confirmation after the look for the twin of a lost write',
    changes: [
      {
        file: 'rollout/watch/made-twice.ts',
        text: 'return await confirmAgain(ended, last, deps)',
        becomes: `const { revision } = ended
  const isConfirmed = revision === undefined || !last.contradictsActive(revision)
  return isConfirmed ? ended.outcome : await confirmAgain(ended, last, deps)`,
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a run that has lost a write and claims that it wrote nothing',
    changes: [
      {
        file: 'report/written.ts',
        text: 'sentences(uncertain ?? NOTHING_WRITTEN, continuing(row))',
        becomes: 'sentences(NOTHING_WRITTEN, continuing(row))',
      },
    ],
    operation: 'promotion',
  },
  {
    name: 'a release that serves left after a failed rollout',
    changes: [
      {
        file: 'rollout/rollback/never-served.ts',
        text: 'if (isStartedByHand && !(await isOneOfThisRun(since, deps)))',
        becomes: 'if (since.length > 0)',
      },
    ],
    operation: 'rollback',
  },
  {
    name: 'a list of a lagging replica believed before a rollback',
    changes: [
      {
        file: 'rollout/rollback/previous.ts',
        text: 'previous.since.every(hasNeverServed)',
        becomes: "previous.since.every(({ status }) => status !== 'DEPLOYED')",
      },
    ],
    operation: 'rollback',
  },
  {
    name: 'unknown files taken for changed ones when previews are deleted',
    changes: [
      {
        file: 'previews/fleet-teardown.ts',
        text: "parts.get(name) !== 'touched'",
        becomes: "parts.get(name) === 'untouched'",
      },
    ],
    operation: 'preview-fleet',
  },
  {
    name: 'a preview that is kept because GitHub has failed, in a green step',
    changes: [
      {
        file: 'previews/sweep.ts',
        text: 'const unknownCount = unknown.size + unproved',
        becomes: 'const unknownCount = unknown.size',
      },
    ],
    operation: 'preview-fleet',
  },
  {
    name: 'notes that GitHub has not returned taken for none',
    changes: [
      {
        file: 'previews/choose-removals.ts',
        text: "if (notes === 'unanswered') return",
        becomes: 'if (notes === undefined) return',
      },
    ],
    operation: 'preview-fleet',
  },
  {
    name: 'an approved plan of a fleet that is not compared',
    changes: [
      {
        file: 'fleet/fleet.ts',
        text: 'if (difference !== undefined) return',
        becomes: 'if (difference === null) return',
      },
    ],
    operation: 'fleet',
  },
  {
    name: "another author's comment taken for ours",
    changes: [
      {
        file: 'github/comment.ts',
        text: 'oldest === undefined ? await loginOfToken(gitHub, author) :',
        becomes: 'oldest === undefined ? author :',
      },
    ],
    operation: 'preview',
  },
  {
    name: "another author's later comment deleted as a second one of ours",
    changes: [{ file: 'github/comment.ts', text: ': oldest.user?.login.toLowerCase()', becomes: ': author' }],
    operation: 'preview',
  },
  {
    name: 'a list of revisions believed that contradicts its order',
    changes: [
      {
        file: 'rollout/read/age.ts',
        text: 'return isReversed || isContradicted ? undefined : listed',
        becomes: 'return isReversed && isContradicted && listed?.length === 0 ? undefined : listed',
      },
    ],
    operation: 'rollback',
  },
  {
    name: 'the commit of a newer revision that is not active taken for the deployed one',
    changes: [
      {
        file: 'rollout/plan/compare-active.ts',
        text: 'const isNewest = newest === undefined || sameId(newest, serving)\n  const deployed',
        becomes: 'const isNewest = newest !== ""\n  const deployed',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'one refused read of a check taken for a refusal of all',
    changes: [
      {
        file: 'rollout/verify/evidence.ts',
        text: "ends.every((end) => end === 'refused')",
        becomes: "ends.some((end) => end === 'refused')",
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'failed reads with good ones between them taken for a row',
    changes: [
      {
        file: 'rollout/verify/bake.ts',
        text: 'return { bake: { ...before, row: [], reportedAt }',
        becomes: 'return { bake: { ...before, reportedAt }',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a creation of somebody else taken for the approved one',
    changes: [
      {
        file: 'rollout/plan/approval.ts',
        text: 'if (wanted === undefined) return isNoted || !isNeverAddedByService(key, value, after)',
        becomes: 'if (wanted === undefined) return isNoted || !isNeverAddedByService(key, value, after) || true',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a newer revision overlooked since an approval',
    changes: [
      {
        file: 'rollout/plan/approval.ts',
        text: "return isNoted || compareReported(before.latest, there.latest, sameId) !== 'other'",
        becomes: "return isNoted || compareReported(before.latest, there.latest, sameId) !== 'not-reported'",
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a part taken for what was approved',
    changes: [
      {
        file: 'rollout/plan/approval.ts',
        text: 'const keys = keysOf(requested, now.requested).filter(',
        becomes: 'const keys = keysOf(now.requested).filter(',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'an approved plan refused after its own patch',
    changes: [
      {
        file: 'rollout/plan/approval.ts',
        text: 'after.has(inputOf(key)) && after.get(key) === deployed.get(key)',
        becomes: 'after.has(inputOf(key)) && after.get(key) === null',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'writes of a fleet at once, after reads that have waited behind them',
    changes: [
      {
        file: 'fleet/budget.ts',
        text: "['basis', 'look', 'end', 'write', 'read']",
        becomes: "['write', 'basis', 'look', 'end', 'read']",
      },
      {
        file: 'fleet/budget.ts',
        text: "return kind === 'basis' ? pausedUntil : nextAt",
        becomes: 'return Math.max(pausedUntil, nextAt)',
      },
      {
        file: 'fleet/budget.ts',
        text: 'const room = mostInWindow(rate.ceiling) - kept',
        becomes: 'const room = mostInWindow(rate.ceiling) * 100 - kept',
      },
    ],
    operation: 'fleet',
  },
  {
    name: 'a revision from before a late turn taken for the result of a lost write',
    changes: [
      { file: 'rollout/apply/basis.ts', text: 'await this.renew()', becomes: '' },
      {
        file: 'rollout/apply/write-once.ts',
        text: 'createdAt < since - TIME_TOLERANCE_MS',
        becomes: 'createdAt < since - 60_000',
      },
    ],
    operation: 'fleet',
  },
  {
    name: 'a write that waits for its read, not counted by the budget',
    changes: [
      {
        file: 'fleet/budget.ts',
        text: 'const room = mostInWindow(rate.ceiling) - kept',
        becomes: 'const room = mostInWindow(rate.ceiling) - 0 * kept',
      },
    ],
    operation: 'fleet',
  },
  {
    name: 'reads before a write that cost nothing',
    changes: [
      {
        file: 'fleet/budget.ts',
        text: 'this.#load.rate = afterRequest(this.#load.rate, now)',
        becomes: "if (next.kind !== 'basis') this.#load.rate = afterRequest(this.#load.rate, now)",
      },
      {
        file: 'fleet/budget.ts',
        text: 'else this.#noteSent()',
        becomes: "else if (next.kind !== 'basis') this.#noteSent()",
      },
    ],
    operation: 'fleet',
  },
  {
    name: 'the previews of a fleet deleted without its budget',
    changes: [{ file: 'dispatch.ts', text: 'withBudget(toDelete.requestsPerSecond, run)', becomes: 'run' }],
    operation: 'preview-fleet',
  },
  {
    name: 'a Retry-After of no time that is obeyed',
    changes: [
      {
        file: 'http/retry.ts',
        text: 'if (askedMs === undefined) return Math.round(random() * wholeMs)',
        becomes: 'if (askedMs === undefined || askedMs === 0) return Math.round(random() * (askedMs ?? wholeMs))',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'a rate limit of GitHub that is over, obeyed',
    changes: [
      {
        file: 'github/retry.ts',
        text: 'const pauseMs = pauseBefore(retry, limit.askedMs, BACKOFF)',
        becomes: 'const pauseMs = limit.askedMs ?? 0',
      },
    ],
    operation: 'preview',
  },
  {
    name: 'what served before a write said of the time after it',
    changes: [
      {
        file: 'report/fold-serving.ts',
        text: 'const readAt = deployment.readAt ?? (isAnswer ? at : -Infinity)',
        becomes: 'const readAt = isAnswer ? at : at',
      },
    ],
    operation: 'rollout',
  },
  {
    name: 'an accepted PATCH forgotten',
    changes: [
      { file: 'rollout/apply/patch-known.ts', text: 'if (!isRestoration) emit(', becomes: 'if (isRestoration) emit(' },
    ],
    operation: 'rollout',
  },
  {
    name: 'an entry of an earlier push compared with a later one',
    changes: [
      {
        file: 'github/changed-files.ts',
        text: "if (status !== 'ahead' || !('merge_base_commit' in compared))",
        becomes: "if (!('merge_base_commit' in compared))",
      },
    ],
    operation: 'fleet-part',
  },
  {
    name: 'a list of 300 changed files taken for all',
    changes: [
      { file: 'github/changed-files.ts', text: 'if (files.length >= MOST_FILES)', becomes: 'if (files.length < 0)' },
    ],
    operation: 'fleet-part',
  },
  {
    name: 'the path of a file before it was renamed ignored',
    changes: [
      { file: 'github/changed-files.ts', text: 'before ? [filename, before] : [filename]', becomes: '[filename]' },
    ],
    operation: 'fleet-part',
  },
  {
    name: 'a changed text of the manifest ignored',
    changes: [{ file: 'fleet/changes.ts', text: "if (!isSameText) return { kind: 'manifest' }", becomes: '' }],
    operation: 'fleet-part',
  },
  {
    name: 'a failed revision with the commit of the push taken for the deployed one',
    changes: [
      { file: 'fleet/changes.ts', text: 'if (!isLatestActive || isBeingDeleted)', becomes: 'if (isBeingDeleted)' },
    ],
    operation: 'fleet-part',
  },
  {
    name: 'a deployment rolled out without its variable',
    changes: [{ file: 'fleet/fleet.ts', text: 'if (unset.length > 0) throw', becomes: 'if (unset.length < 0) throw' }],
    operation: 'fleet-part',
  },
  {
    name: 'an earlier GitHub Deployment of an image taken for that of its active revision',
    changes: [
      {
        file: 'github/deployed-commits.ts',
        text: 'if (!noted.some((revisionId) => sameId(revisionId, active.get(name)))) continue',
        becomes: '',
      },
    ],
    operation: 'fleet-part',
  },
  {
    name: 'an entry without a change rolled out',
    changes: [
      {
        file: 'fleet/changed-since.ts',
        text: "if (verdict?.kind === 'no-change') return",
        becomes: "if (verdict?.kind === 'only') return",
      },
    ],
    operation: 'fleet-part',
  },
  {
    name: 'an excluded entry rolled out',
    changes: [
      {
        file: 'fleet/only.ts',
        text: 'return isIncluded && !excluded.some((pattern) => matchesName(pattern, name))',
        becomes: 'return isIncluded',
      },
    ],
    operation: 'fleet-part',
  },
]
