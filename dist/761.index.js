export const id = 761;
export const ids = [761];
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

/***/ 9782:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ei: () => (/* binding */ retireDeployments),
/* harmony export */   Hn: () => (/* binding */ aboutDeployment),
/* harmony export */   Jn: () => (/* binding */ listDeployments),
/* harmony export */   jb: () => (/* binding */ DEPLOYMENT_STATES),
/* harmony export */   lM: () => (/* binding */ payload),
/* harmony export */   mS: () => (/* binding */ reportState),
/* harmony export */   o1: () => (/* binding */ MAX_DESCRIPTION),
/* harmony export */   oC: () => (/* binding */ PERMISSION)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4534);
/* harmony import */ var _about_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7583);


/** The states of a GitHub Deployment that a rollout uses. */
const DEPLOYMENT_STATES = ['queued', 'in_progress', 'success', 'failure', 'error', 'inactive'];
/** GitHub's limit for the description of a deployment or a status, in characters. */
const MAX_DESCRIPTION = 140;
const PERMISSION = 'deployments: write';
const written = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    /** The deployment of the control plane: several may share an environment. */
    name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    /** Identifies the run. */
    key: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
});
/** What a run writes into its GitHub Deployment. GitHub returns it as an object, or as JSON text. */
const payload = zod__WEBPACK_IMPORTED_MODULE_0__/* .preprocess */ .vkY(parseJson, written.optional().catch(undefined));
const listed = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    id: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(),
    payload,
    environment: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
    repository_url: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
});
function parseJson(payload) {
    if (typeof payload !== 'string')
        return payload;
    try {
        return JSON.parse(payload);
    }
    catch {
        return undefined;
    }
}
/**
 * Lists GitHub Deployments, newest first.
 * @param attempted as in `GitHubRequest`
 */
function listDeployments(gitHub, parameters, attempted, limits = {}) {
    const route = 'GET /repos/{owner}/{repo}/deployments';
    const ours = listed.refine(({ environment = parameters.environment, repository_url: address }) => (0,_about_js__WEBPACK_IMPORTED_MODULE_1__/* .equalIgnoringCase */ .E)(environment, parameters.environment) && (0,_about_js__WEBPACK_IMPORTED_MODULE_1__/* .isOurs */ .M)(address, gitHub), 'is about another environment or repository');
    return gitHub.pages({ route, parameters, attempted, permission: PERMISSION, ...limits }, zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(ours));
}
/** Sets the state of a GitHub Deployment. */
async function reportState(gitHub, id, state, { description, environmentUrl, logUrl }) {
    await gitHub.request({
        route: 'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
        parameters: { deployment_id: id, state, description, environment_url: environmentUrl, log_url: logUrl },
        attempted: `set the GitHub Deployment to ${state}`,
        permission: PERMISSION,
    }, aboutDeployment(gitHub, id, zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J()));
}
const address = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ deployment_url: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() });
/** Rejects only what shows another GitHub Deployment: a write need not show its result. */
function aboutDeployment(gitHub, id, schema) {
    return schema.refine((shown) => (0,_about_js__WEBPACK_IMPORTED_MODULE_1__/* .isOurs */ .M)(address.safeParse(shown).data?.deployment_url, gitHub, `/deployments/${id}`), 'is about another GitHub Deployment');
}
const status = zod__WEBPACK_IMPORTED_MODULE_0__/* .looseObject */ ._H3({ state: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), description: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().nullish() });
const RETIRED = 'Replaced by a newer deployment, or deleted.';
/** The search for a name ends after so many. One is not enough: a late run may report its success after it was retired. */
const ENOUGH_RETIRED = 3;
/**
 * Makes the earlier GitHub Deployments of a preview inactive, oldest first, so that a retired one has none before it
 * that is not retired, even after an error. One that became inactive by itself, as when superseded, proves nothing
 * about those before it.
 * @param names only those of these deployments of the control plane
 * @param before the id of this run's own: newer ones belong to newer runs
 */
async function retireDeployments(gitHub, environment, names, before = Number.POSITIVE_INFINITY) {
    const toRetire = [];
    const retiredLeft = new Map(names.map((name) => [name, ENOUGH_RETIRED]));
    const attempted = `list the GitHub Deployments of the environment ${environment}`;
    for await (const { id, payload } of listDeployments(gitHub, { environment }, attempted)) {
        const name = payload?.name ?? '';
        const left = retiredLeft.get(name);
        if (id >= before || left === undefined)
            continue;
        const statuses = zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(aboutDeployment(gitHub, id, status));
        const [latest] = await gitHub.request(latestStatusOf(id), statuses);
        if (latest?.state !== 'inactive')
            toRetire.push(id);
        else if (latest.description === RETIRED)
            retiredLeft.set(name, left - 1);
        if (retiredLeft.get(name) === 0)
            retiredLeft.delete(name);
        if (retiredLeft.size === 0)
            break;
    }
    for (const id of toRetire.reverse())
        await reportState(gitHub, id, 'inactive', { description: RETIRED });
}
function latestStatusOf(id) {
    return {
        route: 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
        parameters: { deployment_id: id, per_page: 1 },
        attempted: 'read the state of a GitHub Deployment',
        permission: PERMISSION,
    };
}


/***/ }),

/***/ 3761:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  finishOpenRun: () => (/* binding */ finishOpenRun)
});

// EXTERNAL MODULE: ./clock.ts
var clock_0 = __webpack_require__(3174);
// EXTERNAL MODULE: ./http/json.ts
var http_json = __webpack_require__(9159);
// EXTERNAL MODULE: ./github/comment.ts + 2 modules
var github_comment = __webpack_require__(325);
// EXTERNAL MODULE: ./github/deployments.ts
var deployments = __webpack_require__(9782);
// EXTERNAL MODULE: ./github/event.ts + 1 modules
var github_event = __webpack_require__(2859);
// EXTERNAL MODULE: ./inputs/proxies.ts
var proxies = __webpack_require__(5048);
// EXTERNAL MODULE: ./inputs/runner-inputs.ts
var runner_inputs = __webpack_require__(5232);
// EXTERNAL MODULE: ./github/questions.ts
var github_questions = __webpack_require__(7411);
// EXTERNAL MODULE: ./report/log.ts + 1 modules
var report_log = __webpack_require__(3326);
// EXTERNAL MODULE: ./report/redact.ts + 2 modules
var redact = __webpack_require__(2677);
// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 17 modules
var schemas = __webpack_require__(4534);
;// CONCATENATED MODULE: ./notify/open-run-schema.ts


/** The end of a run, as the comment and the GitHub Deployment show it. */
const finalState = schemas/* object */.Ikc({
    /** Markdown. */
    comment: schemas/* string */.YjP(),
    /** At most 140 characters. */
    description: schemas/* string */.YjP(),
    state: schemas/* enum */.k5n(deployments/* DEPLOYMENT_STATES */.jb).optional(),
    /** Set only with the state `success`. */
    environmentUrl: schemas/* string */.YjP().optional(),
});
/** What a run has open on GitHub, for the post step: it closes this if the run was killed. Holds no secret. */
const openRunSchema = schemas/* object */.Ikc({
    deploymentName: schemas/* string */.YjP(),
    /** Milliseconds since the epoch. */
    startedAt: schemas/* number */.aig(),
    /** The pull request with the comment. */
    commentOn: schemas/* number */.aig().optional(),
    /** The id of the GitHub Deployment. */
    gitHubDeployment: schemas/* number */.aig().optional(),
    revisionId: schemas/* string */.YjP().optional(),
    /** Set when the run ended, but could not deliver its end to GitHub. */
    finalState: finalState.optional(),
});

// EXTERNAL MODULE: ./notify/render-comment.ts
var render_comment = __webpack_require__(6114);
;// CONCATENATED MODULE: ./notify/post.ts












/** Limit of all requests to GitHub together, in milliseconds. */
const TIMEOUT_MS = 20_000;
const KILLED = 'The run was stopped; the rollout continues on the control plane.';
const UNREADABLE = 'The state that the run saved cannot be read. If the run was killed, its comment and its GitHub Deployment stay in progress.';
/**
 * Closes on GitHub what a killed run left open: without the post step, its comment and its GitHub Deployment would stay
 * "in progress". Never fails a job.
 * @param saved the JSON of an `OpenRun`
 */
async function finishOpenRun(saved) {
    const log = (0,report_log/* createLog */.hM)((0,redact/* createRedactor */.l)());
    log.mask((0,runner_inputs/* sensitiveTexts */.bl)(runner_inputs/* runnerInputs */.ax));
    for (const sentence of (0,proxies/* dropUnusableProxies */.Z)())
        log.warning(sentence);
    const open = readOpenRun(saved);
    if (open === undefined) {
        log.warning(UNREADABLE);
        return;
    }
    const event = await (0,github_event/* readEvent */.j)();
    const clock = clock_0/* systemClock */.m;
    const token = (0,runner_inputs/* runnerInputs */.ax)('github-token').trim() || undefined;
    const questions = (0,github_questions/* openGitHub */.o)({ event, token, clock, deadline: clock.now() + TIMEOUT_MS, log });
    questions.endWithin(TIMEOUT_MS);
    const failures = [];
    const attempt = async (deliver) => {
        try {
            await deliver(await questions.connect());
        }
        catch (thrown) {
            failures.push(thrown);
            log.warning(`Could not report the end of the run to GitHub: ${(0,clock_0/* toError */.i)(thrown).message}`);
        }
    };
    const { finalState, gitHubDeployment, commentOn: issue, deploymentName, startedAt } = open;
    if (gitHubDeployment !== undefined)
        await attempt(async (gitHub) => {
            const { state = 'error', description = KILLED, environmentUrl } = finalState ?? {};
            const status = { description, environmentUrl, logUrl: event.runUrl };
            await (0,deployments/* reportState */.mS)(gitHub, gitHubDeployment, state, status);
        });
    if (issue !== undefined)
        await attempt(async (gitHub) => {
            const comment = (0,github_comment/* openStickyComment */.H)(gitHub, { issue, deploymentName, startedAt, clock });
            await comment.finish(finalState?.comment ?? (0,render_comment/* renderKilled */.yG)(open, event.runUrl));
        });
    if (failures.length === 0)
        log.info(`Reported the end of the run for ${deploymentName} to GitHub.`);
}
function readOpenRun(saved) {
    const json = (0,http_json/* parseJson */.qF)(saved);
    return json.ok ? openRunSchema.safeParse(json.value).data : undefined;
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
/* harmony import */ var _report_record_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2354);
/* harmony import */ var _report_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2296);
/* harmony import */ var _report_markdown_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9106);
/* harmony import */ var _report_messages_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3175);
/* harmony import */ var _report_plan_section_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(8166);
/* harmony import */ var _report_serving_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(3803);
/* harmony import */ var _report_time_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(3982);
/* harmony import */ var _record_facts_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9461);








/** Renders the comment during a rollout. */
function renderProgress(record, redact, wallTime) {
    const latest = (0,_record_facts_js__WEBPACK_IMPORTED_MODULE_1__/* .latestStatus */ .Ux)(record);
    const status = latest === undefined ? 'about to start' : `${(0,_report_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .codeCell */ .MZ)(latest.status)} (${latest.phase})`;
    return [
        `### 🚀 ${(0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .sentence */ .em)(redact((0,_report_record_js__WEBPACK_IMPORTED_MODULE_4__/* .nameOf */ .Vb)(record)))} is being rolled ${record.operation === 'rollback' ? 'back' : 'out'}.`,
        (0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .factsTable */ .wd)([['Status', status], ['Since', (0,_report_time_js__WEBPACK_IMPORTED_MODULE_5__/* .formatDuration */ .a3)(wallTime - record.startedAt)], ...factsOf(record)]),
    ].join('\n\n');
}
/** Renders the comment after a run: its outcome, and the reason. */
function renderComment(record, redact) {
    const { mark, headline, reason, serving, next } = (0,_report_messages_js__WEBPACK_IMPORTED_MODULE_0__/* .describeOutcome */ .S)(record);
    return [
        `### ${mark} ${(0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .sentence */ .em)(redact(headline))}`,
        reason === undefined ? '' : (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .codeBlock */ .DV)((0,_report_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .excerpt */ .Kb)(redact(reason), 30, 3000)),
        serving ?? '',
        next === undefined ? '' : `**What to do next:** ${(0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .sentence */ .em)(redact(next))}`,
        planOf(record, redact),
        (0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .factsTable */ .wd)([...endOf(record.outcome.kind, record), ...factsOf(record)]),
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
    const block = (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .codeBlock */ .DV)(lines.map((line) => (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .shortLine */ .tl)(line, MAX_LOG_LINE)).join('\n'));
    return `<details><summary>The end of the ${log.type} log</summary>\n\n${block}\n\n</details>`;
}
/** The plan of a dry run: nothing else is known of the rollout. */
function planOf(record, redact) {
    const plan = record.outcome.kind === 'planned' && 'plan' in record ? record.plan : undefined;
    return plan === undefined ? '' : (0,_report_plan_section_js__WEBPACK_IMPORTED_MODULE_6__/* .planMarkdown */ .X)(plan, redact);
}
/** Renders the comment of a preview that a cleanup of many deleted. */
function renderDeleted(name, record, redact) {
    return [
        `### 🧹 ${(0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .sentence */ .em)(redact(name))} is deleted.`,
        (0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .factsTable */ .wd)([...endOf('torn-down', record), runFact(record.runUrl)]),
    ].join('\n\n');
}
/** Renders the comment of a run that was killed before it could report its end. */
function renderKilled({ deploymentName, revisionId }, runUrl) {
    return [
        `### ⚠️ The run for ${(0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .sentence */ .em)(deploymentName)} was stopped.`,
        revisionId === undefined
            ? 'No revision is known to have been created.'
            : 'The revision continues on the control plane; it cannot be cancelled. Rerun the job to watch it again.',
        (0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .factsTable */ .wd)([['Outcome', (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .codeCell */ .MZ)('cancelled')], ['Revision', (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .codeCell */ .MZ)(revisionId ?? '')], runFact(runUrl)]),
    ].join('\n\n');
}
function endOf(outcome, { startedAt, endedAt }) {
    return [
        ['Outcome', (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .codeCell */ .MZ)(outcome)],
        ['Duration', (0,_report_time_js__WEBPACK_IMPORTED_MODULE_5__/* .formatDuration */ .a3)(endedAt - startedAt)],
    ];
}
function factsOf(record) {
    const { commit, revisionId } = (0,_record_facts_js__WEBPACK_IMPORTED_MODULE_1__/* .revisionFacts */ .$S)(record);
    const address = (0,_report_serving_js__WEBPACK_IMPORTED_MODULE_7__/* .liveAddress */ .jT)(record);
    return [
        ['Address', address === undefined ? '' : (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .addressLink */ .Vr)(address)],
        ['Commit', (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .codeCell */ .MZ)(commit ?? '')],
        ['Revision', (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .codeCell */ .MZ)(revisionId ?? '')],
        runFact(record.runUrl),
    ];
}
function runFact(runUrl) {
    return ['Run', runUrl === undefined ? '' : (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .addressLink */ .Vr)(runUrl)];
}


/***/ })

};
