export const id = 285;
export const ids = [285];
export const modules = {

/***/ 9719:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Y3: () => (/* binding */ tellDeprecation),
/* harmony export */   tI: () => (/* binding */ knownHint),
/* harmony export */   yG: () => (/* binding */ checkRequest)
/* harmony export */ });
/** Holds a request against the rules that the contract states for its route. */
function checkRequest(route, { query, json, fileBytes }) {
    const ofQuery = Object.entries(route.query ?? {}).flatMap(([name, rule]) => {
        const given = query.filter(([key]) => key === name).map(([, value]) => value);
        if (given.length === 0)
            return rule.required === true ? [`needs ${name}`] : [];
        return given.flatMap((value) => queryProblem(name, value, rule) ?? []);
    });
    const ofBody = json === undefined ? [] : (route.body?.(json) ?? []);
    return [
        ...ofQuery.map((message) => ({ part: 'query', message })),
        ...ofBody.map((message) => ({ part: 'body', message })),
        ...(isTooLarge(route, fileBytes) ? [tooLarge(route.upload.maxBytes)] : []),
    ];
}
function queryProblem(name, value, rule) {
    switch (rule.kind) {
        case 'text':
            return undefined;
        case 'boolean':
            return /^(true|false)$/.test(value) ? undefined : `has ${name} that must be true or false`;
        case 'one of':
            return rule.accepted.includes(value)
                ? undefined
                : `has ${name} that must be one of ${rule.accepted.join(', ')}`;
        case 'integer': {
            const { min, max = Infinity } = rule;
            const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
            if (number >= min && number <= max)
                return undefined;
            const bounds = max === Infinity ? `at least ${min}` : `from ${min} to ${max}`;
            return `has ${name} that must be a whole number, ${bounds}`;
        }
    }
}
function isTooLarge(route, fileBytes) {
    return route.upload !== undefined && fileBytes !== undefined && fileBytes > route.upload.maxBytes;
}
function tooLarge(maxBytes) {
    return { part: 'file', message: `must not be larger than ${maxBytes / 1_000_000} megabytes for this route` };
}
/** What to tell of a deprecated route, and how loud: an error from the day of its removal on. */
function tellDeprecation({ method, path }, { removedOn, instead }, wallTime) {
    const isOver = wallTime >= Date.parse(`${removedOn}T00:00:00Z`);
    const what = isOver ? `was to be removed on ${removedOn}` : `is deprecated, and goes on ${removedOn}`;
    const use = instead === undefined ? 'no replacement is stated' : `use ${instead} instead`;
    return { level: isOver ? 'error' : 'warning', text: `${method} ${path} ${what}: ${use}.` };
}
/** What to do about an error that is known for this route. */
function knownHint({ hints = [] }, status, detail) {
    const applies = (hint) => 'status' in hint ? hint.status === status : hint.words.test(detail);
    return hints.find(applies)?.hint;
}


/***/ }),

/***/ 6285:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  request: () => (/* binding */ request)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(4379);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(6466);
// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
;// CONCATENATED MODULE: ./request/content.ts




/** What goes over the wire; a file is never read into memory. */
function contentOf(body) {
    switch (body?.kind) {
        case undefined:
            return undefined;
        case 'json':
            return textContent('application/json', body.text);
        case 'text':
            return textContent('text/plain; charset=utf-8', body.text);
        case 'file':
            return body.multipart ? multipartContent(body.file, body.bytes) : fileContent(body.file, body.bytes);
    }
}
function textContent(type, text) {
    return { type, bytes: Buffer.byteLength(text), open: () => text };
}
function fileContent(file, bytes) {
    return { type: 'application/octet-stream', bytes, open: () => (0,external_node_fs_.createReadStream)(file) };
}
/** One part named `file` (RFC 7578); the name in it is the file's own. */
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

// EXTERNAL MODULE: ./request/hidden-values.ts
var hidden_values = __webpack_require__(2663);
;// CONCATENATED MODULE: ./request/known-secrets.ts
const IN_PLACE = '***';
/** Takes texts that are known to be secret out of a stream of bytes (latin1), also where two pieces meet. */
class KnownSecrets {
    #any;
    #longest;
    #rest = '';
    constructor(secrets) {
        const forms = secrets.filter((text) => text.length >= MIN_LENGTH).flatMap(formsOf);
        // At one and the same place the longest has to go.
        const sorted = [...new Set(forms)].sort((one, other) => other.length - one.length);
        this.#any = sorted.length === 0 ? undefined : new RegExp(sorted.map(RegExp.escape).join('|'), 'g');
        this.#longest = sorted[0]?.length ?? 1;
    }
    pass(piece) {
        const text = this.#rest + piece;
        return this.#replace(text, text.length - this.#longest + 1);
    }
    /** What was held back, as it might have been the beginning of a secret. */
    end() {
        return this.#replace(this.#rest, this.#rest.length);
    }
    /** A secret that begins at `until` or later may have more to come. */
    #replace(text, until) {
        let out = '';
        let from = 0;
        for (const { 0: secret, index } of this.#any === undefined ? [] : text.matchAll(this.#any)) {
            if (index >= until)
                break;
            out += text.slice(from, index) + IN_PLACE;
            from = index + secret.length;
        }
        const end = Math.max(from, until);
        this.#rest = text.slice(end);
        return out + text.slice(from, end);
    }
}
/** Shorter ones, like `1`, would blank out half of what is there. */
const MIN_LENGTH = 3;
/** As it is, and as it stands in JSON; each as bytes. */
function formsOf(text) {
    return [text, JSON.stringify(text).slice(1, -1)].map((form) => Buffer.from(form, 'utf8').toString('latin1'));
}

// EXTERNAL MODULE: ./control-plane/json.ts
var control_plane_json = __webpack_require__(8295);
;// CONCATENATED MODULE: ./request/pages.ts

/** Nothing for what is no page at all. */
function readPage(body) {
    const json = (0,control_plane_json/* parseJson */.q)(body);
    if (!json.ok)
        return undefined;
    if (Array.isArray(json.value))
        return { kind: 'whole', entries: json.value };
    const resources = fieldOf(json.value, 'resources');
    const offset = fieldOf(json.value, 'offset');
    if (Array.isArray(resources))
        return { kind: 'offset', entries: resources, offset: typeof offset === 'number' ? offset : undefined };
    const items = fieldOf(json.value, 'items');
    if (!Array.isArray(items))
        return undefined;
    const cursor = CURSORS.map((name) => fieldOf(json.value, name)).find((one) => typeof one === 'string');
    return {
        kind: 'cursor',
        entries: items,
        cursor: typeof cursor === 'string' && cursor !== '' ? cursor : undefined,
    };
}
/** The contract names no field for the cursor: the usual ones. */
const CURSORS = ['next_cursor', 'next_page_token', 'cursor', 'next'];
/** Where a list goes on after a page that was read with such a query. */
function nextPage(page, query) {
    switch (page.kind) {
        case 'whole':
            return { kind: 'end' };
        case 'offset': {
            // Only an empty page is the last one: a service may filter after it has cut the page, and send a short one.
            if (page.entries.length === 0)
                return { kind: 'end' };
            const before = Number(pages_valueOf(query, 'offset') ?? 0);
            const offset = page.offset ?? before + page.entries.length;
            if (offset > before)
                return { kind: 'next', query: withValue(query, 'offset', String(offset)) };
            return { kind: 'stuck', why: `the offset stays at ${offset}` };
        }
        case 'cursor':
            if (page.cursor === undefined)
                return { kind: 'end' };
            if (page.cursor === pages_valueOf(query, 'cursor'))
                return { kind: 'stuck', why: 'the cursor stays the same' };
            return { kind: 'next', query: withValue(query, 'cursor', page.cursor) };
    }
}
function fieldOf(value, name) {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
function pages_valueOf(query, name) {
    return query.findLast(([key]) => key === name)?.[1];
}
function withValue(query, name, value) {
    const others = query.filter(([key]) => key !== name).map(([key, one]) => [key, one]);
    return [...others, [name, value]];
}

;// CONCATENATED MODULE: ./request/receive.ts





/** So much of an answer may explain an error, in bytes. */
const MAX_EXPLANATION = 256 * 1024;
/** Streams an answer of any length to a file, without the secrets in it. */
function receiveInto({ file, secrets, mask, onReceived }) {
    return async (message, onMove) => {
        const hidden = isJson(message) ? new hidden_values/* HiddenValues */.P() : undefined;
        const known = new KnownSecrets(secrets);
        let bytes = 0;
        const clean = async function* (source) {
            for await (const chunk of source) {
                onMove();
                const piece = Buffer.from(chunk).toString('latin1');
                const out = Buffer.from(known.pass(hidden?.pass(piece) ?? piece), 'latin1');
                bytes += out.length;
                yield out;
            }
            const rest = Buffer.from(known.end(), 'latin1');
            bytes += rest.length;
            yield rest;
        };
        await (0,external_node_stream_promises_.pipeline)(message, clean, (0,external_node_fs_.createWriteStream)(file, { mode: 0o600 }));
        mask([...(hidden?.found.secrets ?? []), ...(hidden?.found.keys ?? [])]);
        const status = message.statusCode ?? 0;
        onReceived({ status, announcedBytes: announcedBytes(message), bytes });
        return bytes <= MAX_EXPLANATION ? await (0,promises_.readFile)(file, 'utf8') : '';
    };
}
function isJson({ headers }) {
    return /^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');
}
function announcedBytes({ headers }) {
    const length = headers['content-length'];
    return length === undefined ? undefined : Number(length);
}

// EXTERNAL MODULE: ./control-plane/catalogue/check.ts
var check = __webpack_require__(9719);
;// CONCATENATED MODULE: ./request/remarks.ts

/** What is to be said of a route before anything is sent there. */
function remarksOn({ found, method, path }, wallTime) {
    switch (found.kind) {
        case 'unknown':
            return [{ level: 'notice', text: `${path} is no route of the known API; it is sent as it is.` }];
        case 'other-methods': {
            const known = [...new Set(found.methods)].join(', ');
            const text = `${path} is known for ${known}, not for ${method}; it is sent as it is.`;
            return [{ level: 'notice', text }];
        }
        case 'known': {
            const { deprecated, separateHost } = found.route;
            const remarks = [];
            if (deprecated !== undefined)
                remarks.push((0,check/* tellDeprecation */.Y3)(found.route, deprecated, wallTime));
            if (separateHost === true) {
                const text = `${method} ${path} stands on a host of its own: base-url has to be that one.`;
                remarks.push({ level: 'notice', text });
            }
            return remarks;
        }
    }
}

;// CONCATENATED MODULE: ./operations/request.ts












/**
 * Sends one request to any route and hands its answer on, in a file and, when it is small, as an output.
 * @throws ControlPlaneError when it was not answered as expected; the answer, if any, is in the record all the same
 */
async function request(call, doors, record) {
    const { log, clock } = doors;
    log.mask(call.secrets);
    for (const { level, text } of remarksOn(call, clock.wallTime())) {
        if (level === 'error')
            log.error(text, 'Request');
        else
            log[level](text);
    }
    const folder = await (0,promises_.mkdtemp)(external_node_path_default().join(doors.tempDir ?? (0,external_node_os_.tmpdir)(), 'request-'));
    const file = external_node_path_default().join(folder, 'response');
    if (call.paginate)
        await readList(call, file, doors, record);
    else
        await readOnce(call, file, doors, record);
    const { answer } = record;
    if (answer?.file !== undefined)
        log.info(`${sizeOf(answer)} in ${answer.file}`);
    return { kind: 'answered' };
}
function sizeOf({ bytes, entries }) {
    const list = entries === undefined ? '' : `${entries} ${entries === 1 ? 'entry' : 'entries'}, `;
    return `${list}${bytes} bytes`;
}
async function readOnce(call, file, doors, record) {
    let received;
    const receive = receiveInto({
        file,
        secrets: secretsOf(call, doors),
        mask: doors.log.mask,
        onReceived: (next) => {
            received = next;
        },
    });
    const content = contentOf(call.body);
    try {
        await doors.transport({
            ...plainRequest(call, call.query),
            ...(content === undefined ? {} : { content }),
            receive,
        });
    }
    finally {
        if (received !== undefined) {
            const { status, bytes, announcedBytes } = received;
            // A HEAD tells a size and brings nothing.
            const size = call.method === 'HEAD' ? (announcedBytes ?? 0) : bytes;
            record.answer = { status, bytes: size, file, text: await readSmall(file, bytes), entries: undefined };
        }
    }
}
async function readList(call, file, doors, record) {
    let entries = 0;
    let status = 0;
    const json = async function* () {
        for await (const page of readPages(call, doors)) {
            status = page.status;
            for (const entry of page.entries)
                yield `${entries++ === 0 ? '[' : ','}\n${JSON.stringify(entry)}`;
        }
        yield entries === 0 ? '[]\n' : '\n]\n';
    };
    try {
        await (0,external_node_stream_promises_.pipeline)(json, (0,external_node_fs_.createWriteStream)(file, { mode: 0o600 }));
    }
    catch (thrown) {
        if (thrown instanceof errors/* RefusedError */.fk)
            record.answer = { status: thrown.status, bytes: 0, file: undefined, text: undefined, entries };
        throw thrown;
    }
    const { size: bytes } = await (0,promises_.stat)(file);
    record.answer = { status, bytes, file, text: await readSmall(file, bytes), entries };
}
async function* readPages(call, doors) {
    let query = startOf(call);
    for (;;) {
        const { status, body } = await doors.transport(plainRequest(call, query));
        const page = readPage(withoutSecrets(body, call, doors));
        if (page === undefined)
            throw notPaged(call);
        yield { status, entries: page.entries };
        const next = nextPage(page, query);
        if (next.kind === 'stuck')
            doors.log.warning(`The list may not be complete: ${next.why}.`);
        if (next.kind !== 'next')
            return;
        query = next.query;
    }
}
/** The largest page that the route is known to give: fewer requests. */
function startOf({ query, found }) {
    const rule = found.kind === 'known' ? found.route.query?.['limit'] : undefined;
    if (rule?.kind !== 'integer' || rule.max === undefined || query.some(([name]) => name === 'limit'))
        return query;
    return [...query, ['limit', String(rule.max)]];
}
function plainRequest(call, query) {
    const { method, path: at, headers, expects } = call;
    const search = new URLSearchParams([...query]).toString();
    return {
        method,
        path: search === '' ? at : `${at}?${search}`,
        headers: { accept: '*/*', ...headers },
        attempted: `carry out ${method} ${at}`,
        accepts: expects.has,
    };
}
function withoutSecrets(body, call, doors) {
    const hidden = new hidden_values/* HiddenValues */.P();
    const known = new KnownSecrets(secretsOf(call, doors));
    const passed = known.pass(hidden.pass(Buffer.from(body).toString('latin1'))) + known.end();
    doors.log.mask([...hidden.found.secrets, ...hidden.found.keys]);
    return Buffer.from(passed, 'latin1').toString('utf8');
}
function secretsOf({ secrets }, { credentials }) {
    const { apiKey, bearerToken, tenantId } = credentials;
    return [...secrets, ...[apiKey, bearerToken, tenantId].filter((one) => one !== undefined)];
}
function notPaged({ method, path: at }) {
    return new errors/* BrokenContractError */.Sq({
        attempted: `read the list ${method} ${at} to its end`,
        cameBack: 'the answer is no page of "resources" or "items", and no list',
        hint: 'Leave paginate out for a route that gives no list.',
    });
}
/** The largest answer that becomes an output, in bytes: a job has 1 MB for all its outputs together. */
const MAX_OUTPUT_BYTES = 256 * 1024;
async function readSmall(file, bytes) {
    if (bytes > MAX_OUTPUT_BYTES)
        return undefined;
    const content = await (0,promises_.readFile)(file);
    const text = content.toString('utf8');
    // What is no text would come out broken.
    return Buffer.from(text).equals(content) && !text.includes('\u0000') ? text : undefined;
}


/***/ }),

/***/ 2663:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ HiddenValues)
/* harmony export */ });
const OPENS_DOORS = /^(.*_)?(token|api_key|password|upload_url)$/i;
const MAX_KEPT = 64 * 1024;
const IN_PLACE = '"***"';
/**
 * Reads a JSON text piece by piece, of any length, and writes it on with the values of `secrets` left out (contract,
 * "Deployment" and "Secret": an answer may carry them). Pieces are strings of bytes (latin1), as all that JSON is built
 * of is ASCII. What is no JSON is handed on somehow, and never fails.
 */
class HiddenValues {
    found = { secrets: [], keys: [] };
    #stack = [];
    /** The string that we are in: what is kept of it, and what becomes of it. */
    #text;
    #isEscaped = false;
    /** Gives the next piece as it may be handed on. */
    pass(piece) {
        let out = '';
        let from = 0;
        for (let at = 0; at < piece.length; at++) {
            const character = piece.charAt(at);
            if (this.#text !== undefined) {
                if (!this.#endsWith(character))
                    continue;
                if (this.#text.role !== 'secret')
                    out += piece.slice(from, at + 1);
                from = at + 1;
                this.#close(this.#text);
            }
            else if (character === '"') {
                const role = this.#roleOfNext();
                this.#text = { role, kept: '' };
                if (role !== 'secret')
                    continue;
                out += piece.slice(from, at) + IN_PLACE;
                from = at + 1;
            }
            else
                this.#structure(character);
        }
        if (this.#text?.role !== 'secret')
            out += piece.slice(from);
        return out;
    }
    /** Takes one character of a string; whether it is the one that ends it. */
    #endsWith(character) {
        const text = this.#text;
        if (text === undefined)
            return false;
        if (!this.#isEscaped && character === '"')
            return true;
        this.#isEscaped = !this.#isEscaped && character === '\\';
        if (text.role !== 'value' && text.kept.length < MAX_KEPT)
            text.kept += character;
        return false;
    }
    #roleOfNext() {
        const inside = this.#stack.at(-1);
        if (inside?.kind === 'object' && inside.expectsKey)
            return 'key';
        if (inside?.isSecret === true && inside.key !== 'name')
            return 'secret';
        return inside !== undefined && OPENS_DOORS.test(inside.key) ? 'door' : 'value';
    }
    #close({ role, kept }) {
        this.#text = undefined;
        const inside = this.#stack.at(-1);
        if (role === 'key' && inside !== undefined) {
            inside.key = kept;
            inside.expectsKey = false;
        }
        if (role === 'secret')
            this.found.secrets.push(decoded(kept));
        if (role === 'door')
            this.found.keys.push(decoded(kept));
    }
    #structure(character) {
        const inside = this.#stack.at(-1);
        switch (character) {
            case '{':
            case '[': {
                const kind = character === '{' ? 'object' : 'array';
                const isSecret = inside?.isSecret === true || inside?.key === 'secrets';
                // The items of a list stand under the list's own key.
                const key = kind === 'array' ? (inside?.key ?? '') : '';
                this.#stack.push({ kind, isSecret, key, expectsKey: kind === 'object' });
                return;
            }
            case '}':
            case ']':
                this.#stack.pop();
                return;
            case ',':
                if (inside !== undefined)
                    inside.expectsKey = inside.kind === 'object';
                return;
            default:
                return;
        }
    }
}
/** From bytes of JSON to the text that they stand for. */
function decoded(kept) {
    const text = Buffer.from(kept, 'latin1').toString('utf8');
    try {
        const value = JSON.parse(`"${text}"`);
        return String(value);
    }
    catch {
        return text;
    }
}


/***/ })

};
