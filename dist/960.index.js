export const id = 960;
export const ids = [960,72];
export const modules = {

/***/ 6960:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   rolloutPreview: () => (/* binding */ rolloutPreview)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _rollout_dependencies_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9697);
/* harmony import */ var _rollout_plan_repo_ref_default_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9674);
/* harmony import */ var _rollout_rollout_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1072);
/* harmony import */ var _rollout_rollout_request_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(803);
/* harmony import */ var _teardown_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1562);






/**
 * Rolls out a pull request's own deployment. If the pull request is closed before the rollout or during it, deletes the
 * deployment instead: a delayed run must not leave a preview behind that no later run deletes.
 * @throws what a rollout and a teardown throw
 */
async function rolloutPreview(request, pullRequest, deps) {
    const before = await deps.readPullRequest(pullRequest);
    const withKnownHead = withHead(request, before);
    deps.emit({ kind: 'head-read', commit: withKnownHead.repository.commit });
    if (before?.state !== 'closed') {
        const outcome = await rolloutUnlessClosed(withKnownHead, pullRequest, deps);
        if (outcome !== 'closed')
            return outcome;
    }
    const { target, dryRun, timeoutMs } = withKnownHead;
    const repoUrl = withKnownHead.settings.repoUrl ?? withKnownHead.repository.repoUrl;
    const because = { kind: 'pull-request-closed', pullRequest };
    deps.emit(because);
    deps.emit({ kind: 'teardown-began', target: (0,_rollout_rollout_request_js__WEBPACK_IMPORTED_MODULE_3__/* .nameOf */ .V)(target), timeoutMs });
    const closing = { what: { kind: 'one', target, because, repoUrl }, ignoreMissing: true, dryRun, timeoutMs };
    // The rollout may have used up its time.
    return await (0,_teardown_js__WEBPACK_IMPORTED_MODULE_2__.teardown)(closing, (0,_rollout_dependencies_js__WEBPACK_IMPORTED_MODULE_4__/* .withTime */ .C)(deps, timeoutMs));
}
async function rolloutUnlessClosed(request, pullRequest, deps) {
    const isClosed = async () => (await deps.readPullRequest(pullRequest))?.state === 'closed';
    try {
        const outcome = await (0,_rollout_rollout_js__WEBPACK_IMPORTED_MODULE_1__.rollout)(request, deps);
        return !request.dryRun && (await isClosed()) ? 'closed' : outcome;
    }
    catch (thrown) {
        // The run for the event `closed` may have deleted the deployment meanwhile.
        if ((0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isNotFound */ .c4)(thrown) && (await isClosed()))
            return 'closed';
        throw thrown;
    }
}
/** Some events do not carry the head of their pull request: GitHub reports it. */
function withHead(request, pullRequest) {
    const { repository, settings } = request;
    if (pullRequest === undefined || repository.commit !== undefined)
        return request;
    const { headRef, headRepository, sameRepository, headSha } = pullRequest;
    const head = (0,_rollout_plan_repo_ref_default_js__WEBPACK_IMPORTED_MODULE_5__/* .headOf */ .Uo)(headRef, headRepository, !sameRepository, repository.repoUrl, settings.repoUrl);
    return { ...request, repository: { ...repository, commit: headSha, ...head } };
}


/***/ }),

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

/***/ 1072:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  rollout: () => (/* binding */ rollout)
});

// UNUSED EXPORTS: executeRollout

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./rollout/read/replica-lag.ts
var replica_lag = __webpack_require__(214);
// EXTERNAL MODULE: ./rollout/apply/patch.ts
var apply_patch = __webpack_require__(2371);
// EXTERNAL MODULE: ./rollout/apply/write-once.ts + 1 modules
var write_once = __webpack_require__(7576);
;// CONCATENATED MODULE: ./rollout/apply/apply.ts




/**
 * Sends the plan's writes in order, each once, and names the one revision that they create.
 * @returns `exists`: another client has created a deployment of that name since the plan was made
 */
async function applyPlan(plan, deps) {
    return plan.kind === 'create' ? await applyCreate(plan, deps) : await applyRevise(plan, deps);
}
async function applyCreate(plan, deps) {
    const created = await (0,write_once/* createOnce */.Ur)(plan.draft, deps);
    if (created.kind === 'exists')
        return created;
    const { deployment, repeated } = created;
    // The first revision of an uploaded source has nothing to build: the run watches the one after the upload.
    const revisionId = plan.revision === undefined ? deployment.latestRevisionId : undefined;
    deps.emit({ kind: 'written', change: 'created', deployment, revisionId });
    const firstRevision = deployment.latestRevisionId ?? (await firstRevisionId(deployment, deps));
    if (plan.patch !== undefined)
        await (0,apply_patch/* patchDeployment */.G)(deployment, plan.patch, deps);
    const applied = { kind: 'applied', change: 'created', deployment };
    if (plan.revision === undefined)
        return { ...applied, revisionId: firstRevision, revision: undefined, repeated };
    const draft = await withSource(plan.revision, plan, deployment, deps);
    const built = await (0,write_once/* reviseOnce */.ol)({ ...deployment, latestRevisionId: firstRevision }, draft, deps);
    return { ...applied, ...built, repeated: [...repeated, ...built.repeated], revisionId: built.revision.id };
}
async function applyRevise(plan, deps) {
    const { deployment, patch, patchLast } = plan;
    // The upload first: if it fails, nothing has changed.
    const draft = await withSource(plan.revision, plan, deployment, deps);
    const patchFirst = patchLast ? undefined : patch;
    if (patchFirst !== undefined) {
        await (0,apply_patch/* patchDeployment */.G)(deployment, patchFirst, deps);
        deps.emit({ kind: 'written', change: 'patched', deployment, revisionId: undefined });
    }
    const { revision, repeated } = await (0,write_once/* reviseOnce */.ol)(deployment, draft, deps);
    const revisionId = revision.id;
    const written = patchFirst === undefined ? 'revised' : 'patched';
    deps.emit({ kind: 'written', change: written, deployment, revisionId });
    const applied = { kind: 'applied', deployment, revisionId, revision, repeated };
    if (patch === undefined)
        return { ...applied, change: 'revised' };
    if (patchLast)
        await (0,apply_patch/* patchDeployment */.G)(deployment, patch, deps);
    return { ...applied, change: 'patched' };
}
async function withSource(draft, { upload }, { id }, deps) {
    if (upload === undefined)
        return draft;
    return { ...draft, settings: { ...draft.settings, sourceTarballPath: await deps.upload(id) } };
}
async function firstRevisionId({ id }, deps) {
    const { latestRevisionId } = await (0,replica_lag/* pastReplicaLag */.F)(async () => await deps.controlPlane.getDeployment(id), deps);
    if (latestRevisionId !== undefined)
        return latestRevisionId;
    throw new errors/* BrokenContractError */.Sq({
        attempted: `find the first revision of the deployment ${id}`,
        cameBack: 'the control plane returned no latest_revision_id for it',
        hint: 'Check the deployment in the control plane, then rerun the job.',
    });
}

// EXTERNAL MODULE: ./rollout/finish/finish.ts + 4 modules
var finish = __webpack_require__(4525);
// EXTERNAL MODULE: ./control-plane/same-id.ts
var same_id = __webpack_require__(4945);
// EXTERNAL MODULE: ./problem.ts
var problem = __webpack_require__(2035);
;// CONCATENATED MODULE: ./rollout/apply/source-upload.ts
/** The modules that pack and upload are loaded when they are needed: most rollouts upload nothing. */
function openSourceUpload({ sourcePath = '.', settings: { appConfigPath } }, deps) {
    let archive;
    return {
        /** Packs the directory, once. The warnings are about its size. */
        pack: async () => {
            if (archive === undefined) {
                const { packSource } = await Promise.all(/* import() */[__webpack_require__.e(100), __webpack_require__.e(940)]).then(__webpack_require__.bind(__webpack_require__, 9940));
                const { workspace, tempDir, signal } = deps;
                archive = await packSource({ sourcePath, appConfigPath, workspace, tempDir, signal });
            }
            const { files, bytes, sha256, warnings } = archive;
            return { source: { files, bytes, sha256 }, warnings };
        },
        /** Uploads the archive and returns its path in the control plane. */
        send: async (deploymentId) => {
            if (archive === undefined)
                throw new Error('a source is packed before it is sent');
            const { uploadSource } = await __webpack_require__.e(/* import() */ 76).then(__webpack_require__.bind(__webpack_require__, 9076));
            return await uploadSource(deploymentId, archive, {
                ...deps,
                stallTimeoutMs: deps.requestTimeoutMs,
                onRetry: (notice) => deps.emit({ kind: 'request-retried', ...notice }),
            });
        },
        /** Removes the archive. */
        dispose: async () => await archive?.remove(),
    };
}

// EXTERNAL MODULE: ./rollout/outcome.ts
var outcome = __webpack_require__(4698);
// EXTERNAL MODULE: ./rollout/plan/built-ref.ts
var built_ref = __webpack_require__(2276);
// EXTERNAL MODULE: ./rollout/plan/defaults.ts
var defaults = __webpack_require__(3936);
// EXTERNAL MODULE: ./rollout/plan/diff.ts
var diff = __webpack_require__(493);
// EXTERNAL MODULE: ./rollout/plan/field-rules.ts
var field_rules = __webpack_require__(1418);
// EXTERNAL MODULE: ./rollout/plan/repository.ts
var repository = __webpack_require__(2978);
// EXTERNAL MODULE: ./rollout/plan/settings.ts
var plan_settings = __webpack_require__(2723);
// EXTERNAL MODULE: ./rollout/plan/validate.ts
var validate = __webpack_require__(880);
;// CONCATENATED MODULE: ./rollout/plan/create.ts






/** Plans to create the deployment. Creating it creates its first revision. */
function planCreate(request, facts) {
    const { target, source } = request;
    if (target.kind === 'id')
        throw new Error('a deployment that was found by its id always exists');
    const { name } = target;
    if (request.ifMissing === 'fail') {
        const message = 'names no deployment that these credentials can see, and if-missing is "fail"';
        return { kind: 'refused', problems: [{ input: 'name', value: name, message }] };
    }
    if (source === undefined) {
        const message = `is required to create a deployment: none is named "${name}" yet`;
        return { kind: 'refused', problems: [{ input: 'source', message }] };
    }
    const { settings: known, problems, notes } = (0,defaults/* withDefaults */.r)(request, source, facts);
    const settings = (0,repository/* isTag */.dz)(known.repoRef) ? { ...known, buildOnPush: false } : known;
    const absent = (0,field_rules/* missing */.LO)(source, settings).filter(({ input }) => !problems.some((one) => one.input === input));
    const address = settings.customUrl;
    const found = [
        ...problems,
        ...(0,field_rules/* mismatches */.vJ)(source, (0,plan_settings/* withSourcePath */.NJ)(settings, request)),
        ...absent,
        ...(0,validate/* unknowableAddress */.H)(request.wait ? request.verification : undefined, { source, address }),
    ];
    if (found.length > 0)
        return { kind: 'refused', problems: found };
    // The first revision of an uploaded source has nothing to build: a second one builds what was uploaded.
    const isUploaded = source === 'internal_source';
    const later = { source, settings: (0,plan_settings/* pick */.Up)(settings, ['appConfigPath', ...plan_settings/* NOT_ON_CREATE */.L]) };
    return {
        kind: 'planned',
        plan: {
            kind: 'create',
            draft: { name, source, settings: (0,plan_settings/* omit */.cJ)(settings, plan_settings/* NOT_ON_CREATE */.L) },
            patch: isUploaded ? undefined : (0,plan_settings/* nonEmpty */.hq)((0,plan_settings/* pick */.Up)(settings, plan_settings/* NOT_ON_CREATE */.L)),
            upload: isUploaded ? facts.packed : undefined,
            revision: isUploaded ? later : undefined,
            fields: (0,diff/* diffFields */.p5)(undefined, settings, (field) => {
                if (!plan_settings/* NOT_ON_CREATE */.L.includes(field))
                    return 'create';
                return isUploaded ? 'revision' : 'patch';
            }),
            notes,
        },
    };
}

// EXTERNAL MODULE: ./rollout/plan/revise.ts + 1 modules
var revise = __webpack_require__(6354);
;// CONCATENATED MODULE: ./rollout/plan/plan.ts


/** Compares the request with the current state and decides what to write. Writes nothing. */
function planRollout(request, facts) {
    return facts.current === undefined
        ? planCreate(request, facts)
        : (0,revise/* planRevise */.qx)(request, { ...facts, current: facts.current });
}

// EXTERNAL MODULE: ./rollout/plan/unchanged.ts
var unchanged = __webpack_require__(8509);
// EXTERNAL MODULE: ./rollout/read/find-deployment.ts
var find_deployment = __webpack_require__(4682);
// EXTERNAL MODULE: ./rollout/read/paginate.ts
var paginate = __webpack_require__(6998);
;// CONCATENATED MODULE: ./rollout/read/current-state.ts





/**
 * Reads what a plan for the request depends on. Writes nothing.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the deployment's id is unknown
 */
async function readCurrentState(request, deps) {
    const { controlPlane } = deps;
    const current = await (0,find_deployment/* findDeployment */.H)(request.target, deps);
    if (current !== undefined) {
        const revisions = await readRevisions(request, current, deps);
        return { current, ...revisions, listeners: undefined, integrations: undefined };
    }
    const source = request.ifMissing === 'create' ? request.source : undefined;
    const needsIntegration = source === 'git_host' && request.settings.integrationId === undefined;
    return {
        current,
        active: undefined,
        latest: undefined,
        listeners: source === 'external_container' ? await listListeners(controlPlane) : undefined,
        integrations: needsIntegration ? await listIntegrations(controlPlane) : undefined,
    };
}
/** Usually the latest revision is the active one; then only `if-unchanged: skip` needs to read it. */
async function readRevisions({ ifUnchanged, resume, protectNewer }, { id, activeRevisionId, latestRevisionId }, deps) {
    const read = async (revisionId) => await (0,replica_lag/* pastReplicaLag */.F)(async () => await deps.controlPlane.getRevision(id, revisionId), deps);
    const isNewest = latestRevisionId === undefined || (0,same_id/* sameId */.s)(latestRevisionId, activeRevisionId);
    const needsActive = ifUnchanged === 'skip' || (protectNewer && !isNewest);
    const active = activeRevisionId && needsActive ? await read(activeRevisionId) : undefined;
    if (isNewest)
        return { active, latest: active };
    const needsLatest = resume || ifUnchanged === 'skip';
    return { active, latest: needsLatest ? await read(latestRevisionId) : undefined };
}
async function listListeners(controlPlane) {
    const listeners = [];
    try {
        const all = (0,paginate/* readAll */.y)(async (query) => await controlPlane.listListeners(query));
        for await (const listener of all)
            listeners.push(listener);
        return { kind: 'listed', listeners };
    }
    catch (thrown) {
        if (!isUnavailable(thrown))
            throw thrown;
        return { kind: 'unlisted', status: thrown.status };
    }
}
async function listIntegrations(controlPlane) {
    const installed = [];
    for (const integration of await controlPlane.listIntegrations()) {
        let repositories;
        try {
            repositories = await controlPlane.listRepositories(integration.id);
        }
        catch (thrown) {
            // An integration that these credentials may not read must not hide the others.
            if (!isUnavailable(thrown))
                throw thrown;
        }
        installed.push({ ...integration, repositories });
    }
    return installed;
}
function isUnavailable(thrown) {
    return (0,errors/* mayLackRoute */.I1)(thrown) || (thrown instanceof errors/* RefusedError */.fk && thrown.status === 403);
}

// EXTERNAL MODULE: ./rollout/timing.ts
var timing = __webpack_require__(366);
;// CONCATENATED MODULE: ./rollout/prepare.ts











/**
 * Reads the current state and plans the rollout; writes nothing.
 * @param source a source that is packed already
 * @throws InputError with every problem of the plan, ControlPlaneError when the current state cannot be read
 */
async function prepareRollout(request, deps, source = openSourceUpload(request, deps)) {
    try {
        // Before the first request if the source is known: a directory that cannot be packed is an input error.
        if (request.source === 'internal_source')
            await source.pack();
        const state = await readCurrentState(request, deps);
        const { current } = state;
        deps.emit({ kind: 'current-state-read', current, builtRef: (0,built_ref/* builtRefOf */.P)(request, current) });
        const plan = await makePlan(request, state, source, deps);
        return { request, next: await nextStep(plan, request, state, deps), source };
    }
    catch (thrown) {
        await source.dispose();
        throw thrown;
    }
}
/** The warnings are among the notes of the plan, too. Emits the plan. */
async function makePlan(request, state, source, deps) {
    const kind = state.current === undefined ? request.source : state.current.source;
    const packed = kind === 'internal_source' ? await source.pack() : undefined;
    const warnings = [...request.warnings, ...(packed?.warnings ?? [])];
    const notes = [...request.notes, ...warnings];
    const facts = { ...state, packed: packed?.source };
    let planning = planRollout({ ...request, notes }, facts);
    if (planning.kind === 'planned' && planning.awaits !== undefined) {
        const latest = await awaitCommit(planning.awaits, state.current, deps);
        planning = planRollout({ ...request, notes }, { ...facts, latest, isCommitAwaited: true });
    }
    if (planning.kind === 'refused')
        throw new problem/* InputError */.dz(planning.problems);
    const { plan } = planning;
    deps.emit({ kind: 'planned', plan, wait: request.wait, dryRun: request.dryRun, warnings });
    return plan;
}
/** Reads the revision until it reports its commit, ends, or the time for that is over. */
async function awaitCommit(latest, current, { controlPlane, clock, signal, deadline, emit }) {
    emit({ kind: 'commit-awaited', revisionId: latest.id, limitMs: timing/* COMMIT_GRACE_MS */.ac });
    const endsAt = Math.min(clock.now() + timing/* COMMIT_GRACE_MS */.ac, deadline);
    let revision = latest;
    while (current !== undefined && clock.now() + timing/* READ_AGAIN_MS */.JX <= endsAt) {
        await clock.sleep(timing/* READ_AGAIN_MS */.JX, signal);
        revision = (await (0,errors/* ifReadable */.G5)(async () => await controlPlane.getRevision(current.id, latest.id))) ?? revision;
        if (revision.repoCommitSha !== undefined || (0,outcome/* phaseOf */.h)(revision.status) === 'terminal')
            break;
    }
    return revision;
}
async function nextStep(plan, request, state, deps) {
    if (request.dryRun)
        return { kind: 'end', outcome: { kind: 'planned' } };
    if (plan.kind === 'unchanged') {
        const { deployment, active: revision } = plan;
        deps.emit({ kind: 'attached', because: 'unchanged', deployment, revision });
        return { kind: 'end', outcome: { kind: 'unchanged' } };
    }
    const by = plan.kind === 'revise' ? await newerRollout(plan, request, state, deps) : undefined;
    return by === undefined ? { kind: 'execute', plan } : { kind: 'end', outcome: { kind: 'superseded', by } };
}
/** Finds the revision of a later commit; undefined if either commit, or their relation, is unknown. */
async function newerRollout({ deployment, revision }, request, { active, latest }, deps) {
    if (!request.protectNewer)
        return undefined;
    const ours = (0,revise/* commitOf */.D3)(request, revision.settings, deployment);
    const { latestRevisionId: newest, activeRevisionId: serving } = deployment;
    const isNewest = newest === undefined || (0,same_id/* sameId */.s)(newest, serving);
    const deployed = (isNewest ? deployment.repoCommitSha : undefined) ?? active?.repoCommitSha;
    if (ours === undefined || deployed === undefined || (0,unchanged/* sameCommit */.Kd)(deployed, ours))
        return undefined;
    if ((await deps.compareCommits(deployed, ours)) !== 'behind')
        return undefined;
    deps.emit({ kind: 'newer-commit-deployed', deployed, ours });
    return serving ?? latest?.id ?? deployed;
}

// EXTERNAL MODULE: ./rollout/watch/watch.ts + 4 modules
var watch = __webpack_require__(8359);
;// CONCATENATED MODULE: ./rollout/rollout.ts





/**
 * Rolls out one deployment: reads the current state, plans, applies the plan, watches the revision, and finishes.
 * @throws InputError for what the user must correct, ControlPlaneError when the rollout cannot continue
 */
async function rollout(request, deps) {
    const prepared = await prepareRollout(request, deps);
    try {
        return await executeRollout(prepared, deps);
    }
    finally {
        await prepared.source.dispose();
    }
}
/**
 * Applies a plan, and watches its revision to the end.
 * @throws ControlPlaneError when the rollout cannot continue; InputError when a second plan cannot be made
 */
async function executeRollout({ request, next, source }, deps) {
    if (next.kind === 'end')
        return next.outcome;
    const watched = await beginRevision(next.plan, source.send, deps);
    if (watched === 'name-taken') {
        deps.emit({ kind: 'name-taken' });
        return await executeRollout(await prepareRollout(request, deps, source), deps);
    }
    if (!request.wait)
        return { kind: 'started' };
    if (next.plan.kind !== 'resume')
        return await (0,finish/* finish */.O)(await (0,watch/* watchRevision */.rj)(watched, request, deps), request, deps);
    const ended = await (0,watch/* watchResumed */.j1)(watched, next.plan.commit, request, deps);
    if (ended.kind === 'ended')
        return await (0,finish/* finish */.O)(ended.ended, request, deps);
    deps.emit({ kind: 'other-commit', revisionId: watched.revisionId, commit: ended.commit });
    return await executeRollout(await prepareRollout({ ...request, resume: false }, deps, source), deps);
}
async function beginRevision(plan, upload, deps) {
    if (plan.kind === 'resume') {
        const { deployment, latest: revision } = plan;
        deps.emit({ kind: 'attached', because: 'resumed', deployment, revision });
        if (plan.patch !== undefined)
            await (0,apply_patch/* patchDeployment */.G)(deployment, plan.patch, deps);
        return (0,watch/* attachTo */.jT)(deployment, revision);
    }
    deps.emit({ kind: 'applying' });
    const applied = await applyPlan(plan, { ...deps, upload });
    if (applied.kind === 'exists')
        return 'name-taken';
    deps.emit(applied);
    const { revisionId, revision, deployment, repeated } = applied;
    const before = plan.kind === 'revise' ? deployment : undefined;
    return { ...(0,watch/* knownOf */.bz)(deployment), revisionId, revision, before, repeated };
}


/***/ })

};
