export const id = 805;
export const ids = [805];
export const modules = {

/***/ 6805:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createGitHub: () => (/* binding */ createGitHub)
});

// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 17 modules
var schemas = __webpack_require__(4534);
// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ./github/errors.ts
var errors = __webpack_require__(3527);
;// CONCATENATED MODULE: ./github/explain.ts



/** What octokit throws after a response. It reports a broken connection as 500, without a response. */
const answered = schemas/* object */.Ikc({ status: schemas/* number */.aig(), response: schemas/* object */.Ikc({ headers: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()) }) });
/** Converts what octokit throws. The message quotes GitHub, so that the report must escape it. */
function toGitHubError(thrown, request, wallTime) {
    const error = (0,clock/* toError */.i)(thrown);
    const answer = answered.safeParse(thrown).data;
    const reason = answer === undefined ? causeOf(error) : error.message.replace(/ - https?:\/\/\S+$/, '');
    const quote = reason === '' ? '' : ` (${reason.slice(0, 200)})`;
    const limit = answer === undefined ? undefined : limitOf(answer, reason, wallTime);
    const status = limit === undefined ? answer?.status : 429;
    const why = limit === undefined ? explain(status, quote, request.permission) : `${limit}${quote}.`;
    const lacks = status === 401 ? 'github-token' : status === 403 && !isLocked(reason) ? request.permission : undefined;
    return new errors/* GitHubError */.y_(`could not ${request.attempted}: ${why}`, status, { cause: thrown, lacks });
}
/** GitHub answers 403 for a locked conversation, as it does for a missing permission. */
function isLocked(reason) {
    return /\bis locked\b/.test(reason);
}
/** octokit keeps the original error as the cause. */
function causeOf(error) {
    const names = [error.name, (0,clock/* toError */.i)(error.cause).name];
    return names.some((name) => /^(?:Timeout|Abort)Error$/.test(name)) ? 'no answer in time' : error.message;
}
function explain(status, quote, permission) {
    switch (status) {
        case 401:
            return `GitHub does not accept github-token${quote}.`;
        case 403:
            if (isLocked(quote))
                return `its conversation is locked${quote}.`;
            return `GitHub refused it${quote}. Grant the job the permission "${permission}".`;
        case 404:
        case 405:
        case 410:
            return `GitHub answered HTTP ${status}${quote}. Grant the job the permission "${permission}", and check that this GitHub server has the route.`;
        case undefined:
            return `GitHub cannot be reached${quote}.`;
        default:
            return `GitHub answered HTTP ${status}${quote}.`;
    }
}
/** GitHub answers 403 for most of its rate limits, as it does for a missing permission. */
function limitOf({ status, response: { headers } }, reason, wallTime) {
    const isSpent = headers['x-ratelimit-remaining'] === '0';
    const pause = numberIn(headers['retry-after']);
    const isLimit = isSpent || 'retry-after' in headers || /rate limit/i.test(reason);
    if (status !== 429 && !(status === 403 && isLimit))
        return undefined;
    const reset = isSpent ? numberIn(headers['x-ratelimit-reset']) : undefined;
    const until = pause === undefined ? (reset ?? 0) * 1000 : wallTime + pause * 1000;
    const when = until === 0 ? '' : ` until ${new Date(until).toISOString().slice(11, 16)} UTC`;
    return `GitHub limits the rate of requests${when}`;
}
/** Seconds; `undefined` if they exceed every calendar. */
function numberIn(header) {
    return typeof header === 'string' && /^\d{1,11}$/.test(header) ? Number(header) : undefined;
}

;// CONCATENATED MODULE: ./github/client.ts




const ATTEMPT_MS = 15_000;
const PAGE_SIZE = 100;
/** A longer rate limit is not waited for: a comment is not worth the delay of a job. */
const LONGEST_WAIT_S = 60;
const viewer = schemas/* object */.Ikc({ viewer: schemas/* object */.Ikc({ login: schemas/* string */.YjP() }) });
/** Loads octokit with its plugins for rate limits and retries. */
async function createGitHub(options) {
    const { owner, repo, signal, clock } = options;
    const octokit = await createOctokit(options);
    const attempt = async (request, send, schema, within = signal) => {
        let data;
        try {
            signal.throwIfAborted();
            data = await untilAborted(send(), within);
        }
        catch (thrown) {
            throw toGitHubError(thrown, request, clock.wallTime());
        }
        const parsed = schema.safeParse(data);
        if (parsed.success)
            return parsed.data;
        const message = `could not ${request.attempted}: GitHub's response does not match its documentation.`;
        throw new errors/* GitHubError */.y_(message, undefined, { cause: parsed.error });
    };
    const send = async (request, schema, page = {}) => {
        const { route, once = false, withinMs } = request;
        const repository = route.includes('{owner}') ? { owner, repo } : {};
        const parameters = { ...repository, ...request.parameters, ...page };
        const within = withinMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
        const limits = { within, ...(once ? { retries: 0 } : {}) };
        const ask = async () => (await octokit.request(route, { ...parameters, request: limits })).data;
        return await attempt(request, ask, schema, within);
    };
    return {
        request: send,
        async *pages(request, schema) {
            for (let page = 1;; page++) {
                const items = await send(request, schema, { per_page: PAGE_SIZE, page });
                yield* items;
                if (items.length < PAGE_SIZE)
                    return;
            }
        },
        async whoAmI() {
            const request = { attempted: 'read the login of github-token', permission: 'contents: read' };
            const ask = async () => await octokit.graphql('{ viewer { login } }');
            return (await attempt(request, ask, viewer)).viewer.login;
        },
    };
}
async function createOctokit(options) {
    const { token, apiUrl, clock, deadline, onNotice, signal, attemptMs = ATTEMPT_MS } = options;
    const [{ getOctokit }, { throttling }, { retry }] = await Promise.all([
        __webpack_require__.e(/* import() */ 20).then(__webpack_require__.bind(__webpack_require__, 2020)),
        Promise.all(/* import() */[__webpack_require__.e(133), __webpack_require__.e(398)]).then(__webpack_require__.bind(__webpack_require__, 398)),
        Promise.all(/* import() */[__webpack_require__.e(133), __webpack_require__.e(553)]).then(__webpack_require__.bind(__webpack_require__, 6553)),
    ]);
    const mayWait = (seconds, _request, _octokit, retries) => {
        const fits = retries < 2 && seconds <= LONGEST_WAIT_S && clock.now() + seconds * 1000 < deadline();
        if (fits)
            onNotice(`GitHub limits the rate of requests: trying again in ${Math.ceil(seconds)} s.`);
        return fits;
    };
    const silent = () => undefined;
    return getOctokit(token, {
        baseUrl: apiUrl,
        userAgent: 'deployment-rollout',
        log: { debug: silent, info: silent, warn: silent, error: silent },
        throttle: { onRateLimit: mayWait, onSecondaryRateLimit: mayWait },
        retry: { retries: 2, doNotRetry: [400, 401, 403, 404, 405, 410, 422, 429, 451] },
    }, 
    // The innermost plugin: the pauses of the others do not count as part of an attempt.
    ({ hook }) => {
        hook.wrap('request', async (send, request) => {
            const within = schemas/* instanceof */.Nlp(AbortSignal).catch(signal).parse(request.request['within']);
            const attempt = AbortSignal.any([within, AbortSignal.timeout(attemptMs)]);
            attempt.throwIfAborted();
            // octokit sends this object, not the argument of send().
            request.request.signal = attempt;
            try {
                return await send(request);
            }
            catch (thrown) {
                // After a timeout a retry would hardly succeed; after an abort it must not happen.
                if (attempt.aborted)
                    request.request['retries'] = 0;
                throw thrown;
            }
        });
    }, throttling, retry);
}
/** The pauses of octokit's plugins do not listen to a signal. */
async function untilAborted(promise, signal) {
    const aborted = Promise.withResolvers();
    const onAbort = () => aborted.reject((0,clock/* toError */.i)(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    try {
        return await Promise.race([promise, aborted.promise]);
    }
    finally {
        signal.removeEventListener('abort', onAbort);
    }
}


/***/ })

};
