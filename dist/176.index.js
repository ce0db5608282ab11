export const id = 176;
export const ids = [176];
export const modules = {

/***/ 8239:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   h: () => (/* binding */ ageOf)
/* harmony export */ });
/** Older than every deployment: the year 1 or the epoch means that no time is set. */
const EARLIEST = Date.UTC(2020, 0, 1);
/** The clocks of a service may differ by this, in milliseconds. */
const TOLERANCE_MS = 5 * 60_000;
/** The runner's clock never makes a preview older. It only shows that the server's clock is wrong. */
const LARGEST_LEAD_MS = 24 * 3_600_000;
/**
 * Computes how long ago the latest of the updates was, by the server's clock alone. Every time must be plausible: a
 * wrong age would delete a preview that is in use.
 * @param updates milliseconds since the epoch, as are `serverTime` and `runnerTime`
 */
function ageOf(updates, serverTime, runnerTime) {
    const isUsable = serverTime !== undefined && serverTime >= EARLIEST && serverTime <= runnerTime + LARGEST_LEAD_MS;
    if (!isUsable)
        return { kind: 'age-unknown', lacks: 'server-time' };
    const latestPlausible = serverTime + TOLERANCE_MS;
    const isPlausible = (at) => at >= EARLIEST && at <= latestPlausible;
    const times = updates.filter((at) => at !== undefined).filter(isPlausible);
    if (times.length < updates.length)
        return { kind: 'age-unknown', lacks: 'update-time' };
    return { kind: 'known', ms: serverTime - Math.max(...times) };
}


/***/ }),

/***/ 1827:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ix: () => (/* binding */ choosePreview),
/* harmony export */   PT: () => (/* binding */ previewsOf),
/* harmony export */   gZ: () => (/* binding */ otherRepositoryOf)
/* harmony export */ });
/* harmony import */ var _rollout_outcome_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4698);
/* harmony import */ var _rollout_plan_repository_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2978);
/* harmony import */ var _age_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8239);
/* harmony import */ var _preview_name_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6862);




/** Returns the previews of a deployment of exactly this name: `my-agent-pr-1` is no preview of `agent`. */
function previewsOf(deployments, name) {
    return deployments.flatMap((deployment) => {
        const pullRequest = (0,_preview_name_js__WEBPACK_IMPORTED_MODULE_2__/* .pullRequestOf */ ._n)(deployment.name, name);
        return pullRequest === undefined ? [] : [{ deployment, pullRequest }];
    });
}
/** Chooses whether to delete a preview. Keeps a preview whose state is uncertain. */
function choosePreview(preview, facts) {
    const { pullRequest, deployment } = preview;
    const { state, repoUrl, reveals } = facts;
    const otherRepository = otherRepositoryOf(deployment, repoUrl, reveals);
    if (otherRepository !== undefined)
        return { ...preview, verdict: 'keep', because: otherRepository };
    const byState = { kind: `pull-request-${state}`, pullRequest };
    if (state === 'closed' || state === 'unlabeled')
        return { ...preview, verdict: 'remove', because: byState };
    const byAge = reasonOfAge(deployment, facts);
    return { ...preview, verdict: byAge?.kind === 'not-updated' ? 'remove' : 'keep', because: byAge ?? byState };
}
/** Returns undefined if the age of the preview makes no difference. */
function reasonOfAge({ updatedAt }, { olderThanMs, serverTime, runnerTime, revision }) {
    if (olderThanMs === undefined)
        return undefined;
    const isShown = revision !== undefined && revision !== 'not-reported';
    const age = (0,_age_js__WEBPACK_IMPORTED_MODULE_1__/* .ageOf */ .h)([updatedAt, ...(isShown ? timesOf(revision) : [])], serverTime, runnerTime);
    if (age.kind === 'age-unknown')
        return age;
    if (age.ms < olderThanMs)
        return undefined;
    if (revision === 'not-reported')
        return { kind: 'age-unknown', lacks: 'revision' };
    if (isShown && (0,_rollout_outcome_js__WEBPACK_IMPORTED_MODULE_0__/* .phaseOf */ .h)(revision.status) !== 'terminal')
        return { kind: 'revision-under-way', status: revision.status };
    return { kind: 'not-updated', forMs: age.ms };
}
/** A revision that is not updated is as young as its creation. */
function timesOf({ createdAt, updatedAt }) {
    return createdAt === undefined ? [updatedAt] : [updatedAt, createdAt];
}
/** Returns the reason to keep a deployment that reports another repository than its previews are built from. */
function otherRepositoryOf({ settings: { repoUrl: reported } }, expected, reveals) {
    if (reported === undefined || expected === undefined || (0,_rollout_plan_repository_js__WEBPACK_IMPORTED_MODULE_3__/* .sameRepository */ .RB)(reported, expected))
        return undefined;
    const [name = '', ours = UNNAMED] = [reported, expected].map(_rollout_plan_repository_js__WEBPACK_IMPORTED_MODULE_3__/* .repositoryPath */ .SH);
    const isNamed = name !== '' && !reveals(reported) && !reveals(name);
    return { kind: 'other-repository', reported: isNamed ? name : UNNAMED, expected: ours };
}
const UNNAMED = 'another address';


/***/ }),

/***/ 8328:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AT: () => (/* binding */ listPreviews),
/* harmony export */   Bz: () => (/* binding */ openListing),
/* harmony export */   oF: () => (/* binding */ readListed),
/* harmony export */   qC: () => (/* binding */ readIfThere),
/* harmony export */   wm: () => (/* binding */ readNewestRevision)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4945);
/* harmony import */ var _rollout_read_paginate_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(6998);
/* harmony import */ var _rollout_read_replica_lag_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(214);
/* harmony import */ var _choose_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1827);
/* harmony import */ var _preview_name_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6862);






function openListing(controlPlane) {
    const names = new Map();
    let serverTime;
    return {
        async listDeployments(query) {
            const page = await controlPlane.listDeployments(query);
            serverTime ??= page.serverTime;
            for (const { id, name } of page.resources) {
                const key = (0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_4__/* .idKey */ .T)(id);
                names.set(key, (names.get(key) ?? new Set()).add(name));
            }
            return page;
        },
        namesOf: (id) => [...(names.get((0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_4__/* .idKey */ .T)(id)) ?? [])],
        serverTime: () => serverTime,
    };
}
/** Lists the previews of a deployment of exactly this name. */
async function listPreviews(name, listing) {
    const nameContains = (0,_preview_name_js__WEBPACK_IMPORTED_MODULE_3__/* .previewNameStart */ .ms)(name);
    const listed = [];
    const pages = (0,_rollout_read_paginate_js__WEBPACK_IMPORTED_MODULE_5__/* .readAll */ .y)(async (query) => await listing.listDeployments({ nameContains, ...query }));
    for await (const deployment of pages)
        listed.push(deployment);
    return (0,_choose_js__WEBPACK_IMPORTED_MODULE_2__/* .previewsOf */ .PT)(listed, name);
}
/**
 * Reads a deployment by its id, right before it is deleted. Id and name must be the ones that are to be
 * deleted, the name letter by letter.
 * @param mayBeGone a 404 counts at once; else it may be a replica that lags
 * @returns undefined if it does not exist any more
 * @throws BrokenContractError when the control plane contradicts itself
 */
async function readListed({ id, name }, listing, mayBeGone, deps) {
    const names = listing.namesOf(id);
    if (names.length > 1)
        throw contradiction(id, `lists this id under ${names.length} names: ${names.join(', ')}`);
    const read = async () => {
        const found = await deps.controlPlane.getDeployment(id);
        if (found.name !== name)
            throw contradiction(id, `lists this id as ${name}, and reads it as ${found.name}`);
        return found;
    };
    try {
        return mayBeGone ? await read() : await (0,_rollout_read_replica_lag_js__WEBPACK_IMPORTED_MODULE_1__/* .pastReplicaLag */ .F)(read, deps);
    }
    catch (thrown) {
        if ((0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isNotFound */ .c4)(thrown))
            return undefined;
        throw thrown;
    }
}
/** Returns `not-reported` where the control plane shows neither the newest revision nor the active one. */
async function readNewestRevision({ id, latestRevisionId: latest, activeRevisionId: active }, { controlPlane }) {
    if (latest !== undefined)
        return await controlPlane.getRevision(id, latest);
    try {
        const [newest] = await controlPlane.listRevisions(id, { limit: 1 });
        if (newest !== undefined)
            return newest;
    }
    catch (thrown) {
        // The route is optional.
        if (!(0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .mayLackRoute */ .I1)(thrown))
            throw thrown;
    }
    return typeof active === 'string' ? await controlPlane.getRevision(id, active) : 'not-reported';
}
/** Returns `undefined` for a deployment that does not exist. */
async function readIfThere(id, deps) {
    try {
        return await (0,_rollout_read_replica_lag_js__WEBPACK_IMPORTED_MODULE_1__/* .pastBrokenAnswers */ .B)(async () => await deps.controlPlane.getDeployment(id), deps);
    }
    catch (thrown) {
        if ((0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isNotFound */ .c4)(thrown))
            return undefined;
        throw thrown;
    }
}
function contradiction(id, cameBack) {
    return new _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq({
        attempted: `delete the deployment ${id}`,
        cameBack: `the control plane ${cameBack}`,
        hint: 'Nothing was sent to delete it. Check the deployment in the control plane.',
    });
}


/***/ }),

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

/***/ 7176:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  teardown: () => (/* binding */ teardown)
});

// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ./problem.ts
var problem = __webpack_require__(2035);
// EXTERNAL MODULE: ./rollout/read/find-deployment.ts
var find_deployment = __webpack_require__(4682);
// EXTERNAL MODULE: ./rollout/rollout-request.ts
var rollout_request = __webpack_require__(803);
// EXTERNAL MODULE: ./previews/choose.ts
var choose = __webpack_require__(1827);
// EXTERNAL MODULE: ./previews/listing.ts
var previews_listing = __webpack_require__(8328);
// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./control-plane/retry.ts
var control_plane_retry = __webpack_require__(2911);
// EXTERNAL MODULE: ./rollout/timing.ts
var timing = __webpack_require__(366);
;// CONCATENATED MODULE: ./previews/remove.ts




const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/**
 * Deletes a deployment, and waits until the control plane no longer returns it (contract notes,
 * `DELETE /v2/deployments/{id}`). A deployment that does not exist counts as deleted. Checks before each attempt whether
 * the deployment is still to be deleted.
 * @returns whether it is kept, and why
 * @throws RefusedError when the control plane refuses or has no route to delete, UnreachableError when it still returns
 * the deployment at the deadline, or after a DELETE without a usable response
 */
async function removeDeployment(id, check, deps) {
    /** Of an attempt that may have deleted it. */
    let lost;
    for (let retry = 0;; retry++) {
        const checked = await check(lost !== undefined);
        // After a lost attempt, the deployment may still disappear: it is not certain to be kept.
        if (checked.kind === 'keep' && lost !== undefined)
            throw lost;
        if (checked.kind !== 'remove')
            return checked;
        try {
            await deps.controlPlane.deleteDeployment(id);
            break;
        }
        catch (thrown) {
            if (!(thrown instanceof errors/* ControlPlaneError */.Cj))
                throw thrown;
            if (lost !== undefined && isNotThere(thrown))
                break;
            if (mayHaveActed(thrown))
                lost = thrown;
            if (await pauseForRetry(thrown, retry, deps))
                continue;
            if (await disappears(id, lost === undefined ? [0] : timing/* LOST_WRITE_PAUSES_MS */.ys, deps))
                return { kind: 'gone' };
            throw (0,errors/* mayLackRoute */.I1)(thrown) ? noRoute(thrown, id) : thrown;
        }
    }
    await untilGone(id, deps);
    return { kind: 'gone' };
}
/** Pauses before the next attempt. Returns false if there is none. */
async function pauseForRetry(error, retry, deps) {
    const { clock, signal, deadline, random, maxRetries, emit } = deps;
    if (!(error instanceof errors/* UnreachableError */.Jk) || retry >= maxRetries)
        return false;
    const delayMs = (0,control_plane_retry/* retryDelay */.a2)(retry, error.retryAfterMs, random);
    if (clock.now() + delayMs >= deadline)
        return false;
    const { attempted, cameBack } = error.trouble;
    emit({ kind: 'request-retried', attempted, cameBack, delayMs });
    await clock.sleep(delayMs, signal);
    return true;
}
async function untilGone(id, deps) {
    const { clock, signal, deadline } = deps;
    const exists = async () => (await (0,previews_listing/* readIfThere */.qC)(id, deps)) !== undefined;
    for (let pause = FIRST_PAUSE_MS; await exists(); pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        const left = deadline - clock.now();
        if (left <= 0) {
            throw new errors/* UnreachableError */.Jk({
                attempted: `delete the deployment ${id}`,
                cameBack: 'the control plane accepted it, but still returned the deployment when the time was over',
                hint: 'The deletion continues there, and may take half an hour. Check the deployment later, or set a longer timeout.',
            });
        }
        await clock.sleep(Math.min(pause, left), signal);
    }
}
/** Whether the deployment disappears within these pauses: a replica may lag, and the server may act late. */
async function disappears(id, pauses, deps) {
    const { clock, signal, deadline } = deps;
    for (const pause of pauses) {
        await clock.sleep(Math.max(0, Math.min(pause, deadline - clock.now())), signal);
        try {
            if ((await (0,previews_listing/* readIfThere */.qC)(id, deps)) === undefined)
                return true;
        }
        catch (thrown) {
            // The error of the DELETE says more.
            if (!(thrown instanceof errors/* ControlPlaneError */.Cj))
                throw thrown;
        }
        if (clock.now() >= deadline)
            return false;
    }
    return false;
}
/** Whether the server may have deleted the deployment although it reports an error. */
function mayHaveActed(error) {
    if (error instanceof errors/* RefusedError */.fk)
        return error.status >= 500;
    return error instanceof errors/* AmbiguousWriteError */.yI || error instanceof errors/* BrokenContractError */.Sq;
}
function isNotThere(error) {
    return error instanceof errors/* RefusedError */.fk && (error.status === 404 || error.status === 410);
}
/** The deployment exists, so that the status is about the route. */
function noRoute({ status, detail }, id) {
    return new errors/* RefusedError */.fk(status, detail, {
        attempted: `delete the deployment ${id}`,
        cameBack: `DELETE was answered with HTTP ${status}, though the deployment exists: this control plane has no route to delete deployments`,
        hint: 'Delete the deployment in the control plane itself.',
    });
}

// EXTERNAL MODULE: ./previews/teardown-request.ts
var teardown_request = __webpack_require__(5942);
;// CONCATENATED MODULE: ./previews/teardown.ts








/**
 * Deletes one deployment, or all previews whose pull request is closed. A deployment counts as deleted when the control
 * plane no longer returns it. Right before each DELETE, it reads the deployment by its id, and the pull request whose
 * state decides.
 * @throws InputError, ControlPlaneError when the teardown cannot continue; of several deletions a failed one does not throw
 */
async function teardown(request, deps) {
    const { what } = request;
    return what.kind === 'one' ? await tearDownOne(what, request, deps) : await tearDownClosed(what, request, deps);
}
async function tearDownOne(what, { ignoreMissing, dryRun }, deps) {
    const { controlPlane } = deps;
    const { target, because } = what;
    const listing = (0,previews_listing/* openListing */.Bz)(controlPlane);
    const isByName = target.kind === 'name';
    const deployment = isByName ? await (0,find_deployment/* findByName */._U)(target.name, listing) : await (0,previews_listing/* readIfThere */.qC)(target.id, deps);
    if (deployment === undefined) {
        deps.emit({ kind: 'nothing-to-delete', name: isByName ? target.name : undefined });
        if (ignoreMissing)
            return { kind: 'nothing-to-tear-down' };
        const message = 'names no deployment that these credentials can see, and ignore-missing is "false"';
        const input = isByName ? 'name' : 'deployment-id';
        throw new problem/* InputError */.dz([{ input, value: (0,rollout_request/* nameOf */.V)(target), message }]);
    }
    const choice = { deployment, verdict: 'remove', because };
    const { deletesTracingProjects: withTracingProjects } = controlPlane;
    deps.emit({ kind: 'deletions-chosen', choices: [choice], dryRun, isOne: true, withTracingProjects });
    const reasonToKeep = async (found) => (0,choose/* otherRepositoryOf */.gZ)(found, what.repoUrl, deps.reveals) ?? (await reasonOfPullRequest(what, deps));
    const kept = await carryOut(deployment, reasonToKeep, listing, dryRun, deps);
    if (kept !== undefined && (0,teardown_request/* isUncertain */.c)(kept))
        return { kind: 'failed', because: { kind: 'teardown-blind', unknown: 1 } };
    if (dryRun)
        return { kind: 'planned' };
    return { kind: kept === undefined ? 'torn-down' : 'nothing-to-tear-down' };
}
/** If GitHub does not answer, the word of the event counts only in the first attempt. */
async function reasonOfPullRequest({ because, label }, deps) {
    const { pullRequest } = because;
    if (pullRequest === undefined)
        return undefined;
    const state = await stateOf(pullRequest, label, deps);
    if (state === 'open')
        return { kind: 'pull-request-open', pullRequest };
    const isOver = state === 'closed' || state === 'unlabeled';
    if (because.kind === 'requested' || isOver || deps.isFirstAttempt)
        return undefined;
    if (state === 'missing')
        return { kind: 'pull-request-missing', pullRequest };
    return { kind: because.kind === 'pull-request-unlabeled' ? 'label-event-outdated' : 'event-outdated', pullRequest };
}
async function tearDownClosed(what, { dryRun }, deps) {
    const listing = (0,previews_listing/* openListing */.Bz)(deps.controlPlane);
    const previews = await (0,previews_listing/* listPreviews */.AT)(what.name, listing);
    const states = await deps.pullRequestStates(previews.map(({ pullRequest }) => pullRequest), what.label);
    const factsOf = ({ pullRequest }) => {
        return {
            ...what,
            reveals: deps.reveals,
            serverTime: listing.serverTime(),
            runnerTime: deps.clock.wallTime(),
            revision: undefined,
            state: states.get(pullRequest) ?? 'unknown',
        };
    };
    const choices = previews.map((preview) => (0,choose/* choosePreview */.Ix)(preview, factsOf(preview)));
    const { deletesTracingProjects: withTracingProjects } = deps.controlPlane;
    deps.emit({ kind: 'deletions-chosen', choices, dryRun, isOne: false, withTracingProjects });
    const ours = choices.filter(({ because }) => because.kind !== 'other-repository');
    const unknown = new Set(ours.filter((one) => factsOf(one).state === 'unknown').map(({ pullRequest }) => pullRequest));
    const remove = async (choice) => {
        const reasonToKeep = async (found) => await reasonNow({ ...choice, deployment: found }, what.label, factsOf(choice), deps);
        const kept = await carryOut(choice.deployment, reasonToKeep, listing, dryRun, deps);
        if (kept?.kind === 'pull-request-unknown')
            unknown.add(kept.pullRequest);
        return kept === undefined ? 'removed' : 'kept';
    };
    const chosen = choices.filter(({ verdict }) => verdict === 'remove');
    const { removed, failed } = await removeAll(chosen, remove, deps);
    if (failed > 0)
        return { kind: 'failed', because: { kind: 'teardown', failed } };
    // A cleanup without GitHub's answers must not look complete, whatever `older-than` has deleted.
    if (unknown.size > 0)
        return { kind: 'failed', because: { kind: 'teardown-blind', unknown: unknown.size } };
    if (dryRun)
        return { kind: 'planned' };
    return { kind: removed > 0 ? 'torn-down' : 'nothing-to-tear-down' };
}
/** Chooses again right before the deletion. The reason of the first choice must still hold. */
async function reasonNow(preview, label, facts, deps) {
    const isByAge = preview.because.kind === 'not-updated';
    // An old preview is deleted whatever the state of its pull request.
    const now = isByAge
        ? { ...facts, revision: await (0,previews_listing/* readNewestRevision */.wm)(preview.deployment, deps) }
        : { ...facts, state: await stateOf(preview.pullRequest, label, deps), olderThanMs: undefined };
    const { verdict, because } = (0,choose/* choosePreview */.Ix)(preview, now);
    return verdict === 'keep' ? because : undefined;
}
async function stateOf(pullRequest, label, deps) {
    return (await deps.pullRequestStates([pullRequest], label)).get(pullRequest) ?? 'unknown';
}
/**
 * Deletes a deployment unless the last check finds a reason to keep it. A dry run ends after the check.
 * @returns that reason
 */
async function carryOut(listed, reasonToKeep, listing, dryRun, deps) {
    const { id } = listed;
    const check = async (mayBeGone) => {
        const found = await (0,previews_listing/* readListed */.oF)(listed, listing, mayBeGone, deps);
        if (found === undefined)
            return { kind: 'gone' };
        const because = await reasonToKeep(found);
        return because === undefined ? { kind: 'remove' } : { kind: 'keep', because };
    };
    const checked = dryRun ? await check(false) : await removeDeployment(id, check, deps);
    if (checked.kind !== 'keep') {
        if (!dryRun)
            deps.emit({ kind: 'deleted', id });
        return undefined;
    }
    deps.emit({ kind: 'deletion-dropped', id, because: checked.because });
    return checked.because;
}
const AT_ONCE = 4;
/**
 * Deletes a few at a time, because each deletion takes until its deployment is gone. A failed one does not stop the
 * others.
 */
async function removeAll(chosen, remove, { signal, emit }) {
    const queue = chosen.values();
    const counts = { removed: 0, failed: 0 };
    const work = async () => {
        for (const choice of queue) {
            try {
                if ((await remove(choice)) === 'removed')
                    counts.removed += 1;
            }
            catch (thrown) {
                signal.throwIfAborted();
                counts.failed += 1;
                emit({ kind: 'deletion-failed', id: choice.deployment.id, trouble: (0,clock/* toError */.i)(thrown).message });
            }
        }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return counts;
}


/***/ })

};
