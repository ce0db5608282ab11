export const id = 341;
export const ids = [341];
export const modules = {

/***/ 8634:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  $: () => (/* binding */ findRoute),
  L: () => (/* binding */ routeOf)
});

// EXTERNAL MODULE: ./control-plane/method.ts
var control_plane_method = __webpack_require__(8956);
// EXTERNAL MODULE: ./http/json.ts
var json = __webpack_require__(9159);
;// CONCATENATED MODULE: ./request/catalogue/body-rules.ts

/** Contract, "Limits": annotation queue items per request. */
const MAX_ITEMS = 200;
/** `POST /annotation-queues/{queue_id}/items`: the body is a list of items, or has them in the field `items`. */
const queueItems = (body) => {
    const items = Array.isArray(body) ? body : (0,json/* fieldOf */._F)(body, 'items');
    if (!Array.isArray(items))
        return [];
    const list = items;
    const tooMany = `has ${list.length} items: at most ${MAX_ITEMS} are accepted in one request`;
    const incomplete = list.flatMap((item, place) => {
        const missing = (0,json/* fieldOf */._F)(item, 'item_type') === 'THREAD' ? absent(item, 'thread_id', 'session_id') : '';
        return missing === '' ? [] : [`has an item of type THREAD without ${missing} at [${place}]`];
    });
    return [...(list.length > MAX_ITEMS ? [tooMany] : []), ...cut(incomplete)];
};
/** `POST /v1/agentws/feedback` */
const feedbackIds = (body) => {
    const missing = absent(body, 'thread_id', 'run_id');
    return missing === '' ? [] : [`lacks ${missing}: a rating requires both thread_id and run_id`];
};
const MAX_PROBLEMS = 10;
function cut(problems) {
    const rest = problems.length - MAX_PROBLEMS;
    return rest > 0 ? [...problems.slice(0, MAX_PROBLEMS), `has ${rest} more such items`] : problems;
}
/** Returns the names of the fields that have no value, joined by "and". */
function absent(value, ...names) {
    return names.filter((name) => [undefined, null, ''].some((none) => none === (0,json/* fieldOf */._F)(value, name))).join(' and ');
}

// EXTERNAL MODULE: ./request/catalogue/hints.ts
var hints = __webpack_require__(3582);
;// CONCATENATED MODULE: ./request/catalogue/langsmith-routes.ts
/** Routes of LangSmith Deployment that the contract has under another path, or not at all. */
const LANGSMITH = {
    'GET /v1/integrations/github/install': { states: 'Lists the installed GitHub integrations', success: 200 },
    'GET /v1/integrations/github/{integration_id}/repos': {
        states: 'Lists the repositories of an integration, as an array',
        success: 200,
    },
    'GET /v2/deployments/free-count': 'Counts the free deployments',
    'DELETE /v2/deployments': {
        states: 'Deletes several deployments; 207 if only some of them',
        query: { deployment_ids: { kind: 'text', required: true } },
    },
    'POST /v2/deployments/{deployment_id}/push-token': 'Gives a token for pushes of images, for internal_docker only',
    'POST /v2/deployments/{deployment_id}/revisions/{revision_id}/interrupt': 'Interrupts a revision; the effect on the deployment is not defined',
    'GET /v2/listeners/{listener_id}': { states: 'Reads a listener', success: 200 },
    'POST /v1/projects/{project_id}/revisions/{revision_id}/build_logs': 'Reads the build log of a revision',
    'POST /v1/projects/{project_id}/revisions/{revision_id}/deploy_logs': 'Reads the deploy log of a revision',
    'POST /v1/projects/{project_id}/deploy_logs': 'Reads the deploy log of a deployment',
};

;// CONCATENATED MODULE: ./request/catalogue/routes.ts




const upTo = (max) => ({ kind: 'integer', min: 1, max });
const OFFSET = { kind: 'integer', min: 0 };
const TEXT = { kind: 'text' };
/** Contract, "Limits": `limit` is 1 to 100, default 20; `offset` at least 0, default 0. */
const PAGE = { limit: upTo(100), offset: OFFSET };
const EAGER = { removedOn: '2026-08-10', instead: 'POST /feedback' };
const FORMULAS = { removedOn: '2026-08-20', instead: undefined };
const formulas = (states) => ({ states, deprecated: FORMULAS });
const CONTROL_PLANE = {
    // Deployments
    'POST /v2/deployments': {
        states: 'Creates a deployment and its first revision, whose id comes as `latest_revision_id`',
        success: 201,
    },
    'GET /v2/deployments': {
        states: 'Lists deployments; the returned `offset` is that of the next page',
        success: 200,
        query: {
            ...PAGE,
            name_contains: TEXT,
            status: TEXT,
            remote_reconciled: { kind: 'boolean' },
            tag_value_ids: TEXT,
            image_version: TEXT,
            deployment_type: { kind: 'one of', accepted: ['dev_free', 'dev', 'prod'] },
            deployment_ids: TEXT,
        },
    },
    'GET /v2/deployments/{deployment_id}': { states: 'Reads a deployment', success: 200 },
    'PATCH /v2/deployments/{deployment_id}': {
        states: 'Updates a deployment; a revision-relevant field with a value creates a revision, whatever it was before',
        success: 200,
    },
    'DELETE /v2/deployments/{deployment_id}': { described: 'notes', states: 'Deletes a deployment', success: 204 },
    'POST /deployments/{deployment_id}/upload-url': {
        states: 'Gives a signed address to upload source to, and the `object_path` for `source_tarball_path`',
        success: 200,
    },
    // Revisions
    'POST /v2/deployments/{deployment_id}/revisions': { states: 'Always creates a revision', success: 201 },
    'GET /v2/deployments/{deployment_id}/revisions': {
        described: 'notes',
        states: 'Lists revisions, newest first; `status` is a list with commas',
        success: 200,
        query: { ...PAGE, status: TEXT },
    },
    'GET /v2/deployments/{deployment_id}/revisions/{revision_id}': { states: 'Reads a revision', success: 200 },
    'GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs': {
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
        ofLangsmith: { offset: TEXT },
    },
    'POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy': {
        described: 'notes',
        states: 'Deploys a revision again',
        success: 200,
    },
    // Listeners, integrations, tokens
    'GET /v2/listeners': { states: 'Lists listeners', success: 200, query: PAGE },
    'DELETE /v2/listeners/{listener_id}': {
        states: 'Deletes a listener; one error says that the organization is on no self-hosted enterprise plan, another that there is no such listener',
        hints: [hints/* LISTENERS_SELF_HOSTED */.bh, hints/* LISTENER_MISSING */.YC],
    },
    'GET /v1/integrations/git_host/install': { states: 'Lists the installed git-host integrations', success: 200 },
    'GET /v1/integrations/git_host/{integration_id}/repos': {
        described: 'without a path',
        states: 'Lists the repositories of an integration, as an array',
        success: 200,
    },
    'PATCH /v2/auth/tokens/{token_id}/metadata': {
        states: "Updates a provider token's label and default flag; only its owner may",
        hints: [hints/* TOKEN_OWNER_ONLY */.lW],
    },
};
const OTHER_SERVICES = {
    // Tracing, datasets, feedback, annotation queues
    'POST /v2/datasets/{dataset_id}/experiment-runs': 'Compares experiments, in pages',
    'POST /annotation-queues/{queue_id}/items': {
        states: 'Adds items of kind RUN or THREAD, mixed if need be, at most 200 at once; a THREAD item has `thread_id` and `session_id`. `extend_trace_retention=false` keeps short-lived traces short-lived',
        query: { extend_trace_retention: { kind: 'boolean' } },
        body: queueItems,
    },
    'GET /v2/runs/{run_id}/url': 'Gives the address of a run in the user interface',
    'GET /api/v1/workspaces/{workspace_id}': 'Reads a workspace',
    'POST /runs/rules/validate': 'Tests a thread evaluator with `test_thread_id` and `session_id`',
    'GET /threads/stats': {
        described: 'without a path',
        states: 'Thread statistics; `filter` is a filter expression',
        query: { filter: TEXT },
    },
    'POST /feedback': 'Gives feedback; takes a thread id',
    'GET /feedback': 'Lists feedback; can filter by thread id within a project',
    'POST /feedback/eager': { states: 'Gives feedback', deprecated: EAGER },
    'POST /feedback/formulas': formulas('Creates a feedback formula'),
    'GET /feedback/formulas': formulas('Lists feedback formulas'),
    'GET /feedback/formulas/{feedback_formula_id}': formulas('Reads a feedback formula'),
    'PUT /feedback/formulas/{feedback_formula_id}': formulas('Replaces a feedback formula'),
    'DELETE /feedback/formulas/{feedback_formula_id}': formulas('Deletes a feedback formula'),
    // Gateway and identity
    'POST /openai/v1/responses/compact': 'A gateway route, handled like the responses route',
    'POST /responses/compact': 'A gateway route, handled like the responses route',
    'POST /identity/guest': { states: 'Mints a guest token, on a separate host', separateHost: true },
    // Agent workspace
    'GET /v1/agentws/users': 'Lists and searches workspace members by email or name; the user id serves to share an agent',
    'GET /v1/agentws/threads': { described: 'without a path', states: 'Lists threads as `items`' },
    'POST /v1/agentws/sandboxes': 'Creates a ready sandbox from a snapshot, by `snapshot_id` or a `name:tag` reference, else from the default one. If `delete_after_stop_seconds` is not set, the policy of the platform applies; zero and more are kept',
    'DELETE /v1/agentws/sandboxes/{id}': {
        states: 'Deletes a sandbox, in the background: a read right after it may still find it, being deleted. 204 also when it is gone already',
        success: 204,
        idempotent: true,
    },
    'GET /v1/agentws/sandboxes/{id}/files/content': {
        states: 'The raw bytes of a file; takes the header `Range`',
        raw: true,
    },
    'HEAD /v1/agentws/sandboxes/{id}/files/content': 'The size of a file',
    'POST /v1/agentws/sandboxes/{id}/files': {
        states: 'Uploads a file as multipart/form-data to the destination `path`; over 100 megabytes it answers 413',
        query: { path: { kind: 'text', required: true } },
        // Contract, "Limits": megabytes, as it writes MiB where it means that.
        upload: { maxBytes: 100_000_000 },
    },
    'GET /v1/agentws/sandboxes/{id}/files': {
        states: 'Lists files under a path by a glob pattern, in pages of `page_size`, with an opaque cursor',
        query: { page_size: { kind: 'integer', min: 1 } },
    },
    'GET /v1/agentws/sandbox-snapshots/{ref}': 'Reads a snapshot, by its id or a Docker-style reference; a bare name means `name:latest`. A slash in it is written %2F',
    'DELETE /v1/agentws/sandbox-snapshots/{ref}': {
        states: 'Deletes a snapshot; 409 while any sandbox, even a stopped one, is booted from it',
        idempotent: true,
        hints: [hints/* SNAPSHOT_IN_USE */.xu],
    },
    'POST /v1/agentws/feedback': {
        states: 'Sets a rating, with both `thread_id` and `run_id`; it is recorded in the audit log',
        body: feedbackIds,
    },
    'DELETE /v1/agentws/feedback': 'Clears a rating; it is recorded in the audit log',
    'GET /v1/agentws/feedback': 'Lists up to 100 recent ratings, for admins; `is_truncated` if older ones are missing',
};
/** Every route that the contract, the notes on it, and LangSmith Deployment name, with the facts about it. */
const ROUTES = [
    ...routesOf(CONTROL_PLANE, 'contract'),
    ...routesOf(OTHER_SERVICES, 'partly'),
    ...routesOf(LANGSMITH, 'langsmith'),
];
/** @param described the default for the table */
function routesOf(table, described) {
    return Object.entries(table).flatMap(([line, facts]) => {
        const [name, path = ''] = line.split(' ');
        const method = control_plane_method/* METHODS */.J.find((one) => one === name);
        if (method === undefined)
            return [];
        return { method, path, described, ...(typeof facts === 'string' ? { states: facts } : facts) };
    });
}

;// CONCATENATED MODULE: ./request/catalogue/find.ts

function routeOf(match) {
    return match.kind === 'known' ? match.route : undefined;
}
/**
 * @param path percent-encoded, without a query
 * @param api the service: the routes of LangSmith Deployment are known there only, besides those of the contract
 */
function findRoute(method, path, api = 'agent-server') {
    const known = ROUTES.filter(({ described }) => described !== 'langsmith' || api === 'langsmith');
    const samePath = known.filter((route) => matches(route.path, path));
    // A literal path like /feedback/formulas comes before one with a placeholder.
    const route = samePath
        .filter((one) => one.method === method)
        .sort((one, other) => placeholders(one.path) - placeholders(other.path))[0];
    if (route !== undefined)
        return { kind: 'known', route: api === 'langsmith' ? onLangsmith(route) : route };
    return samePath.length === 0
        ? { kind: 'unknown' }
        : { kind: 'other-methods', methods: samePath.map((one) => one.method) };
}
function onLangsmith({ ofLangsmith, ...route }) {
    return ofLangsmith === undefined ? route : { ...route, query: { ...route.query, ...ofLangsmith } };
}
const VERSION = /^(\/api)?\/v\d+(?=\/)/;
/** The contract prints some paths without a version and says that every path has one: both are the same route. */
function matches(pattern, path) {
    if (sameSegments(pattern, path))
        return true;
    return !/\/v\d+\//.test(pattern) && sameSegments(pattern, path.replace(VERSION, ''));
}
function sameSegments(pattern, path) {
    const [expected, actual] = [pattern.split('/'), path.split('/')];
    return (expected.length === actual.length &&
        expected.every((part, place) => (part.startsWith('{') ? actual[place] !== '' : part === actual[place])));
}
function placeholders(path) {
    return path.split('{').length;
}


/***/ }),

/***/ 3582:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   YC: () => (/* binding */ LISTENER_MISSING),
/* harmony export */   bh: () => (/* binding */ LISTENERS_SELF_HOSTED),
/* harmony export */   lW: () => (/* binding */ TOKEN_OWNER_ONLY),
/* harmony export */   tI: () => (/* binding */ knownHint),
/* harmony export */   xu: () => (/* binding */ SNAPSHOT_IN_USE)
/* harmony export */ });
const LISTENERS_SELF_HOSTED = {
    words: /self-hosted enterprise plan/i,
    hint: 'Listeners exist only for workspaces of organizations on a self-hosted enterprise plan: use credentials of such a workspace.',
};
const LISTENER_MISSING = {
    words: /^Listener ID .+ not found/i,
    hint: 'There is no such listener, or it was deleted already: list the listeners with GET /v2/listeners.',
};
const TOKEN_OWNER_ONLY = {
    status: 403,
    hint: 'Only the owner of a token may update it: use the credentials of that user.',
};
const SNAPSHOT_IN_USE = {
    status: 409,
    hint: 'A snapshot cannot be deleted while a sandbox, even a stopped one, is booted from it: delete those sandboxes first.',
};
/** Returns what to do about an error that is known for this route. */
function knownHint({ hints = [] }, status, detail) {
    const applies = (hint) => ('status' in hint ? hint.status === status : hint.words.test(detail));
    return hints.find(applies)?.hint;
}


/***/ }),

/***/ 1930:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   u: () => (/* binding */ FoundSecrets)
/* harmony export */ });
/** Values of `secrets`, and credentials, which stay in the text: the log must mask both. */
class FoundSecrets {
    #values = new Set();
    #maxCount;
    #charactersLeft;
    constructor(maxCount, maxCharacters) {
        this.#maxCount = maxCount;
        this.#charactersLeft = maxCharacters;
    }
    get all() {
        return [...this.#values];
    }
    get isFull() {
        return this.#values.size >= this.#maxCount || this.#charactersLeft <= 0;
    }
    add(value) {
        if (this.isFull || this.#values.has(value))
            return;
        this.#values.add(value);
        this.#charactersLeft -= value.length;
    }
}


/***/ }),

/***/ 4379:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ JsonRedactor),
/* harmony export */   d: () => (/* binding */ findSecrets)
/* harmony export */ });
/* harmony import */ var _http_json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9159);
/* harmony import */ var _found_secrets_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1930);
/* harmony import */ var _redact_stream_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6626);



const CREDENTIAL_KEY = /^(.*_)?(token|api_key|password|upload_url)$/i;
const MAX_KEPT = 64 * 1024;
/** The characters between strings, numbers and literals. */
const BETWEEN = '{}[]:," \t\r\n';
/** Returns the secrets and credentials in a JSON text. */
function findSecrets(json) {
    const found = new _found_secrets_js__WEBPACK_IMPORTED_MODULE_1__/* .FoundSecrets */ .u(Infinity, Infinity);
    new JsonRedactor(undefined, undefined, found).pass((0,_redact_stream_js__WEBPACK_IMPORTED_MODULE_2__/* .asBytes */ .Yd)(json));
    return found.all;
}
/**
 * Redacts a JSON text of any length piece by piece: the values of `secrets` (contract, "Deployment" and "Secret": a
 * response may contain them) and the known secrets. Pieces are strings of bytes (latin1), as JSON's structure is ASCII.
 * A text that is not JSON never makes it fail.
 */
class JsonRedactor {
    #found;
    #stack = [];
    #keys;
    #values;
    /** The current string. */
    #text;
    #isEscaped = false;
    /** The current number or literal: its bytes in the pieces before. */
    #bare;
    /**
     * The first parameters redact other known secrets, in keys and in values. `values` has all secrets of `keys`.
     * @param found collects values of `secrets`, and credentials. When it is full, further credentials are redacted.
     */
    constructor(keys = new _redact_stream_js__WEBPACK_IMPORTED_MODULE_2__/* .StreamRedactor */ .d6([], 'json'), values = new _redact_stream_js__WEBPACK_IMPORTED_MODULE_2__/* .StreamRedactor */ .d6([], 'json'), found = new _found_secrets_js__WEBPACK_IMPORTED_MODULE_1__/* .FoundSecrets */ .u(Infinity, Infinity)) {
        this.#keys = keys;
        this.#values = values;
        this.#found = found;
    }
    get depth() {
        return this.#stack.length;
    }
    /** Returns as much of the redacted text as is certain so far. */
    pass(piece) {
        // Most pieces contain no secret: their strings need no redaction.
        const isSuspicious = this.#values.isIn(piece);
        let out = '';
        let from = 0;
        for (let at = 0; at < piece.length; at++) {
            const character = piece.charAt(at);
            if (this.#text !== undefined) {
                if (!this.#isEndOf(this.#text, character))
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
    /** Returns the rest of the redacted text, without a secret that was cut off. */
    end() {
        if (this.#bare !== undefined)
            return this.#endOfBare('');
        const text = this.#text;
        if (text === undefined)
            return '';
        const out = text.role === 'secret' ? _redact_stream_js__WEBPACK_IMPORTED_MODULE_2__/* .REDACTED */ .XF : this.#redactorOf(text).end();
        this.#close(text);
        return out;
    }
    /** Returns what is certain of a string, number or literal that may continue in the next piece. */
    #beginningOf(rest) {
        if (this.#text !== undefined) {
            this.#text.isWhole = false;
            return this.#text.role === 'secret' ? '' : this.#redactorOf(this.#text).pass(rest);
        }
        if (this.#bare === undefined)
            return rest;
        this.#bare += rest;
        if (this.#bare.length < MAX_KEPT)
            return '';
        // No number is so long: the text is not JSON.
        const out = this.#isSecretPlace() ? '' : this.#bare;
        this.#bare = '';
        return out;
    }
    #endOfText(text, rest, isSuspicious) {
        if (text.role === 'secret')
            return _redact_stream_js__WEBPACK_IMPORTED_MODULE_2__/* .REDACTED */ .XF;
        if (text.isWhole && !isSuspicious)
            return rest;
        const redactor = this.#redactorOf(text);
        return redactor.pass(rest) + redactor.end();
    }
    #redactorOf({ role }) {
        return role === 'key' ? this.#keys : this.#values;
    }
    #endOfBare(rest) {
        const token = (this.#bare ?? '') + rest;
        this.#bare = undefined;
        const isHidden = this.#isSecretPlace() && token !== 'null';
        // Masking a word like true would remove half of the log.
        if (isHidden && /\d/.test(token))
            this.#found.add(token);
        // In an error, a number may equal a common value by chance; `keys` has no common values.
        return isHidden || this.#keys.isOne(token) ? `"${_redact_stream_js__WEBPACK_IMPORTED_MODULE_2__/* .REDACTED */ .XF}"` : token;
    }
    #isEndOf(text, character) {
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
        if (!CREDENTIAL_KEY.test(inside.key))
            return 'value';
        return this.#found.isFull ? 'secret' : 'credential';
    }
    #close({ role, kept }) {
        this.#text = undefined;
        const inside = this.#stack.at(-1);
        if (role === 'key' && inside !== undefined) {
            inside.key = kept.includes('\\') ? unquoted(kept) : kept;
            inside.expectsKey = false;
        }
        if (role === 'secret' || role === 'credential')
            this.#found.add(unquoted(kept));
    }
    #structure(character) {
        const inside = this.#stack.at(-1);
        if (character === '{' || character === '[') {
            const kind = character === '{' ? 'object' : 'array';
            const isSecret = inside?.isSecret === true || inside?.key === 'secrets';
            const key = kind === 'array' ? (inside?.key ?? '') : '';
            this.#stack.push({ kind, isSecret, key, expectsKey: kind === 'object' });
        }
        else if (character === '}' || character === ']')
            this.#stack.pop();
        else if (character === ',' && inside !== undefined)
            inside.expectsKey = inside.kind === 'object';
    }
}
/** Returns the text of the bytes between the quotes of a JSON string. */
function unquoted(bytes) {
    const text = (0,_redact_stream_js__WEBPACK_IMPORTED_MODULE_2__/* .asText */ .e1)(bytes);
    const json = (0,_http_json_js__WEBPACK_IMPORTED_MODULE_0__/* .parseJson */ .qF)(`"${text}"`);
    return json.ok ? String(json.value) : text;
}


/***/ }),

/***/ 6626:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   XF: () => (/* binding */ REDACTED),
/* harmony export */   Yd: () => (/* binding */ asBytes),
/* harmony export */   d6: () => (/* binding */ StreamRedactor),
/* harmony export */   e1: () => (/* binding */ asText)
/* harmony export */ });
const REDACTED = '***';
/** Shorter secrets, like `1`, would remove half of a response. */
const MIN_LENGTH = 3;
/** A JSON escape is one character: no secret begins inside it. */
const ESCAPE = String.raw `\\u[0-9a-fA-F]{4}|\\.`;
const LONGEST_ESCAPE = 6;
/** Returns the text's bytes as a string (latin1): a piece of a response may end inside a character. */
function asBytes(text) {
    return Buffer.from(text, 'utf8').toString('latin1');
}
function asText(bytes) {
    return Buffer.from(bytes, 'latin1').toString('utf8');
}
/**
 * Replaces known secrets in a stream of bytes (latin1), also where two pieces meet: in any text, or between the quotes of
 * a JSON string, which stays one.
 */
class StreamRedactor {
    /** A text is not nested. */
    depth = 0;
    #secrets;
    #any;
    #each;
    #longest;
    #whole;
    #longestWhole;
    /** Bytes that were not returned yet: they may be the beginning of a secret. */
    #rest = '';
    #isStart = true;
    /** @param whole secrets that are replaced only if they are a whole text */
    constructor(secrets, where, whole = []) {
        const inside = formsOf(secrets, where);
        const alone = formsOf(whole, where);
        const each = where === 'json' ? `(${patternOf(inside)})|${ESCAPE}` : `(${patternOf(inside)})`;
        this.#secrets = new Set([...secrets, ...whole].filter(isLong).map(asBytes));
        this.#any = inside.length + alone.length === 0 ? undefined : new RegExp(patternOf([...inside, ...alone]));
        this.#each = inside.length === 0 ? undefined : new RegExp(each, 'gs');
        this.#longest = Math.max(LONGEST_ESCAPE, inside[0]?.length ?? 0);
        this.#whole = new Set(alone);
        this.#longestWhole = alone[0]?.length ?? 0;
    }
    /** Returns as much of the redacted text as is certain so far. */
    pass(piece) {
        const text = this.#rest + piece;
        if (this.#isStart && text.length <= this.#longestWhole) {
            this.#rest = text;
            return '';
        }
        this.#isStart = false;
        return this.#replace(text, text.length - this.#longest + 1);
    }
    /** Returns the rest of the redacted text. The next piece begins another text. */
    end() {
        const rest = this.#rest;
        const isSecret = this.#isStart && this.#whole.has(rest);
        this.#isStart = true;
        this.#rest = '';
        return isSecret ? REDACTED : this.#replace(rest, rest.length);
    }
    /** Whether a complete text contains a secret. */
    isIn(text) {
        return this.#any?.test(text) === true;
    }
    /** Whether a text equals a secret. */
    isOne(text) {
        return this.#secrets.has(text);
    }
    /** Replaces the secrets that begin before `until`: a later one may continue in the next piece. */
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
            out += text.slice(from, index) + (secret === undefined ? whole : REDACTED);
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
/** Returns all forms, the longest first: a pattern takes the first alternative that matches. */
function formsOf(secrets, where) {
    const forms = secrets
        .filter(isLong)
        .flatMap((text) => [...new Set([text, ...addressForms(text), ...pageForms(text)])])
        .flatMap((text) => (where === 'json' ? jsonForms(text) : [text, ...jsonForms(text)]));
    return [...new Set(forms.map(asBytes))].sort((one, other) => other.length - one.length);
}
function patternOf(forms) {
    return forms.map(RegExp.escape).join('|');
}
/** Returns the ways in which a text is written into an address, and those into the address of an address. */
function addressForms(text) {
    if (!text.isWellFormed())
        return [];
    const query = new URLSearchParams({ '': text }).toString().slice(1);
    const once = [
        encodeURIComponent(text),
        encodeURI(text),
        query,
        query.replaceAll('+', '%20'),
        text.replaceAll(' ', '+'),
    ];
    const forms = [...once, ...once.map(encodeURIComponent)];
    return [...forms, ...forms.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}
/** Returns the ways in which a text is written into HTML. */
function pageForms(text) {
    return ['&#39;', '&#x27;', '&apos;', "'"].map((quote) => text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", quote));
}
/** Returns the ways in which servers write a text into JSON: some escape more than they have to. */
function jsonForms(text) {
    const plain = JSON.stringify(text).slice(1, -1);
    const ascii = escaped(plain, /[^\u0000-\u007f]/g);
    const upper = ascii.replace(/\\u[0-9a-f]{4}/g, (escape) => String.raw `\u${escape.slice(2).toUpperCase()}`);
    const forms = [plain, ascii, upper, escaped(plain, /[<>&'+]/g)];
    return [...forms, ...forms.map((form) => form.replaceAll('/', String.raw `\/`))];
}
function escaped(text, which) {
    return text.replace(which, (unit) => String.raw `\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}


/***/ })

};
