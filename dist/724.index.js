export const id = 724;
export const ids = [724];
export const modules = {

/***/ 4724:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  lookAfter: () => (/* binding */ lookAfter)
});

// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ../node_modules/@actions/http-client/lib/index.js + 1 modules
var lib = __webpack_require__(8564);
// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
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

// EXTERNAL MODULE: ./rollout/record.ts
var record = __webpack_require__(8477);
// EXTERNAL MODULE: ./sources/matrix.ts
var matrix = __webpack_require__(6600);
// EXTERNAL MODULE: ./sources/repository.ts
var repository = __webpack_require__(4381);
// EXTERNAL MODULE: ./rollout/settings.ts
var rollout_settings = __webpack_require__(9849);
;// CONCATENATED MODULE: ./rollout/roll-back.ts




/** Decides how to put back what was there before. Writes nothing. */
function planRollback({ before, activeBefore, becameActive, changed }) {
    if (before === undefined) {
        return { kind: 'none', because: 'there was no deployment before', patch: undefined };
    }
    const patch = (0,rollout_settings/* nonEmpty */.hq)((0,rollout_settings/* pick */.Up)(before.settings, changedFields(changed, before.settings, 'config')));
    if (activeBefore === undefined)
        return { kind: 'none', because: 'no revision was active before', patch };
    if (!becameActive) {
        const because = `the failed revision never became active, and revision ${activeBefore.id} still serves`;
        return { kind: 'none', because, patch };
    }
    const { source } = before;
    if (!(0,matrix/* isSource */.__)(source))
        return { kind: 'none', because: 'the source of the deployment is not known', patch };
    if (source === 'git_host' && !(0,repository/* isTag */.dz)(activeBefore.settings.repoRef)) {
        const because = 'a branch cannot be pinned to a commit: the revision before would be built anew from its head';
        return { kind: 'none', because, patch };
    }
    const earlier = (0,rollout_settings/* pick */.Up)(before.settings, changedFields(changed, before.settings, 'revision'));
    const settings = (0,rollout_settings/* omit */.cJ)({ ...withoutUntoldSecrets(earlier), ...activeBefore.settings }, []);
    return { kind: 'back', to: activeBefore, draft: { source, settings }, patch };
}
/** The fields that the rollout set and whose earlier value is known. */
function changedFields(changed, before, change) {
    return (0,rollout_settings/* fieldsOf */.Pf)(change).filter((field) => changed[field] !== undefined && before[field] !== undefined);
}
/** A secret whose value was not told cannot be put back; and a list without it would remove it. */
function withoutUntoldSecrets(settings) {
    const isTold = settings.secrets?.every(({ value }) => value !== undefined) ?? true;
    return isTold ? settings : (0,rollout_settings/* omit */.cJ)(settings, ['secrets']);
}
/**
 * Makes the revision that puts the earlier one back: by the route for it where there is one, else by one that repeats
 * its configuration.
 */
async function applyRollback(deploymentId, { to, draft, patch }, controlPlane) {
    if (patch !== undefined)
        await controlPlane.updateDeployment(deploymentId, patch);
    try {
        const { latestRevisionId } = await controlPlane.redeploy(deploymentId, to.id);
        if (latestRevisionId !== undefined && latestRevisionId !== to.id)
            return { revisionId: latestRevisionId, revision: undefined };
    }
    catch (thrown) {
        const isMissing = thrown instanceof errors/* RefusedError */.fk && (thrown.status === 404 || thrown.status === 405);
        if (!isMissing)
            throw thrown;
    }
    const revision = await controlPlane.createRevision(deploymentId, draft);
    return { revisionId: revision.id, revision };
}

;// CONCATENATED MODULE: ./rollout/verify.ts
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
const LOOK_TIMEOUT_MS = 10_000;
/** Looks at the address until it answers as it should, or the time is over. */
async function verify(verification, deploymentUrl, doors) {
    const { clock, signal } = doors;
    const address = addressOf(verification.url, deploymentUrl);
    if (!(address instanceof URL))
        return { kind: 'unverified', url: verification.url, trouble: address };
    const endsAt = clock.now() + verification.timeoutMs;
    for (let pause = FIRST_PAUSE_MS;; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        const left = endsAt - clock.now();
        const look = await doors.look(address, Math.max(1, Math.min(LOOK_TIMEOUT_MS, left)));
        const trouble = troubleWith(look, verification);
        if (trouble === undefined)
            return { kind: 'verified' };
        if (clock.now() + pause >= endsAt)
            return { kind: 'unverified', url: address.href, trouble };
        await clock.sleep(pause, signal);
    }
}
/** The address, or why there is none. */
function addressOf(template, deploymentUrl) {
    if (template.includes('{url}') && deploymentUrl === undefined)
        return 'the control plane tells no address of the deployment';
    const filled = template.replaceAll('{url}', deploymentUrl?.replace(/\/+$/, '') ?? '');
    const url = URL.parse(filled);
    const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    return isWeb ? url : `${filled} is not a plain web address`;
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

// EXTERNAL MODULE: ./operations/follow.ts + 4 modules
var follow = __webpack_require__(7543);
;// CONCATENATED MODULE: ./operations/aftercare.ts






/**
 * Looks after a rollout whose revision has ended: explains a failure, verifies a success, and puts the revision before
 * back where that was asked for and helps.
 */
async function lookAfter(ended, request, doors, record) {
    await explainFailure(ended, doors, record);
    const outcome = ended.outcome.kind === 'deployed' ? await verified(ended.outcome, request, doors, record) : ended.outcome;
    if (request.rollback === 'never' || !wentWrong(outcome))
        return outcome;
    return await rollBack({ ...ended, outcome }, request, doors, record);
}
const LOG_LINES = 50;
/** Best effort: a service need not have the log, and a failure is one without it, too. */
async function explainFailure({ outcome, deploymentId }, doors, record) {
    const isFailure = outcome.kind === 'interrupted' || (outcome.kind === 'failed' && outcome.because.kind === 'revision');
    const type = logThatTells(record);
    const { revisionId } = record;
    if (!isFailure || revisionId === undefined || type === undefined)
        return;
    try {
        const lines = await doors.controlPlane.readLog(deploymentId, revisionId, { type, lines: LOG_LINES });
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
async function verified(deployed, { verification }, { clock, signal, log }, record) {
    if (verification === undefined)
        return deployed;
    log.info(`Verifying ${verification.url}.`);
    const look = async (url, timeoutMs) => await lookAt(url, timeoutMs, signal);
    const end = await verify(verification, record.url, { look, clock, signal });
    return end.kind === 'verified' ? deployed : end;
}
function wentWrong(outcome) {
    return outcome.kind === 'unverified' || (outcome.kind === 'failed' && outcome.because.kind === 'revision');
}
async function rollBack(ended, request, doors, record) {
    const { outcome, deploymentId, before } = ended;
    try {
        const plan = planRollback({
            ...ended,
            activeBefore: await readActiveBefore(deploymentId, before, doors),
            becameActive: outcome.kind === 'unverified',
        });
        if (plan.kind === 'none') {
            if (plan.patch !== undefined)
                await doors.controlPlane.updateDeployment(deploymentId, plan.patch);
            record.rollback = `Not rolled back: ${plan.because}`;
            return outcome;
        }
        doors.log.info(`Rolling back to revision ${plan.to.id}.`);
        const back = await aftercare_follow(plan, ended, request, doors);
        const end = back.outcome.kind === 'deployed' ? await verified(back.outcome, request, doors, record) : back.outcome;
        if (end.kind === 'deployed')
            return { kind: 'rolled-back', to: back.revisionId, from: outcome };
        record.rollback = `The rollback to revision ${plan.to.id} did not succeed: revision ${back.revisionId} ended ${end.kind}`;
        return outcome;
    }
    catch (thrown) {
        doors.signal.throwIfAborted();
        record.rollback = `The rollback did not succeed: ${(0,clock/* toError */.i)(thrown).message.replace(/\.$/, '')}`;
        return outcome;
    }
}
async function readActiveBefore(deploymentId, before, { controlPlane }) {
    const id = before?.activeRevisionId;
    return id === undefined || id === null ? undefined : await controlPlane.getRevision(deploymentId, id);
}
/** The rollback's own revision has a record of its own: that of the rollout tells of the rollout. */
async function aftercare_follow(plan, { deploymentId }, request, doors) {
    const { controlPlane, clock } = doors;
    const before = await controlPlane.getDeployment(deploymentId);
    const made = await applyRollback(deploymentId, plan, controlPlane);
    const own = (0,record/* openRecord */.C6)(clock.wallTime());
    const quiet = { ...doors, onProgress: () => undefined, deadline: clock.now() + request.timeoutMs };
    const outcome = await (0,follow/* followRevision */.f)({ deploymentId, before, ...made }, request, quiet, own);
    return { outcome, revisionId: made.revisionId };
}


/***/ })

};
