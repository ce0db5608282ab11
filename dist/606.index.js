export const id = 606;
export const ids = [606];
export const modules = {

/***/ 8185:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Yd: () => (/* binding */ asBytes),
/* harmony export */   e1: () => (/* binding */ asText),
/* harmony export */   qZ: () => (/* binding */ unquoted)
/* harmony export */ });
/** A text as a string of its bytes (latin1): an answer is looked through in pieces, which may end inside a letter. */
function asBytes(text) {
    return Buffer.from(text, 'utf8').toString('latin1');
}
function asText(bytes) {
    return Buffer.from(bytes, 'latin1').toString('utf8');
}
/** The text that the bytes between the quotes of a JSON string stand for. */
function unquoted(bytes) {
    const text = asText(bytes);
    try {
        const value = JSON.parse(`"${text}"`);
        return String(value);
    }
    catch {
        return text;
    }
}


/***/ }),

/***/ 5464:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Y3: () => (/* binding */ tellDeprecation),
/* harmony export */   tI: () => (/* binding */ knownHint),
/* harmony export */   yG: () => (/* binding */ checkRequest)
/* harmony export */ });
/** Holds a request against the rules that the contract states for its route. */
function checkRequest(route, { query, body }) {
    const ofQuery = Object.entries(route.query ?? {}).flatMap(([name, rule]) => {
        const given = query.filter(([key]) => key === name).map(([, value]) => value);
        if (given.length === 0)
            return rule.required === true ? [`needs ${name}`] : [];
        return given.flatMap((value) => queryProblem(name, value, rule) ?? []);
    });
    return [
        ...ofQuery.map((message) => ({ part: 'query', message })),
        ...(route.upload === undefined ? bodyBreaks(route, body) : uploadBreaks(route.upload, body)),
    ];
}
function bodyBreaks({ body: rule }, body) {
    const messages = rule === undefined ? [] : ruleProblems(rule, body);
    return messages.map((message) => ({ part: 'body', message }));
}
/** What is no JSON cannot be held against a rule, and a rule is about JSON. */
function ruleProblems(rule, body) {
    switch (body.kind) {
        case 'unreadable':
            return [];
        case 'none':
            return rule(undefined);
        case 'json':
            return rule(body.value);
        case 'text':
        case 'file':
            return ['must be JSON for this route'];
    }
}
function uploadBreaks({ maxBytes }, body) {
    const largest = `${maxBytes / 1_000_000} megabytes`;
    switch (body.kind) {
        case 'unreadable':
            return [];
        case 'none':
            return [{ part: 'file', message: 'is required: this route takes multipart/form-data' }];
        case 'json':
        case 'text':
            return [{ part: 'body', message: 'is not for this route: it takes a file' }];
        case 'file':
            return body.bytes <= maxBytes
                ? []
                : [{ part: 'file', message: `must not be larger than ${largest} for this route` }];
    }
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

/***/ 4379:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ HiddenValues)
/* harmony export */ });
/* harmony import */ var _bytes_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8185);
/* harmony import */ var _redact_stream_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6626);


const OPENS_DOORS = /^(.*_)?(token|api_key|password|upload_url)$/i;
const NOTHING = { keys: new _redact_stream_js__WEBPACK_IMPORTED_MODULE_0__/* .KnownSecrets */ .R([], 'json'), values: new _redact_stream_js__WEBPACK_IMPORTED_MODULE_0__/* .KnownSecrets */ .R([], 'json') };
const MAX_KEPT = 64 * 1024;
const IN_PLACE = '***';
/** What stands between strings, numbers and the like. */
const BETWEEN = '{}[]:," \t\r\n';
/**
 * Reads a JSON text piece by piece, of any length, and writes it on with the values of `secrets` left out (contract,
 * "Deployment" and "Secret": an answer may carry them), and without what is known to be secret. Pieces are strings of bytes (latin1), as all that JSON is built
 * of is ASCII. What is no JSON is handed on somehow, and never fails.
 */
class HiddenValues {
    found = { secrets: [], keys: [] };
    #stack = [];
    #known;
    /** The string that we are in. */
    #text;
    #isEscaped = false;
    /** The number, or the like, that we are in: what came of it in the pieces before. */
    #bare;
    constructor(known = NOTHING) {
        this.#known = known;
    }
    /** Gives the next piece as it may be handed on. */
    pass(piece) {
        // In most of them is nothing at all: those are not looked through string by string.
        const isSuspicious = this.#known.values.isIn(piece);
        let out = '';
        let from = 0;
        for (let at = 0; at < piece.length; at++) {
            const character = piece.charAt(at);
            if (this.#text !== undefined) {
                if (!this.#endsWith(character))
                    continue;
                out += `${this.#endOfText(this.#text, piece.slice(from, at), isSuspicious)}"`;
                from = at + 1;
                this.#close(this.#text);
            }
            else if (!BETWEEN.includes(character)) {
                if (this.#bare !== undefined)
                    continue;
                out += piece.slice(from, at);
                from = at;
                this.#bare = '';
            }
            else {
                if (this.#bare !== undefined) {
                    out += this.#endOfBare(piece.slice(from, at));
                    from = at;
                }
                if (character === '"') {
                    out += piece.slice(from, at + 1);
                    from = at + 1;
                    this.#text = { role: this.#roleOfNext(), kept: '', isWhole: true };
                }
                else
                    this.#structure(character);
            }
        }
        return out + this.#beginningOf(piece.slice(from));
    }
    /** What was held back, as it might have gone on. Of a secret that was cut off nothing is handed on. */
    end() {
        if (this.#bare !== undefined)
            return this.#endOfBare('');
        const text = this.#text;
        if (text === undefined)
            return '';
        const out = text.role === 'secret' ? IN_PLACE : this.#knownIn(text).end();
        this.#close(text);
        return out;
    }
    /** Of something that may go on in the next piece, what may be handed on by now. */
    #beginningOf(rest) {
        if (this.#text !== undefined) {
            this.#text.isWhole = false;
            return this.#text.role === 'secret' ? '' : this.#knownIn(this.#text).pass(rest);
        }
        if (this.#bare === undefined)
            return rest;
        this.#bare += rest;
        if (this.#bare.length < MAX_KEPT)
            return '';
        // No number is so long: it is no JSON.
        const out = this.#isSecretPlace() ? '' : this.#bare;
        this.#bare = '';
        return out;
    }
    #endOfText(text, rest, isSuspicious) {
        if (text.role === 'secret')
            return IN_PLACE;
        if (text.isWhole && !isSuspicious)
            return rest;
        const known = this.#knownIn(text);
        return known.pass(rest) + known.end();
    }
    #knownIn({ role }) {
        return role === 'key' ? this.#known.keys : this.#known.values;
    }
    #endOfBare(rest) {
        const token = (this.#bare ?? '') + rest;
        this.#bare = undefined;
        const isHidden = this.#isSecretPlace() && token !== 'null';
        // To mask a word like true would blank out half of the log.
        if (isHidden && /\d/.test(token))
            this.found.secrets.push(token);
        // In an error a number may equal a value that is plain: keys are the measure of what can be told from the rest.
        return isHidden || this.#known.keys.isOne(token) ? `"${IN_PLACE}"` : token;
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
    #isSecretPlace() {
        const inside = this.#stack.at(-1);
        return inside?.isSecret === true && inside.key !== 'name';
    }
    #roleOfNext() {
        const inside = this.#stack.at(-1);
        if (inside === undefined)
            return 'value';
        if (inside.kind === 'object' && inside.expectsKey)
            return 'key';
        if (this.#isSecretPlace() || inside.key === 'secrets')
            return 'secret';
        return OPENS_DOORS.test(inside.key) ? 'door' : 'value';
    }
    #close({ role, kept }) {
        this.#text = undefined;
        const inside = this.#stack.at(-1);
        if (role === 'key' && inside !== undefined) {
            inside.key = kept.includes('\\') ? (0,_bytes_js__WEBPACK_IMPORTED_MODULE_1__/* .unquoted */ .qZ)(kept) : kept;
            inside.expectsKey = false;
        }
        if (role === 'secret')
            this.found.secrets.push((0,_bytes_js__WEBPACK_IMPORTED_MODULE_1__/* .unquoted */ .qZ)(kept));
        if (role === 'door')
            this.found.keys.push((0,_bytes_js__WEBPACK_IMPORTED_MODULE_1__/* .unquoted */ .qZ)(kept));
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


/***/ }),

/***/ 6626:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   R: () => (/* binding */ KnownSecrets)
/* harmony export */ });
/* harmony import */ var _bytes_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8185);

const IN_PLACE = '***';
/** Shorter ones, like `1`, would blank out half of what is there. */
const MIN_LENGTH = 3;
/** An escape of JSON is one character: no secret begins in the middle of it. */
const ESCAPE = String.raw `\\u[0-9a-fA-F]{4}|\\.`;
const LONGEST_ESCAPE = 6;
/**
 * Takes texts that are known to be secret out of a stream of bytes (latin1), also where two pieces meet: out of any text,
 * or out of what stands between the quotes of a JSON string, which then still is one. Some are taken out only where they
 * are the whole of it.
 */
class KnownSecrets {
    #secrets;
    #any;
    #each;
    #longest;
    #whole;
    #longestWhole;
    #rest = '';
    /** Nothing of the text was handed on yet. */
    #isStart = true;
    /** @param whole those that are taken out only where they are the whole of a text */
    constructor(secrets, where, whole = []) {
        const inside = formsOf(secrets, where);
        const alone = formsOf(whole, where);
        const pattern = patternOf(inside);
        this.#secrets = new Set([...secrets, ...whole].filter(isLong).map(_bytes_js__WEBPACK_IMPORTED_MODULE_0__/* .asBytes */ .Yd));
        this.#any = inside.length + alone.length === 0 ? undefined : new RegExp(patternOf([...inside, ...alone]));
        this.#each =
            inside.length === 0
                ? undefined
                : new RegExp(where === 'json' ? `(${pattern})|${ESCAPE}` : `(${pattern})`, 'gs');
        this.#longest = Math.max(LONGEST_ESCAPE, inside[0]?.length ?? 0);
        this.#whole = new Set(alone);
        this.#longestWhole = alone[0]?.length ?? 0;
    }
    pass(piece) {
        const text = this.#rest + piece;
        if (this.#isStart && text.length <= this.#longestWhole) {
            this.#rest = text;
            return '';
        }
        this.#isStart = false;
        return this.#replace(text, text.length - this.#longest + 1);
    }
    /** What was held back, as it might have been a secret or the beginning of one. Begins anew after it. */
    end() {
        const rest = this.#rest;
        const isSecret = this.#isStart && this.#whole.has(rest);
        this.#isStart = true;
        this.#rest = '';
        return isSecret ? IN_PLACE : this.#replace(rest, rest.length);
    }
    /** Whether a secret stands anywhere in a text as a whole. */
    isIn(text) {
        return this.#any?.test(text) === true;
    }
    /** Whether a text is a secret. */
    isOne(text) {
        return this.#secrets.has(text);
    }
    /** A secret that begins at `until` or later may have more to come. */
    #replace(text, until) {
        const each = this.#each;
        this.#rest = '';
        if (each === undefined)
            return text;
        let out = '';
        let from = 0;
        for (const { 0: whole, 1: secret, index } of text.matchAll(each)) {
            if (index >= until)
                break;
            out += text.slice(from, index) + (secret === undefined ? whole : IN_PLACE);
            from = index + whole.length;
        }
        const end = Math.max(from, until);
        this.#rest = text.slice(end);
        return out + text.slice(from, end);
    }
}
function isLong(text) {
    return text.length >= MIN_LENGTH;
}
/** The longest first: at one and the same place it has to go. */
function formsOf(secrets, where) {
    const forms = secrets
        .filter(isLong)
        .flatMap((text) => (where === 'json' ? jsonForms(text) : [text, ...jsonForms(text)]));
    return [...new Set(forms.map(_bytes_js__WEBPACK_IMPORTED_MODULE_0__/* .asBytes */ .Yd))].sort((one, other) => other.length - one.length);
}
function patternOf(forms) {
    return forms.map(RegExp.escape).join('|');
}
/** As servers write a text into JSON: some escape more than they have to. */
function jsonForms(text) {
    const plain = JSON.stringify(text).slice(1, -1);
    const ascii = escaped(plain, /[^\u0000-\u007f]/g);
    const forms = [plain, ascii, ascii.replace(/\\u[0-9a-f]{4}/g, upperCase), escaped(plain, /[<>&'+]/g)];
    return [...forms, ...forms.map((form) => form.replaceAll('/', String.raw `\/`))];
}
function escaped(text, which) {
    return text.replace(which, (unit) => String.raw `\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
function upperCase(escape) {
    return String.raw `\u${escape.slice(2).toUpperCase()}`;
}


/***/ }),

/***/ 606:
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
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
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

// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(6466);
// EXTERNAL MODULE: ./control-plane/json.ts
var control_plane_json = __webpack_require__(8295);
// EXTERNAL MODULE: ./request/bytes.ts
var bytes = __webpack_require__(8185);
// EXTERNAL MODULE: ./request/redact-json.ts
var redact_json = __webpack_require__(4379);
// EXTERNAL MODULE: ./request/redact-stream.ts
var redact_stream = __webpack_require__(6626);
;// CONCATENATED MODULE: ./request/pages.ts


/** Whoever asks for a list asks for much: a page of small records has far more values than any other answer. */
const MAX_PAGE_PARTS = 1_000_000;
/** Whether it cannot be read for its size or its depth, be it a page or not. */
function isBloatedPage(body) {
    const json = (0,control_plane_json/* parseExactJson */.lQ)(body, MAX_PAGE_PARTS);
    return !json.ok && json.bloated;
}
/** Nothing for what is no page at all. */
function readPage(body) {
    const json = (0,control_plane_json/* parseExactJson */.lQ)(body, MAX_PAGE_PARTS);
    if (!json.ok)
        return undefined;
    if (Array.isArray(json.value))
        return { kind: 'whole', entries: textsOf(json.value) };
    const resources = fieldOf(json.value, 'resources');
    if (Array.isArray(resources))
        return {
            kind: 'offset',
            entries: textsOf(resources),
            offset: (0,control_plane_json/* numberOf */.rl)(fieldOf(json.value, 'offset')),
        };
    const items = fieldOf(json.value, 'items');
    if (!Array.isArray(items))
        return undefined;
    const cursors = CURSORS.map((name) => fieldOf(json.value, name));
    return { kind: 'cursor', entries: textsOf(items), cursor: cursorOf(cursors.find(isGiven)) };
}
function textsOf(entries) {
    return entries.map((entry) => JSON.stringify(entry));
}
/** Services have many a word for the end. */
const NO_CURSORS = [undefined, null, '', false, 0];
function isGiven(cursor) {
    return !NO_CURSORS.includes((0,control_plane_json/* numberOf */.rl)(cursor) ?? cursor);
}
/** Something stands there, but nothing to send back. */
const UNREADABLE = Symbol('cursor');
function cursorOf(given) {
    if (given === undefined || typeof given === 'string')
        return given;
    const number = (0,control_plane_json/* numberOf */.rl)(given);
    return number !== undefined && Number.isSafeInteger(number) ? String(number) : UNREADABLE;
}
/** The contract names no field for the cursor: the usual ones. */
const CURSORS = ['next_cursor', 'next_page_token', 'cursor', 'next'];
/**
 * Where a list goes on after a page that was read with such a query.
 * @param seen the cursors that came before, which it adds to
 */
function nextPage(page, query, seen) {
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
        case 'cursor': {
            const { cursor } = page;
            if (cursor === undefined)
                return { kind: 'end' };
            if (cursor === UNREADABLE)
                return { kind: 'stuck', why: 'its cursor is neither a text nor a number' };
            // A cursor may be long, and a list may have many pages.
            const mark = (0,external_node_crypto_.createHash)('sha256').update(cursor).digest('base64');
            if (cursor === pages_valueOf(query, 'cursor') || seen.has(mark))
                return { kind: 'stuck', why: 'a cursor came for the second time' };
            seen.add(mark);
            return { kind: 'next', query: withValue(query, 'cursor', cursor) };
        }
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

;// CONCATENATED MODULE: ./request/redaction.ts





/**
 * Of an answer of success a value is taken out where it can be told from all the rest: a name that merely has it in it
 * must stay right, as others compute with it. An error repeats what was sent, and nobody computes with it: of that every
 * value is taken out. Credentials are of no use to anybody, and go everywhere.
 */
function cleanerOf(given, answer) {
    const { credentials, values } = given;
    const telling = values.filter(isTelling);
    const inside = [...credentials, ...(answer.isError ? values : values.filter(isTellingInside))];
    if (answer.isJson)
        return new redact_json/* HiddenValues */.P(answer.isError
            ? {
                keys: new redact_stream/* KnownSecrets */.R([...credentials, ...telling], 'json'),
                values: new redact_stream/* KnownSecrets */.R(inside, 'json'),
            }
            : {
                keys: new redact_stream/* KnownSecrets */.R(inside, 'json', telling),
                values: new redact_stream/* KnownSecrets */.R(inside, 'json', telling),
            });
    const known = new redact_stream/* KnownSecrets */.R(inside, 'text');
    return {
        pass: (piece) => known.pass(piece),
        end: () => known.end(),
        found: { secrets: [], keys: [] },
    };
}
/** A whole text as it may be an output: JSON stays JSON. */
function cleanText(text, given, isError) {
    const cleaned = (isJson) => {
        const cleaner = cleanerOf(given, { isError, isJson });
        const passed = cleaner.pass((0,bytes/* asBytes */.Yd)(text)) + cleaner.end();
        return { text: (0,bytes/* asText */.e1)(passed), found: cleaner.found };
    };
    if (new redact_stream/* KnownSecrets */.R(given.values.filter(isTelling), 'text').isOne((0,bytes/* asBytes */.Yd)(text.trim())))
        return { text: '***', found: { secrets: [], keys: [] } };
    // What only begins like JSON has secrets also where none of its strings are.
    return cleaned(beginsLikeJson(text) && (0,control_plane_json/* parseJson */.qF)(text, MAX_PAGE_PARTS).ok);
}
function beginsLikeJson(text) {
    return /^\s*[{[]/.test(text);
}
/** Under so many characters a plain word or a number, like `true`, `prod` or `2026`, stands in many an answer by chance. */
const MAX_PLAIN = 8;
const PLAIN = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d+(?:\.\d+)?)$/;
/** Whether a string or a number that equals it is hardly there by chance. */
function isTelling(value) {
    return value.length >= MAX_PLAIN || !PLAIN.test(value);
}
/** Of so many characters none stands inside another text by chance, whatever it is. */
const MIN_INSIDE = 16;
const MIN_KEY = 8;
const MIN_CLASSES = 3;
const CLASSES = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/];
/** Like `us-east-1`, `v1.2.3-rc1` or `release/2026.11`: what names and addresses are made of. */
const WORDS = /^(?:[a-z]+\d{0,2}|\d{1,4})(?:[-_./:@]+(?:[a-z]+\d{0,2}|\d{1,4}))*$/i;
/** Whether it is hardly there by chance inside a longer string: it is long, or looks like a key. */
function isTellingInside(value) {
    if (value.length >= MIN_INSIDE)
        return true;
    if (value.length < MIN_KEY || WORDS.test(value))
        return false;
    return CLASSES.filter((one) => one.test(value)).length >= MIN_CLASSES;
}

;// CONCATENATED MODULE: ./request/receive.ts




/** So much of an answer may explain an error, in bytes. */
const MAX_EXPLANATION = 256 * 1024;
/** Streams an answer of any length to a file: a download as it is, anything else without the secrets in it. */
function receiveInto({ file, secrets, isRaw, mask, onReceived }) {
    return async (message, onMove) => {
        const status = message.statusCode ?? 0;
        const isError = status >= 400;
        let cleaner;
        let bytes = 0;
        const counted = (piece) => {
            const out = Buffer.from(piece, 'latin1');
            bytes += out.length;
            return out;
        };
        const clean = async function* (source) {
            for await (const chunk of source) {
                onMove();
                const piece = Buffer.from(chunk).toString('latin1');
                if (piece.trim() !== '' && cleaner === undefined) {
                    const isJson = (isError || !isRaw) && looksLikeJson(message, piece);
                    cleaner = isError || isJson ? cleanerOf(secrets, { isError, isJson }) : AS_IT_IS;
                }
                yield counted(cleaner?.pass(piece) ?? piece);
            }
            yield counted(cleaner?.end() ?? '');
        };
        // A try that breaks off must not leave its half in the place of an answer that came before.
        const part = `${file}.part`;
        try {
            await (0,external_node_stream_promises_.pipeline)(message, clean, (0,external_node_fs_.createWriteStream)(part, { mode: 0o600 }));
            await (0,promises_.rename)(part, file);
        }
        finally {
            await (0,promises_.rm)(part, { force: true });
        }
        mask([...(cleaner?.found.secrets ?? []), ...(cleaner?.found.keys ?? [])]);
        onReceived({ status, announcedBytes: announcedBytes(message), bytes });
        if (bytes > MAX_EXPLANATION)
            return '';
        const text = await (0,promises_.readFile)(file, 'utf8');
        if (!isError)
            return text;
        // What is shown of an error may be JSON, whatever its type says.
        const shown = cleanText(text, secrets, isError);
        mask([...shown.found.secrets, ...shown.found.keys]);
        return shown.text;
    };
}
const AS_IT_IS = { pass: (piece) => piece, end: () => '', found: { secrets: [], keys: [] } };
const JSON_TYPES = /^(?:[^;]*[/+]json|application\/(?:x-ndjson|jsonl))?\s*(?:;|$)/i;
/**
 * By its type and by how it begins, as not every server says what it sends. What says that it is something else is not
 * looked into: of Markdown, too, many a text begins with a bracket.
 */
function looksLikeJson({ headers }, piece) {
    const type = headers['content-type'] ?? '';
    return JSON_TYPES.test(type.trim()) && beginsLikeJson(piece.replace(/^\u00ef\u00bb\u00bf/, ''));
}
function announcedBytes({ headers }) {
    const length = headers['content-length'];
    return length === undefined ? undefined : Number(length);
}

// EXTERNAL MODULE: ./request/catalogue/check.ts
var check = __webpack_require__(5464);
;// CONCATENATED MODULE: ./request/route-notices.ts

/** What the user should know of a route before the request is sent. */
function routeNotices({ found, method, path }, wallTime) {
    switch (found.kind) {
        case 'unknown':
            return [
                { level: 'notice', text: `${path} is not a known route of the API. The request is sent as it is.` },
            ];
        case 'other-methods': {
            const known = [...new Set(found.methods)].join(', ');
            const text = `${path} is known for ${known}, not for ${method}. The request is sent as it is.`;
            return [{ level: 'notice', text }];
        }
        case 'known': {
            const { deprecated, separateHost } = found.route;
            const notices = [];
            if (deprecated !== undefined)
                notices.push((0,check/* tellDeprecation */.Y3)(found.route, deprecated, wallTime));
            if (separateHost === true) {
                const text = `${method} ${path} is served by a separate host: base-url must be that host.`;
                notices.push({ level: 'notice', text });
            }
            return notices;
        }
    }
}

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
;// CONCATENATED MODULE: ./request/call.ts



/** The request as the transport takes it, but for its body. */
function plainRequest(call, query) {
    const { method, path: at, headers, expects, found } = call;
    const route = found.kind === 'known' ? found.route : undefined;
    const search = new URLSearchParams([...query]).toString();
    return {
        method,
        path: search === '' ? at : `${at}?${search}`,
        headers: { accept: '*/*', ...headers },
        attempted: `carry out ${method} ${at}`,
        accepts: expects.has,
        repeatable: route?.idempotent === true,
        hintFor: (status, detail) => route && (0,check/* knownHint */.tI)(route, status, detail),
    };
}
function givenSecrets({ secrets }, { credentials }) {
    const { apiKey, bearerToken } = credentials;
    return { credentials: [apiKey, bearerToken].filter((one) => one !== undefined), values: secrets };
}
/** The body of an answer as it may leave. */
function withoutSecrets(body, status, call, deps) {
    const { text, found } = cleanText(body, givenSecrets(call, deps), status >= 400);
    deps.mask([...found.secrets, ...found.keys]);
    return text;
}
/** The largest answer that becomes an output, in bytes: a job has 1 MB for all its outputs together. */
const MAX_OUTPUT_BYTES = 256 * 1024;
/** What is small enough for an output, and a text. */
async function readSmall(file, bytes) {
    if (bytes > MAX_OUTPUT_BYTES)
        return undefined;
    const content = await (0,promises_.readFile)(file);
    const text = content.toString('utf8');
    // What is no text would come out broken.
    return Buffer.from(text).equals(content) && !text.includes('\u0000') ? text : undefined;
}

;// CONCATENATED MODULE: ./request/read-list.ts






/**
 * Reads a list to its end, into a file that is one JSON array. Emits `answered`, also with the status of a failed page.
 * @throws ControlPlaneError when a page was not answered as expected
 */
async function readList(call, file, deps) {
    const answered = (answer) => deps.emit({ kind: 'answered', answer });
    let entries = 0;
    let status;
    const ask = async (query) => {
        const request = plainRequest(call, query);
        // An answer that is retried to no end is never handed over: here its status is told.
        const accepts = (told) => call.expects.has((status = told));
        const answer = await deps.transport.send({ ...request, accepts });
        status = answer.status;
        return answer;
    };
    const json = async function* () {
        let count = 0;
        for await (const part of readParts(call, deps, ask)) {
            if (part.kind === 'no list') {
                entries = undefined;
                yield part.text;
                return;
            }
            for (const entry of part.entries)
                yield `${count++ === 0 ? '[' : ','}\n${entry}`;
            entries = count;
        }
        yield count === 0 ? '[]\n' : '\n]\n';
    };
    try {
        await (0,external_node_stream_promises_.pipeline)(json, (0,external_node_fs_.createWriteStream)(file, { mode: 0o600 }));
    }
    catch (thrown) {
        if (status !== undefined)
            answered({ status, bytes: 0, file: undefined, text: undefined, entries });
        throw thrown;
    }
    const { size: bytes } = await (0,promises_.stat)(file);
    answered({ status: status ?? 0, bytes, file, text: await readSmall(file, bytes), entries });
}
async function* readParts(call, deps, ask) {
    const seen = new Set();
    let query = startOf(call);
    let count = 0;
    for (let isFirst = true;; isFirst = false) {
        if (deps.clock.now() >= deps.deadline)
            throw tooLate(call, count);
        const { status, body } = await ask(query);
        const text = withoutSecrets(body, status, call, deps);
        const page = readPage(text);
        if (page === undefined) {
            if (isBloatedPage(body))
                throw bloated(call);
            if (!isFirst || status < 300)
                throw notPaged(call);
            yield { kind: 'no list', text };
            return;
        }
        count += page.entries.length;
        yield { kind: 'page', entries: page.entries };
        const next = nextPage(page, query, seen);
        if (next.kind === 'stuck')
            deps.emit({ kind: 'list-incomplete', because: next.why });
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
function toItsEnd({ method, path: at }) {
    return `read the list ${method} ${at} to its end`;
}
function tooLate(call, count) {
    return new errors/* UnreachableError */.Jk({
        attempted: toItsEnd(call),
        cameBack: `the time was over after ${count} entries`,
        hint: 'Set a longer timeout.',
    });
}
function bloated(call) {
    return new errors/* BrokenContractError */.Sq({
        attempted: toItsEnd(call),
        cameBack: 'the page has far too many values, or is nested far too deeply',
        hint: 'Ask for smaller pages by query, as in limit=10, or leave paginate out.',
    });
}
function notPaged(call) {
    return new errors/* BrokenContractError */.Sq({
        attempted: toItsEnd(call),
        cameBack: 'the answer is no page of "resources" or "items", and no list',
        hint: 'Leave paginate out for a route that gives no list.',
    });
}

;// CONCATENATED MODULE: ./request/request.ts








/**
 * Sends one request to any route. Emits `answered` with the file that holds the answer, also when its status is not an
 * expected one.
 * @throws ControlPlaneError when it was not answered as expected
 */
async function request(call, deps) {
    deps.mask(call.secrets);
    for (const notice of routeNotices(call, deps.clock.wallTime()))
        deps.emit({ kind: 'route-notice', ...notice });
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
        secrets: givenSecrets(call, deps),
        isRaw: call.found.kind === 'known' && call.found.route.raw === true,
        mask: deps.mask,
        onReceived: (next) => {
            received = next;
        },
    });
    const content = contentOf(call.body);
    try {
        await deps.transport.send({
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
            const small = await readSmall(file, bytes);
            // A download is in the file as it is; an output is a text that others read.
            const text = small === undefined ? undefined : withoutSecrets(small, status, call, deps);
            deps.emit({ kind: 'answered', answer: { status, bytes: size, file, text, entries: undefined } });
        }
    }
}


/***/ })

};
