import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const PREVIEWS = mutantsOf({
  'previews/choose-removals.ts': {
    'A preview of another repository stays.':
      "if (stranger !== undefined) return { ...preview, verdict: 'keep' → if (stranger !== undefined) return { ...preview, verdict: 'remove'",
    'A pull request of unknown state may be open.':
      "if (state === 'closed' || state === 'unlabeled') return → if (state !== 'open') return",
    'A preview build of the service itself stays.':
      'deployment.isPreviewBuild === true ? undefined : numberOf → numberOf',
    'A preview whose revision is not reported has no age.':
      "if (revision === 'not-reported') return { kind: 'age-unknown', lacks: 'revision' } →",
    'A rollout that is under way keeps its preview.':
      "if (isShown && phaseOf(revision.status) !== 'terminal') return → if (isShown && phaseOf(revision.status) === 'queue') return",
  },
  'previews/choose-removals.ts, by previews/fleet-teardown.test.ts': {
    'Of the name of a preview alone, nothing is deleted.':
      'if (otherRepositoryReason === undefined && isProven( → if (otherRepositoryReason === undefined && !isProven(',
    'What reports another repository stays, unless the comment has its id.':
      'if (deployments.some((noted) => sameId(noted, deployment.id))) return undefined →',
    'As long as the pull request is open, other previews of it stay.':
      "if (state !== 'closed' && state !== 'unknown') return false →",
    'What may be of a closed pull request is not certain to be of another one.':
      "if (state !== 'closed' && state !== 'unknown') return false → if (state !== 'closed') return false",
    'What is kept because GitHub did not list the files fails the step.':
      "if (mayTakePart === true) return { kind: 'files-unknown', pullRequest } →",
    'What is kept because GitHub did not return the notes fails the step.':
      "if (notes === 'unanswered') return { kind: 'notes-unknown', pullRequest } →",
    'What reports another repository than its entry is not of the pull request, whatever its files are.':
      'unansweredEntry && otherRepositoryOf(deployment, unansweredEntry.repoUrl, reveals) === undefined → unansweredEntry !== undefined',
    'An open pull request keeps its previews without a failure.':
      "if (state !== 'open') { → if (state !== 'missing') {",
    'A number that ends with that of the pull request is another one.':
      'name.endsWith(`-pr-${pullRequest}`) → name.includes(`-pr-${pullRequest}`)',
  },
  'previews/listing.ts': {
    'An id that is listed under two names is not deleted.': 'if (names.length > 1) throw → if (names.length > 2) throw',
    'A deployment that is read under another name is not deleted.':
      "(deployment.name !== name) → (deployment.name === '')",
  },
  'previews/remove.ts, by previews/teardown.test.ts': {
    'After a lost deletion, a deployment is not certain to be kept.':
      "if (checked.kind === 'keep' && lost !== undefined) throw lost →",
    'A 404 to the first deletion may mean that there is no such route.':
      'if (lost !== undefined && isNotThere(thrown)) return undefined → if (isNotThere(thrown)) return undefined',
    'A deletion ends when the deployment is gone.':
      '(await readIfThere(id, deps)) === undefined, pausesUntilGone() → (await readIfThere(id, deps)) !== undefined, pausesUntilGone()',
  },
  'previews/sweep.ts': {
    'A dry run deletes nothing.':
      'const result = dryRun ? await check(false, this.#deps) : await requestDeletion(id, check, this.#deps) → const result = await requestDeletion(id, check, this.#deps)',
    'Only what is gone is deleted.':
      "if (presence === 'there' || presence === undefined) continue → if (presence === undefined) continue",
    'Deletions come in batches.': 'const BATCH = 50 → const BATCH = 500',
    'A long list does not keep signals out.': 'await work.giveWay() →',
    'An old answer of GitHub is asked for again.':
      'isOutdated: () => clock.now() > outdatedAt, → isOutdated: () => false,',
    'A list that lacks the repository is not enough to delete.':
      'repoUrl === undefined || showsRepository(deployment) → true',
  },
  'previews/sweep.ts, by previews/teardown.test.ts': {
    'A cleanup without answers of GitHub does not look complete.':
      'if (unknownCount > 0) return → if (unknownCount > 0 && removed === 0) return',
  },
  'previews/teardown.ts': {
    'A pull request that is open again keeps its preview.':
      "if (state === 'open') return { kind: 'pull-request-open', pullRequest } →",
    'A rerun believes no old event.':
      "if (because.kind === 'requested' || isOver || deps.isFirstAttempt) return undefined → return undefined",
    'A confirmation is compared before the deletion.': 'checkConfirmed(target, deployment, deps.reveals) →',
  },
  'previews/preview.ts': {
    'A label that only the event reports as missing deletes nothing.':
      'reported?.labels !== undefined && (await exists()) → (await exists())',
    'There are no more previews than the limit.':
      'if (kept.length < max) return undefined → if (kept.length <= max) return undefined',
    'A preview that is being deleted makes room.': "deployment.isBeingDeleted === undefined → deployment.id !== ''",
    'A preview is deleted if its pull request was closed meanwhile.':
      'return (mayExist ? await closedReasonAfter(preview, deps) : undefined) ?? { outcome } → return { outcome }',
    'A closed pull request gets no preview.': "if (reported?.state === 'closed') return 'closed' →",
  },
  'previews/preview-name.ts': {
    'A name that only looks like a preview is none.':
      'previewName(name, Number(digits)) === deploymentName ? Number(digits) : undefined → Number(digits)',
    'A name that looks cut is cut again.': '&& !CUT.test(name) →',
  },
  'previews/read-many.ts': {
    'A list that a reading contradicts is not believed.': 'if (!this.#isTrusted) return new Map() →',
    'A list that hides what is there is not asked again.': "else if (state === 'gone') this.#isTrusted = false →",
  },
  'previews/fleet-teardown.ts': {
    'A preview is deleted only if it reports the repository of its entry.':
      'repoUrl: (isOther(preview) ? undefined : entries.get(preview.deployment.name)?.repoUrl) ?? repoUrl → repoUrl',
    'An entry without a repository has that of the workflow.':
      'entries.get(preview.deployment.name)?.repoUrl) ?? repoUrl → entries.get(preview.deployment.name)?.repoUrl)',
    'Of an entry that does not take part, the name decides nothing.': "|| parts.get(name) !== 'touched' →",
    'Of an entry whose files are unknown, the name decides nothing.':
      "parts.get(name) !== 'touched' → parts.get(name) === 'untouched'",
    'A list of files that is cut is an answer.':
      "parts.get(preview.deployment.name) === 'unanswered' → parts.get(preview.deployment.name) !== 'untouched'",
    'Its own repository decides whether an entry of unknown files may take part.':
      '{ repoUrl: entries.get(preview.deployment.name)?.repoUrl ?? repoUrl } → { repoUrl }',
    'What an entry that does not take part is built from is no proof.':
      'isOther(preview) ? undefined : entries.get → entries.get',
    'As long as the pull request is open, the notes decide.':
      "because === 'closed' && reportsRepository → reportsRepository",
    'In a rerun, a state that GitHub does not report is unknown.':
      "const byEvent = deps.isFirstAttempt ? because : 'unknown' → const byEvent = because",
  },
  'previews/untouched.ts, by previews/fleet-preview.test.ts': {
    'If the files are not known, every entry takes part.':
      "if (files === undefined) return 'unanswered' → if (files === undefined) return 'untouched'",
  },
  'previews/untouched.ts, by previews/fleet-teardown.test.ts': {
    'A list of files that is cut proves what it has.':
      "if (touches(files.paths, patterns)) return 'touched' → if (files.isWhole && touches(files.paths, patterns)) return 'touched'",
  },
  'previews/preview.ts, by previews/fleet-preview.test.ts': {
    "A fork's head is refused before anything is read.": 'if (problems.length > 0) throw new InputError(problems) →',
    'What was closed during the rollout is deleted.':
      '(mayExist ? await closedReasonAfter(preview, deps) : undefined) ?? { outcome } → { outcome }',
  },
})
