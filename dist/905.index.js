export const id = 905;
export const ids = [905,72];
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
async function reportState(gitHub, id, state, { description, environmentUrl, logUrl, keepsOthers }) {
    await gitHub.request({
        route: 'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
        parameters: {
            deployment_id: id,
            state,
            description,
            environment_url: environmentUrl,
            log_url: logUrl,
            ...(keepsOthers === true && { auto_inactive: false }),
        },
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
/* harmony export */   e: () => (/* binding */ deploymentStateOf),
/* harmony export */   finalStateOf: () => (/* binding */ finalStateOf)
/* harmony export */ });
/* harmony import */ var _github_deployments_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9782);
/* harmony import */ var _report_escape_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(2296);
/* harmony import */ var _report_messages_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5043);
/* harmony import */ var _report_record_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4840);
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

/***/ 5905:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   fleetFinalState: () => (/* binding */ fleetFinalState)
/* harmony export */ });
/* harmony import */ var _github_deployments_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9782);
/* harmony import */ var _report_escape_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(2296);
/* harmony import */ var _report_fleet_fit_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(9343);
/* harmony import */ var _report_fleet_fleet_messages_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9953);
/* harmony import */ var _report_fleet_fleet_plan_markdown_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3122);
/* harmony import */ var _report_fleet_results_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5750);
/* harmony import */ var _report_markdown_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(9106);
/* harmony import */ var _report_time_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(3982);
/* harmony import */ var _final_state_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9072);









/** The end of a fleet as its comment and its one GitHub Deployment show it. */
function fleetFinalState(record, redact) {
    const { headline } = (0,_report_fleet_fleet_messages_js__WEBPACK_IMPORTED_MODULE_1__/* .describeFleet */ .I)(record);
    return {
        comment: renderFleetComment(record, redact),
        description: (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .oneLine */ .TN)(redact(headline), _github_deployments_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_DESCRIPTION */ .o1),
        state: (0,_final_state_js__WEBPACK_IMPORTED_MODULE_4__/* .deploymentStateOf */ .e)(record.outcome),
    };
}
/** In bytes: GitHub takes 65,536 characters. */
const MAX_TABLE = 45_000;
const MAX_NAME = 100;
function renderFleetComment(record, redact) {
    const { mark, headline, reason, next } = (0,_report_fleet_fleet_messages_js__WEBPACK_IMPORTED_MODULE_1__/* .describeFleet */ .I)(record);
    const { outcome, runUrl, startedAt, endedAt, isPlanned } = record;
    return (0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .paragraphs */ .qN)(`### ${mark} ${(0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .sentence */ .em)(redact(headline))}`, reason && (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .codeBlock */ .DV)((0,_report_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .excerpt */ .Kb)(redact(reason), 30, 3000)), next && `**What to do next:** ${(0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .sentence */ .em)(redact(next))}`, outcome.kind === 'planned' && isPlanned ? (0,_report_fleet_fleet_plan_markdown_js__WEBPACK_IMPORTED_MODULE_2__/* .fleetPlanMarkdown */ .f)(record, redact) : failuresTable(record, redact), (0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .factsTable */ .wd)([
        ['Outcome', (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .codeCell */ .MZ)(outcome.kind)],
        ['Manifest', (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .codeCell */ .MZ)(redact(record.target))],
        ['Duration', (0,_report_time_js__WEBPACK_IMPORTED_MODULE_7__/* .formatDuration */ .a3)(endedAt - startedAt)],
        ['Run', runUrl === undefined ? '' : (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .addressLink */ .Vr)(runUrl)],
    ]));
}
function failuresTable(record, redact) {
    const failed = (0,_report_fleet_results_js__WEBPACK_IMPORTED_MODULE_3__/* .endingsOf */ .i)(record, redact).filter(({ standing }) => standing === 'failed');
    if (failed.length === 0)
        return '';
    const cells = failed.map(({ result: { name, outcome, reason = '' } }) => [(0,_report_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .codeCell */ .MZ)(name, MAX_NAME), outcome, (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .codeCell */ .MZ)(reason)]);
    const { rows, more } = (0,_report_fleet_fit_js__WEBPACK_IMPORTED_MODULE_8__/* .fit */ .U)(cells, MAX_TABLE);
    return (0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .paragraphs */ .qN)((0,_report_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .table */ .tp)(['Deployment', 'Outcome', 'Reason'], rows), more > 0 ? `And ${more} more: the job summary shows them.` : undefined);
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

/***/ 9343:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U: () => (/* binding */ fit)
/* harmony export */ });
/** Rows that fit into so many bytes of UTF-8, each with its line break, and the number of those that do not. */
function fit(rows, maxBytes) {
    let bytes = 0;
    let count = 0;
    for (const cells of rows) {
        // A cell is followed by its separator.
        bytes += cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 3, 3);
        if (bytes > maxBytes)
            break;
        count++;
    }
    return { rows: rows.slice(0, count), more: rows.length - count };
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

/***/ 3122:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   f: () => (/* binding */ fleetPlanMarkdown)
/* harmony export */ });
/* harmony import */ var _escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2296);
/* harmony import */ var _markdown_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9106);
/* harmony import */ var _fleet_plan_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(686);
/* harmony import */ var _fit_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9343);




/** In bytes: a comment of GitHub has 65,536 characters, and the plan is not all of it. */
const MAX_TABLE = 50_000;
const MAX_NAME = 100;
/** The plans of a fleet as one table, for the summary, the comment and the output `plan-markdown`. */
function fleetPlanMarkdown(record, redact) {
    const all = (0,_fleet_plan_js__WEBPACK_IMPORTED_MODULE_0__/* .planRows */ .Lq)(record);
    const hasWaves = all.some(({ wave }) => wave !== undefined);
    const cells = all.map(({ name, wave = '', change, inputs }) => [
        (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .codeCell */ .MZ)(redact(name), MAX_NAME),
        ...(hasWaves ? [(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .codeCell */ .MZ)(redact(wave), MAX_NAME)] : []),
        change,
        inputs.map((input) => `\`${input}\``).join(', '),
    ]);
    const { rows, more } = (0,_fit_js__WEBPACK_IMPORTED_MODULE_2__/* .fit */ .U)(cells, MAX_TABLE);
    return (0,_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .paragraphs */ .qN)(`**${(0,_fleet_plan_js__WEBPACK_IMPORTED_MODULE_0__/* .planCounts */ .Ai)(all)}**`, rows.length === 0 ? '' : (0,_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .table */ .tp)(['Deployment', ...(hasWaves ? ['Wave'] : []), 'Change', 'Inputs that differ'], rows), more > 0 ? `And ${more} more: the file of \`record-path\` has all of them.` : undefined);
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

/***/ 5750:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   i: () => (/* binding */ endingsOf)
/* harmony export */ });
/* unused harmony export reasonOf */
/* harmony import */ var _escape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2296);
/* harmony import */ var _messages_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5043);
/* harmony import */ var _typed_fields_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5745);
/* harmony import */ var _standing_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7982);




/** In characters, in `results` and in tables. */
const MAX_REASON = 300;
/** What became of each deployment, in the order of the waves. Text of the server is redacted. */
function endingsOf(record, redact) {
    return record.deployments.map((one) => {
        const deployment = settled(one, record);
        return { deployment, standing: (0,_standing_js__WEBPACK_IMPORTED_MODULE_2__/* .standingOf */ .YP)(deployment), result: resultOf(deployment, record, redact) };
    });
}
/** What the run did not see end has the run's own end. */
function settled(one, { outcome, endedAt }) {
    if (one.outcome !== undefined || one.beganAt === undefined)
        return one;
    const isError = outcome.kind === 'failed' && outcome.because.kind === 'error';
    const isCut = isError || outcome.kind === 'cancelled' || outcome.kind === 'timed-out';
    return isCut ? { ...one, endedAt, outcome } : one;
}
function resultOf(one, record, redact) {
    const { name, wave, rollout, beganAt, endedAt } = one;
    const { deployment, revisionId, revision, change, url } = rollout;
    const reason = reasonOf(one, record.endedAt);
    const id = shownId(deployment?.id);
    const revisionShown = shownId(revisionId);
    const waveName = record.waves[wave]?.name;
    return {
        name: redact(name),
        ...(id !== undefined && { 'deployment-id': id }),
        ...(revisionShown !== undefined && { 'revision-id': revisionShown }),
        ...(waveName !== undefined && { wave: redact(waveName) }),
        outcome: outcomeOf(one, record),
        change,
        ...(revision !== undefined && { status: revision.status }),
        ...(url !== undefined && { url }),
        ...(beganAt !== undefined && { seconds: Math.round(((endedAt ?? record.endedAt) - beganAt) / 100) / 10 }),
        ...(reason !== undefined && { reason: (0,_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .oneLine */ .TN)(redact(reason), MAX_REASON) }),
    };
}
function outcomeOf({ outcome, rollout }, { outcome: end }) {
    if (outcome !== undefined)
        return outcome.kind;
    return end.kind === 'planned' && rollout.plan !== undefined ? 'planned' : 'not-started';
}
function shownId(id) {
    return id === _typed_fields_js__WEBPACK_IMPORTED_MODULE_1__/* .HIDDEN */ .RG ? undefined : id;
}
/**
 * Why a deployment was not deployed, in the words of a single rollout; undefined where there is nothing to say. It is not
 * redacted.
 */
function reasonOf({ rollout, outcome, endedAt }, at) {
    if (outcome === undefined || QUIET.includes(outcome.kind))
        return undefined;
    const { headline, reason } = (0,_messages_js__WEBPACK_IMPORTED_MODULE_0__/* .describeOutcome */ .S)({ ...rollout, outcome, endedAt: endedAt ?? at });
    const isOfRevision = outcome.kind === 'failed' && outcome.because.kind === 'revision';
    if (isOfRevision)
        return reason ?? headline;
    return reason === undefined ? headline : `${headline} ${reason}`;
}
const QUIET = ['deployed', 'unchanged', 'planned'];


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
