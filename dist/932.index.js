export const id = 932;
export const ids = [932,551];
export const modules = {

/***/ 5932:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  lookAfter: () => (/* binding */ lookAfter)
});

// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./rollout/overtaken.ts
var overtaken = __webpack_require__(2463);
// EXTERNAL MODULE: ./rollout/patch.ts
var rollout_patch = __webpack_require__(5744);
// EXTERNAL MODULE: ./rollout/record.ts
var record = __webpack_require__(8477);
// EXTERNAL MODULE: ./rollout/replica-lag.ts
var replica_lag = __webpack_require__(8703);
// EXTERNAL MODULE: ./sources/matrix.ts
var matrix = __webpack_require__(6600);
// EXTERNAL MODULE: ./sources/repository.ts
var repository = __webpack_require__(4381);
// EXTERNAL MODULE: ./rollout/changes.ts
var changes = __webpack_require__(7443);
// EXTERNAL MODULE: ./rollout/recover.ts + 2 modules
var recover = __webpack_require__(2850);
// EXTERNAL MODULE: ./rollout/settings.ts
var rollout_settings = __webpack_require__(9849);
;// CONCATENATED MODULE: ./rollout/roll-back.ts






const NOTHING = { patch: undefined, stays: [] };
/** Decides how to put back what was there before. Writes nothing. */
function planRollback({ before, now, activeBefore, serving, changed }) {
    if (before === undefined)
        return { kind: 'none', because: 'there was no deployment before', ...NOTHING };
    const config = settingsToPutBack('config', changed, before, now);
    if (activeBefore === undefined)
        return { kind: 'none', because: 'no revision was active before', ...config };
    if (serving !== undefined) {
        const because = `the failed revision is not active, and revision ${serving} serves`;
        return { kind: 'none', because, ...config };
    }
    const { source } = before;
    if (!(0,matrix/* isSource */.__)(source))
        return { kind: 'none', because: 'the source of the deployment is not known', ...config };
    if (source === 'git_host' && !(0,repository/* isTag */.dz)(activeBefore.settings.repoRef)) {
        const because = 'a branch cannot be pinned to a commit: the revision before would be built anew from its head';
        return { kind: 'none', because, ...NOTHING };
    }
    const revision = settingsToPutBack('revision', (0,rollout_settings/* omit */.cJ)(changed, rollout_settings/* TOLD_BY_REVISION */.K6), before, now);
    const settings = (0,rollout_settings/* omit */.cJ)({ ...revision.patch, ...activeBefore.settings }, []);
    return {
        kind: 'back',
        to: activeBefore,
        draft: { source, settings },
        onlyByRevision: revision.patch !== undefined,
        patch: config.patch,
        stays: [...config.stays, ...revision.stays],
    };
}
/** Of what the rollout set: what was otherwise before, and what cannot be put back. */
function settingsToPutBack(change, changed, { settings: before }, { settings: now }) {
    const asked = (0,rollout_settings/* fieldsOf */.Pf)(change).filter((field) => changed[field] !== undefined);
    const differing = asked.filter((field) => before[field] === undefined || !(0,changes/* sameValue */.eE)(before[field], now[field]));
    const isLost = (field) => before[field] === undefined ||
        // A secret whose value was not told: a list without it would remove it.
        (field === 'secrets' && !(0,changes/* areTold */.cZ)(before.secrets ?? [])) ||
        // A tag cannot be built on push: the control plane would refuse the whole patch.
        (field === 'buildOnPush' && (0,repository/* isTag */.dz)(now.repoRef));
    const back = differing.filter((field) => !isLost(field));
    return { patch: (0,rollout_settings/* nonEmpty */.hq)((0,rollout_settings/* pick */.Up)(before, back)), stays: differing.filter(isLost) };
}
/**
 * Makes the revision that puts the earlier one back: by the route for it where there is one, else by one that repeats
 * its configuration.
 */
async function applyRollback(deployment, { to, draft, patch, onlyByRevision }, doors) {
    if (patch !== undefined)
        await (0,rollout_patch/* patchDeployment */.G)(deployment, patch, doors);
    const redeployed = onlyByRevision ? undefined : await (0,recover/* redeployOnce */.Ug)(deployment, to, doors);
    if (redeployed !== undefined)
        return { revisionId: redeployed, revision: undefined };
    const revision = await (0,recover/* reviseOnce */.ol)(deployment, draft, doors);
    return { revisionId: revision.id, revision };
}

// EXTERNAL MODULE: ./operations/follow.ts + 2 modules
var follow = __webpack_require__(6899);
// EXTERNAL MODULE: ../node_modules/@actions/http-client/lib/index.js + 1 modules
var lib = __webpack_require__(8564);
// EXTERNAL MODULE: ./control-plane/exchange.ts
var exchange = __webpack_require__(9680);
;// CONCATENATED MODULE: ./control-plane/look.ts



const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/**
 * Reads an address once, without any credentials. It follows redirects, but never to another origin: whoever answers
 * there was not asked for.
 * @param timeoutMs for each hop
 */
async function lookAt(address, timeoutMs, signal) {
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
    return { kind: 'trouble', trouble: 'it redirects again and again' };
}
async function readOnce(url, timeoutMs, signal, client) {
    const headers = { accept: '*/*', 'user-agent': 'deployment-rollout' };
    const attempted = `verify ${url.href}`;
    try {
        const request = { method: 'GET', url, headers, content: undefined, timeoutMs, signal, attempted };
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

// EXTERNAL MODULE: ./rollout/settle.ts
var settle = __webpack_require__(9875);
// EXTERNAL MODULE: ./web-address.ts
var web_address = __webpack_require__(4155);
;// CONCATENATED MODULE: ./rollout/verify.ts


const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
const LOOK_TIMEOUT_MS = 10_000;
/** Looks at the address until it answers as it should, or the time is over. */
async function verify(verification, deploymentUrl, doors) {
    const { clock, signal } = doors;
    const endsAt = clock.now() + verification.timeoutMs;
    const needsUrl = verification.url.includes('{url}');
    let known = deploymentUrl;
    for (let pause = FIRST_PAUSE_MS;; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        if (needsUrl)
            known ??= await (0,errors/* ifReadable */.G5)(doors.findUrl);
        const address = needsUrl && known === undefined ? undefined : addressOf(verification.url, known);
        if (typeof address === 'string')
            return { kind: 'unverified', url: verification.url, trouble: address };
        const left = endsAt - clock.now();
        const look = address && (await doors.look(address, Math.max(1, Math.min(LOOK_TIMEOUT_MS, left))));
        const trouble = troubleWith(look ?? NO_ADDRESS, verification);
        if (trouble === undefined)
            return { kind: 'verified' };
        if (clock.now() + pause >= endsAt)
            return { kind: 'unverified', url: address?.href ?? verification.url, trouble };
        await clock.sleep(pause, signal);
    }
}
const NO_ADDRESS = { kind: 'trouble', trouble: 'the control plane tells no address of the deployment' };
/** The address, or why it is none. */
function addressOf(template, deploymentUrl) {
    const filled = template.replaceAll('{url}', deploymentUrl?.replace(/\/+$/, '') ?? '');
    return (0,web_address/* webAddressOf */.c)(filled) ?? `${filled} is not a plain web address`;
}
function troubleWith(look, { status, contains }) {
    if (look.kind === 'trouble')
        return look.trouble;
    if (look.status !== status)
        return `it answers HTTP ${look.status}, not ${status}`;
    if (contains !== undefined && !look.body.includes(contains))
        return `it answers HTTP ${status}, and the text that was asked for is not in it`;
    return undefined;
}

;// CONCATENATED MODULE: ./operations/verification.ts




/** What a rollout that is deployed is once it has been verified. */
async function verified(ended, { verification }, doors, url) {
    const { outcome, revision } = ended;
    if (outcome.kind !== 'deployed' || revision === undefined || verification === undefined)
        return outcome;
    doors.log.info(`Verifying ${verification.url}.`);
    const { controlPlane } = doors.extended(verification.timeoutMs);
    const end = await verify(verification, url, {
        ...doors,
        look: async (address, timeoutMs) => await lookAt(address, timeoutMs, doors.signal),
        findUrl: async () => (await controlPlane.getDeployment(ended.deploymentId)).settings.customUrl,
    });
    if (end.kind === 'unverified')
        doors.log.info(`${end.url} does not answer as it should: ${end.trouble}.`);
    // Verifying takes its time: what answered in the end may have been another revision that is active by now.
    const by = await replacedBy(revision, ended, doors);
    if (by !== undefined)
        return { kind: 'superseded', by };
    return end.kind === 'verified' ? outcome : end;
}
/** The revision that is active by now in place of ours. It is only a second look: ours was active a moment ago. */
async function replacedBy(revision, ended, doors) {
    const settling = doors.extended((0,settle/* settlingTime */.e)(doors));
    const still = await (0,errors/* ifReadable */.G5)(async () => await (0,settle/* settleOutcome */.m)(revision, { ...settling, ...ended }));
    return still?.kind === 'superseded' ? still.by : undefined;
}

;// CONCATENATED MODULE: ./operations/roll-back.ts










/** Puts the revision before back, where that helps; what cannot be done, or did not succeed, is noted in the record. */
async function rollBack(ended, request, doors, record) {
    const { outcome } = ended;
    let made;
    try {
        const { controlPlane } = doors;
        const now = await (0,replica_lag/* pastReplicaLag */.FK)(async () => await controlPlane.getDeployment(ended.deploymentId), doors);
        const plan = await plannedRollback(now, ended, request, doors);
        if (plan.kind === 'none') {
            if (plan.patch !== undefined)
                await (0,rollout_patch/* patchDeployment */.G)(now, plan.patch, doors);
            const putBack = plan.patch === undefined ? [] : [`put back: ${namesOf(plan.patch)}`];
            record.rollback = [`Not rolled back: ${plan.because}`, ...putBack, ...tellStays(plan)].join('; ');
            return outcome;
        }
        doors.log.info(`Rolling back to revision ${plan.to.id}.`);
        record.rollback = `A rollback to revision ${plan.to.id} had begun`;
        const back = await putBack(plan, now, request, { ...doors, onMade: (id) => void (made = id) });
        if (back.outcome.kind === 'deployed') {
            record.rollback = tellStays(plan)[0];
            return { kind: 'rolled-back', to: back.revisionId, from: outcome };
        }
        record.rollback = tellRollback(plan.to.id, back);
        return outcome;
    }
    catch (thrown) {
        doors.signal.throwIfAborted();
        const why = (0,clock/* toError */.i)(thrown).message.replace(/\.$/, '');
        if (made !== undefined)
            record.rollback = `Whether the rollback succeeds is not known: revision ${made} was made for it, but ${why}`;
        else if (thrown instanceof errors/* AmbiguousWriteError */.yI)
            record.rollback = `Whether the rollback succeeds is not known: ${why}`;
        else
            record.rollback = `The rollback did not succeed: ${why}`;
        return outcome;
    }
}
function namesOf(settings) {
    return matrix/* FIELDS */.cJ.filter((field) => settings[field] !== undefined)
        .map(matrix/* inputName */.yu)
        .join(', ');
}
function tellStays({ stays }) {
    return stays.length === 0 ? [] : [`as this run has set it, stays: ${stays.map(matrix/* inputName */.yu).join(', ')}`];
}
/** Of a rollback that did not end well: what can be said of it. */
function tellRollback(to, { outcome, revisionId }) {
    const rollback = `rollback to revision ${to}`;
    switch (outcome.kind) {
        case 'unverified':
            return `The ${rollback} is done: revision ${revisionId} is active, but does not answer as it should either`;
        case 'timed-out':
            return `Whether the ${rollback} succeeds is not known: the end of revision ${revisionId} was not seen`;
        case 'failed':
            if (outcome.because.kind === 'active-unknown')
                return `Whether the ${rollback} succeeded is not known: revision ${revisionId} is DEPLOYED, but the deployment could not be read`;
            break;
        default:
    }
    return `The ${rollback} did not succeed: revision ${revisionId} ended ${outcome.kind}`;
}
async function plannedRollback(now, { before, revision, outcome }, { changed }, doors) {
    const { controlPlane } = doors;
    const newer = revision && (await (0,overtaken/* overtakenBy */.z)(revision, now, { controlPlane, before, unreadable: 'newer' }));
    if (newer !== undefined) {
        return {
            kind: 'none',
            because: `revision ${newer} is newer, and not replaced`,
            patch: undefined,
            stays: [],
        };
    }
    const activeId = before?.activeRevisionId ?? undefined;
    const readActive = async (id) => await (0,replica_lag/* pastReplicaLag */.FK)(async () => await controlPlane.getRevision(now.id, id), doors);
    return planRollback({
        before,
        now,
        changed,
        activeBefore: activeId === undefined ? undefined : await readActive(activeId),
        serving: servingInstead(now, revision, outcome.kind === 'unverified' ? undefined : activeId),
    });
}
/** What serves in place of the revision that went wrong; `assumed` where the control plane does not tell. */
function servingInstead({ activeRevisionId: active }, wrong, assumed) {
    if (active === undefined)
        return assumed;
    return active === null || active === wrong?.id ? undefined : active;
}
/** The rollback's own revision has a record of its own: that of the rollout tells of the rollout. */
async function putBack(plan, before, request, { onMade, ...doors }) {
    const made = await applyRollback(before, plan, { ...doors, onRecovery: doors.log.info });
    onMade(made.revisionId);
    const own = (0,record/* openRecord */.C6)(doors.clock.wallTime());
    const quiet = { ...doors, onProgress: () => undefined };
    const ended = await (0,follow/* followRevision */.f)({ deploymentId: before.id, before, ...made }, request, quiet, own);
    return { outcome: await verified(ended, request, quiet, own.url), revisionId: made.revisionId };
}

;// CONCATENATED MODULE: ./operations/aftercare.ts



/**
 * Looks after a rollout whose revision has ended: explains a failure, verifies a success, and puts the revision before
 * back where that was asked for and helps.
 */
async function lookAfter(ended, request, doors, record) {
    await explainFailure(ended, doors, record);
    const outcome = await verified(ended, request, doors, record.url);
    if (request.rollback === 'never' || !wentWrong(outcome))
        return outcome;
    return await rollBack({ ...ended, outcome }, request, doors.extended(request.timeoutMs), record);
}
const LOG_LINES = 50;
/** How long reading it may take, in milliseconds. */
const LOG_MS = 15_000;
/** Best effort: a service need not have the log, and a failure is one without it, too. */
async function explainFailure({ outcome, deploymentId }, doors, record) {
    const isFailure = outcome.kind === 'interrupted' || (outcome.kind === 'failed' && outcome.because.kind === 'revision');
    const type = logThatTells(record);
    const { revisionId } = record;
    if (!isFailure || revisionId === undefined || type === undefined)
        return;
    try {
        const { controlPlane } = doors.extended(LOG_MS);
        const lines = await controlPlane.readLog(deploymentId, revisionId, { type, lines: LOG_LINES });
        record.log = { type, lines };
    }
    catch (thrown) {
        doors.signal.throwIfAborted();
        doors.log.debug(`No log: ${(0,clock/* toError */.i)(thrown).message}`);
    }
}
/** The log of the phase in which it ended: its status tells, or what was seen before. */
function logThatTells({ revision, timeline }) {
    if (revision?.status === 'BUILD_FAILED')
        return 'build';
    if (revision?.status === 'DEPLOY_FAILED')
        return 'deploy';
    const phases = timeline.map(({ phase }) => phase).toReversed();
    return phases.find((phase) => phase === 'build' || phase === 'deploy');
}
function wentWrong(outcome) {
    return outcome.kind === 'unverified' || (outcome.kind === 'failed' && outcome.because.kind === 'revision');
}


/***/ })

};
