export const id = 224;
export const ids = [224];
export const modules = {

/***/ 224:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  request: () => (/* binding */ request)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
;// CONCATENATED MODULE: ./request/api-call.ts
/** Whether the request failed: then its response may repeat it. An error that is expected may repeat it, too. */
function isFailure({ expects }, status) {
    return status >= 400 || !expects(status);
}

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
// EXTERNAL MODULE: ./http/body.ts
var http_body = __webpack_require__(2809);
// EXTERNAL MODULE: ./http/limits.ts
var limits = __webpack_require__(1573);
// EXTERNAL MODULE: ./request/catalogue/find.ts + 3 modules
var find = __webpack_require__(8634);
// EXTERNAL MODULE: ./request/catalogue/hints.ts
var hints = __webpack_require__(3582);
// EXTERNAL MODULE: ./request/found-secrets.ts
var found_secrets = __webpack_require__(1930);
// EXTERNAL MODULE: ./http/send.ts
var send = __webpack_require__(1339);
;// CONCATENATED MODULE: ./request/quotes.ts

/** So many characters of a word may be a part of a secret. */
const PIECE = 4;
/** JSON may escape any character, and be itself in a string of JSON. */
const ESCAPED = /\\+u([0-9a-f]{4})/gi;
const WORDS = `array body boolean character column content data delimiter detail error errors expected expecting false field
  input invalid json length line message missing null number object parse parsing position property required status string
  syntax text token true type undefined unexpected unknown valid value`;
/** The usual words of explanations, which show nothing of a body. */
const USUAL = new Set(wordsOf([...Object.values(send/* STATUS_CODES */.I_), WORDS].join(' ')).map(plain));
/** Returns each sequence of {@link PIECE} characters in the words of a text, as it is and without punctuation. */
function piecesOf(text) {
    return new Set(wordsOf(text).flatMap((word) => [...piecesIn(word), ...piecesIn(plain(word))]));
}
/**
 * Whether an explanation may quote a part of a text, cut anywhere. A server may write punctuation in its own way. It is no
 * proof: any part of an unusual word in common counts.
 * @param pieces those of the text
 */
function quotes(explanation, pieces) {
    if (pieces.size === 0)
        return false;
    const words = wordsOf(explanation).filter((word) => !USUAL.has(plain(word)));
    return words.some((word) => [word, plain(word)].some((form) => piecesIn(form).some((piece) => pieces.has(piece))));
}
function wordsOf(text) {
    return text
        .replace(ESCAPED, decoded)
        .toLowerCase()
        .split(/[\s"'`]+/);
}
function decoded(_escape, unit) {
    return String.fromCharCode(Number.parseInt(unit, 16));
}
function plain(word) {
    return word.replace(/[^\p{L}\p{N}]+/gu, '');
}
function piecesIn(word) {
    return Array.from({ length: Math.max(0, word.length - PIECE + 1) }, (_, at) => word.slice(at, at + PIECE));
}

// EXTERNAL MODULE: ./http/json.ts
var http_json = __webpack_require__(9159);
// EXTERNAL MODULE: ./request/redact-json.ts
var redact_json = __webpack_require__(4379);
// EXTERNAL MODULE: ./request/redact-stream.ts
var redact_stream = __webpack_require__(6626);
;// CONCATENATED MODULE: ./request/redaction.ts




/**
 * Redacts credentials everywhere. A success loses only values that are distinctive: later steps compute with names that
 * contain a common one. An error repeats the request, and no step computes with it: it loses every value.
 */
function createRedactor({ credentials, values, echoes, found }, { isError, isJson }) {
    const distinctive = values.filter(isDistinctive);
    const inside = [...credentials, ...(isError ? [...values, ...echoes] : values.filter(isDistinctiveInside))];
    if (!isJson)
        return new redact_stream/* StreamRedactor */.d6(inside, 'text');
    if (isError) {
        const keys = new redact_stream/* StreamRedactor */.d6([...credentials, ...distinctive], 'json');
        return new redact_json/* JsonRedactor */.X(keys, new redact_stream/* StreamRedactor */.d6(inside, 'json'), found);
    }
    const create = () => new redact_stream/* StreamRedactor */.d6(inside, 'json', distinctive);
    return new redact_json/* JsonRedactor */.X(create(), create(), found);
}
/** In place of an error that may quote the body. */
const QUOTES_BODY = JSON.stringify({ detail: 'the explanation is omitted because it quotes the body' });
/** Redacts a complete text for a message or an output. JSON stays JSON. */
function redactText(text, secrets, isError) {
    if (new redact_stream/* StreamRedactor */.d6(secrets.values.filter(isDistinctive), 'text').isOne((0,redact_stream/* asBytes */.Yd)(text.trim())))
        return redact_stream/* REDACTED */.XF;
    const json = beginsLikeJson(text) ? (0,http_json/* parseJson */.qF)(text) : { ok: false, bloated: false };
    const isMixed = !json.ok && (json.bloated || isError);
    const redactor = isMixed
        ? createMixedRedactor(secrets, isError)
        : createRedactor(secrets, { isError, isJson: json.ok });
    const redacted = (0,redact_stream/* asText */.e1)(redactor.pass((0,redact_stream/* asBytes */.Yd)(text)) + redactor.end());
    return isError && quotes(redacted, secrets.pieces) ? QUOTES_BODY : redacted;
}
/** Redacts a text that may contain JSON, or only begin like it: everywhere, and then by its structure. */
function createMixedRedactor(secrets, isError) {
    const inJson = createRedactor(secrets, { isError, isJson: true });
    const inText = createRedactor(secrets, { isError, isJson: false });
    return {
        pass: (piece) => inJson.pass(inText.pass(piece)),
        end: () => inJson.pass(inText.end()) + inJson.end(),
        get depth() {
            return inJson.depth;
        },
    };
}
function beginsLikeJson(text) {
    return /^\s*[{[]/.test(text);
}
/** Shorter plain words and numbers, like `true`, `prod` or `2026`, are in many responses by chance. */
const MIN_PLAIN = 8;
const PLAIN = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d+(?:\.\d+)?)$/;
/** Whether a string or a number hardly equals the value by chance. */
function isDistinctive(value) {
    return value.length >= MIN_PLAIN || !PLAIN.test(value);
}
/** No value of so many characters is inside another text by chance. */
const MIN_INSIDE = 16;
const MIN_KEY = 8;
const MIN_CLASSES = 3;
const CLASSES = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/];
/** The parts of names and addresses, like `us-east-1`, `v1.2.3-rc1` or `release/2026.11`. */
const redaction_WORDS = /^(?:[a-z]+\d{0,2}|\d{1,4})(?:[-_./:@]+(?:[a-z]+\d{0,2}|\d{1,4}))*$/i;
/** Whether a longer string hardly contains the value by chance: it is long or looks like a key. */
function isDistinctiveInside(value) {
    if (value.length >= MIN_INSIDE)
        return true;
    if (value.length < MIN_KEY || redaction_WORDS.test(value))
        return false;
    return CLASSES.filter((one) => one.test(value)).length >= MIN_CLASSES;
}

;// CONCATENATED MODULE: ./request/call.ts










/**
 * Returns the request for the transport, without its body.
 * @param receive removes secrets: the transport words its errors with what it returns
 */
function plainRequest(call, query, receive) {
    const { method, path, headers, expects, match } = call;
    const route = (0,find/* routeOf */.L)(match);
    const search = new URLSearchParams([...query]).toString();
    return {
        method,
        path: search === '' ? path : `${path}?${search}`,
        headers: { accept: '*/*', ...headers },
        attempted: `carry out ${method} ${path}`,
        accepts: expects,
        receive,
        repeatable: route?.idempotent === true,
        hintFor: (status, detail) => route && (0,hints/* knownHint */.tI)(route, status, detail),
    };
}
/** The secrets of all responses to a call. */
function secretsOf({ secrets: values, echoes, bodyText = '' }, { credentials }) {
    const { apiKey, bearerToken } = credentials;
    const found = new found_secrets/* FoundSecrets */.u(limits/* MAX_MASKS */.vs, limits/* MAX_MASK_CHARACTERS */.hP);
    const sent = [apiKey, bearerToken].filter((one) => one !== undefined);
    return { credentials: sent, values, echoes, pieces: piecesOf(bodyText), found };
}
/** Redacts the body of a response and masks the secrets in it. */
function redactBody(call, status, body, secrets, { mask }) {
    const text = redactText(body, secrets, isFailure(call, status));
    mask(secrets.found.all);
    return text;
}
/** Receives a response into memory: that of a failure without its secrets, as it becomes part of a message. */
function receiveText(call, secrets, deps) {
    return async (message) => {
        const answer = await (0,http_body/* readText */.y)(message);
        const status = message.statusCode ?? 0;
        return isFailure(call, status) ? { ...answer, body: redactBody(call, status, answer.body, secrets, deps) } : answer;
    };
}
/** Says that the response is without some of its credentials, if it is. */
function warnIfFull({ found }, { emit }) {
    if (found.isFull)
        emit({ kind: 'credentials-removed', kept: limits/* MAX_MASKS */.vs });
}
/** The largest response that becomes an output, in bytes: all outputs of a job share 1 MB. */
const MAX_OUTPUT_BYTES = 256 * 1024;
/** Returns the content of a file for an output; undefined if it is too large or is not text. */
async function readOutput(file, bytes) {
    if (bytes > MAX_OUTPUT_BYTES)
        return undefined;
    const content = await (0,promises_.readFile)(file);
    return (0,external_node_buffer_.isUtf8)(content) && !content.includes(0) ? content.toString('utf8') : undefined;
}

;// CONCATENATED MODULE: ./request/catalogue/notices.ts
/**
 * What the user should know of the route before the request is sent.
 * @param wallTime milliseconds since the epoch
 */
function routeNotices({ match, method, path }, wallTime) {
    switch (match.kind) {
        case 'unknown':
            return [{ kind: 'unknown', path }];
        case 'other-methods':
            return [{ kind: 'other-methods', path, method, methods: [...new Set(match.methods)] }];
        case 'known': {
            const separateHost = match.route.separateHost === true ? [{ kind: 'separate-host', method, path }] : [];
            return [...deprecation(match.route, wallTime), ...separateHost];
        }
    }
}
function deprecation({ method, path, deprecated }, wallTime) {
    if (deprecated === undefined)
        return [];
    const isOver = wallTime >= Date.parse(`${deprecated.removedOn}T00:00:00Z`);
    return [{ kind: 'deprecated', method, path, isOver, ...deprecated }];
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
// EXTERNAL MODULE: ./control-plane/api-request.ts
var api_request = __webpack_require__(965);
// EXTERNAL MODULE: ./regular-file.ts
var regular_file = __webpack_require__(7663);
;// CONCATENATED MODULE: ./request/content.ts
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});




/** Returns the content that is sent. A file is streamed. */
function contentOf(body) {
    switch (body?.kind) {
        case undefined:
            return undefined;
        case 'json':
            return (0,api_request/* textContent */.P_)('application/json', body.text);
        case 'text':
            return (0,api_request/* textContent */.P_)('text/plain; charset=utf-8', body.text);
        case 'file':
            return body.multipart
                ? multipartContent(body)
                : { type: 'application/octet-stream', bytes: body.bytes, open: () => streamOf(content_piecesOf(body)) };
    }
}
/** One part named `file` (RFC 7578). */
function multipartContent(body) {
    const boundary = `rollout-${(0,external_node_crypto_.randomUUID)()}`;
    const name = body.name.replace(/["\\\r\n]/g, '_');
    const head = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`);
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    const parts = async function* () {
        yield head;
        yield* content_piecesOf(body);
        yield tail;
    };
    return {
        type: `multipart/form-data; boundary=${boundary}`,
        bytes: head.length + body.bytes + tail.length,
        open: () => streamOf(parts()),
    };
}
function streamOf(pieces) {
    return external_node_stream_.Readable.from(pieces, { objectMode: false });
}
/** Yields exactly the announced number of bytes: with fewer, the server would wait for the rest. */
async function* content_piecesOf({ file, bytes }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const handle = __addDisposableResource(env_1, await (0,regular_file/* openRegularFile */.ZU)(file), true);
        let sent = 0;
        for await (const chunk of handle.createReadStream({ autoClose: false })) {
            const piece = Buffer.from(chunk);
            sent += piece.length;
            if (sent > bytes)
                break;
            yield piece;
        }
        if (sent !== bytes)
            throw new Error('its size has changed since it was checked');
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(6466);
// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
;// CONCATENATED MODULE: ./request/pages.ts



/**
 * @returns undefined for a body that is not a page
 * @throws RangeError for a page that has too many values or is nested too deeply
 */
function readPage(body) {
    const json = (0,http_json/* parseExactJson */.lQ)(body, limits/* MAX_PAGE_VALUES */.GK);
    if (!json.ok) {
        if (json.bloated)
            throw new RangeError();
        return undefined;
    }
    const { value } = json;
    if (Array.isArray(value))
        return { kind: 'whole', entries: entriesOf(value) };
    const resources = (0,http_json/* fieldOf */._F)(value, 'resources');
    if (Array.isArray(resources))
        return { kind: 'offset', entries: entriesOf(resources), offset: (0,http_json/* numberOf */.rl)((0,http_json/* fieldOf */._F)(value, 'offset')) };
    const items = (0,http_json/* fieldOf */._F)(value, 'items');
    if (!Array.isArray(items))
        return undefined;
    const cursor = CURSORS.map((name) => (0,http_json/* fieldOf */._F)(value, name)).find((one) => !NO_CURSORS.includes((0,http_json/* numberOf */.rl)(one) ?? one));
    return { kind: 'cursor', entries: entriesOf(items), cursor: cursorOf(cursor) };
}
function entriesOf(list) {
    return list.map((entry) => JSON.stringify(entry));
}
/** The usual fields, as the contract names none. */
const CURSORS = ['next_cursor', 'next_page_token', 'cursor', 'next'];
/** What services return as the cursor of the last page. */
const NO_CURSORS = [undefined, null, '', false, 0];
/** A value that cannot be sent as a cursor. */
const UNREADABLE = Symbol('cursor');
function cursorOf(value) {
    if (value === undefined || typeof value === 'string')
        return value;
    const number = (0,http_json/* numberOf */.rl)(value);
    return number !== undefined && Number.isSafeInteger(number) ? String(number) : UNREADABLE;
}
/**
 * Decides how the list continues after a page.
 * @param query of the request for that page
 * @param seen hashes of the cursors so far; this function adds to it
 */
function nextPage(page, query, seen) {
    switch (page.kind) {
        case 'whole':
            return { kind: 'end' };
        case 'offset': {
            // A short page may have been filtered, so that only an empty page is the last one.
            if (page.entries.length === 0)
                return { kind: 'end' };
            const before = Number(pages_valueOf(query, 'offset') ?? 0);
            const offset = page.offset ?? before + page.entries.length;
            if (offset > before)
                return { kind: 'next', query: withValue(query, 'offset', String(offset)) };
            return { kind: 'stuck', because: { kind: 'offset-unchanged', offset } };
        }
        case 'cursor': {
            const { cursor } = page;
            if (cursor === undefined)
                return { kind: 'end' };
            if (cursor === UNREADABLE)
                return { kind: 'stuck', because: { kind: 'unreadable-cursor' } };
            // A list may have many pages with long cursors: hashes need less memory.
            const hash = (0,external_node_crypto_.createHash)('sha256').update(cursor).digest('base64');
            if (cursor === pages_valueOf(query, 'cursor') || seen.has(hash))
                return { kind: 'stuck', because: { kind: 'repeated-cursor' } };
            seen.add(hash);
            return { kind: 'next', query: withValue(query, 'cursor', cursor) };
        }
    }
}
function pages_valueOf(query, name) {
    return query.findLast(([key]) => key === name)?.[1];
}
function withValue(query, name, value) {
    return [...query.filter(([key]) => key !== name), [name, value]];
}

;// CONCATENATED MODULE: ./request/read-list.ts








/**
 * Reads a list to its end into a file that is one JSON array. Emits `answered`, also with the status of a failed page.
 * @throws ControlPlaneError if the response to a request for a page is not an expected one
 */
async function readList(call, file, deps) {
    const progress = { entries: 0 };
    const out = (0,external_node_fs_.createWriteStream)(file, { mode: 0o600 });
    try {
        await (0,external_node_stream_promises_.pipeline)(writeList(call, deps, progress), out);
    }
    catch (thrown) {
        const { status, entries } = progress;
        if (status !== undefined)
            deps.emit({ kind: 'answered', answer: { status, bytes: 0, file: undefined, text: undefined, entries } });
        throw thrown;
    }
    const { status = 0, entries } = progress;
    const bytes = out.bytesWritten;
    const text = await readOutput(file, bytes);
    deps.emit({ kind: 'answered', answer: { status, bytes, file, text, entries } });
}
/** Yields the list as JSON, or the first response if it is another one that is expected, like a 404. */
async function* writeList(call, deps, progress) {
    const seen = new Set();
    const secrets = secretsOf(call, deps);
    let query = firstQuery(call);
    let count = 0;
    for (let number = 1;; number++) {
        if (deps.clock.now() >= deps.deadline) {
            const cameBack = `the time limit was reached after ${count} entries`;
            throw new errors/* UnreachableError */.Jk(troubleWith(call, cameBack, 'Set a longer timeout.'));
        }
        // The transport returns no response that it retried in vain: this is where its status is seen.
        const accepts = (status) => call.expects((progress.status = status));
        const request = plainRequest(call, query, receiveText(call, secrets, deps));
        const attempted = number === 1 ? request.attempted : `${request.attempted}, page ${number}`;
        const { status, body } = await deps.transport.send({ ...request, attempted, accepts });
        progress.status = status;
        // Before anything else is made of it.
        if ((0,http_json/* isBloated */.c1)(body, limits/* MAX_PAGE_VALUES */.GK))
            throw bloatedPage(call);
        const text = redactBody(call, status, body, secrets, deps);
        const page = pageOf(text, call);
        if (page === undefined) {
            if (number > 1 || status < 300) {
                const cameBack = 'the response is neither a page of "resources" or "items" nor a list';
                throw new errors/* BrokenContractError */.Sq(troubleWith(call, cameBack, 'Set paginate only for routes that return a list.'));
            }
            progress.entries = undefined;
            yield text;
            return;
        }
        for (const entry of page.entries)
            yield `${count++ === 0 ? '[' : ','}\n${entry}`;
        progress.entries = count;
        const next = nextPage(page, query, seen);
        if (next.kind === 'stuck')
            deps.emit({ kind: 'list-incomplete', because: next.because });
        if (next.kind !== 'next')
            break;
        query = next.query;
    }
    warnIfFull(secrets, deps);
    yield count === 0 ? '[]\n' : '\n]\n';
}
/** Adds the route's largest known `limit`: fewer requests. */
function firstQuery({ query, match }) {
    const rule = (0,find/* routeOf */.L)(match)?.query?.['limit'];
    if (rule?.kind !== 'integer' || rule.max === undefined || query.some(([name]) => name === 'limit'))
        return query;
    return [...query, ['limit', String(rule.max)]];
}
function pageOf(text, call) {
    try {
        return readPage(text);
    }
    catch (thrown) {
        throw thrown instanceof RangeError ? bloatedPage(call) : thrown;
    }
}
function bloatedPage(call) {
    const cameBack = 'the page has far too many values, or is nested far too deeply';
    const hint = 'Request smaller pages by query, as in limit=10, or do not set paginate.';
    return new errors/* BrokenContractError */.Sq(troubleWith(call, cameBack, hint));
}
function troubleWith({ method, path }, cameBack, hint) {
    return { attempted: `read the list ${method} ${path} to its end`, cameBack, hint };
}

// EXTERNAL MODULE: ./http/charset.ts
var http_charset = __webpack_require__(1225);
// EXTERNAL MODULE: ./http/unusable.ts
var unusable = __webpack_require__(7002);
;// CONCATENATED MODULE: ./request/receive.ts








/**
 * Streams a response of any length to a file: a download unchanged, any other without its secrets. It receives nothing of
 * an error whose encoding or character set is not read.
 */
function receiveInto({ file, secrets, content, isFailure, mask, onReceived }) {
    return async (message, onMove) => {
        const status = message.statusCode ?? 0;
        const isError = isFailure(status);
        const type = message.headers['content-type']?.trim() ?? '';
        const isPromised = content === 'json' || (content === 'unknown' && type !== '' && JSON_TYPES.test(type));
        const mayBeJson = isError || isPromised || (content === 'unknown' && type === '');
        let redactor;
        const choose = (head) => {
            const isJson = beginsLikeJson(head) && (isError ? JSON_TYPES.test(type) : mayBeJson);
            if (isJson)
                return createRedactor(secrets, { isError, isJson });
            if (isError)
                return createMixedRedactor(secrets, isError);
            if (!isPromised)
                return new redact_stream/* StreamRedactor */.d6([], 'text');
            // Compressed JSON without a Content-Encoding would keep its secrets.
            if (!(0,http_charset/* beginsLikeText */.h7)(Buffer.from(head, 'latin1')))
                throw new unusable/* UnusableAnswerError */.q('bytes that are no text, in place of JSON');
            if (JSON_IN_STRING.test(head))
                throw new unusable/* UnusableAnswerError */.q('JSON inside a JSON string');
            // What wraps JSON, like the call of a function, leaves its structure.
            return createMixedRedactor(secrets, isError);
        };
        const redact = async function* () {
            const body = (0,http_body/* bodyOf */.E)(message, Infinity, limits/* MAX_UNPACKED_BYTES */.Tx);
            const charset = (head) => (isOfNoText(head, type, isError) ? 'utf-8' : (0,http_charset/* charsetOf */.eP)(head, type));
            for await (const piece of fromHead(mayBeJson ? (0,http_charset/* inUtf8 */.nn)(body, charset) : body, onMove)) {
                const begun = redactor === undefined ? piece.replace(BLANK, '') : piece;
                if (begun !== '')
                    redactor ??= choose(begun);
                yield Buffer.from(redactor?.pass(piece) ?? piece, 'latin1');
                if ((redactor?.depth ?? 0) > limits/* MAX_FILE_DEPTH */.c4)
                    throw new unusable/* UnusableAnswerError */.q(`JSON that is nested more than ${limits/* MAX_FILE_DEPTH */.c4} levels deep`);
            }
            yield Buffer.from(redactor?.end() ?? '', 'latin1');
        };
        // An attempt that breaks off must not replace part of an earlier response.
        const part = `${file}.part`;
        // Opened first: a body that cannot be read at all still leaves an empty file.
        const out = (await (0,promises_.open)(part, 'w', 0o600)).createWriteStream();
        let unread;
        try {
            try {
                await (0,external_node_stream_promises_.pipeline)(redact, out);
            }
            catch (thrown) {
                if (!isError || !(thrown instanceof unusable/* UnusableAnswerError */.q))
                    throw thrown;
                unread = thrown.message;
                await (0,promises_.truncate)(part);
            }
            await (0,promises_.rename)(part, file);
        }
        finally {
            await (0,promises_.rm)(part, { force: true });
        }
        mask(secrets.found.all);
        const length = message.headers['content-length'];
        const announcedBytes = length === undefined ? undefined : Number(length);
        const bytes = unread === undefined ? out.bytesWritten : 0;
        onReceived({ status, announcedBytes, bytes });
        if (bytes === 0 || bytes > limits/* MAX_EXPLANATION_BYTES */.fJ)
            return { body: '', unread };
        const text = await (0,promises_.readFile)(file, 'utf8');
        if (!isError)
            return { body: text };
        // The explanation of an error may be JSON, whatever its type says.
        const shown = redactText(text, secrets, isError);
        mask(secrets.found.all);
        return { body: shown };
    };
}
/** Yields a body as strings of bytes (latin1), the first one with enough of it to tell what it is. */
async function* fromHead(body, onMove) {
    let head = '';
    for await (const chunk of body) {
        onMove();
        const piece = (head ?? '') + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
        const begun = head === undefined ? 0 : piece.replace(BLANK, '').length;
        const isShort = head !== undefined && begun < HEAD_BYTES;
        const isLongBlank = isShort && begun === 0 && piece.length >= MAX_BLANK_BYTES;
        head = isLongBlank ? '' : isShort ? piece : undefined;
        if (isLongBlank || !isShort)
            yield piece;
    }
    if (head !== undefined)
        yield head;
}
/** So many blanks are passed on, although the body has not begun. */
const MAX_BLANK_BYTES = 4096;
/** A byte order mark and blanks, as bytes. */
const BLANK = /^(?:\u00ef\u00bb\u00bf|\s)+/;
/** Bytes after the blanks that tell what a body is. */
const HEAD_BYTES = 64;
const JSON_IN_STRING = /^"(?:\s|\\[nrt]|\\u0009|\\u000[ad])*[{[]/i;
/** Another type counts as it is: Markdown, too, may begin with a bracket. Not every server sends a type. */
const JSON_TYPES = /^(?:[^;]*[/+]json|application\/(?:x-ndjson|jsonl))?\s*(?:;|$)/i;
/** Whether a response without a type is no JSON in any character set: then it may be a download. */
function isOfNoText(head, type, isError) {
    const ascii = Buffer.from(head.filter((byte) => byte > 0 && byte < 0x80)).toString('latin1');
    return type === '' && !isError && !/^\s*(?:[{[]|$)/.test(ascii);
}

;// CONCATENATED MODULE: ./request/request.ts










/**
 * Sends one request to any route. Emits `answered` with the file that contains the response, also if its status is not
 * an expected one.
 * @throws ControlPlaneError if the response is not an expected one
 */
async function request(call, deps) {
    deps.mask(call.secrets);
    for (const notice of routeNotices(call, deps.clock.wallTime()))
        deps.emit({ kind: 'route-notice', notice });
    const folder = await (0,promises_.mkdtemp)(external_node_path_default().join(deps.tempDir ?? (0,external_node_os_.tmpdir)(), 'request-'));
    const file = external_node_path_default().join(folder, 'response');
    if (call.paginate)
        await readList(call, file, deps);
    else
        await readOnce(call, file, deps);
    return { kind: 'answered' };
}
function contentOfRoute({ match }) {
    const route = (0,find/* routeOf */.L)(match);
    return route === undefined ? 'unknown' : route.raw === true ? 'raw' : 'json';
}
async function readOnce(call, file, deps) {
    let received;
    const secrets = secretsOf(call, deps);
    const receive = receiveInto({
        file,
        secrets,
        content: contentOfRoute(call),
        isFailure: (status) => isFailure(call, status),
        mask: deps.mask,
        onReceived: (next) => {
            received = next;
        },
    });
    try {
        await deps.transport.send({ ...plainRequest(call, call.query, receive), content: contentOf(call.body) });
    }
    finally {
        if (received !== undefined) {
            const { status, announcedBytes = 0 } = received;
            const bytes = call.method === 'HEAD' ? announcedBytes : received.bytes;
            const content = await readOutput(file, received.bytes);
            // The file of a download is unchanged, but outputs are shown: they contain no secrets.
            const text = content === undefined ? undefined : redactBody(call, status, content, secrets, deps);
            warnIfFull(secrets, deps);
            deps.emit({ kind: 'answered', answer: { status, bytes, file, text, entries: undefined } });
        }
    }
}


/***/ })

};
