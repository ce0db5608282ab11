export const id = 943;
export const ids = [943];
export const modules = {

/***/ 4943:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DEPLOYMENT_STATES: () => (/* binding */ DEPLOYMENT_STATES),
/* harmony export */   openDeployment: () => (/* binding */ openDeployment),
/* harmony export */   reportState: () => (/* binding */ reportState),
/* harmony export */   retireDeployments: () => (/* binding */ retireDeployments)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4362);

/** GitHub's states of a deployment, as far as a rollout has them. */
const DEPLOYMENT_STATES = ['queued', 'in_progress', 'success', 'failure', 'error', 'inactive'];
const PERMISSION = 'deployments: write';
const deployment = zod__WEBPACK_IMPORTED_MODULE_0__.object({ id: zod__WEBPACK_IMPORTED_MODULE_0__.number() });
const listedDeployment = zod__WEBPACK_IMPORTED_MODULE_0__.object({ id: zod__WEBPACK_IMPORTED_MODULE_0__.number(), payload: zod__WEBPACK_IMPORTED_MODULE_0__.unknown() });
const payloadSchema = zod__WEBPACK_IMPORTED_MODULE_0__.object({ name: zod__WEBPACK_IMPORTED_MODULE_0__.string() });
/** Creates a GitHub Deployment. Nothing is merged, and no other check has to be green for it. */
async function openDeployment(gitHub, { ref, environment, transient, production, description, name }) {
    const { id } = await gitHub.request({
        route: 'POST /repos/{owner}/{repo}/deployments',
        parameters: {
            ref,
            environment,
            description,
            auto_merge: false,
            required_contexts: [],
            transient_environment: transient,
            production_environment: production,
            payload: { name },
        },
        attempted: `create a GitHub Deployment in the environment ${environment}`,
        permission: PERMISSION,
    }, deployment);
    return {
        id,
        async report(state, status) {
            await reportState(gitHub, id, state, status);
        },
    };
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
/** Makes the earlier GitHub Deployments of a preview inactive; gives how many there were. */
async function retireDeployments(gitHub, { environment, name, except }) {
    const listed = gitHub.pages({
        route: 'GET /repos/{owner}/{repo}/deployments',
        parameters: { environment },
        attempted: `list the GitHub Deployments of the environment ${environment}`,
        permission: PERMISSION,
    }, zod__WEBPACK_IMPORTED_MODULE_0__.array(listedDeployment));
    let retired = 0;
    for await (const { id, payload } of listed) {
        if (id === except || payloadOf(payload)?.name !== name)
            continue;
        // Newest first: those before an inactive one were made inactive together with it.
        if (await isInactive(gitHub, id))
            break;
        await reportState(gitHub, id, 'inactive', { description: 'Another one took its place, or it is gone.' });
        retired += 1;
    }
    return retired;
}
/** GitHub hands it back as an object, or as the text of one. */
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
async function isInactive(gitHub, id) {
    const latest = await gitHub.request({
        route: 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
        parameters: { deployment_id: id, per_page: 1 },
        attempted: 'read the state of a GitHub Deployment',
        permission: PERMISSION,
    }, zod__WEBPACK_IMPORTED_MODULE_0__.array(zod__WEBPACK_IMPORTED_MODULE_0__.object({ state: zod__WEBPACK_IMPORTED_MODULE_0__.string() })));
    return latest[0]?.state === 'inactive';
}


/***/ })

};
