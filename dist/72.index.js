export const id = 72;
export const ids = [72];
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

/***/ 9072:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   finalStateOf: () => (/* binding */ finalStateOf)
/* harmony export */ });
/* harmony import */ var _github_deployments_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9782);
/* harmony import */ var _report_escape_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(2296);
/* harmony import */ var _report_messages_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3175);
/* harmony import */ var _report_record_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2354);
/* harmony import */ var _record_facts_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9461);
/* harmony import */ var _render_comment_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6114);






function finalStateOf(record, redact) {
    const { url } = (0,_record_facts_js__WEBPACK_IMPORTED_MODULE_3__/* .revisionFacts */ .$S)(record);
    const state = (0,_report_record_js__WEBPACK_IMPORTED_MODULE_4__/* .keptDeployment */ .el)(record) === undefined ? deploymentStateOf(record.outcome) : undefined;
    // GitHub refuses a status whose address is no web address.
    const hasAddress = state === 'success' && (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .webAddress */ .Dy)(url ?? '') !== undefined;
    return {
        comment: (0,_render_comment_js__WEBPACK_IMPORTED_MODULE_2__/* .renderComment */ .wQ)(record, redact),
        description: (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .oneLine */ .TN)(redact((0,_report_messages_js__WEBPACK_IMPORTED_MODULE_1__/* .describeOutcome */ .S)(record).headline), _github_deployments_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_DESCRIPTION */ .o1),
        state,
        environmentUrl: hasAddress ? url : undefined,
    };
}
/** The state of the GitHub Deployment after a run. `undefined` if the rollout continues, or there is none. */
function deploymentStateOf(outcome) {
    switch (outcome.kind) {
        case 'deployed':
        // Another run has rolled out the same since this one started.
        case 'unchanged':
            return 'success';
        case 'failed':
            return outcome.because.kind === 'revision' ? 'failure' : 'error';
        case 'skipped':
            // Otherwise, the run has not started anything.
            return outcome.because === 'revision' ? 'failure' : undefined;
        case 'unverified':
        case 'rolled-back':
            return 'failure';
        case 'timed-out':
        case 'interrupted':
        case 'cancelled':
            return 'error';
        case 'superseded':
        case 'torn-down':
        case 'nothing-to-tear-down':
            return 'inactive';
        case 'started':
        case 'planned':
        case 'answered':
            return undefined;
    }
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
