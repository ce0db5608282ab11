export const id = 742;
export const ids = [742];
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

/***/ 742:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   compareCommits: () => (/* binding */ compareCommits),
/* harmony export */   readPullRequest: () => (/* binding */ readPullRequest),
/* harmony export */   readPullRequestStates: () => (/* binding */ readPullRequestStates)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4534);
/* harmony import */ var _about_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7583);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3527);



const repository = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ full_name: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }).nullish();
const pullRequest = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    number: zod__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    state: zod__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(['open', 'closed']),
    head: zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ ref: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), sha: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), repo: repository }),
    base: zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ repo: repository }),
});
function toPullRequest({ number, state, head, base }) {
    return {
        number,
        state,
        headRef: head.ref,
        headSha: head.sha,
        /** `owner/name`; `undefined` if the repository was deleted. */
        headRepository: head.repo?.full_name,
        /** Whether head and base are branches of the same repository. */
        sameRepository: head.repo?.full_name.toLowerCase() === base.repo?.full_name.toLowerCase(),
    };
}
/** @throws GitHubError, with status 404 if the repository has no such pull request */
async function readPullRequest(gitHub, number, options) {
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
    const request = { route, parameters: { pull_number: number }, attempted: `read pull request ${number}` };
    const ours = pullRequest.refine((found) => found.number === number && (0,_about_js__WEBPACK_IMPORTED_MODULE_2__/* .equalIgnoringCase */ .E)(found.base.repo?.full_name, gitHub.repository), 'is about another pull request or repository');
    return await gitHub.request({ ...request, ...options }, ours.transform(toPullRequest));
}
/**
 * Reads the states of many pull requests, one request each. The map lacks those that cannot be read.
 * @param onFailure called for each pull request that cannot be read
 * @throws GitHubError if none of them can be read, as without the permission
 */
async function readPullRequestStates(gitHub, numbers, options, onFailure) {
    const states = new Map();
    for (const number of new Set(numbers)) {
        try {
            states.set(number, (await readPullRequest(gitHub, number, options(number))).state);
        }
        catch (thrown) {
            if (!(thrown instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_))
                throw thrown;
            if (thrown.status === 401 || thrown.status === 403)
                throw thrown;
            if (thrown.status === 404)
                states.set(number, 'missing');
            else
                onFailure(thrown);
            // A GitHub that did not answer would delay the run again for each of the others.
            if (thrown.status === undefined)
                return states;
        }
    }
    return states;
}
const commit = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ sha: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() });
const comparison = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    status: zod__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(['ahead', 'behind', 'identical', 'diverged']),
    base_commit: commit,
    merge_base_commit: commit,
});
/** @throws GitHubError, with status 404 if GitHub does not know one of the commits */
async function compareCommits(gitHub, base, head, withinMs) {
    const request = {
        route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
        parameters: { basehead: `${base}...${head}`, per_page: 1 },
        attempted: 'compare two commits',
        permission: 'contents: read',
        withinMs,
    };
    const ours = comparison.refine((found) => isComparisonOf(found, base, head), 'is about other commits');
    return (await gitHub.request(request, ours)).status;
}
function isComparisonOf(found, base, head) {
    const { status, base_commit: first, merge_base_commit: common } = found;
    if (!isCommit(first.sha, base))
        return false;
    switch (status) {
        case 'behind':
            return isCommit(common.sha, head);
        case 'ahead':
        case 'identical':
            return isCommit(common.sha, base);
        case 'diverged':
            return true;
    }
}
/** Only a full hash can be compared: GitHub also takes the start of one, or the name of a branch. */
function isCommit(sha, wanted) {
    return !/^[0-9a-f]{40}$/i.test(wanted) || (0,_about_js__WEBPACK_IMPORTED_MODULE_2__/* .equalIgnoringCase */ .E)(sha, wanted);
}


/***/ })

};
