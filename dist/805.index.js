export const id = 805;
export const ids = [805];
export const modules = {

/***/ 6805:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createGitHub: () => (/* binding */ createGitHub)
});

// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js
var schemas = __webpack_require__(4362);
// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ./github/errors.ts
var errors = __webpack_require__(3527);
;// CONCATENATED MODULE: ./github/explain.ts



/** What octokit throws when there was an answer; it counts a broken connection as 500, without one. */
const answered = schemas.object({
    status: schemas.number(),
    response: schemas.object({ headers: schemas.record(schemas.string(), schemas.unknown()) }),
});
/** Whatever octokit throws, as one of our own. GitHub's words are hostile until the report has escaped them. */
function toGitHubError(thrown, asked, wallTime) {
    const error = (0,clock/* toError */.i)(thrown);
    const answer = answered.safeParse(thrown).data;
    const said = answer === undefined ? trouble(error) : error.message.replace(/ - https?:\/\/\S+$/, '');
    const words = said === '' ? '' : ` (${said.slice(0, 200)})`;
    const limit = answer === undefined ? undefined : limitOf(answer, said, wallTime);
    const status = limit === undefined ? answer?.status : 429;
    const why = limit === undefined ? explain(status, words, asked.permission) : `${limit}${words}.`;
    const lacks = status === 401 ? 'github-token' : status === 403 && !isLocked(said) ? asked.permission : undefined;
    return new errors/* GitHubError */.y(`could not ${asked.attempted}: ${why}`, status, { cause: thrown, lacks });
}
/** As of a conversation, which GitHub answers like a missing permission. */
function isLocked(said) {
    return /\bis locked\b/.test(said);
}
/** octokit keeps what really went wrong as the cause. */
function trouble(error) {
    const names = [error.name, (0,clock/* toError */.i)(error.cause).name];
    return names.some((name) => /^(?:Timeout|Abort)Error$/.test(name)) ? 'no answer in time' : error.message;
}
function explain(status, words, permission) {
    switch (status) {
        case 401:
            return `GitHub does not accept github-token${words}.`;
        case 403:
            if (isLocked(words))
                return `its conversation is locked${words}.`;
            return `GitHub refuses it${words}. Grant the job the permission "${permission}".`;
        case 404:
        case 405:
        case 410:
            return `GitHub answered HTTP ${status}${words}. Grant the job the permission "${permission}", and check that this GitHub has that route.`;
        case undefined:
            return `GitHub cannot be reached${words}.`;
        default:
            return `GitHub answered HTTP ${status}${words}.`;
    }
}
/** GitHub answers 403 for most of its rate limits, as it does for a missing permission. */
function limitOf({ status, response: { headers } }, said, wallTime) {
    const isSpent = headers['x-ratelimit-remaining'] === '0';
    const pause = numberIn(headers['retry-after']);
    const isLimit = isSpent || 'retry-after' in headers || /rate limit/i.test(said);
    if (status !== 429 && !(status === 403 && isLimit))
        return undefined;
    const reset = isSpent ? numberIn(headers['x-ratelimit-reset']) : undefined;
    const until = pause === undefined ? (reset ?? 0) * 1000 : wallTime + pause * 1000;
    const when = until === 0 ? '' : ` until ${new Date(until).toISOString().slice(11, 16)} UTC`;
    return `GitHub limits the rate of requests${when}`;
}
/** Of seconds; nothing for what no calendar holds. */
function numberIn(header) {
    return typeof header === 'string' && /^\d{1,11}$/.test(header) ? Number(header) : undefined;
}

;// CONCATENATED MODULE: ./github/client.ts




const ATTEMPT_MS = 15_000;
const PAGE_SIZE = 100;
/** A rate limit that lasts longer than this is not waited for: telling GitHub is not worth holding up a job. */
const LONGEST_WAIT_S = 60;
const viewer = schemas.object({ viewer: schemas.object({ login: schemas.string() }) });
/** Loads octokit, with its own plugins for rate limits and retries. */
async function createGitHub(options) {
    const { owner, repo, signal, clock } = options;
    const octokit = await createOctokit(options);
    const send = async (request, extra) => {
        try {
            signal.throwIfAborted();
            const repository = request.route.includes('{owner}') ? { owner, repo } : {};
            const parameters = { ...repository, ...request.parameters, ...extra };
            const { once = false, withinMs } = request;
            const within = withinMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
            const sending = octokit.request(request.route, {
                ...parameters,
                request: { within, ...(once ? { retries: 0 } : {}) },
            });
            const { data } = await untilAborted(sending, within);
            return data;
        }
        catch (thrown) {
            throw toGitHubError(thrown, request, clock.wallTime());
        }
    };
    const parse = (request, data, schema) => {
        const parsed = schema.safeParse(data);
        if (parsed.success)
            return parsed.data;
        const message = `could not ${request.attempted}: GitHub's answer is not what its documentation says.`;
        throw new errors/* GitHubError */.y(message, undefined, { cause: parsed.error });
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
                const asking = octokit.graphql('{ viewer { login } }');
                return viewer.parse(await untilAborted(asking, signal)).viewer.login;
            }
            catch (thrown) {
                throw toGitHubError(thrown, request, clock.wallTime());
            }
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
    // The innermost of the plugins: the pauses of the others are no part of an attempt.
    ({ hook }) => {
        hook.wrap('request', async (send, request) => {
            const within = schemas["instanceof"](AbortSignal).catch(signal).parse(request.request['within']);
            const attempt = AbortSignal.any([within, AbortSignal.timeout(attemptMs)]);
            attempt.throwIfAborted();
            // What is handed on is this very object, whatever is given to send.
            request.request.signal = attempt;
            try {
                return await send(request);
            }
            catch (thrown) {
                // Who did not answer in time would hardly do so now, and who was told to stop must not try again.
                if (attempt.aborted)
                    request.request['retries'] = 0;
                throw thrown;
            }
        });
    }, throttling, retry);
}
/** The pauses of octokit's plugins know no signal. */
async function untilAborted(promise, signal) {
    const aborted = Promise.withResolvers();
    const onAbort = () => {
        aborted.reject((0,clock/* toError */.i)(signal.reason));
    };
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
