import { mutantsOf } from '../../../scripts/mutants/mutant.ts'

export const ROLLOUT_PLAN = mutantsOf({
  'rollout/plan/promotion.ts': {
    'A ref that has moved is not promoted.':
      "if (sameCommit(head, commit)) return undefined → if (head !== '') return undefined",
    'The commit of the event is not that of a promotion.':
      'commit: isHere ? commit : undefined → commit: request.repository.commit',
    'A deployment is not promoted to itself.': 'if (sameId(from.id, current.id)) → if (from.id === current.id)',
    'An unknown commit is not promoted.': "if (commit === undefined) return → if (commit === '') return",
  },
  'rollout/plan/compare-active.ts': {
    'The commit of a deployment counts only if its newest revision serves.':
      'newest === undefined || sameId(newest, serving) → true',
    'The commit that serves already is not compared.':
      'deployed === undefined || sameCommit(deployed, ours) → deployed === undefined',
    'A rollout of the same revision is not compared.':
      "revision.source !== 'git_host' || matchesActive → revision.source !== 'git_host'",
    "A stranger's revision is not resumed.":
      "return sameCommit(built, ours) ? undefined : { kind: 'other-commit' } → return undefined",
    'An image without a digest may be another one.':
      'return isDigest && latest.settings.imageUri === image ? → return latest.settings.imageUri === image ?',
    'A revision that does not report its commit is not resumed.':
      'settings.repoRef === ours ? ours : undefined → settings.repoRef === undefined ? undefined : ours',
    'A revision under way may change what serves.':
      'if (isUnfinished(latest)) return → if (isUnfinished(active)) return',
    'An unknown field counts as changed.': "if (difference === 'unknown') return → if (difference === 'new') return",
    'An uploaded source is never proved to be the same.':
      "if (source === 'internal_source') return { kind: 'uploaded-source' } →",
    'Another commit is a change.': '?? ofCommit ?? → ??',
    'Where no revision serves, an older commit replaces nothing.': 'serving !== null && ref → ref',
  },
  'rollout/rollback/plan.ts': {
    'Another revision that serves is not replaced.': "if (serving !== undefined) return → if (serving === '') return",
    'A setting that another client has changed stays.':
      'const changedSince = differing.filter((field) => !isOurs(field)) → const changedSince = differing.filter(() => false)',
    'A setting that another client has cleared stays.': 'if (isCleared(field, now, before)) return false →',
    'The form that the service gives our setting is ours.': '[changed, patched].some( → [changed].some(',
    'What is restored or listed already is not listed again as changed by others.':
      'unproved.filter((field) => !known.includes(field)) → unproved',
    'A tag is not built on push.': "(field === 'buildOnPush' && isTag(now.repoRef)) || →",
    'It also lists them where the earlier commit is unknown.':
      "{ kind: 'commit-unknown' }, leftAsIs(config, revision)) → { kind: 'commit-unknown' })",
    'A revision that serves is deployed again if a newer one is under way.':
      'sameId(active.id, to.id) && isNewest → sameId(active.id, to.id)',
    'A revision that did not become active is passed over.':
      '[to.id, passedOver].some((id) => sameId(latest.id, id)) → [to.id].some((id) => sameId(latest.id, id))',
    'A branch without its commit is not restored.':
      "return commit === undefined ? 'commit-unknown' : { to → return { to",
    'What is not reported proves nothing.':
      'const isReported = fields.length > 0 && fields.every((field) => one.settings[field] !== undefined) → const isReported = fields.length > 0',
  },
  'rollout/rollback/departure.ts': {
    'A revision that the run has restored is not left again.':
      "if (noted(active) === 'restored') return departure(active, 'restored', active) →",
    'The first attempt goes back by one.': "if (isFirst) return { kind: 'known', to: earlier[0], notes: leftBefore } →",
    'A first attempt names the revision that was left last.': 'newer.slice(-1).map → newer.slice(0, 1).map',
    'A configuration alone shows no earlier attempt.':
      "departure(left, 'perhaps-went', to, previous) → departure(left, 'left', to)",
  },
  'rollout/plan/diff.ts': {
    'A ./ before a path is no difference.':
      'fromTop(current.appConfigPath) === fromTop(wanted.appConfigPath) → current.appConfigPath === wanted.appConfigPath',
    'A secret that the step omits is a change.': 'wanted.length !== reported.size || wanted.some → wanted.some',
    'A placeholder shows no value.':
      'return value === undefined || PLACEHOLDER.test(value) → return value === undefined',
    'A setting that another client has cleared is another one.':
      " === 'changed' || isCleared(field, now, before) →  === 'changed'",
    'A setting that the service has never reported is not cleared.':
      'now[field] === undefined && before[field] !== undefined → now[field] === undefined',
    'What changes with a revision may be missing in an answer.':
      "change === 'config' && type === 'text' → type === 'text'",
    'Only a text can be cleared.': "change === 'config' && type === 'text' → change === 'config'",
  },
  'rollout/plan/validate.ts, by rollout/plan/plan-rollout.test.ts': {
    'Secrets are not removed unasked.': 'if (removed.length === 0) return undefined → return []',
  },
  'rollout/plan/validate.ts, by rollout/plan/diff.test.ts': {
    'Variables alone do not replace unknown secrets.':
      'if (variablesAlone && current.secrets === undefined) return → if (variablesAlone && current.secrets?.length === 0) return',
  },
  'rollout/plan/validate.ts, by langsmith/plans.test.ts': {
    'A service may take an empty list as no change.':
      '!api.emptiesSecrets && settings.secrets?.length === 0 → settings.secrets?.length === 1',
  },
  'rollout/plan/defaults.ts': {
    'Of several listeners, none is guessed.': 'if (only === undefined || others.length > 0) → if (only === undefined)',
    'Of several integrations, none is guessed.': 'if (others.length > 0) { → if (others.length > 9) {',
    'A branch that is named like a tag is not built.':
      "if (!isTag(branch)) return { kind: 'ref', ref: branch, of } → return { kind: 'ref', ref: branch, of }",
    'An event without a ref does not build the deployed one.':
      "return { repoRef: { kind: 'unusable', reason: WHY_NO_REF[ref.because] } } → return { repoRef: { kind: 'none' } }",
    'A merge is built only by what builds its branch.': 'builtRef === mergedInto?.branch → true',
    'An image is of no branch.': "(current?.source ?? request.source) === 'git_host' && builtRef → builtRef",
    'Another deployment needs its confirmation.': 'return onlyIfMerged ?? request → return request',
    'A fork is built only if it is asked for.':
      'fork !== undefined && repoUrl !== undefined && sameRepository(fork, repoUrl) → fork !== undefined',
  },
  'rollout/plan/plan-rollout.ts': {
    'A deployment of another repository is no preview.': 'if (stranger !== undefined) return excluded(stranger) →',
    'An adopted preview is named.':
      'facts.isAdopted === true → facts.isAdopted === false',
    'A deployment that is being deleted is not written.':
      "if (current.isBeingDeleted) return excluded({ kind: 'being-deleted' }) →",
    'A deployment of another source is no problem of an input.':
      "if (typeof source === 'object' && 'kind' in source) return excluded(source) →",
    'A tag is not built on push.': 'isTag(known.repoRef) ? { ...known, buildOnPush: false } : known → known',
  },
  'rollout/plan/repository.ts': {
    'An address with .git is the same repository.': ".replace(/\\.git$/i, '') →",
    'A repository of another server has no name here.':
      'return host === partsOf(other)?.host ? name : undefined → return name',
  },
  'rollout/plan/approval.ts': {
    'A plan is approved for one control plane.': 'if (approved.place !== now.place) return → if (false) return',
    'The commit of a promotion is approved.': "`commit ${promotion.origin.commit}` → 'commit'",
    'A revision is made only if the approved plan makes one.': 'makesRevision(now) && !makesRevision(approved) → false',
    'Another active revision is a difference.': "if (isSame || now.kind === 'unchanged') return [] → return []",
    'What was public when it was approved may be a secret now.':
      'approved: one.approved && clean(one.approved) })) → approved: one.approved }))',
    'What a plan has turned off by itself is no difference.': '(key === PUSH && now.replaces.get(key) === one) → false',
    'What a plan has turned off is a difference if it is on.': ' && now.replaces.get(key) === one →',
    'What an earlier attempt has set is no difference.': 'approved.has(input) && now === approved.get(key) → false',
    'What the approved plan has made already is not made again.':
      'plan !== undefined && !sameIdOrNone → false && !sameIdOrNone',
    'What is hidden is in no digest.': 'shown.length <= MAX_VALUE ? shown : → shown.length <= MAX_VALUE ? text :',
    'What is hidden is told apart.': 'sha256(shown)}`) + hash → sha256(shown)}`)',
    'A name of a variable may have a secret inside.': '[hidden(key, hiding), → [key,',
    'A name of a deployment may have a secret inside.': 'hidden(plan.draft.name, hiding) → plan.draft.name',
    'Only who has the credential can look for a hidden value.': 'keyedSha256(key, text) → sha256(text)',
    'What the plan does not set, and another client has changed, is compared.':
      'return inRevision === true || !inputs.has(inputName(field)) → return inRevision === true',
    'What the variables replace is not kept.': "input === 'variables' ? inputName('secrets') : input → input",
    'What a revision that is resumed keeps is compared.': "|| plan.kind === 'resume' →",
    'What the service adds to what was created is no difference.':
      "before === undefined && !isSent && kind === 'create' → false",
    'An empty list is as none.': "value !== '' || inputOf(key) !== key → true",
    'A value of the environment of a container is hidden.': 'hidden(value, hiding, shown)] → hidden(value, hiding)]',
    'A value of the environment of a container is approved.': ', ...envEntries(wanted)] → ]',
    'The source of what is created is approved.':
      "if (plan.kind === 'create') sends.push(['source', plan.draft.source]) →",
    'A deployment that was created anew is another one.':
      '!isCreation && !sameId(approved.id, now.id) → !isCreation && now.id === undefined',
  },
  'rollout/plan/approval.ts, by rollout/prepare.test.ts': {
    'What was approved is found by its hidden name.':
      'approved.get(hidden(current.name, hiding)) → approved.get(current.name)',
  },
  'rollout/plan/plan-digest.ts, by rollout/plan/approval.test.ts': {
    'A digest is never longer than an input may be.': 'digest.length <= MAX_DIGEST ? → digest.length <= Infinity ?',
    'A digest that was altered is refused.': 'sha256(json) === hash ? → true ?',
    'A digest unpacks to a limited size.': '{ maxOutputLength: MAX_JSON } → {}',
    'A digest of another version is refused.': 'version !== VERSION → false',
  },
})
