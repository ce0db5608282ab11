export const id = 372;
export const ids = [372];
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

/***/ 1092:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  $: () => (/* binding */ findRoute)
});

;// CONCATENATED MODULE: ./control-plane/catalogue/body-rules.ts
/** Contract, "Limits": annotation queue items per request. */
const MAX_ITEMS = 200;
/** `POST /annotation-queues/{queue_id}/items`: the items stand in a list, or in the field `items`. */
const queueItems = (body) => {
    const items = Array.isArray(body) ? body : fieldOf(body, 'items');
    if (!Array.isArray(items))
        return [];
    const list = items;
    const incomplete = list.flatMap((item, place) => {
        if (fieldOf(item, 'item_type') !== 'THREAD')
            return [];
        const missing = ['thread_id', 'session_id'].filter((name) => isAbsent(fieldOf(item, name)));
        return missing.length === 0
            ? []
            : [`has an item of type THREAD without ${missing.join(' and ')} at [${place}]`];
    });
    const tooMany = `has ${list.length} items, and at most ${MAX_ITEMS} are taken at once: send them in parts`;
    return [...(list.length > MAX_ITEMS ? [tooMany] : []), ...cut(incomplete)];
};
/** `POST /v1/agentws/feedback` */
const feedbackIds = (body) => {
    const missing = ['thread_id', 'run_id'].filter((name) => isAbsent(fieldOf(body, name)));
    return missing.length === 0
        ? []
        : [`lacks ${missing.join(' and ')}: a rating is submitted with both thread_id and run_id`];
};
const MAX_TOLD = 10;
function cut(problems) {
    const rest = problems.length - MAX_TOLD;
    return rest > 0 ? [...problems.slice(0, MAX_TOLD), `has ${rest} more such items`] : problems;
}
function fieldOf(value, name) {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
function isAbsent(value) {
    return value === undefined || value === null || value === '';
}

;// CONCATENATED MODULE: ./control-plane/catalogue/routes.ts

const upTo = (max) => ({ kind: 'integer', min: 1, max });
const OFFSET = { kind: 'integer', min: 0 };
const TEXT = { kind: 'text' };
/** Contract, "Limits": `limit` is 1 to 100, default 20; `offset` at least 0, default 0. */
const PAGE = { limit: upTo(100), offset: OFFSET };
const ONLY_SELF_HOSTED = {
    words: /self-hosted enterprise plan/i,
    hint: 'Listeners exist only for workspaces of organizations on a self-hosted enterprise plan: use credentials of such a workspace.',
};
const NO_SUCH_LISTENER = {
    words: /^Listener ID .+ not found/i,
    hint: 'There is no such listener, or it was deleted already: GET /v2/listeners lists those that there are.',
};
const EAGER = { removedOn: '2026-08-10', instead: 'POST /feedback' };
const FORMULAS = { removedOn: '2026-08-20', instead: undefined };
const DEPLOYMENT_TYPE_FILTER = { kind: 'one of', accepted: ['dev_free', 'dev', 'prod'] };
/** Contract, "Limits": files over 100 megabytes get 413. It says MiB where it means that. */
const MEGABYTE = 1_000_000;
/** Every route that the contract and the notes on it name, and what they state about it. */
const ROUTES = [
    // Deployments
    {
        method: 'POST',
        path: '/v2/deployments',
        described: 'contract',
        states: 'Creates a deployment and its first revision, whose id comes as `latest_revision_id`',
        success: 201,
    },
    {
        method: 'GET',
        path: '/v2/deployments',
        described: 'contract',
        states: 'Lists deployments; the returned `offset` is that of the next page',
        success: 200,
        paging: 'offset',
        query: {
            ...PAGE,
            name_contains: TEXT,
            status: TEXT,
            remote_reconciled: { kind: 'boolean' },
            tag_value_ids: TEXT,
            image_version: TEXT,
            deployment_type: DEPLOYMENT_TYPE_FILTER,
            deployment_ids: TEXT,
        },
    },
    {
        method: 'GET',
        path: '/v2/deployments/{deployment_id}',
        described: 'contract',
        states: 'Reads a deployment',
        success: 200,
    },
    {
        method: 'PATCH',
        path: '/v2/deployments/{deployment_id}',
        described: 'contract',
        states: 'Updates a deployment; a revision-relevant field with a value creates a revision, whatever it was before',
        success: 200,
    },
    {
        method: 'DELETE',
        path: '/v2/deployments/{deployment_id}',
        described: 'notes',
        states: 'Deletes a deployment',
        success: 204,
    },
    {
        method: 'POST',
        path: '/deployments/{deployment_id}/upload-url',
        described: 'contract',
        states: 'Gives a signed address to upload source to, and the `object_path` for `source_tarball_path`',
        success: 200,
    },
    // Revisions
    {
        method: 'POST',
        path: '/v2/deployments/{deployment_id}/revisions',
        described: 'contract',
        states: 'Always creates a revision',
        success: 201,
    },
    {
        method: 'GET',
        path: '/v2/deployments/{deployment_id}/revisions',
        described: 'notes',
        states: 'Lists revisions, newest first; `status` is a list with commas',
        success: 200,
        paging: 'offset',
        query: { ...PAGE, status: TEXT },
    },
    {
        method: 'GET',
        path: '/v2/deployments/{deployment_id}/revisions/{revision_id}',
        described: 'contract',
        states: 'Reads a revision',
        success: 200,
    },
    {
        method: 'GET',
        path: '/v2/deployments/{deployment_id}/revisions/{revision_id}/logs',
        described: 'notes',
        states: 'Reads the build or the deploy log',
        success: 200,
        query: {
            type: { kind: 'one of', accepted: ['build', 'deploy'], required: true },
            order: { kind: 'one of', accepted: ['asc', 'desc'] },
            limit: upTo(1000),
            offset: OFFSET,
            level: TEXT,
        },
    },
    {
        method: 'POST',
        path: '/v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy',
        described: 'notes',
        states: 'Deploys a revision again',
        success: 200,
    },
    // Listeners, integrations, tokens
    {
        method: 'GET',
        path: '/v2/listeners',
        described: 'contract',
        states: 'Lists listeners',
        success: 200,
        paging: 'offset',
        query: PAGE,
    },
    {
        method: 'DELETE',
        path: '/v2/listeners/{listener_id}',
        described: 'contract',
        states: 'Deletes a listener; one error says that the organization is on no self-hosted enterprise plan, another that there is no such listener',
        hints: [ONLY_SELF_HOSTED, NO_SUCH_LISTENER],
    },
    {
        method: 'GET',
        path: '/v1/integrations/git_host/install',
        described: 'contract',
        states: 'Lists the installed git-host integrations',
        success: 200,
    },
    {
        method: 'GET',
        path: '/v1/integrations/git_host/{integration_id}/repos',
        described: 'without a path',
        states: 'Lists the repositories of an integration, as an array',
        success: 200,
    },
    {
        method: 'PATCH',
        path: '/v2/auth/tokens/{token_id}/metadata',
        described: 'contract',
        states: "Updates a provider token's label and default flag; only its owner may",
        hints: [
            { status: 403, hint: 'Only the owner of a token may update it: use the credentials of that user.' },
        ],
    },
    // Tracing, datasets, feedback, annotation queues
    {
        method: 'POST',
        path: '/v2/datasets/{dataset_id}/experiment-runs',
        described: 'partly',
        states: 'Compares experiments, in pages',
    },
    {
        method: 'POST',
        path: '/annotation-queues/{queue_id}/items',
        described: 'partly',
        states: 'Adds items of kind RUN or THREAD, mixed if need be, at most 200 at once; a THREAD item has `thread_id` and `session_id`. `extend_trace_retention=false` keeps short-lived traces short-lived',
        query: { extend_trace_retention: { kind: 'boolean' } },
        body: queueItems,
    },
    {
        method: 'GET',
        path: '/v2/runs/{run_id}/url',
        described: 'partly',
        states: 'Gives the address of a run in the user interface',
    },
    {
        method: 'GET',
        path: '/api/v1/workspaces/{workspace_id}',
        described: 'partly',
        states: 'Reads a workspace',
    },
    {
        method: 'POST',
        path: '/runs/rules/validate',
        described: 'partly',
        states: 'Tests a thread evaluator with `test_thread_id` and `session_id`',
    },
    {
        method: 'GET',
        path: '/threads/stats',
        described: 'without a path',
        states: 'Thread statistics; `filter` is a filter expression',
        query: { filter: TEXT },
    },
    {
        method: 'POST',
        path: '/feedback',
        described: 'partly',
        states: 'Gives feedback; takes a thread id',
    },
    {
        method: 'GET',
        path: '/feedback',
        described: 'partly',
        states: 'Lists feedback; can filter by thread id within a project',
    },
    {
        method: 'POST',
        path: '/feedback/eager',
        described: 'partly',
        states: 'Gives feedback',
        deprecated: EAGER,
    },
    {
        method: 'POST',
        path: '/feedback/formulas',
        described: 'partly',
        states: 'Creates a feedback formula',
        deprecated: FORMULAS,
    },
    {
        method: 'GET',
        path: '/feedback/formulas',
        described: 'partly',
        states: 'Lists feedback formulas',
        deprecated: FORMULAS,
    },
    {
        method: 'GET',
        path: '/feedback/formulas/{feedback_formula_id}',
        described: 'partly',
        states: 'Reads a feedback formula',
        deprecated: FORMULAS,
    },
    {
        method: 'PUT',
        path: '/feedback/formulas/{feedback_formula_id}',
        described: 'partly',
        states: 'Replaces a feedback formula',
        deprecated: FORMULAS,
    },
    {
        method: 'DELETE',
        path: '/feedback/formulas/{feedback_formula_id}',
        described: 'partly',
        states: 'Deletes a feedback formula',
        deprecated: FORMULAS,
    },
    // Gateway and identity
    {
        method: 'POST',
        path: '/openai/v1/responses/compact',
        described: 'partly',
        states: 'A gateway route, handled like the responses route',
    },
    {
        method: 'POST',
        path: '/responses/compact',
        described: 'partly',
        states: 'A gateway route, handled like the responses route',
    },
    {
        method: 'POST',
        path: '/identity/guest',
        described: 'partly',
        states: 'Mints a guest token, on a separate host',
        separateHost: true,
    },
    // Agent workspace
    {
        method: 'GET',
        path: '/v1/agentws/users',
        described: 'partly',
        states: 'Lists and searches workspace members by email or name; the user id serves to share an agent',
    },
    {
        method: 'GET',
        path: '/v1/agentws/threads',
        described: 'without a path',
        states: 'Lists threads as `items`',
        paging: 'cursor',
    },
    {
        method: 'POST',
        path: '/v1/agentws/sandboxes',
        described: 'partly',
        states: 'Creates a ready sandbox from a snapshot, by `snapshot_id` or a `name:tag` reference, else from the default one. `delete_after_stop_seconds` left out is the policy of the platform; zero and more are kept',
    },
    {
        method: 'DELETE',
        path: '/v1/agentws/sandboxes/{id}',
        described: 'partly',
        states: 'Deletes a sandbox, in the background: a read right after it may still find it, being deleted. 204 also when it is gone already',
        success: 204,
        idempotent: true,
    },
    {
        method: 'GET',
        path: '/v1/agentws/sandboxes/{id}/files/content',
        described: 'partly',
        states: 'The raw bytes of a file; takes the header `Range`',
    },
    {
        method: 'HEAD',
        path: '/v1/agentws/sandboxes/{id}/files/content',
        described: 'partly',
        states: 'The size of a file',
    },
    {
        method: 'POST',
        path: '/v1/agentws/sandboxes/{id}/files',
        described: 'partly',
        states: 'Uploads a file as multipart/form-data to the destination `path`; over 100 megabytes it answers 413',
        query: { path: { kind: 'text', required: true } },
        upload: { maxBytes: 100 * MEGABYTE },
    },
    {
        method: 'GET',
        path: '/v1/agentws/sandboxes/{id}/files',
        described: 'partly',
        states: 'Lists files under a path by a glob pattern, in pages of `page_size`, with an opaque cursor',
        paging: 'cursor',
        query: { page_size: { kind: 'integer', min: 1 } },
    },
    {
        method: 'GET',
        path: '/v1/agentws/sandbox-snapshots/{ref}',
        described: 'partly',
        states: 'Reads a snapshot, by its id or a Docker-style reference; a bare name means `name:latest`. A slash in it is written %2F',
    },
    {
        method: 'DELETE',
        path: '/v1/agentws/sandbox-snapshots/{ref}',
        described: 'partly',
        states: 'Deletes a snapshot; 409 while any sandbox, even a stopped one, is booted from it',
        idempotent: true,
        hints: [
            {
                status: 409,
                hint: 'A snapshot cannot be deleted while a sandbox, even a stopped one, is booted from it: delete those sandboxes first.',
            },
        ],
    },
    {
        method: 'POST',
        path: '/v1/agentws/feedback',
        described: 'partly',
        states: 'Sets a rating, with both `thread_id` and `run_id`; it is recorded in the audit log',
        body: feedbackIds,
    },
    {
        method: 'DELETE',
        path: '/v1/agentws/feedback',
        described: 'partly',
        states: 'Clears a rating; it is recorded in the audit log',
    },
    {
        method: 'GET',
        path: '/v1/agentws/feedback',
        described: 'partly',
        states: 'Lists up to 100 recent ratings, for admins; `is_truncated` when older ones are left out',
    },
];

;// CONCATENATED MODULE: ./control-plane/catalogue/find.ts

/**
 * Looks a request up in the catalogue.
 * @param path percent-encoded, without a query
 */
function findRoute(method, path) {
    const here = ROUTES.filter((route) => matches(route.path, path));
    // A path that is spelt out goes before one with a placeholder, like /feedback/formulas.
    const route = here
        .filter((one) => one.method === method)
        .sort((one, other) => placeholders(one.path) - placeholders(other.path))[0];
    if (route !== undefined)
        return { kind: 'known', route };
    return here.length === 0
        ? { kind: 'unknown' }
        : { kind: 'other-methods', methods: here.map((one) => one.method) };
}
const VERSION = /^(\/api)?\/v\d+(?=\/)/;
/** The contract prints some paths without a version, and says that every path has one: both are the same route. */
function matches(pattern, path) {
    if (sameSegments(pattern, path))
        return true;
    return !hasVersion(pattern) && sameSegments(pattern, path.replace(VERSION, ''));
}
function hasVersion(pattern) {
    return /\/v\d+\//.test(pattern);
}
function sameSegments(pattern, path) {
    const [wanted, given] = [pattern.split('/'), path.split('/')];
    return (wanted.length === given.length &&
        wanted.every((part, place) => (part.startsWith('{') ? given[place] !== '' : part === given[place])));
}
function placeholders(path) {
    return path.split('{').length;
}


/***/ }),

/***/ 8372:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readApiCall: () => (/* binding */ readApiCall)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(4379);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: ./control-plane/catalogue/check.ts
var check = __webpack_require__(9719);
// EXTERNAL MODULE: ./control-plane/catalogue/find.ts + 2 modules
var find = __webpack_require__(1092);
;// CONCATENATED MODULE: ./control-plane/method.ts
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

// EXTERNAL MODULE: ./request/hidden-values.ts
var hidden_values = __webpack_require__(2663);
// EXTERNAL MODULE: ./control-plane/json.ts
var control_plane_json = __webpack_require__(8295);
;// CONCATENATED MODULE: ./inputs/api-call-documents.ts

/** What a message says may be written; the input itself is never repeated, as a secret may stand in it. */
const QUERY_FORMS = 'must be a mapping in YAML or JSON, or text as in limit=10&offset=0';
/** A mapping in YAML or JSON, whose lists repeat a name; or text as in `limit=10&offset=0`, on one line or several. */
async function readQuery(given, read) {
    const lines = given
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
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
/** One parameter for a scalar, several for a list, none for null; nothing for what cannot stand in a query. */
function parametersOf(name, value) {
    if (value === null)
        return [];
    const all = Array.isArray(value) ? value : [value];
    const texts = all.flatMap((one) => textOf(one) ?? []);
    return texts.length === all.length ? texts.map((text) => [name, text]) : undefined;
}
function textOf(value) {
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : undefined;
}
/** JSON as it is; a mapping or a list in YAML as JSON; anything else as text. */
async function readBodyText(given, read) {
    const json = (0,control_plane_json/* parseJson */.q)(given);
    // The very text: numbers that a parser would round stay as they are.
    if (json.ok)
        return { kind: 'json', value: json.value, text: given.trim() };
    const reading = await readYaml(given);
    if (reading.kind === 'read' && typeof reading.value === 'object' && reading.value !== null)
        return { kind: 'json', value: reading.value, text: JSON.stringify(reading.value) };
    if (reading.kind === 'unreadable' && /^\s*[{[]/.test(given)) {
        read.problems.push({ input: 'body', message: `begins like JSON, but ${reading.message}` });
        return undefined;
    }
    return { kind: 'text', text: given };
}
/** Loaded only when it is needed: a YAML parser comes along. */
async function readYaml(given) {
    const { parseYaml } = await Promise.all(/* import() */[__webpack_require__.e(637), __webpack_require__.e(137)]).then(__webpack_require__.bind(__webpack_require__, 137));
    return parseYaml(given);
}
function isPlainObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// EXTERNAL MODULE: ./inputs/parsers.ts
var parsers = __webpack_require__(5140);
;// CONCATENATED MODULE: ./inputs/api-call-texts.ts

/** A path below base-url, and the query that stands in it. It can lead nowhere else. */
const relativePath = (given) => {
    (0,parsers/* text */.Qq)(given);
    if (/^[a-z][a-z0-9+.-]*:/i.test(given) || /^[\\/]{2}/.test(given))
        throw new parsers/* Unacceptable */.q$(`must be a path below base-url, as in /v2/deployments, and no full address`);
    if (given.includes('#'))
        throw new parsers/* Unacceptable */.q$('must not carry a fragment');
    const [before = '', ...after] = given.split('?');
    const segments = before.replace(/^\//, '').split('/');
    if (segments.some(isTreacherous))
        throw new parsers/* Unacceptable */.q$('must not hold "." or ".." or a backslash: it starts at base-url and stays below it');
    const url = new URL(`http://base${joined(segments)}`);
    return { path: url.pathname, query: [...new URLSearchParams(after.join('?'))] };
};
function joined(segments) {
    return `/${segments.join('/')}`;
}
/** Servers differ in what they decode, and how often: what could become a step upwards anywhere is refused. */
function isTreacherous(segment) {
    let decoded = segment;
    for (let times = 0; times < 3; times++)
        decoded = decodedOnce(decoded);
    return decoded.includes('\\') || decoded.split('/').some((part) => part === '.' || part === '..');
}
function decodedOnce(segment) {
    return segment.replace(/%(2e|2f|5c|25)/gi, (code) => decodeURIComponent(code));
}
const STATUS = /^[1-5](\d\d|xx)$/i;
/** `200`, `2xx`, or several with commas or blanks. */
const statuses = (given) => {
    const wanted = given
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((one) => one !== '');
    if (wanted.length === 0 || !wanted.every((one) => STATUS.test(one)))
        throw new parsers/* Unacceptable */.q$('must be statuses, as in 200, 2xx or "200, 404"');
    const has = (status) => wanted.some((one) => one === String(status) || one === `${String(status).charAt(0)}xx`);
    return { given: wanted.join(', '), has };
};
/** Set by the action itself; another value would break the request, or send credentials of somebody else. */
const RESERVED = /^(host|content-length|content-type|transfer-encoding|connection|expect|cookie|authorization|x-api-key|user-agent)$/i;
/** Lines `Name: value`. */
const headerLines = (given) => {
    const headers = {};
    for (const line of given
        .split('\n')
        .map((one) => one.trim())
        .filter((one) => one !== '')) {
        const [name = '', ...rest] = line.split(':');
        const value = rest.join(':').trim();
        if (rest.length === 0 || !/^[\x20-\x7e\t]*$/.test(value))
            throw new parsers/* Unacceptable */.q$('must be lines, as in "Range: bytes=0-99"');
        (0,parsers/* headerName */.Bv)(name);
        if (RESERVED.test(name))
            throw new parsers/* Unacceptable */.q$(`must not set ${name}: the action sets it itself`);
        headers[name.toLowerCase()] = value;
    }
    return headers;
};

;// CONCATENATED MODULE: ./inputs/api-call.ts









/**
 * Reads what the action `request` is to send, and holds it against the catalogue of routes.
 * @param raw inputs as they are: blanks count in a body
 */
async function readApiCall(read, raw, workspace) {
    const method = read.defaulted('method', (given) => parsers/* oneOf */.yL(...METHODS)(given.toUpperCase()));
    const target = read.optional('path', relativePath);
    if (read.isUnset('path'))
        read.problems.push({ input: 'path', message: 'is required, as in /v2/deployments' });
    const query = [...(target?.query ?? []), ...(await readQuery(raw('query'), read))];
    const expects = read.defaulted('expect-status', statuses);
    const headers = read.optional('headers', headerLines) ?? {};
    const paginate = read.defaulted('paginate', parsers/* boolean */.zM);
    const timeoutMs = read.defaulted('timeout', parsers/* duration */.p0);
    const found = target === undefined ? { kind: 'unknown' } : (0,find/* findRoute */.$)(method, target.path);
    const body = await readBody(read, raw, workspace, method, found);
    if (paginate && method !== 'GET')
        read.problems.push({ input: 'paginate', value: 'true', message: `is for GET only, not for ${method}` });
    if (target === undefined)
        return undefined;
    if (found.kind === 'known')
        holdAgainst(found.route, read, query, body);
    const { path: at } = target;
    return { method, path: at, query, headers, body, paginate, expects, timeoutMs, found, ...secretsIn(body) };
}
function holdAgainst(route, read, query, body) {
    const json = body?.kind === 'json' ? body.value : undefined;
    const fileBytes = body?.kind === 'file' ? body.bytes : undefined;
    for (const { part, message } of (0,check/* checkRequest */.yG)(route, { query, json, fileBytes }))
        read.problems.push({ input: part, message });
}
async function readBody(read, raw, workspace, method, found) {
    const hasBody = !read.isUnset('body');
    const file = read.optional('file', parsers/* text */.Qq);
    if (hasBody && file !== undefined)
        read.problems.push({ input: 'file', value: file, message: 'must not be given together with body' });
    if ((hasBody || file !== undefined) && (method === 'GET' || method === 'HEAD')) {
        const input = hasBody ? 'body' : 'file';
        read.problems.push({ input, message: `is not for ${method}: set method, as in POST` });
    }
    if (file !== undefined)
        return await readFile(file, read, workspace, found);
    return hasBody ? await readBodyText(raw('body'), read) : undefined;
}
async function readFile(file, read, workspace, found) {
    const full = external_node_path_default().resolve(workspace, file);
    const multipart = found.kind === 'known' && found.route.upload !== undefined;
    try {
        const facts = await (0,promises_.stat)(full);
        if (facts.isFile())
            return { kind: 'file', file: full, bytes: facts.size, multipart };
        read.problems.push({ input: 'file', value: file, message: 'is no file' });
    }
    catch {
        read.problems.push({ input: 'file', value: file, message: 'cannot be read: there is no such file' });
    }
    return undefined;
}
/** A service that refuses a body may repeat it: what is secret in it has to be known by then. */
function secretsIn(body) {
    if (body?.kind !== 'json')
        return { secrets: [] };
    const hidden = new hidden_values/* HiddenValues */.P();
    hidden.pass(Buffer.from(body.text).toString('latin1'));
    return { secrets: [...hidden.found.secrets, ...hidden.found.keys] };
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
