import { mutantsOf } from '../../../scripts/mutants/mutant.ts'

export const ROLLOUT_PLAN = mutantsOf({
  'rollout/plan/promotion.ts': {
    'A ref that has moved is not promoted.':
      'if (head !== undefined && sameCommit(head, commit)) return → if (head !== undefined) return',
    'A ref whose commit GitHub does not report is not promoted.':
      'if (head !== undefined && sameCommit(head, commit)) → if (head === undefined || sameCommit(head, commit))',
    'The commit of the event is not that of a promotion.':
      'commit: isHere ? commit : undefined → commit: request.repository.commit',
    'A deployment is not promoted to itself.': 'if (sameId(from.id, current.id)) → if (from.id === current.id)',
    'An unknown commit is not promoted.': "if (commit === undefined) return → if (commit === '') return",
  },
  'rollout/plan/planned-requests.ts, by rollout/plan/promotion.test.ts': {
    'A planned request shows no login of an image.': 'imageUri: imageUri && withoutLogin(imageUri), → imageUri,',
    'A planned request shows no login of a repository.': 'repoUrl: repoUrl && withoutPassword(repoUrl), → repoUrl,',
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
    'An image without a digest may be another one.': 'return isDigest && compareSetting( → return compareSetting(',
    'A revision that does not report its commit is not resumed.':
      'settings.repoRef === ours ? ours : undefined → settings.repoRef === undefined ? undefined : ours',
    'A rerun watches its own revision while the older one is active.':
      'if (isNoted && sameId(latest?.id, active.id)) → if (isNoted)',
    'A revision under way may change what serves.':
      'if (isUnfinished(latest)) return → if (isUnfinished(active)) return',
    'An unknown field counts as changed.':
      "if (comparison === 'not-reported') return → if (comparison === null) return",
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
      'unproved.filter((field) => !decided.includes(field)) → unproved',
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
      'const isReported = fields.length > 0 && fields.every((field) => revision.settings[field] !== undefined) → const isReported = fields.length > 0',
  },
  'rollout/rollback/departure.ts': {
    'A revision that the run has restored is not left again.':
      "if (noted(active) === 'restored') return departFrom(active, 'restored', active) →",
    'The first attempt goes back by one.': 'if (isFirst) { → if (isFirst && newer.length > 9) {',
    'A first attempt names the revision that was left last.': 'newer.slice(-1).map → newer.slice(0, 1).map',
  },
  'rollout/plan/diff.ts': {
    'A list of variables shows no earlier value that may have been a secret.':
      'return stays || isPlainValue(value) ? → return true ?',
  },
  'rollout/plan/validate.ts, by rollout/plan/plan-rollout.test.ts': {
    'Secrets are not removed unasked.': 'if (removed.length === 0) return undefined → return []',
  },
  'rollout/plan/validate.ts, by rollout/plan/diff.test.ts': {
    'Variables alone do not replace unknown secrets.':
      "if (secretsInput === 'variables' && current.secrets === undefined) return → if (secretsInput === 'variables' && current.secrets?.length === 0) return",
  },
  'rollout/plan/validate.ts, by langsmith/plans.test.ts': {
    'A service may take an empty list as no change.':
      '!api.emptiesSecrets && settings.secrets?.length === 0 → settings.secrets?.length === 1',
  },
  'rollout/plan/defaults.ts': {
    'Of several listeners, none is guessed.': 'if (only === undefined || others.length > 0) → if (only === undefined)',
    'Of several integrations, none is guessed.': 'if (others.length > 0) { → if (others.length > 9) {',
    'A branch that is named like a tag is not built.':
      "if (!isTag(branch)) return { kind: 'ref', ref: branch, origin } → return { kind: 'ref', ref: branch, origin }",
    'An event without a ref does not build the deployed one.':
      "return { repoRef: { kind: 'unusable', reason: WHY_NO_REF[ref.because] } } → return { repoRef: { kind: 'none' } }",
    'A merge is built only by what builds its branch.': 'builtRef === mergedInto?.branch → true',
    'An image is of no branch.': "(current?.source ?? request.source) === 'git_host' && builtRef → builtRef",
    'Another deployment needs its confirmation.': 'return onlyIfMerged ?? request → return request',
    'What was merged has the commit of the merge.':
      'repository: { ...repository, repoRef, commit } → repository: { ...repository, repoRef }',
    'A fork is built only if it is asked for.':
      'fork !== undefined && repoUrl !== undefined && sameRepository(fork, repoUrl) → fork !== undefined',
  },
  'rollout/plan/plan-rollout.ts': {
    'A deployment of another repository is no preview.': 'if (stranger !== undefined) return excluded(stranger) →',
    'An adopted preview is named.': 'facts.isAdopted === true → facts.isAdopted === false',
    'A deployment that is being deleted is not written.':
      "if (current.isBeingDeleted) return excluded({ kind: 'being-deleted' }) →",
    'A deployment of another source is no problem of an input.':
      "if (typeof source === 'object' && 'kind' in source) return excluded(source) →",
    'A tag is not built on push.':
      'isTag(defaulted.repoRef) ? { ...defaulted, buildOnPush: false } : defaulted → defaulted',
  },
  'rollout/fields/repository-path.ts, by rollout/plan/repository.test.ts': {
    'An address with .git is the same repository.': ".replace(/\\.git$/i, '') →",
  },
  'rollout/plan/repository.ts': {
    'A repository of another server has no name here.':
      'return host === hostAndPathOf(serverAddress)?.host ? name : undefined → return name',
  },
  'rollout/plan/approval-outline.ts, by rollout/plan/approval.test.ts': {
    'The commit of a promotion is approved.': "`commit ${commit}` → 'commit'",
    'The hash of an upload is approved.': "`sha256 ${packed.sha256}` → 'sha256'",
    'The ref of the event is approved.': 'settings.repoRef ?? ofEvent → settings.repoRef',
    'An image is built of no ref.': "built === 'git_host' && repository → repository",
    'What is looked up is approved.': 'return pick(sent, COMPARED.addedByPlan) → return {}',
    'A revision shows what its deployment does not.':
      'const reported = { ...ofLatest, ...omit(settings, []) } → const reported = omit(settings, [])',
    'What cannot change is compared after a creation only.':
      'isCreatedSince ? COMPARED.createdSinceApproval : COMPARED.approvedDeployment → COMPARED.createdSinceApproval',
    'Another revision shows nothing of the latest one.': 'sameId(latest?.id, latestRevisionId) ? → latest ?',
  },
  'rollout/plan/approval.ts': {
    'A plan is approved for one control plane.': 'if (approved.there.place !== there.place) return → if (false) return',
    'A deployment that was created anew is another one.':
      'id !== undefined && !sameId(id, there.id) → id !== undefined && there.id === undefined',
    'The source of what is created is approved.': "key !== 'source' || kind === 'create' → key !== 'source'",
    'The source says nothing of what exists.': "key !== 'source' || kind === 'create' → true",
    'A part of what was asked is another plan.':
      'const keys = keysOf(requested, now.requested).filter → const keys = keysOf(now.requested).filter',
    'A plan that writes nothing needs no author.':
      "const { plan, outline } = now\n  if (plan.kind === 'unchanged') return [] → const { plan, outline } = now",
    'A revision is made only if the approved plan makes one.':
      'makesRevision(plan) && !makesRevision(approved) → false',
    'Another active revision is a difference.': "sameIdOrNone) === 'other' → sameIdOrNone) === null",
    'A noted revision may be active.': '(isNoted && sameId(there.active, there.latest)) || (kind → (kind',
    'Of a resumed revision, the end was approved.': " || (kind === 'resume' && sameId(there.active, before.latest)) →",
    'Another latest revision is a difference.':
      "return isNoted || compareReported(before.latest, there.latest, sameId) !== 'other' → return true",
    'A note excuses its revision.': 'return isNoted || compareReported → return compareReported',
    'What is proved, and resumed, needs no note.':
      " && plan.kind !== 'resume' && !hasLatestFailed → && !hasLatestFailed",
    'A revision that was deployed has not failed.': " && latest.status !== 'DEPLOYED' →",
    'A revision under way has not failed.': "phaseOf(latest.status) === 'terminal' && latest.status → latest.status",
    'Only our own revision explains what is shown more.':
      'const isOwnRevision = now.isNoted || sameId(approved.there.latest, latest) → const isOwnRevision = true',
    'A read may show more of our own revision.': 'return isOwnRevision && (before → return false && (before',
    'A read may show less of our own revision.':
      'return isOwnRevision || !deployed.has(input) → return !deployed.has(input)',
    'What is not reported is unknown.': 'return isOwnRevision || !deployed.has(input) → return isOwnRevision',
    'A text that is cleared is a difference.': 'value === null || CLEARABLE.has(input) → value === null',
    'What an earlier attempt has set is no difference.': ' && !hasValueAfter(key)) → )',
    'What was not asked has no other value.': 'after.has(inputOf(key)) && after.get(key) === → after.get(key) ===',
    'What a plan has turned off by itself is no difference.': 'settings.get(key) === before.get(key)) → false)',
    'What a plan has turned off is a difference if it is on.':
      '!settings.has(key) || settings.get(key) === before.get(key) → true',
    'Another listener is looked up for another creation.':
      "if (plan.kind === 'create')\n    return keysOf(adds, there.adds) → if (plan.kind === 'create')\n    return keysOf(new Map())",
    'Nothing serves where nothing was at the approval.':
      "const isActiveOther = plan.kind !== 'unchanged' && → const isActiveOther = false &&",
    'A creation that a note names may serve.':
      'there.active && !(isNoted && sameId(there.active, there.latest)) → there.active',
    'A creation of somebody else has other values.':
      'if (wanted === undefined) return isNoted || !isNeverAddedByService(key, value, after) → if (wanted === undefined) return true',
    'A note excuses what the service adds.': 'return isNoted || !isNeverAddedByService → return !isNeverAddedByService',
    'Another value than the approved one is that of somebody else.':
      "return PATCHED.has(key) && value === 'false' → return true",
    'A flag is patched after the creation.': "return PATCHED.has(key) && value === 'false' → return false",
    'A secret that a creation lacks makes it another one.':
      'if (value === undefined) return !keysOf(deployed).some((one) => isPart(one) && areOfOneList(inputOf(one), input)) → if (value === undefined) return true',
    'A hidden list says nothing of another one.':
      'LISTS.has(input) && listOf(input) === listOf(otherInput) → LISTS.has(input) && LISTS.has(otherInput)',
    'A service adds to a spec that was asked.': 'return !requested.has(input) → return true',
    'No service makes a spec.': 'return !requested.has(input) → return false',
    'No service makes an address of a container.':
      "if (input === inputName('customUrl')) return true → if (input === inputName('customUrl')) return false",
    'No service sets a flag.': " || (FLAGS.has(input) && value === 'true') →",
    'No service adds a secret.': 'return LISTS.has(input) || → return',
    'What was public when it was approved may be a secret now.':
      'return { ...difference, key: clean(difference.key), approved: difference.approved && clean(difference.approved) } → return difference',
    'What the approved plan has made already is not made again.':
      '!isUnknown && !sameIdOrNone(active, activeRevisionId) → false',
  },
  'rollout/plan/approval.ts, by rollout/prepare.test.ts': {
    'What was approved is found by its hidden name.':
      'approved.get(hidden(current.name, hiding)) → approved.get(current.name)',
  },
  'rollout/plan/approval-texts.ts, by rollout/plan/approval.test.ts': {
    'What is hidden is in no digest.': 'return cut(cleaned) + (cleaned → return cut(text) + (cleaned',
    'What is hidden is distinguished by its hash.': "(cleaned === text ? '' : hashOf(text, hiding)) → ''",
    'A secret is recognised as it was written.':
      'const cleaned = written === undefined ? undefined : hiding.clean(written) → const cleaned = written',
    'A name of a variable may have a secret inside.': '[hidden(entry.key, hiding), → [entry.key,',
    'Only who has the credential can look for a hidden value.': 'keyedSha256(key, text) → sha256(text)',
    'A value of the environment of a container is hidden.': 'if (isSecret) return NOT_SHOWN + hashOf(value, hiding) →',
    'A value of the environment of a container is approved.':
      "return [{ key: input, value: '' }, ...parts, ...ofEnv] → return [{ key: input, value: '' }, ...parts]",
  },
  'rollout/fields/compared.ts, by rollout/plan/approval.test.ts': {
    'Each upload has a path of its own.': "FIELDS.filter((field) => field !== 'sourceTarballPath') → FIELDS",
  },
  'rollout/fields/compared.ts, by rollout/plan/compare-active.test.ts': {
    'What only a new revision changes is compared with the active one.':
      "revisionWithRequest: [...changedBy('config'), ...changedBy('revision')] → revisionWithRequest: changedBy('config')",
  },
  'rollout/fields/canonical.ts, by rollout/fields/compare.test.ts': {
    'A ./ before a path is no difference.':
      "case 'appConfigPath':\n      return withoutDotSlash(text) → case 'appConfigPath':\n      return text",
    'The letters of an id are no difference.': 'return idKey(text) → return text',
    'The prefix of a ref is no contradiction.': 'shortRef(withoutDotSlash(text.trim())) → withoutDotSlash(text.trim())',
  },
  'rollout/fields/compare.ts, by rollout/apply/patch-progress.test.ts': {
    'What is not reported is of nobody else.': 'reported[field] !== undefined && !own → !own',
  },
  'rollout/fields/compare.ts': {
    'What is not reported is not another value.':
      "if (value === undefined || wanted === undefined) return 'not-reported' → if (value === undefined || wanted === undefined) return 'other'",
    'A field that the service always reports is not set if a response lacks it.':
      "return isNotSet ? 'other' : compareSetting(field, deployed, wanted) → return compareSetting(field, deployed, wanted)",
    'A field that this service never reports is unknown.': ' && !unreported.includes(field) →',
    'An empty list may stand for any secrets.': 'if (reported.length === 0) return undefined →',
    'A service may add to a list.':
      'reported.filter(({ name }) => wanted.some((item) => item.name === name)) → reported',
    'A service may omit a part of a resource spec, or add one.':
      'partsIn(spec, wantedSpec), partsIn(wantedSpec, spec) → spec, wantedSpec',
    'A setting that another client has cleared is another one.':
      "=== 'other' || isCleared(field, reported, before) → === 'other'",
    'A setting that the service has never reported is not cleared.':
      'reported[field] === undefined && before[field] !== undefined → reported[field] === undefined',
    'Two texts with the same letters need not be the same.':
      'return singleSpaced(text) === singleSpaced(wanted) → return singleSpaced(text).toLowerCase() === singleSpaced(wanted).toLowerCase()',
    'A secret that the step omits is a change.': 'wanted.length !== values.size || wanted.some → wanted.some',
    'A placeholder shows no value.':
      'return value === undefined || PLACEHOLDER.test(value) → return value === undefined',
    'What changes with a revision may be missing in an answer.':
      "change === 'config' && type === 'text' → type === 'text'",
    'Only a text can be cleared.': "change === 'config' && type === 'text' → change === 'config'",
  },
  'rollout/plan/plan-digest.ts, by rollout/plan/approval.test.ts': {
    'A digest is never longer than an input may be.': 'digest.length <= MAX_DIGEST ? → digest.length <= Infinity ?',
    'A digest that was altered is refused.': 'sha256(json) === hash ? → true ?',
    'A digest unpacks to a limited size.': '{ maxOutputLength: MAX_JSON } → {}',
    'A digest of another version is refused.': 'version !== VERSION → false',
  },
})
