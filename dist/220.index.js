export const id = 220;
export const ids = [220,943];
export const modules = {

/***/ 9220:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   openingOf: () => (/* binding */ openingOf)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_crypto__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4362);
/* harmony import */ var _deployment_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4943);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3527);




function openingOf(options) {
    // In its payload: nobody else's has it.
    const key = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.randomUUID)();
    let isAnswerLost = false;
    let refusal;
    const recover = async (gitHub) => isAnswerLost ? await findByKey(gitHub, options, key) : undefined;
    return {
        recover,
        async open(gitHub) {
            // As for a ref that GitHub does not know: it would say the same again.
            if (refusal !== undefined)
                throw refusal;
            for (let attempt = 1;; attempt++) {
                const made = await recover(gitHub);
                if (made !== undefined)
                    return made;
                try {
                    return await create(gitHub, options, key);
                }
                catch (thrown) {
                    if (isRefusal(thrown))
                        refusal = thrown;
                    if (!mayBeDone(thrown))
                        throw thrown;
                    isAnswerLost = true;
                    if (attempt === ATTEMPTS)
                        throw thrown;
                }
            }
        },
    };
}
/** A creation without an answer is looked for before it is sent again. */
const ATTEMPTS = 2;
/** Nothing is merged, and no other check has to be green for it. */
async function create(gitHub, { ref, environment, transient, production, description, name }, key) {
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
            payload: { name, key },
        },
        attempted: `create a GitHub Deployment in the environment ${environment}`,
        permission: _deployment_js__WEBPACK_IMPORTED_MODULE_1__/* .PERMISSION */ .o,
        once: true,
    }, zod__WEBPACK_IMPORTED_MODULE_3__.object({ id: zod__WEBPACK_IMPORTED_MODULE_3__.number() }));
    return id;
}
async function findByKey(gitHub, { ref, environment }, key) {
    const listed = gitHub.pages({
        route: 'GET /repos/{owner}/{repo}/deployments',
        parameters: { environment, ref },
        attempted: 'look for the GitHub Deployment whose creation got no answer',
        permission: _deployment_js__WEBPACK_IMPORTED_MODULE_1__/* .PERMISSION */ .o,
    }, zod__WEBPACK_IMPORTED_MODULE_3__.array(zod__WEBPACK_IMPORTED_MODULE_3__.object({ id: zod__WEBPACK_IMPORTED_MODULE_3__.number(), payload: zod__WEBPACK_IMPORTED_MODULE_3__.unknown() })));
    for await (const { id, payload } of listed)
        if ((0,_deployment_js__WEBPACK_IMPORTED_MODULE_1__/* .payloadOf */ .M)(payload)?.key === key)
            return id;
    return undefined;
}
function isRefusal(thrown) {
    return thrown instanceof _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .GitHubError */ .y && thrown.status === 422;
}
/** GitHub may have created it, and only its answer did not come. */
function mayBeDone(thrown) {
    return thrown instanceof _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .GitHubError */ .y && (thrown.status === undefined || thrown.status >= 500);
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
