import { mutantsOf } from '../../../scripts/mutants/mutant.ts'

export const ROLLOUT_APPLY = mutantsOf({
  'rollout/apply/basis.ts, by rollout/apply/write-once.test.ts': {
    'An old reading is read again before the write.':
      'if (this.#deps.clock.now() - this.#readAt > FRESH_READ_MS) await this.read() →',
    'What another client made while a 429 is waited for is not ours.':
      'if (thrown instanceof BusyError) this.#readAt = -Infinity →',
    'A write waits for its turn before the read that it follows.':
      'using turn = await turns.write(deadline + LAST_ATTEMPT_MS) → using turn = { [Symbol.dispose]: () => undefined }',
  },
  'rollout/apply/basis.ts': {
    'A write whose response is lost may have been acted on.': 'if (!didNothing(thrown)) this.#note(written) →',
    'A replica that shows an earlier name is not believed.':
      'if (unlessOlder(now, previous) === previous) return previous →',
    'A read without the latest revision does not forget it.':
      'now.latestRevisionId ?? previous.latestRevisionId → now.latestRevisionId',
    'A plan ends by a change alone that it depends on.':
      '.find((change) => this.#endsPlan(change)) → .find((change) => change !== undefined)',
    'After a creation, a change may be of the run itself.':
      "|| now === undefined || written === 'creation') return moved → || now === undefined) return moved",
    'What a service shows in lists only was not cleared.':
      'inList: pick(listed?.settings ?? {}, missing) → inList: pick({}, missing)',
    'The list shows other deployments, too.': '(one) => sameId(one.id, id) → () => true',
    'A replica that lags ends no plan.': 'this.#endsPlan(change) || others.length > 0 → others.length > 0',
    'A list that lags may still show what others have cleared.':
      '(first) => setFields(first.inList).length > 0 → () => false',
    'A plan that has written something is not made again.': `      this.#note(written)
      return made →       return made`,
    'A deployment that the step names by its id may be renamed.':
      'this.#isNamed ? moveOf(previous, now) : undefined → moveOf(previous, now)',
    'Only a list hides secrets.': 'isListed && previous === this.#deployment → isListed',
  },
  'rollout/apply/basis.ts, by rollout/execute.test.ts': {
    'A value of others, for which no plan ends, is reported.':
      'if (others.length > 0) this. → if (known === null) this.',
  },
  'rollout/apply/basis.ts, by rollout/apply/patch-known.test.ts': {
    'A replica that lags shows no value of others after a PATCH.':
      'this.#endsPlan(change) || others.length > 0 → this.#endsPlan(change)',
    'What the answer to a PATCH shows ends the plan.':
      '!answers.some(isChanged)) return previous → answers.length > 0) return previous',
    'The answer to a PATCH may be of a replica that lags.': `this.#deps)
    return this.#use(previous, await this.#look(previous, since), since) → this.#deps)
    const [now] = shown
    return this.#use(previous, { now, change: this.#changeOf(previous, now, since), others: [] }, since)`,
    'What it shows is read again past the lag.': 'await pauseWithin(STALE_READ_MS, this.#deps) →',
    'Where no change ends the plan, none is looked for after a PATCH.':
      'planEnds.length === 0 || since.written → since.written',
    'An answer may show an earlier state.': 'unlessOlder(answer, previous), since) → answer, since)',
  },
  'rollout/apply/changes.ts': {
    'Before the first write, every setting counts.': 'if (own === undefined) return others →',
    'After a PATCH, only what the source takes counts.':
      'isSource(before.source) ? fieldsTakenBy(before.source, api) : undefined → undefined',
    'A setting ends a plan once.': '(field) => !seenChanged.includes(field) → () => true',
    'The settings of a PATCH that has not ended are judged by who sends it.':
      'confirmed === undefined || isRestoration) return false → isRestoration) return false',
    'What others have set stays in a restoration.':
      'confirmed === undefined || isRestoration) return false → confirmed === undefined) return false',
    'A replica that lags shows the earlier value.':
      'showsThirdValue(field, now, [before, sent]) → showsThirdValue(field, now, [sent])',
    'What was never shown is not cleared.':
      'isCleared(field, now, before) && confirmed[field] !== undefined → isCleared(field, now, before)',
    'A third value that others have set is restored by nobody else.': `if (isRestoration) return []
  const isReplaced →   const isReplaced`,
    'Only what was shown can be shown otherwise.':
      'return setFields(confirmed).filter(isReplaced) → return setFields(sent).filter(isReplaced)',
    'What was not there before may not be reported.':
      'now[field] === undefined ? isCleared(field, now, before) : → now[field] === undefined ? true :',
  },
  'rollout/apply/changes.ts, by rollout/apply/basis.test.ts': {
    'A deployment that has lost its name gets no write.':
      'now.name === name ? undefined → now.name !== null ? undefined',
    'A latest revision that a list does not report is no change.':
      'latestBefore !== undefined && latest !== undefined && →',
    'An active revision that a list does not report is no change.':
      'activeBefore !== undefined && active !== undefined && →',
    'No active revision before and after is no change.':
      '!sameIdOrNone(active, activeBefore) → !sameId(active, activeBefore)',
    'A list may hide secrets.': "field === 'secrets' || →",
    'A list may show less than a read.': 'contradicts(field, before, now) → true',
    'What a list shows is compared.': 'contradicts(field, before, now) → false',
    'What a list shows may be cleared.': ' || isCleared(field, now, before)) → )',
  },
  'rollout/apply/write-once.ts': {
    'A refused repetition ends the write.':
      'retry >= maxRetries || thrown instanceof RefusedError || thrown → retry >= maxRetries || thrown',
    'What is new since a lost attempt may be of that attempt.':
      'if (lostAttempt === undefined) { → if (clock.now() > 0) {',
    'What may show another commit later is not sure.': '!isUnlike && !isPending → !isUnlike',
    'Of two, one may still show another commit.':
      'results.length > 1 && !results.some(({ isPending = false }) => isPending) → results.length > 1',
    'A span begins with a whole second, as the dates that it is compared with do.':
      'Math.floor((sentAt + ahead) / SECOND_MS) * SECOND_MS → sentAt + ahead',
    'What is created after a lost write could act no more is not ours.': ' || createdAt > until + TIME_TOLERANCE_MS →',
    'A long pause before a look does not make later revisions ours.':
      'return { since, until: lostAt + ahead + FRESH_READ_MS + LOST_WRITE_WINDOW_MS } → return { since }',
    'Of two possible results, none is guessed.': 'if (others.length > 0) throw severalOf(results, lost) →',
    'A write without time for a repetition stays unknown.': 'if (!mayRepeat) throw lost →',
    'A write is looked for over the whole window.':
      'if (!isLast || mayBeHidden(seen, clock.now())) continue → if (mayBeHidden(seen, clock.now())) continue',
    'Without a usable Date, the absence before the write is enough.':
      'if (serverTime === undefined) return {} → if (serverTime === undefined) return { since: this.at }',
    'Later answers say when the write was sent, not when they come.':
      'const ahead = serverTime - now → const ahead = serverTime - this.at',
    'A repetition that had to wait follows another look.':
      '} else if (clock.now() - lastLookAt > FRESH_READ_MS) { → } else if (clock.now() < lastLookAt) {',
    "What may be another client's is looked at to the end of the window.": 'results.every(isSure) → results.length > 0',
    'What reports nothing that is like ours is not sure.': 'areSecretsShown && !isUnlike → areSecretsShown',
    'A replica may lack at the end what was found.':
      'return seen !== undefined && now < seen.at + STALE_READ_MS → return now < 0 && seen !== undefined',
    'What was found before the deadline is the result.': 'if (seen === undefined) throw lost → throw lost',
  },
  'rollout/apply/create-once.ts': {
    'A second deployment of a repeated create is named.':
      'if (twin === undefined) return false → if (twin !== null) return false',
    'A deployment of another time than ours is not of our write.':
      'isPastLag: true, ...spanAround(repeated.createdAt, repeated.sinceFirstMs) → isPastLag: true',
    'A deployment that builds another commit is not of our write.':
      '{ ...repeated, before } → { ...repeated, commit: undefined, before }',
    'The deployment of a response is ours, whatever else is there.':
      'isRepeated && !isFound && (await → isFound && (await',
    'Only the last look waits for the commit of a new deployment.':
      'isPossible && look.isLast === false && (await → isPossible && look.isPastLag === null && (await',
    'A deployment that may show another commit later is not sure.':
      'id: deployment.id, made, areSecretsShown, isPending } → id: deployment.id, made, areSecretsShown }',
    'A deployment of another source is not ours.':
      'if (candidate.source !== undefined && candidate.source !== source) return false →',
    'Ours may come later than the one of another client.': 'if (ours.length === 0 && isLast === false) return [] →',
    'A lost creation may be done after another client has taken the name.':
      'isFound || isRepeated ? [repeated] : [] → []',
    'What was there before the write is not ours.': 'if (before.some((one) => sameId(one.id, id))) continue →',
    'A Date of one server alone does not make a new deployment older than the write.':
      'if (isLike && isOfAnotherTime && look.isLast === false) continue →',
  },
  'rollout/apply/create-once.ts, by rollout/apply/apply.test.ts': {
    'A name that a tracing project reserves is not looked for.':
      'if (NAMES_PROJECT.test(thrown.detail)) throw keptByProject(name, thrown, controlPlane.api) →',
    'A deployment of the name that exists before the write is not ours.':
      'before.find(({ name }) => name === draft.name) → before.find(() => false)',
  },
  'rollout/apply/revise-once.ts': {
    'A response about another configuration is not ours.':
      'hasOtherOrigin(revision, wanted) → hasOtherOrigin(revision, {})',
    'A revision that has ended already is an earlier one.':
      "if (phaseOf(status) !== 'terminal') return undefined → return undefined",
    'A list that lacks the latest revision is not believed.':
      'if (latest !== undefined && !newer.some(isLatest) && !isBack) return [] →',
    'Going back to an earlier revision hides no new one.': '!newer.some(isLatest) && !isBack → !newer.some(isLatest)',
    'A replica that lags shows no going back.': 'const isBack = look.isPastLag && → const isBack =',
    'Only the last look waits for a commit.':
      "kinship !== 'foreign' && mayWait → kinship !== 'foreign' && mayWait && commit === null",
    'A revision before the write is not ours.': 'if (isOutside(revision.createdAt, look)) return [] →',
    'A revision that contradicts the request is not ours.':
      "kinship === 'ours' || kinship === 'unknown' → kinship !== 'other-commit'",
    'Without a list, nothing is found before replicas have caught up.':
      'listed ?? (look.isPastLag ? await latestUnlessKnown(before, now, controlPlane) : []) → listed ?? (await latestUnlessKnown(before, now, controlPlane))',
    'A redeploy of a moved ref counts at the end of the window only.':
      'look.isLast === true && settings.repoRef !== undefined → settings.repoRef !== undefined',
  },
  'rollout/apply/revise-once.ts, by rollout/watch/made-twice.test.ts': {
    'A second result of a lost write is looked for, though its first one was found at once.':
      'isRepeated || isFound ? [again] → isRepeated ? [again]',
  },
  'rollout/rollback/restore.ts': {
    'What no route deploys again is created again.':
      '|| draft === undefined) return redeployed → || draft !== undefined) return redeployed',
    'A redeploy that nothing followed may still act.': '[redeploy, ...made.repeated] → made.repeated',
    'What the read right before a redeploy shows is not of the redeploy.': 'before = now →',
    'A lagging read does not show the result of a redeploy.':
      'if ((read === 0 || isPastLag) && isBack(now)) return to → if (isBack(now)) return to',
    'A conflict may be due to the same redeploy.': 'if (thrown.status !== 409) return refused → return refused',
    'The response shows the earlier revision as active before any newer one counts.':
      '(read === 0 || isPastLag) && isBack → isPastLag && isBack',
    'A redeploy may act late.': 'if (clock.now() >= endsAt) return theirs → if (isPastLag) return undefined',
  },
  'rollout/apply/apply.ts': {
    'The commit of the plan is known to the write.':
      'reviseOnce(basis, draft, deps, plan.commit) → reviseOnce(basis, draft, deps)',
    'Build on push is set after the revision.': 'patch !== undefined && !patchLast → patch !== undefined',
  },
  'rollout/apply/apply.ts, by rollout/apply/basis.test.ts': {
    'A source is not uploaded to a deployment that has lost its name.': 'await basis.renew() →',
    'A revision repeats what is there at its write.': '{ ...applying.facts, planEnds: ANY_CHANGE } → applying.facts',
  },
  'rollout/apply/apply.ts, by report/fold.test.ts': {
    'A report knows what a PATCH has set before the revision is refused.':
      "change: 'patched', deployment, revisionId: undefined, patched }) → change: 'patched', deployment, revisionId: undefined })",
  },
  'rollout/apply/apply.ts, by rollout/execute.test.ts': {
    'A PATCH is known to be done before its answers end the plan.':
      "deps.emit({ kind: 'written', change: 'patched', deployment, revisionId: undefined, patched }) →",
    'The answers to a PATCH are judged before the revision.': 'await judgePatch(sent, basis, deps) →',
  },
  'rollout/apply/patch.ts': {
    'A run sends no more PATCHes than its limit.':
      'retries >= maxRetries || patchesLeft <= 0 || → retries >= maxRetries ||',
    'Nor does it repeat one without effect.': '!isRepeated && patchesLeft > 0 → !isRepeated',
    'Nor does it begin another one.':
      'return patchesLeft > 0 ? attempt(state, now) → return patchesLeft !== -1 ? attempt(state, now)',
    'A PATCH without effect is sent once more only.': 'isWorthRepeating && !isRepeated → isWorthRepeating',
    'Retries are counted over all attempts.': 'retries: retries + 1 } → retries: 0 }',
    'A PATCH whose response was lost once stays unknown.':
      'return fail(state, withOpenAttempt(state, error)) → return fail(state, error)',
    'A PATCH that was answered, and had no effect, is followed by a look.':
      "{ ...state, openAttempt: 'answered', sentAt } → { ...state, sentAt }",
    'A PATCH whose answer is broken is followed by a look.':
      "openAttempt === 'none' && mayHaveActed ? 'answered' → openAttempt === 'none' && mayHaveActed ? 'none'",
    'What fails before the first PATCH leaves nothing unknown.':
      'const mayHaveActed = sentAt !== undefined && → const mayHaveActed =',
    'A PATCH that was lost and done is not sent again.':
      'if (seen !== undefined && isApplied(progressIn(state, seen))) return → if (seen === null) return',
    'A restoration leaves what others have set after a lost PATCH.':
      'if (task.isRestoration && fields.length > 0) → if (fields.length < 0)',
    'A rollout sets its values over those of others.':
      'if (task.isRestoration && fields.length > 0) → if (fields.length > 0)',
    'A restoration is not repeated without a look.':
      'if (seen === undefined && task.isRestoration) { → if (seen === null) {',
    'A value of a replica that lags is not of others.':
      'fields.length > 0 && firstLook === undefined → fields.length < 0',
    'What a look has seen of others counts, though the next one fails.':
      "input.kind === 'read' ? input.deployment : firstLook → input.kind === 'read' ? input.deployment : undefined",
    'A restoration is repeated past the lag of replicas.':
      'task.isRestoration ? Math.min(sentAt + STALE_READ_MS, deadline) : at → at',
    'A PATCH that is refused after a lost response may be done.': `if (error instanceof RefusedError)
    return → if (error === null)
    return`,
    'It may be done late.': 'if (doing.looks > 0) return → return',
    'A response with the earlier settings confirms nothing.':
      'fieldsStillOld.length === differOnlyInSpaces.length && → fieldsStillOld.length >= differOnlyInSpaces.length &&',
    'A field that the service reported before is looked for.': ' && noLongerReported.length === 0 →',
    'A third value in the response to a PATCH is not confirmed.':
      '[...differOnlyInSpaces, ...setByOthers] → differOnlyInSpaces',
    'A third value after a lost PATCH is not ours.':
      'isPatchAcknowledged ? fieldsStillOld : [...fieldsStillOld, ...setByOthers, ...notReported] → isPatchAcknowledged ? fieldsStillOld : [...fieldsStillOld, ...notReported]',
    'A read of a third value does not end the reads after a lost PATCH.':
      'isAcknowledged ? fieldsStillOld : [...fieldsStillOld, ...setByOthers]\n → fieldsStillOld\n',
    'A value that has followed a PATCH already is not patched for the third time.':
      'ignored.includes(field) || !seenChanged.includes(field) → true',
    'The service may write an acknowledged text in its own way.':
      "!isPatchAcknowledged || SETTINGS[field].type !== 'text' → true",
    'A flag has no other form.': "!isPatchAcknowledged || SETTINGS[field].type !== 'text' → !isPatchAcknowledged",
    'A PATCH is not repeated at the deadline.': ' || now + delayMs >= deadline) → )',
  },
  'rollout/apply/patch.ts, by rollout/apply/patch-known.test.ts': {
    'The reads after an answer are judged, too.': ': [answer.deployment]), ...reads] → : [answer.deployment])]',
    'An update since the last attempt is not of this one.':
      'newest: newestOf(newestBefore, answers) } → newest: newestBefore }',
  },
  'rollout/apply/patch-progress.ts': {
    'A lost PATCH is done only if a read shows all of it.':
      '[fieldsStillOld, setByOthers, notReported].every( → [fieldsStillOld, setByOthers, notReported].some(',
    'A restoration leaves what others have cleared.':
      'isReplaced(field) || isCleared(field, settings, before.settings) → isReplaced(field)',
    'A value that was never reported before is not known to be of others.':
      'before.settings[field] !== undefined && showsThirdValue( → showsThirdValue(',
    'A third value that may be of somebody else is not ours.': '[...fieldsStillOld, ...notOurs] → fieldsStillOld',
    'A deployment with a newer revision is not updated by the PATCH.':
      'sameIdOrNone(latestRevisionId, before.latestRevisionId) && →',
    'The other value of a flag is the old one.': "SETTINGS[field].type !== 'text' || compareSetting → compareSetting",
  },
  'rollout/apply/patch-known.ts': {
    'The plan after a PATCH knows what has ended the one before.': 'seenChanged: basis.seenChanged → seenChanged: []',
    'A look sees whether the deployment is still the one to write to.':
      'await basis.read() : → (await basis.renew(), basis.state) :',
    'A look that finds another deployment ends the PATCH.': ' || thrown instanceof ChangedError) throw → ) throw',
    'A PATCH follows a fresh read, also after a slow look.': 'await basis.renew() →',
    'A repetition follows its look in the same turn.': "if (step.next.do !== 'send' || step.next.needsLook) return →",
    'The watch judges what follows the own revision.': 'if (!isLast) await → await',
  },
  'rollout/apply/patch-known.ts, by rollout/patches-of-run.test.ts': {
    'Each PATCH is counted.': 'deps.patches.sent++ →',
    'The PATCHes of all plans of a run have one limit.': 'PATCHES_OF_RUN - patches.sent → PATCHES_OF_RUN',
  },
  'rollout/apply/patch-known.ts, by rollout/apply/basis.test.ts': {
    'A PATCH follows a fresh read of its deployment.':
      'await basis.send( → await ((_attempted: string, doWrite: () => Promise<void>, _of: string) => doWrite())(',
  },
  'rollout/apply/patch-known.ts, by rollout/execute.test.ts': {
    'After a PATCH alone, a new revision is of somebody else.': "write, 'settings') → write)",
  },
})
