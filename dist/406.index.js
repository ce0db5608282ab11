export const id = 406;
export const ids = [406];
export const modules = {

/***/ 2406:
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
// EXTERNAL MODULE: ./report/escape.ts
var report_escape = __webpack_require__(2296);
// EXTERNAL MODULE: ./report/removal-messages.ts
var removal_messages = __webpack_require__(1624);
// EXTERNAL MODULE: ./report/typed-fields.ts
var typed_fields = __webpack_require__(5745);
;// CONCATENATED MODULE: ./report/outputs.ts



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
                'status-message': message === undefined ? undefined : (0,report_escape/* excerpt */.Kb)(redact(message), 1000, 20_000),
                url: record.url,
                'commit-sha': revision?.repoCommitSha,
                polls: String(record.polls),
                plan: plan === undefined ? undefined : JSON.stringify(redactDeep(plan)),
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
    return id === typed_fields/* HIDDEN */.RG ? undefined : id;
}
function resultOf({ id, name, pullRequest, result, because }) {
    return {
        'deployment-id': shownId(id),
        'deployment-name': shownId(name),
        ...(pullRequest === undefined ? {} : { 'pull-request': pullRequest }),
        result,
        because: (0,removal_messages/* describeReason */.G)(because),
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

// EXTERNAL MODULE: ./report/messages.ts + 2 modules
var messages = __webpack_require__(3175);
// EXTERNAL MODULE: ./control-plane/same-id.ts
var same_id = __webpack_require__(4945);
// EXTERNAL MODULE: ./report/markdown.ts
var report_markdown = __webpack_require__(9106);
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
    const isBack = rollback !== undefined && rollback.kind !== 'not-possible';
    return activeBefore !== undefined && isOurs && !isBack && mayServe(outcome) ? previousRevisionId : undefined;
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
    const [repository = '', ref = ''] = (action ?? ACTION).split('@');
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

;// CONCATENATED MODULE: ./report/gantt.ts
/**
 * The timeline as a mermaid gantt. Times count from midnight of a fixed day: mermaid reads and shows local times, so the
 * axis starts at 00:00 in every time zone.
 */
function renderGantt(timeline) {
    const first = timeline[0];
    if (first === undefined)
        return '';
    const start = Date.parse(first.at);
    const total = timeline.reduce((end, { at, seconds }) => Math.max(end, Date.parse(at) + seconds * 1000), start) - start;
    const lines = [
        'gantt',
        '    dateFormat YYYY-MM-DD HH:mm:ss.SSS',
        `    axisFormat ${total < 3_600_000 ? '%M:%S' : '%H:%M'}`,
        `    tickInterval ${tickInterval(total)}`,
    ];
    let section = '';
    for (const [index, entry] of timeline.entries()) {
        const name = sectionOf(entry);
        if (name !== section)
            lines.push(`    section ${name}`);
        section = name;
        lines.push(`    ${taskOf(entry, Date.parse(entry.at) - start, index === timeline.length - 1)}`);
    }
    return ['```mermaid', ...lines, '```'].join('\n');
}
function sectionOf({ phase }) {
    return phase === 'terminal' ? 'end' : phase;
}
function taskOf(entry, offsetMs, isLast) {
    const { status, phase, seconds } = entry;
    const at = gantt_clock(offsetMs);
    if (phase === 'terminal') {
        return `${label(status)} :${status === 'DEPLOYED' ? '' : 'crit, '}milestone, ${at}, 0ms`;
    }
    return `${label(status)} :${isLast ? 'active' : 'done'}, ${at}, ${gantt_clock(offsetMs + Math.max(1, seconds * 1000))}`;
}
/** An unknown status may contain any text; a single word contains no sign of mermaid's syntax. */
function label(status) {
    return status.replace(/\W+/g, '_').slice(0, 40) || 'status';
}
function gantt_clock(offsetMs) {
    return new Date(Date.UTC(2000, 0, 1) + offsetMs).toISOString().replace('T', ' ').replace('Z', '');
}
const TICKS = [
    [1_000, '1second'],
    [2_000, '2second'],
    [5_000, '5second'],
    [10_000, '10second'],
    [30_000, '30second'],
    [60_000, '1minute'],
    [120_000, '2minute'],
    [300_000, '5minute'],
    [600_000, '10minute'],
    [1_800_000, '30minute'],
    [3_600_000, '1hour'],
];
const MAX_TICKS = 10;
function tickInterval(totalMs) {
    return TICKS.find(([ms]) => totalMs / ms <= MAX_TICKS)?.[1] ?? '6hour';
}

// EXTERNAL MODULE: ./report/plan-lines.ts
var plan_lines = __webpack_require__(3834);
;// CONCATENATED MODULE: ./report/plan-section.ts



/** The plan as a section of the summary. Text of the server or the user is set as code. */
function planSection(plan, redact) {
    const { kind, upload, notes } = plan;
    const remarks = [
        `New revision: ${plan.revision.follows ? 'yes' : 'no'} (${plan.revision.because}).`,
        ...(upload === undefined ? [] : [`${(0,plan_lines/* uploadText */.nw)(upload)}.`]),
        ...notes.map((note) => `${note}.`),
    ];
    return (0,report_markdown/* paragraphs */.qN)(kind === 'create' ? '### Requested settings' : '### Changes', fieldsTable(plan, redact), remarks.map((remark) => `- ${(0,report_markdown/* sentence */.em)(redact(remark))}`).join('\n'), requestsDetails(plan, redact));
}
function fieldsTable({ kind, fields }, redact) {
    const differing = fields.filter(({ difference }) => difference !== 'same');
    const same = fields.filter(({ difference }) => difference === 'same').map(({ input }) => `\`${input}\``);
    const unchanged = same.length === 0 ? '' : `Unchanged: ${same.join(', ')}`;
    if (differing.length === 0)
        return unchanged;
    const rows = differing.map((field) => [
        `\`${field.input}\``,
        ...(kind === 'create' ? [] : [shownCell(field.current, redact)]),
        shownCell(field.wanted, redact),
        sentBy(field),
    ]);
    const header = kind === 'create' ? ['Input', 'Value', 'Sent by'] : ['Input', 'Before', 'After', 'Sent by'];
    return (0,report_markdown/* paragraphs */.qN)((0,report_markdown/* table */.tp)(header, rows), unchanged);
}
function shownCell(value, redact) {
    if (value === undefined)
        return '—';
    const show = (one) => (0,report_escape/* codeCell */.MZ)(redact(typeof one === 'string' ? one : JSON.stringify(one)));
    return Array.isArray(value) ? value.map(show).join(' ') || 'none' : show(value);
}
function sentBy({ input, via, difference }) {
    const remarks = [
        via ?? 'not sent',
        ...(input === 'secrets' ? ['values not shown'] : []),
        ...(difference === 'unknown' ? ['cannot be compared'] : []),
    ];
    return remarks.join(', ');
}
/** Folded: most readers want to know what changes, few which requests are sent. */
function requestsDetails({ requests }, redact) {
    if (requests.length === 0)
        return '';
    const lines = requests.map(({ method, path, purpose, body, repeated }) => {
        const head = `${method} ${(0,report_escape/* oneLine */.TN)(redact(path))}\n  ${(0,report_escape/* oneLine */.TN)(redact(purpose))}${repeated === true ? ', repeated until it has ended' : ''}`;
        return body === undefined ? head : `${head}\n${indent(redact(JSON.stringify(body, null, 2)))}`;
    });
    const many = requests.length === 1 ? 'The request' : `The ${requests.length} requests`;
    const block = (0,report_escape/* codeBlock */.DV)((0,report_escape/* excerpt */.Kb)(lines.join('\n\n'), 400, 20_000));
    return `<details>\n<summary>${many}</summary>\n\n${block}\n\n</details>`;
}
function indent(text) {
    return text.replace(/^/gm, '  ');
}

// EXTERNAL MODULE: ./report/made-twice.ts
var made_twice = __webpack_require__(1283);
// EXTERNAL MODULE: ./report/time.ts
var time = __webpack_require__(3982);
;// CONCATENATED MODULE: ./report/summary.ts










/**
 * The job summary in markdown. Text of the server or the user is put into code, where nothing is markup. It is redacted
 * here, before it is put between backticks.
 */
function renderSummary(record, redact) {
    const { mark, headline, reason, next } = (0,messages/* describeOutcome */.S)(record);
    const markdown = (0,report_markdown/* paragraphs */.qN)(`## ${mark} ${(0,report_markdown/* sentence */.em)(redact(headline))}`, reason && (0,report_escape/* codeBlock */.DV)((0,report_escape/* excerpt */.Kb)(redact(reason))), next && `**What to do next:** ${(0,report_markdown/* sentence */.em)(redact(next))}`, factsOf(record), ...operationSections(record, redact), timelineSection(timelineOf(record)), goBackSection(record));
    return `${markdown}\n`;
}
function operationSections(record, redact) {
    switch (record.operation) {
        case 'rollout':
        case 'rollback':
        case 'wait':
            return [
                ...record.madeTwice.map((one) => (0,made_twice/* madeTwiceText */.N)(one, report_escape/* codeSpan */.SS)),
                logSection(record, redact),
                record.plan && planSection(record.plan, redact),
            ];
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
                ['Address', addressCell(record)],
                ['Commit', (0,report_escape/* codeCell */.MZ)(revision?.repoCommitSha ?? '')],
                ['Change', (0,report_escape/* codeCell */.MZ)(record.change)],
            ];
        }
        case 'teardown':
            return [
                ['Deployment', deploymentCell(record)],
                ['Address', addressCell(record)],
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
function addressCell({ url }) {
    return url === undefined ? '' : (0,report_escape/* addressLink */.Vr)(url);
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
    const duration = (0,time/* formatDuration */.a)(record.endedAt - record.startedAt);
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
function timelineSection(timeline) {
    if (timeline.length === 0)
        return '';
    const rows = timeline
        .slice(0, MAX_ENTRIES)
        .map(({ status, phase, seconds }) => [
        (0,report_escape/* codeCell */.MZ)(status),
        phase,
        phase === 'terminal' ? '' : (0,time/* formatDuration */.a)(seconds * 1000),
    ]);
    return (0,report_markdown/* paragraphs */.qN)('### Timeline', renderGantt(timeline.slice(0, MAX_ENTRIES)), (0,report_markdown/* table */.tp)(['Status', 'Phase', 'Duration'], rows), cutNote(timeline.length, 'changes of status'));
}

;// CONCATENATED MODULE: ./report/publish.ts










/** Publishes the outcome of the run: outputs, record, summary, log, and the step's exit code. */
async function publish(record, options) {
    const { log, redactor } = options;
    const message = (0,messages/* describeOutcome */.S)(record);
    const outputs = outputsOf(record, redactor);
    const recordPath = await attempt(log, 'write the record', async () => await writeRecord(record, outputs, message, options));
    await attempt(log, 'set the outputs', () => {
        // Without the file, the toolkit prints an older command for each output, which runners refuse.
        if (!process.env['GITHUB_OUTPUT'])
            throw new Error('GITHUB_OUTPUT is not set');
        for (const [name, value] of Object.entries({ ...outputs, 'record-path': recordPath })) {
            if (value !== undefined)
                core/* setOutput */.uH(name, value);
        }
    });
    if (options.jobSummary) {
        const markdown = renderSummary(record, redactor.redact);
        await attempt(log, 'write the job summary', async () => await core/* summary */.z.addRaw(markdown, true).write());
    }
    print(record, message, log);
}
const TITLES = {
    rollout: 'Rollout',
    wait: 'Wait',
    rollback: 'Rollback',
    teardown: 'Teardown',
    request: 'Request',
};
function print(record, message, log) {
    const lines = [message.reason === undefined ? undefined : (0,report_escape/* excerpt */.Kb)(log.redact(message.reason)), message.next].filter((line) => line !== undefined);
    const onSuperseded = 'onSuperseded' in record ? record.onSuperseded : 'fail';
    if ((0,outcome/* failsStep */.u)(record.outcome, onSuperseded)) {
        log.error([message.headline, ...lines].join('\n'), TITLES[record.operation]);
        process.exitCode = core/* ExitCode */.yU.Failure;
        return;
    }
    const url = 'url' in record ? record.url : undefined;
    const printLine = record.outcome.kind === 'skipped' ? log.notice : log.info;
    printLine([`${message.mark} ${message.headline}`, url ?? '', ...lines].filter((line) => line !== '').join('\n'));
}
/** The whole record as a JSON file, fit for upload-artifact: no secret's value is in it. */
async function writeRecord(record, outputs, message, { redactor, tempDir }) {
    const folder = await (0,promises_.mkdtemp)(external_node_path_default().join(tempDir ?? (0,external_node_os_.tmpdir)(), 'rollout-'));
    const file = external_node_path_default().join(folder, 'record.json');
    const content = {
        ...outputs,
        // The body has a file of its own.
        'response-body': undefined,
        polls: Number(outputs.polls),
        'duration-seconds': Number(outputs['duration-seconds']),
        timeline: timelineOf(record),
        headline: redactor.redact(message.headline),
        reason: message.reason === undefined ? undefined : redactor.redact(message.reason),
        next: message.next === undefined ? undefined : redactor.redact(message.next),
        'made-twice': 'madeTwice' in record && record.madeTwice.length > 0 ? record.madeTwice : undefined,
        plan: outputs.plan === undefined ? undefined : redactedPlan(outputs.plan),
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
