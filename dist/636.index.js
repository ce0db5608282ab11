export const id = 636;
export const ids = [636];
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

/***/ 6636:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readApiCall: () => (/* binding */ readApiCall)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: ./request/catalogue/check.ts
var check = __webpack_require__(5464);
;// CONCATENATED MODULE: ./request/catalogue/body-rules.ts
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

;// CONCATENATED MODULE: ./request/catalogue/routes.ts

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
        states: 'Creates a ready sandbox from a snapshot, by `snapshot_id` or a `name:tag` reference, else from the default one. If `delete_after_stop_seconds` is not set, the policy of the platform applies; zero and more are kept',
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
        raw: true,
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
        states: 'Lists up to 100 recent ratings, for admins; `is_truncated` if older ones are missing',
    },
];

;// CONCATENATED MODULE: ./request/catalogue/find.ts

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

// EXTERNAL MODULE: ./control-plane/method.ts
var control_plane_method = __webpack_require__(8956);
// EXTERNAL MODULE: ./request/bytes.ts
var bytes = __webpack_require__(8185);
// EXTERNAL MODULE: ./request/redact-json.ts
var redact_json = __webpack_require__(4379);
// EXTERNAL MODULE: ./control-plane/json.ts
var json = __webpack_require__(8295);
;// CONCATENATED MODULE: ./request/inputs/documents.ts

/** No message repeats the input, which may contain a secret. */
const QUERY_FORMS = 'must be a mapping in YAML or JSON, or text as in limit=10&offset=0';
/** Reads a mapping in YAML or JSON, whose lists repeat a name, or lines of text like `limit=10&offset=0`. */
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
/** Returns one parameter for a scalar, several for a list, none for null; `undefined` for any other value. */
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
const FIELD = /^[ \t]*(?:- +)?(?:[\w.$/-]+|"[^"\n]*"|'[^'\n]*')[ \t]*:(?:\s|$)/m;
const ENTRY = /^[ \t]*-(?:\s|$)/m;
/** Whether a mapping or a list was meant: the text begins like JSON, or a line begins with a field or an entry. */
function looksLikeData(given) {
    return /^\s*[{[]/.test(given) || FIELD.test(given) || ENTRY.test(given);
}
/** Reads JSON unchanged, YAML as JSON, and other text as text; broken JSON or YAML is a problem. */
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
    const given = utf8(bytes);
    const data = given === undefined ? NOT_UTF8 : await readData(given);
    if (data.kind === 'json')
        return data;
    if (data.kind === 'scalar')
        return { kind: 'json', value: data.value, text: JSON.stringify(data.value) };
    read.problems.push({ input: 'file', message: `cannot be sent as JSON: it ${data.message}` });
    return undefined;
}
const NOT_UTF8 = { kind: 'unreadable', message: 'is not UTF-8' };
/** Decodes UTF-8 without its byte order mark; `undefined` for another encoding. */
function utf8(bytes) {
    try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    }
    catch {
        return undefined;
    }
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

// EXTERNAL MODULE: ./inputs/parsers.ts
var parsers = __webpack_require__(5140);
;// CONCATENATED MODULE: ./request/inputs/texts.ts

/** Parses a path below base-url and its query. The path cannot leave base-url. */
const relativePath = (given) => {
    (0,parsers/* text */.Qq)(given);
    if (/^[a-z][a-z0-9+.-]*:/i.test(given) || /^[\\/]{2}/.test(given))
        throw new parsers/* Unacceptable */.q$(`must be a path below base-url, as in /v2/deployments, not a full address`);
    if (given.includes('#'))
        throw new parsers/* Unacceptable */.q$('must not contain a fragment');
    const [before = '', ...after] = given.split('?');
    const segments = before.replace(/^\//, '').split('/');
    if (segments.some(isUpward))
        throw new parsers/* Unacceptable */.q$('must not contain "." or ".." or a backslash: the path must stay below base-url');
    const url = new URL(`http://base${joined(segments)}`);
    return { path: url.pathname, query: [...new URLSearchParams(after.join('?'))] };
};
function joined(segments) {
    return `/${segments.join('/')}`;
}
/** Whether a server may read the segment as a step upwards. Servers differ in what they decode and how often. */
function isUpward(segment) {
    let decoded = segment;
    for (let times = 0; times < 3; times++)
        decoded = decodedOnce(decoded);
    // Some servers remove path parameters first, so that `..;` is a step.
    const steps = decoded.split('/').map((part) => part.replace(/;.*/, ''));
    return decoded.includes('\\') || steps.some((step) => step === '.' || step === '..');
}
function decodedOnce(segment) {
    return segment.replace(/%(2e|2f|3b|5c|25)/gi, (code) => decodeURIComponent(code));
}
const STATUS = /^[1-5](\d\d|xx)$/i;
/** Parses `200`, `2xx`, or several with commas or blanks. */
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
/** Headers that the action sets. Another value would break the request or send other credentials. */
const RESERVED = /^(host|content-length|content-type|transfer-encoding|connection|expect|cookie|authorization|x-api-key|user-agent)$/i;
/** Parses lines `Name: value`. */
const headerLines = (given) => {
    const headers = {};
    for (const line of given
        .split('\n')
        .map((one) => one.trim())
        .filter((one) => one !== '')) {
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

;// CONCATENATED MODULE: ./request/inputs/read-request.ts










/** Reads the request of operation `request` and checks it against the catalogue of routes. */
async function readApiCall(read, workspace) {
    const method = read.defaulted('method', (given) => parsers/* oneOf */.yL(...control_plane_method/* METHODS */.J)(given.toUpperCase()));
    const target = read.optional('path', relativePath);
    if (read.isUnset('path'))
        read.problems.push({ input: 'path', message: 'is required, as in /v2/deployments' });
    const query = [...(target?.query ?? []), ...(await readQuery(read.raw('query'), read))];
    const expects = read.defaulted('expect-status', statuses);
    const headers = read.optional('headers', headerLines) ?? {};
    const paginate = read.defaulted('paginate', parsers/* boolean */.zM);
    const timeoutMs = read.defaulted('timeout', parsers/* duration */.p0);
    const found = target === undefined ? { kind: 'unknown' } : findRoute(method, target.path);
    const body = await readBody(read, workspace, method, found);
    if (paginate && method !== 'GET')
        read.problems.push({
            input: 'paginate',
            value: 'true',
            message: `is accepted only with GET, not with ${method}`,
        });
    if (target === undefined)
        return undefined;
    if (found.kind === 'known')
        checkRoute(found.route, read, query, body);
    const { path: at } = target;
    return { method, path: at, query, headers, body, paginate, expects, timeoutMs, found, ...secretsIn(body) };
}
function checkRoute(route, read, query, body) {
    const isFile = read.isUnset('body') && !read.isUnset('file');
    const isSet = isFile || !read.isUnset('body');
    // A body that could not be read already has a problem.
    const checked = body ?? { kind: isSet ? 'unreadable' : 'none' };
    for (const { part, message } of (0,check/* checkRequest */.yG)(route, { query, body: checked }))
        read.problems.push({ input: part === 'body' && isFile ? 'file' : part, message });
}
async function readBody(read, workspace, method, found) {
    const hasBody = !read.isUnset('body');
    const file = read.optional('file', parsers/* text */.Qq);
    if (hasBody && file !== undefined)
        read.problems.push({ input: 'file', value: file, message: 'must not be set together with body' });
    if ((hasBody || file !== undefined) && (0,control_plane_method/* isRead */.H)(method)) {
        const input = hasBody ? 'body' : 'file';
        read.problems.push({ input, message: `is not accepted with ${method}: set method, for example to POST` });
    }
    if (file !== undefined)
        return await readBodyOf(file, read, workspace, found);
    return hasBody ? await readBodyText(read.raw('body'), read) : undefined;
}
/** The limit for a file sent as JSON, which is read into memory; other files are streamed. */
const MAX_JSON_BYTES = 10 * 1024 * 1024;
async function readBodyOf(file, read, workspace, found) {
    const full = external_node_path_default().resolve(workspace, file);
    const multipart = found.kind === 'known' && found.route.upload !== undefined;
    let message = 'is not a file';
    try {
        const facts = await (0,promises_.stat)(full);
        if (facts.isFile()) {
            if (multipart || !isDataFile(file))
                return { kind: 'file', file: full, bytes: facts.size, multipart };
            if (facts.size <= MAX_JSON_BYTES)
                return await readBodyFile(await (0,promises_.readFile)(full), read);
            message = 'cannot be sent as JSON: it is larger than 10 MB';
        }
    }
    catch {
        message = 'cannot be read: there is no such file';
    }
    read.problems.push({ input: 'file', value: file, message });
    return undefined;
}
/** Finds the secrets in the body. A service may repeat a rejected body in its response. */
function secretsIn(body) {
    if (body?.kind !== 'json')
        return { secrets: [] };
    const hidden = new redact_json/* HiddenValues */.P();
    hidden.pass((0,bytes/* asBytes */.Yd)(body.text));
    return { secrets: [...hidden.found.secrets, ...hidden.found.keys] };
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


/***/ })

};
