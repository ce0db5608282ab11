export const id = 97;
export const ids = [97];
export const modules = {

/***/ 6097:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createGitHub: () => (/* binding */ createGitHub)
});

// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 17 modules
var schemas = __webpack_require__(4534);
// EXTERNAL MODULE: ./http/limits.ts
var limits = __webpack_require__(1573);
// EXTERNAL MODULE: ./github/errors.ts
var errors = __webpack_require__(3527);
// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ./http/unusable.ts
var unusable = __webpack_require__(7002);
;// CONCATENATED MODULE: ./github/rate-limit.ts

/** What octokit throws after a response. It reports a broken connection as 500, without a response. */
const answered = schemas/* object */.Ikc({
    status: schemas/* number */.aig(),
    message: schemas/* string */.YjP().catch(''),
    response: schemas/* object */.Ikc({ headers: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()) }),
});
/**
 * The rate limit in an answer of GitHub, if that is why it refused: it answers 403 for most of them, as it does for a
 * missing permission.
 * @param wallTime milliseconds since the epoch
 */
function rateLimitIn(thrown, wallTime) {
    const answer = answered.safeParse(thrown).data;
    if (answer === undefined)
        return undefined;
    const { status, message } = answer;
    const { headers } = answer.response;
    const isSpent = headers['x-ratelimit-remaining'] === '0';
    const isLimit = isSpent || 'retry-after' in headers || /rate limit/i.test(message);
    if (status !== 429 && !(status === 403 && isLimit))
        return undefined;
    const pause = numberIn(headers['retry-after']);
    if (pause !== undefined)
        return { until: wallTime + pause * 1000 };
    const reset = isSpent ? numberIn(headers['x-ratelimit-reset']) : undefined;
    return { until: reset === undefined ? undefined : reset * 1000 };
}
/** Seconds; `undefined` if they exceed every calendar. */
function numberIn(header) {
    return typeof header === 'string' && /^\d{1,11}$/.test(header) ? Number(header) : undefined;
}

;// CONCATENATED MODULE: ./github/explain.ts




/** Converts what octokit throws. The message quotes GitHub, so that the report must escape it. */
function toGitHubError(thrown, request, wallTime) {
    const error = (0,clock/* toError */.i)(thrown);
    if (error.cause instanceof unusable/* UnusableAnswerError */.q) {
        const message = `could not ${request.attempted}: GitHub answered with ${error.cause.message}.`;
        return new errors/* GitHubError */.y_(message, undefined, { cause: thrown });
    }
    const answer = answered.safeParse(thrown).data;
    const reason = answer === undefined ? causeOf(error) : error.message.replace(/ - https?:\/\/\S+$/, '');
    const quote = reason === '' ? '' : ` (${firstWords(reason)})`;
    const limit = rateLimitIn(thrown, wallTime);
    const status = limit === undefined ? answer?.status : 429;
    const why = limit === undefined ? explain(status, quote, request.permission) : `${nameOf(limit)}${quote}.`;
    const lacks = status === 401 ? 'github-token' : status === 403 && !isLocked(reason) ? request.permission : undefined;
    return new errors/* GitHubError */.y_(`could not ${request.attempted}: ${why}`, status, { cause: thrown, lacks });
}
/** For a request that is not sent, as GitHub has refused another one until a later moment. */
function limitError({ attempted }, limit) {
    return new errors/* GitHubError */.y_(`could not ${attempted}: ${nameOf(limit)}.`, 429);
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
function nameOf({ until }) {
    const when = until === undefined ? '' : ` until ${new Date(until).toISOString().slice(11, 16)} UTC`;
    return `GitHub limits the rate of requests${when}`;
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
    const request = (0,send/* openRequest */.Gh)(url, { method, headers: { ...headers, ...length }, agent, signal });
    request.end(body);
    return await (0,send/* answerTo */.oy)(request, signal);
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

;// CONCATENATED MODULE: ./github/pace.ts
/** So many writes of a run need no pause: a rollout sends about ten. */
const FREE_WRITES = 20;
/** GitHub asks those who write much for a pause of a second, and takes 80 writes a minute: 20 and then 60. */
const PAUSE_MS = 1_000;
/**
 * Spaces the writes of a run that writes much, such as a cleanup of many previews.
 * @returns a function that counts a write at a monotonic time, and returns the pause before it; both in milliseconds
 */
function createPace() {
    let next = Number.NEGATIVE_INFINITY;
    return (now) => {
        next = Math.max(next + PAUSE_MS, now - (FREE_WRITES - 1) * PAUSE_MS);
        return Math.max(0, next - now);
    };
}

;// CONCATENATED MODULE: ./github/retry.ts




/** octokit gives a broken connection the status 500. */
const failed = schemas/* object */.Ikc({ status: schemas/* number */.aig().min(500) });
/**
 * Whether what an attempt threw is worth another one.
 * @param isAborted after a timeout a retry would hardly succeed; after an abort it must not happen
 * @param wallTime milliseconds since the epoch
 */
function retryAfter(thrown, isAborted, wallTime) {
    const limit = rateLimitIn(thrown, wallTime);
    if (limit !== undefined)
        return limit.until === undefined ? { kind: 'never' } : { kind: 'rate-limit', until: limit.until };
    if (isAborted || (0,clock/* toError */.i)(thrown).cause instanceof unusable/* UnusableAnswerError */.q)
        return { kind: 'never' };
    return failed.safeParse(thrown).success ? { kind: 'failure' } : { kind: 'never' };
}
const MAX_ATTEMPTS = 3;
/** A longer rate limit is not waited for: a comment is not worth the delay of a job. */
const LONGEST_WAIT_MS = 60_000;
const WRONG_ANSWER_PAUSE_MS = 500;
const FAILURE_PAUSE_MS = 1_000;
/** Whether a request waits for the end of a rate limit. Both in milliseconds. */
function isShortLimit(pauseMs, roomMs) {
    return pauseMs <= LONGEST_WAIT_MS && pauseMs < roomMs;
}
/** The pause before the next attempt in milliseconds. `undefined`: there is none. */
function pauseBefore(retry, { attempts, once, roomMs, wallTime }) {
    if (attempts >= MAX_ATTEMPTS)
        return undefined;
    switch (retry.kind) {
        case 'never':
            return undefined;
        case 'rate-limit': {
            const pauseMs = Math.max(0, retry.until - wallTime);
            return isShortLimit(pauseMs, roomMs) ? pauseMs : undefined;
        }
        case 'failure':
            return once ? undefined : FAILURE_PAUSE_MS * attempts ** 2;
        case 'wrong-answer':
            return once ? undefined : WRONG_ANSWER_PAUSE_MS;
    }
}

;// CONCATENATED MODULE: ./github/client.ts







const ATTEMPT_MS = 15_000;
const MAX_PAGE_SIZE = 100;
const viewer = schemas/* object */.Ikc({ viewer: schemas/* object */.Ikc({ login: schemas/* string */.YjP() }) });
/** Loads octokit. */
async function createGitHub(options) {
    const { token, apiUrl, owner, repo, signal, clock, deadline, onNotice, attemptMs = ATTEMPT_MS } = options;
    const { getOctokit } = await __webpack_require__.e(/* import() */ 75).then(__webpack_require__.bind(__webpack_require__, 1075));
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const settings = { baseUrl: apiUrl, request: { fetch: openFetch() }, userAgent: 'deployment-rollout', log };
    const octokit = getOctokit(token, settings);
    const paceBefore = createPace();
    /** What GitHub has refused until a moment, in monotonic milliseconds: a request before that would prolong it. */
    let limited;
    const attempt = async (request, ask, schema, within) => {
        const ended = AbortSignal.any([within, AbortSignal.timeout(attemptMs)]);
        let data;
        try {
            ended.throwIfAborted();
            data = await ask(ended);
        }
        catch (thrown) {
            const error = toGitHubError(thrown, request, clock.wallTime());
            return { isDone: false, error, retry: retryAfter(thrown, ended.aborted, clock.wallTime()) };
        }
        const parsed = schema.safeParse(data);
        if (parsed.success)
            return { isDone: true, value: parsed.data };
        const isAbout = parsed.error.issues.find(({ code }) => code === 'custom')?.message;
        const message = `could not ${request.attempted}: GitHub's response ${isAbout ?? 'does not match its documentation'}.`;
        const error = new errors/* GitHubError */.y_(message, isAbout === undefined ? undefined : 200, { cause: parsed.error });
        return { isDone: false, error, retry: { kind: isAbout === undefined ? 'never' : 'wrong-answer' } };
    };
    const repeat = async (request, ask, schema) => {
        const { once = false, withinMs = Number.POSITIVE_INFINITY } = request;
        const endsAt = clock.now() + withinMs;
        const within = withinMs < Number.POSITIVE_INFINITY ? AbortSignal.any([signal, AbortSignal.timeout(withinMs)]) : signal;
        const rest = (ms) => clock.sleep(ms, within).catch((thrown) => {
            throw toGitHubError(thrown, request, clock.wallTime());
        });
        const roomMs = () => Math.min(deadline(), endsAt) - clock.now();
        for (let attempts = 1;; attempts++) {
            const limitedMs = (limited?.endsAt ?? 0) - clock.now();
            if (limited !== undefined && limitedMs > 0) {
                if (!isShortLimit(limitedMs, roomMs()))
                    throw limitError(request, limited.limit);
                await rest(limitedMs);
            }
            const result = await attempt(request, ask, schema, within);
            if (result.isDone)
                return result.value;
            const { error, retry } = result;
            if (retry.kind === 'rate-limit') {
                const ends = clock.now() + retry.until - clock.wallTime();
                if (ends > (limited?.endsAt ?? 0))
                    limited = { endsAt: ends, limit: retry };
            }
            const pauseMs = pauseBefore(retry, { attempts, once, roomMs: roomMs(), wallTime: clock.wallTime() });
            if (pauseMs === undefined)
                throw error;
            if (retry.kind === 'rate-limit')
                onNotice(`GitHub limits the rate of requests: trying again in ${Math.ceil(pauseMs / 1000)} s.`);
            await clock.sleep(pauseMs, within).catch((thrown) => {
                throw retry.kind === 'wrong-answer' ? error : toGitHubError(thrown, request, clock.wallTime());
            });
        }
    };
    const send = async (request, schema, page = {}) => {
        const { route } = request;
        const repository = route.includes('{owner}') ? { owner, repo } : {};
        const parameters = { ...repository, ...request.parameters, ...page };
        const ask = async (ended) => {
            const pauseMs = route.startsWith('GET ') ? 0 : paceBefore(clock.now());
            if (pauseMs > 0)
                await clock.sleep(pauseMs, ended);
            return (await octokit.request(route, { ...parameters, request: { signal: ended } })).data;
        };
        return await repeat(request, ask, schema);
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
            const ask = async (ended) => await octokit.graphql('{ viewer { login } }', { request: { signal: ended } });
            return (await repeat(request, ask, viewer)).viewer.login;
        },
    };
}
const ignore = () => undefined;


/***/ })

};
