import { mutantsOf } from '../../../scripts/mutants/mutant.ts'

export const ROLLOUT_WATCH = mutantsOf({
  'rollout/execute.ts': {
    'What serves unchanged is read again after the look for what was lost.':
      "if (serving.kind !== 'deployed') return serving →",
  },
  'control-plane/errors.ts, by rollout/watch/last-look.test.ts': {
    'Both statuses of refused credentials are known.':
      'thrown.status === 401 || thrown.status === 403) → thrown.status === 401)',
  },
  'rollout/watch/last-look.ts': {
    'Refused credentials are not sent again.': '!areCredentialsRefused(error) && → ',
    'A server that asks to wait gets no further request.': ' && askedWaitMs(error) === 0 →',
    'A last look ends after its time.': ' || clock.now() + LAST_ATTEMPT_MS > deadline →',
  },
  'rollout/watch/watch.ts, by rollout/watch/watch.test.ts': {
    'A revision under way may still report its commit.':
      "phaseOf(end.revision.status) === 'terminal') reportUncompared → phaseOf(end.revision.status) !== 'unknown') reportUncompared",
    'What reports its commit was compared.': 'isAdopted && revision?.repoCommitSha === undefined → isAdopted',
    'What an answer has named is of the run.':
      'isAdopted && revision?.repoCommitSha === undefined → revision?.repoCommitSha === undefined',
    'Only a heartbeat reads how long earlier rollouts took.':
      "event.kind === 'heartbeat' ? await readUsualTime → event.kind !== 'poll-failed' ? await readUsualTime",
  },
  'rollout/watch/watched.ts': {
    'A later answer counts that shows another revision as active.':
      'this.#activeId !== undefined && !sameId(this.#activeId, id) → this.#activeId === null',
    'An answer that lacks the active revision shows nothing.': 'if (activeRevisionId !== undefined) this. → this.',
    'A list of deployments is an answer about each of them.': 'seeIn(page.resources) → seeIn([])',
    'What is active beside the latest revision is older, also if that one has ended.':
      '{ ...attachTo(deployment, revision), before: { ...deployment, latestRevisionId: undefined, settings: {} } } → attachTo(deployment, revision)',
  },
  'rollout/watch/watched.ts, by rollout/verify/verify.test.ts': {
    'A deployment that is not found any more has no active revision.': 'if (isNotFound(thrown)) see(undefined) →',
  },
  'rollout/watch/confirm.ts': {
    'A deployment that is missing for long is deleted.':
      'clock.now() - goneSince >= GONE_AFTER_MS → clock.now() - goneSince >= 2 * ACTIVATION_GRACE_MS',
    'A deployment that is missing for a moment may lag on a replica.':
      'goneSince = isGone ? (goneSince ?? clock.now()) : undefined → goneSince ??= isGone ? clock.now() : undefined',
    'What can no longer be read stays as it was confirmed only if nothing contradicts it.':
      '!last.contradictsActive(revision)) return outcome → true) return outcome',
    'A revision is deployed only if it is the active one.':
      "if (sameId(active, revision.id)) return { kind: 'deployed', isConfirmed: true } → if (active !== undefined) return { kind: 'deployed', isConfirmed: true }",
    'What was active before the last read, which failed, may have changed.':
      "const active = typeof last === 'string' ? undefined : last.activeRevisionId → const active = typeof last === 'string' ? options.before?.activeRevisionId : last.activeRevisionId",
    'One response may lack what others have.':
      "return reportsActive ? undefined : { kind: 'deployed', isConfirmed: false } → return { kind: 'deployed', isConfirmed: false }",
    'A newer revision that is under way does not supersede a deployed one.':
      '{ ...deployment, latestRevisionId: undefined } → deployment',
    'The revision before the rollout does not supersede it.':
      'const knownIds = [ours, before?.latestRevisionId, before?.activeRevisionId] → const knownIds = [ours]',
    'A short list that lacks ours is older than ours.':
      "return ids.length < LISTED_REVISIONS ? 'older' : 'unknown' → return 'unknown'",
    'The place in the list decides which one is newer.': "return place < ourPlace ? 'newer' : 'older' → return 'newer'",
    'A short list may be cut before the revision that a rollback goes back to.':
      'ids.some((one) => sameId(one, than.id)) ? ageInList(id, than.id, ids) : → ids.length > 0 ? ageInList(id, than.id, ids) :',
  },
  'rollout/watch/confirm.ts, by rollout/watch/watched.test.ts': {
    'A later answer that shows another revision as active may be of a lagging replica.':
      "await confirmEnd(revision, watched, { → last.contradictsActive(revision) ? { kind: 'superseded' as const, by: '' } : await confirmEnd(revision, watched, {",
    'A control plane that has reported an active revision is waited for.':
      'ended.reportsActive || last.contradictsActive(revision) → ended.reportsActive',
  },
  'rollout/watch/confirm.ts, by rollout/finish.test.ts': {
    'A confirmation that the end of the time cuts shows no successor.':
      'ms < ACTIVATION_GRACE_MS → ms < LEAST_GRACE_MS',
  },
  'rollout/watch/made-twice.ts': {
    'A deployment that was there is not the result of a lost creation.':
      '!write.before.some(({ id }) => sameId(id, deploymentId)) → true',
    'A revision that was there is not the result of a lost write.':
      '![latestRevisionId, activeRevisionId].some((id) => sameId(id, revisionId)) → true',
    'What else is new is named as another one.': "!isSentOnce || kinship === 'ours' → kinship === 'ours'",
    'One of another configuration is doubted.': "...(kinship !== 'ours' && { isDoubtful: true }) →",
    'Without a repetition, only what is like ours is named.':
      "({ kinship }) => !isSentOnce || kinship === 'ours' → () => true",
    'A revision that is created long after a repeated write is not ours.':
      'isPastLag: true, ...spanAround(createdAt, sinceFirstMs) → isPastLag: true',
  },
  'rollout/watch/made-twice.ts, by rollout/watch/watched.test.ts': {
    'The look for a second result takes time, in which another revision may become active.':
      'return await confirmAgain(ended, last, deps) → return ended.outcome',
  },
  'rollout/watch/watch.ts': {
    'A Retry-After counts among many watches, too.': 'askedWaitMs(failure) > 0 ? alone(this.#deps) : turns → turns',
    'An answer that has ended an earlier pause confirms nothing.': 'this.#seen = undefined →',
    'A service that reports a revision as active before its end is not read all the time.':
      'return this.#deps.clock.now() >= this.#eager.from → return true',
    'A revision that is judged already is not judged again.':
      "return unknown !== '' && unknown !== this.#judged → return unknown !== ''",
  },
  'rollout/watch/watch.ts, by rollout/watch/made-twice.test.ts': {
    'A newer revision does not take the place of the one that an answer names.': `return { ...end, outcome: await confirmBesides(end, deps) } → let next = watched
  const emit: Dependencies['emit'] = (event) => {
    if (event.kind === 'made-twice' && !event.isDoubtful)
      next = { ...watched, revisionId: event.other, revision: undefined, repeated: [] }
    deps.emit(event)
  }
  const outcome = await confirmBesides(end, { ...deps, emit })
  if (next !== watched) return await new Watch(next, commit, request, deps).end()
  return { ...end, outcome }`,
  },
  'rollout/watch/step.ts': {
    'A revision of another commit is not watched.':
      'if (commit !== undefined && revision.repoCommitSha !== undefined && !sameCommit → if (commit !== undefined && revision.repoCommitSha === undefined && !sameCommit',
    'A deployment is gone only after a while.':
      'if (moment.now - goneSince >= GONE_AFTER_MS) → if (moment.now >= goneSince)',
    'A missing revision may lag on a replica.': 'return now - startedAt >= REPLICA_LAG_MS → return now >= startedAt',
    'A revision that is missing for long ends the watch only if its deployment can be read.':
      "case 'unreadable':\n      return planPoll( → case 'unreadable':\n      if (isNotFound(state.failure)) return ended(state, { kind: 'refused', error: state.failure }, [])\n      return planPoll(",
    'What is deleted during the watch is no refusal.':
      "return ended(state, { kind: 'deleted' }, []) → return ended(state, { kind: 'refused', error }, [])",
    'The watch ends at the deadline.': 'if (now >= deadline) return ended → if (now > 2 * deadline) return ended',
    'A phase has its own limit.':
      'if (limit !== undefined && now >= limit.endsAt) → if (limit !== undefined && now > 2 * limit.endsAt)',
    'An unknown status does not restart a phase.':
      "phase !== before.phase?.name && (phase !== 'unknown' || before.phase === undefined) → phase !== before.phase?.name",
  },
  'rollout/watch/next-log.ts': {
    'A line that is shown is not shown again.': 'const isNew = !keys.has(key) → const isNew = true',
    'A page that repeats what is known adds only the rest.': 'entries.slice(tail.entriesRead) → entries.slice(0)',
    'Live logs have a limit.': 'const linesInLimit = lines.slice(0, state.linesLeft) → const linesInLimit = lines',
  },
  'rollout/watch/usual-time.ts': {
    'Outliers are no usual time.': 'times.length < ENOUGH_SAMPLES ? 0 : Math.floor(times.length / 5) → 0',
  },
  'rollout/watch/next-poll.ts': {
    'Polls have a longest pause.':
      'Math.min(LONGEST_MS, Math.max(SHORTEST_MS, elapsedMs * PART)) → Math.max(SHORTEST_MS, elapsedMs * PART)',
    'Polls have a shortest pause.': 'Math.max(SHORTEST_MS, elapsedMs * PART) → elapsedMs * PART',
    'A service that fails is asked less often.':
      'Math.max(regular, pauseBefore(failures - 1, undefined, AFTER_FAILURES)) → regular',
    'A service that fails for long is still asked every half minute.':
      'factor: 2, longestMs: 30_000 → factor: 2, longestMs: Infinity',
    'A Retry-After precedes a shorter pause.':
      'pause * (1 - JITTER * random)), retryAfterMs) → pause * (1 - JITTER * random)), 0)',
  },
  'report/fold.ts': {
    'What was found, and shows no commit, is not noted as the own revision.':
      'event.isFound && event.revision?.repoCommitSha === undefined → event.isFound && event.revision === undefined',
  },
})
