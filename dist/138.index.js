export const id = 138;
export const ids = [138];
export const modules = {

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


/***/ })

};
