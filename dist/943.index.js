export const id = 943;
export const ids = [943];
export const modules = {

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
