export const id = 984;
export const ids = [984];
export const modules = {

/***/ 3337:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H_: () => (/* binding */ rowWord),
/* harmony export */   ZK: () => (/* binding */ renderGantt),
/* harmony export */   xt: () => (/* binding */ renderChart)
/* harmony export */ });
/* harmony import */ var _time_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3982);

/** The timeline as a mermaid gantt: a row for each status, coloured by its phase. */
function renderGantt(timeline) {
    const start = Date.parse(timeline[0]?.at ?? '');
    return renderChart(timeline.map((entry) => {
        const { status, phase, at, seconds } = entry;
        const startMs = Date.parse(at) - start;
        const isPoint = phase === 'terminal';
        const colour = isPoint && status !== 'DEPLOYED' ? 'red' : COLOUR_OF[phase];
        return { name: rowOf(entry), bars: [{ colour, startMs, endMs: isPoint ? startMs : startMs + Math.max(1, seconds * 1000) }] };
    }));
}
/**
 * A mermaid gantt. Times count from midnight of a fixed day, as mermaid reads local times. The names of the rows contain
 * the durations, so that the chart needs no axis.
 */
function renderChart(rows) {
    if (rows.length === 0)
        return '';
    const lines = [
        `%%{init: ${JSON.stringify(lookOf(rows.length))}}%%`,
        'gantt',
        '    dateFormat YYYY-MM-DD HH:mm:ss.SSS',
        `    axisFormat ${NO_TEXT}`,
        ...rows.flatMap(({ name, bars }, index) => {
            // Mermaid would draw rows of the same name as one.
            const earlier = rows.slice(0, index).filter((other) => other.name === name).length;
            return [`    section ${name}${NO_TEXT.repeat(earlier)}`, ...bars.map((bar) => `    ${taskOf(bar)}`)];
        }),
    ];
    return ['```mermaid', ...lines, '```'].join('\n');
}
/** Colours that are seen on a light and on a dark page. The names of the rows have those of the page. */
const [GREY, BLUE, GREEN, RED] = ['#818b98', '#218bff', '#2da44e', '#e5534b'];
const [TOP, BAR, GAP] = [4, 17, 3];
/** The width is fixed, and shrinks with the page: inside a fold, mermaid cannot measure the page. */
function lookOf(rows) {
    return {
        gantt: {
            useWidth: 440,
            leftPadding: 180,
            rightPadding: 12,
            topPadding: TOP,
            barHeight: BAR,
            barGap: GAP,
            // So high that the lines of the grid have no length: with the small padding, they would end among the rows.
            gridLineStartPadding: TOP + rows * (BAR + GAP),
            fontSize: 12,
            sectionFontSize: 12,
        },
        themeVariables: COLOURS,
    };
}
const COLOURS = {
    doneTaskBkgColor: GREY,
    doneTaskBorderColor: GREY,
    activeTaskBkgColor: BLUE,
    activeTaskBorderColor: BLUE,
    taskBkgColor: GREEN,
    taskBorderColor: GREEN,
    critBkgColor: RED,
    critBorderColor: RED,
    sectionBkgColor: 'transparent',
    sectionBkgColor2: 'transparent',
    altSectionBkgColor: 'transparent',
};
/** The tag of mermaid that has the colour. */
const TAGS = { grey: 'done, ', blue: 'active, ', green: '', red: 'crit, ' };
const COLOUR_OF = {
    queue: 'grey',
    unknown: 'grey',
    build: 'blue',
    deploy: 'green',
    terminal: 'green',
};
/** Not even a blank, which mermaid would skip: none could be read on a bar and beside it, on a light and a dark page. */
const NO_TEXT = '\u200b';
function taskOf({ colour, startMs, endMs }) {
    const isPoint = endMs === startMs;
    const end = isPoint ? '0ms' : clock(endMs);
    return `${NO_TEXT} :${TAGS[colour]}${isPoint ? 'milestone, ' : ''}${clock(startMs)}, ${end}`;
}
/** An unknown status may contain any text. */
function rowOf({ status, phase, seconds }) {
    const word = rowWord(status) || 'status';
    return phase === 'terminal' ? word : `${word} ${(0,_time_js__WEBPACK_IMPORTED_MODULE_0__/* .formatDuration */ .a3)(seconds * 1000)}`;
}
/** A word of at most 16 characters without a sign of mermaid's syntax. */
function rowWord(text) {
    return text.replace(/[^\w-]+/g, '_').slice(0, 16);
}
function clock(offsetMs) {
    return new Date(Date.UTC(2000, 0, 1) + offsetMs).toISOString().replace('T', ' ').replace('Z', '');
}


/***/ }),

/***/ 2653:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Y: () => (/* binding */ outputsOf),
/* harmony export */   h: () => (/* binding */ timelineOf)
/* harmony export */ });
/* harmony import */ var _removal_messages_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1624);
/* harmony import */ var _escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2296);
/* harmony import */ var _plan_section_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8166);
/* harmony import */ var _typed_fields_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5745);




/** Free text of the server is redacted; ids and statuses are clean in the record already. */
function outputsOf(record, redactor) {
    return {
        outcome: record.outcome.kind,
        ...operationOutputs(record, redactor),
        'duration-seconds': inSeconds(record.endedAt - record.startedAt),
        timeline: JSON.stringify(timelineOf(record)),
    };
}
function operationOutputs(record, { redact, redactDeep }) {
    switch (record.operation) {
        case 'rollout':
        case 'rollback':
        case 'wait': {
            const { deployment, revision, plan } = record;
            const message = revision?.statusMessage;
            return {
                change: record.change,
                'deployment-id': shownId(deployment?.id),
                'deployment-name': deployment?.name,
                'revision-id': shownId(record.revisionId),
                'previous-revision-id': record.previousRevisionId,
                status: revision?.status,
                'status-message': message === undefined ? undefined : (0,_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .excerpt */ .Kb)(redact(message), 1000, 20_000),
                url: record.url,
                'commit-sha': revision?.repoCommitSha,
                polls: String(record.polls),
                plan: plan === undefined ? undefined : JSON.stringify(redactDeep(plan)),
                'plan-markdown': plan === undefined ? undefined : (0,_plan_section_js__WEBPACK_IMPORTED_MODULE_3__/* .planMarkdown */ .X)(plan, redact),
                'has-changes': plan === undefined ? undefined : String(plan.hasChanges),
            };
        }
        case 'teardown': {
            const { deployment, url, removals } = record;
            return {
                change: 'none',
                polls: '0',
                'deployment-id': shownId(deployment?.id),
                'deployment-name': deployment?.name,
                url,
                results: removals.length === 0 ? undefined : JSON.stringify(redactDeep(removals.map(resultOf))),
            };
        }
        case 'request': {
            const { answer } = record;
            return {
                change: 'none',
                polls: '0',
                'response-status': answer === undefined ? undefined : String(answer.status),
                'response-body': answer?.text,
                'response-path': answer?.file,
                'response-bytes': answer === undefined ? undefined : String(answer.bytes),
            };
        }
    }
}
function shownId(id) {
    return id === _typed_fields_js__WEBPACK_IMPORTED_MODULE_1__/* .HIDDEN */ .RG ? undefined : id;
}
function resultOf({ id, name, pullRequest, result, because }) {
    return {
        'deployment-id': shownId(id),
        'deployment-name': shownId(name),
        ...(pullRequest === undefined ? {} : { 'pull-request': pullRequest }),
        result,
        because: (0,_removal_messages_js__WEBPACK_IMPORTED_MODULE_0__/* .describeReason */ .G)(because),
    };
}
/** The timeline with how long each status lasted. */
function timelineOf(record) {
    const timeline = 'timeline' in record ? record.timeline : [];
    return timeline.map(({ status, phase, at }, index) => {
        const until = timeline[index + 1]?.at ?? (phase === 'terminal' ? at : record.endedAt);
        return { status, phase, at: new Date(at).toISOString(), seconds: Number(inSeconds(until - at)) };
    });
}
function inSeconds(ms) {
    return (Math.max(0, ms) / 1000).toFixed(1).replace(/\.0$/, '');
}


/***/ }),

/***/ 5984:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  publish: () => (/* binding */ publish)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: ../node_modules/@actions/core/lib/core.js + 18 modules
var core = __webpack_require__(3762);
// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ./rollout/outcome.ts
var outcome = __webpack_require__(4698);
// EXTERNAL MODULE: ./problem.ts
var problem_0 = __webpack_require__(2035);
// EXTERNAL MODULE: ./report/escape.ts
var report_escape = __webpack_require__(2296);
// EXTERNAL MODULE: ./report/outputs.ts
var report_outputs = __webpack_require__(2653);
// EXTERNAL MODULE: ./report/messages.ts
var messages = __webpack_require__(5043);
// EXTERNAL MODULE: ./report/serving.ts
var report_serving = __webpack_require__(3803);
// EXTERNAL MODULE: ./report/title.ts
var report_title = __webpack_require__(8697);
// EXTERNAL MODULE: ./report/removal-messages.ts
var removal_messages = __webpack_require__(1624);
// EXTERNAL MODULE: ./control-plane/same-id.ts
var same_id = __webpack_require__(4945);
// EXTERNAL MODULE: ./report/markdown.ts
var report_markdown = __webpack_require__(9106);
// EXTERNAL MODULE: ./report/typed-fields.ts
var typed_fields = __webpack_require__(5745);
;// CONCATENATED MODULE: ./report/go-back.ts





/** The step that goes back to the revision from before the rollout; empty if the rollout has replaced none. */
function goBackSection(record) {
    if (record.operation !== 'rollout')
        return '';
    const to = replacedRevision(record, record.outcome);
    const step = to === undefined ? undefined : stepOf(record, to);
    if (step === undefined)
        return '';
    const words = 'This step deploys the previous revision again. Set base-url and the key as in the step of the rollout.';
    return (0,report_markdown/* paragraphs */.qN)('### How to go back', words, (0,report_escape/* codeBlock */.DV)(step, 'yaml'));
}
/** The revision that was active before, if ours replaces it, or may. */
function replacedRevision({ activeBefore, previousRevisionId, revisionId, rollback, change }, outcome) {
    const isOurs = revisionId !== undefined && change !== 'none' && !(0,same_id/* sameId */.s)(revisionId, previousRevisionId);
    const isOpen = rollback === undefined || mayWorkAgain(rollback);
    return activeBefore !== undefined && isOurs && isOpen && mayServe(outcome) ? previousRevisionId : undefined;
}
/** Whether the rollback of the run has left our revision active, and another one may do better. */
function mayWorkAgain(rollback) {
    switch (rollback.kind) {
        case 'not-possible':
            return mayBeRestored(rollback.because);
        case 'incomplete':
            return (0,report_serving/* hasNeverServed */.ef)(rollback.outcome);
        case 'error':
            return !rollback.isUnknown;
        case 'under-way':
        case 'restored':
            return false;
    }
}
/** Whether the action *rollback* would not meet the same obstacle. */
function mayBeRestored({ kind }) {
    switch (kind) {
        case 'no-evidence':
        case 'another-revision-serves':
        case 'newer-revision':
            return true;
        case 'no-deployment-before':
        case 'no-active-revision-before':
        case 'unknown-source':
        case 'commit-unknown':
        case 'not-redeployed':
        case 'other-commit':
            return false;
    }
}
/** Whether the revision of the run may be the active one now, or become it. */
function mayServe(outcome) {
    switch (outcome.kind) {
        case 'deployed':
        case 'unverified':
        case 'started':
        case 'timed-out':
        case 'cancelled':
            return true;
        case 'failed':
            return outcome.because.kind === 'active-unknown' || outcome.because.kind === 'error';
        default:
            return false;
    }
}
/** The action as README.md names it. */
const ACTION = 'your-org/deployment-rollout@v1';
function stepOf({ api, action, deployment }, to) {
    const target = targetOf(deployment);
    if (target === undefined)
        return undefined;
    const [, repository = '', ref = ''] = /^([^@]*)@(.*)$/.exec(action ?? ACTION) ?? [];
    return [
        `- uses: ${repository}/rollback@${ref}`,
        '  with:',
        ...(api === 'agent-server' ? [] : [`    api: ${api}`]),
        '    base-url: ${{ vars.CONTROL_PLANE_URL }}',
        '    api-key: ${{ secrets.CONTROL_PLANE_API_KEY }}',
        `    ${target}`,
        `    revision-id: ${to}`,
    ].join('\n');
}
/** A name that YAML or GitHub would read as something else is replaced by the id. */
const PLAIN_NAME = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][\w.-]*$/i;
function targetOf(deployment) {
    const { id = typed_fields/* HIDDEN */.RG, name = '' } = deployment ?? {};
    if (PLAIN_NAME.test(name))
        return `name: ${name}`;
    return id === typed_fields/* HIDDEN */.RG ? undefined : `deployment-id: ${id}`;
}

// EXTERNAL MODULE: ./report/gantt.ts
var gantt = __webpack_require__(3337);
// EXTERNAL MODULE: ./report/plan-section.ts
var plan_section = __webpack_require__(8166);
// EXTERNAL MODULE: ./report/made-twice.ts
var made_twice = __webpack_require__(1283);
// EXTERNAL MODULE: ./control-plane/forms.ts
var control_plane_forms = __webpack_require__(5138);
;// CONCATENATED MODULE: ./report/commit-link.ts


/** As many characters of a commit as GitHub shows. */
const SHORT = 7;
/**
 * `ref@commit` as a link to the commit in this repository; as far as they are known, and without a link for another one.
 * Empty for a deployment that is not built from git.
 */
function commitLink(record, redact) {
    const { ref, otherRepository, repositoryUrl } = record;
    const commit = record.revision?.repoCommitSha ?? (ref === undefined ? undefined : record.commit);
    const name = ref?.replace(/^refs\/(heads|tags)\//, '');
    const text = redact([name, commit?.slice(0, SHORT)].filter((part) => part !== undefined).join('@'));
    const isHere = repositoryUrl !== undefined && otherRepository === undefined;
    const isShown = commit !== undefined && control_plane_forms/* FORMS */.yY.commit.test(commit) && redact(commit) === commit;
    return (0,report_escape/* codeLink */.U1)(text, isHere && isShown ? `${repositoryUrl}/commit/${commit}` : '');
}

// EXTERNAL MODULE: ./report/time.ts
var time = __webpack_require__(3982);
;// CONCATENATED MODULE: ./report/summary.ts












/**
 * The job summary in markdown. Text of the server or the user is put into code, where nothing is markup. It is redacted
 * here, before it is put between backticks.
 */
function renderSummary(record, redact) {
    const { mark, headline, reason, serving, next } = (0,messages/* describeOutcome */.S)(record);
    const address = (0,report_serving/* liveAddress */.jT)(record);
    const link = address === undefined ? '' : (0,report_escape/* addressLink */.Vr)(address);
    const markdown = (0,report_markdown/* paragraphs */.qN)(`## ${mark} ${(0,report_markdown/* sentence */.em)(redact(headline))}`, leadOf(record, serving === undefined ? link : '', redact), reason && (0,report_escape/* codeBlock */.DV)((0,report_escape/* excerpt */.Kb)(redact(reason))), serving && [serving, link].filter((part) => part !== '').join(' '), next && `**What to do next:** ${(0,report_markdown/* sentence */.em)(redact(next))}`, ...operationSections(record, redact), goBackSection(record));
    return `${markdown}\n`;
}
/** What a reader looks for first. Of a rollout that created no revision, there is nothing. */
function leadOf(record, address, redact) {
    switch (record.operation) {
        case 'rollout':
        case 'rollback':
        case 'wait': {
            if (record.revisionId === undefined)
                return '';
            const duration = (0,time/* formatDuration */.a3)(record.endedAt - record.startedAt);
            const built = [commitLink(record, redact), duration].filter((part) => part !== '').join(' · ');
            return [address, built].filter((part) => part !== '').join('<br>\n');
        }
        case 'teardown':
        case 'request':
            return factsOf(record);
    }
}
function operationSections(record, redact) {
    switch (record.operation) {
        case 'rollout':
        case 'rollback':
        case 'wait': {
            const isPlanned = record.outcome.kind === 'planned';
            return [
                ...record.madeTwice.map((one) => (0,made_twice/* madeTwiceText */.N)(one, report_escape/* codeSpan */.SS)),
                logSection(record, redact),
                record.plan && (0,report_markdown/* details */.zH)('Plan', (0,plan_section/* planMarkdown */.X)(record.plan, redact), isPlanned),
                (0,report_markdown/* details */.zH)('Timeline', timelineOfStatuses((0,report_outputs/* timelineOf */.h)(record))),
                (0,report_markdown/* details */.zH)('Ids', factsOf(record)),
            ];
        }
        case 'teardown':
            return [removalsSection(record, redact)];
        case 'request':
            return [];
    }
}
function factsOf(record) {
    return (0,report_markdown/* factsTable */.wd)([
        ['Outcome', (0,report_escape/* codeCell */.MZ)(record.outcome.kind)],
        ...operationFacts(record),
        ['Duration', durationOf(record)],
    ]);
}
function operationFacts(record) {
    switch (record.operation) {
        case 'rollout':
        case 'rollback':
        case 'wait': {
            const { revision, revisionId, previousRevisionId } = record;
            return [
                ['Deployment', deploymentCell(record)],
                ['Revision', (0,report_escape/* codeCell */.MZ)(revisionId ?? '')],
                ['Status', (0,report_escape/* codeCell */.MZ)(revision?.status ?? '')],
                ['Previous revision', (0,report_escape/* codeCell */.MZ)(previousRevisionId ?? '')],
                ['Change', (0,report_escape/* codeCell */.MZ)(record.change)],
            ];
        }
        case 'teardown':
            return [
                ['Deployment', deploymentCell(record)],
                ['Address', record.url === undefined ? '' : (0,report_escape/* addressLink */.Vr)(record.url)],
            ];
        case 'request': {
            const { answer, target } = record;
            return [
                ['Request', (0,report_escape/* codeCell */.MZ)(target)],
                ['Answer', answer === undefined ? '' : answerCell(answer)],
            ];
        }
    }
}
function deploymentCell({ deployment, target }) {
    return deployment === undefined
        ? (0,report_escape/* codeCell */.MZ)(target)
        : `${(0,report_escape/* codeCell */.MZ)(deployment.name ?? target)} ${(0,report_escape/* codeCell */.MZ)(deployment.id)}`;
}
function answerCell({ status, bytes, entries: count }) {
    const entries = count === undefined ? '' : `, ${count} ${count === 1 ? 'entry' : 'entries'}`;
    return `${status}, ${bytes} bytes${entries}`;
}
const MAX_LOG_LINES = 50;
const MAX_LOG_CHARACTERS = 20_000;
/** The end of the log, which mostly holds the reason. The whole log is redacted before it is cut. */
function logSection({ log }, redact) {
    if (log === undefined || log.lines.length === 0)
        return '';
    const lines = redact(log.lines.join('\n')).split('\n');
    const text = lines.slice(-MAX_LOG_LINES).join('\n').slice(-MAX_LOG_CHARACTERS);
    return `### The end of the ${log.type} log\n\n${(0,report_escape/* codeBlock */.DV)(text)}`;
}
function durationOf(record) {
    const duration = (0,time/* formatDuration */.a3)(record.endedAt - record.startedAt);
    const polls = 'polls' in record ? record.polls : 0;
    if (polls === 0)
        return duration;
    return `${duration}, ${polls} ${polls === 1 ? 'poll' : 'polls'}`;
}
/** Every deployment that a teardown considered, and its result. */
function removalsSection({ removals }, redact) {
    // The headline is about a single one.
    if (removals.length < 2)
        return '';
    const rows = removals
        .slice(0, MAX_ENTRIES)
        .map(({ name, id, result, because }) => [
        `${(0,report_escape/* codeCell */.MZ)(redact(name))} ${(0,report_escape/* codeCell */.MZ)(id)}`,
        result,
        (0,report_escape/* codeCell */.MZ)(redact((0,removal_messages/* describeReason */.G)(because))),
    ]);
    return (0,report_markdown/* paragraphs */.qN)('### Deployments', (0,report_markdown/* table */.tp)(['Deployment', 'Result', 'Why'], rows), cutNote(removals.length, 'deployments'));
}
function cutNote(count, what) {
    return count > MAX_ENTRIES ? `Only the first ${MAX_ENTRIES} of ${count} ${what}.` : undefined;
}
/** GitHub shows a summary up to its limit only, and a status may change for half an hour. */
const MAX_ENTRIES = 50;
function timelineOfStatuses(timeline) {
    if (timeline.length === 0)
        return '';
    const rows = timeline
        .slice(0, MAX_ENTRIES)
        .map(({ status, phase, seconds }) => [
        (0,report_escape/* codeCell */.MZ)(status),
        phase,
        phase === 'terminal' ? '' : (0,time/* formatDuration */.a3)(seconds * 1000),
    ]);
    return (0,report_markdown/* paragraphs */.qN)((0,gantt/* renderGantt */.ZK)(timeline.slice(0, MAX_ENTRIES)), (0,report_markdown/* table */.tp)(['Status', 'Phase', 'Duration'], rows), cutNote(timeline.length, 'changes of status'));
}

;// CONCATENATED MODULE: ./report/publish.ts













/** Publishes the outcome of the run: outputs, record, summary, log, and the step's exit code. */
async function publish(record, options) {
    const { log, redactor } = options;
    const rendered = await render(record, redactor);
    const { message, outputs } = rendered;
    const recordPath = await attempt(log, 'write the record', async () => await writeRecord(rendered, options));
    await attempt(log, 'set the outputs', () => {
        // Without the file, the toolkit prints an older command for each output, which runners refuse.
        if (!process.env['GITHUB_OUTPUT'])
            throw new Error('GITHUB_OUTPUT is not set');
        for (const [name, value] of Object.entries({ ...outputs, 'record-path': recordPath })) {
            if (value !== undefined)
                core.setOutput(name, value);
        }
    });
    if (options.jobSummary) {
        await attempt(log, 'write the job summary', async () => await core.summary.addRaw(rendered.markdown(), true).write());
    }
    rendered.printBefore?.(log);
    print(record, message, log);
}
async function render(record, redactor) {
    if (record.operation !== 'fleet')
        return renderSingle(record, redactor);
    const { renderFleet } = await __webpack_require__.e(/* import() */ 565).then(__webpack_require__.bind(__webpack_require__, 4565));
    return renderFleet(record, redactor);
}
function renderSingle(record, redactor) {
    const outputs = (0,report_outputs/* outputsOf */.Y)(record, redactor);
    const recorded = {
        timeline: (0,report_outputs/* timelineOf */.h)(record),
        'made-twice': 'madeTwice' in record && record.madeTwice.length > 0 ? record.madeTwice : undefined,
        plan: outputs.plan === undefined ? undefined : redactedPlan(outputs.plan),
    };
    return { message: (0,messages/* describeOutcome */.S)(record), outputs, markdown: () => renderSummary(record, redactor.redact), recorded };
}
function print(record, { mark, headline, reason, serving, next }, log) {
    const why = reason === undefined ? undefined : (0,report_escape/* excerpt */.Kb)(log.redact(reason));
    const lines = [why, serving, next].filter((line) => line !== undefined);
    const onSuperseded = 'onSuperseded' in record ? record.onSuperseded : 'fail';
    const title = (0,report_title/* titleOf */.G)(record);
    if ((0,outcome/* failsStep */.u)(record.outcome, onSuperseded)) {
        log.error([headline, ...lines].join('\n'), title);
        for (const problem of placedProblems(record))
            log.error((0,problem_0/* describeProblem */.BJ)(problem), title, problem.place);
        process.exitCode = core.ExitCode.Failure;
        return;
    }
    const text = [`${mark} ${headline}`, (0,report_serving/* liveAddress */.jT)(record) ?? '', ...lines].filter((line) => line !== '').join('\n');
    if (record.outcome.kind === 'skipped')
        log.notice(text, title);
    else
        log.info(text);
}
/** GitHub shows ten errors of a step: one is that of the run. */
const MAX_PLACED = 9;
/** The problems of a file, which GitHub shows beside its lines. */
function placedProblems({ outcome }) {
    const error = outcome.kind === 'failed' && outcome.because.kind === 'error' ? outcome.because.error : undefined;
    if (!(error instanceof problem_0/* InputError */.dz))
        return [];
    return error.problems.filter(({ place }) => place !== undefined).slice(0, MAX_PLACED);
}
/** The whole record as a JSON file, fit for upload-artifact: no secret's value is in it. */
async function writeRecord({ message, outputs, recorded }, { redactor, tempDir }) {
    const folder = await (0,promises_.mkdtemp)(external_node_path_default().join(tempDir ?? (0,external_node_os_.tmpdir)(), 'rollout-'));
    const file = external_node_path_default().join(folder, 'record.json');
    const content = {
        ...outputs,
        // The body has a file of its own.
        'response-body': undefined,
        // The plan itself is below.
        'plan-markdown': undefined,
        polls: Number(outputs.polls),
        'duration-seconds': Number(outputs['duration-seconds']),
        headline: redactor.redact(message.headline),
        reason: message.reason === undefined ? undefined : redactor.redact(message.reason),
        serving: message.serving,
        next: message.next === undefined ? undefined : redactor.redact(message.next),
        ...recorded,
    };
    await (0,promises_.writeFile)(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    return file;
}
function redactedPlan(json) {
    const plan = JSON.parse(json);
    return plan;
}
/** A report that cannot be written must not change the outcome. */
async function attempt(log, what, write) {
    try {
        return await write();
    }
    catch (thrown) {
        log.warning(`Could not ${what}: ${(0,clock/* toError */.i)(thrown).message}`);
        return undefined;
    }
}


/***/ })

};
