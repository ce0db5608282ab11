export const id = 983;
export const ids = [983];
export const modules = {

/***/ 9983:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   openStickyComment: () => (/* binding */ openStickyComment)
/* harmony export */ });
/* unused harmony exports MAX_COMMENT, markerOf */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_crypto__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4362);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3527);



/** No more than one update in so many milliseconds. */
const PACE_MS = 15_000;
/** GitHub's limit of a comment, in characters. */
const MAX_COMMENT = 65_536;
const CUT = '\n\n… (cut, as the comment would be too long)';
const PERMISSION = 'pull-requests: write';
const comment = zod__WEBPACK_IMPORTED_MODULE_2__.object({
    id: zod__WEBPACK_IMPORTED_MODULE_2__.number(),
    body: zod__WEBPACK_IMPORTED_MODULE_2__.string().nullish(),
    user: zod__WEBPACK_IMPORTED_MODULE_2__.object({ login: zod__WEBPACK_IMPORTED_MODULE_2__.string(), type: zod__WEBPACK_IMPORTED_MODULE_2__.string().nullish() }).nullish(),
});
/** Opens the one comment of a deployment on a pull request. Nothing is read or written before the first text. */
function openStickyComment(gitHub, options) {
    const { issue, deploymentName, clock } = options;
    const marker = markerOf(deploymentName);
    let id;
    let hasLooked = false;
    let written;
    let writtenAt = Number.NEGATIVE_INFINITY;
    const write = async (markdown, onlyIfThere) => {
        const body = bodyOf(marker, markdown);
        if (body === written)
            return;
        if (!hasLooked)
            id = await findOurs(gitHub, issue, marker);
        hasLooked = true;
        if (id !== undefined)
            id = await update(gitHub, id, body);
        if (id === undefined && !onlyIfThere)
            id = await create(gitHub, issue, body);
        written = body;
        writtenAt = clock.now();
    };
    return {
        async show(markdown) {
            if (clock.now() - writtenAt >= PACE_MS)
                await write(markdown, false);
        },
        async finish(markdown, { onlyIfThere } = { onlyIfThere: false }) {
            await write(markdown, onlyIfThere);
        },
    };
}
/** A comment in HTML that nobody sees. A name may hold anything, so that its hash stands for it. */
function markerOf(deploymentName) {
    const hash = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(deploymentName).digest('hex').slice(0, 32);
    return `<!-- deployment-rollout:${hash} -->`;
}
/** The marker goes first, so that it survives the cut. */
function bodyOf(marker, markdown) {
    const whole = `${marker}\n${markdown}`;
    if (whole.length <= MAX_COMMENT)
        return whole;
    // A code block that the cut leaves open would swallow the note.
    const room = MAX_COMMENT - CUT.length - '\n````````'.length;
    const kept = whole.slice(0, room).toWellFormed();
    const fence = openFence(kept);
    return `${kept}${fence === undefined ? '' : `\n${fence}`}${CUT}`;
}
function openFence(markdown) {
    let open;
    for (const [, fence = ''] of markdown.matchAll(/^(`{3,8})/gm)) {
        if (open === undefined)
            open = fence;
        else if (fence.length >= open.length)
            open = undefined;
    }
    return open;
}
/** The oldest comment that begins with our marker and that we wrote: anybody may write a marker. */
async function findOurs(gitHub, issue, marker) {
    const isOurs = await knowOurselves(gitHub);
    const comments = gitHub.pages({
        route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
        parameters: { issue_number: issue },
        attempted: `look for the comment on pull request ${issue}`,
        permission: PERMISSION,
    }, zod__WEBPACK_IMPORTED_MODULE_2__.array(comment));
    for await (const candidate of comments)
        if (candidate.body?.startsWith(marker) === true && isOurs(candidate))
            return candidate.id;
    return undefined;
}
/** Whoever a job's own token writes as. */
const JOB_BOT = 'github-actions[bot]';
/** Tells our comments from those of others. People cannot write as a bot, nor bots as people. */
async function knowOurselves(gitHub) {
    const ours = (await askWhoWeAre(gitHub)).toLowerCase();
    return ({ user }) => user?.login.toLowerCase() === ours;
}
/** Where nobody tells, it is the token of the job. */
async function askWhoWeAre(gitHub) {
    const request = { route: 'GET /user', attempted: 'ask whose github-token it is', permission: PERMISSION };
    try {
        return (await gitHub.request(request, zod__WEBPACK_IMPORTED_MODULE_2__.object({ login: zod__WEBPACK_IMPORTED_MODULE_2__.string() }))).login;
    }
    catch (thrown) {
        // Only a person's token may ask this.
        if (!isRefused(thrown))
            throw thrown;
    }
    try {
        return await gitHub.whoAmI();
    }
    catch (thrown) {
        if (!(thrown instanceof _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y))
            throw thrown;
        return JOB_BOT;
    }
}
function isRefused(thrown) {
    return thrown instanceof _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y && (thrown.status === 403 || thrown.status === 404);
}
/** Nothing when it is gone: somebody deleted it by hand. */
async function update(gitHub, id, body) {
    const request = {
        route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
        parameters: { comment_id: id, body },
        attempted: 'update the comment',
        permission: PERMISSION,
    };
    try {
        await gitHub.request(request, zod__WEBPACK_IMPORTED_MODULE_2__.unknown());
        return id;
    }
    catch (thrown) {
        if (thrown instanceof _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y && (thrown.status === 404 || thrown.status === 410))
            return undefined;
        throw thrown;
    }
}
async function create(gitHub, issue, body) {
    const request = {
        route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
        parameters: { issue_number: issue, body },
        attempted: `write the comment on pull request ${issue}`,
        permission: PERMISSION,
    };
    const { id } = await gitHub.request(request, comment);
    return id;
}


/***/ }),

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


/***/ })

};
