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
// EXTERNAL MODULE: ./problem.ts
var problem = __webpack_require__(2035);
// EXTERNAL MODULE: ./rollout/read/find-deployment.ts
var find_deployment = __webpack_require__(4682);
// EXTERNAL MODULE: ./rollout/read/paginate.ts
var paginate = __webpack_require__(6998);
// EXTERNAL MODULE: ./rollout/rollout-request.ts
var rollout_request = __webpack_require__(803);
// EXTERNAL MODULE: ./previews/preview-name.ts
var preview_name = __webpack_require__(6862);
;// CONCATENATED MODULE: ./previews/choose.ts

/** Returns the previews of a deployment of exactly this name: `my-agent-pr-1` is no preview of `agent`. */
function previewsOf(deployments, name) {
    return deployments.flatMap((deployment) => {
        const pullRequest = (0,preview_name/* pullRequestOf */._n)(deployment.name, name);
        return pullRequest === undefined ? [] : [{ deployment, pullRequest }];
    });
}
/**
 * Chooses the previews to delete. Keeps a preview whose state is uncertain.
 * @param wallTime milliseconds since the epoch
 */
function choosePreviews(previews, states, { olderThanMs = Infinity }, wallTime) {
    return previews.map((preview) => {
        const { pullRequest, deployment } = preview;
        const state = states.get(pullRequest) ?? 'unknown';
        const forMs = wallTime - (deployment.updatedAt ?? Infinity);
        if (state !== 'closed' && forMs >= olderThanMs)
            return { ...preview, verdict: 'remove', because: { kind: 'not-updated', forMs } };
        const verdict = state === 'closed' ? 'remove' : 'keep';
        return { ...preview, verdict, because: { kind: `pull-request-${state}`, pullRequest } };
    });
}

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
;// CONCATENATED MODULE: ./previews/remove.ts

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/**
 * Deletes a deployment, and waits until the control plane no longer returns it (contract notes,
 * `DELETE /v2/deployments/{id}`). A deployment that does not exist counts as deleted.
 * @throws RefusedError when the control plane refuses or has no route to delete, UnreachableError when it still returns
 * the deployment at the deadline
 */
async function removeDeployment(id, { controlPlane, clock, signal, deadline }) {
    const attempted = `delete the deployment ${id}`;
    const exists = async () => (await readIfThere(id, controlPlane)) !== undefined;
    try {
        await controlPlane.deleteDeployment(id);
    }
    catch (thrown) {
        if (!(0,errors/* mayLackRoute */.I1)(thrown))
            throw thrown;
        if (await exists())
            throw noRoute(thrown, attempted);
        return;
    }
    for (let pause = FIRST_PAUSE_MS; await exists(); pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        const left = deadline - clock.now();
        if (left <= 0) {
            throw new errors/* UnreachableError */.Jk({
                attempted,
                cameBack: 'the control plane accepted it, but still returned the deployment when the time was over',
                hint: 'Check the deployment in the control plane, or set a longer timeout.',
            });
        }
        await clock.sleep(Math.min(pause, left), signal);
    }
}
/** Returns `undefined` for a deployment that does not exist. */
async function readIfThere(id, controlPlane) {
    try {
        return await controlPlane.getDeployment(id);
    }
    catch (thrown) {
        if ((0,errors/* isNotFound */.c4)(thrown))
            return undefined;
        throw thrown;
    }
}
/** The deployment exists, so that the status is about the route. */
function noRoute({ status, detail }, attempted) {
    return new errors/* RefusedError */.fk(status, detail, {
        attempted,
        cameBack: `DELETE was answered with HTTP ${status}, though the deployment exists: this control plane has no route to delete deployments`,
        hint: 'Delete the deployment in the control plane itself.',
    });
}

;// CONCATENATED MODULE: ./previews/teardown.ts








/**
 * Deletes one deployment, or all previews whose pull request is closed. A deployment counts as deleted when the control
 * plane no longer returns it.
 * @throws InputError, ControlPlaneError when the teardown cannot continue; of several deletions a failed one does not throw
 */
async function teardown(request, deps) {
    const { what } = request;
    return what.kind === 'one' ? await tearDownOne(what, request, deps) : await tearDownClosed(what, request, deps);
}
async function tearDownOne({ target, because }, { ignoreMissing, dryRun }, deps) {
    const { controlPlane } = deps;
    const isByName = target.kind === 'name';
    const deployment = isByName ? await (0,find_deployment/* findByName */._)(target.name, controlPlane) : await readIfThere(target.id, controlPlane);
    if (deployment === undefined) {
        deps.emit({ kind: 'nothing-to-delete', name: isByName ? target.name : undefined });
        if (ignoreMissing)
            return { kind: 'nothing-to-tear-down' };
        const message = 'names no deployment that these credentials can see, and ignore-missing is "false"';
        const input = isByName ? 'name' : 'deployment-id';
        throw new problem/* InputError */.d([{ input, value: (0,rollout_request/* nameOf */.V)(target), message }]);
    }
    const choice = { deployment, verdict: 'remove', because };
    deps.emit({ kind: 'deletions-chosen', choices: [choice], dryRun, isOne: true });
    if (dryRun)
        return { kind: 'planned' };
    await removeDeployment(deployment.id, deps);
    deps.emit({ kind: 'deleted', id: deployment.id });
    return { kind: 'torn-down' };
}
async function tearDownClosed(what, { dryRun }, deps) {
    const previews = previewsOf(await listCandidates(what.name, deps), what.name);
    const states = await deps.pullRequestStates(previews.map(({ pullRequest }) => pullRequest));
    const choices = choosePreviews(previews, states, what, deps.clock.wallTime());
    deps.emit({ kind: 'deletions-chosen', choices, dryRun, isOne: false });
    const chosen = choices.filter(({ verdict }) => verdict === 'remove');
    const failed = dryRun ? 0 : await removeAll(chosen, deps);
    if (failed > 0)
        return { kind: 'failed', because: { kind: 'teardown', failed } };
    const isUnknown = (number) => (states.get(number) ?? 'unknown') === 'unknown';
    const unknown = previews.filter(({ pullRequest }) => isUnknown(pullRequest)).length;
    // A cleanup without GitHub's answers must not look complete, whatever `older-than` has deleted.
    if (unknown > 0)
        return { kind: 'failed', because: { kind: 'teardown-blind', unknown } };
    if (dryRun)
        return { kind: 'planned' };
    return { kind: chosen.length > 0 ? 'torn-down' : 'nothing-to-tear-down' };
}
async function listCandidates(name, { controlPlane }) {
    const nameContains = (0,preview_name/* previewNameStart */.ms)(name);
    const listed = [];
    const pages = (0,paginate/* readAll */.y)(async (query) => await controlPlane.listDeployments({ nameContains, ...query }));
    for await (const deployment of pages)
        listed.push(deployment);
    return listed;
}
const AT_ONCE = 4;
/**
 * Deletes a few at a time, because each deletion takes until its deployment is gone. A failed one does not stop the
 * others.
 * @returns how many failed
 */
async function removeAll(chosen, deps) {
    const queue = chosen.values();
    let failed = 0;
    const work = async () => {
        for (const { deployment } of queue) {
            const { id } = deployment;
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
    if (target.kind === 'id')
        return await controlPlane.getDeployment(target.id);
    return await findByName(target.name, controlPlane);
}
/** Reads pages until the exact name is found: the control plane's filter matches a substring or a prefix. */
async function findByName(name, controlPlane) {
    const all = (0,_paginate_js__WEBPACK_IMPORTED_MODULE_0__/* .readAll */ .y)(async (query) => await controlPlane.listDeployments({ nameContains: name, ...query }));
    for await (const deployment of all)
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
