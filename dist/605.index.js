export const id = 605;
export const ids = [605];
export const modules = {

/***/ 2605:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createGitHub: () => (/* binding */ createGitHub)
});

// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 17 modules
var schemas = __webpack_require__(4534);
// EXTERNAL MODULE: ./clock.ts
var clock_0 = __webpack_require__(3174);
// EXTERNAL MODULE: ./http/limits.ts
var limits = __webpack_require__(1573);
// EXTERNAL MODULE: ./http/unusable.ts
var unusable = __webpack_require__(7002);
// EXTERNAL MODULE: ./github/errors.ts
var errors = __webpack_require__(3527);
;// CONCATENATED MODULE: ./github/explain.ts




/** What octokit throws after a response. It reports a broken connection as 500, without a response. */
const answered = schemas/* object */.Ikc({ status: schemas/* number */.aig(), response: schemas/* object */.Ikc({ headers: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()) }) });
/** Converts what octokit throws. The message quotes GitHub, so that the report must escape it. */
function toGitHubError(thrown, request, wallTime) {
    const error = (0,clock_0/* toError */.i)(thrown);
    if (error.cause instanceof unusable/* UnusableAnswerError */.q) {
        const message = `could not ${request.attempted}: GitHub answered with ${error.cause.message}.`;
        return new errors/* GitHubError */.y_(message, undefined, { cause: thrown });
    }
    const answer = answered.safeParse(thrown).data;
    const reason = answer === undefined ? causeOf(error) : error.message.replace(/ - https?:\/\/\S+$/, '');
    const quote = reason === '' ? '' : ` (${firstWords(reason)})`;
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
    const names = [error.name, (0,clock_0/* toError */.i)(error.cause).name];
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
/** Cuts at a blank, as half a secret could not be recognised. */
function firstWords(text) {
    return text.length <= 200 ? text : `${text.slice(0, 200).replace(/\S*$/, '')}…`;
}

// EXTERNAL MODULE: ./http/agents.ts
var agents = __webpack_require__(2635);
// EXTERNAL MODULE: ./http/body.ts
var http_body = __webpack_require__(2809);
// EXTERNAL MODULE: ./http/json.ts
var json = __webpack_require__(9159);
// EXTERNAL MODULE: ./http/send.ts
var send = __webpack_require__(1339);
;// CONCATENATED MODULE: ./github/fetch.ts






const MAX_REDIRECTS = 3;
/** GitHub moves the routes of a renamed repository, and asks to repeat the request as it is. */
const REDIRECTS = new Set([301, 302, 307, 308]);
/** Returns a `fetch` for octokit that keeps the limits of every answer. It follows redirects within the origin only. */
function openFetch() {
    // As for the control plane: a write gets its own connection.
    const reads = (0,agents/* openAgents */.J)({ keepAlive: true });
    const writes = (0,agents/* openAgents */.J)({ keepAlive: false });
    return async (address, options) => {
        const agents = options.method === 'GET' ? reads : writes;
        let url = new URL(address);
        for (let hop = 0;; hop++) {
            const message = await fetch_send(url, options, agents(url));
            const { statusCode: status = 0, headers } = message;
            if (!REDIRECTS.has(status))
                return await toResponse(message, url);
            message.destroy();
            const next = URL.parse(headers.location ?? '', url.href);
            if (next?.origin !== url.origin || hop === MAX_REDIRECTS)
                throw new unusable/* UnusableAnswerError */.q(`HTTP ${status}, a redirect that is not followed`);
            url = next;
        }
    };
}
async function fetch_send(url, options, agent) {
    const { method, headers, body = '', signal } = options;
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = (0,send/* openRequest */.G)(url, { method, headers: { ...headers, ...length }, agent, signal });
    request.end(body);
    return await (0,send/* answerTo */.o)(request, signal);
}
async function toResponse(message, url) {
    const { body } = await (0,http_body/* readText */.y)(message);
    if ((0,json/* isBloated */.c1)(body, limits/* MAX_VALUES */.Ex))
        throw new unusable/* UnusableAnswerError */.q('JSON that has far too many values, or is nested far too deeply');
    const headers = new Headers();
    for (const [name, value] of Object.entries(message.headers))
        if (typeof value === 'string')
            headers.set(name, value);
    return {
        status: message.statusCode ?? 0,
        url: url.href,
        headers,
        text: async () => await Promise.resolve(body),
        arrayBuffer: async () => await Promise.resolve(new ArrayBuffer(0)),
    };
}

;// CONCATENATED MODULE: ./github/client.ts







const ATTEMPT_MS = 15_000;
const MAX_PAGE_SIZE = 100;
/** A cache may answer about something else: such a response is requested again so often, after a pause. */
const WRONG_ANSWERS = 2;
const WRONG_ANSWER_PAUSE_MS = 500;
/** A longer rate limit is not waited for: a comment is not worth the delay of a job. */
const LONGEST_WAIT_S = 60;
const viewer = schemas/* object */.Ikc({ viewer: schemas/* object */.Ikc({ login: schemas/* string */.YjP() }) });
/** Loads octokit with its plugins for rate limits and retries. */
async function createGitHub(options) {
    const { owner, repo, signal, clock } = options;
    const octokit = await createOctokit(options);
    const attempt = async (request, send, schema, within = signal) => {
        for (let left = request.once === true ? 0 : WRONG_ANSWERS;; left--) {
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
            const isAbout = parsed.error.issues.find(({ code }) => code === 'custom')?.message;
            const message = `could not ${request.attempted}: GitHub's response ${isAbout ?? 'does not match its documentation'}.`;
            const error = new errors/* GitHubError */.y_(message, isAbout === undefined ? undefined : 200, { cause: parsed.error });
            if (isAbout === undefined || left === 0)
                throw error;
            await untilAborted(clock.sleep(WRONG_ANSWER_PAUSE_MS, signal), within).catch(() => {
                throw error;
            });
        }
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
        repository: `${owner}/${repo}`,
        request: send,
        async *pages(request, schema) {
            const { attempted, pageSize = MAX_PAGE_SIZE } = request;
            for (let page = 1; (page - 1) * pageSize < limits/* MAX_ENTRIES */.Sd; page++) {
                const items = await send(request, schema, { per_page: pageSize, page });
                yield* items;
                if (items.length < pageSize)
                    return;
            }
            throw new errors/* GitHubError */.y_(`could not ${attempted}: the list has more than ${limits/* MAX_ENTRIES */.Sd} entries.`, undefined);
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
        request: { fetch: openFetch() },
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
                if (attempt.aborted || (0,clock_0/* toError */.i)(thrown).cause instanceof unusable/* UnusableAnswerError */.q)
                    request.request['retries'] = 0;
                throw thrown;
            }
        });
    }, throttling, retry);
}
/** The pauses of octokit's plugins do not listen to a signal. */
async function untilAborted(promise, signal) {
    const aborted = Promise.withResolvers();
    const onAbort = () => aborted.reject((0,clock_0/* toError */.i)(signal.reason));
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
