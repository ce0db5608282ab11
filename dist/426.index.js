export const id = 426;
export const ids = [426,789];
export const modules = {

/***/ 9719:
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

/***/ 4426:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   explainStatus: () => (/* binding */ explainStatus)
/* harmony export */ });
/* harmony import */ var _catalogue_check_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9719);
/* harmony import */ var _catalogue_find_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1092);
/* harmony import */ var _credentials_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7923);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5282);
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(8295);
/* harmony import */ var _schemas_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9789);






/** Turns an answer that is no success into an error that says what came back and what to do (contract, "Errors"). */
function explainStatus(answer) {
    const { status, method, path, attempted } = answer;
    const line = `${method} ${path}`;
    if (status < 200) {
        return new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .BrokenContractError */ .Sq({
            attempted,
            cameBack: `${line} answered ${status}`,
            hint: CHECK_BASE_URL,
        });
    }
    if (status < 300) {
        return new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .BrokenContractError */ .Sq({
            attempted,
            cameBack: `${line} answered ${status}, which is not what was expected`,
            hint: 'Find out why it did, or name this status as well where the expected ones are named.',
        });
    }
    if (status < 400) {
        const to = answer.headers.location === undefined ? '' : ` to ${withoutQuery(answer.headers.location)}`;
        return new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .BrokenContractError */ .Sq({
            attempted,
            cameBack: `${line} answered ${status}, a redirect${to}`,
            hint: 'Redirects are never followed, as the credentials would travel along: correct base-url to the final address.',
        });
    }
    const detail = describeBody(answer.body, answer.headers['content-type']);
    const cameBack = `${line} answered ${status}${detail === '' ? '' : `: ${detail}`}`;
    const found = (0,_catalogue_find_js__WEBPACK_IMPORTED_MODULE_0__/* .findRoute */ .$)(method, path.replace(/\?.*$/, ''));
    const known = found.kind === 'known' ? (0,_catalogue_check_js__WEBPACK_IMPORTED_MODULE_3__/* .knownHint */ .tI)(found.route, status, detail) : undefined;
    const hint = known ?? hintFor(status, detail, answer.credentials);
    return new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .RefusedError */ .fk(status, detail, { attempted, cameBack, hint });
}
const CHECK_BASE_URL = 'Check that base-url points to the control plane, path prefix included.';
function hintFor(status, detail, credentials) {
    switch (status) {
        case 401:
        case 403: {
            if (/workspace specification/i.test(detail)) {
                return 'This key serves several workspaces: set tenant-id to the one to use.';
            }
            return `Check the credentials that were sent: ${(0,_credentials_js__WEBPACK_IMPORTED_MODULE_4__/* .describeSchemes */ .q)(credentials)}. They may be wrong, expired or without access.`;
        }
        case 404:
            return `Check the id, and that these credentials may see it. ${CHECK_BASE_URL}`;
        case 409:
            return 'It conflicts with something that exists: see the message, then run the job again.';
        case 413:
            return 'Send less: the control plane refuses a body of this size.';
        case 400:
        case 422:
            return 'Correct the inputs that the message names.';
        case 429:
            return 'The control plane limits requests: wait for the time it names, then run the job again.';
        default:
            return status >= 500
                ? 'The control plane is in trouble: run the job again later.'
                : `The control plane refuses this request. ${CHECK_BASE_URL}`;
    }
}
/**
 * What an error body says, without what it echoes: `input` and `ctx` of a validation error may hold a secret. It is not
 * cut here: half a secret could no longer be recognised.
 */
function describeBody(body, contentType) {
    const json = (0,_json_js__WEBPACK_IMPORTED_MODULE_5__/* .parseJson */ .q)(body);
    if (json.ok) {
        const invalid = _schemas_js__WEBPACK_IMPORTED_MODULE_2__.httpValidationError.safeParse(json.value);
        if (invalid.success) {
            return invalid.data.detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
        }
        return _schemas_js__WEBPACK_IMPORTED_MODULE_2__.plainError.safeParse(json.value).data ?? '';
    }
    if (contentType?.includes('html') || /^\s*<(!doctype|html)/i.test(body)) {
        const title = /<title[^>]*>([^<]+)/i.exec(body)?.[1]?.trim();
        return title === undefined ? 'an HTML page' : `an HTML page titled "${title}"`;
    }
    return body.trim();
}
/** A redirect's query may carry a token. */
function withoutQuery(location) {
    return location.replace(/[?#].*$/s, '');
}


/***/ }),

/***/ 9789:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   container: () => (/* binding */ container),
/* harmony export */   deployment: () => (/* binding */ deployment),
/* harmony export */   deploymentList: () => (/* binding */ deploymentList),
/* harmony export */   envVar: () => (/* binding */ envVar),
/* harmony export */   httpValidationError: () => (/* binding */ httpValidationError),
/* harmony export */   integrations: () => (/* binding */ integrations),
/* harmony export */   listener: () => (/* binding */ listener),
/* harmony export */   listenerList: () => (/* binding */ listenerList),
/* harmony export */   localObjectReference: () => (/* binding */ localObjectReference),
/* harmony export */   logs: () => (/* binding */ logs),
/* harmony export */   plainError: () => (/* binding */ plainError),
/* harmony export */   providerToken: () => (/* binding */ providerToken),
/* harmony export */   repositories: () => (/* binding */ repositories),
/* harmony export */   repository: () => (/* binding */ repository),
/* harmony export */   resourceRequirements: () => (/* binding */ resourceRequirements),
/* harmony export */   resourceSpec: () => (/* binding */ resourceSpec),
/* harmony export */   revision: () => (/* binding */ revision),
/* harmony export */   revisionList: () => (/* binding */ revisionList),
/* harmony export */   secret: () => (/* binding */ secret),
/* harmony export */   secretReference: () => (/* binding */ secretReference),
/* harmony export */   sourceConfig: () => (/* binding */ sourceConfig),
/* harmony export */   sourceRevisionConfig: () => (/* binding */ sourceRevisionConfig),
/* harmony export */   uploadTicket: () => (/* binding */ uploadTicket),
/* harmony export */   volume: () => (/* binding */ volume),
/* harmony export */   volumeMount: () => (/* binding */ volumeMount)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4362);

/**
 * What the control plane answers, in the contract's spelling. Unknown fields and unknown enum values are tolerated:
 * the contract leaves many shapes open, so nothing is required that the rollout can do without.
 */
const text = zod__WEBPACK_IMPORTED_MODULE_0__.string().nullish();
const flag = zod__WEBPACK_IMPORTED_MODULE_0__.boolean().nullish();
const number = zod__WEBPACK_IMPORTED_MODULE_0__.number().nullish();
const id = zod__WEBPACK_IMPORTED_MODULE_0__.string().min(1);
const object = zod__WEBPACK_IMPORTED_MODULE_0__.record(zod__WEBPACK_IMPORTED_MODULE_0__.string(), zod__WEBPACK_IMPORTED_MODULE_0__.unknown()).nullish();
const strings = zod__WEBPACK_IMPORTED_MODULE_0__.record(zod__WEBPACK_IMPORTED_MODULE_0__.string(), zod__WEBPACK_IMPORTED_MODULE_0__.string()).nullish();
/** Contract, "Secret". An answer may hide the value. */
const secret = zod__WEBPACK_IMPORTED_MODULE_0__.object({ name: zod__WEBPACK_IMPORTED_MODULE_0__.string(), value: text });
/** Contract, "SecretReference". */
const secretReference = zod__WEBPACK_IMPORTED_MODULE_0__.object({ name: zod__WEBPACK_IMPORTED_MODULE_0__.string(), secret_name: zod__WEBPACK_IMPORTED_MODULE_0__.string(), secret_key: zod__WEBPACK_IMPORTED_MODULE_0__.string() });
/** Contract, "LocalObjectReference". */
const localObjectReference = zod__WEBPACK_IMPORTED_MODULE_0__.object({ name: zod__WEBPACK_IMPORTED_MODULE_0__.string() });
/** Contract, "Volume". */
const volume = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    name: zod__WEBPACK_IMPORTED_MODULE_0__.string(),
    configMap: object,
    secret: object,
    emptyDir: object,
    persistentVolumeClaim: object,
    nfs: object,
    projected: object,
    downwardAPI: object,
    csi: object,
});
/** Contract, "VolumeMount". */
const volumeMount = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    name: zod__WEBPACK_IMPORTED_MODULE_0__.string(),
    mountPath: zod__WEBPACK_IMPORTED_MODULE_0__.string(),
    subPath: text,
    mountPropagation: text,
    readOnly: flag,
    subPathExpr: text,
});
/** Contract, "EnvVar". */
const envVar = zod__WEBPACK_IMPORTED_MODULE_0__.object({ name: zod__WEBPACK_IMPORTED_MODULE_0__.string(), value: text, valueFrom: object });
/** Contract, "ResourceRequirements". */
const resourceRequirements = zod__WEBPACK_IMPORTED_MODULE_0__.object({ limits: strings, requests: strings });
/** Contract, "Container (init and sidecar containers)". */
const container = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    name: zod__WEBPACK_IMPORTED_MODULE_0__.string(),
    image: zod__WEBPACK_IMPORTED_MODULE_0__.string(),
    imagePullPolicy: text,
    command: zod__WEBPACK_IMPORTED_MODULE_0__.array(zod__WEBPACK_IMPORTED_MODULE_0__.string()).nullish(),
    args: zod__WEBPACK_IMPORTED_MODULE_0__.array(zod__WEBPACK_IMPORTED_MODULE_0__.string()).nullish(),
    workingDir: text,
    env: zod__WEBPACK_IMPORTED_MODULE_0__.array(envVar).nullish(),
    envFrom: zod__WEBPACK_IMPORTED_MODULE_0__.array(zod__WEBPACK_IMPORTED_MODULE_0__.record(zod__WEBPACK_IMPORTED_MODULE_0__.string(), zod__WEBPACK_IMPORTED_MODULE_0__.unknown())).nullish(),
    resources: resourceRequirements.nullish(),
    volumeMounts: zod__WEBPACK_IMPORTED_MODULE_0__.array(volumeMount).nullish(),
    securityContext: object,
    restartPolicy: text,
});
/** Contract, "ResourceSpec", with the orchestrator_* and executor_* fields that answers may also carry. */
const resourceSpec = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    min_scale: number,
    max_scale: number,
    cpu: number,
    cpu_limit: number,
    memory_mb: number,
    memory_limit_mb: number,
    queue_min_scale: number,
    queue_max_scale: number,
    queue_cpu: number,
    queue_cpu_limit: number,
    queue_memory_mb: number,
    queue_memory_limit_mb: number,
    cache_cpu: number,
    cache_cpu_limit: number,
    cache_memory_mb: number,
    cache_memory_limit_mb: number,
    core_cpu: number,
    core_cpu_limit: number,
    core_memory_mb: number,
    core_memory_limit_mb: number,
    labels: strings,
    annotations: strings,
    service_account_name: text,
    image_pull_secrets: zod__WEBPACK_IMPORTED_MODULE_0__.array(localObjectReference).nullish(),
    volumes: zod__WEBPACK_IMPORTED_MODULE_0__.array(volume).nullish(),
    volume_mounts: zod__WEBPACK_IMPORTED_MODULE_0__.array(volumeMount).nullish(),
    init_containers: zod__WEBPACK_IMPORTED_MODULE_0__.array(container).nullish(),
    sidecars: zod__WEBPACK_IMPORTED_MODULE_0__.array(container).nullish(),
    db_cpu: number,
    db_cpu_limit: number,
    db_memory_mb: number,
    db_memory_limit_mb: number,
    db_storage_gi: number,
    db_max_connections: number,
    orchestrator_cpu: number,
    orchestrator_cpu_limit: number,
    orchestrator_memory_mb: number,
    orchestrator_memory_limit_mb: number,
    orchestrator_min_scale: number,
    orchestrator_max_scale: number,
    executor_cpu: number,
    executor_cpu_limit: number,
    executor_memory_mb: number,
    executor_memory_limit_mb: number,
});
/** Contract, "SourceConfigRequest"; an answer has the same fields. */
const sourceConfig = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    integration_id: text,
    repo_url: text,
    deployment_type: text,
    build_on_push: flag,
    custom_url: text,
    resource_spec: resourceSpec.nullish(),
    listener_id: text,
    listener_config: zod__WEBPACK_IMPORTED_MODULE_0__.object({ cluster_namespace: text }).nullish(),
    install_command: text,
    build_command: text,
});
/** Contract, "SourceRevisionConfig (in responses)". */
const sourceRevisionConfig = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    repo_ref: text,
    app_config_path: text,
    image_uri: text,
    source_tarball_path: text,
    repo_commit_sha: text,
});
/** Contract, "Revision". */
const revision = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    id,
    created_at: text,
    updated_at: text,
    status: zod__WEBPACK_IMPORTED_MODULE_0__.string(),
    status_message: text,
    source: text,
    source_revision_config: sourceRevisionConfig.nullish(),
});
/** Contract, "Deployment". Which fields are required is not shown there: only the id and the name are needed here. */
const deployment = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    id,
    name: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(1),
    source: text,
    source_config: sourceConfig.nullish(),
    source_revision_config: sourceRevisionConfig.nullish(),
    secrets: zod__WEBPACK_IMPORTED_MODULE_0__.array(secret).nullish(),
    secret_references: zod__WEBPACK_IMPORTED_MODULE_0__.array(secretReference).nullish(),
    // Not in the contract's table; where a service tells them, they can be compared.
    shareable: flag,
    route_through_gateway: flag,
    created_at: text,
    updated_at: text,
    status: text,
    latest_revision_id: text,
    active_revision_id: text,
    image_version: text,
});
/** Contract, "GET /v2/deployments". */
const deploymentList = zod__WEBPACK_IMPORTED_MODULE_0__.object({ resources: zod__WEBPACK_IMPORTED_MODULE_0__.array(deployment), offset: zod__WEBPACK_IMPORTED_MODULE_0__.number().int() });
/** Contract notes, `GET /v2/deployments/{id}/revisions`. */
const revisionList = zod__WEBPACK_IMPORTED_MODULE_0__.object({ resources: zod__WEBPACK_IMPORTED_MODULE_0__.array(revision), offset: zod__WEBPACK_IMPORTED_MODULE_0__.number().int() });
/** Contract notes, `GET …/logs`: of a line at least the message is there. */
const logs = zod__WEBPACK_IMPORTED_MODULE_0__.object({ logs: zod__WEBPACK_IMPORTED_MODULE_0__.array(zod__WEBPACK_IMPORTED_MODULE_0__.object({ message: zod__WEBPACK_IMPORTED_MODULE_0__.string().nullish() })) });
/** Contract notes, `GET /v2/listeners`. */
const listener = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    id,
    compute_type: text,
    compute_id: text,
    compute_config: zod__WEBPACK_IMPORTED_MODULE_0__.object({ namespaces: zod__WEBPACK_IMPORTED_MODULE_0__.array(zod__WEBPACK_IMPORTED_MODULE_0__.string()).nullish() }).nullish(),
});
const listenerList = zod__WEBPACK_IMPORTED_MODULE_0__.object({ resources: zod__WEBPACK_IMPORTED_MODULE_0__.array(listener), offset: zod__WEBPACK_IMPORTED_MODULE_0__.number().int() });
/** Contract notes, `GET /v1/integrations/git_host/install`. */
const integrations = zod__WEBPACK_IMPORTED_MODULE_0__.array(zod__WEBPACK_IMPORTED_MODULE_0__.object({ id, name: text }));
/** Contract, "Repository". */
const repository = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    host_integration_id: text,
    url: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(1),
    name: text,
    owner: text,
    default_branch: text,
});
const repositories = zod__WEBPACK_IMPORTED_MODULE_0__.array(repository);
/** Contract, "Provider token"; only the id is needed. */
const providerToken = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    id,
    provider_id: text,
    provider_account_label: text,
    is_default: flag,
    expires_at: text,
});
/** Contract notes, `POST /deployments/{id}/upload-url`. */
const uploadTicket = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    upload_url: zod__WEBPACK_IMPORTED_MODULE_0__.url({ protocol: /^https?$/ }),
    object_path: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(1),
    headers: zod__WEBPACK_IMPORTED_MODULE_0__.record(zod__WEBPACK_IMPORTED_MODULE_0__.string(), zod__WEBPACK_IMPORTED_MODULE_0__.string()).nullish(),
});
/** Contract, "HTTPValidationError", less what it echoes of the request: `input` and `ctx` may hold a secret. */
const httpValidationError = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    detail: zod__WEBPACK_IMPORTED_MODULE_0__.array(zod__WEBPACK_IMPORTED_MODULE_0__.object({ loc: zod__WEBPACK_IMPORTED_MODULE_0__.array(zod__WEBPACK_IMPORTED_MODULE_0__.union([zod__WEBPACK_IMPORTED_MODULE_0__.string(), zod__WEBPACK_IMPORTED_MODULE_0__.number()])), msg: zod__WEBPACK_IMPORTED_MODULE_0__.string(), type: text })),
});
/** An error's `detail` as plain text; some gateways say `message` instead. */
const plainError = zod__WEBPACK_IMPORTED_MODULE_0__.union([
    zod__WEBPACK_IMPORTED_MODULE_0__.object({ detail: zod__WEBPACK_IMPORTED_MODULE_0__.string() }).transform(({ detail }) => detail),
    zod__WEBPACK_IMPORTED_MODULE_0__.object({ detail: zod__WEBPACK_IMPORTED_MODULE_0__.object({ message: zod__WEBPACK_IMPORTED_MODULE_0__.string() }) }).transform(({ detail }) => detail.message),
    zod__WEBPACK_IMPORTED_MODULE_0__.object({ message: zod__WEBPACK_IMPORTED_MODULE_0__.string() }).transform(({ message }) => message),
    zod__WEBPACK_IMPORTED_MODULE_0__.object({ error: zod__WEBPACK_IMPORTED_MODULE_0__.string() }).transform(({ error }) => error),
]);


/***/ })

};
