export const id = 431;
export const ids = [431];
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

/***/ 6431:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  rollout: () => (/* binding */ rollout)
});

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./control-plane/retry.ts
var control_plane_retry = __webpack_require__(2911);
// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(7975);
;// CONCATENATED MODULE: ./sources/effective-spec.ts

/** What a field that is left out stands for: so many times another field (contract, "ResourceSpec"). In order. */
const DEFAULTS = [
    ['cpu_limit', 2, 'cpu'],
    ['memory_limit_mb', 2, 'memory_mb'],
    ['queue_min_scale', 1, 'min_scale'],
    ['queue_max_scale', 1, 'max_scale'],
    ['queue_cpu', 1, 'cpu'],
    ['queue_cpu_limit', 2, 'queue_cpu'],
    ['queue_memory_mb', 1, 'memory_mb'],
    ['queue_memory_limit_mb', 2, 'queue_memory_mb'],
    ['cache_cpu_limit', 2, 'cache_cpu'],
    ['cache_memory_limit_mb', 1, 'cache_memory_mb'],
    ['core_cpu_limit', 2, 'core_cpu'],
    ['core_memory_limit_mb', 2, 'core_memory_mb'],
    ['db_cpu_limit', 2, 'db_cpu'],
    ['db_memory_limit_mb', 2, 'db_memory_mb'],
];
/**
 * Whether two specs come to the same: a default that one spells out and the other leaves out makes no difference, nor
 * does null. Fields that only answers carry are not compared.
 */
function sameSpec(one, other) {
    return (0,external_node_util_.isDeepStrictEqual)(effectiveSpec(one), effectiveSpec(other));
}
function effectiveSpec(spec) {
    const full = { ...spec };
    for (const [field, times, of] of DEFAULTS) {
        const base = full[of];
        if ((full[field] ?? undefined) === undefined && typeof base === 'number')
            full[field] = Math.round(base * times * 10) / 10;
    }
    return withoutNothing(Object.fromEntries(Object.entries(full).filter(([field]) => !/^(orchestrator|executor)_/.test(field))));
}
/** Null, nothing and an empty list all say nothing. */
function withoutNothing(value) {
    if (Array.isArray(value))
        return value.map(withoutNothing);
    if (typeof value !== 'object' || value === null)
        return value;
    return Object.fromEntries(Object.entries(value)
        .filter(([, one]) => one !== null && one !== undefined && !(Array.isArray(one) && one.length === 0))
        .map(([key, one]) => [key, withoutNothing(one)]));
}
/** The spec as anybody may see it: the values of environment variables may be secrets. */
function withoutEnvValues(spec) {
    const hide = (containers) => containers?.map((container) => ({
        ...container,
        env: container.env?.map((variable) => ({
            ...variable,
            ...(variable.value === null || variable.value === undefined ? {} : { value: NOT_SHOWN }),
        })),
    }));
    return {
        ...spec,
        ...(spec.init_containers === undefined ? {} : { init_containers: hide(spec.init_containers) }),
        ...(spec.sidecars === undefined ? {} : { sidecars: hide(spec.sidecars) }),
    };
}
/** Stands for a value that is set and not shown. */
const NOT_SHOWN = '(not shown)';

// EXTERNAL MODULE: ./sources/matrix.ts
var matrix = __webpack_require__(6600);
;// CONCATENATED MODULE: ./rollout/changes.ts



/** Every field that was asked for, in the order of the field matrix; `current` is nothing on a create. */
function describeFields(current, wanted, via) {
    return matrix/* FIELDS */.cJ.flatMap((field) => {
        const to = shownValue(field, wanted);
        if (to === undefined)
            return [];
        const from = current === undefined ? undefined : shownValue(field, current);
        const difference = current === undefined ? 'new' : differenceOf(field, current, wanted);
        const carrier = via(field, difference);
        return [
            {
                input: (0,matrix/* inputName */.yu)(field),
                ...(from === undefined ? {} : { current: from }),
                wanted: to,
                difference,
                ...(carrier === undefined ? {} : { via: carrier }),
            },
        ];
    });
}
/** Fields that an answer need not tell (contract, "Deployment"): not told is not the same as not there. */
const SELDOM_TOLD = new Set([
    'secrets',
    'secretReferences',
    'shareable',
    'routeThroughGateway',
]);
/** How a wanted value stands to that of a deployment. */
function differenceOf(field, current, wanted) {
    if (current[field] === undefined)
        return SELDOM_TOLD.has(field) ? 'unknown' : 'new';
    switch (field) {
        case 'secrets':
            return secretsDifference(current.secrets ?? [], wanted.secrets ?? []);
        case 'resourceSpec':
            return sameSpec(current.resourceSpec ?? {}, wanted.resourceSpec ?? {}) ? 'same' : 'changed';
        case 'secretReferences':
            return sameInAnyOrder(current.secretReferences ?? [], wanted.secretReferences ?? [])
                ? 'same'
                : 'changed';
        default:
            return sameValue(current[field], wanted[field]) ? 'same' : 'changed';
    }
}
function secretsDifference(current, wanted) {
    const told = new Map(current.map(({ name, value }) => [name, value]));
    if (wanted.length !== told.size || wanted.some(({ name }) => !told.has(name)))
        return 'changed';
    if (wanted.every(({ name, value }) => told.get(name) === value))
        return 'same';
    return wanted.some(({ name }) => told.get(name) === undefined) ? 'unknown' : 'changed';
}
/** The value of a field in a form that may be printed. */
function shownValue(field, settings) {
    switch (field) {
        case 'secrets':
            return settings.secrets?.map(({ name }) => name);
        case 'secretReferences':
            return settings.secretReferences?.map((it) => `${it.name}=${it.secretName}/${it.secretKey}`);
        case 'resourceSpec':
            return settings.resourceSpec === undefined ? undefined : withoutEnvValues(settings.resourceSpec);
        default:
            return settings[field];
    }
}
function sameValue(one, other) {
    return (0,external_node_util_.isDeepStrictEqual)(one, other);
}
function sameInAnyOrder(one, other) {
    return (one.length === other.length && one.every((item) => other.some((candidate) => sameValue(item, candidate))));
}

// EXTERNAL MODULE: ./rollout/find.ts
var find = __webpack_require__(7139);
// EXTERNAL MODULE: ./sources/repository.ts
var sources_repository = __webpack_require__(4381);
// EXTERNAL MODULE: ./rollout/settings.ts
var rollout_settings = __webpack_require__(9849);
;// CONCATENATED MODULE: ./rollout/guards.ts




/** Rule 6 of the contract notes. A value that the answer does not tell cannot be compared and is not sent. */
function immutableDifferences(wanted, current) {
    return (0,rollout_settings/* fieldsOf */.Pf)('immutable').flatMap((field) => {
        if (wanted[field] === undefined || current[field] === undefined)
            return [];
        if (sameImmutable(field, wanted, current))
            return [];
        const message = `differs from the deployment's, which is "${printed(field, current)}" and cannot change after it is created`;
        return [{ input: (0,matrix/* inputName */.yu)(field), value: printed(field, wanted), message }];
    });
}
function printed(field, settings) {
    const value = shownValue(field, settings);
    return typeof value === 'string' ? value : JSON.stringify(value);
}
function sameImmutable(field, wanted, current) {
    switch (field) {
        case 'repoUrl':
            return (0,sources_repository/* sameRepository */.RB)(wanted.repoUrl ?? '', current.repoUrl ?? '');
        case 'integrationId':
        case 'listenerId':
            return wanted[field]?.toLowerCase() === current[field]?.toLowerCase();
        default:
            return sameValue(wanted[field], current[field]);
    }
}
/** A list of secrets replaces the one that the deployment has: what it leaves out would be gone. */
function secretsLeftOut(request, current) {
    const { secrets } = request.settings;
    if (secrets === undefined || request.allowSecretRemoval)
        return [];
    const kept = new Set(secrets.map(({ name }) => name));
    const lost = (current.settings.secrets ?? []).map(({ name }) => name).filter((name) => !kept.has(name));
    if (lost.length === 0)
        return [];
    const message = `leaves out ${lost.join(', ')}, which the deployment has and would lose: add them, leave secrets out altogether, or set allow-secret-removal to true`;
    return [{ input: 'secrets', message }];
}

// EXTERNAL MODULE: ./control-plane/model.ts
var model = __webpack_require__(1552);
// EXTERNAL MODULE: ./rollout/outcome.ts
var outcome = __webpack_require__(4698);
;// CONCATENATED MODULE: ./rollout/compare.ts





/** What a revision itself tells; everything else the deployment tells alone, and of its latest revision only. */
const TOLD_BY_REVISION = ['repoRef', 'appConfigPath', 'imageUri', 'sourceTarballPath'];
/**
 * Whether the active revision is what is wanted already. Whatever is not known counts as a difference: a revision too
 * many does no harm, one too few does.
 * @param commit what would be built, where it is known
 */
function compareWithActive(wanted, source, { current, active, latest }, commit) {
    if (active === undefined)
        return differs('no revision is active');
    if (source === 'internal_source')
        return differs(UPLOADS_DIFFER);
    const isNewest = latest === undefined || latest.id === active.id;
    if (!isNewest && (0,outcome/* phaseOf */.h)(latest.status) !== 'terminal')
        return differs(`a newer revision (${latest.id}) is on its way`);
    const hidden = isNewest ? undefined : hiddenField(wanted);
    if (hidden !== undefined)
        return differs(`the latest revision is not the active one, whose ${(0,matrix/* inputName */.yu)(hidden)} is not told`);
    const difference = firstDifference(wanted, current, active);
    if (difference !== undefined)
        return differs(difference);
    if (source !== 'git_host')
        return { kind: 'same', revision: active };
    if (commit === undefined)
        return differs('the commit to roll out is not known');
    if (active.repoCommitSha === undefined)
        return differs('the commit of the active revision is not told');
    if (!sameCommit(active.repoCommitSha, commit))
        return differs('the active revision was built from another commit');
    return { kind: 'same', revision: active };
}
/**
 * Whether the latest revision has not ended yet and is what is wanted, so that it can be watched instead of making
 * another. A commit that is not known yet does not count: what is built is the ref as it is when the build begins.
 */
function compareWithUnfinished(wanted, source, { current, latest }, commit) {
    if (latest === undefined || (0,outcome/* phaseOf */.h)(latest.status) === 'terminal')
        return differs('no revision is on its way');
    if (source === 'internal_source')
        return differs(UPLOADS_DIFFER);
    const difference = firstDifference(wanted, current, latest);
    if (difference !== undefined)
        return differs(difference);
    const { repoCommitSha: built } = latest;
    if (built !== undefined && commit !== undefined && !sameCommit(built, commit))
        return differs('the revision that is on its way is of another commit');
    return { kind: 'same', revision: latest };
}
const UPLOADS_DIFFER = 'an uploaded source cannot be compared with an earlier one';
function sameCommit(one, other) {
    return one.toLowerCase() === other.toLowerCase();
}
function asked(wanted) {
    return [...(0,rollout_settings/* fieldsOf */.Pf)('config'), ...(0,rollout_settings/* fieldsOf */.Pf)('revision')].filter((field) => wanted[field] !== undefined);
}
/** A field that the deployment tells of its latest revision only, which is not the one to compare with. */
function hiddenField(wanted) {
    return asked(wanted).find((field) => model/* CHANGE_CLASS */.Gd[field] === 'revision' && !TOLD_BY_REVISION.includes(field));
}
function firstDifference(wanted, current, revision) {
    for (const field of asked(wanted)) {
        const told = TOLD_BY_REVISION.includes(field) ? revision.settings : current.settings;
        switch (differenceOf(field, told, wanted)) {
            case 'same':
                continue;
            case 'unknown':
                return `the value of ${(0,matrix/* inputName */.yu)(field)} is not told and cannot be compared`;
            case 'new':
            case 'changed':
                return `${(0,matrix/* inputName */.yu)(field)} differs`;
        }
    }
    return undefined;
}
function differs(because) {
    return { kind: 'differs', because };
}

;// CONCATENATED MODULE: ./sources/integration.ts

/** The one integration that reaches the repository; none or several is an error that lists what was found. */
function chooseIntegration(repoUrl, installed) {
    const matches = installed.flatMap((integration) => (integration.repositories ?? [])
        .filter(({ url }) => (0,sources_repository/* sameRepository */.RB)(url, repoUrl))
        .slice(0, 1)
        .map((repository) => ({ repository, integration })));
    const [match, ...others] = matches;
    if (match === undefined)
        return refuse(`no installed integration reaches ${repoUrl}: ${listAll(installed)}`);
    if (others.length > 0) {
        const names = matches.map(({ integration }) => nameOf(integration)).join(', ');
        return refuse(`several installed integrations reach ${repoUrl}, give the id of one: ${names}`);
    }
    const note = `integration-id is left out: ${nameOf(match.integration)} reaches ${match.repository.url}`;
    return { kind: 'found', repository: match.repository, note };
}
function refuse(message) {
    return { kind: 'refused', problem: { input: 'integration-id', message: `is left out, and ${message}` } };
}
function listAll(installed) {
    if (installed.length === 0)
        return 'none is installed in this workspace';
    return installed.map((one) => `${nameOf(one)} reaches ${listRepositories(one)}`).join('; ');
}
const MAX_LISTED = 20;
function listRepositories({ repositories }) {
    if (repositories === undefined)
        return 'repositories that these credentials may not list';
    if (repositories.length === 0)
        return 'no repository';
    const listed = repositories.slice(0, MAX_LISTED).map(({ url }) => url);
    const more = repositories.length - listed.length;
    return listed.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
function nameOf({ id, name }) {
    return name === undefined ? id : `${name} (${id})`;
}

;// CONCATENATED MODULE: ./sources/listener.ts
/** Checks the listener that an external_container is to be deployed by, or takes the only one there is. */
function chooseListener(wanted, known) {
    const { listenerId } = wanted;
    if (known.kind === 'unlisted') {
        const note = `listener-id could not be checked: ${known.reason}`;
        return { listenerId, problems: [], notes: listenerId === undefined ? [] : [note] };
    }
    const { listeners } = known;
    if (listenerId === undefined)
        return takeTheOnlyOne(wanted, listeners);
    const found = listeners.find(({ id }) => id.toLowerCase() === listenerId);
    if (found !== undefined)
        return { listenerId, ...checkNamespace(wanted, found) };
    const message = `is not the id of a listener: ${listener_listAll(listeners)}`;
    return { listenerId, problems: [{ input: 'listener-id', value: listenerId, message }], notes: [] };
}
function takeTheOnlyOne(wanted, listeners) {
    const [only, ...others] = listeners;
    if (only === undefined || others.length > 0) {
        const note = `listener-id is left out, and none is sent: ${listener_listAll(listeners)}`;
        return { listenerId: undefined, problems: [], notes: [note] };
    }
    const { problems, notes } = checkNamespace(wanted, only);
    const note = `listener-id is left out: ${describe(only)} is the only listener`;
    return { listenerId: only.id, problems, notes: [note, ...notes] };
}
/** Contract, "ListenerConfig": only for listeners with compute type `cluster`. */
function checkNamespace({ clusterNamespace: wanted }, listener) {
    const { computeType, namespaces } = listener;
    if (wanted === undefined)
        return { problems: [], notes: [] };
    if (computeType !== undefined && computeType.toLowerCase() !== 'cluster') {
        const message = `is only for listeners of compute type cluster: ${describe(listener)} is of type ${computeType}`;
        return { problems: [{ input: 'cluster-namespace', value: wanted, message }], notes: [] };
    }
    if (namespaces === undefined || namespaces.length === 0 || namespaces.includes(wanted))
        return { problems: [], notes: [] };
    const note = `cluster-namespace ${wanted} is not among those that the listener tells: ${namespaces.join(', ')}`;
    return { problems: [], notes: [note] };
}
function listener_listAll(listeners) {
    if (listeners.length === 0)
        return 'there is no listener in this workspace';
    return `the listeners are ${listeners.map(describe).join(', ')}`;
}
function describe({ id, computeType, computeId }) {
    const known = [computeType, computeId].filter((part) => part !== undefined).join(' ');
    return known === '' ? id : `${id} (${known})`;
}

;// CONCATENATED MODULE: ./rollout/fill-in.ts



/** Fills in what was left out and can be known: from the event, and from what the control plane has. */
function fillIn(request, source, survey) {
    switch (source) {
        case 'git_host':
            return withIntegration(withRepository(request, survey), survey);
        case 'external_container':
            return withListener(request.settings, survey);
        case 'internal_container':
        case 'internal_source':
        case 'internal_template':
            return { settings: request.settings, problems: [], notes: [] };
    }
}
/**
 * The repository, and the ref that was pushed: the ref only when the deployment builds this very repository, as a branch
 * of one repository means nothing in another.
 */
function withRepository({ settings, repository }, { current }) {
    const fromEvent = current === undefined && settings.repoUrl === undefined ? repository.repoUrl : undefined;
    const repoUrl = settings.repoUrl ?? fromEvent;
    const filled = repoUrl === undefined ? settings : { ...settings, repoUrl };
    const notes = fromEvent === undefined ? [] : ['repo-url is left out: it is this repository'];
    if (settings.repoRef !== undefined)
        return { settings: filled, problems: [], notes };
    const builds = current?.settings.repoUrl ?? repoUrl;
    if (builds !== undefined &&
        repository.repoUrl !== undefined &&
        !(0,sources_repository/* sameRepository */.RB)(builds, repository.repoUrl)) {
        const message = `is required: the deployment builds ${builds}, which is not the repository of this workflow`;
        return { settings: filled, problems: [{ input: 'repo-ref', message }], notes };
    }
    switch (repository.repoRef.kind) {
        case 'none':
            return { settings: filled, problems: [], notes };
        case 'unusable':
            return {
                settings: filled,
                problems: [{ input: 'repo-ref', message: `is required: ${repository.repoRef.reason}` }],
                notes,
            };
        case 'ref':
            return {
                settings: { ...filled, repoRef: repository.repoRef.ref },
                problems: [],
                notes: [...notes, `repo-ref is left out: it is that of the event, ${repository.repoRef.ref}`],
            };
    }
}
/** The repository's own address is sent, as the contract asks for the one of the listing ("Repository"). */
function withIntegration(filled, { integrations }) {
    const { settings, problems, notes } = filled;
    if (integrations === undefined || settings.repoUrl === undefined)
        return filled;
    const choice = chooseIntegration(settings.repoUrl, integrations);
    switch (choice.kind) {
        case 'refused':
            return { settings, problems: [...problems, choice.problem], notes };
        case 'found': {
            const { integrationId, url } = choice.repository;
            const found = { ...settings, integrationId, repoUrl: url };
            return { settings: found, problems, notes: [...notes, choice.note] };
        }
    }
}
function withListener(settings, { listeners }) {
    if (listeners === undefined)
        return { settings, problems: [], notes: [] };
    const { listenerId, problems, notes } = chooseListener(settings, listeners);
    return { settings: listenerId === undefined ? settings : { ...settings, listenerId }, problems, notes };
}

;// CONCATENATED MODULE: ./rollout/plan-revise.ts








const ALWAYS = { kind: 'differs', because: 'a rollout makes a new revision, whatever differs' };
/** Plans a new revision of a deployment that exists, and before it a PATCH of what needs none. */
function planRevise(request, basis) {
    const { current } = basis;
    const source = sourceOf(request, current);
    if (typeof source !== 'string')
        return { kind: 'refused', problems: [source, ...guarded(request, current)] };
    const { settings: filled, problems, notes } = fillIn(request, source, basis);
    const found = [
        ...problems,
        ...(0,matrix/* mismatches */.vJ)(source, (0,rollout_settings/* withSourcePath */.NJ)(filled, request)),
        ...guarded({ ...request, settings: filled }, current),
    ];
    if (found.length > 0)
        return { kind: 'refused', problems: found };
    const tagNeedsPushOff = (0,sources_repository/* isTag */.dz)(filled.repoRef) && current.settings.buildOnPush === true;
    const wanted = tagNeedsPushOff ? { ...filled, buildOnPush: false } : filled;
    const fields = describeFields(current.settings, wanted, carrierOf);
    const commit = commitOf(request, wanted, current);
    const standing = { deployment: current, fields: fields.map(withoutCarrier) };
    const comparison = request.ifUnchanged === 'skip' ? compareWithActive(wanted, source, basis, commit) : ALWAYS;
    if (comparison.kind === 'same') {
        const plan = {
            kind: 'unchanged',
            ...standing,
            active: comparison.revision,
            because: 'nothing differs from the active revision, and if-unchanged is "skip"',
            notes: [...request.notes, ...notes, ...movingImage(wanted)],
        };
        return { kind: 'planned', plan };
    }
    const unfinished = request.resume ? compareWithUnfinished(wanted, source, basis, commit) : comparison;
    if (unfinished.kind === 'same') {
        const plan = {
            kind: 'resume',
            ...standing,
            latest: unfinished.revision,
            because: `revision ${unfinished.revision.id} with the same configuration is on its way already`,
            notes: [...request.notes, ...notes],
        };
        return { kind: 'planned', plan };
    }
    const because = tagNeedsPushOff ? ['build-on-push is turned off first: a tag cannot be built on push'] : [];
    const plan = {
        kind: 'revise',
        deployment: current,
        patch: (0,rollout_settings/* nonEmpty */.hq)((0,rollout_settings/* pick */.Up)(wanted, configFieldsThatDiffer(wanted, current.settings))),
        upload: source === 'internal_source' ? basis.packed : undefined,
        revision: { source, settings: revisionSettings(filled, current.settings) },
        fields,
        because: comparison.because,
        notes: [...request.notes, ...notes, ...untold(request.settings, current.settings), ...because],
    };
    return { kind: 'planned', plan };
}
function sourceOf(request, current) {
    const known = current.source ?? request.source;
    if (known === undefined) {
        return {
            input: 'source',
            message: 'is required here: the control plane does not say which source this deployment has',
        };
    }
    if (request.source !== undefined && request.source !== known) {
        return {
            input: 'source',
            value: request.source,
            message: `differs from the deployment's, which is "${known}" and cannot change after it is created`,
        };
    }
    if (!(0,matrix/* isSource */.__)(known)) {
        return { input: 'source', message: `of this deployment is "${known}", which this action does not know` };
    }
    return known;
}
function guarded(request, current) {
    return [...immutableDifferences(request.settings, current.settings), ...secretsLeftOut(request, current)];
}
/** The commit that would be rolled out, when it is known: that of the event, if it is the event's ref that is built. */
function commitOf({ repository }, wanted, current) {
    const { repoRef, repoUrl, commit } = repository;
    const builds = current.settings.repoUrl ?? wanted.repoUrl;
    if (repoRef.kind !== 'ref' || repoRef.ref !== wanted.repoRef)
        return undefined;
    if (repoUrl === undefined || builds === undefined || !(0,sources_repository/* sameRepository */.RB)(repoUrl, builds))
        return undefined;
    return commit;
}
function carrierOf(field, difference) {
    switch (model/* CHANGE_CLASS */.Gd[field]) {
        case 'immutable':
            return undefined;
        case 'config':
            return difference === 'same' ? undefined : 'patch';
        case 'revision':
            return 'revision';
    }
}
function withoutCarrier({ input, current, wanted, difference }) {
    return { input, ...(current === undefined ? {} : { current }), wanted, difference };
}
/** Config-only fields that are wanted otherwise than they are. */
function configFieldsThatDiffer(wanted, current) {
    return (0,rollout_settings/* fieldsOf */.Pf)('config').filter((field) => wanted[field] !== undefined && differenceOf(field, current, wanted) !== 'same');
}
/**
 * What the new revision is told. The fields of source_revision_config go in full, those that stay included: whether
 * the control plane merges that object or replaces it, the revision comes out the same.
 */
function revisionSettings(wanted, current) {
    const { repoRef, appConfigPath, imageUri, sourceTarballPath } = current;
    return (0,rollout_settings/* omit */.cJ)({ repoRef, appConfigPath, imageUri, sourceTarballPath, ...(0,rollout_settings/* pick */.Up)(wanted, (0,rollout_settings/* fieldsOf */.Pf)('revision')) }, []);
}
/** An immutable value that the deployment does not tell cannot be compared, and is not sent. */
function untold(wanted, current) {
    return (0,rollout_settings/* fieldsOf */.Pf)('immutable')
        .filter((field) => wanted[field] !== undefined && current[field] === undefined)
        .map((field) => `${(0,matrix/* inputName */.yu)(field)} is not sent: it cannot change, and the deployment does not tell its own to compare`);
}
function movingImage({ imageUri }) {
    if (imageUri === undefined || imageUri.includes('@sha256:'))
        return [];
    return [
        'image-uri is compared by its name: an image that was pushed again under it is not seen; a digest tells',
    ];
}

;// CONCATENATED MODULE: ./rollout/recover.ts






/** Creates the deployment; a create whose answer was lost, or whose name is taken, is looked after before anything else. */
async function createOnce(draft, doors) {
    let maybeOurs = false;
    for (let retry = 0;; retry++) {
        try {
            return { kind: 'created', deployment: await doors.controlPlane.createDeployment(draft) };
        }
        catch (thrown) {
            const lost = thrown instanceof errors/* AmbiguousWriteError */.yI;
            if (!lost && !isNameTaken(thrown))
                throw thrown;
            maybeOurs ||= lost;
            if (lost)
                await pauseBeforeLooking(thrown, retry, doors);
            const found = await (0,find/* findByName */._)(draft.name, doors.controlPlane);
            if (found !== undefined) {
                return { kind: maybeOurs && comesOf(found, draft) ? 'created' : 'exists', deployment: found };
            }
            if (retry >= doors.maxRetries)
                throw lost ? thrown : takenByTheUnseen(draft.name, thrown);
            // Whoever took the name has just done so: our next look may see it.
            if (!lost)
                await doors.clock.sleep((0,control_plane_retry/* retryDelay */.a2)(retry, undefined, doors.random), doors.signal);
        }
    }
}
/** Creates the revision; when the answer was lost, a newer revision with our configuration is the one we made. */
async function reviseOnce(deployment, draft, doors) {
    for (let retry = 0;; retry++) {
        try {
            return await doors.controlPlane.createRevision(deployment.id, draft);
        }
        catch (thrown) {
            if (!(thrown instanceof errors/* AmbiguousWriteError */.yI))
                throw thrown;
            await pauseBeforeLooking(thrown, retry, doors);
            const made = (await revisionsSince(deployment, doors)).find((revision) => sameRevisionSettings(revision.settings, draft.settings));
            if (made !== undefined)
                return made;
            if (retry >= doors.maxRetries)
                throw thrown;
        }
    }
}
const LISTED = 20;
/** Revisions that are newer than what the plan knew, newest first: all of them, or the latest where no list is to be had. */
async function revisionsSince(known, { controlPlane }) {
    const { latestRevisionId: latest } = await controlPlane.getDeployment(known.id);
    if (latest === undefined || latest === known.latestRevisionId)
        return [];
    try {
        const listed = await controlPlane.listRevisions(known.id, { limit: LISTED });
        const end = listed.findIndex(({ id }) => id === known.latestRevisionId);
        if (end >= 0)
            return listed.slice(0, end);
    }
    catch (thrown) {
        // A service need not have that route.
        if (!(thrown instanceof errors/* ControlPlaneError */.Cj))
            throw thrown;
    }
    return [await controlPlane.getRevision(known.id, latest)];
}
async function pauseBeforeLooking(error, retry, doors) {
    doors.onRecovery(`${error.trouble.cameBack}: looking whether it was done before anything is repeated`);
    await doors.clock.sleep((0,control_plane_retry/* retryDelay */.a2)(retry, undefined, doors.random), doors.signal);
}
/** Some services answer 400 for a taken name (contract notes, `POST /v2/deployments`). */
function isNameTaken(thrown) {
    if (!(thrown instanceof errors/* RefusedError */.fk))
        return false;
    if (thrown.status === 409)
        return true;
    return (thrown.status === 400 &&
        /\b(taken|already (exists|in use|used)|not unique|duplicate)\b/i.test(thrown.detail));
}
function takenByTheUnseen(name, thrown) {
    if (!(thrown instanceof errors/* RefusedError */.fk))
        return thrown;
    return new errors/* RefusedError */.fk(thrown.status, thrown.detail, {
        ...thrown.trouble,
        hint: `The name "${name}" is taken by a deployment that these credentials do not see: choose another name, or set tenant-id.`,
    });
}
/** Whether a deployment is what our draft would have made. */
function comesOf(found, { source, settings }) {
    return ((found.source ?? source) === source &&
        immutableDifferences(settings, found.settings).length === 0 &&
        configFieldsThatDiffer(settings, found.settings).length === 0 &&
        sameRevisionSettings(found.settings, settings));
}
function sameRevisionSettings(one, other) {
    return (one.repoRef === other.repoRef &&
        one.appConfigPath === other.appConfigPath &&
        sameValue([one.imageUri, one.sourceTarballPath], [other.imageUri, other.sourceTarballPath]));
}

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
    const { kind, deployment } = await createOnce(plan.draft, doors);
    if (kind === 'exists')
        return { kind, deployment };
    doors.onWritten('created', deployment);
    const firstRevision = deployment.latestRevisionId ?? (await firstRevisionId(deployment, doors));
    if (plan.patch !== undefined)
        await doors.controlPlane.updateDeployment(deployment.id, plan.patch);
    const applied = { kind: 'applied', change: 'created', deployment };
    if (plan.revision === undefined)
        return { ...applied, revisionId: firstRevision, revision: undefined };
    const draft = await withSource(plan.revision, plan, deployment, doors);
    const revision = await reviseOnce({ ...deployment, latestRevisionId: firstRevision }, draft, doors);
    return { ...applied, revisionId: revision.id, revision };
}
async function applyRevise(plan, doors) {
    const { deployment, patch } = plan;
    // The upload first: if it fails, nothing has changed.
    const draft = await withSource(plan.revision, plan, deployment, doors);
    if (patch !== undefined) {
        await doors.controlPlane.updateDeployment(deployment.id, patch);
        doors.onWritten('patched', deployment);
    }
    const revision = await reviseOnce(deployment, draft, doors);
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
    const { latestRevisionId } = await doors.controlPlane.getDeployment(deployment.id);
    if (latestRevisionId !== undefined)
        return latestRevisionId;
    throw new errors/* BrokenContractError */.Sq({
        attempted: `find the first revision of the deployment ${deployment.id}`,
        cameBack: 'the control plane names no latest_revision_id for it',
        hint: 'Look at the deployment in the control plane, then run the job again.',
    });
}

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
    const { settings: filled, problems, notes } = fillIn(request, source, basis);
    const settings = (0,sources_repository/* isTag */.dz)(filled.repoRef) ? { ...filled, buildOnPush: false } : filled;
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
    return describeFields(undefined, settings, (field) => NOT_ON_CREATE.includes(field) ? afterwards : 'create');
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
        : planRevise(request, { ...basis, current: basis.current });
}

// EXTERNAL MODULE: ./control-plane/routes.ts
var routes = __webpack_require__(5903);
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
    return [...create, ...upload, ...patch, ...revision].flat();
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
        ...(secrets === undefined ? {} : { secrets: secrets.map(({ name }) => ({ name, value: NOT_SHOWN })) }),
        ...(resourceSpec === undefined ? {} : { resourceSpec: withoutEnvValues(resourceSpec) }),
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
        source: plan_document_sourceOf(plan),
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
function plan_document_sourceOf(plan) {
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
// EXTERNAL MODULE: ./rollout/pages.ts
var pages = __webpack_require__(518);
;// CONCATENATED MODULE: ./rollout/survey.ts



/**
 * Reads what a plan for the request depends on. Writes nothing.
 * @throws RefusedError, among others, as every request does
 */
async function surveyControlPlane(request, controlPlane) {
    const current = await (0,find/* findDeployment */.H)(request.target, controlPlane);
    if (current !== undefined) {
        const revisions = await readRevisions(request, current, controlPlane);
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
async function readRevisions({ ifUnchanged, resume, protectNewer }, { id, activeRevisionId, latestRevisionId }, { getRevision }) {
    const isNewest = latestRevisionId === undefined || latestRevisionId === activeRevisionId;
    const needsActive = ifUnchanged === 'skip' || (protectNewer && !isNewest);
    const active = activeRevisionId && needsActive ? await getRevision(id, activeRevisionId) : undefined;
    if (isNewest)
        return { active, latest: active };
    const needsLatest = resume || ifUnchanged === 'skip';
    return { active, latest: needsLatest ? await getRevision(id, latestRevisionId) : undefined };
}
async function listListeners(controlPlane) {
    const listeners = [];
    try {
        for await (const listener of (0,pages/* readAll */.y)(controlPlane.listListeners))
            listeners.push(listener);
        return { kind: 'listed', listeners };
    }
    catch (thrown) {
        if (!(thrown instanceof errors/* RefusedError */.fk) || !isOutOfReach(thrown))
            throw thrown;
        return { kind: 'unlisted', reason: `the control plane does not list listeners (HTTP ${thrown.status})` };
    }
}
async function listIntegrations(controlPlane) {
    const installed = [];
    for (const integration of await controlPlane.listIntegrations()) {
        installed.push({ ...integration, repositories: await survey_listRepositories(integration.id, controlPlane) });
    }
    return installed;
}
/** One integration that these credentials may not look into must not hide the one that is meant. */
async function survey_listRepositories(integrationId, controlPlane) {
    try {
        return await controlPlane.listRepositories(integrationId);
    }
    catch (thrown) {
        if (thrown instanceof errors/* RefusedError */.fk && isOutOfReach(thrown))
            return undefined;
        throw thrown;
    }
}
function isOutOfReach({ status }) {
    return status === 403 || status === 404 || status === 405;
}

// EXTERNAL MODULE: ./report/plan-lines.ts
var plan_lines = __webpack_require__(3834);
// EXTERNAL MODULE: ./sources/problem.ts
var problem = __webpack_require__(8342);
// EXTERNAL MODULE: ./operations/follow.ts + 4 modules
var follow = __webpack_require__(7543);
;// CONCATENATED MODULE: ./operations/source-upload.ts
/** What packs and uploads is loaded when it is needed: most rollouts upload nothing. */
function openSourceUpload(request, doors) {
    let archive;
    return {
        async pack() {
            if (archive === undefined) {
                const { packSource } = await __webpack_require__.e(/* import() */ 630).then(__webpack_require__.bind(__webpack_require__, 3630));
                const { workspace, tempDir, signal } = doors;
                const sourcePath = request.sourcePath ?? '.';
                const { appConfigPath } = request.settings;
                archive = await packSource({ sourcePath, appConfigPath, workspace, tempDir, signal });
            }
            const { files, bytes, sha256, notes } = archive;
            return { source: { files, bytes, sha256 }, notes };
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
        const outcome = await (0,follow/* followRevision */.f)(begun.followed, request, doors, record);
        const ended = { ...begun.followed, outcome, changed: request.settings };
        const { lookAfter } = await __webpack_require__.e(/* import() */ 724).then(__webpack_require__.bind(__webpack_require__, 4724));
        return await lookAfter(ended, request, doors, record);
    }
    finally {
        await source.dispose();
    }
}
async function begin(request, source, doors, record) {
    // Before the first request, when it is known by then: a source that cannot be packed is the user's to correct.
    if (request.source === 'internal_source')
        await source.pack();
    // A name that somebody else takes between our look and our create: plan again, now against what is there.
    for (;;) {
        const survey = await surveyControlPlane(request, doors.controlPlane);
        noteCurrent(record, survey.current);
        const plan = await makePlan(request, survey, source);
        record.plan = describePlan(plan, request.wait);
        doors.log.info((0,plan_lines/* planLines */.HN)(record.plan, doors.log.redact).join('\n'));
        if (request.dryRun)
            return { kind: 'ended', outcome: { kind: 'planned' } };
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
            onWritten: (change, deployment) => {
                record.change = change;
                (0,rollout_record/* noteDeployment */.Sb)(record, deployment);
                if (change === 'created')
                    record.revisionId = deployment.latestRevisionId;
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
    const ours = commitOf(request, revision.settings, deployment);
    const isNewest = deployment.latestRevisionId === deployment.activeRevisionId;
    const deployed = (isNewest ? deployment.repoCommitSha : undefined) ?? active?.repoCommitSha;
    if (ours === undefined || deployed === undefined || deployed.toLowerCase() === ours.toLowerCase())
        return undefined;
    const comparison = await doors.compareCommits(deployed, ours);
    if (comparison !== 'behind')
        return undefined;
    doors.log.info(`The deployed commit ${deployed} is a later one than ${ours}.`);
    return { kind: 'superseded', by: deployment.activeRevisionId ?? latest?.id ?? deployed };
}
async function makePlan(request, survey, source) {
    const kind = survey.current === undefined ? request.source : survey.current.source;
    const packed = kind === 'internal_source' ? await source.pack() : undefined;
    const notes = [...request.notes, ...(packed?.notes ?? [])];
    const planning = planRollout({ ...request, notes }, { ...survey, packed: packed?.source });
    if (planning.kind === 'refused')
        throw new problem/* InputError */.d(planning.problems);
    return planning.plan;
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
