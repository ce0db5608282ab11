export const id = 426;
export const ids = [426,789];
export const modules = {

/***/ 4426:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   explainStatus: () => (/* binding */ explainStatus)
/* harmony export */ });
/* harmony import */ var _credentials_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7923);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8295);
/* harmony import */ var _schemas_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9789);




/** Turns an answer that is no success into an error that says what came back and what to do (contract, "Errors"). */
function explainStatus(answer) {
    const { status, method, path, attempted } = answer;
    const line = `${method} ${path}`;
    if (status < 200) {
        return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq({
            attempted,
            cameBack: `${line} answered ${status}`,
            hint: CHECK_BASE_URL,
        });
    }
    if (status < 300) {
        return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq({
            attempted,
            cameBack: `${line} answered ${status}, which is not what was expected`,
            hint: 'Find out why it did, or name this status as well where the expected ones are named.',
        });
    }
    if (status < 400) {
        const to = answer.headers.location === undefined ? '' : ` to ${withoutQuery(answer.headers.location)}`;
        return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq({
            attempted,
            cameBack: `${line} answered ${status}, a redirect${to}`,
            hint: 'Redirects are never followed, as the credentials would travel along: correct base-url to the final address.',
        });
    }
    const detail = describeBody(answer.body, answer.headers['content-type']);
    const cameBack = `${line} answered ${status}${detail === '' ? '' : `: ${detail}`}`;
    const hint = answer.hintFor?.(status, detail) ?? generalHint(status, detail, answer.credentials);
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RefusedError */ .fk(status, detail, { attempted, cameBack, hint });
}
const CHECK_BASE_URL = 'Check that base-url points to the control plane, path prefix included.';
function generalHint(status, detail, credentials) {
    switch (status) {
        case 401:
        case 403: {
            if (/workspace specification/i.test(detail)) {
                return 'This key serves several workspaces: set tenant-id to the one to use.';
            }
            return `Check the credentials that were sent: ${(0,_credentials_js__WEBPACK_IMPORTED_MODULE_2__/* .describeSchemes */ .q)(credentials)}. They may be wrong, expired or without access.`;
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
    const json = (0,_json_js__WEBPACK_IMPORTED_MODULE_3__/* .parseJson */ .q)(body);
    if (json.ok) {
        const invalid = _schemas_js__WEBPACK_IMPORTED_MODULE_1__.httpValidationError.safeParse(json.value);
        if (invalid.success) {
            return invalid.data.detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
        }
        return _schemas_js__WEBPACK_IMPORTED_MODULE_1__.plainError.safeParse(json.value).data ?? '';
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
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4534);

/**
 * What the control plane answers, in the contract's spelling. Unknown fields and unknown enum values are tolerated:
 * the contract leaves many shapes open, so nothing is required that the rollout can do without.
 */
const text = zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().nullish();
const flag = zod__WEBPACK_IMPORTED_MODULE_0__/* .boolean */ .zMY().nullish();
const number = zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().nullish();
const id = zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().min(1);
const object = zod__WEBPACK_IMPORTED_MODULE_0__/* .record */ .g1P(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J()).nullish();
const strings = zod__WEBPACK_IMPORTED_MODULE_0__/* .record */ .g1P(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()).nullish();
/** Contract, "Secret". An answer may hide the value. */
const secret = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), value: text });
/** Contract, "SecretReference". */
const secretReference = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), secret_name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), secret_key: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() });
/** Contract, "LocalObjectReference". */
const localObjectReference = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() });
/** Contract, "Volume". */
const volume = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
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
const volumeMount = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    mountPath: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    subPath: text,
    mountPropagation: text,
    readOnly: flag,
    subPathExpr: text,
});
/** Contract, "EnvVar". */
const envVar = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), value: text, valueFrom: object });
/** Contract, "ResourceRequirements". */
const resourceRequirements = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ limits: strings, requests: strings });
/** Contract, "Container (init and sidecar containers)". */
const container = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    image: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    imagePullPolicy: text,
    command: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()).nullish(),
    args: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()).nullish(),
    workingDir: text,
    env: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(envVar).nullish(),
    envFrom: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .record */ .g1P(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J())).nullish(),
    resources: resourceRequirements.nullish(),
    volumeMounts: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(volumeMount).nullish(),
    securityContext: object,
    restartPolicy: text,
});
/** Contract, "ResourceSpec", with the orchestrator_* and executor_* fields that answers may also carry. */
const resourceSpec = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
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
    image_pull_secrets: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(localObjectReference).nullish(),
    volumes: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(volume).nullish(),
    volume_mounts: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(volumeMount).nullish(),
    init_containers: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(container).nullish(),
    sidecars: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(container).nullish(),
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
const sourceConfig = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    integration_id: text,
    repo_url: text,
    deployment_type: text,
    build_on_push: flag,
    custom_url: text,
    resource_spec: resourceSpec.nullish(),
    listener_id: text,
    listener_config: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ cluster_namespace: text }).nullish(),
    install_command: text,
    build_command: text,
});
/** Contract, "SourceRevisionConfig (in responses)". */
const sourceRevisionConfig = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    repo_ref: text,
    app_config_path: text,
    image_uri: text,
    source_tarball_path: text,
    repo_commit_sha: text,
});
/** Contract, "Revision". */
const revision = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    id,
    created_at: text,
    status: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    status_message: text,
    source_revision_config: sourceRevisionConfig.nullish(),
});
/** Contract, "Deployment". Which fields are required is not shown there: only the id and the name are needed here. */
const deployment = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    id,
    name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().min(1),
    source: text,
    source_config: sourceConfig.nullish(),
    source_revision_config: sourceRevisionConfig.nullish(),
    secrets: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(secret).nullish(),
    secret_references: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(secretReference).nullish(),
    // Not in the contract's table; where a service tells them, they can be compared.
    shareable: flag,
    route_through_gateway: flag,
    created_at: text,
    updated_at: text,
    latest_revision_id: text,
    active_revision_id: text,
});
/** Contract, "GET /v2/deployments". */
const deploymentList = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ resources: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(deployment), offset: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().int() });
/** Contract notes, `GET /v2/deployments/{id}/revisions`. */
const revisionList = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ resources: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(revision) });
/** Contract notes, `GET …/logs`: of a line at least the message is there. */
const logs = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ logs: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ message: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().nullish() })) });
/** Contract notes, `GET /v2/listeners`. */
const listener = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    id,
    compute_type: text,
    compute_id: text,
    compute_config: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ namespaces: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()).nullish() }).nullish(),
});
const listenerList = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ resources: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(listener), offset: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().int() });
/** Contract notes, `GET /v1/integrations/git_host/install`. */
const integrations = zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ id, name: text }));
/** Contract, "Repository". */
const repository = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ host_integration_id: text, url: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().min(1) });
const repositories = zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(repository);
/** Contract notes, `POST /deployments/{id}/upload-url`. */
const uploadTicket = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    upload_url: zod__WEBPACK_IMPORTED_MODULE_0__/* .url */ .OZ5({ protocol: /^https?$/ }),
    object_path: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().min(1),
    headers: zod__WEBPACK_IMPORTED_MODULE_0__/* .record */ .g1P(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()).nullish(),
});
/** Contract, "HTTPValidationError", less what it echoes of the request: `input` and `ctx` may hold a secret. */
const httpValidationError = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    detail: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ loc: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .union */ .KCZ([zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig()])), msg: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() })),
});
/** An error's `detail` as plain text; some gateways say `message` instead. */
const plainError = zod__WEBPACK_IMPORTED_MODULE_0__/* .union */ .KCZ([
    zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ detail: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() }).transform(({ detail }) => detail),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ detail: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ message: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() }) }).transform(({ detail }) => detail.message),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ message: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() }).transform(({ message }) => message),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ error: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() }).transform(({ error }) => error),
]);


/***/ })

};
