export const id = 562;
export const ids = [562];
export const modules = {

/***/ 1562:
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
// EXTERNAL MODULE: ./rollout/read/paginate.ts
var paginate = __webpack_require__(6998);
// EXTERNAL MODULE: ./rollout/rollout-request.ts
var rollout_request = __webpack_require__(803);
// EXTERNAL MODULE: ./rollout/outcome.ts
var outcome = __webpack_require__(4698);
// EXTERNAL MODULE: ./rollout/plan/repository.ts
var repository = __webpack_require__(2978);
;// CONCATENATED MODULE: ./previews/age.ts
/** Older than every deployment: the year 1 or the epoch means that no time is set. */
const EARLIEST = Date.UTC(2020, 0, 1);
/** The clocks of a service may differ by this, in milliseconds. */
const TOLERANCE_MS = 5 * 60_000;
/**
 * Computes how long ago the latest of the updates was, by the server's clock alone. Every time must be plausible: a
 * wrong age would delete a preview that is in use.
 * @param updates milliseconds since the epoch, as is `serverTime`
 */
function ageOf(updates, serverTime) {
    if (serverTime === undefined || serverTime < EARLIEST)
        return { kind: 'age-unknown', lacks: 'server-time' };
    const latestPlausible = serverTime + TOLERANCE_MS;
    const isPlausible = (at) => at >= EARLIEST && at <= latestPlausible;
    const times = updates.filter((at) => at !== undefined).filter(isPlausible);
    if (times.length < updates.length)
        return { kind: 'age-unknown', lacks: 'update-time' };
    return { kind: 'known', ms: serverTime - Math.max(...times) };
}

// EXTERNAL MODULE: ./previews/preview-name.ts
var preview_name = __webpack_require__(6862);
;// CONCATENATED MODULE: ./previews/choose.ts




/** Returns the previews of a deployment of exactly this name: `my-agent-pr-1` is no preview of `agent`. */
function previewsOf(deployments, name) {
    return deployments.flatMap((deployment) => {
        const pullRequest = (0,preview_name/* pullRequestOf */._n)(deployment.name, name);
        return pullRequest === undefined ? [] : [{ deployment, pullRequest }];
    });
}
/** Chooses whether to delete a preview. Keeps a preview whose state is uncertain. */
function choosePreview(preview, facts) {
    const { pullRequest, deployment } = preview;
    const { state, repoUrl } = facts;
    const otherRepository = otherRepositoryOf(deployment, repoUrl);
    if (otherRepository !== undefined)
        return { ...preview, verdict: 'keep', because: otherRepository };
    const byState = { kind: `pull-request-${state}`, pullRequest };
    if (state === 'closed')
        return { ...preview, verdict: 'remove', because: byState };
    const byAge = reasonOfAge(deployment, facts);
    return { ...preview, verdict: byAge?.kind === 'not-updated' ? 'remove' : 'keep', because: byAge ?? byState };
}
/** Returns undefined if the age of the preview makes no difference. */
function reasonOfAge({ updatedAt }, { olderThanMs, serverTime, revision }) {
    if (olderThanMs === undefined)
        return undefined;
    const age = ageOf(revision === undefined ? [updatedAt] : [updatedAt, revision.updatedAt], serverTime);
    if (age.kind === 'age-unknown')
        return age;
    if (age.ms < olderThanMs)
        return undefined;
    if (revision !== undefined && (0,outcome/* phaseOf */.h)(revision.status) !== 'terminal')
        return { kind: 'revision-under-way', status: revision.status };
    return { kind: 'not-updated', forMs: age.ms };
}
/** Returns the reason to keep a deployment that reports another repository than its previews are built from. */
function otherRepositoryOf({ settings: { repoUrl: reported } }, expected) {
    if (reported === undefined || expected === undefined || (0,repository/* sameRepository */.RB)(reported, expected))
        return undefined;
    const nameOf = (address) => (0,repository/* repositoryPath */.SH)(address) ?? 'another address';
    return { kind: 'other-repository', reported: nameOf(reported), expected: nameOf(expected) };
}

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./rollout/read/replica-lag.ts
var replica_lag = __webpack_require__(214);
;// CONCATENATED MODULE: ./previews/listing.ts


function openListing(controlPlane) {
    const names = new Map();
    let serverTime;
    return {
        async listDeployments(query) {
            const page = await controlPlane.listDeployments(query);
            serverTime ??= page.serverTime;
            for (const { id, name } of page.resources) {
                const key = id.toLowerCase();
                names.set(key, (names.get(key) ?? new Set()).add(name));
            }
            return page;
        },
        namesOf: (id) => [...(names.get(id.toLowerCase()) ?? [])],
        serverTime: () => serverTime,
    };
}
/**
 * Reads a deployment by its id, right before it is deleted. Id and name must be the ones that are to be deleted.
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
        return mayBeGone ? await read() : await (0,replica_lag/* pastReplicaLag */.F)(read, deps);
    }
    catch (thrown) {
        if ((0,errors/* isNotFound */.c4)(thrown))
            return undefined;
        throw thrown;
    }
}
/** Returns `undefined` for a deployment that does not exist. */
async function readIfThere(id, deps) {
    try {
        return await (0,replica_lag/* pastBrokenAnswers */.B)(async () => await deps.controlPlane.getDeployment(id), deps);
    }
    catch (thrown) {
        if ((0,errors/* isNotFound */.c4)(thrown))
            return undefined;
        throw thrown;
    }
}
function contradiction(id, cameBack) {
    return new errors/* BrokenContractError */.Sq({
        attempted: `delete the deployment ${id}`,
        cameBack: `the control plane ${cameBack}`,
        hint: 'Nothing was sent to delete it. Check the deployment in the control plane.',
    });
}

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
    const exists = async () => (await readIfThere(id, deps)) !== undefined;
    for (let pause = FIRST_PAUSE_MS; await exists(); pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        const left = deadline - clock.now();
        if (left <= 0) {
            throw new errors/* UnreachableError */.Jk({
                attempted: `delete the deployment ${id}`,
                cameBack: 'the control plane accepted it, but still returned the deployment when the time was over',
                hint: 'Check the deployment in the control plane, or set a longer timeout.',
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
            if ((await readIfThere(id, deps)) === undefined)
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
    const listing = openListing(controlPlane);
    const isByName = target.kind === 'name';
    const deployment = isByName ? await (0,find_deployment/* findByName */._)(target.name, listing) : await readIfThere(target.id, deps);
    if (deployment === undefined) {
        deps.emit({ kind: 'nothing-to-delete', name: isByName ? target.name : undefined });
        if (ignoreMissing)
            return { kind: 'nothing-to-tear-down' };
        const message = 'names no deployment that these credentials can see, and ignore-missing is "false"';
        const input = isByName ? 'name' : 'deployment-id';
        throw new problem/* InputError */.dz([{ input, value: (0,rollout_request/* nameOf */.V)(target), message }]);
    }
    const choice = { deployment, verdict: 'remove', because };
    deps.emit({ kind: 'deletions-chosen', choices: [choice], dryRun, isOne: true });
    const reasonToKeep = async (found) => otherRepositoryOf(found, what.repoUrl) ?? (await reasonOfPullRequest(because, deps));
    const kept = await carryOut(deployment, reasonToKeep, listing, dryRun, deps);
    if (kept?.kind === 'event-outdated')
        return { kind: 'failed', because: { kind: 'teardown-blind', unknown: 1 } };
    if (dryRun)
        return { kind: 'planned' };
    return { kind: kept === undefined ? 'torn-down' : 'nothing-to-tear-down' };
}
/** If GitHub does not answer, the word of the event counts only in the first attempt. */
async function reasonOfPullRequest(because, deps) {
    if (because.kind === 'requested')
        return undefined;
    const { pullRequest } = because;
    const state = await stateOf(pullRequest, deps);
    if (state === 'open')
        return { kind: 'pull-request-open', pullRequest };
    return state === 'closed' || deps.isFirstAttempt ? undefined : { kind: 'event-outdated', pullRequest };
}
async function tearDownClosed(what, { dryRun }, deps) {
    const listing = openListing(deps.controlPlane);
    const previews = previewsOf(await listCandidates(what.name, listing), what.name);
    const states = await deps.pullRequestStates(previews.map(({ pullRequest }) => pullRequest));
    const factsOf = ({ pullRequest }) => {
        return {
            ...what,
            serverTime: listing.serverTime(),
            revision: undefined,
            state: states.get(pullRequest) ?? 'unknown',
        };
    };
    const choices = previews.map((preview) => choosePreview(preview, factsOf(preview)));
    deps.emit({ kind: 'deletions-chosen', choices, dryRun, isOne: false });
    const ours = choices.filter(({ because }) => because.kind !== 'other-repository');
    const unknown = new Set(ours.filter((one) => factsOf(one).state === 'unknown').map(({ pullRequest }) => pullRequest));
    const remove = async (choice) => {
        const reasonToKeep = async (found) => await reasonNow({ ...choice, deployment: found }, factsOf(choice), deps);
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
async function reasonNow(preview, facts, deps) {
    const isByAge = preview.because.kind === 'not-updated';
    // An old preview is deleted whatever the state of its pull request.
    const now = isByAge
        ? { ...facts, revision: await readLatestRevision(preview.deployment, deps) }
        : { ...facts, state: await stateOf(preview.pullRequest, deps), olderThanMs: undefined };
    const { verdict, because } = choosePreview(preview, now);
    return verdict === 'keep' ? because : undefined;
}
async function readLatestRevision({ id, latestRevisionId }, { controlPlane }) {
    return latestRevisionId === undefined ? undefined : await controlPlane.getRevision(id, latestRevisionId);
}
async function stateOf(pullRequest, deps) {
    return (await deps.pullRequestStates([pullRequest])).get(pullRequest) ?? 'unknown';
}
async function listCandidates(name, listing) {
    const nameContains = (0,preview_name/* previewNameStart */.ms)(name);
    const listed = [];
    const pages = (0,paginate/* readAll */.y)(async (query) => await listing.listDeployments({ nameContains, ...query }));
    for await (const deployment of pages)
        listed.push(deployment);
    return listed;
}
/**
 * Deletes a deployment unless the last check finds a reason to keep it. A dry run ends after the check.
 * @returns that reason
 */
async function carryOut(listed, reasonToKeep, listing, dryRun, deps) {
    const { id } = listed;
    const check = async (mayBeGone) => {
        const found = await readListed(listed, listing, mayBeGone, deps);
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
    const counts = { removed: 0, kept: 0, failed: 0 };
    const work = async () => {
        for (const choice of queue) {
            try {
                const result = await remove(choice);
                counts[result] += 1;
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


/***/ }),

/***/ 4682:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ findDeployment),
/* harmony export */   _: () => (/* binding */ findByName)
/* harmony export */ });
/* harmony import */ var _paginate_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6998);
/* harmony import */ var _replica_lag_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(214);


/**
 * Finds the deployment; `undefined` if none has that name.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the id is unknown
 */
async function findDeployment(target, deps) {
    const { controlPlane } = deps;
    if (target.kind === 'name')
        return await findByName(target.name, controlPlane);
    return await (0,_replica_lag_js__WEBPACK_IMPORTED_MODULE_0__/* .pastBrokenAnswers */ .B)(async () => await controlPlane.getDeployment(target.id), deps);
}
/** Reads pages until the exact name is found: the control plane's filter matches a substring or a prefix. */
async function findByName(name, controlPlane) {
    const all = (0,_paginate_js__WEBPACK_IMPORTED_MODULE_1__/* .readAll */ .y)(async (query) => await controlPlane.listDeployments({ nameContains: name, ...query }));
    for await (const deployment of all)
        if (deployment.name === name)
            return deployment;
    return undefined;
}


/***/ }),

/***/ 6998:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   y: () => (/* binding */ readAll)
/* harmony export */ });
/* harmony import */ var _control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4945);

/** The contract's largest page. */
const PAGE_SIZE = 100;
/** The contract's default page: a service that ignores the limit may end a page here. */
const SMALLEST_FULL_PAGE = 20;
/**
 * Yields every entry of a paged list once. While the pages are read, other clients add and remove deployments: an entry
 * then moves to a page that was read already. So a list of several pages is read once more, with pages that overlap by
 * half. A consumer that has found its entry ends the reading.
 */
async function* readAll(readPage) {
    const seen = new Set();
    let pageSize;
    let isLong = false;
    for await (const { resources, offset } of pagesOf(readPage, 1, (next, from) => next - from)) {
        const added = newAmong(resources, seen);
        isLong ||= pageSize === undefined ? mayBeFull(resources.length, offset) : added.length > 0;
        pageSize ??= offset;
        yield* added;
    }
    if (!isLong || pageSize === undefined)
        return;
    const half = Math.ceil(pageSize / 2);
    for await (const { resources } of pagesOf(readPage, 2, () => half))
        yield* newAmong(resources, seen);
}
function mayBeFull(length, offset) {
    return length >= SMALLEST_FULL_PAGE || offset >= PAGE_SIZE;
}
/**
 * Reads page after page. A short page is not the last one: a service may filter after it cuts the page. A page without
 * new entries is: a service that ignores the offset repeats the same page.
 * @param patience the pages in a row without new entries after which the list ends
 * @param stepOf how far to go on, from the offset of the next page and of this one
 */
async function* pagesOf(readPage, patience, stepOf) {
    const seen = new Set();
    let pagesWithoutNew = 0;
    for (let offset = 0;;) {
        const page = await readPage({ limit: PAGE_SIZE, offset });
        yield page;
        pagesWithoutNew = newAmong(page.resources, seen).length === 0 ? pagesWithoutNew + 1 : 0;
        if (page.resources.length === 0 || pagesWithoutNew === patience || page.offset <= offset)
            return;
        offset += stepOf(page.offset, offset);
    }
}
/** Returns the entries of a page that no earlier page had, and adds them to those seen. */
function newAmong(entries, seen) {
    const added = entries.filter(({ id }) => !seen.has((0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_0__/* .idKey */ .T)(id)));
    for (const { id } of added)
        seen.add((0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_0__/* .idKey */ .T)(id));
    return added;
}


/***/ }),

/***/ 214:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B: () => (/* binding */ pastBrokenAnswers),
/* harmony export */   F: () => (/* binding */ pastReplicaLag)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(366);


/**
 * Reads a resource whose id the control plane has reported. Reads it again after a 404 or a broken response.
 * @throws what `read` throws; RefusedError when it is still missing after {@link REPLICA_LAG_MS}
 */
async function pastReplicaLag(read, deps) {
    return await readAgain(read, _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isNotFound */ .c4, deps);
}
/**
 * Reads again after a broken response, such as one about another resource.
 * @throws what `read` throws
 */
async function pastBrokenAnswers(read, deps) {
    return await readAgain(read, () => false, deps);
}
async function readAgain(read, mayPass, { clock, signal, deadline }) {
    const giveUpAt = Math.min(clock.now() + _timing_js__WEBPACK_IMPORTED_MODULE_1__/* .REPLICA_LAG_MS */ .p6, deadline - _timing_js__WEBPACK_IMPORTED_MODULE_1__/* .READ_AGAIN_MS */ .JX);
    let broken = 0;
    for (;;) {
        try {
            return await read();
        }
        catch (thrown) {
            const isBroken = thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq && ++broken <= _timing_js__WEBPACK_IMPORTED_MODULE_1__/* .BROKEN_RESPONSES */ .fC;
            if ((!mayPass(thrown) && !isBroken) || clock.now() >= giveUpAt)
                throw thrown;
            await clock.sleep(_timing_js__WEBPACK_IMPORTED_MODULE_1__/* .READ_AGAIN_MS */ .JX, signal);
        }
    }
}


/***/ }),

/***/ 366:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CG: () => (/* binding */ STALE_READ_MS),
/* harmony export */   E8: () => (/* binding */ READS_AFTER_REDEPLOY),
/* harmony export */   HG: () => (/* binding */ ACTIVATION_GRACE_MS),
/* harmony export */   In: () => (/* binding */ GONE_AFTER_MS),
/* harmony export */   JX: () => (/* binding */ READ_AGAIN_MS),
/* harmony export */   OL: () => (/* binding */ LEAST_GRACE_MS),
/* harmony export */   Of: () => (/* binding */ SUCCESSION_GRACE_MS),
/* harmony export */   Rz: () => (/* binding */ FIRST_VERIFY_PAUSE_MS),
/* harmony export */   TU: () => (/* binding */ SECOND_READ_MS),
/* harmony export */   Zh: () => (/* binding */ READS_PER_PATCH),
/* harmony export */   ac: () => (/* binding */ COMMIT_GRACE_MS),
/* harmony export */   b4: () => (/* binding */ LOG_READING_MS),
/* harmony export */   bu: () => (/* binding */ VERIFY_REQUEST_TIMEOUT_MS),
/* harmony export */   c6: () => (/* binding */ POLL_PAUSE_AFTER_CHANGE_MS),
/* harmony export */   fC: () => (/* binding */ BROKEN_RESPONSES),
/* harmony export */   fy: () => (/* binding */ LONGEST_VERIFY_PAUSE_MS),
/* harmony export */   hx: () => (/* binding */ FIRST_POLL_PAUSE_MS),
/* harmony export */   jv: () => (/* binding */ POLL_PAUSE_GROWTH),
/* harmony export */   m: () => (/* binding */ HEARTBEAT_MS),
/* harmony export */   mt: () => (/* binding */ POLLS_PER_DEPLOYMENT_READ),
/* harmony export */   n4: () => (/* binding */ READS_OF_SUCCESSOR),
/* harmony export */   nS: () => (/* binding */ LONGEST_POLL_PAUSE_MS),
/* harmony export */   or: () => (/* binding */ POLL_PAUSE_JITTER),
/* harmony export */   p6: () => (/* binding */ REPLICA_LAG_MS),
/* harmony export */   r1: () => (/* binding */ PATCHES),
/* harmony export */   ys: () => (/* binding */ LOST_WRITE_PAUSES_MS)
/* harmony export */ });
// Every constant of waiting in a rollout. Names that end in _MS are milliseconds; the others are counts or factors.
// Polls of a revision with `poll-interval: auto`.
/** Pause before the second poll. An image that is built already can be deployed within seconds. */
const FIRST_POLL_PAUSE_MS = 1_000;
/** Pause after a change of the status: the next change is likely to follow soon. */
const POLL_PAUSE_AFTER_CHANGE_MS = 2_000;
/** Limit of the pause: a build takes minutes, and an end must not be seen much later than it happens. */
const LONGEST_POLL_PAUSE_MS = 10_000;
/** Factor from one pause to the next while the status stays the same. */
const POLL_PAUSE_GROWTH = 1.5;
/** At most this part of a pause is taken off at random, so that many rollouts do not poll at the same moments. */
const POLL_PAUSE_JITTER = 0.2;
// The watch of a revision.
/** Longest time without a line in the log while the status stays the same: a silent job looks stuck. */
const HEARTBEAT_MS = 60_000;
/** Polls for each read of the deployment, which costs up to three requests. */
const POLLS_PER_DEPLOYMENT_READ = 6;
/** A deployment is deleted when it is missing for this long: a lagging replica can hide one that exists. */
const GONE_AFTER_MS = 10_000;
// Reads that can show an old state.
/** How long a replica may not know what was just created (contract notes, GET revision). */
const REPLICA_LAG_MS = 30_000;
/** Pause between two reads that wait for a change to show. */
const READ_AGAIN_MS = 2_000;
/** A proxy may answer in place of the control plane: so many unreadable responses are read again. */
const BROKEN_RESPONSES = 2;
/** How long an unfinished revision may take to report its commit, before the run creates its own. */
const COMMIT_GRACE_MS = 20_000;
/** Pause before a second read of the latest revision, if no list and no date orders it: longer than most replicas lag. */
const SECOND_READ_MS = 7_000;
// The confirmation that an ended revision is the active one.
/** How long a deployment may take to report a DEPLOYED revision as its active one. */
const ACTIVATION_GRACE_MS = 30_000;
/** What remains of that grace at the deadline: a revision that ended in time must not fail because it was seen late. */
const LEAST_GRACE_MS = 5_000;
/** How long a deployment may take to report the newer revision that ended ours. */
const SUCCESSION_GRACE_MS = 6_000;
// Writes.
/** How far behind a replica may be that returns an earlier state. */
const STALE_READ_MS = 6_000;
/**
 * Pauses before each look for the result of a lost write, 18 s in all: a server may act 9 s late, and the replica of
 * the last look may be {@link STALE_READ_MS} behind.
 */
const LOST_WRITE_PAUSES_MS = [500, 1_000, 2_000, 3_000, 4_000, 5_000, 2_500];
/** Reads after a PATCH whose response does not show the new settings: a replica may lag. */
const READS_PER_PATCH = 4;
/** A proxy may have dropped the first PATCH. */
const PATCHES = 2;
/** Reads after a redeploy: a service may take a moment to report the revision, and need not create a new one. */
const READS_AFTER_REDEPLOY = 4;
/** Reads at the end of a watch that look for the revision by which ours is superseded: it may be ours, too. */
const READS_OF_SUCCESSOR = 4;
// The finish.
/** How long reading the log of a failed revision may take: the step fails with or without the log. */
const LOG_READING_MS = 15_000;
/** First pause between two requests of a verification; each pause doubles. */
const FIRST_VERIFY_PAUSE_MS = 1_000;
/** Limit of that pause: an address that begins to answer is to be seen soon. */
const LONGEST_VERIFY_PAUSE_MS = 5_000;
/** How long one request of a verification may take: a request that hangs must not use up all the time. */
const VERIFY_REQUEST_TIMEOUT_MS = 10_000;


/***/ })

};
