import type { Mutant } from '../../../scripts/mutants/mutant.ts'

export const ROLLOUT_WATCH: readonly Mutant[] = [
  {
    file: 'rollout/watch/watched.ts',
    guard: 'A later answer counts that shows another revision as active.',
    text: 'this.#activeId !== undefined && !sameId(this.#activeId, id)',
    becomes: 'this.#activeId === null',
  },
  {
    file: 'rollout/watch/confirm.ts',
    guard: 'A later answer that shows another revision as active may be of a lagging replica.',
    text: 'await confirmEnd(revision, about, {',
    becomes:
      "last.contradictsActive(revision) ? { kind: 'superseded' as const, by: '' } : await confirmEnd(revision, about, {",
    test: 'rollout/watch/watched.test.ts',
  },
  {
    file: 'rollout/watch/confirm.ts',
    guard: 'A control plane that has reported an active revision is waited for.',
    text: 'ended.reportsActive || last.contradictsActive(revision)',
    becomes: 'ended.reportsActive',
    test: 'rollout/watch/watched.test.ts',
  },
  {
    file: 'rollout/watch/watched.ts',
    guard: 'An answer that lacks the active revision shows nothing.',
    text: 'if (activeRevisionId !== undefined) this.',
    becomes: 'this.',
  },
  {
    file: 'rollout/watch/made-twice.ts',
    guard: 'The look for a second result takes time, in which another revision may become active.',
    text: 'return await confirmAgain(ended, last, deps)',
    becomes: 'return ended.outcome',
    test: 'rollout/watch/watched.test.ts',
  },
  {
    file: 'rollout/watch/confirm.ts',
    guard: 'What can no longer be read stays as it was confirmed only if nothing contradicts it.',
    text: '!last.contradictsActive(revision)) return outcome',
    becomes: 'true) return outcome',
  },
  {
    file: 'rollout/watch/watched.ts',
    guard: 'A deployment that is not found any more has no active revision.',
    text: 'if (isNotFound(thrown)) this.#activeId = null',
    becomes: '',
    test: 'rollout/verify/verify.test.ts',
  },
  {
    file: 'rollout/watch/watched.ts',
    guard: 'A list of deployments is an answer about each of them.',
    text: 'seeIn(page.resources)',
    becomes: 'seeIn([])',
  },
  {
    file: 'rollout/watch/confirm.ts',
    guard: 'A confirmation that the end of the time cuts shows no successor.',
    text: 'ms < ACTIVATION_GRACE_MS',
    becomes: 'ms < LEAST_GRACE_MS',
    test: 'rollout/rollback/finish.test.ts',
  },
  {
    file: 'rollout/watch/confirm.ts',
    guard: 'A revision is deployed only if it is the active one.',
    text: "if (sameId(active, revision.id)) return { kind: 'deployed', confirmed: true }",
    becomes: "if (active !== undefined) return { kind: 'deployed', confirmed: true }",
  },
  {
    file: 'rollout/watch/confirm.ts',
    guard: 'What was active before the last read, which failed, may have changed.',
    text: "const active = typeof last === 'string' ? undefined : last.activeRevisionId",
    becomes: "const active = typeof last === 'string' ? options.before?.activeRevisionId : last.activeRevisionId",
  },
  {
    file: 'rollout/watch/confirm.ts',
    guard: 'One response may lack what others have.',
    text: "return reportsActive ? undefined : { kind: 'deployed', confirmed: false }",
    becomes: "return { kind: 'deployed', confirmed: false }",
  },
  {
    file: 'rollout/watch/confirm.ts',
    guard: 'A newer revision that is under way does not supersede a deployed one.',
    text: '{ ...deployment, latestRevisionId: undefined }',
    becomes: 'deployment',
  },
  {
    file: 'rollout/watch/superseded.ts',
    guard: 'The revision before the rollout does not supersede it.',
    text: 'const known = [ours.id, before?.latestRevisionId, before?.activeRevisionId]',
    becomes: 'const known = [ours.id]',
  },
  {
    file: 'rollout/watch/superseded.ts',
    guard: 'A short list that lacks ours is older than ours.',
    text: "return ids.length < LISTED_REVISIONS ? 'older' : 'unknown'",
    becomes: "return 'unknown'",
  },
  {
    file: 'rollout/watch/superseded.ts',
    guard: 'The place in the list decides which one is newer.',
    text: "return place < ourPlace ? 'newer' : 'older'",
    becomes: "return 'newer'",
  },
  {
    file: 'rollout/watch/watch.ts',
    guard: 'A newer revision does not take the place of the one that an answer names.',
    text: "return { kind: 'ended', ended: { ...end.ended, outcome: await confirmBesides(end.ended, deps) } }",
    becomes: `let next = watched
  const emit: Dependencies['emit'] = (event) => {
    if (event.kind === 'made-twice' && !event.isDoubtful)
      next = { ...watched, revisionId: event.other, revision: undefined, repeated: [] }
    deps.emit(event)
  }
  const outcome = await confirmBesides(end.ended, { ...deps, emit })
  if (next !== watched) return await new Watch(next, commit, request, deps).end()
  return { kind: 'ended', ended: { ...end.ended, outcome } }`,
    test: 'rollout/repeated-write.test.ts',
  },
  {
    file: 'rollout/watch/made-twice.ts',
    guard: 'A revision that is created long after a repeated write is not ours.',
    text: 'isPastLag: true, ...spanAround(createdAt, sinceFirstMs)',
    becomes: 'isPastLag: true',
    test: 'rollout/repeated-write.test.ts',
  },
  {
    file: 'rollout/watch/made-twice.ts',
    guard: 'What else is new is named as another one.',
    text: "!sameId(revision.id, ours) && (!isSentOnce || kinship === 'ours')",
    becomes: "!sameId(revision.id, ours) && kinship === 'ours'",
  },
  {
    file: 'rollout/watch/made-twice.ts',
    guard: 'One of another configuration is doubted.',
    text: "...(kinship !== 'ours' && { isDoubtful: true })",
    becomes: '',
  },
  {
    file: 'rollout/watch/step.ts',
    guard: 'A revision of another commit is not watched.',
    text: 'if (commit !== undefined && revision.repoCommitSha !== undefined && !sameCommit',
    becomes: 'if (commit !== undefined && revision.repoCommitSha === undefined && !sameCommit',
  },
  {
    file: 'rollout/watch/step.ts',
    guard: 'A deployment is gone only after a while.',
    text: 'if (moment.now - goneSince >= GONE_AFTER_MS)',
    becomes: 'if (moment.now >= goneSince)',
  },
  {
    file: 'rollout/watch/step.ts',
    guard: 'A missing revision may lag on a replica.',
    text: 'isNotFound(error) && moment.now - before.startedAt < REPLICA_LAG_MS',
    becomes: 'false',
  },
  {
    file: 'rollout/watch/step.ts',
    guard: 'The phases of a revision of an earlier run are not timed: its queue may have begun before.',
    text: 'limits.isAttached === true ||',
    becomes: '',
  },
  {
    file: 'rollout/watch/step.ts',
    guard: 'The watch ends at the deadline.',
    text: 'if (now >= deadline) return ended',
    becomes: 'if (now > 2 * deadline) return ended',
  },
  {
    file: 'rollout/watch/step.ts',
    guard: 'A phase has its own limit.',
    text: 'if (limit !== undefined && now >= limit.endsAt)',
    becomes: 'if (limit !== undefined && now > 2 * limit.endsAt)',
  },
  {
    file: 'rollout/watch/step.ts',
    guard: 'An unknown status does not restart a phase.',
    text: "phase !== before.phase?.name && (phase !== 'unknown' || before.phase === undefined)",
    becomes: 'phase !== before.phase?.name',
  },
  {
    file: 'rollout/watch/log-step.ts',
    guard: 'A line that is shown is not shown again.',
    text: 'const isNew = !keys.has(key)',
    becomes: 'const isNew = true',
  },
  {
    file: 'rollout/watch/log-step.ts',
    guard: 'A page that repeats what is known adds only the rest.',
    text: 'entries.slice(tail.known)',
    becomes: 'entries.slice(0)',
  },
  {
    file: 'rollout/watch/log-step.ts',
    guard: 'Live logs have a limit.',
    text: 'const shown = lines.slice(0, state.left)',
    becomes: 'const shown = lines',
  },
  {
    file: 'rollout/watch/watch.ts',
    guard: 'A Retry-After counts among many watches, too.',
    text: 'lookout === undefined || isAskedToWait',
    becomes: 'lookout === undefined',
  },
  {
    file: 'rollout/watch/watch.ts',
    guard: 'An answer that has ended an earlier pause confirms nothing.',
    text: 'this.#seen = undefined',
    becomes: '',
  },
  {
    file: 'rollout/watch/watch.ts',
    guard: 'A service that reports a revision as active before its end is not read all the time.',
    text: 'return this.#deps.clock.now() >= this.#eager.from',
    becomes: 'return true',
  },
  {
    file: 'rollout/watch/watch.ts',
    guard: 'A revision that is judged already is not judged again.',
    text: "return unknown !== '' && unknown !== this.#judged",
    becomes: "return unknown !== ''",
  },
  {
    file: 'rollout/watch/learning.ts',
    guard: 'Outliers are no usual time.',
    text: 'times.length < ENOUGH_SAMPLES ? 0 : Math.floor(times.length / 5)',
    becomes: '0',
  },
  {
    file: 'rollout/watch/planner.ts',
    guard: 'Polls have a longest pause.',
    text: 'return Math.min(longest, Math.max(shortest',
    becomes: 'return Math.max(0, Math.max(shortest',
    test: 'rollout/watch/schedule.test.ts',
  },
  {
    file: 'rollout/watch/knowledge.ts',
    guard: 'A surprise stays possible.',
    text: 'const SURPRISES = 0.06',
    becomes: 'const SURPRISES = 0',
    test: 'rollout/watch/planner.test.ts',
  },
  {
    file: 'rollout/watch/planner.ts',
    guard: 'The pause between polls is not beyond its bound.',
    text: 'if (moment > last && to > from + 1) break',
    becomes: '',
  },
  {
    file: 'rollout/watch/watched.ts',
    guard: 'What is active beside the latest revision is older, also if that one has ended.',
    text: '{ ...attachTo(deployment, revision), before: { ...deployment, latestRevisionId: undefined, settings: {} } }',
    becomes: 'attachTo(deployment, revision)',
  },
  {
    file: 'rollout/watch/made-twice.ts',
    guard: 'Without a repetition, only what is like ours is named.',
    text: "(!isSentOnce || kinship === 'ours')",
    becomes: 'true',
  },
  {
    file: 'rollout/watch/superseded.ts',
    guard: 'A short list may be cut before the revision that a rollback goes back to.',
    text: 'ids.some((one) => sameId(one, than.id)) ? ageInList(id, than.id, ids) :',
    becomes: 'ids.length > 0 ? ageInList(id, than.id, ids) :',
  },
  {
    file: 'report/fold.ts',
    guard: 'What was found, and shows no commit, is not noted as the own revision.',
    text: 'isFound && revision?.repoCommitSha === undefined',
    becomes: 'isFound && revision === undefined',
  },
]
