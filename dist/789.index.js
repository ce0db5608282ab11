export const id = 789;
export const ids = [789];
export const modules = {

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
