export const id = 565;
export const ids = [565];
export const modules = {

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

/***/ 4565:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  renderFleet: () => (/* binding */ renderFleet)
});

// EXTERNAL MODULE: ./report/escape.ts
var report_escape = __webpack_require__(2296);
// EXTERNAL MODULE: ./report/outputs.ts
var outputs = __webpack_require__(2653);
// EXTERNAL MODULE: ./report/fleet/fleet-messages.ts
var fleet_messages = __webpack_require__(9953);
// EXTERNAL MODULE: ./report/fleet/fleet-plan.ts
var fleet_plan = __webpack_require__(686);
// EXTERNAL MODULE: ./report/fleet/fleet-plan-markdown.ts
var fleet_plan_markdown = __webpack_require__(3122);
;// CONCATENATED MODULE: ./report/fleet/fleet-outputs.ts


/** The outputs of a fleet. Text of the server is redacted in the endings already. */
function fleetOutputs(record, endings, redact) {
    const { deployments, shards, isPlanned } = record;
    return {
        outcome: record.outcome.kind,
        change: changeOfAll(deployments),
        'duration-seconds': String(Math.max(0, Math.round((record.endedAt - record.startedAt) / 100) / 10)),
        polls: String(deployments.reduce((sum, { rollout }) => sum + rollout.polls, 0)),
        timeline: '[]',
        results: endings.length === 0 ? undefined : resultsJson(endings),
        matrix: shards.length === 0 ? undefined : JSON.stringify({ include: shards.map(shardOf(redact)) }),
        'has-changes': isPlanned ? String((0,fleet_plan/* hasFleetChanges */.af)(deployments)) : undefined,
        'plan-markdown': isPlanned ? (0,fleet_plan_markdown/* fleetPlanMarkdown */.f)(record, redact) : undefined,
    };
}
function shardOf(redact) {
    return ({ shard, waves, deployments }) => ({ shard, waves: waves.map(redact), deployments });
}
/** The one that says most, in this order. */
const CHANGES = ['created', 'revised', 'redeployed', 'patched', 'resumed'];
function changeOfAll(deployments) {
    const found = new Set(deployments.map(({ rollout }) => rollout.change));
    return CHANGES.find((change) => found.has(change)) ?? 'none';
}
/**
 * In characters. GitHub takes at most 1 MB of outputs from a job, which it counts as UTF-16; the other outputs of the
 * fleet need some of it.
 */
const MAX_RESULTS = 380_000;
/** What is cut keeps what needs attention: first the failures, then what is under way or not started. */
const ORDER = ['failed', 'under-way', 'waiting', 'passed', 'deployed', 'unchanged'];
/** An array in any case. One that is too long has a last entry that says how many are left out, and where they are. */
function resultsJson(endings) {
    const whole = JSON.stringify(endings.map(({ result }) => result));
    if (whole.length <= MAX_RESULTS)
        return whole;
    const inOrder = endings.toSorted((one, other) => ORDER.indexOf(one.standing) - ORDER.indexOf(other.standing));
    let room = MAX_RESULTS - 100;
    const kept = [];
    for (const { result } of inOrder) {
        room -= JSON.stringify(result).length + 1;
        if (room < 0)
            break;
        kept.push(result);
    }
    return JSON.stringify([...kept, { omitted: endings.length - kept.length, see: 'record-path' }]);
}

// EXTERNAL MODULE: ./report/fleet/standing.ts
var standing = __webpack_require__(7982);
// EXTERNAL MODULE: ./report/markdown.ts
var report_markdown = __webpack_require__(9106);
// EXTERNAL MODULE: ./report/time.ts
var time = __webpack_require__(3982);
// EXTERNAL MODULE: ./report/gantt.ts
var gantt = __webpack_require__(3337);
;// CONCATENATED MODULE: ./report/fleet/chart.ts


/** More rows than this cannot be compared at a glance. */
const MAX_ROWS = 30;
/**
 * The waves one below the other, each with its deployments in the order of their begins. Deployments of a large fleet
 * share rows.
 */
function fleetChart(record, endings) {
    const begun = endings.filter(({ deployment }) => deployment.beganAt !== undefined);
    const start = Math.min(...begun.map(({ deployment }) => deployment.beganAt ?? Infinity));
    const waves = record.waves
        .map((wave, index) => ({ wave, own: begun.filter(({ deployment }) => deployment.wave === index) }))
        .filter(({ own }) => own.length > 0);
    const shown = waves.slice(0, MAX_ROWS / 2);
    const room = Math.max(0, MAX_ROWS - shown.length);
    const size = shown.reduce((sum, { own }) => sum + own.length, 0);
    return (0,gantt/* renderChart */.xt)(shown.flatMap(({ wave, own }) => {
        const rows = size <= room ? own.length : Math.max(1, Math.floor((room * own.length) / size));
        return [...waveRow(wave, record, start), ...deploymentRows(own, rows, record.endedAt, start)];
    }));
}
/** Without names of waves, the chart itself is the wave. */
function waveRow({ name, beganAt, bakingSince, endedAt }, record, start) {
    if (name === undefined || beganAt === undefined)
        return [];
    const end = endedAt ?? record.endedAt;
    const startMs = Math.max(0, beganAt - start);
    const bake = bakingSince === undefined ? [] : [bar('blue', bakingSince - start, end - start)];
    const bars = [bar('grey', startMs, (bakingSince ?? end) - start), ...bake];
    return [{ name: `${(0,gantt/* rowWord */.H_)(name)} ${(0,time/* formatDuration */.a3)(end - beganAt)}`, bars }];
}
function deploymentRows(own, rows, endedAt, start) {
    const inOrder = own.toSorted((one, other) => (one.deployment.beganAt ?? 0) - (other.deployment.beganAt ?? 0));
    const perRow = Math.ceil(inOrder.length / rows);
    return Array.from({ length: Math.ceil(inOrder.length / perRow) }, (_, row) => {
        const group = inOrder.slice(row * perRow, (row + 1) * perRow);
        const startMs = Math.min(...group.map(({ deployment }) => deployment.beganAt ?? start)) - start;
        const endMs = Math.max(...group.map(({ deployment }) => deployment.endedAt ?? endedAt)) - start;
        const first = row * perRow + 1;
        const name = perRow === 1 ? (0,gantt/* rowWord */.H_)(group[0]?.result.name ?? '') : `${first} to ${first + group.length - 1}`;
        return { name: `${name} ${(0,time/* formatDuration */.a3)(endMs - startMs)}`, bars: [bar(colourOf(group), startMs, endMs)] };
    });
}
function bar(colour, startMs, endMs) {
    // A bar without length would be drawn as a point in time.
    return { colour, startMs, endMs: Math.max(startMs + 1, endMs) };
}
const COLOURS = {
    failed: 'red',
    'under-way': 'blue',
    waiting: 'grey',
    passed: 'grey',
    unchanged: 'grey',
    deployed: 'green',
};
/** Of the row's worst end. */
function colourOf(group) {
    const found = new Set(group.map(({ standing }) => COLOURS[standing]));
    const worst = ['red', 'blue', 'green', 'grey'].find((colour) => found.has(colour));
    return worst ?? 'grey';
}

// EXTERNAL MODULE: ./report/fleet/fit.ts
var fit = __webpack_require__(9343);
;// CONCATENATED MODULE: ./report/fleet/fleet-summary.ts







/** Of more deployments than this, those that went well are folded. */
const MAX_OPEN = 200;
/**
 * In bytes; together with five logs, the rest of the summary is below GitHub's limit of 1024 KiB whatever it contains.
 */
const [MAX_TABLE, MAX_FOLDED_TABLE] = [250_000, 250_000];
/** The job summary of a fleet in markdown. Text of the server or the user is put into code. */
function renderFleetSummary(record, endings, { mark, headline, reason, next }, redact) {
    const duration = (0,time/* formatDuration */.a3)(record.endedAt - record.startedAt);
    const isPlan = record.outcome.kind === 'planned';
    const markdown = (0,report_markdown/* paragraphs */.qN)(`## ${mark} ${(0,report_markdown/* sentence */.em)(redact(headline))}`, `${(0,report_escape/* codeSpan */.SS)(redact(record.target), 200)} · ${duration}`, reason && (0,report_escape/* codeBlock */.DV)((0,report_escape/* excerpt */.Kb)(redact(reason))), next && `**What to do next:** ${(0,report_markdown/* sentence */.em)(redact(next))}`, ...(isPlan ? [] : [...resultTables(endings), logSections(endings, redact), chartSection(record, endings)]), record.isPlanned ? (0,report_markdown/* details */.zH)('Plan', (0,fleet_plan_markdown/* fleetPlanMarkdown */.f)(record, redact), isPlan) : '');
    return `${markdown}\n`;
}
function chartSection(record, endings) {
    const chart = fleetChart(record, endings);
    return chart === '' ? '' : (0,report_markdown/* details */.zH)('Timeline', chart, true);
}
function resultTables(endings) {
    if (endings.length <= MAX_OPEN)
        return [resultTable(endings, MAX_TABLE)];
    const wentWell = endings.filter(({ standing }) => isWell(standing));
    const others = endings.filter(({ standing }) => !isWell(standing)).toSorted((one, other) => rankOf(one) - rankOf(other));
    return [
        resultTable(others, MAX_TABLE),
        (0,report_markdown/* details */.zH)(`${(0,standing/* countOf */.pq)(wentWell.length)} deployed or unchanged`, resultTable(wentWell, MAX_FOLDED_TABLE)),
    ];
}
function isWell(standing) {
    return standing === 'deployed' || standing === 'unchanged';
}
/** Those that were not started come last: there is least to say about them. */
function rankOf({ standing }) {
    return standing === 'failed' ? 0 : standing === 'waiting' ? 2 : 1;
}
function resultTable(endings, maxBytes) {
    if (endings.length === 0)
        return '';
    const { rows, more } = (0,fit/* fit */.U)(endings.map(cellsOf), maxBytes);
    return (0,report_markdown/* paragraphs */.qN)((0,report_markdown/* table */.tp)(['Deployment', 'Outcome', 'Revision', 'Duration', 'Reason'], rows), more > 0 ? `And ${more} more: the file of \`record-path\` has all of them.` : undefined);
}
const MAX_NAME = 100;
function cellsOf({ result, standing }) {
    const { name, url, outcome, status, seconds, reason = '' } = result;
    // The address of a deployment that failed may lead nowhere.
    const address = url === undefined || !isWell(standing) ? '' : `<br>${(0,report_escape/* addressLink */.Vr)(url)}`;
    const hasStatus = standing === 'failed' && status !== undefined && status !== 'DEPLOYED';
    return [
        `${(0,report_escape/* codeCell */.MZ)(name, MAX_NAME)}${address}`,
        `${outcome}${hasStatus ? ` ${(0,report_escape/* codeCell */.MZ)(status, MAX_NAME)}` : ''}`,
        (0,report_escape/* codeCell */.MZ)(result['revision-id'] ?? '', MAX_NAME),
        seconds === undefined ? '' : (0,time/* formatDuration */.a3)(seconds * 1000),
        (0,report_escape/* codeCell */.MZ)(reason),
    ];
}
const MAX_LOG_LINES = 30;
const MAX_LOG_CHARACTERS = 10_000;
/** The ends of the logs of the first failures. A whole log is redacted before it is cut. */
function logSections(endings, redact) {
    const sections = endings.flatMap(({ result, deployment: { rollout } }) => {
        if (rollout.log === undefined || rollout.log.lines.length === 0)
            return [];
        const lines = redact(rollout.log.lines.join('\n')).split('\n');
        const text = lines.slice(-MAX_LOG_LINES).join('\n').slice(-MAX_LOG_CHARACTERS);
        return [(0,report_markdown/* details */.zH)(`The end of the ${rollout.log.type} log of <code>${html(result.name)}</code>`, (0,report_escape/* codeBlock */.DV)(text))];
    });
    return sections.join('\n\n');
}
function html(text) {
    return text.slice(0, MAX_NAME).replace(/[^\w .-]/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`);
}

// EXTERNAL MODULE: ./report/fleet/results.ts
var results = __webpack_require__(5750);
;// CONCATENATED MODULE: ./report/fleet/render-fleet.ts







/** The end of a fleet in outputs, summary, record and log. */
function renderFleet(record, { redact, redactDeep }) {
    const endings = (0,results/* endingsOf */.i)(record, redact);
    const message = (0,fleet_messages/* describeFleet */.I)(record);
    return {
        message,
        outputs: fleetOutputs(record, endings, redact),
        markdown: () => renderFleetSummary(record, endings, message, redact),
        recorded: {
            matrix: record.shards.length === 0 ? undefined : { include: redactDeep(record.shards) },
            results: endings.map(({ result, deployment: { rollout, endedAt } }) => ({
                ...result,
                timeline: (0,outputs/* timelineOf */.h)({ ...rollout, endedAt: endedAt ?? record.endedAt, outcome: record.outcome }),
                'made-twice': rollout.madeTwice.length > 0 ? rollout.madeTwice : undefined,
                plan: rollout.plan && redactDeep(rollout.plan),
            })),
        },
        printBefore: (log) => printFailures(endings, log),
    };
}
/** GitHub shows ten errors of a step: the last one is that of the run. */
const MAX_ANNOTATED = 9;
const MAX_TITLE = 100;
/** The first failures as annotations, all others as lines, and the ends of their logs. */
function printFailures(endings, log) {
    const failed = endings.filter(({ standing }) => standing === 'failed');
    for (const { result, deployment } of failed) {
        const { rollout } = deployment;
        if (rollout.log === undefined || rollout.log.lines.length === 0)
            continue;
        log.group(`The end of the ${rollout.log.type} log of ${(0,report_escape/* oneLine */.TN)(result.name, MAX_TITLE)}`, rollout.log.lines);
        log.endGroup();
    }
    for (const { result } of failed.slice(0, MAX_ANNOTATED)) {
        const name = (0,report_escape/* oneLine */.TN)(result.name, MAX_TITLE);
        log.error(`${name}: ${result.reason ?? result.outcome}`, `${name}: ${result.status ?? result.outcome}`);
    }
    for (const { result } of failed.slice(MAX_ANNOTATED))
        log.info(`${result.name}: ${result.reason ?? result.outcome}`);
    if (failed.length > MAX_ANNOTATED)
        log.info(`${(0,standing/* countOf */.pq)(failed.length)} failed in all.`);
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
