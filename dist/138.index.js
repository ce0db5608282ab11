export const id = 138;
export const ids = [138];
export const modules = {

/***/ 8138:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  teardown: () => (/* binding */ teardown)
});

// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./problem.ts
var problem = __webpack_require__(2035);
// EXTERNAL MODULE: ./rollout/read/find-deployment.ts
var find_deployment = __webpack_require__(4682);
// EXTERNAL MODULE: ./rollout/read/paginate.ts
var paginate = __webpack_require__(6998);
// EXTERNAL MODULE: ./previews/preview-name.ts
var preview_name = __webpack_require__(6862);
;// CONCATENATED MODULE: ./previews/choose.ts

/** The deployments that are previews of this very name, in full: `my-agent-pr-1` is none of `agent`. */
function previewsOf(deployments, name) {
    return deployments.flatMap((deployment) => {
        const pullRequest = (0,preview_name/* pullRequestOf */._n)(deployment.name, name);
        return pullRequest === undefined ? [] : [{ deployment, pullRequest }];
    });
}
/** Which previews are deleted. A preview whose state is uncertain is kept. */
function choosePreviews(candidates, states, { olderThanMs }, wallTime) {
    return candidates.map((candidate) => {
        const { pullRequest, deployment } = candidate;
        const state = states.get(pullRequest) ?? 'unknown';
        if (state === 'closed')
            return { ...candidate, verdict: 'remove', because: { kind: 'pull-request-closed', pullRequest } };
        const forMs = deployment.updatedAt === undefined ? undefined : wallTime - deployment.updatedAt;
        if (olderThanMs !== undefined && forMs !== undefined && forMs >= olderThanMs)
            return { ...candidate, verdict: 'remove', because: { kind: 'not-updated', forMs } };
        return { ...candidate, verdict: 'keep', because: { kind: REASON_TO_KEEP[state], pullRequest } };
    });
}
const REASON_TO_KEEP = {
    open: 'pull-request-open',
    missing: 'no-pull-request',
    unknown: 'pull-request-unknown',
};

;// CONCATENATED MODULE: ./previews/remove.ts

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

;// CONCATENATED MODULE: ./previews/teardown.ts








const REQUESTED = { kind: 'requested' };
/**
 * Deletes one deployment, or all previews whose pull request is closed. A deployment counts as deleted when the control
 * plane no longer returns it.
 * @param because why a single deployment is deleted
 * @throws InputError, ControlPlaneError when the teardown cannot continue; of several deletions a failed one does not throw
 */
async function teardown(request, deps, because = REQUESTED) {
    const { what } = request;
    switch (what.kind) {
        case 'one':
            return await tearDownOne(what.target, request, because, deps);
        case 'closed-previews':
            return await tearDownClosed(what, request, deps);
    }
}
async function tearDownOne(target, { ignoreMissing, dryRun }, because, deps) {
    const deployment = await findIfThere(target, deps);
    if (deployment === undefined) {
        deps.emit({ kind: 'nothing-to-delete', name: target.kind === 'name' ? target.name : undefined });
        if (ignoreMissing)
            return { kind: 'nothing-to-tear-down' };
        const [input, value] = target.kind === 'name' ? ['name', target.name] : ['deployment-id', target.id];
        const message = 'names no deployment that these credentials can see, and ignore-missing is "false"';
        throw new problem/* InputError */.d([{ input, value, message }]);
    }
    const choice = { deployment, verdict: 'remove', because };
    deps.emit({ kind: 'deletions-chosen', choices: [choice], dryRun, isOne: true });
    if (dryRun)
        return { kind: 'planned' };
    await removeDeployment(deployment.id, deps);
    deps.emit({ kind: 'deleted', id: deployment.id });
    return { kind: 'torn-down' };
}
async function findIfThere(target, { controlPlane }) {
    try {
        return await (0,find_deployment/* findDeployment */.H)(target, controlPlane);
    }
    catch (thrown) {
        if (target.kind === 'id' && (0,errors/* isNotFound */.c4)(thrown))
            return undefined;
        throw thrown;
    }
}
async function tearDownClosed(what, { dryRun }, deps) {
    const candidates = previewsOf(await listPreviews(what.name, deps), what.name);
    const states = await deps.pullRequestStates(candidates.map(({ pullRequest }) => pullRequest));
    const choices = choosePreviews(candidates, states, what, deps.clock.wallTime());
    deps.emit({ kind: 'deletions-chosen', choices, dryRun, isOne: false });
    const chosen = choices.filter(({ verdict }) => verdict === 'remove');
    const failed = dryRun ? 0 : await removeAll(chosen, deps);
    if (failed > 0)
        return { kind: 'failed', because: { kind: 'teardown', failed } };
    const unknown = candidates.filter(({ pullRequest }) => (states.get(pullRequest) ?? 'unknown') === 'unknown').length;
    // A cleanup that could not ask GitHub must not look complete, whatever `older-than` has deleted.
    if (unknown > 0)
        return { kind: 'failed', because: { kind: 'teardown-blind', unknown } };
    if (dryRun)
        return { kind: 'planned' };
    return { kind: chosen.length > 0 ? 'torn-down' : 'nothing-to-tear-down' };
}
async function listPreviews(name, { controlPlane }) {
    const nameContains = (0,preview_name/* previewNameStart */.ms)(name);
    const found = [];
    for await (const deployment of (0,paginate/* readAll */.y)(async (query) => await controlPlane.listDeployments({ nameContains, ...query })))
        found.push(deployment);
    return found;
}
const AT_ONCE = 4;
/**
 * Deletes a few at a time, as each deletion takes until its deployment is gone. A failed one does not stop the others.
 * @returns how many failed
 */
async function removeAll(chosen, deps) {
    const queue = [...chosen];
    let failed = 0;
    const work = async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            const { id } = next.deployment;
            try {
                await removeDeployment(id, deps);
                deps.emit({ kind: 'deleted', id });
            }
            catch (thrown) {
                deps.signal.throwIfAborted();
                failed += 1;
                deps.emit({ kind: 'deletion-failed', id, trouble: (0,clock/* toError */.i)(thrown).message });
            }
        }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return failed;
}


/***/ }),

/***/ 4682:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ findDeployment),
/* harmony export */   _: () => (/* binding */ findByName)
/* harmony export */ });
/* harmony import */ var _paginate_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6998);

/**
 * Finds the deployment; `undefined` if none has that name.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the id is unknown
 */
async function findDeployment(target, controlPlane) {
    switch (target.kind) {
        case 'id':
            return await controlPlane.getDeployment(target.id);
        case 'name':
            return await findByName(target.name, controlPlane);
    }
}
/** Reads pages until the exact name is found: the control plane's filter matches a substring or a prefix. */
async function findByName(name, controlPlane) {
    const readPage = controlPlane.listDeployments;
    for await (const deployment of (0,_paginate_js__WEBPACK_IMPORTED_MODULE_0__/* .readAll */ .y)(async (query) => await readPage({ nameContains: name, ...query })))
        if (deployment.name === name)
            return deployment;
    return undefined;
}


/***/ }),

/***/ 6998:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   y: () => (/* binding */ readAll)
/* harmony export */ });
/** The contract's largest page. */
const PAGE_SIZE = 100;
/**
 * Yields every entry of a paged list once. A short page is not the last one: a service may filter after it cuts the
 * page. A page without new entries is: a service that ignores the offset repeats the same page.
 */
async function* readAll(readPage) {
    const seen = new Set();
    for (let offset = 0;;) {
        const page = await readPage({ limit: PAGE_SIZE, offset });
        const added = page.resources.filter(({ id }) => !seen.has(id));
        for (const entry of added) {
            seen.add(entry.id);
            yield entry;
        }
        if (added.length === 0 || page.offset <= offset)
            return;
        offset = page.offset;
    }
}


/***/ })

};
