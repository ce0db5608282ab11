export const id = 823;
export const ids = [823];
export const modules = {

/***/ 5823:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   createGitHub: () => (/* binding */ createGitHub)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4362);
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3174);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3527);



/** Per attempt, in milliseconds. */
const ATTEMPT_MS = 15_000;
const PAGE_SIZE = 100;
/** A rate limit that lasts longer than this is not waited for: telling GitHub is not worth holding up a job. */
const LONGEST_WAIT_S = 60;
const viewer = zod__WEBPACK_IMPORTED_MODULE_2__.object({ viewer: zod__WEBPACK_IMPORTED_MODULE_2__.object({ login: zod__WEBPACK_IMPORTED_MODULE_2__.string() }) });
/** Loads octokit, with its own plugins for rate limits and retries. */
async function createGitHub(options) {
    const { owner, repo, signal } = options;
    const octokit = await createOctokit(options);
    const send = async (request, extra) => {
        try {
            signal.throwIfAborted();
            const repository = request.route.includes('{owner}') ? { owner, repo } : {};
            const parameters = { ...repository, ...request.parameters, ...extra };
            const attempt = { signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]) };
            const retries = request.once === true ? { retries: 0 } : {};
            const sending = octokit.request(request.route, { ...parameters, request: { ...attempt, ...retries } });
            const { data } = await untilAborted(sending, signal);
            return data;
        }
        catch (thrown) {
            throw toGitHubError(thrown, request);
        }
    };
    const parse = (request, data, schema) => {
        const parsed = schema.safeParse(data);
        if (parsed.success)
            return parsed.data;
        const message = `could not ${request.attempted}: GitHub's answer is not what its documentation says.`;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y(message, undefined, { cause: parsed.error });
    };
    return {
        async request(request, schema) {
            return parse(request, await send(request, {}), schema);
        },
        async *pages(request, schema) {
            for (let page = 1;; page++) {
                const items = parse(request, await send(request, { per_page: PAGE_SIZE, page }), schema);
                yield* items;
                if (items.length < PAGE_SIZE)
                    return;
            }
        },
        async whoAmI() {
            const request = { attempted: 'ask whose github-token it is', permission: 'contents: read' };
            try {
                const attempt = { signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]) };
                const asking = octokit.graphql('{ viewer { login } }', { request: attempt });
                return viewer.parse(await untilAborted(asking, signal)).viewer.login;
            }
            catch (thrown) {
                throw toGitHubError(thrown, { ...request, route: 'POST /graphql' });
            }
        },
    };
}
async function createOctokit(options) {
    const { token, apiUrl, clock, deadline, onNotice, signal } = options;
    const [{ getOctokit }, { throttling }, { retry }] = await Promise.all([
        __webpack_require__.e(/* import() */ 20).then(__webpack_require__.bind(__webpack_require__, 2020)),
        Promise.all(/* import() */[__webpack_require__.e(133), __webpack_require__.e(398)]).then(__webpack_require__.bind(__webpack_require__, 398)),
        Promise.all(/* import() */[__webpack_require__.e(133), __webpack_require__.e(553)]).then(__webpack_require__.bind(__webpack_require__, 6553)),
    ]);
    const mayWait = (seconds, _request, _octokit, retries) => {
        const fits = retries < 2 && seconds <= LONGEST_WAIT_S && clock.now() + seconds * 1000 < deadline;
        if (fits)
            onNotice(`GitHub limits the rate of requests: trying again in ${Math.ceil(seconds)} s.`);
        return fits;
    };
    const silent = () => undefined;
    const octokit = getOctokit(token, {
        baseUrl: apiUrl,
        userAgent: 'deployment-rollout',
        log: { debug: silent, info: silent, warn: silent, error: silent },
        throttle: { onRateLimit: mayWait, onSecondaryRateLimit: mayWait },
        retry: { retries: 2, doNotRetry: [400, 401, 403, 404, 405, 410, 422, 429, 451] },
    }, throttling, retry);
    // The plugins would try again after a run was cancelled.
    octokit.hook.before('request', () => {
        signal.throwIfAborted();
    });
    return octokit;
}
/** The pauses of octokit's plugins know no signal. */
async function untilAborted(promise, signal) {
    const aborted = Promise.withResolvers();
    const onAbort = () => {
        aborted.reject((0,_clock_js__WEBPACK_IMPORTED_MODULE_0__/* .toError */ .i)(signal.reason));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
        return await Promise.race([promise, aborted.promise]);
    }
    finally {
        signal.removeEventListener('abort', onAbort);
    }
}
function toGitHubError(thrown, { attempted, permission }) {
    const error = (0,_clock_js__WEBPACK_IMPORTED_MODULE_0__/* .toError */ .i)(thrown);
    const status = 'status' in error && typeof error.status === 'number' ? error.status : undefined;
    // octokit counts a broken connection as 500.
    const reached = 'response' in error && error.response !== undefined;
    const known = reached ? status : undefined;
    return new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y((0,_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .explainGitHub */ .$)(attempted, known, said(error, reached), permission), known, {
        cause: thrown,
    });
}
/** GitHub's own words, less the link to its documentation; of a broken connection its cause. */
function said(error, reached) {
    if (error.name === 'TimeoutError' || error.name === 'AbortError')
        return 'no answer in time';
    return reached ? error.message.replace(/ - https?:\/\/\S+$/, '') : error.message;
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
