export const id = 742;
export const ids = [742];
export const modules = {

/***/ 742:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   compareCommits: () => (/* binding */ compareCommits),
/* harmony export */   readPullRequest: () => (/* binding */ readPullRequest),
/* harmony export */   readPullRequestStates: () => (/* binding */ readPullRequestStates)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4362);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3527);


const pullRequest = zod__WEBPACK_IMPORTED_MODULE_1__.object({
    number: zod__WEBPACK_IMPORTED_MODULE_1__.number(),
    state: zod__WEBPACK_IMPORTED_MODULE_1__["enum"](['open', 'closed']),
    head: zod__WEBPACK_IMPORTED_MODULE_1__.object({
        ref: zod__WEBPACK_IMPORTED_MODULE_1__.string(),
        sha: zod__WEBPACK_IMPORTED_MODULE_1__.string(),
        repo: zod__WEBPACK_IMPORTED_MODULE_1__.object({ full_name: zod__WEBPACK_IMPORTED_MODULE_1__.string() }).nullish(),
    }),
    base: zod__WEBPACK_IMPORTED_MODULE_1__.object({ repo: zod__WEBPACK_IMPORTED_MODULE_1__.object({ full_name: zod__WEBPACK_IMPORTED_MODULE_1__.string() }).nullish() }),
});
/** @throws GitHubError, with status 404 when there is no pull request of that number */
async function readPullRequest(gitHub, number, options) {
    const { state, head, base } = await gitHub.request({
        route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
        parameters: { pull_number: number },
        attempted: `read pull request ${number}`,
        ...options,
    }, pullRequest);
    const headRepository = head.repo?.full_name;
    const sameRepository = headRepository?.toLowerCase() === base.repo?.full_name.toLowerCase();
    return { number, state, headRef: head.ref, headSha: head.sha, headRepository, sameRepository };
}
/**
 * The states of many pull requests, one request each. Those that cannot be read are left out and told.
 * @throws GitHubError when none of them can be read, as without the permission
 */
async function readPullRequestStates(gitHub, numbers, options, onTrouble) {
    const states = new Map();
    for (const number of new Set(numbers)) {
        try {
            states.set(number, (await readPullRequest(gitHub, number, options())).state);
        }
        catch (thrown) {
            if (!(thrown instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y))
                throw thrown;
            if (thrown.status === 401 || thrown.status === 403)
                throw thrown;
            if (thrown.status === 404)
                states.set(number, 'missing');
            else
                onTrouble(thrown);
            // It would not answer about the others, either, and each would take its time.
            if (thrown.status === undefined)
                return states;
        }
    }
    return states;
}
/** @throws GitHubError, with status 404 when one of the commits is not known */
async function compareCommits(gitHub, base, head, withinMs) {
    const { status } = await gitHub.request({
        route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
        parameters: { basehead: `${base}...${head}`, per_page: 1 },
        attempted: 'compare two commits',
        permission: 'contents: read',
        withinMs,
    }, zod__WEBPACK_IMPORTED_MODULE_1__.object({ status: zod__WEBPACK_IMPORTED_MODULE_1__["enum"](['ahead', 'behind', 'identical', 'diverged']) }));
    return status;
}


/***/ })

};
