export const id = 819;
export const ids = [819,943];
export const modules = {

/***/ 2819:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   retireDeployments: () => (/* binding */ retireDeployments)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4362);
/* harmony import */ var _deployment_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4943);


const listedDeployment = zod__WEBPACK_IMPORTED_MODULE_1__.object({ id: zod__WEBPACK_IMPORTED_MODULE_1__.number(), payload: zod__WEBPACK_IMPORTED_MODULE_1__.unknown() });
const statuses = zod__WEBPACK_IMPORTED_MODULE_1__.array(zod__WEBPACK_IMPORTED_MODULE_1__.object({ state: zod__WEBPACK_IMPORTED_MODULE_1__.string(), description: zod__WEBPACK_IMPORTED_MODULE_1__.string().nullish() }));
const RETIRED = 'Another one took its place, or it is gone.';
/** One would do, but for a run that is so late that it tells of its success after it was retired. */
const RETIRED_AT_ONCE = 3;
/**
 * Makes the earlier GitHub Deployments of a preview inactive; gives how many there were. Oldest first, so that those
 * before a retired one are retired as well, even when it broke off: only so far back does anybody have to look. One
 * that ended inactive by itself, like a superseded one, says nothing about those before it.
 */
async function retireDeployments(gitHub, { environment, names, before = Number.POSITIVE_INFINITY }) {
    const listed = gitHub.pages({
        route: 'GET /repos/{owner}/{repo}/deployments',
        parameters: { environment },
        attempted: `list the GitHub Deployments of the environment ${environment}`,
        permission: _deployment_js__WEBPACK_IMPORTED_MODULE_0__/* .PERMISSION */ .o,
    }, zod__WEBPACK_IMPORTED_MODULE_1__.array(listedDeployment));
    const doomed = [];
    const toBeSeen = new Map(names.map((name) => [name, RETIRED_AT_ONCE]));
    // Newest first, as GitHub lists them.
    for await (const { id, payload } of listed) {
        const name = (0,_deployment_js__WEBPACK_IMPORTED_MODULE_0__/* .payloadOf */ .M)(payload)?.name ?? '';
        const left = toBeSeen.get(name);
        if (id >= before || left === undefined)
            continue;
        const latest = await latestStatus(gitHub, id);
        if (latest?.state !== 'inactive')
            doomed.push(id);
        else if (latest.description === RETIRED)
            toBeSeen.set(name, left - 1);
        if (toBeSeen.get(name) === 0)
            toBeSeen.delete(name);
        if (toBeSeen.size === 0)
            break;
    }
    for (const id of doomed.reverse())
        await (0,_deployment_js__WEBPACK_IMPORTED_MODULE_0__.reportState)(gitHub, id, 'inactive', { description: RETIRED });
    return doomed.length;
}
async function latestStatus(gitHub, id) {
    const latest = await gitHub.request({
        route: 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
        parameters: { deployment_id: id, per_page: 1 },
        attempted: 'read the state of a GitHub Deployment',
        permission: _deployment_js__WEBPACK_IMPORTED_MODULE_0__/* .PERMISSION */ .o,
    }, statuses);
    return latest[0];
}


/***/ }),

/***/ 4943:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DEPLOYMENT_STATES: () => (/* binding */ DEPLOYMENT_STATES),
/* harmony export */   M: () => (/* binding */ payloadOf),
/* harmony export */   o: () => (/* binding */ PERMISSION),
/* harmony export */   reportState: () => (/* binding */ reportState)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4362);

/** GitHub's states of a deployment, as far as a rollout has them. */
const DEPLOYMENT_STATES = ['queued', 'in_progress', 'success', 'failure', 'error', 'inactive'];
const PERMISSION = 'deployments: write';
const payloadSchema = zod__WEBPACK_IMPORTED_MODULE_0__.object({ name: zod__WEBPACK_IMPORTED_MODULE_0__.string(), key: zod__WEBPACK_IMPORTED_MODULE_0__.string().optional() });
/** What a run writes into its GitHub Deployment. GitHub hands it back as an object, or as the text of one. */
function payloadOf(payload) {
    if (typeof payload !== 'string')
        return payloadSchema.safeParse(payload).data;
    try {
        return payloadSchema.safeParse(JSON.parse(payload)).data;
    }
    catch {
        return undefined;
    }
}
/** Sets the state of a GitHub Deployment, which an earlier step may have created. */
async function reportState(gitHub, id, state, { description, environmentUrl, logUrl }) {
    await gitHub.request({
        route: 'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
        parameters: {
            deployment_id: id,
            state,
            description,
            ...(environmentUrl === undefined ? {} : { environment_url: environmentUrl }),
            ...(logUrl === undefined ? {} : { log_url: logUrl }),
        },
        attempted: `set the GitHub Deployment to ${state}`,
        permission: PERMISSION,
    }, zod__WEBPACK_IMPORTED_MODULE_0__.unknown());
}


/***/ })

};
