export const id = 244;
export const ids = [244];
export const modules = {

/***/ 4681:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $n: () => (/* binding */ resourceRequirements),
/* harmony export */   DZ: () => (/* binding */ envVar),
/* harmony export */   kL: () => (/* binding */ container),
/* harmony export */   kv: () => (/* binding */ volumeMount),
/* harmony export */   pD: () => (/* binding */ volume),
/* harmony export */   sS: () => (/* binding */ resourceSpec)
/* harmony export */ });
/* unused harmony export numbers */
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4534);

const text = zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().nullish();
const flag = zod__WEBPACK_IMPORTED_MODULE_0__/* .boolean */ .zMY().nullish();
const number = zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().nullish();
const object = zod__WEBPACK_IMPORTED_MODULE_0__/* .record */ .g1P(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J()).nullish();
const strings = zod__WEBPACK_IMPORTED_MODULE_0__/* .record */ .g1P(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()).nullish();
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
// prettier-ignore
const numbers = {
    min_scale: number, max_scale: number,
    cpu: number, cpu_limit: number, memory_mb: number, memory_limit_mb: number,
    queue_min_scale: number, queue_max_scale: number,
    queue_cpu: number, queue_cpu_limit: number, queue_memory_mb: number, queue_memory_limit_mb: number,
    cache_cpu: number, cache_cpu_limit: number, cache_memory_mb: number, cache_memory_limit_mb: number,
    core_cpu: number, core_cpu_limit: number, core_memory_mb: number, core_memory_limit_mb: number,
    db_cpu: number, db_cpu_limit: number, db_memory_mb: number, db_memory_limit_mb: number,
    db_storage_gi: number, db_max_connections: number,
};
/** Only responses have them. */
// prettier-ignore
const reportedNumbers = {
    orchestrator_min_scale: number, orchestrator_max_scale: number,
    orchestrator_cpu: number, orchestrator_cpu_limit: number,
    orchestrator_memory_mb: number, orchestrator_memory_limit_mb: number,
    executor_cpu: number, executor_cpu_limit: number, executor_memory_mb: number, executor_memory_limit_mb: number,
};
/** Contract, "ResourceSpec". */
const resourceSpec = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    ...numbers,
    ...reportedNumbers,
    labels: strings,
    annotations: strings,
    service_account_name: text,
    image_pull_secrets: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(localObjectReference).nullish(),
    volumes: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(volume).nullish(),
    volume_mounts: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(volumeMount).nullish(),
    init_containers: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(container).nullish(),
    sidecars: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(container).nullish(),
});


/***/ }),

/***/ 6244:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  deployment: () => (/* binding */ deployment),
  deploymentList: () => (/* binding */ deploymentList),
  integrations: () => (/* binding */ integrations),
  listenerList: () => (/* binding */ listenerList),
  logs: () => (/* binding */ logs),
  repositories: () => (/* binding */ repositories),
  revision: () => (/* binding */ revision),
  revisionList: () => (/* binding */ revisionList),
  uploadTicket: () => (/* binding */ uploadTicket)
});

// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 17 modules
var schemas = __webpack_require__(4534);
// EXTERNAL MODULE: ./control-plane/forms.ts
var control_plane_forms = __webpack_require__(5138);
// EXTERNAL MODULE: ./http/limits.ts
var limits = __webpack_require__(1573);
// EXTERNAL MODULE: ./control-plane/model.ts
var model = __webpack_require__(1552);
// EXTERNAL MODULE: ./http/json.ts
var json = __webpack_require__(9159);
// EXTERNAL MODULE: ./control-plane/resource-spec-schema.ts
var resource_spec_schema = __webpack_require__(4681);
// EXTERNAL MODULE: ./control-plane/settings.ts
var control_plane_settings = __webpack_require__(6712);
;// CONCATENATED MODULE: ./control-plane/settings-schema.ts




/** In a response, null means the same as a field that is missing. */
function reported(schema) {
    return schema.nullish().transform((value) => value ?? undefined);
}
/** Contract, "SecretReference". */
const secretReference = schemas/* object */.Ikc({ name: schemas/* string */.YjP(), secret_name: schemas/* string */.YjP(), secret_key: schemas/* string */.YjP() })
    .transform(({ name, secret_name, secret_key }) => ({ name, secretName: secret_name, secretKey: secret_key }));
const settings_schema_text = reported(schemas/* string */.YjP());
const SCHEMAS = {
    text: settings_schema_text,
    flag: reported(schemas/* boolean */.zMY()),
    resourceSpec: reported(resource_spec_schema/* resourceSpec */.sS),
    // A response may withhold the value of a secret (contract, "Secret").
    secrets: reported(schemas/* array */.YOg(schemas/* object */.Ikc({ name: schemas/* string */.YjP(), value: settings_schema_text }))),
    secretReferences: reported(schemas/* array */.YOg(secretReference)),
};
/** The objects of a response that settings are in (contract, "SourceRevisionConfig (in responses)"). */
const PLACES = {
    source_config: schemas/* looseObject */._H3({ listener_config: schemas/* looseObject */._H3({}).nullish(), repo_branch: settings_schema_text }).nullish(),
    source_revision_config: schemas/* looseObject */._H3({ repo_commit_sha: settings_schema_text }).nullish(),
};
const PATHS = {
    body: [],
    source_config: ['source_config'],
    listener_config: ['source_config', 'listener_config'],
    source_revision_config: ['source_revision_config'],
};
/** Reads these fields of a response, each from its place. A value of another type is an issue of the context. */
function readSettings(wire, fields, context) {
    const settings = {};
    for (const field of fields)
        readSetting(field, wire, settings, context);
    return settings;
}
function readSetting(field, wire, settings, context) {
    const { type, place } = control_plane_settings/* SETTINGS */.yy[field];
    const at = [...PATHS[place], (0,control_plane_settings/* wireName */.R5)(field)];
    const parsed = SCHEMAS[type].safeParse(at.reduce(json/* fieldOf */._F, wire));
    for (const { message, path } of parsed.error?.issues ?? [])
        context.addIssue({ code: 'custom', message, path: [...at, ...path] });
    settings[field] = parsed.data;
}

// EXTERNAL MODULE: ./control-plane/timestamp.ts
var timestamp = __webpack_require__(5741);
;// CONCATENATED MODULE: ./control-plane/schemas.ts







/**
 * The responses of the control plane, read into the types of model.ts. Unknown fields and unknown enum values are
 * accepted: the contract leaves many shapes open, so only what a rollout needs is required.
 */
const id = schemas/* string */.YjP().regex(control_plane_forms/* FORMS */.yY.id);
const schemas_text = reported(schemas/* string */.YjP());
const pageOffset = schemas/* number */.aig().int();
const IN_REVISION = (0,control_plane_settings/* fieldsWhere */.H_)(({ inRevision }) => inRevision === true);
/** Contract, "Revision". */
const revision = schemas/* object */.Ikc({
    id,
    status: schemas/* string */.YjP(),
    status_message: schemas_text,
    created_at: schemas_text,
    updated_at: schemas_text,
    source_revision_config: PLACES.source_revision_config,
    // Only a deployment has it, and it has an id and a status, too.
    latest_revision_id: schemas/* undefined */.Vxk('a deployment in place of a revision').optional(),
})
    .transform((wire, context) => {
    const commit = reportedCommit(wire);
    const dropped = (0,control_plane_forms/* misfits */.gX)({ status: [wire.status, control_plane_forms/* FORMS */.yY.status], 'commit-sha': [commit, control_plane_forms/* FORMS */.yY.commit] });
    return {
        id: wire.id,
        status: dropped.includes('status') ? model/* MALFORMED_STATUS */.B6 : wire.status,
        statusMessage: shortened(wire.status_message),
        repoCommitSha: dropped.includes('commit-sha') ? undefined : commit,
        createdAt: (0,timestamp/* parseTimestamp */.E)(wire.created_at),
        updatedAt: (0,timestamp/* parseTimestamp */.E)(wire.updated_at ?? wire.created_at),
        settings: readSettings(wire, IN_REVISION, context),
        ...(dropped.length > 0 && { dropped }),
    };
});
/** Statuses of a deployment (contract notes, "Statuses"). The others say nothing about a rollout. */
const BEING_DELETED = ['AWAITING_DELETE', 'AWAITING_FINAL_DELETE'];
/** Contract, "Deployment". It does not show which fields are required: only the id and the name are needed here. */
const deployment = schemas/* looseObject */._H3({
    ...PLACES,
    id,
    // A name is part of messages.
    name: schemas/* string */.YjP().min(1).max(1000),
    source: schemas_text,
    status: schemas_text,
    created_at: schemas_text,
    updated_at: schemas_text,
    url: schemas_text,
    latest_revision_id: schemas_text,
    active_revision_id: schemas/* string */.YjP().nullish(),
})
    .transform((wire, context) => {
    const { latest_revision_id: latest, active_revision_id: active } = wire;
    const branch = wire.source_config?.repo_branch;
    const commit = reportedCommit(wire);
    const dropped = (0,control_plane_forms/* misfits */.gX)({
        latest_revision_id: [latest, control_plane_forms/* FORMS */.yY.id],
        active_revision_id: [active, control_plane_forms/* FORMS */.yY.id],
        'commit-sha': [commit, control_plane_forms/* FORMS */.yY.commit],
    });
    return {
        id: wire.id,
        name: wire.name,
        source: wire.source,
        latestRevisionId: dropped.includes('latest_revision_id') ? undefined : latest,
        activeRevisionId: dropped.includes('active_revision_id') ? undefined : active,
        updatedAt: (0,timestamp/* parseTimestamp */.E)(wire.updated_at ?? wire.created_at),
        repoCommitSha: dropped.includes('commit-sha') ? undefined : commit,
        settings: (0,model/* withBranch */.tq)(readSettings(wire, control_plane_settings/* FIELDS */.cJ, context), branch),
        ...(wire.url !== undefined && { url: wire.url }),
        ...(branch !== undefined && { branch }),
        ...(BEING_DELETED.includes(wire.status ?? '') && { isBeingDeleted: true }),
        ...(dropped.length > 0 && { dropped }),
    };
});
/** Contract, "GET /v2/deployments". */
const deploymentList = schemas/* object */.Ikc({ resources: schemas/* array */.YOg(deployment), offset: pageOffset });
/** Contract notes, `GET /v2/deployments/{id}/revisions`. */
const revisionList = schemas/* object */.Ikc({ resources: schemas/* array */.YOg(revision) }).transform(({ resources }) => resources);
/** Contract notes, `GET …/logs`: at least the message of each line is there. */
const logs = schemas/* object */.Ikc({ logs: schemas/* array */.YOg(schemas/* object */.Ikc({ message: schemas_text })) })
    .transform(({ logs }) => logs.map(({ message }) => message ?? ''));
/** Contract notes, `GET /v2/listeners`. */
const listener = schemas/* object */.Ikc({
    id,
    compute_type: schemas_text,
    compute_id: schemas_text,
    compute_config: schemas/* object */.Ikc({ namespaces: reported(schemas/* array */.YOg(schemas/* string */.YjP())) }).nullish(),
})
    .transform((wire) => ({
    id: wire.id,
    computeType: wire.compute_type,
    computeId: wire.compute_id,
    namespaces: wire.compute_config?.namespaces,
}));
const listenerList = schemas/* object */.Ikc({ resources: schemas/* array */.YOg(listener), offset: pageOffset });
/** Contract notes, `GET /v1/integrations/git_host/install`. */
const integrations = schemas/* array */.YOg(schemas/* object */.Ikc({ id, name: schemas_text }));
/** Contract, "Repository". */
const repositories = schemas/* array */.YOg(schemas/* object */.Ikc({ host_integration_id: schemas_text, url: schemas/* string */.YjP().min(1) }));
/** Contract notes, `POST /deployments/{id}/upload-url`. */
const uploadTicket = schemas/* object */.Ikc({
    upload_url: schemas/* url */.OZ5({ protocol: /^https?$/ }),
    object_path: schemas/* string */.YjP().min(1),
    headers: reported(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP())),
});
/** Cut between two lines or words: half a secret could no longer be recognised. */
function shortened(message) {
    if (message === undefined || message.length <= limits/* MAX_STATUS_MESSAGE */._Y)
        return message;
    const kept = message.slice(0, limits/* MAX_STATUS_MESSAGE */._Y);
    const end = kept.includes('\n') ? kept.lastIndexOf('\n') : kept.lastIndexOf(' ');
    // A text that is copied does not keep the whole answer in memory.
    return `${Buffer.from(kept.slice(0, Math.max(0, end))).toString()}\n… (cut)`;
}
/** An empty one is none: some services report it until the build begins. */
function reportedCommit({ source_revision_config: config }) {
    return config?.repo_commit_sha === '' ? undefined : config?.repo_commit_sha;
}


/***/ })

};
