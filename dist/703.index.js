export const id = 703;
export const ids = [703,138,276];
export const modules = {

/***/ 6899:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  j: () => (/* binding */ attachTo),
  f: () => (/* binding */ followRevision)
});

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./rollout/outcome.ts
var outcome = __webpack_require__(4698);
// EXTERNAL MODULE: ./rollout/record.ts
var rollout_record = __webpack_require__(8477);
// EXTERNAL MODULE: ./rollout/overtaken.ts
var rollout_overtaken = __webpack_require__(2463);
// EXTERNAL MODULE: ./rollout/settle.ts
var settle = __webpack_require__(9875);
// EXTERNAL MODULE: ./rollout/replica-lag.ts
var replica_lag = __webpack_require__(8703);
;// CONCATENATED MODULE: ./rollout/schedule.ts
const START_MS = 1_000;
const AFTER_CHANGE_MS = 2_000;
const CAP_MS = 10_000;
const GROWTH = 1.5;
/** At most this part of a pause is taken off by chance, so that many rollouts do not poll in step. */
const JITTER = 0.2;
/**
 * Milliseconds to pause before the next poll. `auto`: from 1 s growing to at most 10 s, and from 2 s again whenever the
 * status changes, for then things move. The server's Retry-After wins when it is longer.
 */
function nextPollDelay(moment) {
    return Math.max(ownDelay(moment), moment.retryAfterMs ?? 0);
}
function ownDelay({ interval, hasChanged, pausesSinceChange, random }) {
    if (interval !== 'auto')
        return interval;
    const start = hasChanged ? AFTER_CHANGE_MS : START_MS;
    const grown = Math.min(CAP_MS, start * GROWTH ** pausesSinceChange);
    return Math.round(grown * (1 - JITTER * random()));
}

;// CONCATENATED MODULE: ./rollout/watch.ts




/** A replica that lags for both may hide a deployment that is there: it is gone when it is missing for so long. */
const GONE_AFTER_MS = 10_000;
const HEARTBEAT_MS = 60_000;
/** The deployment is looked at no more often than at every sixth poll. */
const POLLS_BETWEEN_LOOKS = 6;
/**
 * Polls a revision until it ends or the deadline has come, after one last look at that very moment. A failed poll is a
 * blip, not an end.
 * @throws RefusedError when the control plane refuses for good to show the revision; the signal's reason when aborted.
 */
async function* watchRevision(options) {
    const { clock, deadline } = options;
    const startedAt = clock.now();
    let status;
    let hasChanged = false;
    let pausesSinceChange = 0;
    let blips = 0;
    let lastTrouble;
    let changedAt = startedAt;
    let spokeAt = startedAt;
    let phase;
    let phaseSince = startedAt;
    let polls = 0;
    let missingSince;
    let seen = options.initial ?? (await tryPoll(options, startedAt));
    for (;;) {
        if (seen instanceof Error) {
            blips += 1;
            lastTrouble = seen.trouble.cameBack;
            yield { kind: 'blip', trouble: lastTrouble, row: blips };
        }
        else {
            blips = 0;
            lastTrouble = undefined;
            const next = (0,outcome/* phaseOf */.h)(seen.status);
            // A status that is not known begins no phase: one that comes and goes must not begin a phase anew.
            if (next !== phase && (next !== 'unknown' || phase === undefined)) {
                phase = next;
                phaseSince = clock.now();
            }
            if (seen.status !== status) {
                hasChanged = status !== undefined;
                status = seen.status;
                pausesSinceChange = 0;
                changedAt = spokeAt = clock.now();
                yield { kind: 'status', revision: seen, wallTime: clock.wallTime() };
            }
            if (phase === 'terminal')
                return { kind: 'terminal', revision: seen };
            const isTimeToLook = polls > 0 && polls % POLLS_BETWEEN_LOOKS === 0;
            const by = isTimeToLook ? await options.overtakenBy(seen) : undefined;
            if (by !== undefined)
                return { kind: 'superseded', by };
        }
        if (seen instanceof errors/* RefusedError */.fk && status !== undefined && (await options.deploymentIsGone())) {
            missingSince ??= clock.now();
            if (clock.now() - missingSince >= GONE_AFTER_MS)
                throw seen;
        }
        else
            missingSince = undefined;
        if (clock.now() >= deadline)
            return { kind: 'timed-out', lastTrouble };
        const limit = limitOf(phase, options.phaseLimits);
        const forMs = clock.now() - phaseSince;
        if (limit !== undefined && forMs >= limit.limitMs) {
            return { kind: 'timed-out', lastTrouble, phase: { ...limit, forMs } };
        }
        const retryAfterMs = seen instanceof errors/* UnreachableError */.Jk ? seen.retryAfterMs : undefined;
        const delay = nextPollDelay({ ...options, hasChanged, pausesSinceChange, retryAfterMs });
        pausesSinceChange += 1;
        const phaseEnd = limit === undefined ? deadline : phaseSince + limit.limitMs;
        const wakeAt = Math.min(clock.now() + delay, deadline, phaseEnd);
        while (clock.now() < wakeAt) {
            await clock.sleep(Math.min(wakeAt, spokeAt + HEARTBEAT_MS) - clock.now(), options.signal);
            if (clock.now() >= spokeAt + HEARTBEAT_MS) {
                spokeAt = clock.now();
                yield { kind: 'heartbeat', status, forMs: spokeAt - changedAt, trouble: lastTrouble };
            }
        }
        seen = await tryPoll(options, startedAt);
        polls += 1;
    }
}
function limitOf(phase, limits) {
    switch (phase) {
        case 'queue':
        case 'build':
        case 'deploy': {
            const limitMs = limits[phase];
            return limitMs === undefined ? undefined : { name: phase, limitMs };
        }
        case 'terminal':
        case 'unknown':
        case undefined:
            return undefined;
    }
}
/** The revision, or why this poll is a blip. */
async function tryPoll(options, startedAt) {
    try {
        return await options.poll();
    }
    catch (thrown) {
        if (thrown instanceof errors/* UnreachableError */.Jk || thrown instanceof errors/* BrokenContractError */.Sq)
            return thrown;
        if ((0,errors/* isNotFound */.c4)(thrown) && options.clock.now() - startedAt < replica_lag/* REPLICA_LAG_MS */.p6)
            return thrown;
        throw thrown;
    }
}

// EXTERNAL MODULE: ./report/narrate.ts
var narrate = __webpack_require__(8368);
;// CONCATENATED MODULE: ./operations/follow.ts







/**
 * A revision that an earlier run has begun. What was active before it is known as long as it has not ended; by then
 * whatever else is active has taken its place. What the settings were nobody tells any more.
 */
function attachTo(deployment, revision) {
    const { id: deploymentId, activeRevisionId } = deployment;
    const hasEnded = (0,outcome/* phaseOf */.h)(revision.status) === 'terminal';
    const before = hasEnded
        ? undefined
        : { ...deployment, activeRevisionId, latestRevisionId: undefined, settings: {} };
    return { deploymentId, revisionId: revision.id, revision, before };
}
/** Watches a revision until it has ended or the wait is over, and says what became of it. */
async function followRevision(followed, pace, doors, record) {
    const end = await watch(followed, pace, doors, record);
    if (end.kind !== 'terminal')
        return { ...followed, outcome: end };
    const { revision } = end;
    // The revision has ended within its time; whether it is the active one may take a moment longer.
    const settling = doors.extended((0,settle/* settlingTime */.e)(doors));
    const controlPlane = readsNoted(settling.controlPlane, record);
    const outcome = await (0,settle/* settleOutcome */.m)(revision, { ...settling, ...followed, controlPlane });
    return { ...followed, revision, outcome };
}
async function watch({ deploymentId, revisionId, revision, before }, { pollInterval: interval, phaseLimits }, doors, record) {
    const { clock, log, controlPlane } = doors;
    const readDeployment = readsNoted(controlPlane, record).getDeployment;
    const poll = async () => {
        record.polls += 1;
        return await doors.controlPlane.getRevision(deploymentId, revisionId, { retries: 0 });
    };
    // It is only a look: the polls will tell whether the control plane is gone.
    const overtaken = async (ours) => await (0,errors/* ifReadable */.G5)(async () => {
        const deployment = await readDeployment(deploymentId);
        return await (0,rollout_overtaken/* overtakenBy */.z)(ours, deployment, { controlPlane, before, unreadable: 'older' });
    });
    const watching = watchRevision({
        ...doors,
        poll,
        initial: revision,
        interval,
        phaseLimits,
        overtakenBy: overtaken,
        deploymentIsGone: async () => await isGone(deploymentId, controlPlane),
    });
    for (;;) {
        const step = await watching.next();
        if (step.done === true)
            return step.value;
        const event = step.value;
        if (event.kind === 'status') {
            (0,rollout_record/* noteRevision */.cn)(record, event.revision, event.wallTime);
            warnOfUnknown(event.revision.status, record, log);
            doors.onProgress(record);
        }
        const line = (0,narrate/* watchLine */.u)(event, clock.wallTime() - record.startedAt, log.redact);
        if (line !== undefined)
            log.info(line);
    }
}
/** Only where the control plane says so. */
async function isGone(deploymentId, controlPlane) {
    try {
        await controlPlane.getDeployment(deploymentId);
        return false;
    }
    catch (thrown) {
        if (!(thrown instanceof errors/* ControlPlaneError */.Cj))
            throw thrown;
        return (0,errors/* isNotFound */.c4)(thrown);
    }
}
function warnOfUnknown(status, record, log) {
    const isFirst = record.timeline.filter(({ phase }) => phase === 'unknown').length === 1;
    if ((0,outcome/* phaseOf */.h)(status) === 'unknown' && isFirst) {
        log.warning(`The control plane tells a status that this action does not know: ${status}. It counts as in progress.`);
    }
}
/** Every read of the deployment may tell its address, which a new deployment only gets on the way. */
function readsNoted(controlPlane, record) {
    return {
        getRevision: async (...asked) => await controlPlane.getRevision(...asked),
        async getDeployment(id) {
            const deployment = await controlPlane.getDeployment(id);
            (0,rollout_record/* noteDeployment */.Sb)(record, deployment);
            return deployment;
        },
    };
}


/***/ }),

/***/ 2703:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   rolloutPreview: () => (/* binding */ rolloutPreview)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _inputs_pull_request_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6669);
/* harmony import */ var _rollout_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8276);
/* harmony import */ var _teardown_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4138);




/**
 * Rolls out a pull request's own deployment, and takes it down instead when the pull request has been closed by then:
 * a run that was held up must not leave a preview behind that nobody takes down any more.
 */
async function rolloutPreview(request, preview, doors, record) {
    const before = await doors.lookAt(preview.pullRequest);
    const withKnownHead = withHead(request, before);
    // Of what is torn down instead, too.
    record.commit = withKnownHead.repository.commit;
    if (before?.state === 'closed')
        return await tearDownInstead(request, preview, doors, record);
    const outcome = await rolloutUnlessGone(withKnownHead, preview, doors, record);
    if (outcome === 'closed')
        return await tearDownInstead(request, preview, doors, record);
    return outcome;
}
async function rolloutUnlessGone(request, preview, doors, record) {
    const isClosed = async () => (await doors.lookAt(preview.pullRequest))?.state === 'closed';
    try {
        const outcome = await (0,_rollout_js__WEBPACK_IMPORTED_MODULE_2__.rollout)(request, doors, record);
        if (request.dryRun)
            return outcome;
        return (await isClosed()) ? 'closed' : outcome;
    }
    catch (thrown) {
        // The step for "closed" may have deleted the deployment while this one watched it.
        if ((0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isNotFound */ .c4)(thrown) && (await isClosed()))
            return 'closed';
        throw thrown;
    }
}
async function tearDownInstead({ target, dryRun, timeoutMs }, { pullRequest }, doors, record) {
    doors.log.info(`Pull request ${pullRequest} is closed: its preview is not kept.`);
    const what = { kind: 'one', target };
    // The rollout may have used up its time.
    const own = doors.extended(timeoutMs);
    return await (0,_teardown_js__WEBPACK_IMPORTED_MODULE_3__.teardown)({ what, ignoreMissing: true, dryRun, timeoutMs }, own, record);
}
/** Events that do not tell the head of their pull request have it from GitHub. */
function withHead(request, pullRequest) {
    const { repository, settings } = request;
    if (pullRequest === undefined || repository.commit !== undefined)
        return request;
    const { headRef, headRepository, sameRepository, headSha } = pullRequest;
    const head = (0,_inputs_pull_request_js__WEBPACK_IMPORTED_MODULE_1__/* .headOf */ .Uo)(headRef, headRepository, !sameRepository, repository.repoUrl, settings.repoUrl);
    return { ...request, repository: { ...repository, commit: headSha, ...head } };
}


/***/ }),

/***/ 8276:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  rollout: () => (/* binding */ rollout)
});

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./rollout/patch.ts
var rollout_patch = __webpack_require__(5744);
// EXTERNAL MODULE: ./rollout/recover.ts + 2 modules
var recover = __webpack_require__(2850);
// EXTERNAL MODULE: ./rollout/replica-lag.ts
var replica_lag = __webpack_require__(8703);
;// CONCATENATED MODULE: ./rollout/apply.ts




/** Writes what the plan says, in its order, and names the one revision that came of it. */
async function applyPlan(plan, doors) {
    switch (plan.kind) {
        case 'create':
            return await applyCreate(plan, doors);
        case 'revise':
            return await applyRevise(plan, doors);
    }
}
async function applyCreate(plan, doors) {
    const { kind, deployment } = await (0,recover/* createOnce */.Ur)(plan.draft, doors);
    if (kind === 'exists')
        return { kind, deployment };
    // The first revision of an uploaded source has nothing to build, and is not what this run is about.
    doors.onWritten('created', deployment, plan.revision === undefined ? deployment.latestRevisionId : undefined);
    const firstRevision = deployment.latestRevisionId ?? (await firstRevisionId(deployment, doors));
    if (plan.patch !== undefined)
        await (0,rollout_patch/* patchDeployment */.G)(deployment, plan.patch, doors);
    const applied = { kind: 'applied', change: 'created', deployment };
    if (plan.revision === undefined)
        return { ...applied, revisionId: firstRevision, revision: undefined };
    const draft = await withSource(plan.revision, plan, deployment, doors);
    const revision = await (0,recover/* reviseOnce */.ol)({ ...deployment, latestRevisionId: firstRevision }, draft, doors);
    return { ...applied, revisionId: revision.id, revision };
}
async function applyRevise(plan, doors) {
    const { deployment, patch, patchLast } = plan;
    // The upload first: if it fails, nothing has changed.
    const draft = await withSource(plan.revision, plan, deployment, doors);
    if (patch !== undefined && !patchLast) {
        await (0,rollout_patch/* patchDeployment */.G)(deployment, patch, doors);
        doors.onWritten('patched', deployment, undefined);
    }
    const revision = await (0,recover/* reviseOnce */.ol)(deployment, draft, doors);
    doors.onWritten(patch === undefined || patchLast ? 'revised' : 'patched', deployment, revision.id);
    if (patch !== undefined && patchLast)
        await (0,rollout_patch/* patchDeployment */.G)(deployment, patch, doors);
    const change = patch === undefined ? 'revised' : 'patched';
    return { kind: 'applied', change, deployment, revisionId: revision.id, revision };
}
async function withSource(draft, { upload }, { id }, doors) {
    if (upload === undefined)
        return draft;
    const sourceTarballPath = await doors.upload(id);
    return { ...draft, settings: { ...draft.settings, sourceTarballPath } };
}
async function firstRevisionId(deployment, doors) {
    const { latestRevisionId } = await (0,replica_lag/* pastReplicaLag */.FK)(async () => await doors.controlPlane.getDeployment(deployment.id), doors);
    if (latestRevisionId !== undefined)
        return latestRevisionId;
    throw new errors/* BrokenContractError */.Sq({
        attempted: `find the first revision of the deployment ${deployment.id}`,
        cameBack: 'the control plane names no latest_revision_id for it',
        hint: 'Look at the deployment in the control plane, then run the job again.',
    });
}

// EXTERNAL MODULE: ./rollout/built.ts
var built = __webpack_require__(6522);
// EXTERNAL MODULE: ./rollout/compare.ts
var compare = __webpack_require__(2885);
// EXTERNAL MODULE: ./rollout/plan-revise.ts
var plan_revise = __webpack_require__(376);
// EXTERNAL MODULE: ./sources/matrix.ts
var matrix = __webpack_require__(6600);
// EXTERNAL MODULE: ./sources/repository.ts
var repository = __webpack_require__(4381);
// EXTERNAL MODULE: ./rollout/changes.ts
var changes = __webpack_require__(7443);
// EXTERNAL MODULE: ./rollout/fill-in.ts + 2 modules
var fill_in = __webpack_require__(5);
// EXTERNAL MODULE: ./rollout/settings.ts
var rollout_settings = __webpack_require__(9849);
;// CONCATENATED MODULE: ./rollout/plan-create.ts





/** The create body has no place for these (contract notes, `POST /v2/deployments`). */
const NOT_ON_CREATE = ['shareable', 'routeThroughGateway'];
/** Plans to create the deployment, and with it its first revision. */
function planCreate(request, basis) {
    const { target, source } = request;
    if (target.kind === 'id')
        throw new Error('a deployment that was found by its id always exists');
    const { name } = target;
    if (request.ifMissing === 'fail') {
        const message = 'names no deployment that these credentials can see, and if-missing is "fail"';
        return { kind: 'refused', problems: [{ input: 'name', value: name, message }] };
    }
    if (source === undefined) {
        const message = `is required to create a deployment, and there is none named "${name}" yet`;
        return { kind: 'refused', problems: [{ input: 'source', message }] };
    }
    const { settings: filled, problems, notes } = (0,fill_in/* fillIn */.p)(request, source, basis);
    const settings = (0,repository/* isTag */.dz)(filled.repoRef) ? { ...filled, buildOnPush: false } : filled;
    const found = [
        ...problems,
        ...(0,matrix/* mismatches */.vJ)(source, (0,rollout_settings/* withSourcePath */.NJ)(settings, request)),
        ...without((0,matrix/* missing */.LO)(source, settings), problems),
    ];
    if (found.length > 0)
        return { kind: 'refused', problems: found };
    const draft = { name, source, settings: (0,rollout_settings/* omit */.cJ)(settings, NOT_ON_CREATE) };
    const plan = { ...writesOf(draft, settings, basis), notes: [...request.notes, ...notes] };
    return { kind: 'planned', plan };
}
function writesOf(draft, settings, basis) {
    const afterwards = (0,rollout_settings/* nonEmpty */.hq)((0,rollout_settings/* pick */.Up)(settings, NOT_ON_CREATE));
    if (draft.source === 'internal_source') {
        return {
            kind: 'create',
            draft,
            patch: undefined,
            upload: basis.packed,
            revision: sourceRevision(draft.source, settings),
            fields: fieldsOfCreate(settings, 'revision'),
            because: 'the first revision of an uploaded source has nothing to build: the one after the upload does',
        };
    }
    return {
        kind: 'create',
        draft,
        patch: afterwards,
        upload: undefined,
        revision: undefined,
        fields: fieldsOfCreate(settings, 'patch'),
        because: 'creating a deployment makes its first revision',
    };
}
/** The revision after the upload carries along what creating did not take. */
function sourceRevision(source, settings) {
    return { source, settings: (0,rollout_settings/* pick */.Up)(settings, ['appConfigPath', ...NOT_ON_CREATE]) };
}
function fieldsOfCreate(settings, afterwards) {
    return (0,changes/* describeFields */.VO)(undefined, settings, (field) => NOT_ON_CREATE.includes(field) ? afterwards : 'create');
}
/** Problems about inputs that nothing is said of yet. */
function without(problems, said) {
    return problems.filter(({ input }) => !said.some((problem) => problem.input === input));
}

;// CONCATENATED MODULE: ./rollout/plan.ts


/** Compares what is wanted with what the control plane says, and decides what to write. Writes nothing. */
function planRollout(request, basis) {
    return basis.current === undefined
        ? planCreate(request, basis)
        : (0,plan_revise/* planRevise */.qx)(request, { ...basis, current: basis.current });
}

// EXTERNAL MODULE: ./control-plane/routes.ts
var routes = __webpack_require__(5903);
// EXTERNAL MODULE: ./sources/effective-spec.ts
var effective_spec = __webpack_require__(298);
;// CONCATENATED MODULE: ./rollout/requests.ts


/** Every request that carrying out the plan would send, in order. */
function requestsOf(plan, wait) {
    if (plan.kind === 'unchanged')
        return [];
    if (plan.kind === 'resume')
        return wait ? readsAfter(plan.deployment.id) : [];
    const id = plan.kind === 'create' ? '{deployment_id}' : plan.deployment.id;
    return [...requests_writesOf(plan, id), ...(wait ? readsAfter(id) : [])];
}
function requests_writesOf(plan, id) {
    const create = plan.kind === 'create'
        ? [shown((0,routes/* createDeploymentRequest */.LA)({ ...plan.draft, settings: withoutValues(plan.draft.settings) }))]
        : [];
    const upload = plan.upload === undefined ? [] : [shown((0,routes/* uploadUrlRequest */.AA)(id)), PUT_SOURCE];
    const patch = plan.patch === undefined ? [] : [shown((0,routes/* updateDeploymentRequest */.Ih)(id, withoutValues(plan.patch)))];
    const revision = plan.revision === undefined ? [] : [revisionRequest(plan, id)];
    const changes = plan.kind === 'revise' && plan.patchLast ? [revision, patch] : [patch, revision];
    return [...create, ...upload, ...changes.flat()].flat();
}
const PUT_SOURCE = {
    method: 'PUT',
    path: '{upload_url}',
    purpose: 'upload the source, without any credentials',
};
function revisionRequest({ revision, upload }, id) {
    if (revision === undefined)
        return [];
    const settings = withoutValues(revision.settings);
    const uploaded = upload === undefined ? settings : { ...settings, sourceTarballPath: '{object_path}' };
    return [shown((0,routes/* createRevisionRequest */.xA)(id, { ...revision, settings: uploaded }))];
}
function readsAfter(id) {
    return [
        { ...shown((0,routes/* getRevisionRequest */.ry)(id, '{revision_id}')), purpose: 'watch the revision', repeated: true },
        { ...shown((0,routes/* getDeploymentRequest */.J)(id)), purpose: 'see which revision is active' },
    ];
}
function shown({ method, path, body, attempted }) {
    return { method, path, ...(body === undefined ? {} : { body }), purpose: attempted };
}
function withoutValues(settings) {
    const { secrets, resourceSpec } = settings;
    return {
        ...settings,
        ...(secrets === undefined ? {} : { secrets: secrets.map(({ name }) => ({ name, value: effective_spec/* NOT_SHOWN */.a6 })) }),
        ...(resourceSpec === undefined ? {} : { resourceSpec: (0,effective_spec/* withoutEnvValues */._i)(resourceSpec) }),
    };
}

;// CONCATENATED MODULE: ./rollout/plan-document.ts

/** @param wait whether the revision would be watched, as those requests are told too */
function describePlan(plan, wait) {
    const upload = 'upload' in plan ? plan.upload : undefined;
    return {
        version: 1,
        kind: plan.kind,
        deployment: deploymentOf(plan),
        source: sourceOf(plan),
        fields: plan.fields,
        revision: { follows: plan.kind === 'create' || plan.kind === 'revise', because: plan.because },
        ...(upload === undefined ? {} : { upload }),
        requests: requestsOf(plan, wait),
        notes: plan.notes,
    };
}
function deploymentOf(plan) {
    switch (plan.kind) {
        case 'create':
            return { name: plan.draft.name };
        case 'revise':
        case 'resume':
        case 'unchanged':
            return { name: plan.deployment.name, id: plan.deployment.id };
    }
}
function sourceOf(plan) {
    switch (plan.kind) {
        case 'create':
            return plan.draft.source;
        case 'revise':
            return plan.revision.source;
        case 'resume':
        case 'unchanged':
            return plan.deployment.source ?? '';
    }
}

// EXTERNAL MODULE: ./rollout/record.ts
var rollout_record = __webpack_require__(8477);
// EXTERNAL MODULE: ./rollout/find.ts
var find = __webpack_require__(7139);
// EXTERNAL MODULE: ./rollout/pages.ts
var pages = __webpack_require__(518);
;// CONCATENATED MODULE: ./rollout/survey.ts




/**
 * Reads what a plan for the request depends on. Writes nothing.
 * @throws RefusedError, among others, as every request does
 */
async function surveyControlPlane(request, doors) {
    const { controlPlane } = doors;
    const current = await (0,find/* findDeployment */.H)(request.target, controlPlane);
    if (current !== undefined) {
        const revisions = await readRevisions(request, current, doors);
        return { current, ...revisions, listeners: undefined, integrations: undefined };
    }
    const { source, settings } = request;
    const willCreate = request.ifMissing === 'create';
    const needsListeners = willCreate && source === 'external_container';
    const needsIntegration = willCreate && source === 'git_host' && settings.integrationId === undefined;
    return {
        current,
        active: undefined,
        latest: undefined,
        listeners: needsListeners ? await listListeners(controlPlane) : undefined,
        integrations: needsIntegration ? await listIntegrations(controlPlane) : undefined,
    };
}
/** In the usual case, where the latest revision is the active one, nothing has to be read but for `if-unchanged: skip`. */
async function readRevisions({ ifUnchanged, resume, protectNewer }, { id, activeRevisionId, latestRevisionId }, doors) {
    const read = async (revisionId) => await (0,replica_lag/* pastReplicaLag */.FK)(async () => await doors.controlPlane.getRevision(id, revisionId), doors);
    const isNewest = latestRevisionId === undefined || latestRevisionId === activeRevisionId;
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
        for await (const listener of (0,pages/* readAll */.y)(controlPlane.listListeners))
            listeners.push(listener);
        return { kind: 'listed', listeners };
    }
    catch (thrown) {
        if (!isOutOfReach(thrown))
            throw thrown;
        return { kind: 'unlisted', reason: `the control plane does not list listeners (HTTP ${thrown.status})` };
    }
}
async function listIntegrations(controlPlane) {
    const installed = [];
    for (const integration of await controlPlane.listIntegrations()) {
        installed.push({ ...integration, repositories: await listRepositories(integration.id, controlPlane) });
    }
    return installed;
}
/** One integration that these credentials may not look into must not hide the one that is meant. */
async function listRepositories(integrationId, controlPlane) {
    try {
        return await controlPlane.listRepositories(integrationId);
    }
    catch (thrown) {
        if (isOutOfReach(thrown))
            return undefined;
        throw thrown;
    }
}
function isOutOfReach(thrown) {
    return (0,errors/* mayLackRoute */.I1)(thrown) || (thrown instanceof errors/* RefusedError */.fk && thrown.status === 403);
}

// EXTERNAL MODULE: ./report/plan-lines.ts
var plan_lines = __webpack_require__(3834);
// EXTERNAL MODULE: ./sources/problem.ts
var problem = __webpack_require__(8342);
// EXTERNAL MODULE: ./operations/follow.ts + 2 modules
var follow = __webpack_require__(6899);
;// CONCATENATED MODULE: ./operations/source-upload.ts
/** What packs and uploads is loaded when it is needed: most rollouts upload nothing. */
function openSourceUpload(request, doors) {
    let archive;
    return {
        async pack() {
            if (archive === undefined) {
                const { packSource } = await __webpack_require__.e(/* import() */ 732).then(__webpack_require__.bind(__webpack_require__, 732));
                const { workspace, tempDir, signal } = doors;
                const sourcePath = request.sourcePath ?? '.';
                const { appConfigPath } = request.settings;
                archive = await packSource({ sourcePath, appConfigPath, workspace, tempDir, signal });
            }
            const { files, bytes, sha256, warnings } = archive;
            return { source: { files, bytes, sha256 }, warnings };
        },
        async send(deploymentId) {
            if (archive === undefined)
                throw new Error('a source is packed before it is sent');
            const { uploadSource } = await __webpack_require__.e(/* import() */ 76).then(__webpack_require__.bind(__webpack_require__, 9076));
            return await uploadSource(deploymentId, archive, {
                ...doors,
                stallTimeoutMs: doors.requestTimeoutMs,
            });
        },
        async dispose() {
            await archive?.remove();
        },
    };
}

;// CONCATENATED MODULE: ./operations/warn-once.ts
/** Raises warnings as one annotation, and only once: a run may plan again. */
function warnOnce(log) {
    let hasWarned = false;
    return (warnings) => {
        if (hasWarned || warnings.length === 0)
            return;
        hasWarned = true;
        log.warning(warnings.map((warning) => `${warning}.`).join('\n'));
    };
}

;// CONCATENATED MODULE: ./operations/rollout.ts













/**
 * Rolls out one deployment: looks at what there is, plans, tells the plan, writes, watches the revision, and says what
 * became of it. What it learns on the way goes into the record at once, so that the record is true whenever the run ends.
 * @throws InputError for what the user must correct, ControlPlaneError when it could not go on
 */
async function rollout(request, doors, record) {
    const source = openSourceUpload(request, doors);
    try {
        const begun = await begin(request, source, doors, record);
        if (begun.kind === 'ended')
            return begun.outcome;
        if (!request.wait)
            return { kind: 'started' };
        const ended = await (0,follow/* followRevision */.f)(begun.followed, request, doors, record);
        const { lookAfter } = await __webpack_require__.e(/* import() */ 551).then(__webpack_require__.bind(__webpack_require__, 5932));
        return await lookAfter(ended, { ...request, changed: request.settings }, doors, record);
    }
    finally {
        await source.dispose();
    }
}
async function begin(request, source, doors, record) {
    // Before the first request, when it is known by then: a source that cannot be packed is the user's to correct.
    if (request.source === 'internal_source')
        await source.pack();
    const warn = warnOnce(doors.log);
    // A name that somebody else takes between our look and our create: plan again, now against what is there.
    for (;;) {
        const survey = await surveyControlPlane(request, doors);
        noteCurrent(record, survey.current);
        (0,built/* noteBuilt */.Z)(record, request, survey.current);
        const { plan, warnings } = await makePlan(request, survey, source);
        record.plan = describePlan(plan, request.wait);
        doors.log.info((0,plan_lines/* planLines */.HN)(record.plan, doors.log.redact).join('\n'));
        if (request.dryRun)
            return { kind: 'ended', outcome: { kind: 'planned' } };
        warn(warnings);
        if (plan.kind === 'unchanged') {
            (0,rollout_record/* noteRevision */.cn)(record, plan.active, doors.clock.wallTime());
            return { kind: 'ended', outcome: { kind: 'unchanged' } };
        }
        if (plan.kind === 'resume')
            return resume(plan, doors, record);
        const newer = await newerCommit(request, plan, survey, doors);
        if (newer !== undefined)
            return { kind: 'ended', outcome: newer };
        doors.onProgress(record);
        const applied = await applyPlan(plan, {
            ...doors,
            upload: source.send,
            onRecovery: doors.log.info,
            onWritten: (change, deployment, revisionId) => {
                record.change = change;
                record.revisionId = revisionId;
                (0,rollout_record/* noteDeployment */.Sb)(record, deployment);
            },
        });
        if (applied.kind === 'applied') {
            noteApplied(applied, doors, record);
            const { revisionId, revision, deployment } = applied;
            const followed = { deploymentId: deployment.id, revisionId, revision, before: survey.current };
            return { kind: 'followed', followed };
        }
        doors.log.info('A deployment of that name exists by now: planning again.');
    }
}
function resume({ deployment, latest }, doors, record) {
    record.change = 'resumed';
    (0,rollout_record/* noteRevision */.cn)(record, latest, doors.clock.wallTime());
    doors.log.info(`Re-attached to revision ${latest.id}.`);
    doors.onProgress(record);
    return { kind: 'followed', followed: (0,follow/* attachTo */.j)(deployment, latest) };
}
/**
 * Whether the commit that is deployed is a later one than ours: then ours must not take its place. Only when both are
 * known; when GitHub does not tell, the rollout goes on.
 */
async function newerCommit(request, plan, { active, latest }, doors) {
    if (!request.protectNewer || plan.kind !== 'revise')
        return undefined;
    const { deployment, revision } = plan;
    const ours = (0,plan_revise/* commitOf */.D3)(request, revision.settings, deployment);
    const isNewest = deployment.latestRevisionId === deployment.activeRevisionId;
    const deployed = (isNewest ? deployment.repoCommitSha : undefined) ?? active?.repoCommitSha;
    if (ours === undefined || deployed === undefined || (0,compare/* sameCommit */.Kd)(deployed, ours))
        return undefined;
    const comparison = await doors.compareCommits(deployed, ours);
    if (comparison !== 'behind')
        return undefined;
    doors.log.info(`The deployed commit ${deployed} is a later one than ${ours}.`);
    return { kind: 'superseded', by: deployment.activeRevisionId ?? latest?.id ?? deployed };
}
/** The plan, with its warnings among its notes. */
async function makePlan(request, survey, source) {
    const kind = survey.current === undefined ? request.source : survey.current.source;
    const packed = kind === 'internal_source' ? await source.pack() : undefined;
    const warnings = [...request.warnings, ...(packed?.warnings ?? [])];
    const notes = [...request.notes, ...warnings];
    const planning = planRollout({ ...request, notes }, { ...survey, packed: packed?.source });
    if (planning.kind === 'refused')
        throw new problem/* InputError */.d(planning.problems);
    return { plan: planning.plan, warnings };
}
function noteCurrent(record, current) {
    if (current === undefined)
        return;
    (0,rollout_record/* noteDeployment */.Sb)(record, current);
    // null: the deployment says that none is active; left out: it does not say.
    const { activeRevisionId: active, latestRevisionId: latest } = current;
    record.previousRevisionId = active === undefined ? latest : (active ?? undefined);
    record.wasActive = active ?? undefined;
}
function noteApplied(applied, doors, record) {
    record.change = applied.change;
    (0,rollout_record/* noteDeployment */.Sb)(record, applied.deployment);
    record.revisionId = applied.revisionId;
    if (applied.revision !== undefined)
        (0,rollout_record/* noteRevision */.cn)(record, applied.revision, doors.clock.wallTime());
    const { name, id } = applied.deployment;
    const what = applied.change === 'created' ? `Created ${name} (${id})` : `Wrote to ${name}`;
    doors.log.info(`${what}: revision ${applied.revisionId}.`);
}


/***/ }),

/***/ 4138:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  teardown: () => (/* binding */ teardown)
});

// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./rollout/find.ts
var find = __webpack_require__(7139);
// EXTERNAL MODULE: ./rollout/pages.ts
var pages = __webpack_require__(518);
// EXTERNAL MODULE: ./rollout/preview-name.ts
var preview_name = __webpack_require__(8916);
// EXTERNAL MODULE: ./rollout/record.ts
var rollout_record = __webpack_require__(8477);
// EXTERNAL MODULE: ./sources/problem.ts
var problem = __webpack_require__(8342);
;// CONCATENATED MODULE: ./teardown/choose.ts

/** The deployments that are previews of this very name, in full: `my-agent-pr-1` is none of `agent`. */
function previewsOf(deployments, name) {
    return deployments.flatMap((deployment) => {
        const pullRequest = (0,preview_name/* pullRequestOf */._n)(deployment.name, name);
        return pullRequest === undefined ? [] : [{ deployment, pullRequest }];
    });
}
/** Which previews go. Whatever is not known for certain stays. */
function choosePreviews(candidates, states, { olderThanMs }, wallTime) {
    return candidates.map((candidate) => {
        const { pullRequest, deployment } = candidate;
        const state = states.get(pullRequest) ?? 'unknown';
        if (state === 'closed') {
            return { ...candidate, verdict: 'remove', because: `pull request ${pullRequest} is closed` };
        }
        const age = deployment.updatedAt === undefined ? undefined : wallTime - deployment.updatedAt;
        if (olderThanMs !== undefined && age !== undefined && age >= olderThanMs) {
            return { ...candidate, verdict: 'remove', because: `not updated for ${describeAge(age)}` };
        }
        return { ...candidate, verdict: 'keep', because: whyKept(state, pullRequest) };
    });
}
function whyKept(state, pullRequest) {
    switch (state) {
        case 'open':
            return `pull request ${pullRequest} is open`;
        case 'missing':
            return `this repository has no pull request ${pullRequest}`;
        case 'unknown':
            return `GitHub did not tell whether pull request ${pullRequest} is closed`;
    }
}
function describeAge(ms) {
    const hours = Math.floor(ms / 3_600_000);
    if (hours < 1)
        return `${Math.floor(ms / 60_000)} minutes`;
    return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

;// CONCATENATED MODULE: ./teardown/remove.ts

const FIRST_LOOK_MS = 500;
const SLOWEST_LOOK_MS = 5_000;
/**
 * Deletes a deployment, and says so only when it is gone: a control plane may take its time for that (contract notes,
 * `DELETE /v2/deployments/{id}`).
 * @throws RefusedError when the control plane has no route to delete, or refuses; UnreachableError when the deployment
 * is still there at the deadline
 */
async function removeDeployment(id, doors) {
    const trouble = { attempted: `delete the deployment ${id}` };
    try {
        await doors.controlPlane.deleteDeployment(id);
    }
    catch (thrown) {
        if (!(0,errors/* mayLackRoute */.I1)(thrown))
            throw thrown;
        if (!(await exists(id, doors)))
            return 'absent';
        throw noRoute(thrown, trouble.attempted);
    }
    for (let pause = FIRST_LOOK_MS; await exists(id, doors); pause = Math.min(pause * 2, SLOWEST_LOOK_MS)) {
        const left = doors.deadline - doors.clock.now();
        if (left <= 0) {
            throw new errors/* UnreachableError */.Jk({
                ...trouble,
                cameBack: 'the control plane accepted it, and the deployment was still there when the time was over',
                hint: 'Look at the deployment in the control plane, or set a longer timeout.',
            });
        }
        await doors.clock.sleep(Math.min(pause, left), doors.signal);
    }
    return 'removed';
}
async function exists(id, { controlPlane }) {
    try {
        await controlPlane.getDeployment(id);
        return true;
    }
    catch (thrown) {
        if ((0,errors/* isNotFound */.c4)(thrown))
            return false;
        throw thrown;
    }
}
/** The deployment is there, and yet the route says that it is not: it is the route that is missing. */
function noRoute(refused, attempted) {
    const trouble = {
        attempted,
        cameBack: `DELETE was answered with HTTP ${refused.status}, though the deployment is there: this control plane has no route to delete deployments`,
        hint: 'Delete the deployment in the control plane itself.',
    };
    return new errors/* RefusedError */.fk(refused.status, refused.detail, trouble);
}

;// CONCATENATED MODULE: ./operations/teardown.ts









/**
 * Deletes one deployment, or all previews whose pull request is closed, and says so only of those that are gone.
 * @throws InputError, ControlPlaneError when it could not go on; one deployment's failure among several does not throw
 */
async function teardown(request, doors, record) {
    switch (request.what.kind) {
        case 'one':
            return await tearDownOne(request.what.target, request, doors, record);
        case 'closed-previews':
            return await tearDownClosed(request.what, request, doors, record);
    }
}
async function tearDownOne(target, { ignoreMissing, dryRun }, doors, record) {
    const deployment = await findOrNothing(target, doors);
    if (deployment === undefined) {
        if (target.kind === 'name')
            record.gone.push(target.name);
        if (ignoreMissing)
            return { kind: 'nothing-to-tear-down' };
        const [input, value] = target.kind === 'name' ? ['name', target.name] : ['deployment-id', target.id];
        const message = 'names no deployment that these credentials can see, and ignore-missing is "false"';
        throw new problem/* InputError */.d([{ input, value, message }]);
    }
    (0,rollout_record/* noteDeployment */.Sb)(record, deployment);
    record.removals = [{ ...named(deployment), result: 'planned', because: 'it was asked for' }];
    doors.log.info(`${dryRun ? 'Would delete' : 'Deleting'} ${deployment.name} (${deployment.id}).`);
    if (dryRun)
        return { kind: 'planned' };
    await removeDeployment(deployment.id, doors);
    // Nobody is to be led to what is gone.
    record.url = undefined;
    record.gone.push(deployment.name);
    record.removals = [{ ...named(deployment), result: 'removed', because: 'it was asked for' }];
    return { kind: 'torn-down' };
}
async function findOrNothing(target, { controlPlane }) {
    try {
        return await (0,find/* findDeployment */.H)(target, controlPlane);
    }
    catch (thrown) {
        if (target.kind === 'id' && (0,errors/* isNotFound */.c4)(thrown))
            return undefined;
        throw thrown;
    }
}
async function tearDownClosed(what, { dryRun }, doors, record) {
    const candidates = previewsOf(await listPreviews(what.name, doors), what.name);
    const states = await doors.pullRequestStates(candidates.map(({ pullRequest }) => pullRequest));
    const choices = choosePreviews(candidates, states, what, doors.clock.wallTime());
    record.removals = choices.map((choice) => removalOf(choice, choice.verdict === 'keep' ? 'kept' : 'planned'));
    for (const { deployment, verdict, because } of choices) {
        const word = verdict === 'keep' ? 'Keeping' : dryRun ? 'Would delete' : 'Deleting';
        doors.log.info(`${word} ${deployment.name} (${deployment.id}): ${because}.`);
    }
    const doomed = choices.filter(({ verdict }) => verdict === 'remove');
    if (!dryRun)
        await removeAll(doomed, doors, record);
    const failed = record.removals.filter(({ result }) => result === 'failed').length;
    if (failed > 0)
        return { kind: 'failed', because: { kind: 'teardown', failed } };
    const isUnknown = ({ pullRequest }) => (states.get(pullRequest) ?? 'unknown') === 'unknown';
    const unknown = choices.filter(isUnknown).length;
    // Nobody must believe that all is tidy when GitHub could not be asked, whatever could go without asking it.
    if (unknown > 0)
        return { kind: 'failed', because: { kind: 'teardown-blind', unknown } };
    if (dryRun)
        return { kind: 'planned' };
    return { kind: doomed.length > 0 ? 'torn-down' : 'nothing-to-tear-down' };
}
async function listPreviews(name, { controlPlane }) {
    const nameContains = (0,preview_name/* previewNameStart */.ms)(name);
    const found = new Map();
    for await (const deployment of (0,pages/* readAll */.y)(async (query) => await controlPlane.listDeployments({ nameContains, ...query })))
        found.set(deployment.id, deployment);
    return [...found.values()];
}
const AT_ONCE = 4;
/** A few at a time, as each waits until its deployment is gone. One that fails does not stop the others. */
async function removeAll(doomed, doors, record) {
    const queue = [...doomed];
    const work = async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            const removal = await removeOne(next, doors);
            if (removal.result === 'removed')
                record.gone.push(removal.name);
            record.removals = record.removals.map((one) => (one.id === removal.id ? removal : one));
        }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
}
async function removeOne(choice, doors) {
    const { id, name } = choice.deployment;
    try {
        await removeDeployment(id, doors);
        doors.log.info(`${name} (${id}) is gone.`);
        return removalOf(choice, 'removed');
    }
    catch (thrown) {
        doors.signal.throwIfAborted();
        const because = (0,clock/* toError */.i)(thrown).message;
        doors.log.warning(`${name} (${id}) could not be deleted. ${because}`);
        return { ...removalOf(choice, 'failed'), because };
    }
}
function removalOf({ deployment, pullRequest, because }, result) {
    return { ...named(deployment), pullRequest, result, because };
}
function named({ id, name }) {
    return { id, name };
}


/***/ }),

/***/ 6522:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z: () => (/* binding */ noteBuilt)
/* harmony export */ });
/* harmony import */ var _sources_repository_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4381);

/**
 * Notes what is built, for GitHub to be told. The commit of the event is only that of the event's own ref, and a ref of
 * another repository means nothing in this one. What is not built from a repository counts for the event's commit.
 */
function noteBuilt(record, { repository, settings, source, }, current) {
    if ((current?.source ?? source) !== 'git_host')
        return;
    const builds = current?.settings.repoUrl ?? settings.repoUrl ?? repository.repoUrl;
    const isHere = builds === undefined || repository.repoUrl === undefined || (0,_sources_repository_js__WEBPACK_IMPORTED_MODULE_0__/* .sameRepository */ .RB)(builds, repository.repoUrl);
    const ofEvent = repository.repoRef.kind === 'ref' ? repository.repoRef.ref : undefined;
    const ref = settings.repoRef ?? ofEvent ?? current?.settings.repoRef;
    record.elsewhere = isHere ? undefined : builds;
    record.ref = isHere ? ref : undefined;
    record.commit = isHere && ref !== undefined && ref === ofEvent ? repository.commit : undefined;
}


/***/ }),

/***/ 7139:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ findDeployment),
/* harmony export */   _: () => (/* binding */ findByName)
/* harmony export */ });
/* harmony import */ var _pages_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(518);

/**
 * The deployment that is meant, or nothing when no deployment has that name. An id that is unknown is an error.
 * @throws RefusedError, among others, as every request does.
 */
async function findDeployment(target, controlPlane) {
    switch (target.kind) {
        case 'id':
            return await controlPlane.getDeployment(target.id);
        case 'name':
            return await findByName(target.name, controlPlane);
    }
}
/** Reads page after page until the exact name is found: the filter is a substring match, or a prefix match. */
async function findByName(name, controlPlane) {
    const readPage = controlPlane.listDeployments;
    for await (const deployment of (0,_pages_js__WEBPACK_IMPORTED_MODULE_0__/* .readAll */ .y)(async (query) => await readPage({ nameContains: name, ...query })))
        if (deployment.name === name)
            return deployment;
    return undefined;
}


/***/ }),

/***/ 2463:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   z: () => (/* binding */ overtakenBy)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);

/**
 * The newer revision that the deployment names as its latest or its active one; nothing when ours is the newest. What a
 * lagging replica names, or what was made between our look and our write, is older than ours and overtakes nothing.
 */
async function overtakenBy(ours, deployment, options) {
    const { before } = options;
    const known = [ours.id, before?.latestRevisionId, before?.activeRevisionId];
    const named = new Set([deployment.latestRevisionId, deployment.activeRevisionId]);
    for (const id of named) {
        if (id === undefined || id === null || known.includes(id))
            continue;
        if ((await ageOf(id, ours, deployment, options)) === 'newer')
            return id;
    }
    return undefined;
}
async function ageOf(id, { createdAt }, deployment, { controlPlane, unreadable }) {
    try {
        const other = await controlPlane.getRevision(deployment.id, id);
        // Of two that cannot be dated, the one that is called the latest is the newer one.
        if (createdAt === undefined || other.createdAt === undefined)
            return id === deployment.latestRevisionId ? 'newer' : 'older';
        return other.createdAt < createdAt ? 'older' : 'newer';
    }
    catch (thrown) {
        if (thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ControlPlaneError */ .Cj)
            return unreadable;
        throw thrown;
    }
}


/***/ }),

/***/ 518:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   y: () => (/* binding */ readAll)
/* harmony export */ });
/** The contract's largest page. */
const PAGE_SIZE = 100;
/**
 * Everything that a paged list holds, each once, as it comes. Only an empty page is the last one: a service may filter
 * after it has cut the page, and send a short one. One that knows no offset sends the same page for ever: a page of
 * nothing new is the last one, too.
 */
async function* readAll(readPage) {
    const seen = new Set();
    for (let offset = 0;;) {
        const page = await readPage({ limit: PAGE_SIZE, offset });
        const news = page.resources.filter(({ id }) => !seen.has(id));
        for (const one of news) {
            seen.add(one.id);
            yield one;
        }
        if (news.length === 0 || page.offset <= offset)
            return;
        offset = page.offset;
    }
}


/***/ }),

/***/ 8703:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FK: () => (/* binding */ pastReplicaLag),
/* harmony export */   Um: () => (/* binding */ LOOK_AGAIN_MS),
/* harmony export */   p6: () => (/* binding */ REPLICA_LAG_MS)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);

/** What was just created may be unknown to a lagging replica for so long (contract notes, GET revision), in milliseconds. */
const REPLICA_LAG_MS = 30_000;
/** Milliseconds between two looks for something that may not show at once. */
const LOOK_AGAIN_MS = 2_000;
/** Something that stands between may answer in the control plane's place, so many times. */
const BROKEN_ANSWERS = 2;
/**
 * Reads what must be there, as the control plane has named it: a 404 is given time to pass, and an answer that is none
 * is asked for again.
 * @throws what reading throws; RefusedError when it is still a 404 in the end
 */
async function pastReplicaLag(read, { clock, signal, deadline }) {
    const giveUpAt = Math.min(clock.now() + REPLICA_LAG_MS, deadline - LOOK_AGAIN_MS);
    let broken = 0;
    for (;;) {
        try {
            return await read();
        }
        catch (thrown) {
            const isBroken = thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq && ++broken <= BROKEN_ANSWERS;
            if ((!(0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isNotFound */ .c4)(thrown) && !isBroken) || clock.now() >= giveUpAt)
                throw thrown;
            await clock.sleep(LOOK_AGAIN_MS, signal);
        }
    }
}


/***/ }),

/***/ 9875:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   e: () => (/* binding */ settlingTime),
/* harmony export */   m: () => (/* binding */ settleOutcome)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _overtaken_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2463);
/* harmony import */ var _replica_lag_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8703);



/** How long a deployment may take to name the revision that is DEPLOYED as its active one, in milliseconds. */
const ACTIVATION_GRACE_MS = 30_000;
/** What of it there is in any case: a revision that ended in time must not fail because its end was seen late. */
const LEAST_GRACE_MS = 5_000;
/** How long a deployment may take to name the newer revision because of which ours ended. */
const SUCCESSION_GRACE_MS = 6_000;
/** Milliseconds that settling may take from now on, of a run with that deadline. */
function settlingTime({ clock, deadline }) {
    return Math.min(ACTIVATION_GRACE_MS, Math.max(LEAST_GRACE_MS, deadline - clock.now()));
}
/**
 * What a revision that has ended means. `deployed` is said only when the deployment agrees: its own status says nothing
 * of a rollout (contract notes, "Statuses").
 */
async function settleOutcome(revision, options) {
    switch (revision.status) {
        case 'DEPLOYED':
            return await confirmActive(revision, options);
        case 'SKIPPED':
            return (await newerRevision(revision, options)) ?? { kind: 'skipped', because: 'revision' };
        case 'INTERRUPTED':
            return (await newerRevision(revision, options)) ?? { kind: 'interrupted' };
        default:
            return { kind: 'failed', because: { kind: 'revision' } };
    }
}
async function confirmActive(revision, options) {
    const { clock, deadline: giveUpAt } = options;
    for (;;) {
        const deployment = await tryRead(options);
        if (typeof deployment === 'string') {
            if (clock.now() >= giveUpAt)
                return { kind: 'failed', because: { kind: 'active-unknown', trouble: deployment } };
            await pause(giveUpAt, options);
            continue;
        }
        const { activeRevisionId: active } = deployment;
        if (active === revision.id)
            return { kind: 'deployed', confirmed: true };
        if (active === undefined)
            return { kind: 'deployed', confirmed: false };
        // A newer one that is still on its way says nothing of ours: only the active one counts here.
        const newer = await (0,_overtaken_js__WEBPACK_IMPORTED_MODULE_1__/* .overtakenBy */ .z)(revision, { ...deployment, latestRevisionId: undefined }, { ...options, unreadable: 'older' });
        if (newer !== undefined)
            return { kind: 'superseded', by: newer };
        if (clock.now() >= giveUpAt) {
            return active === null
                ? { kind: 'failed', because: { kind: 'nothing-active' } }
                : { kind: 'superseded', by: active };
        }
        await pause(giveUpAt, options);
    }
}
/** Until the next look; the last one is at the very end. */
async function pause(until, { clock, signal }) {
    await clock.sleep(Math.max(0, Math.min(_replica_lag_js__WEBPACK_IMPORTED_MODULE_2__/* .LOOK_AGAIN_MS */ .Um, until - clock.now())), signal);
}
/** The deployment, or why it cannot be read just now. */
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
/** Nothing when none is known in the end: then the revision's own end is all that can be told. */
async function newerRevision(revision, options) {
    const { clock, deadline } = options;
    const giveUpAt = Math.min(clock.now() + SUCCESSION_GRACE_MS, deadline);
    for (;;) {
        const deployment = await tryRead(options);
        if (typeof deployment !== 'string') {
            const by = await (0,_overtaken_js__WEBPACK_IMPORTED_MODULE_1__/* .overtakenBy */ .z)(revision, deployment, { ...options, unreadable: 'newer' });
            if (by !== undefined)
                return { kind: 'superseded', by };
        }
        if (clock.now() >= giveUpAt)
            return undefined;
        await pause(giveUpAt, options);
    }
}


/***/ })

};
