export const id = 742;
export const ids = [742];
export const modules = {

/***/ 3527:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ explainGitHub),
/* harmony export */   y: () => (/* binding */ GitHubError)
/* harmony export */ });
/** GitHub did not do what it was asked: a sentence for people, with the permission to grant where one is missing. */
class GitHubError extends Error {
    status;
    constructor(message, status, options) {
        super(message, options);
        this.name = 'GitHubError';
        this.status = status;
    }
}
/**
 * Says what GitHub's answer means.
 * @param attempted as in "write the comment"
 * @param said GitHub's own words; hostile until the report has escaped them
 */
function explainGitHub(attempted, status, said, permission) {
    const could = `could not ${attempted}`;
    const words = said === '' ? '' : ` (${said.slice(0, 200)})`;
    switch (status) {
        case 401:
            return `${could}: GitHub does not accept github-token${words}.`;
        case 403:
            return `${could}: GitHub refuses it${words}. Grant the job the permission "${permission}".`;
        case 404:
        case 405:
        case 410:
            return `${could}: GitHub answered HTTP ${status}${words}. Grant the job the permission "${permission}", and check that this GitHub has that route.`;
        case 429:
            return `${could}: GitHub limits the rate of requests${words}.`;
        case undefined:
            return `${could}: GitHub cannot be reached${words}.`;
        default:
            return `${could}: GitHub answered HTTP ${status}${words}.`;
    }
}


/***/ }),

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
async function readPullRequest(gitHub, number) {
    const { state, head, base } = await gitHub.request({
        route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
        parameters: { pull_number: number },
        attempted: `read pull request ${number}`,
        permission: 'pull-requests: read',
    }, pullRequest);
    const headRepository = head.repo?.full_name;
    const sameRepository = headRepository?.toLowerCase() === base.repo?.full_name.toLowerCase();
    return { number, state, headRef: head.ref, headSha: head.sha, headRepository, sameRepository };
}
/**
 * The states of many pull requests, one request each. Those that cannot be read are left out and told.
 * @throws GitHubError when none of them can be read, as without the permission
 */
async function readPullRequestStates(gitHub, numbers, onTrouble) {
    const states = new Map();
    for (const number of new Set(numbers)) {
        try {
            states.set(number, (await readPullRequest(gitHub, number)).state);
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
        }
    }
    return states;
}
/** @throws GitHubError, with status 404 when one of the commits is not known */
async function compareCommits(gitHub, base, head) {
    const { status } = await gitHub.request({
        route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
        parameters: { basehead: `${base}...${head}`, per_page: 1 },
        attempted: 'compare two commits',
        permission: 'contents: read',
    }, zod__WEBPACK_IMPORTED_MODULE_1__.object({ status: zod__WEBPACK_IMPORTED_MODULE_1__["enum"](['ahead', 'behind', 'identical', 'diverged']) }));
    return status;
}


/***/ })

};
