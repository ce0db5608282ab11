export const id = 78;
export const ids = [78];
export const modules = {

/***/ 7583:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ equalIgnoringCase),
/* harmony export */   M: () => (/* binding */ isOurs)
/* harmony export */ });
/**
 * Whether the address of a resource, as a response reports it, names this resource of our repository. An address that
 * is not reported shows nothing else.
 * @param path below the repository, as in `/issues/7`; the empty text for the repository itself
 */
function isOurs(address, { repository }, path = '') {
    return !address || address.toLowerCase().endsWith(`/repos/${repository}${path}`.toLowerCase());
}
/** Names of repositories and environments, and commits, have no case. An unknown text equals none. */
function equalIgnoringCase(one, other) {
    return one?.toLowerCase() === other.toLowerCase();
}


/***/ }),

/***/ 325:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  H: () => (/* binding */ openStickyComment)
});

// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 17 modules
var schemas = __webpack_require__(4534);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./github/comment-body.ts

/** GitHub's limit for a comment, in characters. */
const MAX_COMMENT = 65_536;
const CUT = '\n\n… (cut, as the comment would be too long)';
/** An HTML comment that identifies the deployment. It holds a hash, because a name may contain any character. */
function markerOf(deploymentName) {
    const hash = (0,external_node_crypto_.createHash)('sha256').update(deploymentName).digest('hex').slice(0, 32);
    return `<!-- deployment-rollout:${hash} -->`;
}
/** An HTML comment with the start of the run, so that an older run does not replace the text of a newer one. */
function stampOf(startedAt) {
    return `<!-- began:${Math.round(startedAt)} -->`;
}
/** Returns milliseconds since the epoch; 0 for a comment without a stamp. */
function startedAtOf(body) {
    return Number(/^<!-- \S+ --><!-- began:(\d{1,15}) -->/.exec(body)?.[1] ?? 0);
}
/** Cuts what exceeds GitHub's limit. The marker comes first, so that the cut does not remove it. */
function bodyOf(marker, markdown) {
    const body = `${marker}\n${markdown}`;
    if (body.length <= MAX_COMMENT)
        return body;
    // Inside a code block that the cut leaves open, the note would not be markdown.
    const room = MAX_COMMENT - CUT.length - '\n````````'.length;
    const kept = body.slice(0, room).toWellFormed();
    const fence = openFence(kept);
    return `${kept}${fence === undefined ? '' : `\n${fence}`}${CUT}`;
}
function openFence(markdown) {
    let open;
    for (const [, fence = ''] of markdown.matchAll(/^(`{3,8})/gm)) {
        if (open === undefined)
            open = fence;
        else if (fence.length >= open.length)
            open = undefined;
    }
    return open;
}

// EXTERNAL MODULE: ./github/about.ts
var about = __webpack_require__(7583);
// EXTERNAL MODULE: ./github/errors.ts
var errors = __webpack_require__(3527);
;// CONCATENATED MODULE: ./github/comment-search.ts



const PERMISSION = 'pull-requests: write';
const comment = schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    body: schemas/* string */.YjP().nullish(),
    user: schemas/* object */.Ikc({ login: schemas/* string */.YjP() }).nullish(),
    issue_url: schemas/* string */.YjP().nullish(),
});
/** A comment has up to 65,536 characters, and a page of them must fit the limit of an answer. */
const COMMENTS_PER_PAGE = 15;
const OTHER_COMMENT = 'is about another comment or pull request';
/** A comment of this pull request, and of no other. */
function commentOn(gitHub, issue, id) {
    return comment.refine((found) => (0,about/* isOurs */.M)(found.issue_url, gitHub, `/issues/${issue}`) && (id === undefined || found.id === id), OTHER_COMMENT);
}
/** Finds the oldest comment that begins with the marker and was written with this token: anyone may write a marker. */
async function findOwnComment(gitHub, issue, marker) {
    const request = {
        route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
        parameters: { issue_number: issue },
        attempted: `search for the comment on pull request ${issue}`,
        permission: PERMISSION,
        pageSize: COMMENTS_PER_PAGE,
    };
    for await (const found of gitHub.pages(request, schemas/* array */.YOg(commentOn(gitHub, issue))))
        if (found.body?.startsWith(marker) === true && (await isOwn(gitHub, found)))
            return found;
    return undefined;
}
/** Notes the login of the token, as a comment shows it that was just written. */
function noteAuthor(gitHub, { user }) {
    if (user)
        logins.set(gitHub, user.login.toLowerCase());
}
/**
 * People cannot write as a bot, nor bots as people. The login is asked for only if someone else has written a marker, or
 * the token is not that of a job: a job's own token is refused the question.
 */
async function isOwn(gitHub, { user }) {
    const author = user?.login.toLowerCase();
    if (author === JOB_BOT && !logins.has(gitHub))
        return true;
    return author === (await ownLogin(gitHub));
}
/** Reads the current comment. Returns `undefined` if someone deleted it. */
async function readComment(gitHub, issue, id) {
    const route = 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}';
    const request = { route, parameters: { comment_id: id }, attempted: 'read the comment' };
    const schema = commentOn(gitHub, issue, id);
    return await gitHub.request({ ...request, permission: PERMISSION }, schema).catch(errors/* undefinedIfGone */.Vb);
}
/** The login of a job's own token. Only a workflow of this repository has it. */
const JOB_BOT = 'github-actions[bot]';
/** One run may search for many comments, and its login does not change. */
const logins = new WeakMap();
/** The login of the token, in lower case. */
async function ownLogin(gitHub) {
    const login = logins.get(gitHub) ?? (await readLogin(gitHub)).toLowerCase();
    logins.set(gitHub, login);
    return login;
}
/** If GitHub does not return the login, the token is that of the job. */
async function readLogin(gitHub) {
    const request = { route: 'GET /user', attempted: 'read the login of github-token', permission: PERMISSION };
    try {
        return (await gitHub.request(request, schemas/* object */.Ikc({ login: schemas/* string */.YjP() }))).login;
    }
    catch (thrown) {
        // Only a person's token has this route.
        const isRefused = thrown instanceof errors/* GitHubError */.y_ && (thrown.status === 403 || thrown.status === 404);
        if (!isRefused)
            throw thrown;
    }
    try {
        return await gitHub.whoAmI();
    }
    catch (thrown) {
        if (thrown instanceof errors/* GitHubError */.y_)
            return JOB_BOT;
        throw thrown;
    }
}

;// CONCATENATED MODULE: ./github/comment.ts




/** Shortest time between two updates, in milliseconds. */
const PACE_MS = 15_000;
/** How far the clocks of two runners may differ, in milliseconds. */
const CLOCK_SKEW_MS = 60_000;
/** Opens the one comment of a deployment on a pull request. Sends nothing before the first text. */
function openStickyComment(gitHub, options) {
    const { issue, deploymentName, startedAt, clock, onFailure = ignore, later = laterUnlessOver } = options;
    const marker = markerOf(deploymentName);
    const isOfLaterRun = (body) => {
        const other = startedAtOf(body);
        // A start in the future is from a wrong clock: no run would ever replace that comment.
        return other > startedAt && other <= clock.wallTime() + CLOCK_SKEW_MS;
    };
    /** `undefined` before the first search, and after a creation that failed. */
    let found;
    let written;
    let writtenAt = Number.NEGATIVE_INFINITY;
    let queue = Promise.resolve();
    let cancelDelayed = ignore;
    const read = async () => {
        if (found === undefined)
            return await findOwnComment(gitHub, issue, marker);
        return found.id === undefined ? undefined : await readComment(gitHub, issue, found.id);
    };
    const updateUnlessLater = async ({ id, body }, next) => isOfLaterRun(body ?? '') ? id : await update(gitHub, issue, id, next);
    const updateOrCreate = async (body, onlyIfThere, isLastTry = false) => {
        const comment = await read();
        found = { id: comment && (await updateUnlessLater(comment, body)) };
        if (found.id !== undefined || onlyIfThere)
            return;
        // If the response is lost, the comment may exist: search again, because a second one would stay forever.
        found = undefined;
        try {
            const made = await create(gitHub, issue, body);
            found = { id: made };
            // Another run may have created one at the same moment: the oldest stays.
            const oldest = await findOwnComment(gitHub, issue, marker);
            if (oldest === undefined || oldest.id === made)
                return;
            await remove(gitHub, made);
            found = { id: await updateUnlessLater(oldest, body) };
        }
        catch (thrown) {
            if (isLastTry || !(0,errors/* isLost */.JD)(thrown))
                throw thrown;
            await updateOrCreate(body, onlyIfThere, true);
        }
    };
    const write = async (markdown, onlyIfThere) => {
        const body = bodyOf(`${marker}${stampOf(startedAt)}`, markdown);
        if (body === written)
            return;
        await updateOrCreate(body, onlyIfThere);
        written = body;
        writtenAt = clock.now();
    };
    /** Writes one after the other, because a timer may start a write during another. */
    const enqueue = async (work) => {
        const done = queue.then(work);
        queue = done.catch(() => undefined);
        await done;
    };
    return {
        async show(render, { hold } = { hold: false }) {
            cancelDelayed();
            await queue;
            const pause = hold ? PACE_MS : writtenAt + PACE_MS - clock.now();
            const writeNow = async () => await enqueue(async () => await write(render(), false));
            if (pause <= 0)
                await writeNow();
            else
                cancelDelayed = later(pause, () => void writeNow().catch(onFailure));
        },
        async finish(markdown, { onlyIfThere } = { onlyIfThere: false }) {
            cancelDelayed();
            await enqueue(async () => await write(markdown, onlyIfThere));
        },
    };
}
const ignore = () => undefined;
/** The timer does not keep the process alive. */
function laterUnlessOver(ms, action) {
    const timer = setTimeout(action, ms).unref();
    return () => clearTimeout(timer);
}
/** Returns the id, or `undefined` if someone deleted the comment. */
async function update(gitHub, issue, id, body) {
    const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
    const request = { route, parameters: { comment_id: id, body }, attempted: 'update the comment' };
    // A write need not show its result, but must not show another one.
    const shown = schemas/* object */.Ikc({ id: schemas/* number */.aig() });
    const ours = schemas/* unknown */.L5J()
        .refine((answer) => !shown.safeParse(answer).success || commentOn(gitHub, issue, id).safeParse(answer).success, OTHER_COMMENT);
    return await gitHub.request({ ...request, permission: PERMISSION }, ours).then(() => id, errors/* undefinedIfGone */.Vb);
}
async function create(gitHub, issue, body) {
    const request = {
        route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
        parameters: { issue_number: issue, body },
        attempted: `write the comment on pull request ${issue}`,
        permission: PERMISSION,
        once: true,
    };
    const made = await gitHub.request(request, commentOn(gitHub, issue));
    noteAuthor(gitHub, made);
    return made.id;
}
async function remove(gitHub, id) {
    const route = 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}';
    const request = { route, parameters: { comment_id: id }, attempted: 'delete the duplicate comment' };
    await gitHub.request({ ...request, permission: PERMISSION }, schemas/* unknown */.L5J());
}


/***/ }),

/***/ 6114:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   EY: () => (/* binding */ renderProgress),
/* harmony export */   WH: () => (/* binding */ renderDeleted),
/* harmony export */   wQ: () => (/* binding */ renderComment),
/* harmony export */   yG: () => (/* binding */ renderKilled)
/* harmony export */ });
/* harmony import */ var _report_record_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(4840);
/* harmony import */ var _report_escape_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2296);
/* harmony import */ var _report_fleet_fleet_messages_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9953);
/* harmony import */ var _report_fleet_standing_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7982);
/* harmony import */ var _report_markdown_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9106);
/* harmony import */ var _report_messages_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5043);
/* harmony import */ var _report_plan_section_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(8166);
/* harmony import */ var _report_serving_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(3803);
/* harmony import */ var _report_time_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(3982);
/* harmony import */ var _record_facts_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9461);










/** Renders the comment during a rollout. */
function renderProgress(record, redact, wallTime) {
    const latest = (0,_record_facts_js__WEBPACK_IMPORTED_MODULE_3__/* .latestStatus */ .Ux)(record);
    const rollout = latest === undefined ? 'about to start' : `${(0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .codeCell */ .MZ)(latest.status)} (${latest.phase})`;
    const status = record.operation === 'fleet' ? (0,_report_fleet_fleet_messages_js__WEBPACK_IMPORTED_MODULE_0__/* .countsOf */ .m)((0,_report_fleet_standing_js__WEBPACK_IMPORTED_MODULE_1__/* .tallyOf */ .sv)(record.deployments)) : rollout;
    return [
        `### 🚀 ${(0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .sentence */ .em)(redact((0,_report_record_js__WEBPACK_IMPORTED_MODULE_6__/* .nameOf */ .Vb)(record)))} is being rolled ${record.operation === 'rollback' ? 'back' : 'out'}.`,
        (0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .factsTable */ .wd)([['Status', status], ['Since', (0,_report_time_js__WEBPACK_IMPORTED_MODULE_7__/* .formatDuration */ .a3)(wallTime - record.startedAt)], ...factsOf(record)]),
    ].join('\n\n');
}
/** Renders the comment after a run: its outcome, and the reason. */
function renderComment(record, redact) {
    const { mark, headline, reason, serving, next } = (0,_report_messages_js__WEBPACK_IMPORTED_MODULE_2__/* .describeOutcome */ .S)(record);
    return [
        `### ${mark} ${(0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .sentence */ .em)(redact(headline))}`,
        reason === undefined ? '' : (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .codeBlock */ .DV)((0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .excerpt */ .Kb)(redact(reason), 30, 3000)),
        serving ?? '',
        next === undefined ? '' : `**What to do next:** ${(0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .sentence */ .em)(redact(next))}`,
        planOf(record, redact),
        (0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .factsTable */ .wd)([...endOf(record.outcome.kind, record), ...factsOf(record)]),
        logFold(record, redact),
    ]
        .filter((part) => part !== '')
        .join('\n\n');
}
const MAX_LOG_LINES = 20;
const MAX_LOG_LINE = 300;
/** The last lines of the log that explains a failure. */
function logFold(record, redact) {
    const log = 'log' in record ? record.log : undefined;
    if (log === undefined || log.lines.length === 0)
        return '';
    const lines = redact(log.lines.join('\n')).split('\n').slice(-MAX_LOG_LINES);
    const block = (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .codeBlock */ .DV)(lines.map((line) => (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .shortLine */ .tl)(line, MAX_LOG_LINE)).join('\n'));
    return `<details><summary>The end of the ${log.type} log</summary>\n\n${block}\n\n</details>`;
}
/** The plan of a dry run: nothing else is known of the rollout. */
function planOf(record, redact) {
    const plan = record.outcome.kind === 'planned' && 'plan' in record ? record.plan : undefined;
    return plan === undefined ? '' : (0,_report_plan_section_js__WEBPACK_IMPORTED_MODULE_8__/* .planMarkdown */ .X)(plan, redact);
}
/** Renders the comment of a preview that a cleanup of many deleted. */
function renderDeleted(name, record, redact) {
    return [
        `### 🧹 ${(0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .sentence */ .em)(redact(name))} is deleted.`,
        (0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .factsTable */ .wd)([...endOf('torn-down', record), runFact(record.runUrl)]),
    ].join('\n\n');
}
/** Renders the comment of a run that was killed before it could report its end. */
function renderKilled({ deploymentName, revisionId, unfinished }, runUrl) {
    return [
        `### ⚠️ The run for ${(0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .sentence */ .em)(deploymentName)} was stopped.`,
        unfinished !== undefined
            ? unfinishedText(unfinished)
            : revisionId === undefined
                ? 'No revision is known to have been created.'
                : 'The revision continues on the control plane; it cannot be cancelled. Rerun the job to watch it again.',
        (0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .factsTable */ .wd)([['Outcome', (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .codeCell */ .MZ)('cancelled')], ['Revision', (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .codeCell */ .MZ)(revisionId ?? '')], runFact(runUrl)]),
    ].join('\n\n');
}
const MAX_NAMED = 20;
function unfinishedText({ underWay, notStarted }) {
    const more = underWay.length > MAX_NAMED ? ` and ${underWay.length - MAX_NAMED} more` : '';
    const named = underWay.slice(0, MAX_NAMED).map((name) => (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .codeCell */ .MZ)(name, 100));
    const rest = `Not started: ${(0,_report_fleet_standing_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(notStarted)}. Rerun the job: it resumes what is under way, and starts the rest.`;
    if (underWay.length === 0)
        return rest;
    return `Under way: ${named.join(', ')}${more}. Their revisions continue on the control plane; they cannot be cancelled. ${rest}`;
}
function endOf(outcome, { startedAt, endedAt }) {
    return [
        ['Outcome', (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .codeCell */ .MZ)(outcome)],
        ['Duration', (0,_report_time_js__WEBPACK_IMPORTED_MODULE_7__/* .formatDuration */ .a3)(endedAt - startedAt)],
    ];
}
function factsOf(record) {
    const { commit, revisionId } = (0,_record_facts_js__WEBPACK_IMPORTED_MODULE_3__/* .revisionFacts */ .$S)(record);
    const address = (0,_report_serving_js__WEBPACK_IMPORTED_MODULE_9__/* .liveAddress */ .jT)(record);
    return [
        ['Address', address === undefined ? '' : (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .addressLink */ .Vr)(address)],
        ['Commit', (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .codeCell */ .MZ)(commit ?? '')],
        ['Revision', (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .codeCell */ .MZ)(revisionId ?? '')],
        runFact(record.runUrl),
    ];
}
function runFact(runUrl) {
    return ['Run', runUrl === undefined ? '' : (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .addressLink */ .Vr)(runUrl)];
}


/***/ }),

/***/ 9953:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ describeFleet),
/* harmony export */   m: () => (/* binding */ countsOf)
/* harmony export */ });
/* harmony import */ var _failure_messages_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5434);
/* harmony import */ var _skip_messages_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7477);
/* harmony import */ var _time_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3982);
/* harmony import */ var _fleet_plan_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(686);
/* harmony import */ var _standing_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7982);





/** Words the outcome of a fleet: the same in the log, in the error, in the summary and in the comment. */
function describeFleet(record) {
    const { outcome } = record;
    const tally = (0,_standing_js__WEBPACK_IMPORTED_MODULE_2__/* .tallyOf */ .sv)(record.deployments);
    const size = record.deployments.length;
    switch (outcome.kind) {
        case 'deployed':
            return { mark: '✅', headline: `${deployedSentence(tally, size)}` };
        case 'unchanged':
            return {
                mark: '✅',
                headline: size === 0
                    ? 'This shard of the fleet has no deployments.'
                    : `The fleet is unchanged: the active revision of each of the ${(0,_standing_js__WEBPACK_IMPORTED_MODULE_2__/* .countOf */ .pq)(size)} is already what was requested.`,
            };
        case 'planned':
            return { mark: '📋', headline: `${(0,_fleet_plan_js__WEBPACK_IMPORTED_MODULE_1__/* .planCounts */ .Ai)((0,_fleet_plan_js__WEBPACK_IMPORTED_MODULE_1__/* .planRows */ .Lq)(record))}. Nothing was written (dry-run: true).` };
        case 'timed-out':
            return {
                mark: '⏱️',
                headline: `Timed out after ${(0,_time_js__WEBPACK_IMPORTED_MODULE_3__/* .formatDuration */ .a3)(record.timeoutMs ?? 0)}: ${countsOf(tally)}.`,
                reason: outcome.lastTrouble,
                next: `${leftSentences(tally)} Rerun the job, or set a longer timeout. ${RERUN}`,
            };
        case 'cancelled':
            return { mark: '⚠️', headline: `The run was cancelled${after(tally)}.`, next: `${leftSentences(tally)} ${RERUN}`.trim() };
        case 'skipped':
            return (0,_skip_messages_js__WEBPACK_IMPORTED_MODULE_4__/* .describeSkip */ .V)(outcome, 'the fleet', undefined);
        case 'failed': {
            const message = (0,_failure_messages_js__WEBPACK_IMPORTED_MODULE_0__/* .describeFailure */ .Ic)(outcome.because, record, 'the fleet');
            const isError = outcome.because.kind === 'error';
            // An error before the first write says itself that nothing was written.
            const left = isError && hasBegun(tally) ? `${capital(countsOf(tally))}. ${leftSentences(tally)} ${RERUN}` : undefined;
            return { mark: '❌', ...message, next: [message.next, left].filter((one) => one !== undefined).join(' ') || undefined };
        }
        // No outcome of a fleet.
        case 'superseded':
        case 'interrupted':
        case 'unverified':
        case 'rolled-back':
        case 'started':
        case 'torn-down':
        case 'nothing-to-tear-down':
        case 'answered':
            return { mark: '⚠️', headline: `The fleet ended as ${outcome.kind}: ${countsOf(tally)}.` };
    }
}
const RERUN = 'A rerun skips what is unchanged, resumes what is under way, and starts the rest.';
function deployedSentence({ deployed, unchanged, passed }, size) {
    const others = [
        ...(unchanged > 0 ? [`${unchanged} ${unchanged === 1 ? 'is' : 'are'} unchanged`] : []),
        ...(passed > 0 ? [`${passed} ended otherwise`] : []),
    ];
    if (others.length === 0)
        return `${size === 1 ? 'The deployment of the fleet is' : `All ${size} deployments of the fleet are`} deployed.`;
    return `${deployed} of ${(0,_standing_js__WEBPACK_IMPORTED_MODULE_2__/* .countOf */ .pq)(size)} ${deployed === 1 ? 'is' : 'are'} deployed; ${others.join(', ')}.`;
}
/** `3 deployed, 1 failed, 2 not started`; what there is none of is omitted. */
function countsOf(tally) {
    const words = [
        ['deployed', 'deployed'],
        ['unchanged', 'unchanged'],
        ['passed', 'ended otherwise'],
        ['failed', 'failed'],
        ['under-way', 'under way'],
        ['waiting', 'not started'],
    ];
    const counts = words.filter(([standing]) => tally[standing] > 0).map(([standing, word]) => `${tally[standing]} ${word}`);
    return counts.join(', ') || 'no deployment';
}
function after(tally) {
    return hasBegun(tally) ? `: ${countsOf(tally)}` : '';
}
/** Something of the fleet may have been written. */
function hasBegun(tally) {
    return Object.entries(tally).some(([standing, count]) => standing !== 'waiting' && count > 0);
}
function leftSentences(tally) {
    if (!hasBegun(tally))
        return 'No deployment was started.';
    return 'Revisions that are under way continue on the control plane; they cannot be cancelled.';
}
function capital(words) {
    return words.replace(/^./, (first) => first.toUpperCase());
}


/***/ }),

/***/ 686:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ai: () => (/* binding */ planCounts),
/* harmony export */   Lq: () => (/* binding */ planRows),
/* harmony export */   af: () => (/* binding */ hasFleetChanges)
/* harmony export */ });
/* harmony import */ var _standing_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7982);

const CHANGES = {
    create: 'create',
    revise: 'new revision',
    redeploy: 'redeploy',
    resume: 'resume',
    unchanged: 'unchanged',
};
/** Every deployment, those without a plan first and those without a change last. */
function planRows(record) {
    const rows = record.deployments.map((one) => {
        const { plan } = one.rollout;
        const inputs = plan?.fields.filter(({ difference }) => difference !== 'same').map(({ input }) => input) ?? [];
        const change = plan === undefined ? 'no plan' : CHANGES[plan.kind];
        return { name: one.name, wave: record.waves[one.wave]?.name, kind: plan?.kind, change, inputs };
    });
    const rankOf = ({ kind }) => (kind === undefined ? 0 : kind === 'unchanged' ? 2 : 1);
    return rows.toSorted((one, other) => rankOf(one) - rankOf(other));
}
/** `Plan of 12 deployments: 2 create, 9 new revision, 1 unchanged`. */
function planCounts(rows) {
    const counts = Object.values(CHANGES)
        .concat('no plan')
        .map((change) => [rows.filter((row) => row.change === change).length, change]);
    const parts = counts.filter(([count]) => count > 0).map(([count, change]) => `${count} ${change}`);
    return `Plan of ${(0,_standing_js__WEBPACK_IMPORTED_MODULE_0__/* .countOf */ .pq)(rows.length)}: ${parts.join(', ') || 'nothing to do'}`;
}
function hasFleetChanges(deployments) {
    return deployments.some(({ rollout }) => rollout.plan?.hasChanges === true);
}


/***/ }),

/***/ 7982:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   YP: () => (/* binding */ standingOf),
/* harmony export */   pq: () => (/* binding */ countOf),
/* harmony export */   sv: () => (/* binding */ tallyOf)
/* harmony export */ });
/* unused harmony exports inWave, waveWords */
/* harmony import */ var _rollout_outcome_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4698);

function standingOf({ outcome, beganAt, rollout }) {
    if (outcome === undefined || outcome.kind === 'cancelled')
        return beganAt === undefined ? 'waiting' : 'under-way';
    if ((0,_rollout_outcome_js__WEBPACK_IMPORTED_MODULE_0__/* .failsStep */ .u)(outcome, rollout.onSuperseded))
        return 'failed';
    return outcome.kind === 'deployed' || outcome.kind === 'unchanged' ? outcome.kind : 'passed';
}
function tallyOf(deployments) {
    const tally = { waiting: 0, 'under-way': 0, deployed: 0, unchanged: 0, passed: 0, failed: 0 };
    for (const one of deployments)
        tally[standingOf(one)]++;
    return tally;
}
function inWave({ deployments }, wave) {
    return deployments.filter((one) => one.wave === wave);
}
/** As in `wave canary`; a manifest without waves has only one, which is the fleet. */
function waveWords({ name }) {
    return name === undefined ? 'fleet' : `wave ${name}`;
}
/** `1 deployment`, `12 deployments`. */
function countOf(count, noun = 'deployment') {
    return `${count} ${noun}${count === 1 ? '' : 's'}`;
}


/***/ })

};
