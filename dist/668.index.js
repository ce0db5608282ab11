export const id = 668;
export const ids = [668];
export const modules = {

/***/ 5942:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c: () => (/* binding */ isUncertain)
/* harmony export */ });
/** Whether GitHub has not shown enough to delete the preview: such a teardown fails. */
function isUncertain({ kind }) {
    return UNCERTAIN.includes(kind);
}
const UNCERTAIN = [
    'event-outdated',
    'label-event-outdated',
    'pull-request-missing',
];


/***/ }),

/***/ 5434:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ic: () => (/* binding */ describeFailure),
/* harmony export */   qw: () => (/* binding */ continuesRemotely),
/* harmony export */   yO: () => (/* binding */ queuedBehind)
/* harmony export */ });
/* harmony import */ var _control_plane_api_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4293);
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5282);
/* harmony import */ var _problem_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2035);
/* harmony import */ var _previews_teardown_request_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(5942);
/* harmony import */ var _removal_messages_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1624);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4840);
/* harmony import */ var _rollback_messages_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(5888);
/* harmony import */ var _time_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(3982);








/** Words why a run failed, and what to do about it. */
function describeFailure(because, record, which) {
    const rollout = 'revision' in record ? record : undefined;
    const removals = 'removals' in record ? record.removals : [];
    const revision = rollout?.revision;
    switch (because.kind) {
        case 'revision':
            return {
                headline: `The ${rollout === undefined ? 'rollout' : (0,_record_js__WEBPACK_IMPORTED_MODULE_5__/* .actOf */ .yR)(rollout)} of ${which} failed with ${revision?.status ?? 'a failure'}.`,
                reason: revision?.statusMessage,
                next: rollout === undefined ? undefined : nextAfterFailedRevision(rollout),
            };
        case 'nothing-active':
            return {
                headline: `The revision of ${which} is DEPLOYED, but the deployment reports no active revision.`,
                next: 'Check the deployment in the control plane before you rely on it.',
            };
        case 'active-unknown':
            return {
                headline: `The revision of ${which} is DEPLOYED, but the deployment could not be read to confirm that it is active.`,
                reason: because.trouble,
                next: 'Check the deployment in the control plane before you rerun the job: a rerun creates another revision.',
            };
        case 'other-commit':
            return {
                headline: `The rollback of ${which} did not restore the revision ${rollout?.goesBackTo?.id ?? ''}.`,
                reason: `Revision ${rollout?.revisionId ?? ''} followed, and ${(0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_4__/* .builtText */ .oD)(because)}.`,
                next: `Check which revision serves. To go back, roll out a tag of the commit ${because.wanted}.`,
            };
        case 'teardown': {
            const failures = removals.filter(({ result }) => result === 'failed');
            const considered = removals.filter(({ result }) => result !== 'kept').length;
            return {
                headline: `${because.failed} of ${considered} deployments could not be deleted.`,
                reason: failures.map(({ name, because: why }) => `${name}: ${(0,_removal_messages_js__WEBPACK_IMPORTED_MODULE_3__/* .describeReason */ .G)(why)}`).join('\n'),
                next: (0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_4__/* .sentences */ .hC)(because.failed < considered ? 'The others are deleted.' : undefined, 'Rerun the job, or delete these in the control plane.'),
            };
        }
        case 'too-many-previews':
            return {
                headline: `${which} was not created: max-previews is ${because.max}, and ${because.existing.length} ${because.existing.length === 1 ? 'preview exists' : 'previews exist'}.`,
                reason: existingLines(because.existing).join('\n'),
                next: 'Nothing was written. Close a pull request, delete a preview with the action teardown, or raise max-previews. Then rerun the job.',
            };
        case 'teardown-blind': {
            const removed = removals.filter(({ result }) => result === 'removed').length;
            const done = removed === 0 ? 'Nothing was deleted' : `Deleted ${deployments(removed)}`;
            const isLabel = removals.some((one) => one.because.kind === 'label-event-outdated');
            const pullRequests = because.unknown === 1 ? 'the pull request of 1 preview' : `the pull requests of ${because.unknown} previews`;
            return {
                headline: `${done}; GitHub did not report whether ${pullRequests} ${isLabel ? 'lacks the label' : because.unknown === 1 ? 'is closed' : 'are closed'}.`,
                reason: removals
                    .filter((one) => (0,_previews_teardown_request_js__WEBPACK_IMPORTED_MODULE_6__/* .isUncertain */ .c)(one.because))
                    .map(({ because: why }) => (0,_removal_messages_js__WEBPACK_IMPORTED_MODULE_3__/* .describeReason */ .G)(why))
                    .join('\n') || undefined,
                next: 'Grant the job the permission pull-requests: read, and set github-token if it is not the default one.',
            };
        }
        case 'fleet': {
            const rest = because.notStarted === 0
                ? ''
                : ` ${deployments(because.notStarted)} ${because.notStarted === 1 ? 'was' : 'were'} not started.`;
            return {
                headline: `${deployments(because.failed)} of the fleet failed.${rest}`,
                next: 'Fix the cause, then rerun the job: it skips what is unchanged, resumes what is under way, and starts the rest.',
            };
        }
        case 'error': {
            const message = describeError(because.error, which);
            const written = rollout === undefined ? undefined : writtenBeforeError(rollout);
            return { ...message, next: (0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_4__/* .sentences */ .hC)(message.next, written) };
        }
    }
}
const MAX_NAMED = 20;
function existingLines(existing) {
    const lines = existing.slice(0, MAX_NAMED).map(({ name, ageMs }) => {
        return `${name}: ${ageMs === undefined ? 'its age is unknown' : `updated ${(0,_time_js__WEBPACK_IMPORTED_MODULE_7__/* .formatAge */ .nV)(ageMs)} ago`}`;
    });
    const more = existing.length - MAX_NAMED;
    return more > 0 ? [...lines, `and ${more} more`] : lines;
}
function deployments(count) {
    return count === 1 ? '1 deployment' : `${count} deployments`;
}
/** The control plane has no route to cancel a revision. */
function continuesRemotely(revisionId) {
    return `Revision ${revisionId} continues on the control plane; it cannot be cancelled.`;
}
/** What the end of a queue-timeout means on a service that lets a revision wait; '' otherwise. Ends with a blank. */
function queuedBehind({ api, outcome }) {
    const isOfQueue = outcome.kind === 'timed-out' && outcome.phase?.name === 'queue';
    if (!isOfQueue || !(0,_control_plane_api_js__WEBPACK_IMPORTED_MODULE_0__/* .apiOf */ .ir)(api).queuesBehindStuck)
        return '';
    return 'A revision waits as QUEUED until the earlier ones of the deployment have ended: check in the service whether one is stuck, and end it. ';
}
const WHERE_TO_LOOK = {
    CREATE_FAILED: 'Check the configuration of the deployment and the quotas of the control plane',
    BUILD_FAILED: "Check the build log in the control plane and the app's dependencies",
    DEPLOY_FAILED: 'Check the deploy log in the control plane, how the app starts, and its secrets',
};
/** If the run has read the log that explains the failure. */
const WHERE_IN_LOG = {
    build: "Check the end of the build log, which is in this step's log, and the app's dependencies",
    deploy: "Check the end of the deploy log, which is in this step's log, how the app starts, and its secrets",
};
function nextAfterFailedRevision(record) {
    const { log } = record;
    const hasLog = log !== undefined && log.lines.length > 0;
    const where = WHERE_TO_LOOK[record.revision?.status ?? ''] ?? 'Check the revision in the control plane';
    const check = hasLog ? WHERE_IN_LOG[log.type] : where;
    return (0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_4__/* .sentences */ .hC)(`${check}, then rerun the job.`, (0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_4__/* .rollbackSentence */ .QV)(record));
}
/** What the run had written before the error, and what continues without it. */
function writtenBeforeError({ change, plan, revisionId, timeline }) {
    if (revisionId !== undefined)
        return timeline.at(-1)?.phase === 'terminal' ? undefined : continuesRemotely(revisionId);
    switch (change) {
        case 'created':
            if (plan?.upload !== undefined)
                return 'The deployment was created, but no revision that builds its source: a rerun creates one.';
            return plan?.requests.some(({ method, path }) => method === 'POST' && path.endsWith('/revisions'))
                ? 'The deployment was created, but no revision of it: a rerun creates one.'
                : 'The deployment was created, and its first revision continues on the control plane.';
        case 'patched':
            return 'The settings were patched; no revision is known to have been created.';
        case 'revised':
        case 'redeployed':
        case 'resumed':
        case 'none':
            return undefined;
    }
}
function describeError(error, which) {
    if (error instanceof _problem_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz) {
        const count = (0,_problem_js__WEBPACK_IMPORTED_MODULE_2__/* .countProblems */ ._k)(error.problems);
        return {
            headline: count === 1 ? 'A problem in the inputs:' : `${count} problems in the inputs:`,
            reason: error.message,
            next: `Correct ${count === 1 ? 'it' : 'them'} in the workflow. Nothing was written.`,
        };
    }
    if (error instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .ControlPlaneError */ .Cj) {
        const { attempted, cameBack, hint } = error.trouble;
        const refused = error instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .RefusedError */ .fk ? 'The control plane refused to' : 'Could not';
        return { headline: `${refused} ${attempted}.`, reason: cameBack, next: hint };
    }
    return {
        headline: `The run for ${which} stopped because of an error in this action.`,
        reason: error.message,
        next: 'Rerun the job with debug logging, and report what it prints.',
    };
}


/***/ }),

/***/ 9106:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   em: () => (/* binding */ sentence),
/* harmony export */   qN: () => (/* binding */ paragraphs),
/* harmony export */   tp: () => (/* binding */ table),
/* harmony export */   wd: () => (/* binding */ factsTable),
/* harmony export */   zH: () => (/* binding */ details)
/* harmony export */ });
/* harmony import */ var _escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2296);

/** Paragraphs, empty and undefined ones omitted. */
function paragraphs(...parts) {
    return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}
/**
 * A sentence of ours, which may contain names: signs that could be markup are escaped. What GitHub would make a link, a
 * mention or a reference of becomes code, from which it can be copied as it is.
 */
function sentence(text) {
    return (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .plainText */ .wh)(text).trim().split(/\s+/).map(sentenceWord).join(' ');
}
const LINKED = /@|#|:\/\/|www\.|^\W*GH-\d/i;
function sentenceWord(word) {
    const [, before = '', inner = '', after = ''] = /^([("'[]*)(.*?)([.,;:!?)"'\]]*)$/.exec(word) ?? [];
    return LINKED.test(inner) ? escaped(before) + (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(inner, inner.length) + escaped(after) : escaped(word);
}
function escaped(text) {
    return text.replace(/[\\`*_{}[\]()<>#|~!&$]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
/** A fold: its title is always shown, its markdown only when it is open. Empty without markdown. */
function details(title, markdown, isOpen = false) {
    if (markdown === '')
        return '';
    return `<details${isOpen ? ' open' : ''}>\n<summary>${title}</summary>\n\n${markdown}\n\n</details>`;
}
/** A table; its cells are markdown. */
function table(header, rows) {
    const line = (cells) => `| ${cells.join(' | ')} |`;
    return [line(header), line(header.map(() => ':---')), ...rows.map(line)].join('\n');
}
/** A line for each fact; empty ones are omitted. */
function factsTable(facts) {
    const [first, ...rest] = facts.filter(([, value]) => value.trim() !== '');
    return first === undefined ? '' : table(first, rest);
}


/***/ }),

/***/ 5043:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ describeOutcome)
/* harmony export */ });
/* harmony import */ var _failure_messages_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5434);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4840);
/* harmony import */ var _removal_messages_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1624);
/* harmony import */ var _rollback_messages_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5888);
/* harmony import */ var _rollout_timing_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(366);
/* harmony import */ var _serving_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3803);
/* harmony import */ var _skip_messages_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(7477);
/* harmony import */ var _time_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(3982);








/** Words the outcome: the same in the log, in the error, in the summary and in the comment. */
function describeOutcome(record) {
    const message = { ...wordOutcome(record), serving: (0,_serving_js__WEBPACK_IMPORTED_MODULE_3__/* .servingSentence */ .C9)(record) };
    const fields = isRollout(record) ? record.unconfirmed : [];
    if (fields.length === 0)
        return message;
    return { ...message, next: (0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_2__/* .sentences */ .hC)(message.next, (0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_2__/* .unconfirmedSentences */ .Ls)(fields)) };
}
function wordOutcome(record) {
    const { outcome } = record;
    const name = (0,_record_js__WEBPACK_IMPORTED_MODULE_4__/* .nameOf */ .Vb)(record);
    const which = name === '' ? (record.operation === 'request' ? 'the request' : 'the deployment') : name;
    const reason = isRollout(record) ? record.revision?.statusMessage : undefined;
    switch (outcome.kind) {
        case 'deployed':
            return {
                mark: '✅',
                headline: (0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_2__/* .deployedSentence */ .s4)(record, which),
                reason: outcome.confirmed
                    ? undefined
                    : 'The control plane does not report which revision is active; the status of ours is DEPLOYED.',
                next: (0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_2__/* .notRestoredSentence */ .Z0)(record),
            };
        case 'started':
            return { mark: '🚀', headline: `Started a revision of ${which}. Not waiting for it (wait: false).` };
        case 'planned':
            return { mark: '📋', headline: `Planned ${which}. Nothing was written (dry-run: true).` };
        case 'unchanged':
            return { mark: '✅', headline: `${which} is unchanged: its active revision is already what was requested.` };
        case 'unverified':
            return {
                mark: '❌',
                headline: outcome.afterMs === undefined
                    ? `${which} is deployed, but the check of ${outcome.url} failed.`
                    : `${which} is deployed, but the check of ${outcome.url} failed ${_rollout_timing_js__WEBPACK_IMPORTED_MODULE_5__/* .BAKE_FAILURES */ .cK} times in a row, ${(0,_time_js__WEBPACK_IMPORTED_MODULE_6__/* .formatDuration */ .a3)(outcome.afterMs)} after it had succeeded.`,
                reason: outcome.trouble,
                next: (0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_2__/* .sentences */ .hC)((0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_2__/* .rollbackSentence */ .QV)(record), outcome.evidence === 'none'
                    ? 'Check verify-url, and that the runner reaches it (name, proxy, certificate). This revision is active.'
                    : 'Check the deployment: this revision was active during the check.'),
            };
        case 'rolled-back': {
            const first = wordOutcome({ ...record, outcome: outcome.from, ...WITHOUT_ROLLBACK });
            return {
                mark: '↩️',
                headline: `${first.headline} It was rolled back: revision ${outcome.to} has restored the previous one.`,
                reason: first.reason,
                next: (0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_2__/* .sentences */ .hC)((0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_2__/* .rollbackSentence */ .QV)(record), 'Fix the cause, then rerun the job.'),
            };
        }
        case 'superseded':
            return {
                mark: '⏭️',
                headline: `This ${(0,_record_js__WEBPACK_IMPORTED_MODULE_4__/* .actOf */ .yR)(record)} of ${which} was superseded by revision ${outcome.by}.`,
                reason,
                next: 'Check the run that created that revision. If this should not fail the job, set on-superseded to succeed.',
            };
        case 'torn-down':
            return { mark: '🧹', headline: tornDownSentence(record, which) };
        case 'nothing-to-tear-down': {
            const kept = (0,_record_js__WEBPACK_IMPORTED_MODULE_4__/* .keptDeployment */ .el)(record);
            if (kept !== undefined)
                return {
                    mark: '🧹',
                    headline: `Nothing was deleted: ${kept.name} is kept.`,
                    reason: (0,_removal_messages_js__WEBPACK_IMPORTED_MODULE_1__/* .describeReason */ .G)(kept.because),
                };
            const isOne = record.operation !== 'teardown' || record.removals.length === 0;
            const missing = isOne ? `${which} does not exist` : 'no preview has to be deleted';
            return { mark: '🧹', headline: `Nothing to tear down: ${missing}.` };
        }
        case 'answered': {
            const status = record.operation === 'request' ? record.answer?.status : undefined;
            return { mark: '📨', headline: `${record.target} was answered with ${status ?? 'success'}.` };
        }
        case 'skipped':
            return (0,_skip_messages_js__WEBPACK_IMPORTED_MODULE_7__/* .describeSkip */ .V)(outcome, which, reason);
        case 'interrupted':
            return {
                mark: '❌',
                headline: `The ${(0,_record_js__WEBPACK_IMPORTED_MODULE_4__/* .actOf */ .yR)(record)} of ${which} was interrupted.`,
                reason,
                next: 'Rerun the job. If it is interrupted again, ask the operators of the control plane.',
            };
        case 'timed-out':
            return {
                mark: '⏱️',
                headline: timeoutSentence(outcome, record, which),
                reason: outcome.lastTrouble,
                next: nextAfterTimeout(record),
            };
        case 'cancelled':
            return { mark: '⚠️', headline: 'The run was cancelled.', next: nextAfterCancellation(record) };
        case 'failed':
            return { mark: '❌', ...(0,_failure_messages_js__WEBPACK_IMPORTED_MODULE_0__/* .describeFailure */ .Ic)(outcome.because, record, which) };
    }
}
const WITHOUT_ROLLBACK = { rollback: undefined };
function isRollout(record) {
    return record.operation !== 'teardown' && record.operation !== 'request';
}
function timeoutSentence({ phase }, record, which) {
    const status = isRollout(record) ? record.revision?.status : undefined;
    const state = status === undefined ? `waiting for ${which}` : `${which} was still ${status}`;
    if (phase === undefined)
        return `Timed out after ${(0,_time_js__WEBPACK_IMPORTED_MODULE_6__/* .formatDuration */ .a3)(record.timeoutMs ?? 0)}; ${state}.`;
    const { name, limitMs, forMs } = phase;
    return `The ${name} phase exceeded ${name}-timeout (${(0,_time_js__WEBPACK_IMPORTED_MODULE_6__/* .formatDuration */ .a3)(limitMs)}) after ${(0,_time_js__WEBPACK_IMPORTED_MODULE_6__/* .formatDuration */ .a3)(forMs)}; ${state}.`;
}
const PERHAPS_DONE = 'The request may have succeeded.';
const DELETION_CONTINUES = 'A deletion that was accepted continues on the control plane, and may take half an hour.';
const NO_REVISION = 'No revision is known to have been created.';
function nextAfterCancellation(record) {
    switch (record.operation) {
        case 'request':
            return record.isRead ? 'Nothing was changed: the request only reads.' : PERHAPS_DONE;
        case 'teardown':
            return record.removals.length === 0
                ? 'Nothing was deleted.'
                : `${DELETION_CONTINUES} Rerun the job for the others.`;
        case 'rollout':
        case 'rollback':
        case 'wait': {
            const { rollback, revision, revisionId, timeline } = record;
            if (revisionId === undefined)
                return NO_REVISION;
            if (rollback !== undefined)
                return `${(0,_rollback_messages_js__WEBPACK_IMPORTED_MODULE_2__/* .rollbackSentence */ .QV)(record) ?? ''} It continues on the control plane. Check the deployment.`;
            return timeline.at(-1)?.phase === 'terminal'
                ? `Revision ${revisionId} had already ended ${revision?.status ?? ''}; the steps after it were not done.`
                : (0,_failure_messages_js__WEBPACK_IMPORTED_MODULE_0__/* .continuesRemotely */ .qw)(revisionId);
        }
    }
}
function nextAfterTimeout(record) {
    switch (record.operation) {
        case 'request':
            return `${record.isRead ? '' : `${PERHAPS_DONE} `}Set a longer timeout.`;
        case 'teardown':
            return record.removals.length > 0
                ? `${DELETION_CONTINUES} Check the deployments in the control plane, or set a longer timeout.`
                : 'Nothing was deleted. Set a longer timeout.';
        case 'rollout':
        case 'rollback':
        case 'wait': {
            const { revisionId } = record;
            return revisionId === undefined
                ? `${NO_REVISION} Check the deployment before you rerun the job.`
                : `${(0,_failure_messages_js__WEBPACK_IMPORTED_MODULE_0__/* .queuedBehind */ .yO)(record)}${(0,_failure_messages_js__WEBPACK_IMPORTED_MODULE_0__/* .continuesRemotely */ .qw)(revisionId)} Rerun the job, or use the action wait with this revision-id, to attach to it again; or set a longer timeout.`;
        }
    }
}
function tornDownSentence(record, which) {
    const removals = record.operation === 'teardown' ? record.removals : [];
    const removed = removals.filter(({ result }) => result === 'removed');
    return removed.length === 1
        ? `${removed[0]?.name ?? which} is deleted.`
        : `${removed.length} deployments are deleted.`;
}


/***/ }),

/***/ 8166:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ planMarkdown)
/* harmony export */ });
/* harmony import */ var _escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2296);
/* harmony import */ var _markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9106);
/* harmony import */ var _plan_lines_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3834);



/**
 * The plan in markdown, for the summary, the comment and the output `plan-markdown`. Its words are true before and after
 * the rollout. Text of the server or the user is set as code, and each part has a limit: GitHub cuts long outputs.
 */
function planMarkdown(plan, redact) {
    const { kind, upload, notes } = plan;
    const { follows, because } = plan.revision;
    const remarks = [
        `New revision: ${follows ? 'yes' : 'no'} (${because}).`,
        ...(kind === 'revise' && !plan.hasChanges ? ['Compared with the active revision: no difference.'] : []),
        ...(upload === undefined ? [] : [`${(0,_plan_lines_js__WEBPACK_IMPORTED_MODULE_0__/* .uploadText */ .nw)(upload)}.`]),
        ...notes.slice(0, MAX_NOTES).map((note) => `${note}.`),
    ];
    return (0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .paragraphs */ .qN)(`**${kind === 'create' ? 'Requested settings' : 'Changes'}:** ${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .sentence */ .em)((0,_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLine */ .TN)(redact((0,_plan_lines_js__WEBPACK_IMPORTED_MODULE_0__/* .planHeadline */ .MM)(plan))))}.`, fieldsTable(plan, redact), remarks.map((remark) => `- ${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .sentence */ .em)((0,_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLine */ .TN)(redact(remark), MAX_REMARK))}`).join('\n'), requestsDetails(plan, redact));
}
const MAX_NOTES = 50;
const MAX_REMARK = 1000;
/** Entries of a list, like the names of secrets. */
const MAX_ENTRIES = 50;
function fieldsTable({ kind, fields }, redact) {
    const differing = fields.filter(({ difference }) => difference !== 'same');
    const same = fields.filter(({ difference }) => difference === 'same').map(({ input }) => `\`${input}\``);
    const unchanged = same.length === 0 ? '' : `Unchanged: ${same.join(', ')}`;
    if (differing.length === 0)
        return unchanged;
    const rows = differing.map((field) => [
        `\`${field.input}\``,
        // One column, which breaks its lines: a narrow screen shows all of it.
        (kind === 'create' ? '' : `${shownCell(field.current, redact)} → `) + shownCell(field.wanted, redact),
        sentBy(field),
    ]);
    return (0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .paragraphs */ .qN)((0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .table */ .tp)(['Input', kind === 'create' ? 'Value' : 'Before → after', 'Sent by'], rows), unchanged);
}
function shownCell(value, redact) {
    if (value === undefined)
        return '—';
    const show = (one) => (0,_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .codeCell */ .MZ)(redact(typeof one === 'string' ? one : JSON.stringify(one)));
    if (!Array.isArray(value))
        return show(value);
    const more = value.length - MAX_ENTRIES;
    const shown = value.slice(0, MAX_ENTRIES).map(show);
    return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(' ') || 'none';
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
        const head = `${method} ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLine */ .TN)(redact(path))}\n  ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLine */ .TN)(redact(purpose))}${repeated === true ? ', repeated until it has ended' : ''}`;
        return body === undefined ? head : `${head}\n${indent(redact(JSON.stringify(body, null, 2)))}`;
    });
    const many = requests.length === 1 ? 'The request' : `The ${requests.length} requests`;
    return (0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .details */ .zH)(many, (0,_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .codeBlock */ .DV)((0,_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .excerpt */ .Kb)(lines.join('\n\n'), 400, 20_000)));
}
function indent(text) {
    return text.replace(/^/gm, '  ');
}


/***/ }),

/***/ 7477:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   V: () => (/* binding */ describeSkip)
/* harmony export */ });
/**
 * Words why nothing was rolled out.
 * @param reason the message of the revision that the control plane skipped
 */
function describeSkip(cause, which, reason) {
    switch (cause.because) {
        case 'revision':
            return {
                mark: '❌',
                headline: `The control plane skipped this revision of ${which}, and reports no newer one.`,
                reason,
                next: 'Rerun the job.',
            };
        case 'no-credentials':
            return skipped(`${which}: this run has no credentials for the control plane.`, 'Pull requests from forks and bots get no secrets: then there is nothing to do. In any other run, check that the secret is set.');
        case 'untrusted-author': {
            const { association = 'not reported by the event' } = cause;
            return {
                ...skipped(`${which}: only an owner, a member or a collaborator of the repository may start it by a comment or a review.`, 'Ask one of them to write it. GitHub reports a private member of the organisation as CONTRIBUTOR.'),
                reason: `author_association: ${association}`,
            };
        }
        case 'no-pull-request':
            return skipped(`${which}: the comment is on an issue, not on a pull request.`, 'There is nothing to do.');
        case 'unlabeled':
            return skipped(`${which}: its pull request does not have the label that preview-label names.`, 'Add the label to the pull request to get a preview.');
        case 'other-label':
            return skipped(`${which}: the label that was removed is not the one that preview-label names.`, 'There is nothing to do.');
    }
}
function skipped(why, next) {
    return { mark: '⏭️', headline: `Skipped ${why}`, next };
}


/***/ })

};
