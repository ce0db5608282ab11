export const id = 714;
export const ids = [714];
export const modules = {

/***/ 8714:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readApiCall: () => (/* binding */ readApiCall)
});

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
;// CONCATENATED MODULE: ./request/catalogue/check.ts
/** Returns the problems of a query that the API would reject. */
function checkQuery({ query: rules = {} }, query) {
    return Object.entries(rules).flatMap(([name, rule]) => {
        const values = query.filter(([key]) => key === name).map(([, value]) => value);
        if (values.length === 0)
            return rule.required === true ? [`${name} is required`] : [];
        return values.flatMap((value) => queryProblem(value, rule) ?? []).map((problem) => `${name} ${problem}`);
    });
}
function queryProblem(value, rule) {
    switch (rule.kind) {
        case 'text':
            return undefined;
        case 'boolean':
            return /^(true|false)$/.test(value) ? undefined : 'must be true or false';
        case 'one of':
            return rule.accepted.includes(value) ? undefined : `must be one of ${rule.accepted.join(', ')}`;
        case 'integer': {
            const { min, max = Infinity } = rule;
            const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
            if (number >= min && number <= max)
                return undefined;
            return `must be a whole number ${max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`}`;
        }
    }
}
function checkBody({ body: rule, upload }, body) {
    if (upload !== undefined)
        return checkUpload(upload.maxBytes, body);
    if (rule === undefined)
        return [];
    if (body !== undefined && body.kind !== 'json')
        return [{ part: 'body', message: 'must be JSON for this route' }];
    return rule(body?.value).map((message) => ({ part: 'body', message }));
}
function checkUpload(maxBytes, body) {
    if (body === undefined)
        return [{ part: 'file', message: 'is required: this route accepts multipart/form-data' }];
    if (body.kind !== 'file')
        return [{ part: 'body', message: 'is not accepted by this route: set file instead' }];
    if (body.bytes <= maxBytes)
        return [];
    const message = `must not be larger than ${maxBytes / 1_000_000} megabytes for this route`;
    return [{ part: 'file', message }];
}

// EXTERNAL MODULE: ./request/catalogue/find.ts + 3 modules
var find = __webpack_require__(8634);
// EXTERNAL MODULE: ./control-plane/method.ts
var control_plane_method = __webpack_require__(8956);
// EXTERNAL MODULE: ./request/redact-json.ts
var redact_json = __webpack_require__(4379);
// EXTERNAL MODULE: ./http/json.ts
var json = __webpack_require__(9159);
// EXTERNAL MODULE: ./inputs/parsers.ts
var parsers = __webpack_require__(5140);
;// CONCATENATED MODULE: ./request/inputs/texts.ts

/** Parses a path below base-url and its query. The path cannot leave base-url. */
const relativePath = (given) => {
    (0,parsers/* text */.Qq)(given);
    (0,parsers/* refusePassword */.Av)(given);
    if (/^[a-z][a-z0-9+.-]*:/i.test(given) || /^[\\/]{2}/.test(given))
        throw new parsers/* Unacceptable */.q$(`must be a path below base-url, as in /v2/deployments, not a full address`);
    if (given.includes('#'))
        throw new parsers/* Unacceptable */.q$('must not contain a fragment');
    const [before = '', ...after] = given.split('?');
    const segments = before.replace(/^\//, '').split('/');
    if (segments.some(isUpward))
        throw new parsers/* Unacceptable */.q$('must not contain "." or ".." or a backslash: the path must stay below base-url');
    const url = new URL(`http://base/${segments.join('/')}`);
    return { path: url.pathname, query: [...new URLSearchParams(after.join('?'))] };
};
/** Whether a server may read the segment as a step upwards. Servers differ in what they decode and how often. */
function isUpward(segment) {
    let decoded = segment;
    for (let times = 0; times < 3; times++)
        decoded = decoded.replace(/%(2e|2f|3b|5c|25)/gi, (code) => decodeURIComponent(code));
    // Some servers remove path parameters first, so that `..;` is a step.
    const steps = decoded.split('/').map((part) => part.replace(/;.*/, ''));
    return decoded.includes('\\') || steps.some((step) => step === '.' || step === '..');
}
const STATUS = /^[1-5](\d\d|xx)$/i;
/** Parses `200`, `2xx`, or several with commas or blanks. */
const statuses = (given) => {
    const wanted = given.toLowerCase().match(/[^\s,]+/g) ?? [];
    if (wanted.length === 0 || !wanted.every((one) => STATUS.test(one)))
        throw new parsers/* Unacceptable */.q$('must be statuses, as in 200, 2xx or "200, 404"');
    return (status) => wanted.some((one) => one === String(status) || one === `${String(status).charAt(0)}xx`);
};
/** Returns the lines without blanks around them, and without empty ones. */
function nonEmptyLines(text) {
    return text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
}
/** Headers that the action sets. Another value would break the request or send other credentials. */
const RESERVED = /^(host|content-length|content-type|transfer-encoding|connection|expect|cookie|authorization|x-api-key|user-agent)$/i;
/** Parses lines `Name: value`. */
const headerLines = (given) => {
    const headers = {};
    for (const line of nonEmptyLines(given)) {
        const [name = '', ...rest] = line.split(':');
        const value = rest.join(':').trim();
        if (rest.length === 0 || !/^[\x20-\x7e\t]*$/.test(value))
            throw new parsers/* Unacceptable */.q$('must be lines of the form "Name: value", as in "Range: bytes=0-99"');
        (0,parsers/* headerName */.Bv)(name);
        if (RESERVED.test(name))
            throw new parsers/* Unacceptable */.q$(`must not set ${name}: the action sets it itself`);
        headers[name.toLowerCase()] = value;
    }
    return headers;
};

;// CONCATENATED MODULE: ./request/inputs/documents.ts



/** No message repeats the input, which may contain a secret. */
const QUERY_FORMS = 'must be a mapping in YAML or JSON, or text as in limit=10&offset=0';
/** Reads a mapping in YAML or JSON, in which a list repeats its name, or text like `limit=10&offset=0` on any number of lines. */
async function readQuery(given, read) {
    const lines = nonEmptyLines(given);
    if (lines.every((line) => /^[^\s:{"'=]+=/.test(line)))
        return lines.flatMap((line) => [...new URLSearchParams(line)]);
    const reading = await readYaml(given);
    const pairs = reading.kind === 'read' && isPlainObject(reading.value)
        ? Object.entries(reading.value).map(([name, value]) => parametersOf(name, value))
        : [undefined];
    const known = pairs.filter((some) => some !== undefined);
    if (known.length < pairs.length)
        read.problems.push({ input: 'query', message: QUERY_FORMS });
    return known.flat();
}
/** Returns one parameter for a scalar, several for a list, none for null; `undefined` for a value that a query cannot contain. */
function parametersOf(name, value) {
    if (value === null)
        return [];
    const all = Array.isArray(value) ? value : [value];
    const areTexts = all.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
    return areTexts ? all.map((one) => [name, String(one)]) : undefined;
}
const FIELD = /^[ \t]*(?:- +)?(?:[\w.$/-]+|"[^"\n]*"|'[^'\n]*')[ \t]*:(?:\s|$)/m;
const ENTRY = /^[ \t]*-(?:\s|$)/m;
/** Whether a mapping or a list was meant: the text begins like JSON, or a line begins with a field or an entry. */
function looksLikeData(given) {
    return /^\s*[{[]/.test(given) || FIELD.test(given) || ENTRY.test(given);
}
/** Reads JSON unchanged, a mapping or a list in YAML as JSON, and other text as text. Broken JSON or YAML is a problem. */
async function readBodyText(given, read) {
    const data = await readData(given);
    if (data.kind === 'json')
        return data;
    if (data.kind === 'unreadable' && looksLikeData(given)) {
        const message = `looks like YAML or JSON, but ${data.message}; use file to send it as text`;
        read.problems.push({ input: 'body', message });
        return undefined;
    }
    return { kind: 'text', text: given };
}
/** Whether a file of this name is sent as JSON, the API's usual format. */
function isDataFile(name) {
    return /\.(json|ya?ml)$/i.test(name);
}
/** Reads the content of such a file, scalars included, as JSON. */
async function readBodyFile(bytes, read) {
    // The decoder removes a byte order mark.
    const data = (0,external_node_buffer_.isUtf8)(bytes)
        ? await readData(new TextDecoder().decode(bytes))
        : { kind: 'unreadable', message: 'is not UTF-8' };
    if (data.kind === 'json')
        return data;
    if (data.kind === 'scalar')
        return { kind: 'json', value: data.value, text: JSON.stringify(data.value) };
    read.problems.push({ input: 'file', message: `cannot be sent as JSON: it ${data.message}` });
    return undefined;
}
/** Parses JSON without parseJson's limit on values, which is meant for responses. */
function parseOwn(given) {
    try {
        const value = JSON.parse(given);
        return { ok: true, value };
    }
    catch {
        // parseJson detects text that is too large for the YAML parser as well.
        return (0,json/* parseJson */.qF)(given);
    }
}
async function readData(given) {
    const json = parseOwn(given);
    // The text stays unchanged because parsing would round large numbers.
    if (json.ok)
        return { kind: 'json', value: json.value, text: given.trim() };
    if (json.bloated)
        return { kind: 'unreadable', message: 'has far too many values, or is nested far too deeply' };
    const reading = await readYaml(given);
    if (reading.kind === 'unreadable')
        return reading;
    const { value } = reading;
    return typeof value === 'object' && value !== null
        ? { kind: 'json', value, text: JSON.stringify(value) }
        : { kind: 'scalar', value };
}
/** Imported here because yaml comes with it. */
async function readYaml(given) {
    const { parseYaml } = await Promise.all(/* import() */[__webpack_require__.e(637), __webpack_require__.e(137)]).then(__webpack_require__.bind(__webpack_require__, 137));
    return parseYaml(given);
}
function isPlainObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// EXTERNAL MODULE: ./sources/quote.ts
var quote = __webpack_require__(6317);
// EXTERNAL MODULE: ./regular-file.ts
var regular_file = __webpack_require__(7663);
// EXTERNAL MODULE: ./sources/workspace-path.ts
var workspace_path = __webpack_require__(2662);
;// CONCATENATED MODULE: ./request/inputs/read-request.ts













/** Reads the request of operation `request` and checks it against the catalogue of routes. */
async function readApiCall(read, workspace, api = 'agent-server') {
    const method = read.defaulted('method', (given) => parsers/* oneOf */.yL(...control_plane_method/* METHODS */.J)(given.toUpperCase()));
    const target = read.optional('path', relativePath);
    if (read.isUnset('path'))
        read.problems.push({ input: 'path', message: 'is required, as in /v2/deployments' });
    const query = [...(target?.query ?? []), ...(await readQuery(read.raw('query'), read))];
    const expects = read.defaulted('expect-status', statuses);
    const headers = read.optional('headers', headerLines) ?? {};
    const paginate = read.defaulted('paginate', parsers/* boolean */.zM);
    const timeoutMs = read.defaulted('timeout', parsers/* duration */.p0);
    const match = target === undefined ? { kind: 'unknown' } : (0,find/* findRoute */.$)(method, target.path, api);
    const route = (0,find/* routeOf */.L)(match);
    const body = await readBody(read, workspace, method, route);
    if (paginate && method !== 'GET') {
        const message = `is accepted only with GET, not with ${method}`;
        read.problems.push({ input: 'paginate', value: 'true', message });
    }
    if (target === undefined)
        return undefined;
    if (route !== undefined)
        checkRules(route, read, query, body);
    // A service may repeat a body that it rejects.
    const secrets = body?.kind === 'json' ? (0,redact_json/* findSecrets */.d)(body.text) : [];
    const values = Object.values(headers);
    const bodyText = await textOf(body);
    const inBody = bodyText === undefined ? valuesOf(body) : partsOf(bodyText);
    const echoes = [...query.map(([, value]) => value), ...values, ...values.flatMap(wordsOf), ...inBody];
    return { method, ...target, query, headers, body, paginate, expects, timeoutMs, match, secrets, echoes, bodyText };
}
/** A larger file is no text that an error repeats, in bytes. */
const MAX_TEXT_BYTES = 64 * 1024;
/** The strings of a JSON body that count, which are the first ones. */
const MAX_STRINGS = 1_000;
const MIN_WORD = 8;
/** The body, if it is text. */
async function textOf(body) {
    switch (body?.kind) {
        case undefined:
            return undefined;
        case 'text':
            return body.text;
        case 'json':
            return typeof body.value === 'string' ? body.value : undefined;
        case 'file': {
            if (body.bytes > MAX_TEXT_BYTES)
                return undefined;
            const bytes = await (0,regular_file/* readWhole */.oD)(body.file, MAX_TEXT_BYTES);
            return (0,external_node_buffer_.isUtf8)(bytes) ? new TextDecoder().decode(bytes) : undefined;
        }
    }
}
/** What an error may repeat of JSON: long strings. */
function valuesOf(body) {
    if (body?.kind !== 'json')
        return [];
    return typeof body.value === 'object' ? stringsOf(body.value).slice(0, MAX_STRINGS) : [body.text];
}
/** What an error may repeat of a text: its lines and long words. */
function partsOf(text) {
    return [...new Set([text, ...nonEmptyLines(text), ...wordsOf(text)])];
}
function wordsOf(text) {
    return text.split(/[\s=:,;"']+/).filter((word) => word.length >= MIN_WORD);
}
/** A loop, as a body may be nested deeply. */
function stringsOf(value) {
    const found = new Set();
    const open = [value];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
        if (typeof one === 'string' && one.length >= MIN_WORD)
            found.add(one);
        if (typeof one === 'object' && one !== null)
            for (const inner of Object.values(one))
                open.push(inner);
    }
    return [...found];
}
function checkRules(route, read, query, body) {
    for (const message of checkQuery(route, query))
        read.problems.push({ input: 'query', message });
    const isFile = read.isUnset('body') && !read.isUnset('file');
    const isSet = isFile || !read.isUnset('body');
    // A body that could not be read already has a problem.
    if (body === undefined && isSet)
        return;
    for (const { part, message } of checkBody(route, body))
        read.problems.push({ input: isFile ? 'file' : part, message });
}
async function readBody(read, workspace, method, route) {
    const hasBody = !read.isUnset('body');
    const file = read.optional('file', parsers/* text */.Qq);
    if (hasBody && file !== undefined)
        read.problems.push({ input: 'file', value: file, message: 'must not be set together with body' });
    if ((hasBody || file !== undefined) && (0,control_plane_method/* isRead */.H)(method)) {
        const input = hasBody ? 'body' : 'file';
        read.problems.push({ input, message: `is not accepted with ${method}: set method, for example to POST` });
    }
    if (file !== undefined)
        return await readBodyOf(file, read, workspace, route?.upload !== undefined);
    return hasBody ? await readBodyText(read.raw('body'), read) : undefined;
}
/** The limit for a file sent as JSON, which is read into memory; other files are streamed. */
const MAX_JSON_BYTES = 10 * 1024 * 1024;
async function readBodyOf(file, read, workspace, multipart) {
    const body = await readFileBody(file, read, workspace, multipart);
    if (typeof body !== 'string')
        return body;
    read.problems.push({ input: 'file', value: file, message: body });
    return undefined;
}
/** Returns the body, the message of a problem, or `undefined` if the problem is reported. */
async function readFileBody(file, read, workspace, multipart) {
    const place = await (0,workspace_path/* locate */.x)(file, workspace);
    if (place.kind === 'missing')
        return 'cannot be read: there is no such file';
    if (place.kind === 'refused')
        return place.message;
    const asJson = !multipart && isDataFile(file);
    try {
        const facts = await (0,promises_.stat)(place.real);
        if (!facts.isFile())
            return 'is not a file';
        if (asJson)
            return await readBodyFile(await (0,regular_file/* readWhole */.oD)(place.real, MAX_JSON_BYTES), read);
        return { kind: 'file', file: place.real, name: external_node_path_default().basename(file), bytes: facts.size, multipart };
    }
    catch (thrown) {
        return `cannot be ${asJson ? 'sent as JSON' : 'read'}: ${(0,quote/* codeOf */.$N)(thrown)}`;
    }
}


/***/ })

};
