export const id = 612;
export const ids = [612];
export const modules = {

/***/ 7583:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ equalIgnoringCase),
/* harmony export */   M: () => (/* binding */ isOurs)
/* harmony export */ });
/**
 * Whether the address of a resource, as a response reports it, names this resource of our repository. An address that
 * is not reported shows nothing else.
 * @param path below the repository, as in `/issues/7`; the empty text for the repository itself
 */
function isOurs(address, { repository }, path = '') {
    return !address || address.toLowerCase().endsWith(`/repos/${repository}${path}`.toLowerCase());
}
/** Names of repositories and environments, and commits, have no case. An unknown text equals none. */
function equalIgnoringCase(one, other) {
    return one?.toLowerCase() === other.toLowerCase();
}


/***/ }),

/***/ 9782:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ei: () => (/* binding */ retireDeployments),
/* harmony export */   Hn: () => (/* binding */ aboutDeployment),
/* harmony export */   Jn: () => (/* binding */ listDeployments),
/* harmony export */   jb: () => (/* binding */ DEPLOYMENT_STATES),
/* harmony export */   lM: () => (/* binding */ payload),
/* harmony export */   mS: () => (/* binding */ reportState),
/* harmony export */   o1: () => (/* binding */ MAX_DESCRIPTION),
/* harmony export */   oC: () => (/* binding */ PERMISSION)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4534);
/* harmony import */ var _about_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7583);


/** The states of a GitHub Deployment that a rollout uses. */
const DEPLOYMENT_STATES = ['queued', 'in_progress', 'success', 'failure', 'error', 'inactive'];
/** GitHub's limit for the description of a deployment or a status, in characters. */
const MAX_DESCRIPTION = 140;
const PERMISSION = 'deployments: write';
const written = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    /** The deployment of the control plane: several may share an environment. */
    name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    /** Identifies the run. */
    key: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
});
/** What a run writes into its GitHub Deployment. GitHub returns it as an object, or as JSON text. */
const payload = zod__WEBPACK_IMPORTED_MODULE_0__/* .preprocess */ .vkY(parseJson, written.optional().catch(undefined));
const listed = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    id: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(),
    payload,
    environment: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
    repository_url: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
});
function parseJson(payload) {
    if (typeof payload !== 'string')
        return payload;
    try {
        return JSON.parse(payload);
    }
    catch {
        return undefined;
    }
}
/**
 * Lists GitHub Deployments, newest first.
 * @param attempted as in `GitHubRequest`
 */
function listDeployments(gitHub, parameters, attempted, limits = {}) {
    const route = 'GET /repos/{owner}/{repo}/deployments';
    const ours = listed.refine(({ environment = parameters.environment, repository_url: address }) => (0,_about_js__WEBPACK_IMPORTED_MODULE_1__/* .equalIgnoringCase */ .E)(environment, parameters.environment) && (0,_about_js__WEBPACK_IMPORTED_MODULE_1__/* .isOurs */ .M)(address, gitHub), 'is about another environment or repository');
    return gitHub.pages({ route, parameters, attempted, permission: PERMISSION, ...limits }, zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(ours));
}
/** Sets the state of a GitHub Deployment. */
async function reportState(gitHub, id, state, { description, environmentUrl, logUrl }) {
    await gitHub.request({
        route: 'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
        parameters: { deployment_id: id, state, description, environment_url: environmentUrl, log_url: logUrl },
        attempted: `set the GitHub Deployment to ${state}`,
        permission: PERMISSION,
    }, aboutDeployment(gitHub, id, zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J()));
}
const address = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ deployment_url: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() });
/** Rejects only what shows another GitHub Deployment: a write need not show its result. */
function aboutDeployment(gitHub, id, schema) {
    return schema.refine((shown) => (0,_about_js__WEBPACK_IMPORTED_MODULE_1__/* .isOurs */ .M)(address.safeParse(shown).data?.deployment_url, gitHub, `/deployments/${id}`), 'is about another GitHub Deployment');
}
const status = zod__WEBPACK_IMPORTED_MODULE_0__/* .looseObject */ ._H3({ state: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), description: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().nullish() });
const RETIRED = 'Replaced by a newer deployment, or deleted.';
/** The search for a name ends after so many. One is not enough: a late run may report its success after it was retired. */
const ENOUGH_RETIRED = 3;
/**
 * Makes the earlier GitHub Deployments of a preview inactive, oldest first, so that a retired one has none before it
 * that is not retired, even after an error. One that became inactive by itself, as when superseded, proves nothing
 * about those before it.
 * @param names only those of these deployments of the control plane
 * @param before the id of this run's own: newer ones belong to newer runs
 */
async function retireDeployments(gitHub, environment, names, before = Number.POSITIVE_INFINITY) {
    const toRetire = [];
    const retiredLeft = new Map(names.map((name) => [name, ENOUGH_RETIRED]));
    const attempted = `list the GitHub Deployments of the environment ${environment}`;
    for await (const { id, payload } of listDeployments(gitHub, { environment }, attempted)) {
        const name = payload?.name ?? '';
        const left = retiredLeft.get(name);
        if (id >= before || left === undefined)
            continue;
        const statuses = zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(aboutDeployment(gitHub, id, status));
        const [latest] = await gitHub.request(latestStatusOf(id), statuses);
        if (latest?.state !== 'inactive')
            toRetire.push(id);
        else if (latest.description === RETIRED)
            retiredLeft.set(name, left - 1);
        if (retiredLeft.get(name) === 0)
            retiredLeft.delete(name);
        if (retiredLeft.size === 0)
            break;
    }
    for (const id of toRetire.reverse())
        await reportState(gitHub, id, 'inactive', { description: RETIRED });
}
function latestStatusOf(id) {
    return {
        route: 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
        parameters: { deployment_id: id, per_page: 1 },
        attempted: 'read the state of a GitHub Deployment',
        permission: PERMISSION,
    };
}


/***/ }),

/***/ 8612:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  deploymentChannel: () => (/* binding */ deploymentChannel)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 17 modules
var schemas = __webpack_require__(4534);
// EXTERNAL MODULE: ./github/deployments.ts
var deployments = __webpack_require__(9782);
// EXTERNAL MODULE: ./github/errors.ts
var errors = __webpack_require__(3527);
;// CONCATENATED MODULE: ./github/create-deployment.ts




const ATTEMPTS = 2;
const created = schemas/* object */.Ikc({ id: schemas/* number */.aig(), payload: deployments/* payload */.lM });
/** Prepares the one GitHub Deployment of a run, which is created once even if GitHub's responses are lost. */
function prepareDeployment(options) {
    const key = (0,external_node_crypto_.randomUUID)();
    const request = creationRequest(options, key);
    const ours = created.refine((made) => made.payload?.key === key, 'is about another GitHub Deployment');
    let isResponseLost = false;
    let refusal;
    /** Finds the one whose id was lost with a response. Returns `undefined` if there is none. */
    const findLost = async (gitHub) => {
        if (!isResponseLost)
            return undefined;
        const { environment, ref } = options;
        const attempted = 'find the GitHub Deployment whose creation got no response';
        for await (const { id, payload } of (0,deployments/* listDeployments */.Jn)(gitHub, { environment, ref }, attempted))
            if (payload?.key === key)
                return id;
        return undefined;
    };
    return {
        findLost,
        /** Creates it and returns its id. May be called again after an error. */
        async create(gitHub) {
            // GitHub would refuse it again, as it does for an unknown ref.
            if (refusal !== undefined)
                throw refusal;
            for (let attempt = 1;; attempt++) {
                const found = await findLost(gitHub);
                if (found !== undefined)
                    return found;
                try {
                    return (await gitHub.request(request, ours)).id;
                }
                catch (thrown) {
                    if (thrown instanceof errors/* GitHubError */.y_ && thrown.status === 422)
                        refusal = thrown;
                    if (!(0,errors/* isLost */.JD)(thrown))
                        throw thrown;
                    isResponseLost = true;
                    if (attempt === ATTEMPTS)
                        throw thrown;
                }
            }
        },
    };
}
/** Merges nothing, and requires no other check to be green. */
function creationRequest(options, key) {
    const { ref, environment, transient, description, name } = options;
    return {
        route: 'POST /repos/{owner}/{repo}/deployments',
        parameters: {
            ref,
            environment,
            description,
            auto_merge: false,
            required_contexts: [],
            transient_environment: transient,
            production_environment: environment.toLowerCase() === 'production',
            payload: { name, key },
        },
        attempted: `create a GitHub Deployment in the environment ${environment}`,
        permission: deployments/* PERMISSION */.oC,
        once: true,
    };
}

;// CONCATENATED MODULE: ./github/job-deployment.ts


const job_deployment_status = schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    state: schemas/* string */.YjP(),
    log_url: schemas/* string */.YjP().nullish(),
    target_url: schemas/* string */.YjP().nullish(),
});
/** Limit of each request, in milliseconds: the rollout is shown later otherwise. */
const WITHIN_MS = 5_000;
/** A commit may have more: a schedule makes one in every run. */
const NEWEST = 10;
/**
 * Finds the GitHub Deployment that GitHub made for this job, and will end with it.
 * @throws GitHubError
 */
async function findJobDeployment(gitHub, query) {
    const { environment, commits, runUrl } = query;
    const limits = { withinMs: WITHIN_MS };
    const attempted = `look for the job's own GitHub Deployment in the environment ${environment}`;
    const newestFor = async (sha) => {
        const ids = [];
        for await (const { id, payload } of (0,deployments/* listDeployments */.Jn)(gitHub, { environment, sha }, attempted, limits)) {
            // One with a name in its payload was made by this action.
            if (payload === undefined)
                ids.push(id);
            if (ids.length === NEWEST)
                break;
        }
        return ids;
    };
    const stateOf = async (id) => {
        const route = 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses';
        const request = { route, parameters: { deployment_id: id }, attempted, permission: deployments/* PERMISSION */.oC, ...limits };
        const statuses = await gitHub.request(request, schemas/* array */.YOg((0,deployments/* aboutDeployment */.Hn)(gitHub, id, job_deployment_status)));
        return { id, state: stateByJob(statuses, runUrl) };
    };
    const ids = new Set((await Promise.all(commits.map(newestFor))).flat());
    return chooseJobDeployment(await Promise.all([...ids].map(stateOf)));
}
/** The latest state that GitHub itself set for a job of the run. Those of this action link to the run. */
function stateByJob(statuses, runUrl) {
    const isOfJob = (address) => address?.toLowerCase().startsWith(`${runUrl}/job/`.toLowerCase()) === true;
    const ofJob = statuses.filter(({ log_url, target_url }) => isOfJob(log_url) || isOfJob(target_url));
    return ofJob.toSorted((one, other) => other.id - one.id)[0]?.state;
}
const RUNNING = 'in_progress';
/** GitHub may show that a job runs a moment after it does. `waiting` and `pending` end with an approval. */
const NOT_STARTED = ['queued', 'pending', 'waiting'];
function chooseJobDeployment(found) {
    const running = found.filter(({ state }) => state === RUNNING);
    const likely = running.length > 0 ? running : found.filter(({ state }) => NOT_STARTED.includes(state));
    const [first, ...others] = likely;
    if (first === undefined)
        return { kind: 'none' };
    return others.length === 0 ? { kind: 'one', id: first.id } : { kind: 'several', count: likely.length };
}

// EXTERNAL MODULE: ./report/escape.ts
var report_escape = __webpack_require__(2296);
// EXTERNAL MODULE: ./report/record.ts
var report_record = __webpack_require__(2354);
// EXTERNAL MODULE: ./notify/record-facts.ts
var record_facts = __webpack_require__(9461);
;// CONCATENATED MODULE: ./notify/deployment.ts







/** A GitHub Deployment with its statuses: the one that GitHub made for the job, or one of its own. */
function deploymentChannel(environment, { connect, isPreview, waits, runCommits, log }, { onOpened }) {
    let jobDeployment;
    let creation;
    let id;
    let state;
    const report = async (next, { runUrl }, description, environmentUrl) => {
        if (id === undefined || next === state)
            return;
        await (0,deployments/* reportState */.mS)(await connect(), id, next, { description, environmentUrl, logUrl: runUrl });
        state = next;
    };
    const findOfJob = async (record) => {
        const { runUrl } = record;
        // One for another commit would say that this one is deployed.
        if (runUrl === undefined || !runCommits.includes((0,record_facts/* refOf */.H8)(record)))
            return { kind: 'none' };
        try {
            return await findJobDeployment(await connect(), { environment, commits: runCommits, runUrl });
        }
        catch (thrown) {
            if (!(thrown instanceof errors/* GitHubError */.y_))
                throw thrown;
            log.info(`The action makes a GitHub Deployment of its own: ${thrown.message}`);
            return { kind: 'none' };
        }
    };
    const begin = async (record) => {
        const isFirst = jobDeployment === undefined;
        jobDeployment ??= await findOfJob(record);
        switch (jobDeployment.kind) {
            case 'one':
                id = jobDeployment.id;
                onOpened();
                return;
            case 'several':
                if (isFirst)
                    log.notice(severalOfJobs(environment, jobDeployment.count));
                return;
            case 'none':
                await create(record);
        }
    };
    const create = async (record) => {
        const name = (0,report_record/* nameOf */.Vb)(record);
        const description = (0,report_escape/* oneLine */.TN)(`Rollout of ${log.redact(name)}`, deployments/* MAX_DESCRIPTION */.o1);
        const about = { environment, transient: isPreview, description, name };
        creation ??= prepareDeployment({ ...about, ref: (0,record_facts/* refOf */.H8)(record) });
        id = await creation.create(await connect());
        onOpened();
        await report('queued', record, 'The rollout is about to start.');
    };
    const retire = async (names) => await (0,deployments/* retireDeployments */.Ei)(await connect(), environment, names, id);
    return {
        name: 'GitHub Deployment',
        open: () => ({ gitHubDeployment: id }),
        async progress(record) {
            if (!waits)
                return;
            if (id === undefined)
                await begin(record);
            const phase = (0,record_facts/* latestStatus */.Ux)(record)?.phase;
            if (phase !== undefined && phase !== 'queue')
                await report('in_progress', record, 'The rollout is in progress.');
        },
        async finish(record, { state: end, description, environmentUrl }) {
            if (creation !== undefined)
                id ??= await creation.findLost(await connect());
            if (end !== undefined)
                await report(end, record, description, environmentUrl);
            // Whatever the outcome: no later run would find a deployment that no longer exists.
            const gone = (0,record_facts/* goneNames */.mB)(record);
            if (gone.length > 0)
                await retire(gone);
            // Without one of this run, it is unknown which ones are earlier.
            if (isPreview && end === 'success' && id !== undefined)
                await retire([(0,report_record/* nameOf */.Vb)(record)]);
        },
    };
}
function severalOfJobs(environment, count) {
    return `environment: ${count} jobs of this run have a GitHub Deployment in the environment ${environment}, and the action cannot know which one belongs to this job. The action creates no other one, and sets no state: GitHub does, when each job ends.`;
}


/***/ })

};
