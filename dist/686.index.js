export const id = 686;
export const ids = [686];
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

/***/ 5686:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   wait: () => (/* binding */ wait)
/* harmony export */ });
/* harmony import */ var _rollout_built_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(6522);
/* harmony import */ var _rollout_find_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7139);
/* harmony import */ var _rollout_record_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8477);
/* harmony import */ var _rollout_replica_lag_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8703);
/* harmony import */ var _sources_problem_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8342);
/* harmony import */ var _follow_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6899);






/**
 * Waits for a revision that an earlier step or job has begun, and reports it as a rollout does. Writes nothing.
 * @throws InputError, ControlPlaneError when there is nothing to wait for
 */
async function wait(request, doors, record) {
    const { target, revisionId } = request;
    const deployment = await (0,_rollout_find_js__WEBPACK_IMPORTED_MODULE_4__/* .findDeployment */ .H)(target, doors.controlPlane);
    if (deployment === undefined) {
        const value = target.kind === 'name' ? target.name : target.id;
        throw new _sources_problem_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .d([
            { input: 'name', value, message: 'names no deployment that these credentials can see' },
        ]);
    }
    (0,_rollout_record_js__WEBPACK_IMPORTED_MODULE_0__/* .noteDeployment */ .Sb)(record, deployment);
    (0,_rollout_built_js__WEBPACK_IMPORTED_MODULE_5__/* .noteBuilt */ .Z)(record, { repository: request.repository, settings: deployment.settings }, deployment);
    const wanted = revisionId ?? deployment.latestRevisionId;
    if (wanted === undefined) {
        const message = 'is needed here: the control plane does not tell the latest revision';
        throw new _sources_problem_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .d([{ input: 'revision-id', message }]);
    }
    const { controlPlane } = doors;
    const revision = await (0,_rollout_replica_lag_js__WEBPACK_IMPORTED_MODULE_1__/* .pastReplicaLag */ .FK)(async () => await controlPlane.getRevision(deployment.id, wanted), doors);
    (0,_rollout_record_js__WEBPACK_IMPORTED_MODULE_0__/* .noteRevision */ .cn)(record, revision, doors.clock.wallTime());
    doors.log.info(`Waiting for revision ${wanted} of ${deployment.name} (${deployment.id}).`);
    doors.onProgress(record);
    const ended = await (0,_follow_js__WEBPACK_IMPORTED_MODULE_3__/* .followRevision */ .f)((0,_follow_js__WEBPACK_IMPORTED_MODULE_3__/* .attachTo */ .j)(deployment, revision), request, doors, record);
    const { lookAfter } = await Promise.all(/* import() */[__webpack_require__.e(999), __webpack_require__.e(932)]).then(__webpack_require__.bind(__webpack_require__, 5932));
    return await lookAfter(ended, { ...request, rollback: 'never', changed: {} }, doors, record);
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
