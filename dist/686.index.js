export const id = 686;
export const ids = [686];
export const modules = {

/***/ 7543:
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
;// CONCATENATED MODULE: ./rollout/overtaken.ts

/**
 * The newer revision that the deployment names as its latest or its active one; nothing when ours is the newest. What a
 * lagging replica names, or what was made between our look and our write, is older than ours and overtakes nothing.
 */
async function overtakenBy(ours, deployment, { controlPlane, before }) {
    const known = [ours.id, before?.latestRevisionId, before?.activeRevisionId];
    const named = new Set([deployment.latestRevisionId, deployment.activeRevisionId]);
    for (const id of named) {
        if (id === undefined || id === null || known.includes(id))
            continue;
        if (!(await isOlder(id, ours, deployment.id, controlPlane)))
            return id;
    }
    return undefined;
}
async function isOlder(id, { createdAt }, deploymentId, { getRevision }) {
    if (createdAt === undefined)
        return false;
    try {
        const other = await getRevision(deploymentId, id, { retries: 0 });
        return other.createdAt !== undefined && other.createdAt < createdAt;
    }
    catch (thrown) {
        if (thrown instanceof errors/* ControlPlaneError */.Cj)
            return false;
        throw thrown;
    }
}

;// CONCATENATED MODULE: ./rollout/settle.ts


/** How long a deployment may take to name the revision that is DEPLOYED as its active one. */
const ACTIVATION_GRACE_MS = 30_000;
const LOOK_AGAIN_MS = 2_000;
/**
 * What a revision that has ended means. `deployed` is said only when the deployment agrees: its own status says nothing
 * of a rollout (contract notes, "Statuses").
 */
async function settleOutcome(revision, options) {
    switch (revision.status) {
        case 'DEPLOYED':
            return await confirmActive(revision.id, options);
        case 'SKIPPED':
            return (await newerRevision(revision, options)) ?? { kind: 'skipped', because: 'revision' };
        case 'INTERRUPTED':
            return (await newerRevision(revision, options)) ?? { kind: 'interrupted' };
        default:
            return { kind: 'failed', because: { kind: 'revision' } };
    }
}
async function confirmActive(revisionId, options) {
    const { clock, before } = options;
    const giveUpAt = clock.now() + ACTIVATION_GRACE_MS;
    for (;;) {
        const deployment = await tryRead(options);
        if (typeof deployment === 'string') {
            if (clock.now() >= giveUpAt)
                return { kind: 'failed', because: { kind: 'active-unknown', trouble: deployment } };
            await clock.sleep(LOOK_AGAIN_MS, options.signal);
            continue;
        }
        const { activeRevisionId: active } = deployment;
        if (active === revisionId)
            return { kind: 'deployed', confirmed: true };
        if (active === undefined)
            return { kind: 'deployed', confirmed: false };
        const lagging = active === null || active === before?.activeRevisionId;
        if (!lagging)
            return { kind: 'superseded', by: active };
        if (clock.now() >= giveUpAt) {
            return active === null
                ? { kind: 'failed', because: { kind: 'nothing-active' } }
                : { kind: 'superseded', by: active };
        }
        await clock.sleep(LOOK_AGAIN_MS, options.signal);
    }
}
/** The deployment, or why it cannot be read just now. */
async function tryRead({ controlPlane, deploymentId }) {
    try {
        return await controlPlane.getDeployment(deploymentId);
    }
    catch (thrown) {
        if (thrown instanceof errors/* UnreachableError */.Jk || thrown instanceof errors/* BrokenContractError */.Sq)
            return thrown.trouble.cameBack;
        throw thrown;
    }
}
async function newerRevision(revision, options) {
    const deployment = await tryRead(options);
    // Nothing newer is known: the revision's own end is all that can be told.
    if (typeof deployment === 'string')
        return undefined;
    const by = await overtakenBy(revision, deployment, options);
    return by === undefined ? undefined : { kind: 'superseded', by };
}

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



/** A revision may be unknown to a lagging replica for so long after it was created (contract notes, GET revision). */
const REPLICA_LAG_MS = 30_000;
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
            if ((0,outcome/* phaseOf */.h)(seen.status) !== phase)
                phaseSince = clock.now();
            phase = (0,outcome/* phaseOf */.h)(seen.status);
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
        const lagging = thrown instanceof errors/* RefusedError */.fk && thrown.status === 404;
        if (lagging && options.clock.now() - startedAt < REPLICA_LAG_MS)
            return thrown;
        throw thrown;
    }
}

// EXTERNAL MODULE: ./report/narrate.ts
var narrate = __webpack_require__(8368);
;// CONCATENATED MODULE: ./operations/follow.ts







/**
 * A revision that an earlier run has begun. What was active before it is known as long as it has not ended; by then
 * whatever else is active has taken its place.
 */
function attachTo(deployment, revision) {
    const { id: deploymentId, activeRevisionId } = deployment;
    const hasEnded = (0,outcome/* phaseOf */.h)(revision.status) === 'terminal';
    const before = hasEnded ? undefined : { ...deployment, activeRevisionId, latestRevisionId: undefined };
    return { deploymentId, revisionId: revision.id, revision, before };
}
/** Watches a revision until it has ended or the wait is over, and says what became of it. */
async function followRevision(followed, pace, doors, record) {
    const end = await watch(followed, pace, doors, record);
    if (end.kind !== 'terminal')
        return end;
    return await settleOutcome(end.revision, {
        ...followed,
        controlPlane: readsNoted(doors.controlPlane, record),
        clock: doors.clock,
        signal: doors.signal,
    });
}
async function watch({ deploymentId, revisionId, revision, before }, { pollInterval: interval, phaseLimits }, doors, record) {
    const { clock, log, controlPlane } = doors;
    const readDeployment = readsNoted(controlPlane, record).getDeployment;
    const poll = async () => {
        record.polls += 1;
        return await doors.controlPlane.getRevision(deploymentId, revisionId, { retries: 0 });
    };
    const overtaken = async (ours) => {
        try {
            return await overtakenBy(ours, await readDeployment(deploymentId), { controlPlane, before });
        }
        catch (thrown) {
            // It is only a look: the polls will tell whether the control plane is gone.
            if (thrown instanceof errors/* ControlPlaneError */.Cj)
                return undefined;
            throw thrown;
        }
    };
    const watching = watchRevision({
        ...doors,
        poll,
        initial: revision,
        interval,
        phaseLimits,
        overtakenBy: overtaken,
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

/***/ 5686:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   wait: () => (/* binding */ wait)
/* harmony export */ });
/* harmony import */ var _rollout_find_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7139);
/* harmony import */ var _rollout_record_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8477);
/* harmony import */ var _sources_problem_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8342);
/* harmony import */ var _follow_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7543);




/**
 * Waits for a revision that an earlier step or job has begun, and reports it as a rollout does. Writes nothing.
 * @throws InputError, ControlPlaneError when there is nothing to wait for
 */
async function wait(request, doors, record) {
    const { target, revisionId } = request;
    const deployment = await (0,_rollout_find_js__WEBPACK_IMPORTED_MODULE_3__/* .findDeployment */ .H)(target, doors.controlPlane);
    if (deployment === undefined) {
        const value = target.kind === 'name' ? target.name : target.id;
        throw new _sources_problem_js__WEBPACK_IMPORTED_MODULE_1__/* .InputError */ .d([
            { input: 'name', value, message: 'names no deployment that these credentials can see' },
        ]);
    }
    (0,_rollout_record_js__WEBPACK_IMPORTED_MODULE_0__/* .noteDeployment */ .Sb)(record, deployment);
    const wanted = revisionId ?? deployment.latestRevisionId;
    if (wanted === undefined) {
        const message = 'is needed here: the control plane does not tell the latest revision';
        throw new _sources_problem_js__WEBPACK_IMPORTED_MODULE_1__/* .InputError */ .d([{ input: 'revision-id', message }]);
    }
    record.revisionId = wanted;
    const revision = await doors.controlPlane.getRevision(deployment.id, wanted);
    (0,_rollout_record_js__WEBPACK_IMPORTED_MODULE_0__/* .noteRevision */ .cn)(record, revision, doors.clock.wallTime());
    doors.log.info(`Waiting for revision ${wanted} of ${deployment.name} (${deployment.id}).`);
    doors.onProgress(record);
    const followed = (0,_follow_js__WEBPACK_IMPORTED_MODULE_2__/* .attachTo */ .j)(deployment, revision);
    const outcome = await (0,_follow_js__WEBPACK_IMPORTED_MODULE_2__/* .followRevision */ .f)(followed, request, doors, record);
    const { lookAfter } = await __webpack_require__.e(/* import() */ 724).then(__webpack_require__.bind(__webpack_require__, 4724));
    return await lookAfter({ ...followed, outcome, changed: {} }, { ...request, rollback: 'never' }, doors, record);
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

/***/ 518:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   y: () => (/* binding */ readAll)
/* harmony export */ });
/** The contract's largest page. */
const PAGE_SIZE = 100;
/**
 * Everything that a paged list holds, as it comes. Only an empty page is the last one: a service may filter after it has
 * cut the page, and send a short one. An offset that does not advance would have us read the same page for ever.
 */
async function* readAll(readPage) {
    for (let offset = 0;;) {
        const page = await readPage({ limit: PAGE_SIZE, offset });
        yield* page.resources;
        if (page.resources.length === 0 || page.offset <= offset)
            return;
        offset = page.offset;
    }
}


/***/ })

};
