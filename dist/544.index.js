export const id = 544;
export const ids = [544];
export const modules = {

/***/ 2371:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ patchDeployment)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _plan_diff_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(493);
/* harmony import */ var _plan_settings_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2723);
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(366);




/**
 * Changes settings that need no revision. If the response does not show the new values, reads the deployment, and
 * patches it once more if it has the earlier ones.
 * @param before the deployment as it was
 * @throws AmbiguousWriteError when the deployment still shows the earlier settings, or cannot be read
 */
async function patchDeployment(before, patch, deps) {
    let unusable;
    for (let count = 0; count < _timing_js__WEBPACK_IMPORTED_MODULE_3__/* .PATCHES */ .r1; count++) {
        unusable = undefined;
        try {
            const answer = await deps.controlPlane.updateDeployment(before.id, patch);
            if (answer !== undefined && isApplied(answer, before, patch))
                return;
        }
        catch (thrown) {
            if (!(thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq))
                throw thrown;
            unusable = thrown;
        }
        if (await becomesApplied(before, patch, deps))
            return;
    }
    throw unusable ?? unconfirmed(before.id, 'the deployment still shows the earlier settings');
}
async function becomesApplied(before, patch, { controlPlane, clock, signal, deadline }) {
    for (let read = 1;; read++) {
        const isLast = () => read === _timing_js__WEBPACK_IMPORTED_MODULE_3__/* .READS_PER_PATCH */ .Zh || clock.now() + _timing_js__WEBPACK_IMPORTED_MODULE_3__/* .READ_AGAIN_MS */ .JX >= deadline;
        try {
            if (isApplied(await controlPlane.getDeployment(before.id), before, patch))
                return true;
            if (isLast())
                return false;
        }
        catch (thrown) {
            if (!(thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ControlPlaneError */ .Cj))
                throw thrown;
            if (isLast())
                throw unconfirmed(before.id, thrown.trouble.cameBack);
        }
        await clock.sleep(_timing_js__WEBPACK_IMPORTED_MODULE_3__/* .READ_AGAIN_MS */ .JX, signal);
    }
}
/** A field missing from the response counts as applied; so does a changed one, as a service may normalise a value. */
function isApplied({ settings }, before, patch) {
    return (0,_plan_settings_js__WEBPACK_IMPORTED_MODULE_2__/* .setFields */ .Ey)(patch, (0,_plan_settings_js__WEBPACK_IMPORTED_MODULE_2__/* .fieldsOf */ .Pf)('config')).every((field) => settings[field] === undefined ||
        (0,_plan_diff_js__WEBPACK_IMPORTED_MODULE_1__/* .sameValue */ .eE)(settings[field], patch[field]) ||
        !(0,_plan_diff_js__WEBPACK_IMPORTED_MODULE_1__/* .sameValue */ .eE)(settings[field], before.settings[field]));
}
function unconfirmed(id, cameBack) {
    const hint = 'It may have succeeded. Check the deployment before you rerun the job.';
    return new _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AmbiguousWriteError */ .yI({ attempted: `update the deployment ${id}`, cameBack, hint }, false);
}


/***/ }),

/***/ 6233:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Ur: () => (/* binding */ createOnce),
  Ug: () => (/* binding */ redeployOnce),
  ol: () => (/* binding */ reviseOnce)
});

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./control-plane/retry.ts
var control_plane_retry = __webpack_require__(2911);
// EXTERNAL MODULE: ./rollout/read/find-deployment.ts
var find_deployment = __webpack_require__(4682);
// EXTERNAL MODULE: ./rollout/timing.ts
var timing = __webpack_require__(366);
// EXTERNAL MODULE: ./rollout/plan/diff.ts
var diff = __webpack_require__(493);
// EXTERNAL MODULE: ./rollout/plan/revise.ts
var revise = __webpack_require__(6262);
// EXTERNAL MODULE: ./rollout/plan/settings.ts
var settings = __webpack_require__(2723);
// EXTERNAL MODULE: ./rollout/plan/validate.ts
var validate = __webpack_require__(880);
// EXTERNAL MODULE: ./rollout/read/replica-lag.ts
var replica_lag = __webpack_require__(214);
;// CONCATENATED MODULE: ./rollout/apply/find-created.ts






/** Finds a revision newer than `known` with this configuration: it counts as the one of our lost request. */
async function findCreated(known, wanted, deps) {
    const now = await deps.controlPlane.getDeployment(known.id);
    const { latestRevisionId: latest } = now;
    if (latest === undefined || latest === known.latestRevisionId)
        return undefined;
    const newer = await revisionsSince(known, latest, deps);
    return newer.find(({ id, settings }) => 
    // Only the deployment reports the rest of the configuration, and only that of its latest revision.
    sameSource(settings, wanted) && (id !== latest || sameBesidesSource(now.settings, wanted)));
}
const LISTED = 20;
/** Returns the revisions newer than the latest one of `known`, newest first; only the latest one if there is no list. */
async function revisionsSince(known, latest, deps) {
    const { controlPlane } = deps;
    try {
        const listed = await controlPlane.listRevisions(known.id, { limit: LISTED });
        const end = listed.findIndex(({ id }) => id === known.latestRevisionId);
        if (end >= 0)
            return listed.slice(0, end);
    }
    catch (thrown) {
        // The list is optional.
        if (!(thrown instanceof errors/* ControlPlaneError */.Cj))
            throw thrown;
    }
    return [await (0,replica_lag/* pastReplicaLag */.F)(async () => await controlPlane.getRevision(known.id, latest), deps)];
}
/** Whether a deployment is what our draft would have created. */
function matchesDraft(found, { source, settings }) {
    return ((found.source ?? source) === source &&
        (0,validate/* immutableDifferences */.fz)(settings, found.settings).length === 0 &&
        (0,revise/* configFieldsThatDiffer */.dT)(settings, found.settings).length === 0 &&
        sameSource(found.settings, settings) &&
        sameBesidesSource(found.settings, settings));
}
function sameSource(reported, wanted) {
    return settings/* REPORTED_BY_REVISION */.QW.every((field) => (0,diff/* sameValue */.eE)(reported[field], wanted[field]));
}
/** A value that is not reported makes no difference. */
function sameBesidesSource(reported, wanted) {
    const comparable = comparablePart(reported, wanted);
    return (0,settings/* setFields */.Ey)(wanted, ['secrets', 'secretReferences', 'resourceSpec']).every((field) => ['same', 'unknown'].includes((0,diff/* differenceOf */.Pq)(field, comparable, wanted)));
}
/** A service may return an empty list in place of secrets, omit a resource spec, or add values of its own to it. */
function comparablePart(reported, wanted) {
    const { secrets, resourceSpec: spec = wanted.resourceSpec ?? {} } = reported;
    const ofWanted = Object.entries(spec).filter(([name]) => Object.hasOwn(wanted.resourceSpec ?? {}, name));
    return {
        ...reported,
        secrets: secrets?.length === 0 ? undefined : secrets,
        resourceSpec: Object.fromEntries(ofWanted),
    };
}

;// CONCATENATED MODULE: ./rollout/apply/lost-write.ts



/**
 * Looks for the result of a write whose response was lost.
 * @param find reads the result; undefined if there is none (yet)
 * @returns undefined when the write certainly did not succeed, so that it may be repeated
 * @throws AmbiguousWriteError when no read succeeded, or the deadline has passed: the result stays unknown
 */
async function findLostWrite(lost, retry, find, { clock, random, signal, deadline, maxRetries, emit }) {
    const { maybeAtWork, trouble } = lost;
    emit({ kind: 'write-lost', cameBack: trouble.cameBack });
    const pauses = maybeAtWork ? timing/* LOST_WRITE_PAUSES_MS */.ys : [];
    const reads = Math.max(1, pauses.length);
    for (let count = 0;; count++) {
        await clock.sleep(pauses[count] ?? (0,control_plane_retry/* retryDelay */.a2)(retry + count, undefined, random), signal);
        if (clock.now() >= deadline)
            throw lost;
        try {
            const found = await find();
            if (found !== undefined || count + 1 >= reads)
                return found;
        }
        catch (thrown) {
            if (!(thrown instanceof errors/* ControlPlaneError */.Cj))
                throw thrown;
            if (count < Math.max(maxRetries, reads))
                continue;
            const cameBack = `${trouble.cameBack}; the check for its result failed, too: ${thrown.trouble.cameBack}`;
            throw new errors/* AmbiguousWriteError */.yI({ ...trouble, cameBack }, maybeAtWork, { cause: lost });
        }
    }
}

;// CONCATENATED MODULE: ./rollout/apply/write-once.ts






/**
 * Creates the deployment once. If the response was lost, or the name is taken, looks for the deployment before it
 * repeats anything.
 * @returns `exists`: another client has created a deployment of that name
 * @throws AmbiguousWriteError when it is unknown whether the deployment was created
 */
async function createOnce(draft, deps) {
    const { controlPlane, clock, signal, random, maxRetries } = deps;
    const find = async () => await (0,find_deployment/* findByName */._)(draft.name, controlPlane);
    let lastLost;
    for (let retry = 0;; retry++) {
        try {
            return { kind: 'created', deployment: await controlPlane.createDeployment(draft) };
        }
        catch (thrown) {
            const isLost = thrown instanceof errors/* AmbiguousWriteError */.yI;
            if (!isLost && !isNameTaken(thrown))
                throw thrown;
            if (isLost)
                lastLost = thrown;
            const found = lastLost === undefined ? await find() : await findLostWrite(lastLost, retry, find, deps);
            if (found !== undefined) {
                const isOurs = lastLost !== undefined && matchesDraft(found, draft);
                return isOurs ? { kind: 'created', deployment: found } : { kind: 'exists' };
            }
            if (retry >= maxRetries)
                throw isLost ? thrown : takenByInvisible(draft.name, thrown);
            // The name was taken just now: the next read may find the deployment.
            if (!isLost)
                await clock.sleep((0,control_plane_retry/* retryDelay */.a2)(retry, undefined, random), signal);
        }
    }
}
/** Creates the revision once. If the response was lost, a newer revision with our configuration counts as ours. */
async function reviseOnce(deployment, draft, deps) {
    const create = async () => await deps.controlPlane.createRevision(deployment.id, draft);
    return await createRevisionOnce(deployment, draft.settings, create, deps);
}
/**
 * Deploys an earlier revision again, once. If the response was lost, a newer revision with its configuration counts as
 * ours.
 * @returns the id of the new revision, or of the earlier one itself; undefined when the service has no such route, or
 * when neither became the latest or active one
 */
async function redeployOnce(deployment, to, deps) {
    const { controlPlane, clock, signal } = deps;
    const redeploy = async () => {
        let now = await controlPlane.redeploy(deployment.id, to.id);
        for (let read = 0;; read++) {
            const { latestRevisionId: latest, activeRevisionId: active } = now;
            const isNew = latest !== undefined && latest !== deployment.latestRevisionId && latest !== to.id;
            if (isNew)
                return { id: latest };
            if (active === to.id)
                return to;
            if (read >= timing/* READS_AFTER_REDEPLOY */.E8)
                return undefined;
            await clock.sleep(timing/* READ_AGAIN_MS */.JX, signal);
            now = (await (0,errors/* ifReadable */.G5)(async () => await controlPlane.getDeployment(deployment.id))) ?? now;
        }
    };
    try {
        return (await createRevisionOnce(deployment, to.settings, redeploy, deps))?.id;
    }
    catch (thrown) {
        // A refusal changes nothing, so another route may be tried; but not with credentials that are refused.
        if (thrown instanceof errors/* RefusedError */.fk && thrown.status !== 401 && thrown.status !== 403)
            return undefined;
        throw thrown;
    }
}
async function createRevisionOnce(deployment, settings, create, deps) {
    const find = async () => await findCreated(deployment, settings, deps);
    for (let retry = 0;; retry++) {
        try {
            return await create();
        }
        catch (thrown) {
            if (!(thrown instanceof errors/* AmbiguousWriteError */.yI))
                throw thrown;
            const found = await findLostWrite(thrown, retry, find, deps);
            if (found !== undefined)
                return found;
            if (retry >= deps.maxRetries)
                throw thrown;
        }
    }
}
/** Some services answer 400 for a taken name (contract notes, `POST /v2/deployments`). */
function isNameTaken(thrown) {
    if (!(thrown instanceof errors/* RefusedError */.fk))
        return false;
    const saysTaken = /\b(taken|already (exists|in use|used)|not unique|duplicate)\b/i;
    return thrown.status === 409 || (thrown.status === 400 && saysTaken.test(thrown.detail));
}
function takenByInvisible(name, { status, detail, trouble }) {
    const hint = `The name "${name}" is taken by a deployment that these credentials cannot see: choose another name, or set tenant-id.`;
    return new errors/* RefusedError */.fk(status, detail, { ...trouble, hint });
}


/***/ }),

/***/ 9697:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C: () => (/* binding */ withTime)
/* harmony export */ });
/** Returns the same dependencies with a deadline in `ms` milliseconds, for work that may follow the run's deadline. */
function withTime(deps, ms) {
    const deadline = deps.clock.now() + ms;
    return { ...deps, deadline, controlPlane: deps.controlPlane.within(deadline) };
}


/***/ }),

/***/ 4525:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  O: () => (/* binding */ finish)
});

// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ./rollout/dependencies.ts
var dependencies = __webpack_require__(9697);
// EXTERNAL MODULE: ./rollout/timing.ts
var timing = __webpack_require__(366);
// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./rollout/apply/patch.ts
var apply_patch = __webpack_require__(2371);
// EXTERNAL MODULE: ./rollout/apply/write-once.ts + 2 modules
var write_once = __webpack_require__(6233);
// EXTERNAL MODULE: ./rollout/plan/settings.ts
var settings = __webpack_require__(2723);
// EXTERNAL MODULE: ./rollout/read/replica-lag.ts
var replica_lag = __webpack_require__(214);
// EXTERNAL MODULE: ./rollout/watch/superseded.ts
var superseded = __webpack_require__(708);
// EXTERNAL MODULE: ./rollout/watch/watch.ts + 3 modules
var watch = __webpack_require__(6033);
// EXTERNAL MODULE: ./rollout/plan/diff.ts
var diff = __webpack_require__(493);
// EXTERNAL MODULE: ./rollout/plan/field-rules.ts
var field_rules = __webpack_require__(1418);
// EXTERNAL MODULE: ./rollout/plan/repository.ts
var repository = __webpack_require__(2978);
;// CONCATENATED MODULE: ./rollout/finish/rollback-plan.ts




/** Decides how to restore the state before the rollout. */
function planRollback({ before, now, activeBefore, serving, changed }) {
    if (before === undefined)
        return notPossible({ kind: 'no-deployment-before' });
    const config = settingsToRestore('config', changed, before, now);
    if (activeBefore === undefined)
        return notPossible({ kind: 'no-active-revision-before' }, config);
    if (serving !== undefined)
        return notPossible({ kind: 'another-revision-serves', revisionId: serving }, config);
    const { source } = before;
    if (!(0,field_rules/* isSource */.__)(source))
        return notPossible({ kind: 'unknown-source' }, config);
    if (source === 'git_host' && !(0,repository/* isTag */.dz)(activeBefore.settings.repoRef))
        return notPossible({ kind: 'branch' });
    const revision = settingsToRestore('revision', (0,settings/* omit */.cJ)(changed, settings/* REPORTED_BY_REVISION */.QW), before, now);
    return {
        kind: 'restore',
        to: activeBefore,
        draft: { source, settings: (0,settings/* omit */.cJ)({ ...revision.patch, ...activeBefore.settings }, []) },
        onlyByRevision: revision.patch !== undefined,
        patch: config.patch,
        kept: [...config.kept, ...revision.kept],
    };
}
function notPossible(because, settings = { patch: undefined, kept: [] }) {
    return { kind: 'not-possible', because, ...settings };
}
/** Divides the settings that the rollout has changed into those that can be restored and those that cannot. */
function settingsToRestore(change, changed, { settings: before }, { settings: now }) {
    const isUnreported = (field) => before[field] === undefined || (field === 'secrets' && !reportsSecrets(before, changed, now));
    const isLost = (field) => 
    // A tag cannot be built on push: the control plane would refuse the whole patch.
    isUnreported(field) || (field === 'buildOnPush' && (0,repository/* isTag */.dz)(now.repoRef));
    const differing = (0,settings/* setFields */.Ey)(changed, (0,settings/* fieldsOf */.Pf)(change)).filter((field) => isUnreported(field) || !(0,diff/* sameValue */.eE)(before[field], now[field]));
    const restored = differing.filter((field) => !isLost(field));
    return { patch: (0,settings/* nonEmpty */.hq)((0,settings/* pick */.Up)(before, restored)), kept: differing.filter(isLost) };
}
/** Whether the earlier secrets can be set again: a list replaces all secrets, and each needs its value. */
function reportsSecrets({ secrets = [] }, changed, now) {
    if (secrets.length > 0)
        return (0,diff/* areReported */.KR)(secrets);
    // A service may report an empty list in place of the secrets: then it does not show those of the rollout either.
    return changed.secrets?.length === 0 || now.secrets?.length !== 0;
}

// EXTERNAL MODULE: ../node_modules/@actions/http-client/lib/index.js + 1 modules
var lib = __webpack_require__(8564);
// EXTERNAL MODULE: ./control-plane/exchange.ts
var exchange = __webpack_require__(9680);
;// CONCATENATED MODULE: ./control-plane/probe.ts



const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/**
 * Reads an address once, without any credentials. It follows redirects within the address's origin only, as another
 * origin was not asked for.
 * @param timeoutMs for each hop, in milliseconds
 * @throws the signal's reason
 */
async function probe(address, timeoutMs, signal) {
    const client = new lib/* HttpClient */.Qq(undefined, [], { keepAlive: false });
    let url = address;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
        const attempt = await readOnce(url, timeoutMs, signal, client);
        if (attempt.kind === 'failure')
            return { kind: 'trouble', trouble: attempt.cameBack };
        const location = attempt.headers.location;
        if (!REDIRECTS.has(attempt.status) || location === undefined)
            return attempt;
        const next = URL.parse(location, url.href);
        if (next?.origin !== address.origin)
            return { kind: 'trouble', trouble: `it redirects to another origin (HTTP ${attempt.status})` };
        url = next;
    }
    return { kind: 'trouble', trouble: 'it redirects too many times' };
}
async function readOnce(url, timeoutMs, signal, client) {
    const headers = { accept: '*/*', 'user-agent': 'deployment-rollout' };
    const attempted = `verify ${url.href}`;
    try {
        const request = { method: 'GET', url, headers, timeoutMs, signal, attempted };
        const attempt = await (0,exchange/* exchange */.c)(request, client);
        signal.throwIfAborted();
        return attempt;
    }
    catch (thrown) {
        if (!(thrown instanceof errors/* BrokenContractError */.Sq))
            throw thrown;
        return { kind: 'failure', cameBack: thrown.trouble.cameBack };
    }
}

// EXTERNAL MODULE: ./web-address.ts
var web_address = __webpack_require__(4155);
// EXTERNAL MODULE: ./rollout/watch/confirm.ts
var watch_confirm = __webpack_require__(854);
;// CONCATENATED MODULE: ./rollout/finish/verify.ts






/** Verifies a deployed revision by its address, and checks afterwards that it is still the active one. */
async function verifyRevision(ended, { verification }, deps) {
    const { outcome, revision, url, deploymentId } = ended;
    if (outcome.kind !== 'deployed' || revision === undefined || verification === undefined)
        return outcome;
    deps.emit({ kind: 'verifying', url: verification.url });
    const { controlPlane } = (0,dependencies/* withTime */.C)(deps, verification.timeoutMs);
    const end = await verify(verification, url, {
        ...deps,
        probe: async (address, timeoutMs) => await probe(address, timeoutMs, deps.signal),
        findUrl: async () => (await controlPlane.getDeployment(deploymentId)).settings.customUrl,
    });
    if (end.kind === 'unverified')
        deps.emit({ ...end, kind: 'verification-failed' });
    // Verification takes time: the last response may come from another revision that is now active.
    const again = await (0,errors/* ifReadable */.G5)(async () => await (0,watch_confirm/* confirmEnd */.E5)(revision, ended, deps));
    if (again?.kind === 'superseded')
        return again;
    return end.kind === 'verified' ? outcome : end;
}
/** Reads the address until it answers as expected, or `verify-timeout` is over. */
async function verify(verification, deploymentUrl, deps) {
    const { clock, signal } = deps;
    const endsAt = clock.now() + verification.timeoutMs;
    const needsUrl = verification.url.includes('{url}');
    let known = deploymentUrl;
    for (let pause = timing/* FIRST_VERIFY_PAUSE_MS */.Rz;; pause = Math.min(pause * 2, timing/* LONGEST_VERIFY_PAUSE_MS */.fy)) {
        if (needsUrl)
            known ??= await (0,errors/* ifReadable */.G5)(deps.findUrl);
        const address = needsUrl && known === undefined ? undefined : addressOf(verification.url, known);
        if (typeof address === 'string')
            return { kind: 'unverified', url: verification.url, trouble: address };
        const timeoutMs = Math.max(1, Math.min(timing/* VERIFY_REQUEST_TIMEOUT_MS */.bu, endsAt - clock.now()));
        const trouble = address === undefined ? NO_ADDRESS : troubleWith(await deps.probe(address, timeoutMs), verification);
        if (trouble === undefined)
            return { kind: 'verified' };
        if (clock.now() + pause >= endsAt)
            return { kind: 'unverified', url: address?.href ?? verification.url, trouble };
        await clock.sleep(pause, signal);
    }
}
const NO_ADDRESS = 'the control plane reports no address for the deployment';
/** Returns the address, or why it cannot be used. */
function addressOf(template, deploymentUrl) {
    const filled = template.replaceAll('{url}', deploymentUrl?.replace(/\/+$/, '') ?? '');
    return (0,web_address/* webAddressOf */.c)(filled) ?? `${filled} is not a plain web address`;
}
function troubleWith(result, { status, contains }) {
    if (result.kind === 'trouble')
        return result.trouble;
    if (result.status !== status)
        return `it answers HTTP ${result.status}, not ${status}`;
    if (contains !== undefined && !result.body.includes(contains))
        return `it answers HTTP ${status}, and its body lacks the text of verify-contains`;
    return undefined;
}

;// CONCATENATED MODULE: ./rollout/finish/rollback.ts










/**
 * Restores the revision that was active before, where that is possible, and emits the result. Throws only when the run
 * is cancelled: an error of the rollback must not replace the outcome of the rollout.
 */
async function rollBack(ended, request, deps) {
    const { outcome, deploymentId } = ended;
    const report = (rollback) => deps.emit({ kind: 'rollback-changed', rollback });
    let revisionId;
    try {
        const now = await (0,replica_lag/* pastReplicaLag */.F)(async () => await deps.controlPlane.getDeployment(deploymentId), deps);
        const plan = await makeRollbackPlan(now, ended, request, deps);
        const { kept, patch } = plan;
        if (plan.kind === 'not-possible') {
            if (patch !== undefined)
                await (0,apply_patch/* patchDeployment */.G)(now, patch, deps);
            report({ kind: 'not-possible', because: plan.because, restored: (0,settings/* setFields */.Ey)(patch ?? {}), kept });
            return outcome;
        }
        const to = plan.to.id;
        report({ kind: 'under-way', to });
        const applied = await applyRollback(now, plan, deps);
        revisionId = applied.revisionId;
        const result = await watchRollback(applied, now, request, deps);
        if (result.kind === 'deployed') {
            report({ kind: 'restored', kept });
            return { kind: 'rolled-back', to: revisionId, from: outcome };
        }
        report({ kind: 'incomplete', to, revisionId, outcome: result });
        return outcome;
    }
    catch (thrown) {
        deps.signal.throwIfAborted();
        const isUnknown = revisionId !== undefined || thrown instanceof errors/* AmbiguousWriteError */.yI;
        const trouble = (0,clock/* toError */.i)(thrown).message.replace(/\.$/, '');
        report({ kind: 'error', isUnknown, revisionId, trouble });
        return outcome;
    }
}
async function makeRollbackPlan(now, { before, revision, outcome }, { settings: changed }, deps) {
    const { controlPlane } = deps;
    const newer = revision && (await (0,superseded/* supersededBy */.g)(revision, now, { controlPlane, before, unreadable: 'newer' }));
    if (newer !== undefined)
        return notPossible({ kind: 'newer-revision', revisionId: newer });
    const activeId = before?.activeRevisionId ?? undefined;
    const serving = servingInstead(now, revision, outcome.kind === 'unverified' ? undefined : activeId);
    const activeBefore = activeId === undefined
        ? undefined
        : await (0,replica_lag/* pastReplicaLag */.F)(async () => await controlPlane.getRevision(now.id, activeId), deps);
    return planRollback({ before, now, changed, activeBefore, serving });
}
/** Returns the revision that serves in place of the failed one; `assumed` if the control plane does not report it. */
function servingInstead({ activeRevisionId: active }, failed, assumed) {
    if (active === undefined)
        return assumed;
    return active === null || active === failed?.id ? undefined : active;
}
/** Creates the revision that restores the earlier one, by the redeploy route if the service has it. */
async function applyRollback(deployment, { to, draft, patch, onlyByRevision }, deps) {
    if (patch !== undefined)
        await (0,apply_patch/* patchDeployment */.G)(deployment, patch, deps);
    const redeployed = onlyByRevision ? undefined : await (0,write_once/* redeployOnce */.Ug)(deployment, to, deps);
    if (redeployed !== undefined)
        return { revisionId: redeployed, revision: undefined };
    const revision = await (0,write_once/* reviseOnce */.ol)(deployment, draft, deps);
    return { revisionId: revision.id, revision };
}
/** Its events are marked: the record is about the rollout's own revision. */
async function watchRollback(applied, before, request, deps) {
    const marked = { ...deps, emit: (event) => deps.emit({ kind: 'during-rollback', event }) };
    const { id: deploymentId, settings } = before;
    const watched = { deploymentId, before, url: settings.customUrl, ...applied };
    return await verifyRevision(await (0,watch/* watchRevision */.r)(watched, request, marked), request, marked);
}

;// CONCATENATED MODULE: ./rollout/finish/finish.ts





/** Reads the log that explains a failure, verifies a success, and restores the earlier revision if requested. */
async function finish(ended, request, deps) {
    if (ended.outcome.kind === 'interrupted' || hasFailed(ended.outcome))
        await readFailureLog(ended, deps);
    const outcome = await verifyRevision(ended, request, deps);
    const isRestored = request.rollback === 'on-failure' && (outcome.kind === 'unverified' || hasFailed(outcome));
    if (!isRestored)
        return outcome;
    return await rollBack({ ...ended, outcome }, request, (0,dependencies/* withTime */.C)(deps, request.timeoutMs));
}
function hasFailed(outcome) {
    return outcome.kind === 'failed' && outcome.because.kind === 'revision';
}
const LOG_LINES = 50;
/** Best effort: the route is optional, and a failure without a log is still reported. */
async function readFailureLog(ended, deps) {
    const type = failureLogOf(ended);
    if (type === undefined)
        return;
    try {
        const { controlPlane } = (0,dependencies/* withTime */.C)(deps, timing/* LOG_READING_MS */.b4);
        const lines = await controlPlane.readLog(ended.deploymentId, ended.revisionId, { type, lines: LOG_LINES });
        deps.emit({ kind: 'log-read', type, lines });
    }
    catch (thrown) {
        deps.signal.throwIfAborted();
        deps.emit({ kind: 'log-unreadable', trouble: (0,clock/* toError */.i)(thrown).message });
    }
}
/** The log of the phase in which the revision ended. */
function failureLogOf({ revision, lastPhase }) {
    if (revision?.status === 'BUILD_FAILED')
        return 'build';
    return revision?.status === 'DEPLOY_FAILED' ? 'deploy' : lastPhase;
}


/***/ }),

/***/ 2276:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ builtRefOf)
/* harmony export */ });
/* harmony import */ var _repository_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2978);

/** The ref and the commit that a deployment is built from. A ref of another repository means nothing in this one. */
function builtRefOf(request, current) {
    const { settings, repository } = request;
    const { repoUrl: here, repoRef, commit } = repository;
    if ((current?.source ?? request.source) !== 'git_host')
        return { kind: 'not-git' };
    const repoUrl = current?.settings.repoUrl ?? settings.repoUrl ?? here;
    if (repoUrl !== undefined && here !== undefined && !(0,_repository_js__WEBPACK_IMPORTED_MODULE_0__/* .sameRepository */ .RB)(repoUrl, here))
        return { kind: 'elsewhere', repoUrl };
    const ofEvent = repoRef.kind === 'ref' ? repoRef.ref : undefined;
    const ref = settings.repoRef ?? ofEvent ?? current?.settings.repoRef;
    return { kind: 'here', ref, commit: ref !== undefined && ref === ofEvent ? commit : undefined };
}


/***/ }),

/***/ 3936:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   r: () => (/* binding */ withDefaults)
/* harmony export */ });
/* harmony import */ var _integration_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2590);
/* harmony import */ var _listener_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(910);
/* harmony import */ var _repository_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2978);



/** Adds defaults for settings that the request does not set: from the event, and from the current state. */
function withDefaults(request, source, state) {
    const notes = request.notes.map((text) => ({ kind: 'input', text }));
    const known = { settings: request.settings, problems: [], notes };
    if (source === 'git_host')
        return withIntegration(withRepository(known, request, state), state);
    return source === 'external_container' ? withListener(known, state) : known;
}
/** The ref of the event applies only to the repository of the event: in another one it means nothing. */
function withRepository({ settings, notes }, { repository: { repoUrl: here, repoRef } }, { current }) {
    const isFromEvent = current === undefined && settings.repoUrl === undefined && here !== undefined;
    const known = {
        settings: isFromEvent ? { ...settings, repoUrl: here } : settings,
        problems: [],
        notes: isFromEvent ? [...notes, { kind: 'repo-url-from-event' }] : notes,
    };
    if (settings.repoRef !== undefined)
        return known;
    const refuse = (message) => ({
        ...known,
        problems: [{ input: 'repo-ref', message: `is required: ${message}` }],
    });
    const builds = current?.settings.repoUrl ?? known.settings.repoUrl;
    if (builds !== undefined && here !== undefined && !(0,_repository_js__WEBPACK_IMPORTED_MODULE_0__/* .sameRepository */ .RB)(builds, here))
        return refuse(`the deployment builds ${builds}, which is not the repository of this workflow`);
    switch (repoRef.kind) {
        case 'none':
            return known;
        case 'unusable':
            return refuse(repoRef.reason);
        case 'ref': {
            const { ref } = repoRef;
            const note = { kind: 'repo-ref-from-event', ref };
            return { ...known, settings: { ...known.settings, repoRef: ref }, notes: [...known.notes, note] };
        }
    }
}
/** Sends the repository's address as the integration lists it (contract, "Repository"). */
function withIntegration(known, { integrations }) {
    const { settings, problems, notes } = known;
    if (integrations === undefined || settings.repoUrl === undefined)
        return known;
    const choice = (0,_integration_js__WEBPACK_IMPORTED_MODULE_1__/* .chooseIntegration */ .E)(settings.repoUrl, integrations);
    if (choice.kind === 'refused')
        return { ...known, problems: [...problems, choice.problem] };
    const { integrationId, url } = choice.repository;
    const note = { kind: 'integration-found', integration: choice.integration, url };
    return { settings: { ...settings, integrationId, repoUrl: url }, problems, notes: [...notes, note] };
}
function withListener(known, { listeners }) {
    if (listeners === undefined)
        return known;
    const { listenerId, problems, notes } = (0,_listener_js__WEBPACK_IMPORTED_MODULE_2__/* .chooseListener */ .eE)(known.settings, listeners);
    return { settings: { ...known.settings, listenerId }, problems, notes: [...known.notes, ...notes] };
}


/***/ }),

/***/ 6262:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D3: () => (/* binding */ commitOf),
/* harmony export */   dT: () => (/* binding */ configFieldsThatDiffer),
/* harmony export */   qx: () => (/* binding */ planRevise)
/* harmony export */ });
/* harmony import */ var _control_plane_settings_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6712);
/* harmony import */ var _defaults_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(3936);
/* harmony import */ var _diff_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(493);
/* harmony import */ var _field_rules_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1418);
/* harmony import */ var _repository_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(2978);
/* harmony import */ var _settings_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2723);
/* harmony import */ var _unchanged_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8509);
/* harmony import */ var _validate_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(880);








/** Plans what to do about a deployment that exists: nothing, to watch its latest revision, or to create a new one. */
function planRevise(request, facts) {
    const { current } = facts;
    const source = sourceOf(request, current);
    if (typeof source !== 'string')
        return { kind: 'refused', problems: [source, ...(0,_validate_js__WEBPACK_IMPORTED_MODULE_5__/* .forbiddenChanges */ .PM)(request, current)] };
    const { settings, problems, notes } = (0,_defaults_js__WEBPACK_IMPORTED_MODULE_6__/* .withDefaults */ .r)(request, source, facts);
    // If no ref is set, the deployment keeps its own.
    const ref = settings.repoRef ?? current.settings.repoRef;
    const found = [
        ...problems,
        ...(0,_validate_js__WEBPACK_IMPORTED_MODULE_5__/* .tagBuiltOnPush */ .Yf)(settings, ref),
        ...(0,_field_rules_js__WEBPACK_IMPORTED_MODULE_2__/* .mismatches */ .vJ)(source, (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .withSourcePath */ .NJ)(settings, request)),
        ...(0,_validate_js__WEBPACK_IMPORTED_MODULE_5__/* .forbiddenChanges */ .PM)({ ...request, settings }, current),
    ];
    if (found.length > 0)
        return { kind: 'refused', problems: found };
    const turnsPushOff = (0,_repository_js__WEBPACK_IMPORTED_MODULE_7__/* .isTag */ .dz)(ref) && current.settings.buildOnPush === true;
    const wanted = {
        settings: turnsPushOff ? { ...settings, buildOnPush: false } : settings,
        source,
        commit: commitOf(request, settings, current),
    };
    const allNotes = turnsPushOff ? [...notes, { kind: 'build-on-push-off-first' }] : notes;
    return { kind: 'planned', plan: planFor(wanted, request, facts, allNotes) };
}
function planFor(wanted, { ifUnchanged, resume }, facts, notes) {
    const { settings, source } = wanted;
    const { current: deployment, packed } = facts;
    const { settings: current } = deployment;
    const comparison = ifUnchanged === 'skip' ? (0,_unchanged_js__WEBPACK_IMPORTED_MODULE_4__/* .compareWithActive */ .ok)(wanted, facts) : { kind: 'every-rollout' };
    const unsent = (0,_diff_js__WEBPACK_IMPORTED_MODULE_1__/* .diffFields */ .p5)(current, settings, () => undefined);
    if (comparison.kind === 'same') {
        const isByName = settings.imageUri?.includes('@sha256:') === false;
        const allNotes = isByName ? [...notes, { kind: 'image-compared-by-name' }] : notes;
        return { kind: 'unchanged', deployment, fields: unsent, active: comparison.active, notes: allNotes };
    }
    const latest = resume ? (0,_unchanged_js__WEBPACK_IMPORTED_MODULE_4__/* .matchingUnfinished */ .pb)(wanted, facts) : undefined;
    if (latest !== undefined)
        return { kind: 'resume', deployment, fields: unsent, latest, notes };
    const patch = (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .nonEmpty */ .hq)((0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .pick */ .Up)(settings, configFieldsThatDiffer(settings, current)));
    const patchLast = patch?.buildOnPush === true && (0,_repository_js__WEBPACK_IMPORTED_MODULE_7__/* .isTag */ .dz)(current.repoRef);
    const notSent = (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .setFields */ .Ey)(settings, (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldsOf */ .Pf)('immutable')).filter((field) => current[field] === undefined);
    return {
        kind: 'revise',
        because: comparison,
        deployment,
        patch,
        patchLast,
        upload: source === 'internal_source' ? packed : undefined,
        // In full, unchanged fields included: the control plane may merge source_revision_config or replace it.
        revision: { source, settings: { ...(0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .pick */ .Up)(current, _settings_js__WEBPACK_IMPORTED_MODULE_3__/* .REPORTED_BY_REVISION */ .QW), ...(0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .pick */ .Up)(settings, (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldsOf */ .Pf)('revision')) } },
        fields: (0,_diff_js__WEBPACK_IMPORTED_MODULE_1__/* .diffFields */ .p5)(current, settings, carrierOf),
        notes: [
            ...notes,
            ...notSent.map((field) => ({ kind: 'field-not-sent', field })),
            ...(patchLast ? [{ kind: 'build-on-push-on-last' }] : []),
        ],
    };
}
function sourceOf(request, current) {
    const known = current.source ?? request.source;
    const problem = (message) => ({ input: 'source', message });
    if (known === undefined)
        return problem('is required: the control plane does not report the source of this deployment');
    if (request.source !== undefined && request.source !== known) {
        const message = `differs from the deployment's, which is "${known}" and cannot change after it is created`;
        return { ...problem(message), value: request.source };
    }
    if ((0,_field_rules_js__WEBPACK_IMPORTED_MODULE_2__/* .isSource */ .__)(known))
        return known;
    return problem(`of this deployment is "${known}", which this action does not support`);
}
/** The commit that would be rolled out. It is known only if the event's own ref is built: it is the event's. */
function commitOf({ repository }, wanted, current) {
    const { repoRef, repoUrl, commit } = repository;
    const builds = current.settings.repoUrl ?? wanted.repoUrl;
    if (repoRef.kind !== 'ref' || repoRef.ref !== wanted.repoRef)
        return undefined;
    if (repoUrl === undefined || builds === undefined || !(0,_repository_js__WEBPACK_IMPORTED_MODULE_7__/* .sameRepository */ .RB)(repoUrl, builds))
        return undefined;
    return commit;
}
function carrierOf(field, difference) {
    const { change } = _control_plane_settings_js__WEBPACK_IMPORTED_MODULE_0__/* .SETTINGS */ .yy[field];
    if (change === 'revision')
        return 'revision';
    return change === 'config' && difference !== 'same' ? 'patch' : undefined;
}
/** Config-only fields whose wanted value differs from the current one. */
function configFieldsThatDiffer(wanted, current) {
    return (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .setFields */ .Ey)(wanted, (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldsOf */ .Pf)('config')).filter((field) => (0,_diff_js__WEBPACK_IMPORTED_MODULE_1__/* .differenceOf */ .Pq)(field, current, wanted) !== 'same');
}


/***/ }),

/***/ 8509:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Kd: () => (/* binding */ sameCommit),
/* harmony export */   ok: () => (/* binding */ compareWithActive),
/* harmony export */   pb: () => (/* binding */ matchingUnfinished)
/* harmony export */ });
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4698);
/* harmony import */ var _diff_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(493);
/* harmony import */ var _settings_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2723);



/** Whatever is unknown counts as a difference: an unnecessary revision does no harm, a missing one does. */
function compareWithActive({ settings, source, commit }, { current, active, latest }) {
    if (active === undefined)
        return { kind: 'no-active-revision' };
    if (source === 'internal_source')
        return { kind: 'uploaded-source' };
    if (latest !== undefined && latest.id !== active.id) {
        if (isUnfinished(latest))
            return { kind: 'newer-unfinished', revisionId: latest.id };
        const [field] = (0,_settings_js__WEBPACK_IMPORTED_MODULE_2__/* .setFields */ .Ey)(settings, (0,_settings_js__WEBPACK_IMPORTED_MODULE_2__/* .fieldsOf */ .Pf)('revision')).filter((one) => !_settings_js__WEBPACK_IMPORTED_MODULE_2__/* .REPORTED_BY_REVISION */ .QW.includes(one));
        if (field !== undefined)
            return { kind: 'field-of-latest-only', field };
    }
    const difference = firstDifference(settings, current, active);
    if (difference !== undefined)
        return difference;
    if (source !== 'git_host')
        return { kind: 'same', active };
    if (commit === undefined)
        return { kind: 'commit-unknown' };
    if (active.repoCommitSha === undefined)
        return { kind: 'active-commit-not-reported' };
    return sameCommit(active.repoCommitSha, commit) ? { kind: 'same', active } : { kind: 'other-commit' };
}
/**
 * Returns the latest revision if it has not ended and matches the request: it can be watched in place of a new one. An
 * unknown commit does not count as a difference: the build takes the ref as it is when the build begins.
 */
function matchingUnfinished({ settings, source, commit }, { current, latest }) {
    if (latest === undefined || !isUnfinished(latest) || source === 'internal_source')
        return undefined;
    if (firstDifference(settings, current, latest) !== undefined)
        return undefined;
    const { repoCommitSha: built } = latest;
    const isOtherCommit = built !== undefined && commit !== undefined && !sameCommit(built, commit);
    return isOtherCommit ? undefined : latest;
}
function sameCommit(one, other) {
    return one.toLowerCase() === other.toLowerCase();
}
function isUnfinished({ status }) {
    return (0,_outcome_js__WEBPACK_IMPORTED_MODULE_0__/* .phaseOf */ .h)(status) !== 'terminal';
}
function firstDifference(wanted, current, revision) {
    for (const field of (0,_settings_js__WEBPACK_IMPORTED_MODULE_2__/* .setFields */ .Ey)(wanted, [...(0,_settings_js__WEBPACK_IMPORTED_MODULE_2__/* .fieldsOf */ .Pf)('config'), ...(0,_settings_js__WEBPACK_IMPORTED_MODULE_2__/* .fieldsOf */ .Pf)('revision')])) {
        const reported = _settings_js__WEBPACK_IMPORTED_MODULE_2__/* .REPORTED_BY_REVISION */ .QW.includes(field) ? revision.settings : current.settings;
        const difference = (0,_diff_js__WEBPACK_IMPORTED_MODULE_1__/* .differenceOf */ .Pq)(field, reported, wanted);
        if (difference === 'unknown')
            return { kind: 'field-not-reported', field };
        if (difference !== 'same')
            return { kind: 'field-differs', field };
    }
    return undefined;
}


/***/ }),

/***/ 4682:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ findDeployment),
/* harmony export */   _: () => (/* binding */ findByName)
/* harmony export */ });
/* harmony import */ var _paginate_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6998);

/**
 * Finds the deployment; `undefined` if none has that name.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the id is unknown
 */
async function findDeployment(target, controlPlane) {
    if (target.kind === 'id')
        return await controlPlane.getDeployment(target.id);
    return await findByName(target.name, controlPlane);
}
/** Reads pages until the exact name is found: the control plane's filter matches a substring or a prefix. */
async function findByName(name, controlPlane) {
    const all = (0,_paginate_js__WEBPACK_IMPORTED_MODULE_0__/* .readAll */ .y)(async (query) => await controlPlane.listDeployments({ nameContains: name, ...query }));
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
/** The contract's largest page. */
const PAGE_SIZE = 100;
/**
 * Yields every entry of a paged list once. A short page is not the last one: a service may filter after it cuts the
 * page. A page without new entries is: a service that ignores the offset repeats the same page.
 */
async function* readAll(readPage) {
    const seen = new Set();
    for (let offset = 0;;) {
        const page = await readPage({ limit: PAGE_SIZE, offset });
        const added = page.resources.filter(({ id }) => !seen.has(id));
        for (const entry of added) {
            seen.add(entry.id);
            yield entry;
        }
        if (added.length === 0 || page.offset <= offset)
            return;
        offset = page.offset;
    }
}


/***/ }),

/***/ 214:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ pastReplicaLag)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(366);


/**
 * Reads a resource whose id the control plane has reported. Reads it again after a 404 or a broken response.
 * @throws what `read` throws; RefusedError when it is still missing after {@link REPLICA_LAG_MS}
 */
async function pastReplicaLag(read, { clock, signal, deadline }) {
    const giveUpAt = Math.min(clock.now() + _timing_js__WEBPACK_IMPORTED_MODULE_1__/* .REPLICA_LAG_MS */ .p6, deadline - _timing_js__WEBPACK_IMPORTED_MODULE_1__/* .READ_AGAIN_MS */ .JX);
    let broken = 0;
    for (;;) {
        try {
            return await read();
        }
        catch (thrown) {
            const isBroken = thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq && ++broken <= _timing_js__WEBPACK_IMPORTED_MODULE_1__/* .BROKEN_RESPONSES */ .fC;
            if ((!(0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isNotFound */ .c4)(thrown) && !isBroken) || clock.now() >= giveUpAt)
                throw thrown;
            await clock.sleep(_timing_js__WEBPACK_IMPORTED_MODULE_1__/* .READ_AGAIN_MS */ .JX, signal);
        }
    }
}


/***/ }),

/***/ 366:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E8: () => (/* binding */ READS_AFTER_REDEPLOY),
/* harmony export */   HG: () => (/* binding */ ACTIVATION_GRACE_MS),
/* harmony export */   In: () => (/* binding */ GONE_AFTER_MS),
/* harmony export */   JX: () => (/* binding */ READ_AGAIN_MS),
/* harmony export */   OL: () => (/* binding */ LEAST_GRACE_MS),
/* harmony export */   Of: () => (/* binding */ SUCCESSION_GRACE_MS),
/* harmony export */   Rz: () => (/* binding */ FIRST_VERIFY_PAUSE_MS),
/* harmony export */   Zh: () => (/* binding */ READS_PER_PATCH),
/* harmony export */   b4: () => (/* binding */ LOG_READING_MS),
/* harmony export */   bu: () => (/* binding */ VERIFY_REQUEST_TIMEOUT_MS),
/* harmony export */   c6: () => (/* binding */ POLL_PAUSE_AFTER_CHANGE_MS),
/* harmony export */   fC: () => (/* binding */ BROKEN_RESPONSES),
/* harmony export */   fy: () => (/* binding */ LONGEST_VERIFY_PAUSE_MS),
/* harmony export */   hx: () => (/* binding */ FIRST_POLL_PAUSE_MS),
/* harmony export */   jv: () => (/* binding */ POLL_PAUSE_GROWTH),
/* harmony export */   m: () => (/* binding */ HEARTBEAT_MS),
/* harmony export */   mt: () => (/* binding */ POLLS_PER_DEPLOYMENT_READ),
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
// The confirmation that an ended revision is the active one.
/** How long a deployment may take to report a DEPLOYED revision as its active one. */
const ACTIVATION_GRACE_MS = 30_000;
/** What remains of that grace at the deadline: a revision that ended in time must not fail because it was seen late. */
const LEAST_GRACE_MS = 5_000;
/** How long a deployment may take to report the newer revision that ended ours. */
const SUCCESSION_GRACE_MS = 6_000;
// Writes.
/** Pauses before each read of a lost write that the server may still be processing. */
const LOST_WRITE_PAUSES_MS = [500, 1_000, 2_000, 3_000, 4_000];
/** Reads after a PATCH whose response does not show the new settings: a replica may lag. */
const READS_PER_PATCH = 4;
/** A proxy may have dropped the first PATCH. */
const PATCHES = 2;
/** Reads after a redeploy: a service may take a moment to report the revision, and need not create a new one. */
const READS_AFTER_REDEPLOY = 3;
// The finish.
/** How long reading the log of a failed revision may take: the step fails with or without the log. */
const LOG_READING_MS = 15_000;
/** First pause between two requests of a verification; each pause doubles. */
const FIRST_VERIFY_PAUSE_MS = 1_000;
/** Limit of that pause: an address that begins to answer is to be seen soon. */
const LONGEST_VERIFY_PAUSE_MS = 5_000;
/** How long one request of a verification may take: a request that hangs must not use up all the time. */
const VERIFY_REQUEST_TIMEOUT_MS = 10_000;


/***/ }),

/***/ 854:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E5: () => (/* binding */ confirmEnd)
/* harmony export */ });
/* unused harmony exports confirmationTime, confirmOutcome */
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _dependencies_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9697);
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(366);
/* harmony import */ var _superseded_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(708);




/** As {@link confirmOutcome}: a revision that ended in time may be confirmed after the run's deadline. */
async function confirmEnd(revision, { deploymentId, before }, deps) {
    return await confirmOutcome(revision, { ...(0,_dependencies_js__WEBPACK_IMPORTED_MODULE_2__/* .withTime */ .C)(deps, confirmationTime(deps)), deploymentId, before });
}
/** Returns the milliseconds from now on that a confirmation may take in a run with that deadline. */
function confirmationTime({ clock, deadline }) {
    return Math.min(_timing_js__WEBPACK_IMPORTED_MODULE_3__/* .ACTIVATION_GRACE_MS */ .HG, Math.max(_timing_js__WEBPACK_IMPORTED_MODULE_3__/* .LEAST_GRACE_MS */ .OL, deadline - clock.now()));
}
/**
 * Decides what the end of a revision means. A rollout is `deployed` only when the deployment agrees; the deployment's
 * own status shows no rollout (contract notes, "Statuses").
 * @throws RefusedError when the control plane refuses for good to return the deployment
 */
async function confirmOutcome(revision, options) {
    switch (revision.status) {
        case 'DEPLOYED':
            return await confirmActive(revision, options);
        case 'SKIPPED':
            return (await findSuccessor(revision, options)) ?? { kind: 'skipped', because: 'revision' };
        case 'INTERRUPTED':
            return (await findSuccessor(revision, options)) ?? { kind: 'interrupted' };
        default:
            return { kind: 'failed', because: { kind: 'revision' } };
    }
}
async function confirmActive(revision, options) {
    const { outcome, last } = await readUntilDecided(options.deadline, options, async (deployment) => {
        const { activeRevisionId: active } = deployment;
        if (active === revision.id)
            return { kind: 'deployed', confirmed: true };
        if (active === undefined)
            return { kind: 'deployed', confirmed: false };
        // Only the active revision counts here: a newer one that is still under way supersedes ours later, if at all.
        return await supersession(revision, { ...deployment, latestRevisionId: undefined }, options, 'older');
    });
    if (outcome !== undefined)
        return outcome;
    if (typeof last === 'string')
        return { kind: 'failed', because: { kind: 'active-unknown', trouble: last } };
    const { activeRevisionId: active } = last;
    return active ? { kind: 'superseded', by: active } : { kind: 'failed', because: { kind: 'nothing-active' } };
}
/** Undefined when no newer revision shows in time: then the revision's own status decides. */
async function findSuccessor(revision, options) {
    const end = Math.min(options.clock.now() + _timing_js__WEBPACK_IMPORTED_MODULE_3__/* .SUCCESSION_GRACE_MS */ .Of, options.deadline);
    const { outcome } = await readUntilDecided(end, options, async (deployment) => await supersession(revision, deployment, options, 'newer'));
    return outcome;
}
async function supersession(revision, deployment, options, unreadable) {
    const by = await (0,_superseded_js__WEBPACK_IMPORTED_MODULE_1__/* .supersededBy */ .g)(revision, deployment, { ...options, unreadable });
    return by === undefined ? undefined : { kind: 'superseded', by };
}
/** Reads the deployment until it decides the outcome, for the last time at `end`. `last`: the last read, or its trouble. */
async function readUntilDecided(end, options, decide) {
    const { clock, signal } = options;
    for (;;) {
        const last = await tryRead(options);
        const outcome = typeof last === 'string' ? undefined : await decide(last);
        if (outcome !== undefined || clock.now() >= end)
            return { outcome, last };
        await clock.sleep(Math.max(0, Math.min(_timing_js__WEBPACK_IMPORTED_MODULE_3__/* .READ_AGAIN_MS */ .JX, end - clock.now())), signal);
    }
}
/** Returns the deployment, or why it cannot be read. */
async function tryRead({ controlPlane, deploymentId }) {
    try {
        return await controlPlane.getDeployment(deploymentId);
    }
    catch (thrown) {
        if ((0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isNotFound */ .c4)(thrown) || thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .UnreachableError */ .Jk || thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq)
            return thrown.trouble.cameBack;
        throw thrown;
    }
}


/***/ }),

/***/ 708:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   g: () => (/* binding */ supersededBy)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);

/**
 * Finds the newer revision that the deployment reports as its latest or its active one; undefined when ours is the
 * newest. A lagging replica reports an older revision, and so does a deployment that another client revised between our
 * read and our write: an older revision supersedes nothing.
 */
async function supersededBy({ id: ourId, createdAt: ourDate }, deployment, options) {
    const { id: deploymentId, latestRevisionId: latest, activeRevisionId: active } = deployment;
    const { controlPlane, before, unreadable } = options;
    const known = [ourId, before?.latestRevisionId, before?.activeRevisionId];
    for (const id of new Set([latest, active])) {
        if (id === undefined || id === null || known.includes(id))
            continue;
        try {
            const { createdAt } = await controlPlane.getRevision(deploymentId, id);
            // Without both dates, the revision that the deployment reports as its latest one is the newer one.
            const areDated = createdAt !== undefined && ourDate !== undefined;
            if (areDated ? createdAt >= ourDate : id === latest)
                return id;
        }
        catch (thrown) {
            if (!(thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ControlPlaneError */ .Cj))
                throw thrown;
            if (unreadable === 'newer')
                return id;
        }
    }
    return undefined;
}


/***/ }),

/***/ 6033:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  j: () => (/* binding */ attachTo),
  r: () => (/* binding */ watchRevision)
});

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./rollout/outcome.ts
var outcome = __webpack_require__(4698);
// EXTERNAL MODULE: ./rollout/watch/confirm.ts
var watch_confirm = __webpack_require__(854);
;// CONCATENATED MODULE: ./rollout/watch/state.ts
function beginWatch(limits, now) {
    return {
        limits,
        startedAt: now,
        revision: undefined,
        phase: undefined,
        changedAt: now,
        hasChanged: false,
        pausesSinceChange: 0,
        reportedAt: now,
        reads: 0,
        failures: 0,
        failure: undefined,
        goneSince: undefined,
        pollAt: now,
    };
}

// EXTERNAL MODULE: ./rollout/timing.ts
var timing = __webpack_require__(366);
;// CONCATENATED MODULE: ./rollout/watch/schedule.ts

/**
 * Returns the milliseconds before the next poll. `auto` grows from a first pause to the longest one, and starts again
 * from a short one when the status changes. A longer Retry-After takes precedence.
 */
function nextPollDelay(moment) {
    const { interval, hasChanged, pausesSinceChange, retryAfterMs = 0, random } = moment;
    if (interval !== 'auto')
        return Math.max(interval, retryAfterMs);
    const start = hasChanged ? timing/* POLL_PAUSE_AFTER_CHANGE_MS */.c6 : timing/* FIRST_POLL_PAUSE_MS */.hx;
    const grown = Math.min(timing/* LONGEST_POLL_PAUSE_MS */.nS, start * timing/* POLL_PAUSE_GROWTH */.jv ** pausesSinceChange);
    return Math.max(Math.round(grown * (1 - timing/* POLL_PAUSE_JITTER */.or * random)), retryAfterMs);
}

;// CONCATENATED MODULE: ./rollout/watch/step.ts




/** Decides what an observation means for one watch, and what to observe next. */
function step(state, observation, moment) {
    switch (observation.kind) {
        case 'revision-read':
            return onRevision(state, observation.revision, moment);
        case 'poll-failed':
            return onFailure(state, observation.error, moment);
        case 'deployment-read':
            return onDeployment(state, observation.found, moment);
        case 'time-passed':
            return pause(state, moment.now, []);
    }
}
function onRevision(before, revision, moment) {
    const { now } = moment;
    const phase = (0,outcome/* phaseOf */.h)(revision.status);
    // An unknown status that comes and goes must not restart the time of a phase.
    const beginsPhase = phase !== before.phase?.name && (phase !== 'unknown' || before.phase === undefined);
    const isChange = revision.status !== before.revision?.status;
    const state = {
        ...before,
        revision,
        reads: before.reads + 1,
        failures: 0,
        failure: undefined,
        goneSince: undefined,
        ...(beginsPhase && { phase: { name: phase, since: now } }),
        ...(isChange && {
            hasChanged: before.revision !== undefined,
            pausesSinceChange: 0,
            changedAt: now,
            reportedAt: now,
        }),
    };
    const events = isChange ? [{ kind: 'status', revision }] : [];
    if (phase === 'terminal')
        return ended(state, { kind: 'terminal', revision }, events);
    if (before.reads > 0 && before.reads % timing/* POLLS_PER_DEPLOYMENT_READ */.mt === 0)
        return { state, events, next: { kind: 'read-deployment', newerThan: revision } };
    return planPoll(state, moment, events);
}
/** A failed poll ends the watch only if the control plane refuses for good. */
function onFailure(before, error, moment) {
    const isMissing = (0,errors/* isNotFound */.c4)(error) && moment.now - before.startedAt < timing/* REPLICA_LAG_MS */.p6;
    if (!isMissing && !(error instanceof errors/* UnreachableError */.Jk || error instanceof errors/* BrokenContractError */.Sq))
        return ended(before, { kind: 'refused', error }, []);
    const failures = before.failures + 1;
    const state = { ...before, reads: before.reads + 1, failures, failure: error };
    const events = [{ kind: 'poll-failed', trouble: error.trouble.cameBack, row: failures }];
    if (isMissing && state.revision !== undefined)
        return { state, events, next: { kind: 'read-deployment', newerThan: undefined } };
    return planPoll({ ...state, goneSince: undefined }, moment, events);
}
function onDeployment(state, found, moment) {
    switch (found.kind) {
        case 'newer-revision':
            return ended(state, { kind: 'superseded', by: found.revisionId }, []);
        case 'gone': {
            const { failure: error, goneSince = moment.now } = state;
            // A deployment whose revision was just read exists.
            if (!(0,errors/* isNotFound */.c4)(error))
                return planPoll(state, moment, []);
            if (moment.now - goneSince >= timing/* GONE_AFTER_MS */.In)
                return ended(state, { kind: 'refused', error }, []);
            return planPoll({ ...state, goneSince }, moment, []);
        }
        case 'unknown':
            return planPoll({ ...state, goneSince: undefined }, moment, []);
    }
}
/** Sets the time of the next poll, at the latest at the deadline and at the end of the phase; or ends the watch there. */
function planPoll(state, { now, random }, events) {
    const { limits, failure, hasChanged, pausesSinceChange } = state;
    const { deadline, pollInterval: interval } = limits;
    const lastTrouble = failure?.trouble.cameBack;
    if (now >= deadline)
        return ended(state, { kind: 'timed-out', lastTrouble }, events);
    const limit = phaseLimit(state);
    if (limit !== undefined && now >= limit.endsAt) {
        const { name, limitMs, since } = limit;
        const phase = { name, limitMs, forMs: now - since };
        return ended(state, { kind: 'timed-out', lastTrouble, phase }, events);
    }
    const retryAfterMs = failure instanceof errors/* UnreachableError */.Jk ? failure.retryAfterMs : undefined;
    const delay = nextPollDelay({ interval, hasChanged, pausesSinceChange, retryAfterMs, random });
    const pollAt = Math.min(now + delay, deadline, limit?.endsAt ?? deadline);
    return pause({ ...state, pollAt, pausesSinceChange: pausesSinceChange + 1 }, now, events);
}
/** Waits for the next poll, or for a heartbeat that is due before it. */
function pause(before, now, earlier) {
    const { revision, failure, changedAt, pollAt } = before;
    const isDue = now >= before.reportedAt + timing/* HEARTBEAT_MS */.m;
    const reportedAt = isDue ? now : before.reportedAt;
    const [status, forMs, trouble] = [revision?.status, now - changedAt, failure?.trouble.cameBack];
    const beatAt = reportedAt + timing/* HEARTBEAT_MS */.m;
    return {
        state: { ...before, reportedAt },
        events: isDue ? [...earlier, { kind: 'heartbeat', status, forMs, trouble }] : earlier,
        next: beatAt <= pollAt ? { kind: 'wake', at: beatAt } : { kind: 'read-revision', at: pollAt },
    };
}
function ended(state, end, events) {
    return { state, events, next: { kind: 'end', end } };
}
/** The limit of the phase that the revision is in, if it has one. */
function phaseLimit({ phase, limits }) {
    if (phase === undefined || phase.name === 'terminal' || phase.name === 'unknown')
        return undefined;
    const { name, since } = phase;
    const limitMs = limits.phaseLimits[name];
    return limitMs === undefined ? undefined : { name, limitMs, since, endsAt: since + limitMs };
}

// EXTERNAL MODULE: ./rollout/watch/superseded.ts
var superseded = __webpack_require__(708);
;// CONCATENATED MODULE: ./rollout/watch/watch.ts






/**
 * A revision that an earlier run has created. Until it ends, the active revision is the one from before it; afterwards
 * any other active revision may be a newer one. The settings from before it are unknown.
 */
function attachTo(deployment, revision) {
    const { id: deploymentId } = deployment;
    const hasEnded = (0,outcome/* phaseOf */.h)(revision.status) === 'terminal';
    const before = hasEnded ? undefined : { ...deployment, latestRevisionId: undefined, settings: {} };
    return { deploymentId, revisionId: revision.id, revision, before, url: deployment.settings.customUrl };
}
/**
 * Polls a revision until it ends or the time is over, and confirms what its end means.
 * @throws RefusedError when the control plane refuses for good to return the revision, the signal's reason when aborted
 */
async function watchRevision(watched, pace, deps) {
    let { url } = watched;
    let lastPhase;
    const emit = (event) => {
        if (event.kind === 'deployment-read')
            url = event.deployment.settings.customUrl ?? url;
        const phase = event.kind === 'status' ? (0,outcome/* phaseOf */.h)(event.revision.status) : undefined;
        if (phase === 'build' || phase === 'deploy')
            lastPhase = phase;
        deps.emit(event);
    };
    const observed = { ...deps, emit, controlPlane: emittingReads(deps.controlPlane, emit) };
    const end = await pollToEnd(watched, pace, observed);
    switch (end.kind) {
        case 'refused':
            throw end.error;
        case 'superseded':
        case 'timed-out':
            return { ...watched, outcome: end, url, lastPhase };
        case 'terminal': {
            const { revision } = end;
            const outcome = await (0,watch_confirm/* confirmEnd */.E5)(revision, watched, observed);
            return { ...watched, revision, outcome, url, lastPhase };
        }
    }
}
/** Any read may report the deployment's address: a new deployment gets it while its revision is rolled out. */
function emittingReads(controlPlane, emit) {
    return {
        ...controlPlane,
        within: (deadline) => emittingReads(controlPlane.within(deadline), emit),
        async getDeployment(id) {
            const deployment = await controlPlane.getDeployment(id);
            emit({ kind: 'deployment-read', deployment });
            return deployment;
        },
    };
}
/** Observes the revision as `step` requires it. */
async function pollToEnd(watched, pace, deps) {
    const { clock, random, signal, deadline, emit } = deps;
    const { revision } = watched;
    const waitUntil = async (at) => {
        for (let left = at - clock.now(); left > 0; left = at - clock.now())
            await clock.sleep(left, signal);
    };
    let state = beginWatch({ ...pace, deadline }, clock.now());
    let observation = revision === undefined ? await poll(watched, deps) : { kind: 'revision-read', revision };
    for (;;) {
        const taken = step(state, observation, { now: clock.now(), random: random() });
        const { next } = taken;
        state = taken.state;
        taken.events.forEach(emit);
        switch (next.kind) {
            case 'end':
                return next.end;
            case 'read-revision':
                await waitUntil(next.at);
                observation = await poll(watched, deps);
                break;
            case 'read-deployment': {
                const found = await findInDeployment(next.newerThan, watched, deps);
                observation = { kind: 'deployment-read', found };
                break;
            }
            case 'wake':
                await waitUntil(next.at);
                observation = { kind: 'time-passed' };
        }
    }
}
/** Reads the revision once, without retries: the next poll is the retry. */
async function poll({ deploymentId, revisionId }, { controlPlane, emit }) {
    emit({ kind: 'polled' });
    try {
        const revision = await controlPlane.getRevision(deploymentId, revisionId, { retries: 0 });
        return { kind: 'revision-read', revision };
    }
    catch (thrown) {
        if (thrown instanceof errors/* ControlPlaneError */.Cj)
            return { kind: 'poll-failed', error: thrown };
        throw thrown;
    }
}
/** A deployment that cannot be read ends nothing: the polls show whether the control plane can be reached. */
async function findInDeployment(newerThan, { deploymentId, before }, { controlPlane }) {
    try {
        const deployment = await controlPlane.getDeployment(deploymentId);
        if (newerThan === undefined)
            return { kind: 'unknown' };
        const by = await (0,superseded/* supersededBy */.g)(newerThan, deployment, { controlPlane, before, unreadable: 'older' });
        return by === undefined ? { kind: 'unknown' } : { kind: 'newer-revision', revisionId: by };
    }
    catch (thrown) {
        if (!(thrown instanceof errors/* ControlPlaneError */.Cj))
            throw thrown;
        return { kind: (0,errors/* isNotFound */.c4)(thrown) ? 'gone' : 'unknown' };
    }
}


/***/ })

};
