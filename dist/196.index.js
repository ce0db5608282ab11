export const id = 196;
export const ids = [196];
export const modules = {

/***/ 1263:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ awaitCommit)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4698);
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(366);



/** Reads the revision until it reports its commit, ends, or the time for that is over. */
async function awaitCommit(latest, current, { controlPlane, clock, signal, deadline, emit }) {
    emit({ kind: 'commit-awaited', revisionId: latest.id, limitMs: _timing_js__WEBPACK_IMPORTED_MODULE_2__/* .COMMIT_GRACE_MS */ .ac });
    const endsAt = Math.min(clock.now() + _timing_js__WEBPACK_IMPORTED_MODULE_2__/* .COMMIT_GRACE_MS */ .ac, deadline);
    let revision = latest;
    while (current !== undefined && clock.now() + _timing_js__WEBPACK_IMPORTED_MODULE_2__/* .READ_AGAIN_MS */ .JX <= endsAt) {
        await clock.sleep(_timing_js__WEBPACK_IMPORTED_MODULE_2__/* .READ_AGAIN_MS */ .JX, signal);
        revision = (await (0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ifReadable */ .G5)(async () => await controlPlane.getRevision(current.id, latest.id))) ?? revision;
        if (revision.repoCommitSha !== undefined || (0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .phaseOf */ .h)(revision.status) === 'terminal')
            break;
    }
    return revision;
}


/***/ }),

/***/ 6196:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  rollback: () => (/* binding */ rollback)
});

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./problem.ts
var problem = __webpack_require__(2035);
// EXTERNAL MODULE: ./rollout/apply/restore.ts + 1 modules
var restore = __webpack_require__(6193);
// EXTERNAL MODULE: ./rollout/finish/confirm-commit.ts
var confirm_commit = __webpack_require__(1768);
// EXTERNAL MODULE: ./rollout/finish/finish.ts + 6 modules
var finish = __webpack_require__(4124);
// EXTERNAL MODULE: ./control-plane/model.ts
var model = __webpack_require__(1552);
// EXTERNAL MODULE: ./control-plane/same-id.ts
var same_id = __webpack_require__(4945);
// EXTERNAL MODULE: ./rollout/plan/built-ref.ts
var built_ref = __webpack_require__(2276);
// EXTERNAL MODULE: ./rollout/plan/field-rules.ts
var field_rules = __webpack_require__(1418);
// EXTERNAL MODULE: ./control-plane/settings.ts
var settings = __webpack_require__(6712);
// EXTERNAL MODULE: ./rollout/plan/diff.ts
var diff = __webpack_require__(493);
// EXTERNAL MODULE: ./rollout/plan/restoration.ts
var plan_restoration = __webpack_require__(5940);
// EXTERNAL MODULE: ./rollout/plan/settings.ts
var plan_settings = __webpack_require__(2723);
// EXTERNAL MODULE: ./rollout/plan/unchanged.ts
var unchanged = __webpack_require__(8509);
;// CONCATENATED MODULE: ./rollout/plan/redeploy.ts







/** Decides how to go back to an earlier revision. */
function planRedeploy(facts) {
    const { deployment, source, restoration, active, latest, api } = facts;
    const { to, draft, commit } = restoration;
    const isNewest = latest === undefined || !(0,unchanged/* isUnfinished */.ui)(latest) || (0,same_id/* sameId */.s)(latest.id, to.id);
    if (active !== undefined && (0,same_id/* sameId */.s)(active.id, to.id) && isNewest)
        return { kind: 'unchanged', because: 'active-already', deployment, active, fields: [], notes: [] };
    const { settings: current } = active ?? deployment;
    const shared = { deployment, notes: notesOf(facts) };
    const restoring = alreadyRestoring(facts);
    if (restoring !== undefined) {
        const fields = (0,diff/* diffFields */.p5)(current, to.settings, () => undefined, api.unreported);
        return { kind: 'resume', ...shared, latest: restoring, patch: undefined, commit, fields };
    }
    const fields = (0,diff/* diffFields */.p5)(current, to.settings, () => 'redeploy', api.unreported);
    const repeats = draft !== undefined && (0,plan_restoration/* isRepeatable */.su)(source, draft.settings) ? draft : undefined;
    return { kind: 'redeploy', ...shared, to, draft: repeats, commit, fields };
}
/**
 * Returns the latest revision if it restores the earlier one already: it is under way; or it is active, and the run is a
 * rerun. What the active revision had before, too, is no sign of a rollback.
 */
function alreadyRestoring({ restoration: { to }, active, latest, isFirstAttempt, }) {
    if (latest === undefined || (0,same_id/* sameId */.s)(latest.id, to.id) || !(0,plan_restoration/* isProvenSame */.xj)(latest, to))
        return undefined;
    if ((0,same_id/* sameId */.s)(latest.id, active?.id))
        return isFirstAttempt ? undefined : latest;
    const isGoingBack = active === undefined || (0,plan_restoration/* distinction */.BM)(active, to) !== undefined;
    return isGoingBack && ((0,unchanged/* isUnfinished */.ui)(latest) || latest.status === 'DEPLOYED') ? latest : undefined;
}
/** Whether the latest revision may restore the earlier one, as soon as it reports its commit. */
function mayBeRestoring({ restoration: { to }, active, latest }) {
    if (latest === undefined || !(0,unchanged/* isUnfinished */.ui)(latest) || (0,same_id/* sameId */.s)(latest.id, to.id))
        return false;
    if (latest.repoCommitSha !== undefined || to.repoCommitSha === undefined)
        return false;
    if (active !== undefined && (0,plan_restoration/* distinction */.BM)(active, to) === undefined)
        return false;
    return (0,plan_restoration/* isProvenSame */.xj)({ ...latest, repoCommitSha: to.repoCommitSha }, to);
}
function notesOf({ deployment, source, restoration: { to, draft }, active, latest, api }) {
    const { buildOnPush } = deployment.settings;
    const branch = source === 'git_host' && draft === undefined ? to.settings.repoRef : undefined;
    const isSame = active !== undefined && !(0,same_id/* sameId */.s)(active.id, to.id) && (0,plan_restoration/* distinction */.BM)(active, to) === undefined;
    const isUnderWay = latest !== undefined && (0,unchanged/* isUnfinished */.ui)(latest);
    return [
        ...(to.repoCommitSha === undefined ? [] : [{ kind: 'commit-of-revision', commit: to.repoCommitSha }]),
        ...(isSame ? [{ kind: 'same-as-active', revisionId: to.id }] : []),
        ...(isUnderWay ? [{ kind: 'newer-under-way', revisionId: latest.id }] : []),
        ...(branch !== undefined && buildOnPush === true ? [{ kind: 'push-replaces', branch }] : []),
        { kind: 'not-restored', fields: notRestored(source, api) },
    ];
}
/** The settings that no revision reports, so that going back to one does not restore them. */
function notRestored(source, api) {
    return settings/* FIELDS */.cJ.filter((field) => settings/* SETTINGS */.yy[field].change !== 'immutable' &&
        !plan_settings/* REPORTED_BY_REVISION */.QW.includes(field) &&
        (0,field_rules/* ruleOf */.Y)(field, source, api) !== 'refused');
}
/** Whether the active revision is what an earlier attempt of the run went back to, from the revision before it. */
function hasGoneBack(active, from, earlier) {
    if ((0,plan_restoration/* distinction */.BM)(active, from) === undefined)
        return undefined;
    return earlier.find((one) => (0,plan_settings/* setFields */.Ey)(one.settings).length > 0 && (0,plan_restoration/* isProvenSame */.xj)(active, one));
}

// EXTERNAL MODULE: ./rollout/plan/validate.ts
var validate = __webpack_require__(880);
// EXTERNAL MODULE: ./rollout/read/await-commit.ts
var await_commit = __webpack_require__(1263);
// EXTERNAL MODULE: ./rollout/read/find-deployment.ts
var find_deployment = __webpack_require__(4682);
// EXTERNAL MODULE: ./rollout/timing.ts
var timing = __webpack_require__(366);
;// CONCATENATED MODULE: ./rollout/read/find-previous.ts

/**
 * Finds the newest revision before the active one that ended DEPLOYED.
 * @param listed newest first; undefined if the list contradicts its order
 */
function findPrevious(listed, active) {
    if (typeof active !== 'string')
        return { kind: 'active-unknown' };
    if (listed === undefined)
        return { kind: 'unordered' };
    const place = listed.findIndex(({ id }) => (0,same_id/* sameId */.s)(id, active));
    if (place < 0)
        return { kind: 'not-listed', listsActive: false };
    const isDeployed = ({ status }) => status === 'DEPLOYED';
    const [revision, ...earlier] = listed.slice(place + 1).filter(isDeployed);
    if (revision === undefined)
        return { kind: 'not-listed', listsActive: true };
    return { kind: 'found', revision, earlier, hasNewer: listed.slice(0, place).some(isDeployed) };
}

// EXTERNAL MODULE: ./rollout/read/paginate.ts
var paginate = __webpack_require__(6998);
// EXTERNAL MODULE: ./rollout/read/revision-order.ts
var revision_order = __webpack_require__(271);
;// CONCATENATED MODULE: ./rollout/read/previous-revision.ts






/**
 * Finds the newest revision before the active one that ended DEPLOYED. Reads once more if the list lacks the active
 * revision, or shows a newer one that ended DEPLOYED: one of the responses may come from a lagging replica.
 * @throws ControlPlaneError when a request fails
 */
async function readPrevious(deployment, deps) {
    const previous = await readListed(deployment, deps);
    const isSettled = previous.kind === 'found' ? !previous.hasNewer : previous.kind !== 'not-listed';
    const { controlPlane, clock, signal, deadline } = deps;
    if (isSettled || clock.now() + timing/* STALE_READ_MS */.CG + timing/* READ_AGAIN_MS */.JX >= deadline)
        return { deployment, previous };
    await clock.sleep(timing/* STALE_READ_MS */.CG, signal);
    const now = await controlPlane.getDeployment(deployment.id);
    return { deployment: now, previous: await readListed(now, deps) };
}
/** Reads page after page, until one shows the revision or adds nothing. */
async function readListed({ id, latestRevisionId, activeRevisionId }, { controlPlane }) {
    const listed = [];
    const seen = new Set();
    for (;;) {
        let page;
        try {
            page = await controlPlane.listRevisions(id, { limit: paginate/* PAGE_SIZE */.m, offset: listed.length });
        }
        catch (thrown) {
            if ((0,errors/* mayLackRoute */.I1)(thrown) || thrown instanceof errors/* BrokenContractError */.Sq)
                return { kind: 'list-missing' };
            throw thrown;
        }
        const added = page.filter((one) => !seen.has((0,same_id/* idKey */.T)(one.id)));
        for (const one of added)
            seen.add((0,same_id/* idKey */.T)(one.id));
        listed.push(...added);
        const found = findPrevious((0,revision_order/* newestFirst */.ll)(listed, [latestRevisionId, activeRevisionId]), activeRevisionId);
        if (found.kind !== 'not-listed' || added.length === 0)
            return found;
    }
}

// EXTERNAL MODULE: ./rollout/read/replica-lag.ts
var replica_lag = __webpack_require__(214);
;// CONCATENATED MODULE: ./rollout/prepare-rollback.ts













/**
 * Reads the deployment, chooses the revision to go back to, and plans how; writes nothing. Emits the plan.
 * @throws InputError when there is no such revision, ControlPlaneError when the state cannot be read
 */
async function prepareRollback(request, deps) {
    const { controlPlane, isFirstAttempt } = deps;
    const { api, prefix } = controlPlane;
    const found = await findVerifiable(request, deps);
    const chosen = await chooseRevision(request, found, deps);
    const { deployment, active, to } = chosen;
    const source = sourceOf(deployment);
    const restoration = (0,plan_restoration/* planRestoration */.u9)(to, source);
    if (restoration === 'commit-unknown')
        throw prepare_rollback_problem(to.id, COMMIT_UNKNOWN);
    const builtRef = builtRefFor(to, deployment, request);
    deps.emit({ kind: 'current-state-read', current: deployment, builtRef });
    deps.emit({ kind: 'revision-chosen', to, notRestored: notRestored(source, api) });
    const latest = await readLatest(chosen, deps);
    let facts = { deployment, source, restoration, active, latest, isFirstAttempt, api };
    if (latest !== undefined && mayBeRestoring(facts))
        facts = { ...facts, latest: await (0,await_commit/* awaitCommit */.W)(latest, deployment, deps) };
    const plan = planRedeploy(facts);
    deps.emit({ kind: 'planned', plan, wait: true, dryRun: request.dryRun, warnings: [], prefix });
    return { plan, restoration };
}
async function findVerifiable({ target, verification }, deps) {
    const deployment = await (0,find_deployment/* findExisting */.xx)(target, deps);
    const known = { source: deployment.source, address: (0,model/* addressOf */.ci)(deployment) };
    const unknowable = (0,validate/* unknowableAddress */.H)(verification, known, deps.controlPlane.api);
    if (unknowable.length > 0)
        throw new problem/* InputError */.dz(unknowable);
    return deployment;
}
async function chooseRevision({ revisionId }, found, deps) {
    if (revisionId !== undefined) {
        const to = await readGiven(found, revisionId, deps);
        if (to.status !== 'DEPLOYED')
            throw prepare_rollback_problem(revisionId, `ended ${to.status}: ${ONLY_DEPLOYED}`);
        return { deployment: found, active: await readActive(found, to, deps), to };
    }
    const { deployment, previous } = await readPrevious(found, deps);
    if (previous.kind !== 'found')
        throw prepare_rollback_problem(undefined, whyNone(previous));
    const { revision, earlier } = previous;
    const active = await readActive(deployment, undefined, deps);
    const wentBackTo = active === undefined || deps.isFirstAttempt ? undefined : hasGoneBack(active, revision, earlier);
    return { deployment, active, to: wentBackTo ?? revision };
}
async function readGiven({ id }, revisionId, deps) {
    try {
        return await (0,replica_lag/* pastBrokenAnswers */.B)(async () => await deps.controlPlane.getRevision(id, revisionId), deps);
    }
    catch (thrown) {
        if ((0,errors/* isNotFound */.c4)(thrown))
            throw prepare_rollback_problem(revisionId, 'names no revision of this deployment');
        throw thrown;
    }
}
async function readActive({ id, activeRevisionId: active }, known, deps) {
    if (typeof active !== 'string')
        return undefined;
    if ((0,same_id/* sameId */.s)(known?.id, active))
        return known;
    return await (0,replica_lag/* pastReplicaLag */.F)(async () => await deps.controlPlane.getRevision(id, active), deps);
}
async function readLatest({ deployment, active, to }, deps) {
    const { id, latestRevisionId: latest } = deployment;
    if (latest === undefined)
        return undefined;
    const known = [active, to].find((one) => (0,same_id/* sameId */.s)(one?.id, latest));
    return known ?? (await (0,replica_lag/* pastReplicaLag */.F)(async () => await deps.controlPlane.getRevision(id, latest), deps));
}
/** What the revision was built from, not what the event is about. */
function builtRefFor(to, deployment, { repository }) {
    const settings = { repoRef: to.settings.repoRef };
    const built = (0,built_ref/* builtRefOf */.P)({ repository: { ...repository, repoRef: { kind: 'none' } }, settings }, deployment);
    return built.kind === 'here' ? { ...built, commit: to.repoCommitSha } : built;
}
function sourceOf({ source }) {
    if ((0,field_rules/* isSource */.__)(source))
        return source;
    const known = source === undefined ? 'the control plane does not report its source' : `its source is "${source}"`;
    throw prepare_rollback_problem(undefined, `cannot be restored: ${known}`);
}
function prepare_rollback_problem(value, message) {
    const one = { input: 'revision-id', message, ...(value !== undefined && { value }) };
    return new problem/* InputError */.dz([one]);
}
const ONLY_DEPLOYED = 'only a revision that ended DEPLOYED can be deployed again';
const COMMIT_UNKNOWN = 'is a revision of a branch, and the control plane does not report its commit, so nothing could prove that it is restored: roll out a tag instead';
function whyNone(previous) {
    switch (previous.kind) {
        case 'list-missing':
            return 'must be the id of a revision here: the control plane does not list revisions';
        case 'active-unknown':
            return 'must be the id of a revision here: the control plane reports no active revision';
        case 'unordered':
            return 'must be the id of a revision here: the list of revisions contradicts its own order';
        case 'not-listed':
            return previous.listsActive
                ? 'has nothing to go back to: no revision before the active one ended DEPLOYED'
                : 'must be the id of a revision here: the list of revisions lacks the active one';
    }
}

// EXTERNAL MODULE: ./rollout/watch/watch.ts + 9 modules
var watch = __webpack_require__(8217);
;// CONCATENATED MODULE: ./rollout/rollback.ts







/**
 * Goes back to an earlier revision: deploys it again, watches and verifies the result as a rollout does.
 * @throws InputError when it cannot be restored, ControlPlaneError when the rollback cannot continue
 */
async function rollback(request, deps) {
    const { plan, restoration } = await prepareRollback(request, deps);
    if (request.dryRun)
        return { kind: 'planned' };
    if (plan.kind === 'unchanged') {
        const { deployment, active: revision } = plan;
        deps.emit({ kind: 'attached', because: 'unchanged', deployment, revision });
        return { kind: 'unchanged' };
    }
    const begun = await begin(plan, deps);
    if (begun.kind === 'ended')
        return begun.outcome;
    const ended = (0,confirm_commit/* confirmCommit */.q)(await (0,watch/* watchRevision */.rj)(begun.watched, request, deps), restoration);
    return await (0,finish/* finish */.O)(ended, { ...request, rollback: 'never', settings: {} }, deps);
}
async function begin(plan, deps) {
    const { deployment } = plan;
    if (plan.kind === 'resume') {
        const { latest: revision } = plan;
        deps.emit({ kind: 'attached', because: 'resumed', deployment, revision });
        return { kind: 'watch', watched: (0,watch/* attachTo */.jT)(deployment, revision) };
    }
    deps.emit({ kind: 'applying' });
    const restored = await (0,restore/* restoreRevision */._)(deployment, plan, deps);
    switch (restored.kind) {
        case 'not-made':
            throw notRestorable(plan, restored);
        case 'newer-revision': {
            const { revisionId: by, builds: built } = restored;
            if (built === undefined)
                return { kind: 'ended', outcome: { kind: 'superseded', by } };
            const { repoCommitSha: wanted = '' } = plan.to;
            deps.emit({ kind: 'written', change: 'redeployed', deployment, revisionId: by });
            return { kind: 'ended', outcome: { kind: 'failed', because: { kind: 'other-commit', wanted, built } } };
        }
        case 'made': {
            const { change, revisionId, revision, repeated } = restored;
            deps.emit({ kind: 'written', change, deployment, revisionId });
            deps.emit({ kind: 'applied', change, deployment, revisionId, revision, repeated });
            const watched = { ...(0,watch/* knownOf */.bz)(deployment), revisionId, revision, before: deployment, repeated };
            return { kind: 'watch', watched };
        }
    }
}
function notRestorable({ to, commit }, { because, cameBack }) {
    if (because === 'no-revision') {
        // The control plane has accepted a write, and may act on it later.
        const hint = 'It may begin later. Check the deployment in the control plane before you rerun the job.';
        return new errors/* BrokenContractError */.Sq({ attempted: `deploy the revision ${to.id} again`, cameBack, hint });
    }
    // Only a branch has a commit and cannot be repeated.
    const what = commit === undefined ? 'reports no configuration that could be repeated' : 'is a revision of a branch';
    const instead = commit === undefined ? 'roll out its configuration' : `roll out a tag of its commit ${commit}`;
    const message = `${what}, so only a redeploy restores it, and ${WHY[because]} (${cameBack}): ${instead} instead`;
    return new problem/* InputError */.dz([{ input: 'revision-id', value: to.id, message }]);
}
const WHY = {
    'no-route': 'this control plane has no route to deploy a revision again',
    refused: 'the control plane refuses to deploy it again',
};


/***/ })

};
