import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const REPORT = mutantsOf({
  'report/escape.ts': {
    'Text of a server is no command of the runner.': ".replace(/^(\\s*):(?=:)/, '$1: ') →",
    'Text of a server is no older command of the runner.': ".replace(/##\\[/g, '## [') →",
    'A code span is longer than each of its backticks.':
      "const fence = '`'.repeat(longestRun(line) + 1) → const fence = '`'",
    'A backslash does not end a cell.': "text.replace(/\\\\(?=\\|)/g, '\\\\ ') → text",
  },
  'report/typed-fields.ts': {
    'A field that reveals a secret is not published.':
      "const reason = this.#redactor.reveals(value) ? 'secret' : form.test → const reason = form.test",
    'What becomes a secret later is removed, too.':
      'if (this.#redactor.generation !== generation) cleaned = new WeakMap() →',
    'A field of another form is not published.': "form.test(value) ? undefined : 'malformed' → undefined",
    'What a rollback goes back to is not published with a secret.':
      "origin: this.#kept('repo-ref', goesBackTo.origin, FORMS.name), →",
  },
  'report/log.ts': {
    'The runner cuts the end of a long annotation.': 'withoutMiddle(outside(text), MAX_ANNOTATION) → outside(text)',
    'The lines of one log wait while another is shown.':
      'this.#held.set(title, held) → this.#held.clear(), this.#held.set(title, held)',
  },
  'report/publish.ts': {
    'The error of a run counts what has no annotation.': '[headline, ...lines, unannotated] → [headline, ...lines]',
  },
  'report/outputs.ts': {
    'A name that is a mistake is no output.': 'return isProblem ? undefined : askedName → return askedName',
  },
  'report/removals.ts, by report/fold.test.ts': {
    'A list that comes in parts is one.': 'const removals = [...record.removals, ...event → const removals = [...event',
  },
  'report/failure-messages.ts': {
    'A deployment that the step names by its id has no other name to choose.':
      "return namedBy === 'name' ? 'Choose another name' → return namedBy !== 'name' ? 'Choose another name'",
    'What the state of a deployment excludes has written nothing.':
      "because.kind === 'unfit' || because.error instanceof InputError → because.kind !== 'unfit' && because.error instanceof InputError",
  },
  'report/failure-messages.ts, by report/messages.test.ts': {
    'A missing folder for temporary files is no error in this action.':
      'error instanceof NoTemporaryFolderError → false',
  },
  'report/written.ts': {
    'A run that has lost a write does not claim that it wrote nothing.':
      'if (hasLostWrite !== true && !isCutInWrite(row) → if (!isCutInWrite(row)',
    'A run that was cut during a write does not claim that it wrote nothing.':
      'hasLostWrite !== true && !isCutInWrite(row) && → hasLostWrite !== true &&',
    'What was found after a lost request may be of another client.':
      'const isAdopted = revisionId !== undefined && sameId(revisionId, adopted) → const isAdopted = false',
  },
  'report/serving-facts.ts, by report/serving-state.test.ts': {
    'A read before the last write does not show what serves.': 'isSinceWrite(active, facts) && → ',
  },
  'report/fold-serving.ts, by report/serving-state.test.ts': {
    'A lost PATCH may begin a revision.': "'settings-patched', 'patch-lost'] → 'settings-patched']",
    'An accepted PATCH may begin a revision.': "'settings-patched', 'patch-lost'] → 'patch-lost']",
    'The answer to a creation is a reading since the write.':
      "event.change === 'created' ? (event.deployment.readAt ?? at) : at → event.change === 'created' ? at : at",
    'A rollback that has lost a PATCH may have changed what serves.':
      '!rollback.isUnknown && rollback.unsure.length === 0 && → !rollback.isUnknown &&',
    'A rollback that may have succeeded may have changed what serves.':
      'return !rollback.isUnknown && rollback → return rollback',
    'A rollback that has restored settings has written.': '&& rollback.restored.length === 0 →',
    'A redeploy that was accepted is a write.': " && rollback.because.because !== 'no-revision' →",
    'A write in a rollback is not that of its begin.':
      "event.kind === 'rollback-changed' ? { writtenAt: facts.writtenAt } : undefined → event.kind === 'rollback-changed' ? { writtenAt: facts.writtenAt } : facts.beforeRollback",
    'An event that repeats an earlier answer is no later one.':
      'active === undefined || readAt <= (facts.active?.at ?? -Infinity) → active === undefined',
    'Nothing that was read of a deployment is true of another one.':
      'if (sameId(facts.deploymentId, deploymentId)) return facts → if (facts.deploymentId !== undefined) return facts',
  },
  'secrets/text.ts, by report/serving-state.test.ts': {
    'A ref is shown without its folder.': 'ref === undefined ? [] : shortRef(ref) → ref ?? []',
  },
  'report/serving-state.ts': {
    'What a rollback rejects is named, whatever the check says then.': " || row.rollback?.kind === 'restored'\n → \n",
    'What was read before a write may not serve any more.':
      "return isSinceWrite(active, row.servingFacts) ? undefined : 'not-since-write' → return undefined",
    'A write that was cut may have changed what serves.': "if (isCutInWrite(row)) return 'not-answered' → ",
    'A rollback may have changed what serves.':
      "hasFailed && (row.rollback === undefined || row.rollback.kind === 'not-possible') → hasFailed",
    'A deployment that is not there was looked for.': "isNotFound === true ? 'not-found' : 'not-read' → 'not-read'",
    'Ids that are not shown are not taken for each other.':
      'if (shownId(id) === undefined) return → if (id === null) return',
  },
  'report/row.ts': {
    'The status of a revision that has not failed is not beside a failure.':
      "standing === 'failed' && revision?.status !== 'DEPLOYED' → standing === 'failed'",
    'Only an action that has gone back has restored a revision.': "change !== 'none' && isActive → change !== 'none'",
    'A result says that a lost write may have succeeded.':
      "(outcome.kind === 'failed' && row.hasLostWrite !== undefined) → false",
  },
  'report/fold.ts': {
    'A tag has its name alone.':
      '(settings.repoRef && shortRef(settings.repoRef)) ?? image → settings.repoRef ?? image',
    'What is not deleted at the end has failed.': "one.result === 'planned' ? { ...one, ...failed } : one → one",
    'A write that was found is not lost.': 'servesNothing, hasLostWrite: undefined → servesNothing',
    'A dry run that fails would change nothing.': "kind !== 'planned' ? 'none' → kind === null ? 'none'",
    'A repeated status adds no entry.':
      'const isSame = record.timeline.at(-1)?.status === status → const isSame = false',
    'No active revision is not an unknown one.':
      'active === undefined ? latest : (active ?? undefined) → active ?? latest',
    'What is patched stays so.': "return record.change === 'patched' ? 'patched' : change → return change",
    'A further plan shows what an earlier one has patched.':
      "record.change === 'patched' ? withPatched(plan, record.plan) : plan → plan",
    'The address is the one that a PATCH has set, whatever follows.':
      'url: patched?.customUrl ?? written.url → url: written.url',
    'The address after a rollback is the one that serves.':
      "event.kind === 'deployment-read' ? withDeployment(record, event.deployment) : record → record",
  },
  'report/plan.ts, by rollout/plan/promotion.test.ts': {
    'What is promoted is shown without its login.': 'image: image && withoutLogin(image), ref → image, ref',
  },
  'report/plan-words.ts, by rollout/plan/promotion.test.ts': {
    'A note shows no login of an image.': '`image ${withoutLogin(origin.image)}` → `image ${origin.image}`',
    'A note about a tag shows no login of an image.': '` (${withoutLogin(origin.image)})` → ` (${origin.image})`',
  },
  'report/record.ts, by report/row.test.ts': {
    'A status that is not the failure itself is in no title.':
      "ownRevisionServes(outcome) === 'certainly-not' ? revision?.status → revision?.status !== '' ? revision?.status",
  },
  'report/exit.ts, by report/record.test.ts': {
    'The step decides whether a superseded rollout fails it.':
      "failsStep(record.outcome, record.onSuperseded) → failsStep(record.outcome, 'fail')",
  },
  'report/record.ts, by notify/record-facts.test.ts': {
    'A single rollout is a row, too.': 'return isRollout(record) ? [record] : [] → return []',
  },
  'report/serving.ts': {
    'Credentials that were refused are not sent again.': '!isUnknown && isForbidden !== true → !isUnknown',
    'The address of a deleted deployment leads nowhere.': 'isGone || (record → (record',
    'A run that changed nothing has nothing to go back from.':
      "revisionId !== undefined && change !== 'none' && !sameId → revisionId !== undefined && !sameId",
    'The address of a first revision that is DEPLOYED leads to it.':
      "record.servesNothing && record.revision?.status !== 'DEPLOYED' → record.servesNothing",
    'A name that YAML reads as a value is not written plain.': '(?!(?:true|false|null|yes|no|on|off|y|n)$) →',
  },
  'report/serving.ts, by report/messages.test.ts': {
    'A rollback that is incomplete says what it has done about the settings.':
      'revisionId, outcome), settingsLeft(settings)) → revisionId, outcome))',
    'A rollback that ends with an error says what it has done about the settings.': `      settingsLeft(settings),
      unsure.length →       unsure.length`,
  },
  'report/log-lines.ts': {
    'A row of failed polls is one line.': 'row === 1 ? → row >= 1 ?',
    'The message of a status is free text.':
      'oneLine(redactor.redactFreeText(statusMessage → oneLine(redactor.redact(statusMessage',
    'Only a deployment that may be made twice is to be deleted.':
      "resource === 'deployment' ? ` Delete → resource !== 'deployment' ? ` Delete",
  },
  'report/markdown.ts': {
    'A table keeps to the limit of GitHub.': 'if (bytes > maxBytes) break →',
    'An address does not fill a heading.': 'sentence(withoutSchemes( → sentence(((text) => text)(',
  },
  'report/cut-short.ts, by report/messages.test.ts': {
    'After a timeout, a rerun needs no check if nothing was written.':
      'writtenSentence(record) === NOTHING_WRITTEN ? RERUN : → false ? RERUN :',
    'What may have been written is to be checked.':
      'writtenSentence(record) === NOTHING_WRITTEN ? RERUN : → true ? RERUN :',
    'The limit that ended the wait is the one to raise.': "outcome.phase === undefined ? 'timeout' → true ? 'timeout'",
  },
  'report/markdown.ts, by report/fleet/shared-serving.test.ts': {
    'A sentence of ours in a table has no link.': 'sentence(withShortIds(text), codeCell) → withShortIds(text)',
    'A sentence of ours does not end its cell.':
      'sentence(withShortIds(text), codeCell) → sentence(withShortIds(text))',
  },
  'report/markdown.ts, by report/fleet/summary.test.ts': {
    'A narrow screen shows the column after the names.': 'Math.min(MAX_HEADER, longest) → longest',
    'Our own sentences contain no secret.': 'sentence(withShortIds(redact(text))) → sentence(withShortIds(text))',
  },
  'report/long-list.ts': {
    'A change of one entry keeps the others.': 'this.parts.with(at, part), this.#places → [part], this.#places',
  },
  'report/row.ts, by report/fleet/previews.test.ts': {
    'What is under way is not a warning.':
      "row.outcome === undefined && standing === 'under-way' → standing === 'waiting'",
  },
  'report/row.ts, by report/fleet/end.test.ts': {
    'A cancelled rollout is not a failed one.':
      "outcome === undefined || outcome.kind === 'cancelled' → outcome === undefined",
  },
  'report/fleet/plan.ts, by report/fleet/plan.test.ts': {
    'The plan of a fleet names the host.':
      'return planCounts(planRows(record)) + hostText(record) → return planCounts(planRows(record))',
    'A shared reason has its noun.': "kind === 'revise' && fields.length === 0 ? CHANGES.revise.change : '' → ''",
  },
  'report/fleet/selection.ts, by report/fleet/selection.test.ts': {
    'A commit is said once.': ' || commit === since →',
  },
  'report/fleet/failures.ts, by report/fleet/failures.test.ts': {
    'A shared remedy names the revision that it is about.': "outcome?.kind === 'superseded' ? next? → false ? next?",
  },
  'report/messages.ts': {
    'What is set already is no next step.': "record.onSuperseded === 'succeed' → record.onSuperseded === undefined",
    'A wait is no rollout.': "row.operation === 'wait' → row.operation === undefined",
    'A doubt is no next step.': "words.next?.replace(IT_MAY_HAVE_SUCCEEDED, '').trim() → words.next",
    'A name is that of a deployment.': '/^\\S{1,100}$/ → /^[^]+$/',
    'A run that did not begin has read nothing.':
      'isNotBegun(row) ? undefined : servingSentence(row) → servingSentence(row)',
    'A first revision that fails its check serves.': "capital(`${serves ?? ''}fix → capital(`fix",
    'A revision that was not activated has no newer run.': 'if (isNeverActivated(by, record)) → if (false)',
    'A revision of another run is no earlier one.':
      "change !== 'none' && revisionId !== undefined && sameId(by → sameId(by",
    'A headline names the deployment.': 'if (!(error instanceof ControlPlaneError)) → if (error !== undefined)',
    'A deployment that was rolled back is not called deployed.': "from.kind === 'unverified' → false",
    'A promotion of another commit that was rolled back is not promoted again.':
      "from.because.kind === 'other-commit' → from.because.kind === 'nothing-active'",
  },
  'report/messages.ts, by notify/record-facts.test.ts': {
    'A run that started nothing sets no state.':
      "skipped: { mark: '⏭️', state: undefined } → skipped: { mark: '⏭️', state: 'failure' }",
  },
  'report/plan.ts, by report/fold.test.ts': {
    'A further plan shows what somebody has set since.':
      "field.difference === 'same' ? (before ?? field) : field → before ?? field",
  },
  'report/summary.ts': {
    'A commit that does not serve yet is not shown as the one that does.':
      "'unchanged', 'unverified'] → 'unchanged', 'unverified', 'planned']",
    'A rejected commit is not beside the address.':
      'const isSaid = isOfRollback || isRestored || → const isSaid = isOfRollback ||',
    'The commit of a run that failed does not look like what serves.':
      "link === '' || SERVING.includes(record.outcome.kind) → SERVING.length > 0",
    'A commit that a secret is part of is hidden.':
      "codeCell(redact(row.revision?.repoCommitSha ?? '')) → codeCell(row.revision?.repoCommitSha ?? '')",
  },
  'report/fleet/results.ts, by report/fleet/results.test.ts': {
    'A phase that was exceeded is a failure.': ' && outcome.phase === undefined → ',
  },
  'report/fleet/log.ts, by report/fleet/results.test.ts': {
    'The log counts what is late as the end does.': 'underWay } = openTallyOf( → underWay } = tallyOf(',
  },
  'report/fleet/shared-serving.ts': {
    'Beside what is deployed, nothing else is said to serve.': 'CALM.includes(standingOf(row)) ? undefined : → ',
    'Another revision is not the one of this run.': "return sameId(revisionId, own) ? 'own' : 'other' → return 'own'",
    'A reason that some deployments do not share is not that of all.':
      "detail === undefined || others.length > 0 ? '' → detail === undefined ? ''",
    'A ref that some deployments do not share is not that of all that were rejected.':
      "origin === undefined || others.length > 0 ? 'the → origin === undefined ? 'the",
    'Not all of a group may be rejected.': 'rejected.length < rows.length ? → false ?',
    'What is unknown of some deployments has its reason.':
      "kind === 'unknown' || kind === 'nothing' → kind === 'nothing'",
    'What serves is as of the earliest read.': 'Math.min(...times) → Math.max(...times)',
  },
  'report/fleet/end.ts, by e2e/fleet-only.test.ts': {
    'A run of which nothing is selected has a matrix, too.': '(dryRun || notSelected.length > 0) → dryRun',
  },
  'report/fleet/summary.ts, by e2e/fleet-only.test.ts': {
    'A plan of nothing counts what is not selected.':
      "outcome.kind === 'unchanged' && deployments.length === 0 → deployments.length === 0",
    'What the headline counts is not counted again.':
      "outcome.kind === 'unchanged' && deployments.length === 0 → false",
  },
  'report/fleet/selection.ts': {
    'The results contain no secret in a name.': 'name: redact(name), → name,',
    'The results contain no secret in a wave.': 'wave: wave && redact(wave), → wave,',
    'A reason contains no secret in a path.':
      '(path) => oneLine(redact(path), MAX_NAME) → (path) => oneLine(path, MAX_NAME)',
    'Each entry that is not selected is counted with its reason.':
      "filter(({ because }) => because.kind === 'only').length → filter(({ because }) => because.kind !== 'only').length",
    'Only a log of compared entries says that values are not compared.':
      "notSelected.some(({ because }) => because.kind === 'no-change') → true",
    'A skipped wave shows no secret.':
      'listNames(waves, MAX_NAMED.message, (name) => oneLine(redact(name), MAX_NAME)) → listNames(waves, MAX_NAMED.message)',
    'Entries with unknown files are counted.': 'if (unclear > 0) parts.push → if (unclear < 0) parts.push',
    'What is known needs no warning.': 'if (unclear.length === 0) return [] →',
    'Entries with the same reason share it.': '({ why }) => why) → ({ name }) => name)',
    'A warning has few reasons.': 'groups.slice(0, MAX_NAMED.warning) → groups',
    'A failure of GitHub shows no secret.': 'redact(wordUnclear(why)) → wordUnclear(why)',
    'A failure of GitHub is cut.': '(wordUnclear(why)), MAX_REASON) → (wordUnclear(why)), Infinity)',
  },
  'report/fleet/log.ts': {
    'Forty plans that were not approved are one sentence.':
      "outcome.because.kind === 'other-plan') return [] → null) return []",
    'What a rollback goes through is in the log.':
      "event.kind === 'during-rollback' ? isShown(event.event) : SHOWN → SHOWN",
    'Only what waits may be kept from its begin.':
      'tallyOf(deployments).waiting > 0 ? → tallyOf(deployments).waiting >= 0 ?',
  },
  'report/fleet/previews.ts, by report/fleet/shared-serving.test.ts': {
    'A preview that failed has a line of what serves.':
      'withSentences(withReason(factsLine(stateCell(row), commit, took), reason), serving) → withReason(factsLine(stateCell(row), commit, took), reason)',
    'What serves is shown without secrets.': 'serving: serving && redact(serving) → serving',
  },
  'report/fleet/summary.ts, by report/fleet/shared-serving.test.ts': {
    'A row of failures says what was written.':
      'withSentences(withReason(cell, reason), serving, written) → withSentences(withReason(cell, reason), serving)',
    'What serves is shown one by one.': 'withSentences(factsOf(one), one.serving) → factsOf(one)',
  },
  'report/fleet/previews.ts': {
    'Failed previews are first.': 'const items = byAttention( → const items = Array.from(',
  },
  'report/plan-markdown.ts, by report/fleet/plan.test.ts': {
    'Lists of the same names are shown.': 'if (isCut && show(before) !== show(after)) → if (isCut)',
    'Two texts that are cut to the same are told apart.':
      "isHidden ? 'they differ in what is not shown' : undefined → undefined",
    'The plan of a fleet shows no secret.':
      "codeCell(redact(typeof part === 'string' ? part : JSON.stringify(part)), → codeCell(typeof part === 'string' ? part : JSON.stringify(part),",
  },
  'report/fleet/plan.ts': {
    'The plan of a fleet has room for each of them.': 'redact, LIMITS) → redact)',
    'No deployment loses its row to values.':
      "shortOf: (plans) => [namesCell(plans), [headOf(plans, redact), ...inputsOf(plans)].join(' ')], →",
    'A table that is cut counts each deployment.': 'sizeOf: ({ names }) => names.length, →',
    'Long values that all share leave room for the table.':
      'Buffer.byteLength(whole) <= MAX_SHARE ? whole → true ? whole',
    'A reason of a plan shows no secret.': 'oneLine(redact(because), MAX_BECAUSE) → oneLine(because, MAX_BECAUSE)',
    'The log of a plan shows no secret in a reason.': '`(${show(because)})` → `(${because})`',
    'What others do not share is not said of all.': "count === all.length ? 'all' → 'all' ? 'all'",
    'A line of a plan is not cut within a value.':
      "values.length > max ? fields.map(({ input }) => input).join(', ') : values → values",
  },
  'report/fleet/plan-shares.ts, by report/fleet/plan.test.ts': {
    'A value that one plan lacks is not said of all.':
      'row.fields.some((other) => isDeepStrictEqual(other, field)) → true',
    'A reason that one plan lacks is not said of all.':
      'others.every((row) => row.because === first.because) ? → others.length > 0 ?',
    'A table that is cut loses few names.': 'chunksOf(group, MAX_NAMED.row) → chunksOf(group, 1e9)',
    'Two plans are short enough.': 'rows.length < FEWEST → false',
  },
  'report/fleet/failures.ts': {
    'Those that ended otherwise have another row.': '`${stateCell(row)}\\n${sharedReason → `${sharedReason',
    'A single failure has its own words.':
      'others.length === 0 ? first.result.reason : → false ? first.result.reason :',
    'The runner shows ten annotations.': 'failed.slice(0, MAX_EARLIER_ERRORS)) → failed)',
    'What has no annotation is counted.': 'if (count === 0) return → return',
    'A next step about one deployment is not said of all.': 'plain.every((other) => other === plain[0]) → true',
    'The log has all names.': 'const [, ...counted] = chunksOf → const [, , ...counted] = chunksOf',
    'Only a failure is an annotation.': "standing === 'failed' → true",
  },
  'report/fleet/fold.ts': {
    'The logs are those of the first failures.':
      'log === undefined ? after : withFirstLogs(after, at) → log ? after : after',
    'A log with another reason comes before the others.': 'reasons.indexOf(reasons[place]) < place → false',
  },
  'report/difference-words.ts, by rollout/plan/approval.test.ts': {
    'What the parts of an input say is said once.': 'isPart(one) || !inParts.has(wholeOf(one)) → true',
  },
  'report/fleet/end.ts': {
    'A fleet that has begun nothing has written nothing.':
      "describeStop(because, 'the fleet', { written: NOTHING_WRITTEN }) → describeStop(because, 'the fleet')",
    'Only if all of them ended so, all have.': 'if (count < size) return → if (count > size) return',
  },
  'report/fleet/summary.ts': {
    'The job summary has room for the plan of a large fleet.': 'redact, MAX_TABLE))} → redact))}',
    'No failure is omitted.': 'all.slice(MAX_OPEN)] → []]',
    'Each deployment of a reason is in a fold.': 'endings.length > 1 ? endings : [] → []',
  },
  'report/fleet/summary.ts, by report/fleet/failures.test.ts': {
    'The logs are in the order of the tables.':
      '.flatMap(({ endings }) => endings)\n    .flatMap(({ result, row }) => { → .flatMap(({ endings }) => endings.toReversed())\n    .flatMap(({ result, row }) => {',
  },
  'report/plan.ts, by report/plan.test.ts': {
    'A host that an input names is not repeated.': 'return isSet || baseUrl → return baseUrl',
    'What the step sets may be unknown.':
      "access === undefined || access.includes('base-url') → access?.includes('base-url') === true",
    'The first line of a plan names the host.':
      '${planHeadline(plan)}${onHost(plan)} (${revision.because})`)}. → ${planHeadline(plan)} (${revision.because})`)}.',
  },
  'report/plan-markdown.ts, by report/plan.test.ts': {
    'The first sentence of a plan names the host.': '${headline}${onHost(plan)} ( → ${headline} (',
  },
})
