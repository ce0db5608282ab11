import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const GITHUB = mutantsOf({
  'github/changed-files.ts': {
    'An entry of an earlier push is no later one.': "if (status !== 'ahead' || → if (",
    'A list that GitHub may have cut is not whole.': 'if (files.length >= MOST_FILES) → if (files.length < 0)',
    'The path before counts, too.': 'before ? [filename, before] : [filename] → [filename]',
    'An answer about another file is none.': 'found.path === path → true',
    'An answer about another commit is none.': '!FORMS.fullCommit.test(ref) || equalIgnoringCase(sha, ref) → true',
    'An answer about other commits is none.': "!('base_commit' in found) || isComparisonOf(found, base, head) → true",
  },
  'github/deployed-commits.ts, by github/changed-files.test.ts': {
    'A run that has noted another revision has not deployed the active one.':
      'if (!noted.some((revisionId) => sameId(revisionId, active.get(name)))) continue →',
    'The commit of a rollback or a promotion is not that of its revision.': ' && payload.hasOtherCode !== true →',
    'A run that has not succeeded proves nothing.': " && statuses.some(({ state }) => state === 'success') →",
    'A later status may have the note.':
      '[...revisions, ...inStatuses.map(({ revisionId }) => revisionId)] → revisions',
  },
  'github/event.ts': {
    'The file of an event may have a byte order mark.': "new TextDecoder().decode(bytes), → bytes.toString('utf8'),",
    'A contributor is no member.':
      "|| association === 'COLLABORATOR' → || association === 'COLLABORATOR' || association === 'CONTRIBUTOR'",
    'An untrusted comment is no pressed button.':
      '(comment !== undefined && isTrusted(comment.association)) → comment !== undefined',
    'A dispatch by another program is a pressed button, too.': " || name === 'repository_dispatch' →",
    'Gitea has the pages of runs by their numbers.': 'isRunByGitea(env) ? number : id → id',
    'A run of a pull request on Gitea has no merge.': '\\/merge$/.test( → \\//.test(',
    'A run of unknown attempt counts as a rerun.':
      "env['GITHUB_RUN_ATTEMPT'] === '1' → (env['GITHUB_RUN_ATTEMPT'] ?? '1') === '1'",
  },
  'github/payload.ts, by github/event.test.ts': {
    'A number of a pull request is positive.': '!Number.isSafeInteger(json) || json <= 0 → !Number.isSafeInteger(json)',
  },
  'github/event-code.ts, by github/event.test.ts': {
    'A pull request of a deleted fork is of a fork.':
      "const isFromFork = headRepository?.toLowerCase() !== env['GITHUB_REPOSITORY']?.toLowerCase() → const isFromFork = headRepository !== undefined && headRepository.toLowerCase() !== env['GITHUB_REPOSITORY']?.toLowerCase()",
  },
  'github/event-code.ts': {
    'A deleted branch is not the default one.': "(name === 'push' && payload?.isDeleted === true) → false",
    'The branch of a queue is not built on a push.': " || QUEUE_BRANCH.test(env['GITHUB_REF'] ?? '') →",
    'A release without a ref has its own tag.': "!env['GITHUB_REF'] && releaseTag !== undefined && → false &&",
    'The notes of an older release deploy nothing.':
      "return NOT_RELEASED.includes(action) ? { ...code, refused: { kind: 'release', action } } : code → return code",
    'A GitHub Deployment without a ref has none.':
      "const ref = env['GITHUB_REF'] ? ofRun.ref : none('deployment') → const { ref } = ofRun",
    'A run after that of a pull request is guarded.':
      'if (isEndedRunOfPullRequest(payload)) return { ...ofRun, imageCommit: commit, isGuarded: true } →',
    'An unknown run is of a pull request.':
      "const { event = 'pull_request', headBranch → const { event = '', headBranch",
    'Only a merge deploys its base.': 'if (pullRequest?.isMerged !== true) → if (pullRequest === undefined)',
    'A merge into another branch is guarded.': 'if (branch !== defaultBranch) → if (false)',
    'A later event of a merged pull request is none of a merge.': "action === 'closed' && [ → [",
    'A run of the branch of a queue is of a pull request.': ' || QUEUE_BRANCH.test(`refs/heads/${headBranch}`) →',
    'The merge of a pull request is its code.': "isGuarded: /^refs\\/pull\\//.test(ref ?? '') → isGuarded: false",
    'A comment does not say which code is meant.':
      "if (isCommentOnPullRequest(name, payload)) return { ref: none('comment'), commit: undefined, isGuarded: true } →",
  },
  'github/comment.ts': {
    'A comment of another author is not ours.':
      'oldest === undefined ? await loginOfToken(gitHub, author) → oldest === undefined ? author',
    'A later comment of another author is not deleted.': ': oldest.user?.login.toLowerCase() → : author',
    'A second comment is deleted.': 'for (const { id } of later) await remove(this.#gitHub, id) → void later',
    'A quoted marker is no marker.': 'listedComment.body?.startsWith(marker) → listedComment.body?.includes(marker)',
    "A person's token does not change comments of jobs.":
      'if (learned.login === undefined && author === JOB_BOT) return JOB_BOT → if (author === JOB_BOT) return JOB_BOT',
    'A run with a wrong clock does not keep the comment forever.':
      'writtenStart > startedAt && writtenStart <= clock.wallTime() + CLOCK_SKEW_MS → writtenStart > startedAt',
    'The comment of a later run stays.':
      "return this.#isOfLaterRun(body ?? '') ? id : await update → return await update",
    'A refused comment is not written again.':
      'if (isLastTry || !isLost(thrown)) throw thrown → if (isLastTry) throw thrown',
    'A cut comment has room for what it closes.':
      'end + line.length + closing(next).length + CUT.length > MAX_COMMENT → end + line.length + CUT.length > MAX_COMMENT',
    'A comment on another pull request is not ours.': 'isOurs(found.issue_url, gitHub, `/issues/${issue}`) && →',
  },
  'github/errors.ts, by github/client.test.ts': {
    'A rate limit that is over does not hide a longer one.':
      'waits.find((wait = 0) => wait > 0) → waits.find((wait = -1) => wait >= 0)',
    'A rate limit that is over has a retry.': ' ?? waits.find((wait) => wait === 0) →',
    'A refused permission is no rate limit.':
      'status !== 429 && !(status === 403 && isLimit) → status !== 429 && status !== 403',
  },
  'github/questions.ts': { 'A later end does not replace an earlier one.': 'if (wanted >= this.#end) return →' },
  'github/errors.ts': {
    'An answer of several lines is quoted in one.': ".join(' ')\n    .trim() → .join('\\n')",
    'The blanks of an answer may be those of a secret.': 'text\n    .split(/[\\r\\n]+/) → text.split(/\\s+/)',
    'A rate limit does not disable a channel.':
      'thrown.status === undefined || thrown.status === 429 → thrown.status === undefined',
  },
  'github/pace.ts': {
    'A rate limit holds other requests back.': 'this.#limits.note(limit, pauseMs) →',
    'A rate limit that lasts too long is not waited for.':
      'if (!isShortLimit(limit.ms, roomMs)) throw limitError(request, limit.until) →',
    'A shorter limit does not end a longer one.': 'if (endsAt > (this.#longest?.endsAt ?? 0)) → if (endsAt > 0)',
  },
  'github/pace.ts, by github/client.test.ts': {
    'Many writes have pauses.': 'if (writeMs > 0) await sleep(writeMs, noTurn(request)) →',
    'A write whose time is over during its pause had no turn.': 'sleep(writeMs, noTurn(request)) → sleep(writeMs)',
  },
  'github/retry.ts, by github/client.test.ts': {
    'A creation on GitHub is not repeated after a lost response.':
      'isSentOnce || limited.signal.aborted → limited.signal.aborted',
    'A rate limit that is over is no reason to ask at once.':
      'const pauseMs = pauseBefore(retry, limit.askedMs, BACKOFF) → const pauseMs = limit.askedMs ?? 0',
    'A rate limit without a time is not tried again.':
      "limit.askedMs === undefined ? { kind: 'final', error: failure } : → limit.askedMs === -1 ? { kind: 'final', error: failure } :",
    'A rate limit that ends after the run is not waited for.':
      'status !== 429 || isShortLimit(pauseMs, roomMs()) → status !== 0',
    'The wrong answer is named, not the end of the run.':
      'await sleep(pauseMs, failure.status === 200 ? failure : undefined) → await sleep(pauseMs)',
  },
  'github/octokit.ts, by github/client.test.ts': {
    'No token goes to a next page on another origin.': 'if (url?.origin !== origin) throw → if (url === null) throw',
    'A refusal is not the end of a list.': 'if (failure !== undefined) throw toError(failure) →',
    'A page has the time limit of its attempt.':
      'Object.assign(page.request, { signal }) → Object.assign(page.request, { signal: new AbortController().signal })',
    'A list whose last page has room may have another one.': 'yield { hasNext: → yield { hasNext: false && ',
  },
  'github/client.ts': {
    'A list has at most so many pages.':
      'if (room <= 0 && !isWhole) → if (room <= 0 && !isWhole && hasNext === undefined)',
    'A list that GitHub may have cut is not whole.':
      'const isWhole = !hasNext && entries.length < pageSize → const isWhole = !hasNext',
  },
  'github/client.ts, by github/read.test.ts': {
    "An age is by GitHub's clock.": '+ (this.learned.aheadMs ?? 0) - at → - at',
  },
  'github/read.ts': {
    'The age of another workflow run is not that of ours.': 'String(found.id) === run → found.id > 0',
    'An answer about another pull request does not count.':
      'parsed.success && parsed.data.number === number → parsed.success',
    'An answer about another repository does not count.':
      'if (!equalIgnoringCase(nameWithOwner, gitHub.repository)) return undefined →',
    'A pull request that GitHub does not find is not closed.':
      "thrown.status === 404 ? 'missing' : thrown → thrown.status === 404 ? 'closed' : thrown",
    'A file of a pull request counts with its earlier name.':
      'paths.push(filename, ...(before ? [before] : [])) → paths.push(filename)',
    'Only a whole list of comments shows that ours is not there.': 'nodes.length === totalCount && →',
    'A list of labels with a rest does not show which are missing.':
      'hasNextPage: z.literal(false) → hasNextPage: z.boolean()',
    'An answer about the pull request of another number does not count.':
      'found.number === number && equalIgnoringCase → equalIgnoringCase',
  },
  'github/pulls.ts': { 'One letter may be written in two ways.': 'label.normalize().trim() → label.trim()' },
  'github/pulls.ts, by github/read.test.ts': {
    'A closed pull request is closed, whatever its labels.':
      "if (state === 'closed' || label === undefined || labels === undefined) return state → if (label === undefined || labels === undefined) return state",
  },
  'github/deployments.ts': {
    'A deployment of a later run is not retired.':
      'id >= before || remainingRetired === undefined → remainingRetired === undefined',
    'A deployment of another name is not retired.': 'id >= before || remainingRetired === undefined → id >= before',
    'Only what has our key is the result of a lost creation.': 'if (payload?.key === this.#key) return id → return id',
    'An answer about another GitHub Deployment does not count.':
      '({ payload }) => payload?.key === this.#key → ({ id }) => id > 0',
  },
  'github/deployment-search.ts': {
    'Of several jobs, none is guessed.':
      "others.length === 0 ? { kind: 'one', id: first.id } : { kind: 'several', count: likely.length } → { kind: 'one', id: first.id }",
    'What a push has rolled out is no preview.':
      "origin !== 'previews' || gitHubDeployment.transient_environment === true → id > 0",
    'A status of another job does not count.':
      'ofJob.toSorted((one, other) => other.id - one.id)[0]?.state → statuses[0]?.state',
  },
})
