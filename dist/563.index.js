export const id = 563;
export const ids = [563];
export const modules = {

/***/ 4563:
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
// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
// EXTERNAL MODULE: ./request/catalogue/find.ts + 2 modules
var find = __webpack_require__(67);
// EXTERNAL MODULE: ./request/catalogue/hints.ts
var hints = __webpack_require__(3582);
// EXTERNAL MODULE: ./control-plane/json.ts
var control_plane_json = __webpack_require__(8295);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./request/pages.ts


/** A page of small records has far more values than any other response. */
const MAX_PAGE_PARTS = 1_000_000;
/**
 * @returns undefined for a body that is not a page
 * @throws RangeError for a page that has too many values or is nested too deeply
 */
function readPage(body) {
    const json = (0,control_plane_json/* parseExactJson */.lQ)(body, MAX_PAGE_PARTS);
    if (!json.ok) {
        if (json.bloated)
            throw new RangeError();
        return undefined;
    }
    const { value } = json;
    if (Array.isArray(value))
        return { kind: 'whole', entries: entriesOf(value) };
    const resources = (0,control_plane_json/* fieldOf */._F)(value, 'resources');
    if (Array.isArray(resources))
        return { kind: 'offset', entries: entriesOf(resources), offset: (0,control_plane_json/* numberOf */.rl)((0,control_plane_json/* fieldOf */._F)(value, 'offset')) };
    const items = (0,control_plane_json/* fieldOf */._F)(value, 'items');
    if (!Array.isArray(items))
        return undefined;
    const cursor = CURSORS.map((name) => (0,control_plane_json/* fieldOf */._F)(value, name)).find((one) => !NO_CURSORS.includes((0,control_plane_json/* numberOf */.rl)(one) ?? one));
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
    const number = (0,control_plane_json/* numberOf */.rl)(value);
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

// EXTERNAL MODULE: ./request/redact-json.ts
var redact_json = __webpack_require__(4379);
// EXTERNAL MODULE: ./request/redact-stream.ts
var redact_stream = __webpack_require__(6626);
;// CONCATENATED MODULE: ./request/redaction.ts




/**
 * Redacts credentials everywhere. A success loses only values that are distinctive: later steps compute with names that
 * contain a common one. An error repeats the request, and no step computes with it: it loses every value.
 */
function createRedactor({ credentials, values }, { isError, isJson }) {
    const distinctive = values.filter(isDistinctive);
    const inside = [...credentials, ...(isError ? values : values.filter(isDistinctiveInside))];
    if (!isJson)
        return new redact_stream/* StreamRedactor */.d6(inside, 'text');
    if (isError) {
        const keys = new redact_stream/* StreamRedactor */.d6([...credentials, ...distinctive], 'json');
        return new redact_json/* JsonRedactor */.X(keys, new redact_stream/* StreamRedactor */.d6(inside, 'json'));
    }
    const create = () => new redact_stream/* StreamRedactor */.d6(inside, 'json', distinctive);
    return new redact_json/* JsonRedactor */.X(create(), create());
}
/** Redacts a complete text for an output. JSON stays JSON. */
function redactText(text, secrets, isError) {
    if (new redact_stream/* StreamRedactor */.d6(secrets.values.filter(isDistinctive), 'text').isOne((0,redact_stream/* asBytes */.Yd)(text.trim())))
        return { text: redact_stream/* REDACTED */.XF, found: [] };
    // A text that only begins like JSON may have secrets outside of strings.
    const isJson = beginsLikeJson(text) && (0,control_plane_json/* parseJson */.qF)(text, MAX_PAGE_PARTS).ok;
    const redactor = createRedactor(secrets, { isError, isJson });
    const redacted = redactor.pass((0,redact_stream/* asBytes */.Yd)(text)) + redactor.end();
    return { text: (0,redact_stream/* asText */.e1)(redacted), found: redactor.found };
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
const WORDS = /^(?:[a-z]+\d{0,2}|\d{1,4})(?:[-_./:@]+(?:[a-z]+\d{0,2}|\d{1,4}))*$/i;
/** Whether a longer string hardly contains the value by chance: it is long or looks like a key. */
function isDistinctiveInside(value) {
    if (value.length >= MIN_INSIDE)
        return true;
    if (value.length < MIN_KEY || WORDS.test(value))
        return false;
    return CLASSES.filter((one) => one.test(value)).length >= MIN_CLASSES;
}

;// CONCATENATED MODULE: ./request/call.ts





/** Returns the request for the transport, without its body. */
function plainRequest(call, query) {
    const { method, path, headers, expects, match } = call;
    const route = (0,find/* routeOf */.L)(match);
    const search = new URLSearchParams([...query]).toString();
    return {
        method,
        path: search === '' ? path : `${path}?${search}`,
        headers: { accept: '*/*', ...headers },
        attempted: `carry out ${method} ${path}`,
        accepts: expects,
        repeatable: route?.idempotent === true,
        hintFor: (status, detail) => route && (0,hints/* knownHint */.tI)(route, status, detail),
    };
}
function secretsOf({ secrets }, { credentials }) {
    const { apiKey, bearerToken } = credentials;
    return { credentials: [apiKey, bearerToken].filter((one) => one !== undefined), values: secrets };
}
/** Redacts the body of a response and masks the secrets in it. */
function redactBody(body, status, call, deps) {
    const { text, found } = redactText(body, secretsOf(call, deps), status >= 400);
    deps.mask(found);
    return text;
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

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
// EXTERNAL MODULE: ./control-plane/api-request.ts
var api_request = __webpack_require__(965);
;// CONCATENATED MODULE: ./request/content.ts





/** Returns the content that is sent. A file is streamed. */
function contentOf(body) {
    switch (body?.kind) {
        case undefined:
            return undefined;
        case 'json':
            return (0,api_request/* textContent */.P)('application/json', body.text);
        case 'text':
            return (0,api_request/* textContent */.P)('text/plain; charset=utf-8', body.text);
        case 'file': {
            const { file, bytes, multipart } = body;
            if (multipart)
                return multipartContent(file, bytes);
            return { type: 'application/octet-stream', bytes, open: () => (0,external_node_fs_.createReadStream)(file) };
        }
    }
}
/** One part named `file` (RFC 7578). */
function multipartContent(file, bytes) {
    const boundary = `rollout-${(0,external_node_crypto_.randomUUID)()}`;
    const name = external_node_path_default().basename(file).replace(/["\\\r\n]/g, '_');
    const head = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`);
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    const parts = async function* () {
        yield head;
        yield* (0,external_node_fs_.createReadStream)(file);
        yield tail;
    };
    return {
        type: `multipart/form-data; boundary=${boundary}`,
        bytes: head.length + bytes + tail.length,
        open: () => external_node_stream_.Readable.from(parts(), { objectMode: false }),
    };
}

// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(6466);
// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
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
    let query = firstQuery(call);
    let count = 0;
    for (let isFirst = true;; isFirst = false) {
        if (deps.clock.now() >= deps.deadline) {
            const cameBack = `the time limit was reached after ${count} entries`;
            throw new errors/* UnreachableError */.Jk(troubleWith(call, cameBack, 'Set a longer timeout.'));
        }
        // The transport returns no response that it retried in vain: this is where its status is seen.
        const accepts = (status) => call.expects((progress.status = status));
        const { status, body } = await deps.transport.send({ ...plainRequest(call, query), accepts });
        progress.status = status;
        const text = redactBody(body, status, call, deps);
        const page = pageOf(text, call);
        if (page === undefined) {
            if (!isFirst || status < 300) {
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
        if (!(thrown instanceof RangeError))
            throw thrown;
        const cameBack = 'the page has far too many values, or is nested far too deeply';
        const hint = 'Request smaller pages by query, as in limit=10, or do not set paginate.';
        throw new errors/* BrokenContractError */.Sq(troubleWith(call, cameBack, hint));
    }
}
function troubleWith({ method, path }, cameBack, hint) {
    return { attempted: `read the list ${method} ${path} to its end`, cameBack, hint };
}

;// CONCATENATED MODULE: ./request/receive.ts





/** The largest response that explains an error, in bytes. */
const MAX_EXPLANATION = 256 * 1024;
/** Streams a response of any length to a file: a download unchanged, any other without its secrets. */
function receiveInto({ file, secrets, isRaw, mask, onReceived }) {
    return async (message, onMove) => {
        const status = message.statusCode ?? 0;
        const isError = status >= 400;
        let redactor;
        const choose = (piece) => {
            const isJson = (isError || !isRaw) && looksLikeJson(message, piece);
            return isError || isJson ? createRedactor(secrets, { isError, isJson }) : new redact_stream/* StreamRedactor */.d6([], 'text');
        };
        const redact = async function* (source) {
            for await (const chunk of source) {
                onMove();
                const piece = Buffer.from(chunk).toString('latin1');
                if (piece.trim() !== '')
                    redactor ??= choose(piece);
                yield Buffer.from(redactor?.pass(piece) ?? piece, 'latin1');
            }
            yield Buffer.from(redactor?.end() ?? '', 'latin1');
        };
        // An attempt that breaks off must not replace part of an earlier response.
        const part = `${file}.part`;
        const out = (0,external_node_fs_.createWriteStream)(part, { mode: 0o600 });
        try {
            await (0,external_node_stream_promises_.pipeline)(message, redact, out);
            await (0,promises_.rename)(part, file);
        }
        finally {
            await (0,promises_.rm)(part, { force: true });
        }
        mask(redactor?.found ?? []);
        const length = message.headers['content-length'];
        const announcedBytes = length === undefined ? undefined : Number(length);
        onReceived({ status, announcedBytes, bytes: out.bytesWritten });
        if (out.bytesWritten > MAX_EXPLANATION)
            return '';
        const text = await (0,promises_.readFile)(file, 'utf8');
        if (!isError)
            return text;
        // The explanation of an error may be JSON, whatever its type says.
        const shown = redactText(text, secrets, isError);
        mask(shown.found);
        return shown.text;
    };
}
const JSON_TYPES = /^(?:[^;]*[/+]json|application\/(?:x-ndjson|jsonl))?\s*(?:;|$)/i;
/**
 * Whether the type is JSON's or missing, and the first piece begins like JSON: not every server sends a type. Another type
 * counts as it is: Markdown, too, may begin with a bracket.
 */
function looksLikeJson({ headers }, piece) {
    const type = headers['content-type'] ?? '';
    return JSON_TYPES.test(type.trim()) && beginsLikeJson(piece.replace(/^\u00ef\u00bb\u00bf/, ''));
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
async function readOnce(call, file, deps) {
    let received;
    const receive = receiveInto({
        file,
        secrets: secretsOf(call, deps),
        isRaw: (0,find/* routeOf */.L)(call.match)?.raw === true,
        mask: deps.mask,
        onReceived: (next) => {
            received = next;
        },
    });
    try {
        await deps.transport.send({ ...plainRequest(call, call.query), content: contentOf(call.body), receive });
    }
    finally {
        if (received !== undefined) {
            const { status, announcedBytes = 0 } = received;
            const bytes = call.method === 'HEAD' ? announcedBytes : received.bytes;
            const content = await readOutput(file, received.bytes);
            // The file of a download is unchanged, but outputs are shown: they contain no secrets.
            const text = content === undefined ? undefined : redactBody(content, status, call, deps);
            deps.emit({ kind: 'answered', answer: { status, bytes, file, text, entries: undefined } });
        }
    }
}


/***/ })

};
