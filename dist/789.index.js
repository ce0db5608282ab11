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
