export const id = 694;
export const ids = [694,682];
export const modules = {

/***/ 6335:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  it: () => (/* binding */ findCreated),
  im: () => (/* binding */ findDrafted),
  n4: () => (/* binding */ findNamed),
  pF: () => (/* binding */ findNewer),
  b7: () => (/* binding */ hasOtherOrigin),
  br: () => (/* binding */ matchesDraft)
});

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./control-plane/model.ts
var model = __webpack_require__(1552);
// EXTERNAL MODULE: ./control-plane/same-id.ts
var same_id = __webpack_require__(4945);
// EXTERNAL MODULE: ./control-plane/same-name.ts
var same_name = __webpack_require__(655);
// EXTERNAL MODULE: ./rollout/plan/settings.ts
var plan_settings = __webpack_require__(2723);
// EXTERNAL MODULE: ./rollout/plan/unchanged.ts
var unchanged = __webpack_require__(8509);
// EXTERNAL MODULE: ./rollout/plan/validate.ts
var validate = __webpack_require__(880);
// EXTERNAL MODULE: ./rollout/read/paginate.ts
var paginate = __webpack_require__(6998);
// EXTERNAL MODULE: ./rollout/read/revision-order.ts
var revision_order = __webpack_require__(271);
// EXTERNAL MODULE: ./rollout/plan/diff.ts
var diff = __webpack_require__(493);
;// CONCATENATED MODULE: ./rollout/apply/contradiction.ts

/** Whether a reported value cannot be ours. A service may write a text in its own way, and add values of its own. */
function contradicts(field, reported, wanted) {
    if (wanted[field] === undefined)
        return false;
    const [shown, ours] = [reported[field], wanted[field]];
    if (typeof shown === 'string' && typeof ours === 'string' && plainText(shown) === plainText(ours))
        return false;
    const { current, own } = comparableParts(reported, wanted);
    return (0,diff/* differenceOf */.Pq)(field, current, own) === 'changed';
}
function plainText(text) {
    return text
        .trim()
        .replace(/^(?:\.\/)+/, '')
        .replace(/^refs\/(?:heads|tags)\//, '')
        .replace(/\/+$/, '');
}
/** A service may return an empty list in place of secrets, and omit a part of a resource spec. */
function comparableParts(reported, wanted) {
    const spec = reported.resourceSpec ?? {};
    const wantedSpec = wanted.resourceSpec ?? {};
    const inBoth = (of) => Object.fromEntries(Object.entries(of).filter(([name]) => Object.hasOwn(spec, name) && Object.hasOwn(wantedSpec, name)));
    return {
        current: {
            ...reported,
            secrets: namedAs(wanted.secrets, reported.secrets),
            secretReferences: namedAs(wanted.secretReferences, reported.secretReferences),
            resourceSpec: inBoth(spec),
        },
        own: { ...wanted, resourceSpec: inBoth(wantedSpec) },
    };
}
/** Undefined, which counts as not reported, for an empty list. */
function namedAs(wanted = [], reported = []) {
    const named = reported.filter(({ name }) => wanted.some((one) => one.name === name));
    return reported.length === 0 ? undefined : named;
}

;// CONCATENATED MODULE: ./rollout/apply/find-created.ts










/**
 * Finds the revisions newer than `known` that count as those of our requests, newest first: those with this
 * configuration. Without any, the only one that nothing distinguishes from ours counts.
 */
async function findCreated(known, wanted, look, deps, commit) {
    const isOther = ({ repoCommitSha: built }) => built !== undefined && commit !== undefined && !(0,unchanged/* sameCommit */.Kd)(built, commit);
    const found = (await findNewer(known, wanted, look, deps)).filter(({ revision }) => !isOther(revision));
    const ours = found.filter(({ kinship }) => kinship === 'ours');
    const possible = found.filter(({ kinship }) => kinship === 'unknown');
    return (ours.length === 0 && possible.length === 1 ? possible : ours).map(({ revision }) => revision);
}
/**
 * Finds the revisions newer than `known`, newest first. A replica may show a state that is older than `known`, or that
 * lacks a new revision: then there are none.
 */
async function findNewer(known, wanted, { isPastLag }, { controlPlane }) {
    const listed = newerThan(known, await listRevisions(known.id, controlPlane));
    if (listed?.length === 0)
        return [];
    const now = await controlPlane.getDeployment(known.id);
    const newer = listed ?? (isPastLag ? await latestUnlessKnown(known, now, controlPlane) : []);
    const latest = now.latestRevisionId;
    if (latest !== undefined && !newer.some(({ id }) => (0,same_id/* sameId */.s)(id, latest)))
        return [];
    return newer.map((revision) => {
        // Only the deployment reports the rest of the configuration, and only that of its latest revision.
        const isLatest = (0,same_id/* sameId */.s)(revision.id, latest);
        const reported = (0,model/* withBranch */.tq)(revision.settings, now.branch);
        return { revision, kinship: kinshipOf(reported, isLatest ? now.settings : {}, wanted) };
    });
}
/** `besides`: what the deployment reports of the revision. */
function kinshipOf(reported, besides, wanted) {
    const compared = (0,plan_settings/* setFields */.Ey)(wanted, plan_settings/* REPORTED_BY_REVISION */.QW).filter((field) => reported[field] !== undefined);
    const isForeign = compared.some((field) => contradicts(field, reported, wanted)) ||
        BESIDES_ORIGIN.some((field) => contradicts(field, besides, wanted));
    if (isForeign)
        return 'foreign';
    return compared.length === 0 ? 'unknown' : 'ours';
}
const BESIDES_ORIGIN = ['secrets', 'secretReferences', 'resourceSpec'];
/** Newest first; undefined if the service has no such list, which is optional. */
async function listRevisions(id, controlPlane) {
    try {
        return await controlPlane.listRevisions(id, { limit: revision_order/* LISTED_REVISIONS */.VM });
    }
    catch (thrown) {
        if (thrown instanceof errors/* RefusedError */.fk || thrown instanceof errors/* BrokenContractError */.Sq)
            return undefined;
        throw thrown;
    }
}
/** Undefined if the list cannot tell: it lacks the revision that was the latest one, or has another order. */
function newerThan({ latestRevisionId, activeRevisionId }, shown) {
    const listed = (0,revision_order/* newestFirst */.ll)(shown, [latestRevisionId, activeRevisionId]);
    const end = listed?.findIndex(({ id }) => (0,same_id/* sameId */.s)(id, latestRevisionId)) ?? -1;
    return end < 0 ? undefined : listed?.slice(0, end);
}
/** Without a list, a latest revision that was not known counts as new, once no replica can show an earlier one. */
async function latestUnlessKnown({ latestRevisionId, activeRevisionId }, { id, latestRevisionId: latest }, controlPlane) {
    if (latest === undefined || (0,same_id/* sameId */.s)(latest, latestRevisionId) || (0,same_id/* sameId */.s)(latest, activeRevisionId))
        return [];
    return [await controlPlane.getRevision(id, latest)];
}
/** Finds the deployments of the draft's name that are what it would have created, in the order of the list. */
async function findDrafted(draft, { controlPlane }) {
    const found = [];
    for await (const deployment of alike(draft, controlPlane))
        if (matchesDraft(deployment, draft))
            found.push(deployment);
    return found;
}
/** Finds the deployment of the draft's name. A service may write the name in its own way: then the rest must match. */
async function findNamed(draft, { controlPlane }) {
    let first;
    for await (const deployment of alike(draft, controlPlane)) {
        if (deployment.name === draft.name)
            return deployment;
        if (matchesDraft(deployment, draft))
            first ??= deployment;
    }
    return first;
}
/** The deployments of the draft's name, which a service may write in its own way, in the order of the list. */
async function* alike({ name }, controlPlane) {
    const all = (0,paginate/* readAll */.y)(async (query) => await controlPlane.listDeployments({ nameContains: name, ...query }));
    for await (const deployment of all)
        if ((0,same_name/* sameName */.q)(deployment.name, name))
            yield deployment;
}
/** Whether a deployment is what our draft would have created. A value that is not reported makes no difference. */
function matchesDraft(found, { source, settings }) {
    return ((found.source ?? source) === source &&
        (0,validate/* immutableDifferences */.fz)(settings, found.settings).length === 0 &&
        !(0,plan_settings/* setFields */.Ey)((0,plan_settings/* omit */.cJ)(settings, (0,plan_settings/* fieldsOf */.Pf)('immutable'))).some((field) => contradicts(field, found.settings, settings)));
}
/** Whether the revision's origin, as far as it is reported, is another one than ours. A commit may be of our branch. */
function hasOtherOrigin({ settings }, wanted) {
    const ofBranch = (0,model/* withBranch */.tq)(settings, wanted.repoRef);
    return plan_settings/* REPORTED_BY_REVISION */.QW.some((field) => contradicts(field, ofBranch, wanted));
}


/***/ }),

/***/ 5533:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   e: () => (/* binding */ lostWrite),
/* harmony export */   v: () => (/* binding */ findLostWrite)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _control_plane_retry_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2911);
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(366);



/**
 * Returns what is to be looked for after a failed attempt; undefined if nothing was created. Once an earlier attempt is
 * lost, a refusal of its repetition does not say what became of that one.
 */
function lostWrite(thrown, earlier) {
    if (thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AmbiguousWriteError */ .yI)
        return thrown;
    if (earlier === undefined)
        return thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BusyError */ .qB ? thrown : undefined;
    if (!(thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ControlPlaneError */ .Cj))
        return undefined;
    const cameBack = `${earlier.trouble.cameBack}; the repetition failed, too: ${thrown.trouble.cameBack}`;
    const retryAfterMs = thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .UnreachableError */ .Jk ? thrown.retryAfterMs : undefined;
    return new _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AmbiguousWriteError */ .yI({ ...earlier.trouble, cameBack }, { cause: thrown, retryAfterMs });
}
/**
 * Looks for the result of a write whose response was lost, over a whole window: the server may act late, and its
 * replicas may lag. After a 429, looks once. A pause that the server asks for comes first.
 * @param find reads the result; undefined if there is none (yet)
 * @param retry of the write, from 0
 * @returns undefined when a read at the end of the window shows no result, so that the write may be repeated
 * @throws `lost` when the deadline comes first, or before the server permits a repetition; AmbiguousWriteError when the
 * last read fails: the result stays unknown
 */
async function findLostWrite(lost, find, { clock, random, signal, deadline, maxRetries, emit }, retry = 0) {
    const { trouble, retryAfterMs = 0 } = lost;
    const isBusy = lost instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BusyError */ .qB;
    const mayRepeat = clock.now() + retryAfterMs < deadline;
    if (isBusy && !mayRepeat)
        throw lost;
    emit({ kind: 'write-lost', cameBack: trouble.cameBack });
    const since = clock.now();
    const pauses = isBusy ? [(0,_control_plane_retry_js__WEBPACK_IMPORTED_MODULE_1__/* .retryDelay */ .a2)(retry, lost.retryAfterMs, random)] : _timing_js__WEBPACK_IMPORTED_MODULE_2__/* .LOST_WRITE_PAUSES_MS */ .ys;
    const looks = pauses.length;
    for (let count = 1;; count++) {
        const usualMs = pauses[count - 1] ?? _timing_js__WEBPACK_IMPORTED_MODULE_2__/* .READ_AGAIN_MS */ .JX;
        const pauseMs = count === 1 && mayRepeat ? Math.max(usualMs, retryAfterMs) : usualMs;
        await clock.sleep(Math.max(0, Math.min(pauseMs, deadline - clock.now())), signal);
        if (clock.now() >= deadline)
            throw lost;
        try {
            const found = await find({ isPastLag: clock.now() - since >= _timing_js__WEBPACK_IMPORTED_MODULE_2__/* .STALE_READ_MS */ .CG });
            if (found !== undefined)
                return found;
        }
        catch (thrown) {
            if (!(thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ControlPlaneError */ .Cj))
                throw thrown;
            if (count < looks + maxRetries)
                continue;
            const cameBack = `${trouble.cameBack}; the check for its result failed, too: ${thrown.trouble.cameBack}`;
            throw new _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AmbiguousWriteError */ .yI({ ...trouble, cameBack }, { cause: lost });
        }
        if (count >= looks && !mayRepeat)
            throw lost;
        if (count >= looks)
            return undefined;
    }
}


/***/ }),

/***/ 4752:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ patchDeployment)
/* harmony export */ });
/* unused harmony export compareWithPatch */
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(4945);
/* harmony import */ var _control_plane_settings_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6712);
/* harmony import */ var _plan_diff_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(493);
/* harmony import */ var _plan_field_rules_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1418);
/* harmony import */ var _plan_settings_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2723);
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(366);







/**
 * Changes settings that need no revision. If the response does not show this deployment with the new values, reads the
 * deployment, and patches it once more if it has the earlier ones. Emits the fields that no response confirms.
 * @param before the deployment as it was
 * @throws AmbiguousWriteError when the deployment still shows the earlier settings, or cannot be read
 */
async function patchDeployment(before, patch, deps) {
    for (let count = 1;; count++) {
        let unusable;
        try {
            const answer = await deps.controlPlane.updateDeployment(before.id, patch);
            // A field that is missing from the service's own form of this deployment counts as applied.
            if (answer !== undefined && compareWithPatch(answer, before, patch).earlier.length === 0)
                return;
        }
        catch (thrown) {
            if (!(thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq))
                throw thrown;
            unusable = thrown;
        }
        // After a page of another server, a later date shows only that somebody has updated the deployment.
        const known = unusable === undefined ? before : { ...before, updatedAt: undefined };
        const { earlier, accepted, unreported } = await look(known, patch, deps);
        const isMissing = earlier.length > 0 || (unreported.length > 0 && unusable !== undefined);
        if (isMissing && count < _timing_js__WEBPACK_IMPORTED_MODULE_5__/* .PATCHES */ .r1)
            continue;
        const refused = earlier.filter((field) => !accepted.includes(field));
        if (refused.length > 0)
            throw unusable ?? unconfirmed(before.id, `the deployment still shows the earlier settings (${namesOf(refused)})`);
        const fields = [...earlier, ...unreported];
        if (fields.length > 0)
            deps.emit({ kind: 'patch-unconfirmed', fields });
        return;
    }
}
/** Reads the deployment until it shows the patch, or a further read can show nothing else. */
async function look(before, patch, { controlPlane, clock, signal, deadline }) {
    for (let read = 1;; read++) {
        const isLast = () => read === _timing_js__WEBPACK_IMPORTED_MODULE_5__/* .READS_PER_PATCH */ .Zh || clock.now() + _timing_js__WEBPACK_IMPORTED_MODULE_5__/* .READ_AGAIN_MS */ .JX >= deadline;
        try {
            const found = compareWithPatch(await controlPlane.getDeployment(before.id), before, patch);
            const { earlier, unreported } = found;
            const isFinal = earlier.length === 0 && unreported.every((field) => _control_plane_settings_js__WEBPACK_IMPORTED_MODULE_1__/* .SETTINGS */ .yy[field].maybeUnreported === true);
            if (isFinal || isLast())
                return found;
        }
        catch (thrown) {
            if (!(thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ControlPlaneError */ .Cj))
                throw thrown;
            if (isLast())
                throw unconfirmed(before.id, thrown.trouble.cameBack);
        }
        await clock.sleep(_timing_js__WEBPACK_IMPORTED_MODULE_5__/* .READ_AGAIN_MS */ .JX, signal);
    }
}
/**
 * Compares a deployment with a patch. A service may write a text in its own way: another text than the earlier one counts
 * as its form of ours. A flag has no other form.
 */
function compareWithPatch(shown, before, patch) {
    const fields = (0,_plan_settings_js__WEBPACK_IMPORTED_MODULE_4__/* .setFields */ .Ey)(patch);
    const shows = (field, of) => (0,_plan_diff_js__WEBPACK_IMPORTED_MODULE_2__/* .differenceOf */ .Pq)(field, shown.settings, of) === 'same';
    const isText = (field) => _control_plane_settings_js__WEBPACK_IMPORTED_MODULE_1__/* .SETTINGS */ .yy[field].type === 'text';
    const reported = fields.filter((field) => shown.settings[field] !== undefined);
    const earlier = reported.filter((field) => !shows(field, patch) && (!isText(field) || shows(field, before.settings)));
    return {
        earlier,
        accepted: isUpdated(shown, before) ? earlier.filter(isText) : [],
        unreported: fields.filter((field) => !reported.includes(field)),
    };
}
/** Whether the deployment was updated since, and not by a new revision. */
function isUpdated(shown, before) {
    const { updatedAt: now, latestRevisionId: latest, activeRevisionId: active } = shown;
    if (now === undefined || before.updatedAt === undefined || now <= before.updatedAt)
        return false;
    return ((0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_6__/* .idKey */ .T)(latest ?? '') === (0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_6__/* .idKey */ .T)(before.latestRevisionId ?? '') &&
        (0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_6__/* .idKey */ .T)(active ?? '') === (0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_6__/* .idKey */ .T)(before.activeRevisionId ?? ''));
}
function namesOf(fields) {
    return fields.map(_plan_field_rules_js__WEBPACK_IMPORTED_MODULE_3__/* .inputName */ .yu).join(', ');
}
function unconfirmed(id, cameBack) {
    const hint = 'It may have succeeded. Check the deployment before you rerun the job.';
    return new _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AmbiguousWriteError */ .yI({ attempted: `update the deployment ${id}`, cameBack, hint });
}


/***/ }),

/***/ 6193:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  _: () => (/* binding */ restoreRevision),
  O: () => (/* binding */ reviseTo)
});

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./control-plane/same-id.ts
var same_id = __webpack_require__(4945);
// EXTERNAL MODULE: ./rollout/plan/restoration.ts
var restoration = __webpack_require__(5940);
// EXTERNAL MODULE: ./rollout/plan/unchanged.ts
var unchanged = __webpack_require__(8509);
// EXTERNAL MODULE: ./rollout/read/replica-lag.ts
var replica_lag = __webpack_require__(214);
// EXTERNAL MODULE: ./rollout/timing.ts
var timing = __webpack_require__(366);
// EXTERNAL MODULE: ./rollout/apply/write-once.ts + 1 modules
var write_once = __webpack_require__(8873);
;// CONCATENATED MODULE: ./rollout/apply/redeploy.ts







/**
 * Deploys an earlier revision again, once. If the response was lost, a newer revision with its configuration counts as
 * ours.
 * @returns the new revision, or the earlier one itself; `newer-revision`: not the one to restore
 * @throws AmbiguousWriteError when it is unknown whether the control plane has acted; RefusedError when it refuses
 */
async function redeployOnce(deployment, to, deps) {
    const written = await tryRedeploy(deployment, to, deps);
    if ('kind' in written)
        return written;
    const { id: revisionId, repeated } = written;
    if ((0,same_id/* sameId */.s)(revisionId, to.id))
        return { kind: 'made', revisionId, revision: undefined, repeated };
    const read = async () => await deps.controlPlane.getRevision(deployment.id, revisionId);
    const revision = await (0,errors/* ifReadable */.G5)(async () => await (0,replica_lag/* pastReplicaLag */.F)(read, deps));
    const difference = revision && (0,restoration/* distinction */.BM)(revision, to);
    if (difference === undefined)
        return { kind: 'made', revisionId, revision, repeated };
    const builds = difference === 'commit' ? revision?.repoCommitSha : undefined;
    return { kind: 'newer-revision', revisionId, ...(builds !== undefined && { builds }) };
}
async function tryRedeploy(deployment, to, deps) {
    let attempts = 0;
    const redeploy = async () => {
        attempts += 1;
        return await redeployedBy(deployment, to, deps);
    };
    try {
        const { created, repeated } = await (0,write_once/* createRevisionOnce */.tG)(deployment, to.settings, redeploy, deps, to.repoCommitSha);
        return created === undefined ? NOTHING_FOLLOWED : { id: created.id, repeated };
    }
    catch (thrown) {
        if ((0,errors/* mayLackRoute */.I1)(thrown))
            return notMade('no-route', thrown);
        if (!(thrown instanceof errors/* RefusedError */.fk) || ![400, 409, 422].includes(thrown.status))
            throw thrown;
        if (attempts === 1 && thrown.status !== 409)
            return notMade('refused', thrown);
        // The refusal may be due to a redeploy that is under way: that of an attempt that was answered with 429.
        const found = await (0,write_once/* findRevision */.pV)((0,errors/* ambiguous */.zs)(thrown), deployment, to.settings, deps, 0, to.repoCommitSha);
        return found === undefined ? notMade('refused', thrown) : { id: found.id, repeated: [] };
    }
}
const NOTHING_FOLLOWED = {
    kind: 'not-made',
    because: 'no-revision',
    cameBack: 'the control plane accepted the request, and no revision followed',
};
function notMade(because, { trouble }) {
    return { kind: 'not-made', because, cameBack: trouble.cameBack };
}
/**
 * Sends the request, and reads which revision it has made the latest or the active one. A service that creates no
 * revision may also take its time: then the earlier one is unfinished again.
 */
async function redeployedBy(deployment, to, { controlPlane, clock, signal }) {
    const known = [to.id, deployment.latestRevisionId, deployment.activeRevisionId];
    const isBack = ({ latestRevisionId: latest, activeRevisionId: active }) => ((0,same_id/* sameId */.s)(active, to.id) && !(0,same_id/* sameId */.s)(deployment.activeRevisionId, to.id)) ||
        ((0,same_id/* sameId */.s)(latest, to.id) && !(0,same_id/* sameId */.s)(deployment.latestRevisionId, to.id));
    const isUnderWayAgain = async () => {
        const read = await (0,errors/* ifReadable */.G5)(async () => await controlPlane.getRevision(deployment.id, to.id));
        return read !== undefined && (0,unchanged/* isUnfinished */.ui)(read);
    };
    let now = await controlPlane.redeploy(deployment.id, to.id);
    for (let read = 0;; read++) {
        const { latestRevisionId: latest } = now;
        if (latest !== undefined && !known.some((id) => (0,same_id/* sameId */.s)(id, latest)))
            return { id: latest };
        const isLast = read >= timing/* READS_AFTER_REDEPLOY */.E8;
        // Only the response itself, and a read past the lag of replicas, cannot show the state before.
        if ((read === 0 || isLast) && isBack(now))
            return to;
        if (isLast)
            return (await isUnderWayAgain()) ? to : undefined;
        await clock.sleep(timing/* READ_AGAIN_MS */.JX, signal);
        now = (await (0,errors/* ifReadable */.G5)(async () => await controlPlane.getDeployment(deployment.id))) ?? now;
    }
}

;// CONCATENATED MODULE: ./rollout/apply/restore.ts


/**
 * Creates the revision that restores an earlier one: by the redeploy route, or else by repeating its configuration.
 * @returns `not-made`: nothing was written, as only a redeploy restores the revision, and it cannot be made
 * @throws as `redeployOnce` and `reviseOnce`
 */
async function restoreRevision(deployment, { to, draft }, deps) {
    const redeployed = await redeployOnce(deployment, to, deps);
    switch (redeployed.kind) {
        case 'made':
            return { ...redeployed, change: 'redeployed' };
        case 'newer-revision':
            return redeployed;
        case 'not-made':
            return draft === undefined ? redeployed : await reviseTo(deployment, draft, deps);
    }
}
/** Creates a revision with an earlier configuration. */
async function reviseTo(deployment, draft, deps) {
    const revised = await (0,write_once/* reviseOnce */.ol)(deployment, draft, deps);
    return { kind: 'made', change: 'revised', ...revised, revisionId: revised.revision.id };
}


/***/ }),

/***/ 8873:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  tG: () => (/* binding */ createRevisionOnce),
  pV: () => (/* binding */ findRevision),
  ol: () => (/* binding */ reviseOnce)
});

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./rollout/apply/find-created.ts + 1 modules
var find_created = __webpack_require__(6335);
// EXTERNAL MODULE: ./rollout/apply/lost-write.ts
var lost_write = __webpack_require__(5533);
// EXTERNAL MODULE: ./control-plane/same-id.ts
var same_id = __webpack_require__(4945);
// EXTERNAL MODULE: ./rollout/outcome.ts
var outcome = __webpack_require__(4698);
;// CONCATENATED MODULE: ./rollout/apply/new-revision.ts




/**
 * Returns the revision that the response to a POST shows, if it can be the one that the POST has created.
 * @param before the deployment as it was before the POST
 * @throws AmbiguousWriteError when the response shows another revision: the new one is to be looked for
 */
async function ifNew(revision, before, wanted, { controlPlane }) {
    const contradiction = (0,find_created/* hasOtherOrigin */.b7)(revision, wanted)
        ? 'has another configuration'
        : await isEnded(revision, before, controlPlane);
    if (contradiction === undefined)
        return revision;
    throw new errors/* AmbiguousWriteError */.yI({
        attempted: `create a revision of the deployment ${before.id}`,
        cameBack: `the response shows the revision ${revision.id}, which ${contradiction}`,
        hint: 'It may have succeeded. Check the deployment before you rerun the job.',
    });
}
/** A revision that ends at once is ours only if it is the latest one now. */
async function isEnded({ id, status }, before, controlPlane) {
    if ((0,outcome/* phaseOf */.h)(status) !== 'terminal')
        return undefined;
    const now = await (0,errors/* ifReadable */.G5)(async () => await controlPlane.getDeployment(before.id));
    return (0,same_id/* sameId */.s)(now?.latestRevisionId, id) ? undefined : `has ended already (${status})`;
}

;// CONCATENATED MODULE: ./rollout/apply/write-once.ts




/** Creates the revision once. If the response was lost, a newer revision with our configuration counts as ours. */
async function reviseOnce(deployment, draft, deps) {
    const known = [deployment.latestRevisionId, deployment.activeRevisionId];
    const create = async () => {
        const answered = await deps.controlPlane.createRevision(deployment.id, draft, known);
        return await ifNew(answered, deployment, draft.settings, deps);
    };
    const { created, repeated } = await createRevisionOnce(deployment, draft.settings, create, deps);
    return { revision: created, repeated };
}
/**
 * Creates a revision once, by any request: see {@link reviseOnce}.
 * @param commit that it must build, if known: one that reports another commit is not ours
 */
async function createRevisionOnce(deployment, settings, create, deps, commit) {
    let earlier;
    for (let retry = 0;; retry++) {
        const repeated = earlier === undefined ? [] : [{ kind: 'revision', before: deployment, settings }];
        try {
            return { created: await create(), repeated };
        }
        catch (thrown) {
            const lost = (0,lost_write/* lostWrite */.e)(thrown, earlier);
            if (lost === undefined)
                throw thrown;
            if (lost instanceof errors/* AmbiguousWriteError */.yI)
                earlier = lost;
            const found = await findRevision(lost, deployment, settings, deps, retry, commit);
            if (found !== undefined)
                return { created: found, repeated };
            if (retry >= deps.maxRetries || thrown instanceof errors/* RefusedError */.fk)
                throw lost;
        }
    }
}
/** Looks for the newest revision that a lost write may have created. */
async function findRevision(lost, deployment, settings, deps, retry = 0, commit) {
    const find = async (look) => (await (0,find_created/* findCreated */.it)(deployment, settings, look, deps, commit))[0];
    return await (0,lost_write/* findLostWrite */.v)(lost, find, deps, retry);
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

/***/ 1768:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   q: () => (/* binding */ confirmCommit)
/* harmony export */ });
/* harmony import */ var _plan_unchanged_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8509);

/** Confirms that a revision has restored the commit. A tag may have been moved; a branch has moved. */
function confirmCommit(ended, { draft, commit: wanted }) {
    const { outcome, revision } = ended;
    if (outcome.kind !== 'deployed' || wanted === undefined)
        return ended;
    const built = revision?.repoCommitSha;
    const isRestored = built === undefined ? draft !== undefined : (0,_plan_unchanged_js__WEBPACK_IMPORTED_MODULE_0__/* .sameCommit */ .Kd)(built, wanted);
    if (isRestored)
        return ended;
    const failed = { kind: 'failed', because: { kind: 'other-commit', wanted, built } };
    return { ...ended, outcome: failed };
}


/***/ }),

/***/ 4124:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  O: () => (/* binding */ finish)
});

// UNUSED EXPORTS: rollbackAfter

// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ./rollout/dependencies.ts
var dependencies = __webpack_require__(9697);
// EXTERNAL MODULE: ./rollout/timing.ts
var timing = __webpack_require__(366);
// EXTERNAL MODULE: ./rollout/watch/log-tail.ts
var log_tail = __webpack_require__(4111);
// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./control-plane/same-id.ts
var same_id = __webpack_require__(4945);
// EXTERNAL MODULE: ./rollout/apply/patch.ts
var apply_patch = __webpack_require__(4752);
// EXTERNAL MODULE: ./rollout/apply/restore.ts + 1 modules
var restore = __webpack_require__(6193);
// EXTERNAL MODULE: ./rollout/plan/settings.ts
var settings = __webpack_require__(2723);
// EXTERNAL MODULE: ./rollout/read/replica-lag.ts
var replica_lag = __webpack_require__(214);
// EXTERNAL MODULE: ./rollout/watch/superseded.ts
var superseded = __webpack_require__(708);
// EXTERNAL MODULE: ./rollout/watch/watch.ts + 9 modules
var watch = __webpack_require__(8217);
// EXTERNAL MODULE: ./rollout/finish/confirm-commit.ts
var confirm_commit = __webpack_require__(1768);
// EXTERNAL MODULE: ./rollout/plan/diff.ts
var diff = __webpack_require__(493);
// EXTERNAL MODULE: ./rollout/plan/field-rules.ts
var field_rules = __webpack_require__(1418);
// EXTERNAL MODULE: ./rollout/plan/repository.ts
var repository = __webpack_require__(2978);
// EXTERNAL MODULE: ./rollout/plan/restoration.ts
var plan_restoration = __webpack_require__(5940);
;// CONCATENATED MODULE: ./rollout/finish/rollback-plan.ts





/** Decides how to restore the state before the rollout. */
function planRollback({ before, now, activeBefore, serving, changed, api }) {
    if (before === undefined)
        return notPossible({ kind: 'no-deployment-before' });
    const config = settingsToRestore('config', changed, before, now, api);
    if (activeBefore === undefined)
        return notPossible({ kind: 'no-active-revision-before' }, config);
    if (serving !== undefined)
        return notPossible({ kind: 'another-revision-serves', revisionId: serving }, config);
    const { source } = before;
    if (!(0,field_rules/* isSource */.__)(source))
        return notPossible({ kind: 'unknown-source' }, config);
    const restoration = (0,plan_restoration/* planRestoration */.u9)(activeBefore, source);
    if (restoration === 'commit-unknown')
        return notPossible({ kind: 'commit-unknown' });
    const revision = settingsToRestore('revision', (0,settings/* omit */.cJ)(changed, settings/* REPORTED_BY_REVISION */.QW), before, now, api);
    const setsOrigin = changed.imageUri !== undefined || source === 'internal_source';
    const isUnknown = setsOrigin && !(0,plan_restoration/* isRepeatable */.su)(source, restoration.draft?.settings ?? {});
    const draft = isUnknown ? undefined : restoration.draft;
    const { patch } = config;
    const kept = [...config.kept, ...revision.kept];
    if (draft === undefined) {
        // A new revision would build another commit, or the rollout's own image: what only that restores keeps its value.
        const lost = [...kept, ...(0,settings/* setFields */.Ey)(revision.patch ?? {})];
        return { kind: 'restore', ...restoration, draft, onlyByRevision: false, patch, kept: lost };
    }
    const whole = { source, settings: (0,settings/* omit */.cJ)({ ...revision.patch, ...draft.settings }, []) };
    const onlyByRevision = revision.patch !== undefined;
    return { kind: 'restore', ...restoration, draft: whole, onlyByRevision, patch, kept };
}
function notPossible(because, settings = { patch: undefined, kept: [] }) {
    return { kind: 'not-possible', because, ...settings };
}
/** Divides the settings that the rollout has changed into those that can be restored and those that cannot. */
function settingsToRestore(change, changed, { settings: before }, { settings: now }, { emptiesSecrets }) {
    const isUnreported = (field) => before[field] === undefined || (field === 'secrets' && !reportsSecrets(before, changed, now));
    const isLost = (field) => 
    // A tag cannot be built on push: the control plane would refuse the whole patch.
    isUnreported(field) ||
        (field === 'buildOnPush' && (0,repository/* isTag */.dz)(now.repoRef)) ||
        (field === 'secrets' && before.secrets?.length === 0 && !emptiesSecrets);
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

// EXTERNAL MODULE: ./control-plane/forms.ts
var control_plane_forms = __webpack_require__(5138);
// EXTERNAL MODULE: ./control-plane/model.ts
var model = __webpack_require__(1552);
// EXTERNAL MODULE: ./http/agents.ts
var http_agents = __webpack_require__(2635);
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
    const agents = (0,http_agents/* openAgents */.J)({ keepAlive: false });
    let url = address;
    for (let hop = 0;; hop++) {
        const attempt = await readOnce(url, timeoutMs, signal, agents);
        if (attempt.kind !== 'answer')
            return attempt;
        const { status, body } = attempt;
        const location = attempt.headers.location;
        if (!REDIRECTS.has(status) || location === undefined)
            return { kind: 'answer', status, body };
        const next = URL.parse(location, url.href);
        if (next?.origin !== address.origin)
            return { kind: 'answer', status, body, unfollowed: `it redirects to another origin (HTTP ${status})` };
        if (hop === MAX_REDIRECTS)
            return { kind: 'answer', status, body, unfollowed: 'it redirects too many times' };
        url = next;
    }
}
async function readOnce(url, timeoutMs, signal, agents) {
    const headers = { accept: '*/*', 'user-agent': 'deployment-rollout' };
    const request = { method: 'GET', url, headers, timeoutMs, signal, attempted: `verify ${url.href}` };
    const attempt = await (0,exchange/* exchange */.c)(request, agents);
    signal.throwIfAborted();
    if (attempt.kind === 'failure') {
        const { cause, failure, cameBack: trouble } = attempt;
        // Behind a proxy, it is the proxy that refuses the connection.
        if ((0,http_agents/* hasProxy */.j)(url))
            return { kind: 'trouble', trouble };
        if (isRefusal(cause))
            return { kind: 'refused', trouble };
        return { kind: failure.kind === 'answer-lost' ? 'lost' : 'trouble', trouble };
    }
    const isOfProxy = attempt.status === 407;
    return isOfProxy ? { kind: 'trouble', trouble: 'a proxy demands credentials (HTTP 407)' } : attempt;
}
const REFUSALS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
/** A name may have several addresses: each of them must refuse. */
function isRefusal(cause) {
    if (cause instanceof AggregateError)
        return cause.errors.length > 0 && cause.errors.every((one) => Error.isError(one) && isRefusal(one));
    return 'code' in cause && typeof cause.code === 'string' && REFUSALS.has(cause.code);
}

// EXTERNAL MODULE: ./web-address.ts
var web_address = __webpack_require__(4155);
// EXTERNAL MODULE: ./rollout/watch/confirm.ts
var watch_confirm = __webpack_require__(854);
;// CONCATENATED MODULE: ./rollout/finish/evidence.ts
/**
 * What failed probes show about the revision: those of a whole check. One answer is enough. A refusal may be a moment's:
 * each probe must end in one. Everything else may have its reason outside of the deployment.
 */
function evidenceOf(ends) {
    if (ends.includes('answer'))
        return 'answer';
    return ends.length > 0 && ends.every((end) => end === 'refused') ? 'refusals' : 'none';
}
/**
 * The same for the last probes in a row of a bake. Before them, the address answered this runner: it is the deployment
 * that hangs when no answer comes in time.
 */
function evidenceAfterSuccess(ends) {
    return evidenceOf(ends.map((end) => (end === 'lost' ? 'refused' : end)));
}

;// CONCATENATED MODULE: ./rollout/finish/bake.ts


/** Begins to bake at the first good answer. A short bake reads more often, so that a row of failures fits into it. */
function beginBake(url, forMs, now) {
    const pauseMs = Math.max(timing/* SHORTEST_BAKE_PAUSE_MS */.lK, Math.min(timing/* LONGEST_BAKE_PAUSE_MS */.nY, forMs / timing/* BAKE_READS */._F));
    const endsAt = now + forMs;
    const bake = { since: now, endsAt, pauseMs, reportedAt: now, row: [], rowSince: now, reads: 0, failures: 0 };
    const next = { kind: 'read', at: Math.min(now + pauseMs, endsAt) };
    return { bake, events: [{ kind: 'bake-began', url, forMs }], next };
}
/** Decides after each read. {@link BAKE_FAILURES} failures in a row end the bake; a row that has begun is always decided. */
function stepBake(before, read) {
    const counted = { ...before, reads: before.reads + 1 };
    return read.trouble === undefined ? afterSuccess(counted, read) : afterFailure(counted, read, read.trouble);
}
function afterSuccess(before, { startedAt, endedAt: now }) {
    const { since, endsAt, pauseMs, row, reads, failures } = before;
    const events = row.length === 0 ? [] : [{ kind: 'bake-recovered', row: row.length }];
    if (now >= endsAt) {
        const forMs = now - since;
        events.push({ kind: 'bake-passed', forMs, reads, failures });
        return { bake: { ...before, row: [] }, events, next: { kind: 'end', end: { kind: 'passed' } } };
    }
    // The next step comes after a pause and a request: the line must not be later than that.
    const isDue = now >= before.reportedAt + timing/* HEARTBEAT_MS */.m - pauseMs - timing/* VERIFY_REQUEST_TIMEOUT_MS */.bu;
    if (isDue && events.length === 0)
        events.push({ kind: 'baking', forMs: now - since, leftMs: endsAt - now });
    const reportedAt = events.length === 0 ? before.reportedAt : now;
    const at = Math.max(now, Math.min(startedAt + pauseMs, endsAt));
    return { bake: { ...before, row: [], reportedAt }, events, next: { kind: 'read', at } };
}
function afterFailure(before, { startedAt, endedAt: now, kind }, trouble) {
    const { since, pauseMs } = before;
    const row = [...before.row, kind];
    const rowSince = row.length === 1 ? startedAt : before.rowSince;
    const bake = { ...before, row, rowSince, failures: before.failures + 1, reportedAt: now };
    const events = [{ kind: 'bake-failed', trouble, row: row.length, of: timing/* BAKE_FAILURES */.cK }];
    if (row.length < timing/* BAKE_FAILURES */.cK)
        return { bake, events, next: { kind: 'read', at: Math.max(now, startedAt + pauseMs) } };
    const end = { kind: 'down', trouble, evidence: evidenceAfterSuccess(row), afterMs: rowSince - since };
    return { bake, events, next: { kind: 'end', end } };
}

;// CONCATENATED MODULE: ./rollout/finish/verify.ts










/**
 * Verifies a deployed revision by its address, for as long as the request wants, and checks afterwards that it is still
 * the active one.
 */
async function verifyRevision(ended, { verification }, deps) {
    const { outcome, revision, url, deploymentId } = ended;
    if (outcome.kind !== 'deployed' || revision === undefined || verification === undefined)
        return outcome;
    deps.emit({ kind: 'verifying', url: verification.url });
    const { controlPlane } = (0,dependencies/* withTime */.C)(deps, verification.timeoutMs);
    const end = await verify(verification, url, {
        ...deps,
        probe: async (address, timeoutMs) => await probe(address, timeoutMs, deps.signal),
        findUrl: async () => (0,model/* addressOf */.ci)(await controlPlane.getDeployment(deploymentId)),
    });
    if (end.kind === 'unverified')
        deps.emit({ ...end, kind: 'verification-failed' });
    // Verification takes time: the last response may come from another revision that is now active.
    const again = await (0,errors/* ifReadable */.G5)(async () => await (0,watch_confirm/* confirmEnd */.E5)(revision, ended, deps));
    if (again?.kind === 'superseded')
        return again;
    return end.kind === 'verified' ? outcome : end;
}
/**
 * Reads the address until it answers as expected, or `verify-timeout` is over. The last read is at its end. With
 * `verify-for`, the address must then keep answering so.
 */
async function verify(verification, deploymentUrl, deps) {
    const { clock, signal, emit } = deps;
    const since = clock.now();
    const endsAt = since + verification.timeoutMs;
    const needsUrl = verification.url.includes('{url}');
    const ends = [];
    let known = deploymentUrl;
    let reportedAt = since;
    for (let pause = timing/* FIRST_VERIFY_PAUSE_MS */.Rz;; pause = Math.min(pause * 2, timing/* LONGEST_VERIFY_PAUSE_MS */.fy)) {
        if (needsUrl)
            known ??= await (0,errors/* ifReadable */.G5)(deps.findUrl);
        const address = needsUrl && known === undefined
            ? undefined
            : filledAddress(verification.url, needsUrl ? known : undefined, deps.reveals);
        const url = typeof address === 'object' ? address.href : verification.url;
        const unverified = (trouble) => ({
            kind: 'unverified',
            url,
            trouble,
            evidence: evidenceOf(ends),
        });
        if (typeof address === 'string')
            return unverified(address);
        const timeoutMs = Math.max(timing/* FIRST_VERIFY_PAUSE_MS */.Rz, Math.min(timing/* VERIFY_REQUEST_TIMEOUT_MS */.bu, endsAt - clock.now()));
        const result = address === undefined ? { kind: 'trouble', trouble: NO_ADDRESS } : await deps.probe(address, timeoutMs);
        ends.push(result.kind);
        const trouble = troubleWith(result, verification);
        if (trouble === undefined)
            return address === undefined ? VERIFIED : await bake(address, verification, deps);
        const now = clock.now();
        const left = endsAt - now;
        if (left <= 0)
            return unverified(trouble);
        if (now >= reportedAt + timing/* HEARTBEAT_MS */.m) {
            emit({ kind: 'not-yet-verified', trouble, forMs: now - since, leftMs: left });
            reportedAt = now;
        }
        await clock.sleep(Math.min(pause, left), signal);
    }
}
const VERIFIED = { kind: 'verified' };
/** Reads the address on for as long as `verify-for` wants. */
async function bake(address, verification, { clock, signal, emit, probe: read }) {
    const { forMs } = verification;
    if (forMs === undefined)
        return VERIFIED;
    let taken = beginBake(address.href, forMs, clock.now());
    for (;;) {
        taken.events.forEach(emit);
        const { next } = taken;
        if (next.kind === 'end') {
            const { end } = next;
            if (end.kind === 'passed')
                return VERIFIED;
            const { trouble, evidence, afterMs } = end;
            return { kind: 'unverified', url: address.href, trouble, evidence, afterMs };
        }
        await clock.sleep(Math.max(0, next.at - clock.now()), signal);
        const startedAt = clock.now();
        const result = await read(address, timing/* VERIFY_REQUEST_TIMEOUT_MS */.bu);
        const trouble = troubleWith(result, verification);
        taken = stepBake(taken.bake, { startedAt, endedAt: clock.now(), kind: result.kind, trouble });
    }
}
const NO_ADDRESS = 'the control plane reports no address for the deployment';
/**
 * Returns the address, or why it cannot be used. An address that may not be shown is neither requested: its server need
 * not be the deployment.
 */
function filledAddress(template, deploymentUrl, reveals) {
    if (deploymentUrl === undefined)
        return (0,web_address/* webAddressOf */.c)(template) ?? `${template} ${NOT_PLAIN}`;
    if (reveals(deploymentUrl))
        return 'the address that the control plane reports contains a secret';
    const filled = template.replaceAll('{url}', deploymentUrl.replace(/\/+$/, ''));
    const address = (0,control_plane_forms/* isAddress */.PW)(deploymentUrl) ? (0,web_address/* webAddressOf */.c)(filled) : undefined;
    return address ?? `the address that the control plane reports ${NOT_PLAIN}`;
}
const NOT_PLAIN = 'is not a plain web address';
function troubleWith(result, { status, contains }) {
    if (result.kind !== 'answer')
        return result.trouble;
    if (result.unfollowed !== undefined)
        return result.unfollowed;
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
    const { outcome } = ended;
    const report = (rollback) => deps.emit({ kind: 'rollback-changed', rollback });
    let revisionId;
    try {
        const now = await readPresent(ended, deps);
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
        if (applied.kind !== 'made') {
            const restored = (0,settings/* setFields */.Ey)(isPatchedFirst(plan) ? (patch ?? {}) : {});
            report({ kind: 'not-possible', because: obstacleOf(applied, plan), restored, kept });
            return outcome;
        }
        revisionId = applied.revisionId;
        const known = (0,watch/* knownOf */.bz)(now);
        const reportsActive = known.reportsActive || ended.reportsActive;
        const restoring = { ...known, ...applied, before: now, reportsActive };
        const result = await watchRollback(restoring, plan, request, deps);
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
/** Our revision was active just now: a read that shows the one before it as active may be of a lagging replica. */
async function readPresent({ deploymentId, before, outcome }, deps) {
    const { controlPlane, clock, signal } = deps;
    const read = async () => await (0,replica_lag/* pastReplicaLag */.F)(async () => await controlPlane.getDeployment(deploymentId), deps);
    const now = await read();
    if (outcome.kind !== 'unverified' || !(0,same_id/* sameId */.s)(now.activeRevisionId, before?.activeRevisionId))
        return now;
    await clock.sleep(timing/* STALE_READ_MS */.CG, signal);
    return await read();
}
async function makeRollbackPlan(now, { before, revision, outcome }, { settings: changed }, deps) {
    const { controlPlane } = deps;
    const newer = revision && (await (0,superseded/* supersededBy */.g)(revision, now, { ...deps, before, unreadable: 'newer' }));
    if (newer !== undefined)
        return notPossible({ kind: 'newer-revision', revisionId: newer });
    const activeId = before?.activeRevisionId ?? undefined;
    const serving = servingInstead(now, revision, outcome.kind === 'unverified' ? undefined : activeId);
    const activeBefore = activeId === undefined
        ? undefined
        : await (0,replica_lag/* pastReplicaLag */.F)(async () => await controlPlane.getRevision(now.id, activeId), deps);
    return planRollback({ before, now, changed, activeBefore, serving, api: controlPlane.api });
}
/** Returns the revision that serves in place of the failed one; `assumed` if the control plane does not report it. */
function servingInstead({ activeRevisionId: active }, failed, assumed) {
    if (active === undefined)
        return assumed;
    return active === null || (0,same_id/* sameId */.s)(active, failed?.id) ? undefined : active;
}
/** A revision that only a redeploy restores may turn out to be impossible to restore: then nothing was written. */
function isPatchedFirst({ draft }) {
    return draft !== undefined;
}
/** Creates the revision that restores the earlier one, by the redeploy route if the service has it. */
async function applyRollback(deployment, plan, deps) {
    const { draft, patch, onlyByRevision } = plan;
    const patchSettings = async () => {
        if (patch !== undefined)
            await (0,apply_patch/* patchDeployment */.G)(deployment, patch, deps);
    };
    if (isPatchedFirst(plan))
        await patchSettings();
    const restored = onlyByRevision && draft !== undefined
        ? await (0,restore/* reviseTo */.O)(deployment, draft, deps)
        : await (0,restore/* restoreRevision */._)(deployment, plan, deps);
    if (restored.kind === 'made' && !isPatchedFirst(plan))
        await patchSettings();
    return restored;
}
function obstacleOf(applied, { to }) {
    const { repoCommitSha: commit } = to;
    if (applied.kind === 'not-made')
        return { ...applied, kind: 'not-redeployed', commit };
    const { kind, revisionId, builds } = applied;
    return builds === undefined
        ? { kind, revisionId }
        : { kind: 'other-commit', revisionId, builds, wanted: commit ?? '' };
}
/**
 * Its events are marked: the record is about the rollout's own revision. One good answer verifies it: it has served before.
 */
async function watchRollback(restoring, plan, request, deps) {
    const marked = { ...deps, emit: (event) => deps.emit({ kind: 'during-rollback', event }) };
    const { verification } = request;
    const once = { ...request, verification: verification && { ...verification, forMs: undefined } };
    const ended = (0,confirm_commit/* confirmCommit */.q)(await (0,watch/* watchRevision */.rj)(restoring, request, marked), plan);
    // No response need report the address that the rollback has restored.
    const url = plan.patch?.customUrl ?? ended.url ?? request.settings.customUrl;
    return await verifyRevision({ ...ended, url }, once, marked);
}

;// CONCATENATED MODULE: ./rollout/finish/finish.ts






/** Reads the log that explains a failure, verifies a success, and restores the earlier revision if requested. */
async function finish(ended, request, deps) {
    const outcome = await verifyRevision({ ...ended, url: request.settings.customUrl ?? ended.url }, request, deps);
    if (request.logs !== 'never')
        await readFailureLog({ ...ended, outcome }, deps);
    if (request.rollback === 'never')
        return outcome;
    switch (rollbackAfter(outcome)) {
        case 'none':
            return outcome;
        case 'unfounded': {
            const rollback = { kind: 'not-possible', because: { kind: 'no-evidence' }, restored: [], kept: [] };
            deps.emit({ kind: 'rollback-changed', rollback });
            return outcome;
        }
        case 'due':
            return await rollBack({ ...ended, outcome }, request, (0,dependencies/* withTime */.C)(deps, request.timeoutMs));
    }
}
/** Whether an outcome justifies a rollback. `unfounded`: the check failed, and shows nothing against the revision. */
function rollbackAfter(outcome) {
    if (outcome.kind === 'unverified')
        return outcome.evidence === 'none' ? 'unfounded' : 'due';
    return hasFailed(outcome) ? 'due' : 'none';
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
        const messages = await controlPlane.readLog(ended.deploymentId, ended.revisionId, { type, lines: LOG_LINES });
        const lines = messages.flatMap(log_tail/* linesOf */.Dx).slice(-LOG_LINES);
        deps.emit({ kind: 'log-read', type, lines, isShown: ended.shownLogs.includes(type) });
    }
    catch (thrown) {
        deps.signal.throwIfAborted();
        deps.emit({ kind: 'log-unreadable', trouble: (0,clock/* toError */.i)(thrown).message });
    }
}
/** The log that explains a failure: of the phase that failed or takes too long, or of the app that fails its check. */
function failureLogOf({ outcome, revision, lastPhase }) {
    if (outcome.kind === 'unverified')
        return 'deploy';
    // A service that does not answer polls does not return its logs either.
    if (outcome.kind === 'timed-out' && outcome.lastTrouble === undefined)
        return lastPhase;
    if (outcome.kind !== 'interrupted' && !hasFailed(outcome))
        return undefined;
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

/***/ 5940:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   BM: () => (/* binding */ distinction),
/* harmony export */   su: () => (/* binding */ isRepeatable),
/* harmony export */   u9: () => (/* binding */ planRestoration),
/* harmony export */   xj: () => (/* binding */ isProvenSame)
/* harmony export */ });
/* harmony import */ var _control_plane_model_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1552);
/* harmony import */ var _diff_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(493);
/* harmony import */ var _field_rules_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1418);
/* harmony import */ var _repository_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(2978);
/* harmony import */ var _settings_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2723);
/* harmony import */ var _unchanged_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8509);






/**
 * Plans how a revision is restored. A branch moves on: only a redeploy can build its earlier commit again, and only the
 * reported commit proves it.
 * @returns `commit-unknown`: the revision is of a branch, and reports no commit
 */
function planRestoration(to, source) {
    const settings = (0,_field_rules_js__WEBPACK_IMPORTED_MODULE_2__/* .repeatable */ .EQ)(to.settings, source);
    if (source !== 'git_host')
        return { to, draft: { source, settings }, commit: undefined };
    const { repoCommitSha: commit } = to;
    if ((0,_repository_js__WEBPACK_IMPORTED_MODULE_5__/* .isTag */ .dz)(settings.repoRef))
        return { to, draft: { source, settings }, commit };
    return commit === undefined ? 'commit-unknown' : { to, draft: undefined, commit };
}
/** Whether a revision of the source can be repeated: a tag, an image or an upload (interface, "rollback"). */
function isRepeatable(source, { repoRef, imageUri, sourceTarballPath }) {
    switch (source) {
        case 'git_host':
            return repoRef !== undefined;
        case 'external_container':
        case 'internal_container':
            return imageUri !== undefined;
        case 'internal_source':
            return sourceTarballPath !== undefined;
        case 'internal_template':
            return false;
    }
}
/** What distinguishes two revisions; a value that one of them does not report distinguishes nothing. */
function distinction(one, to) {
    const both = (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .setFields */ .Ey)(to.settings, _settings_js__WEBPACK_IMPORTED_MODULE_3__/* .REPORTED_BY_REVISION */ .QW).filter((field) => one.settings[field] !== undefined);
    // A revision may show its commit in place of the tag; the commit is compared below.
    const shown = (0,_control_plane_model_js__WEBPACK_IMPORTED_MODULE_0__/* .withBranch */ .tq)(one.settings, to.settings.repoRef);
    if (both.some((field) => (0,_diff_js__WEBPACK_IMPORTED_MODULE_1__/* .differenceOf */ .Pq)(field, shown, to.settings) !== 'same'))
        return 'settings';
    const [built, wanted] = [one.repoCommitSha, to.repoCommitSha];
    return built === undefined || wanted === undefined || (0,_unchanged_js__WEBPACK_IMPORTED_MODULE_4__/* .sameCommit */ .Kd)(built, wanted) ? undefined : 'commit';
}
/** Whether the revision reports everything that `to` does, with the same values. */
function isProvenSame(one, to) {
    const fields = (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .setFields */ .Ey)(to.settings, _settings_js__WEBPACK_IMPORTED_MODULE_3__/* .REPORTED_BY_REVISION */ .QW);
    const isReported = fields.length > 0 && fields.every((field) => one.settings[field] !== undefined);
    const hasCommit = to.repoCommitSha === undefined || one.repoCommitSha !== undefined;
    return isReported && hasCommit && distinction(one, to) === undefined;
}


/***/ }),

/***/ 8509:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Kd: () => (/* binding */ sameCommit),
/* harmony export */   at: () => (/* binding */ firstDifference),
/* harmony export */   ok: () => (/* binding */ compareWithActive),
/* harmony export */   ui: () => (/* binding */ isUnfinished)
/* harmony export */ });
/* harmony import */ var _control_plane_model_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1552);
/* harmony import */ var _control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4945);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4698);
/* harmony import */ var _diff_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(493);
/* harmony import */ var _settings_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2723);





/** Whatever is unknown counts as a difference: an unnecessary revision does no harm, a missing one does. */
function compareWithActive(wanted, { current, active, latest }) {
    const { settings, source, commit } = wanted;
    if (active === undefined)
        return { kind: 'no-active-revision' };
    if (source === 'internal_source')
        return { kind: 'uploaded-source' };
    if (latest !== undefined && !(0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_4__/* .sameId */ .s)(latest.id, active.id)) {
        if (isUnfinished(latest))
            return { kind: 'newer-unfinished', revisionId: latest.id };
        const [field] = (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .setFields */ .Ey)(settings, (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldsOf */ .Pf)('revision')).filter((one) => !_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .REPORTED_BY_REVISION */ .QW.includes(one));
        if (field !== undefined)
            return { kind: 'field-of-latest-only', field };
    }
    const difference = firstDifference(wanted, current, active);
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
function sameCommit(one, other) {
    return one.toLowerCase() === other.toLowerCase();
}
function isUnfinished({ status }) {
    return (0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .phaseOf */ .h)(status) !== 'terminal';
}
/** The first setting of the request that the revision, or its deployment, does not show with the same value. */
function firstDifference({ settings: wanted, unreported }, current, revision) {
    const ofRevision = (0,_control_plane_model_js__WEBPACK_IMPORTED_MODULE_0__/* .withBranch */ .tq)(revision.settings, current.branch);
    for (const field of (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .setFields */ .Ey)(wanted, [...(0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldsOf */ .Pf)('config'), ...(0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldsOf */ .Pf)('revision')])) {
        const reported = _settings_js__WEBPACK_IMPORTED_MODULE_3__/* .REPORTED_BY_REVISION */ .QW.includes(field) ? ofRevision : current.settings;
        const difference = (0,_diff_js__WEBPACK_IMPORTED_MODULE_2__/* .differenceOf */ .Pq)(field, reported, wanted, unreported);
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
/* harmony export */   HZ: () => (/* binding */ findDeployment),
/* harmony export */   _U: () => (/* binding */ findByName),
/* harmony export */   xx: () => (/* binding */ findExisting)
/* harmony export */ });
/* harmony import */ var _problem_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2035);
/* harmony import */ var _rollout_request_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(803);
/* harmony import */ var _paginate_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6998);
/* harmony import */ var _replica_lag_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(214);




/**
 * Finds the deployment; `undefined` if none has that name.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the id is unknown
 */
async function findDeployment(target, deps) {
    const { controlPlane } = deps;
    if (target.kind === 'name')
        return await findByName(target.name, controlPlane);
    return await (0,_replica_lag_js__WEBPACK_IMPORTED_MODULE_1__/* .pastBrokenAnswers */ .B)(async () => await controlPlane.getDeployment(target.id), deps);
}
/**
 * Finds the deployment that a step requires to exist.
 * @throws InputError when none has that name; else as {@link findDeployment}
 */
async function findExisting(target, deps) {
    const deployment = await findDeployment(target, deps);
    if (deployment !== undefined)
        return deployment;
    const message = 'names no deployment that these credentials can see';
    throw new _problem_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz([{ input: 'name', value: (0,_rollout_request_js__WEBPACK_IMPORTED_MODULE_2__/* .nameOf */ .V)(target), message }]);
}
/** Reads pages until the exact name is found: the control plane's filter matches a substring or a prefix. */
async function findByName(name, controlPlane) {
    const all = (0,_paginate_js__WEBPACK_IMPORTED_MODULE_3__/* .readAll */ .y)(async (query) => await controlPlane.listDeployments({ nameContains: name, ...query }));
    for await (const deployment of all)
        if (deployment.name === name)
            return deployment;
    return undefined;
}


/***/ }),

/***/ 6998:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ PAGE_SIZE),
/* harmony export */   y: () => (/* binding */ readAll)
/* harmony export */ });
/* harmony import */ var _control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4945);

/** The contract's largest page. */
const PAGE_SIZE = 100;
/** A service that ignores the limit may end a page here: half of the contract's default page. */
const SMALLEST_FULL_PAGE = 10;
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
/** Whether more entries may follow the first page. One with an offset beyond its length was cut before it was filtered. */
function mayBeFull(length, offset) {
    return length >= SMALLEST_FULL_PAGE || offset > length;
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
        if (pagesWithoutNew === patience || page.offset <= offset)
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

/***/ 271:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Dd: () => (/* binding */ ageByDate),
/* harmony export */   VM: () => (/* binding */ LISTED_REVISIONS),
/* harmony export */   ll: () => (/* binding */ newestFirst)
/* harmony export */ });
/* harmony import */ var _control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4945);

/** How many revisions a list is read for, the newest ones. */
const LISTED_REVISIONS = 20;
/**
 * Returns the list if nothing contradicts its order, newest first (contract notes, `GET /v2/deployments/{id}/revisions`).
 * @param known ids of which each is certainly newer than the next one
 */
function newestFirst(listed, known) {
    const places = known.map((id) => listed?.findIndex((one) => (0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_0__/* .sameId */ .s)(one.id, id)) ?? -1).filter((place) => place >= 0);
    const isReversed = places.some((place, n) => place < (places[n - 1] ?? 0));
    const isContradicted = listed?.some(({ createdAt }, n) => ageByDate(createdAt, listed[n - 1]?.createdAt) === 'newer');
    return isReversed || isContradicted ? undefined : listed;
}
/** Compares two dates in milliseconds. A date without a fraction may be cut: two of one second have no order. */
function ageByDate(date, ours) {
    if (date === undefined || ours === undefined || date === ours)
        return 'unknown';
    const isCut = date % 1000 === 0 || ours % 1000 === 0;
    if (isCut && Math.floor(date / 1000) === Math.floor(ours / 1000))
        return 'unknown';
    return date > ours ? 'newer' : 'older';
}


/***/ }),

/***/ 854:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E5: () => (/* binding */ confirmEnd),
/* harmony export */   Xf: () => (/* binding */ confirmationTime)
/* harmony export */ });
/* unused harmony export confirmOutcome */
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4945);
/* harmony import */ var _dependencies_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9697);
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(366);
/* harmony import */ var _superseded_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(708);





/** As {@link confirmOutcome}: a revision that ended in time may be confirmed after the run's deadline. */
async function confirmEnd(revision, { deploymentId, before, reportsActive }, deps) {
    const about = { deploymentId, before, reportsActive };
    return await confirmOutcome(revision, { ...(0,_dependencies_js__WEBPACK_IMPORTED_MODULE_2__/* .withTime */ .C)(deps, confirmationTime(deps)), ...about });
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
    let { reportsActive } = options;
    const { outcome, last } = await readUntilDecided('activation', options.deadline, options, async (deployment) => {
        const { activeRevisionId: active } = deployment;
        if ((0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_4__/* .sameId */ .s)(active, revision.id))
            return { kind: 'deployed', confirmed: true };
        // One response may lack what others have. It shows nothing then.
        if (active === undefined)
            return reportsActive ? undefined : { kind: 'deployed', confirmed: false };
        reportsActive = true;
        // Only the active revision counts here: a newer one that is still under way supersedes ours later, if at all.
        return await supersession(revision, { ...deployment, latestRevisionId: undefined }, options, 'older');
    });
    if (outcome !== undefined)
        return outcome;
    const active = typeof last === 'string' ? undefined : last.activeRevisionId;
    if (active === undefined) {
        const trouble = typeof last === 'string' ? last : 'the last response lacks active_revision_id, which others had';
        return { kind: 'failed', because: { kind: 'active-unknown', trouble } };
    }
    return active ? { kind: 'superseded', by: active } : { kind: 'failed', because: { kind: 'nothing-active' } };
}
/** Undefined when no newer revision shows in time: then the revision's own status decides. */
async function findSuccessor(revision, options) {
    const end = Math.min(options.clock.now() + _timing_js__WEBPACK_IMPORTED_MODULE_3__/* .SUCCESSION_GRACE_MS */ .Of, options.deadline);
    const { outcome } = await readUntilDecided('successor', end, options, async (deployment) => await supersession(revision, deployment, options, 'newer'));
    return outcome;
}
async function supersession(revision, deployment, options, unreadable) {
    const by = await (0,_superseded_js__WEBPACK_IMPORTED_MODULE_1__/* .supersededBy */ .g)(revision, deployment, { ...options, unreadable });
    return by === undefined ? undefined : { kind: 'superseded', by };
}
/** Reads the deployment until it decides the outcome, for the last time at `end`. `last`: the last read, or its trouble. */
async function readUntilDecided(until, end, options, decide) {
    const { clock, signal, emit } = options;
    for (let read = 1;; read++) {
        const last = await tryRead(options);
        const outcome = typeof last === 'string' ? undefined : await decide(last);
        if (outcome !== undefined || clock.now() >= end)
            return { outcome, last };
        if (read === 1)
            emit({ kind: 'awaiting', until, forMs: end - clock.now() });
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

/***/ 4111:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Cm: () => (/* binding */ NEW_TAIL),
/* harmony export */   Dx: () => (/* binding */ linesOf),
/* harmony export */   z$: () => (/* binding */ tailStep)
/* harmony export */ });
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(366);

const NEW_TAIL = { from: undefined, known: 0, keys: new Set(), limit: _timing_js__WEBPACK_IMPORTED_MODULE_0__/* .LOG_PAGE_ENTRIES */ .Gj };
/** Takes what is new from an answer. A failed request loses nothing: the next one begins at the same place. */
function tailStep(tail, answer) {
    switch (answer.kind) {
        case 'failed':
            return { tail, lines: [], rest: 'more' };
        case 'unusable':
            return { tail: { ...tail, limit: Math.max(1, Math.ceil(tail.limit / 2)) }, lines: [], rest: 'more' };
        case 'page': {
            const { entries, next } = answer.page;
            const keys = new Set(tail.keys);
            const fresh = entries.slice(tail.known).filter(({ key }) => {
                if (key === undefined)
                    return true;
                const isNew = !keys.has(key);
                keys.add(key);
                return isNew;
            });
            const place = placeAfter(tail, answer.page);
            // A service that does not move on shows what is new only behind what is known.
            const limit = place.known === 0
                ? tail.limit
                : Math.max(tail.limit, Math.min(_timing_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_LOG_PAGE_ENTRIES */ .dK, place.known + _timing_js__WEBPACK_IMPORTED_MODULE_0__/* .LOG_PAGE_ENTRIES */ .Gj));
            const isShort = entries.length < tail.limit;
            const isAtEnd = entries.length <= tail.known || (isShort && next === undefined);
            return {
                tail: { ...place, keys, limit },
                lines: fresh.flatMap(({ message }) => linesOf(message)),
                rest: isAtEnd ? 'none' : isShort ? 'perhaps' : 'more',
            };
        }
    }
}
/** The lines of a message; the line break at its end begins no further one. */
function linesOf(message) {
    return message.replace(/(?:\r\n?|\n)$/, '').split(/\r\n?|\n/);
}
/**
 * A text is a place that only the service understands. A number is the count of entries before the page: then the action
 * counts, too, because services report null, or a number that is too large, on the last page.
 */
function placeAfter({ from, limit }, { entries, next }) {
    const count = entries.length;
    if (typeof next === 'string')
        return next === from ? { from, known: count } : { from: next, known: 0 };
    if (typeof from === 'string')
        return next === undefined ? { from, known: count } : { from: next, known: 0 };
    if (from === undefined && count === 0)
        return { from, known: 0 };
    const counted = (from ?? 0) + count;
    const isMisleading = next === undefined || next <= counted || (count < limit && next === (from ?? 0) + limit);
    return { from: isMisleading ? counted : next, known: 0 };
}


/***/ }),

/***/ 4912:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   l: () => (/* binding */ newestOfOurs)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4945);
/* harmony import */ var _apply_find_created_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6335);
/* harmony import */ var _dependencies_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9697);
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(366);
/* harmony import */ var _confirm_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(854);






/** The look is made long after the write. */
const PAST_LAG = { isPastLag: true };
/**
 * Emits what the control plane made of a lost write besides its repetition, and returns the newest revision of ours if
 * that is another one than the ended one.
 */
async function newestOfOurs(ended, deps) {
    const { outcome, repeated } = ended;
    if (repeated.length === 0 || outcome.kind === 'timed-out')
        return undefined;
    const timed = (0,_dependencies_js__WEBPACK_IMPORTED_MODULE_3__/* .withTime */ .C)(deps, (0,_confirm_js__WEBPACK_IMPORTED_MODULE_2__/* .confirmationTime */ .Xf)(deps));
    let newest;
    for (const one of repeated) {
        if (one.kind === 'revision')
            newest = await newestRevision(one, ended, timed);
        else
            await reportOtherDeployment(one, ended, timed);
    }
    return newest;
}
async function newestRevision({ before, settings }, { revisionId, outcome }, deps) {
    // A lagging replica does not show yet by which revision ours is superseded.
    const reads = outcome.kind === 'superseded' ? _timing_js__WEBPACK_IMPORTED_MODULE_4__/* .READS_OF_SUCCESSOR */ .n4 : 1;
    for (let read = 1;; read++) {
        const found = (await (0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ifReadable */ .G5)(async () => await (0,_apply_find_created_js__WEBPACK_IMPORTED_MODULE_1__/* .findNewer */ .pF)(before, settings, PAST_LAG, deps))) ?? [];
        const place = found.findIndex(({ revision: { id } }) => (0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_5__/* .sameId */ .s)(id, revisionId));
        // Newer is what the list shows before our own revision; without that, nothing is known to be newer.
        const newest = found.slice(0, Math.max(0, place)).find(({ kinship }) => kinship === 'ours')?.revision;
        const kept = newest?.id ?? revisionId;
        const others = found.filter(({ revision: { id } }) => !(0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_5__/* .sameId */ .s)(id, kept));
        for (const { revision, kinship } of others) {
            const isOurs = kinship === 'ours' || (0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_5__/* .sameId */ .s)(revision.id, revisionId);
            const twice = { kind: 'made-twice', what: 'revision', ours: kept, other: revision.id };
            deps.emit(isOurs ? twice : { ...twice, isDoubtful: true });
        }
        if (others.length > 0)
            return newest;
        if (read >= reads || deps.clock.now() >= deps.deadline)
            return undefined;
        await deps.clock.sleep(_timing_js__WEBPACK_IMPORTED_MODULE_4__/* .READ_AGAIN_MS */ .JX, deps.signal);
    }
}
async function reportOtherDeployment({ draft }, { deploymentId }, deps) {
    const drafted = (await (0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ifReadable */ .G5)(async () => await (0,_apply_find_created_js__WEBPACK_IMPORTED_MODULE_1__/* .findDrafted */ .im)(draft, deps))) ?? [];
    const other = drafted.find(({ id }) => !(0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_5__/* .sameId */ .s)(id, deploymentId));
    if (other !== undefined)
        deps.emit({ kind: 'made-twice', what: 'deployment', ours: deploymentId, other: other.id });
}


/***/ }),

/***/ 708:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   g: () => (/* binding */ supersededBy)
/* harmony export */ });
/* unused harmony export ageInList */
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4945);
/* harmony import */ var _read_revision_order_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(271);
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(366);




/**
 * Finds the newer revision that the deployment reports as its latest or its active one; undefined when ours is the
 * newest. A lagging replica reports an older revision, and so does a deployment that another client revised between our
 * read and our write: an older revision supersedes nothing. The list's order decides, unless it contradicts itself;
 * dates count only without it.
 */
async function supersededBy(ours, deployment, options) {
    const { id: deploymentId, latestRevisionId: latest, activeRevisionId: active } = deployment;
    const { controlPlane, before } = options;
    const known = [ours.id, before?.latestRevisionId, before?.activeRevisionId];
    const candidates = [latest, (0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_1__/* .sameId */ .s)(latest, active) ? undefined : active]
        .filter((id) => typeof id === 'string')
        .filter((id) => !known.some((one) => (0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_1__/* .sameId */ .s)(one, id)));
    if (candidates.length === 0)
        return undefined;
    const listed = await (0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ifReadable */ .G5)(async () => await controlPlane.listRevisions(deploymentId, { limit: _read_revision_order_js__WEBPACK_IMPORTED_MODULE_2__/* .LISTED_REVISIONS */ .VM }));
    const ids = ((0,_read_revision_order_js__WEBPACK_IMPORTED_MODULE_2__/* .newestFirst */ .ll)(listed, [ours.id, before?.latestRevisionId]) ?? []).map(({ id }) => id);
    for (const id of candidates) {
        const age = ageInList(id, ours.id, ids);
        if (age === 'newer' || (age === 'unknown' && (await isNewer(id, ours, deployment, options))))
            return id;
    }
    return undefined;
}
/** @param ids newest first (contract notes, `GET /v2/deployments/{id}/revisions`) */
function ageInList(id, ours, ids) {
    const place = ids.findIndex((one) => (0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_1__/* .sameId */ .s)(one, id));
    const ourPlace = ids.findIndex((one) => (0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_1__/* .sameId */ .s)(one, ours));
    if (place < 0)
        return 'unknown';
    // A whole list that shows the other one and not ours is older than ours.
    if (ourPlace < 0)
        return ids.length < _read_revision_order_js__WEBPACK_IMPORTED_MODULE_2__/* .LISTED_REVISIONS */ .VM ? 'older' : 'unknown';
    return place < ourPlace ? 'newer' : 'older';
}
/** Decides without a list. The latest revision is newer unless its date or a second read contradicts. */
async function isNewer(id, ours, { id: deploymentId, latestRevisionId: latest }, { controlPlane, clock, signal, deadline, unreadable }) {
    let age;
    try {
        age = (0,_read_revision_order_js__WEBPACK_IMPORTED_MODULE_2__/* .ageByDate */ .Dd)((await controlPlane.getRevision(deploymentId, id)).createdAt, ours.createdAt);
    }
    catch (thrown) {
        if (!(thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ControlPlaneError */ .Cj))
            throw thrown;
        return unreadable === 'newer';
    }
    if (age !== 'unknown' || !(0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_1__/* .sameId */ .s)(id, latest))
        return age === 'newer';
    const pause = Math.min(_timing_js__WEBPACK_IMPORTED_MODULE_3__/* .SECOND_READ_MS */ .TU, deadline - clock.now());
    if (pause < _timing_js__WEBPACK_IMPORTED_MODULE_3__/* .READ_AGAIN_MS */ .JX)
        return unreadable === 'newer';
    await clock.sleep(pause, signal);
    const again = await (0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ifReadable */ .G5)(async () => await controlPlane.getDeployment(deploymentId));
    return again === undefined ? unreadable === 'newer' : (0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_1__/* .sameId */ .s)(again.latestRevisionId, id);
}


/***/ }),

/***/ 8217:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  jT: () => (/* binding */ attachTo),
  bz: () => (/* binding */ knownOf),
  j1: () => (/* binding */ watchResumed),
  rj: () => (/* binding */ watchRevision)
});

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./control-plane/model.ts
var model = __webpack_require__(1552);
// EXTERNAL MODULE: ./rollout/outcome.ts
var outcome = __webpack_require__(4698);
// EXTERNAL MODULE: ./rollout/watch/confirm.ts
var watch_confirm = __webpack_require__(854);
;// CONCATENATED MODULE: ./rollout/watch/emitting-reads.ts
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

// EXTERNAL MODULE: ./rollout/watch/superseded.ts
var superseded = __webpack_require__(708);
;// CONCATENATED MODULE: ./rollout/watch/find-in-deployment.ts


/** A deployment that cannot be read ends nothing: the polls show whether the control plane can be reached. */
async function findInDeployment(newerThan, { deploymentId, before }, deps) {
    try {
        const deployment = await deps.controlPlane.getDeployment(deploymentId);
        if (newerThan === undefined)
            return { kind: 'unknown' };
        const by = await (0,superseded/* supersededBy */.g)(newerThan, deployment, { ...deps, before, unreadable: 'older' });
        return by === undefined ? { kind: 'unknown' } : { kind: 'newer-revision', revisionId: by };
    }
    catch (thrown) {
        if (!(thrown instanceof errors/* ControlPlaneError */.Cj))
            throw thrown;
        return { kind: (0,errors/* isNotFound */.c4)(thrown) ? 'gone' : 'unknown' };
    }
}

// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ./rollout/dependencies.ts
var dependencies = __webpack_require__(9697);
// EXTERNAL MODULE: ./rollout/timing.ts
var timing = __webpack_require__(366);
// EXTERNAL MODULE: ./rollout/watch/log-tail.ts
var log_tail = __webpack_require__(4111);
;// CONCATENATED MODULE: ./rollout/watch/log-choice.ts



function beginLogs(maxLines = timing/* MAX_LIVE_LINES */.i6) {
    return {
        tails: { build: log_tail/* NEW_TAIL */.Cm, deploy: log_tail/* NEW_TAIL */.Cm },
        isBuildRead: false,
        complete: [],
        absent: [],
        left: maxLines,
        hasAnswered: false,
        misses: 0,
        over: undefined,
    };
}
/** Returns the phase whose log grows in a status; undefined if there is none. */
function logPhaseOf(status) {
    const phase = (0,outcome/* phaseOf */.h)(status);
    return phase === 'build' || phase === 'deploy' ? phase : undefined;
}
/** Chooses the log to read next: the build log comes first, because polls may miss a short build. */
function nextLog({ isBuildRead, complete, absent, over }, phase) {
    if (over !== undefined)
        return undefined;
    if (phase === 'ended')
        return LOG_TYPES.find((type) => !complete.includes(type) && !absent.includes(type));
    return isBuildRead ? phase : 'build';
}
const LOG_TYPES = ['build', 'deploy'];
/** Decides what an answer means for the logs. */
function logStep(state, { type, phase }, answer) {
    if (answer.kind === 'refused')
        return ended(state, { kind: 'unavailable', trouble: answer.trouble }, []);
    if (answer.kind === 'missing')
        return onMissing(state, type, phase);
    const { tail, lines, rest } = (0,log_tail/* tailStep */.z$)(state.tails[type], answer);
    const tails = { ...state.tails, [type]: tail };
    if (answer.kind === 'failed')
        return { state, events: [] };
    if (answer.kind === 'unusable') {
        return missed({ ...state, tails }, timing/* UNUSABLE_LOG_ANSWERS */.jg, 'the control plane returns no log that can be read');
    }
    const shown = lines.slice(0, state.left);
    const after = {
        ...state,
        tails,
        isBuildRead: state.isBuildRead || (type === 'build' && phase !== 'build' && rest !== 'more'),
        complete: phase === 'ended' && rest === 'none' ? [...state.complete, type] : state.complete,
        left: state.left - shown.length,
        hasAnswered: true,
        misses: 0,
    };
    const events = shown.length === 0 ? [] : [{ kind: 'log-lines', type, lines: shown }];
    return lines.length > shown.length ? ended(after, { kind: 'limit' }, events) : { state: after, events };
}
/** A service may lack one of the logs: an image has no build. */
function onMissing(state, type, phase) {
    const isLast = type === 'deploy' || phase === 'build';
    if (isLast && !state.hasAnswered)
        return missed(state, timing/* MISSING_LOG_ANSWERS */.Cn, 'the control plane has no log of this revision');
    // The log that grows may be missing on a replica that lags.
    if (type === phase)
        return { state, events: [] };
    const misses = state.misses + 1;
    if (misses < timing/* MISSING_LOG_ANSWERS */.Cn)
        return { state: { ...state, misses }, events: [] };
    const absent = phase === 'ended' ? [...state.absent, type] : state.absent;
    return { state: { ...state, misses: 0, isBuildRead: true, absent }, events: [] };
}
/** Whether every log that the service has was read to its end. */
function isReadToEnd(state) {
    const isGone = state.absent.some((type) => state.tails[type].from !== undefined || state.tails[type].known > 0);
    return nextLog(state, 'ended') === undefined && !isGone;
}
function missed(state, limit, trouble) {
    const misses = state.misses + 1;
    const next = { ...state, misses };
    return misses < limit ? { state: next, events: [] } : ended(next, { kind: 'unavailable', trouble }, []);
}
function ended(state, end, events) {
    return { state: { ...state, over: end }, events: [...events, { kind: 'log-ended', end }] };
}

;// CONCATENATED MODULE: ./rollout/watch/follow-logs.ts





const NO_LOGS = {
    afterPoll: () => undefined,
    end: () => Promise.resolve([]),
    close: () => undefined,
};
function followLogs({ deploymentId, revisionId }, deps) {
    const { clock, signal, emit } = deps;
    let state = beginLogs();
    let notBefore = 0;
    let isClosed = false;
    let underWay;
    /** Returns whether there may be more to read. */
    const readOnce = async (phase, controlPlane, retries) => {
        const type = nextLog(state, phase);
        if (type === undefined)
            return false;
        const { from, limit } = state.tails[type];
        const { answer, waitMs } = await answerOf(async () => await controlPlane.readLogPage(deploymentId, revisionId, { type, limit, offset: from }, { retries }));
        // A cancelled request shows nothing about the service.
        if (isClosed || signal.aborted)
            return false;
        notBefore = clock.now() + waitMs;
        const { state: after, events } = logStep(state, { type, phase }, answer);
        state = after;
        events.forEach(emit);
        return answer.kind !== 'failed';
    };
    return {
        afterPoll(revision) {
            const phase = logPhaseOf(revision.status);
            if (phase === undefined || underWay !== undefined || clock.now() < notBefore)
                return;
            underWay = readOnce(phase, (0,dependencies/* withTime */.C)(deps, timing/* LOG_PAGE_MS */.gO).controlPlane, 0).finally(() => (underWay = undefined));
        },
        async end() {
            const { controlPlane } = (0,dependencies/* withTime */.C)(deps, timing/* LOG_READING_MS */.b4);
            await underWay;
            for (let request = 0; request < timing/* LAST_LOG_REQUESTS */.FN; request++) {
                if (!(await readOnce('ended', controlPlane, 1)))
                    break;
            }
            const isRead = isReadToEnd(state) || isClosed || signal.aborted;
            if (state.over === undefined)
                emit({ kind: 'log-ended', end: { kind: isRead ? 'read' : 'incomplete' } });
            return state.over === undefined ? state.complete : [];
        },
        close() {
            isClosed = true;
        },
    };
}
/** `waitMs`: how long the server asks to wait. */
async function answerOf(read) {
    try {
        return { answer: { kind: 'page', page: await read() }, waitMs: 0 };
    }
    catch (thrown) {
        if ((0,errors/* isNotFound */.c4)(thrown))
            return { answer: { kind: 'missing' }, waitMs: 0 };
        if (thrown instanceof errors/* BrokenContractError */.Sq)
            return { answer: { kind: 'unusable' }, waitMs: 0 };
        if (thrown instanceof errors/* UnreachableError */.Jk)
            return { answer: { kind: 'failed' }, waitMs: thrown.retryAfterMs ?? 0 };
        return { answer: { kind: 'refused', trouble: (0,clock/* toError */.i)(thrown).message }, waitMs: 0 };
    }
}

// EXTERNAL MODULE: ./control-plane/same-id.ts
var same_id = __webpack_require__(4945);
;// CONCATENATED MODULE: ./rollout/watch/usual-time.ts

/** Shorter and longer times are no rollouts: an old revision may be updated for another reason. In milliseconds. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 6 * 3_600_000;
/** Times that differ from the median by more than this factor are dropped, too. */
const FARTHEST = 3;
/** With fewer samples, all of them count; with more, the fastest and the slowest fifth do not. */
const ENOUGH_SAMPLES = 5;
/** Returns how long earlier revisions took from their creation to DEPLOYED; undefined if none shows it. */
function usualTime(revisions, revisionId) {
    const times = revisions
        .filter(({ id, status }) => status === 'DEPLOYED' && !(0,same_id/* sameId */.s)(id, revisionId))
        .flatMap(({ createdAt, updatedAt }) => createdAt === undefined || updatedAt === undefined ? [] : updatedAt - createdAt)
        .filter((ms) => ms >= SHORTEST_MS && ms <= LONGEST_MS)
        .sort((one, other) => one - other);
    const median = times[Math.floor((times.length - 1) / 2)];
    if (median === undefined)
        return undefined;
    const near = times.filter((ms) => ms <= median * FARTHEST && ms * FARTHEST >= median);
    const dropped = near.length < ENOUGH_SAMPLES ? 0 : Math.floor(near.length / 5);
    return { fromMs: near[dropped] ?? median, toMs: near[near.length - 1 - dropped] ?? median };
}

;// CONCATENATED MODULE: ./rollout/watch/heartbeat.ts



/** Adds to a heartbeat how long the deployment's earlier rollouts took, where the service shows it. */
async function withUsualTime(event, { deploymentId, revisionId }, deps) {
    if (event.kind !== 'heartbeat')
        return event;
    const { controlPlane } = (0,dependencies/* withTime */.C)(deps, timing/* EARLIER_READING_MS */.d);
    const usual = usualTime(await deps.readEarlier(controlPlane, deploymentId), revisionId);
    return usual === undefined ? event : { ...event, usual };
}

// EXTERNAL MODULE: ./rollout/watch/made-twice.ts
var made_twice = __webpack_require__(4912);
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

// EXTERNAL MODULE: ./rollout/plan/unchanged.ts
var unchanged = __webpack_require__(8509);
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
    const { commit } = state.limits;
    if (commit !== undefined && revision.repoCommitSha !== undefined && !(0,unchanged/* sameCommit */.Kd)(commit, revision.repoCommitSha))
        return step_ended(state, { kind: 'other-commit', revision }, events);
    if (phase === 'terminal')
        return step_ended(state, { kind: 'terminal', revision }, events);
    if (before.reads > 0 && before.reads % timing/* POLLS_PER_DEPLOYMENT_READ */.mt === 0)
        return { state, events, next: { kind: 'read-deployment', newerThan: revision } };
    return planPoll(state, moment, events);
}
/** A failed poll ends the watch only if the control plane refuses for good. */
function onFailure(before, error, moment) {
    const isMissing = (0,errors/* isNotFound */.c4)(error) && moment.now - before.startedAt < timing/* REPLICA_LAG_MS */.p6;
    if (!isMissing && !(error instanceof errors/* UnreachableError */.Jk || error instanceof errors/* BrokenContractError */.Sq))
        return step_ended(before, { kind: 'refused', error }, []);
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
            return step_ended(state, { kind: 'superseded', by: found.revisionId }, []);
        case 'gone': {
            const { failure: error, goneSince = moment.now } = state;
            // A deployment whose revision was just read exists.
            if (!(0,errors/* isNotFound */.c4)(error))
                return planPoll(state, moment, []);
            if (moment.now - goneSince >= timing/* GONE_AFTER_MS */.In)
                return step_ended(state, { kind: 'refused', error }, []);
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
        return step_ended(state, { kind: 'timed-out', lastTrouble }, events);
    const limit = phaseLimit(state);
    if (limit !== undefined && now >= limit.endsAt) {
        const { name, limitMs, since } = limit;
        const phase = { name, limitMs, forMs: now - since };
        return step_ended(state, { kind: 'timed-out', lastTrouble, phase }, events);
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
function step_ended(state, end, events) {
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

;// CONCATENATED MODULE: ./rollout/watch/watch.ts











/**
 * A revision that an earlier run has created. Until it ends, the active revision is the one from before it; afterwards
 * any other active revision may be a newer one. The settings from before it are unknown.
 */
function attachTo(deployment, revision) {
    const hasEnded = (0,outcome/* phaseOf */.h)(revision.status) === 'terminal';
    const before = hasEnded ? undefined : { ...deployment, latestRevisionId: undefined, settings: {} };
    return { ...knownOf(deployment), revisionId: revision.id, revision, before, repeated: [] };
}
/** What the deployment's response shows to a watch. */
function knownOf(deployment) {
    const { id, activeRevisionId } = deployment;
    return { deploymentId: id, url: (0,model/* addressOf */.ci)(deployment), reportsActive: activeRevisionId !== undefined };
}
/**
 * Polls a revision until it ends or the time is over, and confirms what its end means. If the run has sent a write again
 * and a newer revision of it appears, that one decides.
 * @throws RefusedError when the control plane refuses for good to return the revision, the signal's reason when aborted
 */
async function watchRevision(watched, pace, deps) {
    const ended = await watchOurs(watched, pace, deps);
    const newest = await (0,made_twice/* newestOfOurs */.l)(ended, deps);
    if (newest === undefined)
        return ended;
    return await watchOurs({ ...watched, revisionId: newest.id, revision: newest, repeated: [] }, pace, deps);
}
async function watchOurs(watched, pace, deps) {
    const end = await watchResumed(watched, undefined, pace, deps);
    if (end.kind === 'ended')
        return end.ended;
    throw new Error('a watch ends by another commit only if it knows its own');
}
/**
 * Polls a revision that may be another run's: its watch ends when it reports another commit.
 * @param commit that the revision must build; undefined if that is unknown
 * @throws as {@link watchRevision}
 */
async function watchResumed(watched, commit, pace, deps) {
    let { url, reportsActive } = watched;
    let lastPhase;
    const emit = (event) => {
        if (event.kind === 'deployment-read') {
            const known = knownOf(event.deployment);
            url = known.url ?? url;
            reportsActive ||= known.reportsActive;
        }
        const phase = event.kind === 'status' ? (0,outcome/* phaseOf */.h)(event.revision.status) : undefined;
        if (phase === 'build' || phase === 'deploy')
            lastPhase = phase;
        deps.emit(event);
    };
    const observed = { ...deps, emit, controlPlane: emittingReads(deps.controlPlane, emit) };
    const { logs, ...limits } = pace;
    const follower = logs === 'live' ? followLogs(watched, observed) : NO_LOGS;
    const ended = async (outcome, revision) => {
        // A service that does not answer polls does not return its logs either.
        const isSilent = outcome.kind === 'timed-out' && outcome.lastTrouble !== undefined;
        const shownLogs = isSilent ? [] : await follower.end();
        return {
            kind: 'ended',
            ended: { ...watched, revision, outcome, url, reportsActive, lastPhase, shownLogs },
        };
    };
    try {
        const end = await pollToEnd(watched, { ...limits, commit, deadline: deps.deadline }, { ...observed, follower });
        switch (end.kind) {
            case 'refused':
                throw end.error;
            case 'superseded':
            case 'timed-out':
                return await ended(end, watched.revision);
            case 'other-commit':
                return { kind: 'other-commit', commit: end.revision.repoCommitSha };
            case 'terminal':
                return await ended(await (0,watch_confirm/* confirmEnd */.E5)(end.revision, { ...watched, reportsActive }, observed), end.revision);
        }
    }
    finally {
        follower.close();
    }
}
/** Observes the revision as `step` requires it. */
async function pollToEnd(watched, limits, deps) {
    const { clock, random, signal, emit, follower } = deps;
    const { revision } = watched;
    const waitUntil = async (at) => {
        for (let left = at - clock.now(); left > 0; left = at - clock.now())
            await clock.sleep(left, signal);
    };
    let state = beginWatch(limits, clock.now());
    // Only a read of its own ends the watch of a revision: a response to a POST may show another one.
    const isToRead = revision === undefined || (0,outcome/* phaseOf */.h)(revision.status) === 'terminal';
    let observation = isToRead ? await poll(watched, deps) : { kind: 'revision-read', revision };
    for (;;) {
        const taken = step(state, observation, { now: clock.now(), random: random() });
        const { next } = taken;
        state = taken.state;
        for (const event of taken.events)
            emit(await withUsualTime(event, watched, deps));
        if (observation.kind === 'revision-read')
            follower.afterPoll(observation.revision);
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


/***/ })

};
