export const id = 500;
export const ids = [500,137];
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

/***/ 137:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   parseYaml: () => (/* binding */ parseYaml),
/* harmony export */   u: () => (/* binding */ readDocument)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_fs_promises__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1___default = /*#__PURE__*/__webpack_require__.n(node_path__WEBPACK_IMPORTED_MODULE_1__);
/* harmony import */ var yaml__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6637);
/* harmony import */ var _quote_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6317);
/* harmony import */ var _regular_file_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7663);
/* harmony import */ var _workspace_path_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(2662);
/* harmony import */ var _path_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(4499);







const MAX_ALIASES = 100;
const FILE_NAME = /\.(ya?ml|json)$/i;
/** Reads YAML or JSON, or the file that a single line names. No message repeats the content. */
async function readDocument(given, workspace) {
    const line = given.trim();
    if (line.includes('\n') || !(FILE_NAME.test(line) || looksLikePath(line)))
        return parseYaml(given);
    return await readYamlFile(line, workspace);
}
/** Whether the line is a single word and not a mapping, like `ops/spec`. */
function looksLikePath(line) {
    return !/[:{[]\s|^[{["']|:$/.test(line) && line !== '';
}
async function readYamlFile(file, workspace) {
    const place = await (0,_workspace_path_js__WEBPACK_IMPORTED_MODULE_5__/* .locate */ .x)(file, workspace);
    if (place.kind === 'missing')
        return unreadable('is neither a mapping in YAML or JSON nor a file: read as a path, there is no such file in the workspace; is the repository checked out?');
    if (place.kind === 'refused')
        return unreadable(`names the file ${file}, which ${place.message}`);
    try {
        const bytes = await (0,_regular_file_js__WEBPACK_IMPORTED_MODULE_4__/* .readWhole */ .oD)(place.real, _regular_file_js__WEBPACK_IMPORTED_MODULE_4__/* .MAX_TEXT_BYTES */ .$D);
        const text = bytes.toString('utf8');
        if (text.includes('\u0000'))
            return unreadable(`names the file ${file}, which is not text`);
        const reading = { ...parseYaml(text), file: await insideWorkspace(place.real, workspace) };
        if (reading.kind === 'read')
            return reading;
        const { message, line: at = 1 } = reading;
        return reading.file === undefined ? { ...reading, message: `(in ${file}) ${message}` } : { ...reading, line: at };
    }
    catch (thrown) {
        return unreadable(`names the file ${file}, which cannot be read (${(0,_quote_js__WEBPACK_IMPORTED_MODULE_3__/* .codeOf */ .$N)(thrown)})`);
    }
}
/** The path relative to the workspace, with slashes; undefined outside of it. */
async function insideWorkspace(real, workspace) {
    const relative = node_path__WEBPACK_IMPORTED_MODULE_1___default().relative(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(workspace), real);
    return (0,_workspace_path_js__WEBPACK_IMPORTED_MODULE_5__/* .isOutside */ ._)(relative) ? undefined : relative.replaceAll((node_path__WEBPACK_IMPORTED_MODULE_1___default().sep), '/');
}
/** Parses YAML or JSON. No message repeats the content. */
function parseYaml(text) {
    if (Buffer.byteLength(text) > _regular_file_js__WEBPACK_IMPORTED_MODULE_4__/* .MAX_TEXT_BYTES */ .$D)
        return unreadable('is larger than 1 MB');
    const lineCounter = new yaml__WEBPACK_IMPORTED_MODULE_2__/* .LineCounter */ .HN();
    const lineAt = (offset) => Math.max(1, lineCounter.linePos(offset).line);
    try {
        // Pretty errors repeat the line, which may contain a secret.
        const document = (0,yaml__WEBPACK_IMPORTED_MODULE_2__/* .parseDocument */ .Tp)(text, { version: '1.2', prettyErrors: false, lineCounter });
        const [problem] = [...document.errors, ...document.warnings];
        if (problem !== undefined) {
            const { line, col } = lineCounter.linePos(problem.pos[0]);
            const kind = problem instanceof yaml__WEBPACK_IMPORTED_MODULE_2__/* .YAMLParseError */ .XT ? 'is not valid YAML' : 'is not plain YAML';
            const code = problem.code.toLowerCase().replaceAll('_', ' ');
            return { ...unreadable(`${kind}: ${code} in line ${line}, column ${col}`), line };
        }
        const unknown = aliasWithoutAnchor(document);
        if (unknown !== undefined) {
            const line = lineAt(unknown);
            return { ...unreadable(`has an alias that has no anchor, in line ${line}`), line };
        }
        const at = collectionAsKey(document);
        if (at !== undefined) {
            const line = lineAt(at);
            return { ...unreadable(`has a mapping or a list as a key, in line ${line}`), line };
        }
        const value = document.toJS({ maxAliasCount: MAX_ALIASES });
        return { kind: 'read', value, lineOf: (place) => lineAt((0,_path_js__WEBPACK_IMPORTED_MODULE_6__/* .offsetOf */ .b4)(document, place)) };
    }
    catch (thrown) {
        if (thrown instanceof RangeError)
            return unreadable('is nested too deeply');
        return unreadable('cannot be read as YAML: an alias is used too often');
    }
}
/** Returns the offset of a key that is not a scalar. JSON has no such key, and the library would warn about it on stderr. */
function collectionAsKey(document) {
    let at;
    (0,yaml__WEBPACK_IMPORTED_MODULE_2__/* .visit */ .YR)(document, {
        Pair(_key, { key }) {
            const node = (0,yaml__WEBPACK_IMPORTED_MODULE_2__/* .isAlias */ .Vj)(key) ? key.resolve(document) : key;
            if (!(0,yaml__WEBPACK_IMPORTED_MODULE_2__/* .isCollection */ .P3)(node))
                return undefined;
            at = ((0,yaml__WEBPACK_IMPORTED_MODULE_2__/* .isNode */ .Ll)(key) ? key.range?.[0] : undefined) ?? 0;
            return yaml__WEBPACK_IMPORTED_MODULE_2__/* .visit */ .YR.BREAK;
        },
    });
    return at;
}
/** Returns the offset of the first alias whose anchor is not above it. */
function aliasWithoutAnchor(document) {
    const anchors = new Set();
    let at;
    (0,yaml__WEBPACK_IMPORTED_MODULE_2__/* .visit */ .YR)(document, (_key, node) => {
        if ((0,yaml__WEBPACK_IMPORTED_MODULE_2__/* .isAlias */ .Vj)(node)) {
            if (anchors.has(node.source))
                return undefined;
            at = node.range?.[0] ?? 0;
            return yaml__WEBPACK_IMPORTED_MODULE_2__/* .visit */ .YR.BREAK;
        }
        if ((0,yaml__WEBPACK_IMPORTED_MODULE_2__/* .isNode */ .Ll)(node) && node.anchor !== undefined)
            anchors.add(node.anchor);
        return undefined;
    });
    return at;
}
function unreadable(message) {
    return { kind: 'unreadable', message };
}


/***/ }),

/***/ 4499:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Hv: () => (/* binding */ isBelowEnv),
/* harmony export */   NH: () => (/* binding */ describePath),
/* harmony export */   b4: () => (/* binding */ offsetOf),
/* harmony export */   fK: () => (/* binding */ valueAt),
/* harmony export */   hz: () => (/* binding */ byPlace)
/* harmony export */ });
/* harmony import */ var yaml__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6637);

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;
/** `resource-spec.sidecars[0].env[2].name` */
function describePath(path) {
    const steps = path.map((step, depth) => {
        if (typeof step === 'number')
            return `[${step}]`;
        const key = String(step);
        if (PLAIN_KEY.test(key))
            return `.${key}`;
        // `{ TOKEN=… }` is a mapping, too: a key that is not a plain name may contain a value.
        return isBelowEnv(path.slice(0, depth)) ? '[…]' : `[${JSON.stringify(key.slice(0, 60))}]`;
    });
    return `resource-spec${steps.join('')}`;
}
/** Whether the place belongs to an environment variable, whose value may be a secret. */
function isBelowEnv(path) {
    return path.some((step) => step === 'env' || step === 'envFrom');
}
/** Returns the value at a place, or `undefined`. */
function valueAt(document, path) {
    return path.reduce((value, step) => {
        if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
            return undefined;
        const child = Reflect.get(value, step);
        return child;
    }, document);
}
/** Compares two places by their order in the document; places that it lacks come last. */
function byPlace(document) {
    return (one, other) => {
        const [left, right] = [ranksOf(document, one), ranksOf(document, other)];
        const differences = left.map((rank, depth) => rank - (right[depth] ?? -1));
        return differences.find((difference) => difference !== 0) ?? left.length - right.length;
    };
}
function ranksOf(document, path) {
    return path.map((step, depth) => {
        const parent = valueAt(document, path.slice(0, depth));
        const keys = typeof parent === 'object' && parent !== null ? Object.keys(parent) : [];
        const rank = keys.indexOf(String(step));
        return rank < 0 ? Number.MAX_SAFE_INTEGER : rank;
    });
}
/** The offset in the text of a place, or of the nearest one above it that the document has. */
function offsetOf(document, path) {
    let node = document.contents;
    let offset = startOf(node) ?? 0;
    for (const step of path) {
        if ((0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isMap */ .jh)(node)) {
            const pair = node.items.find(({ key }) => (0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isScalar */ .jn)(key) && String(key.value) === String(step));
            if (pair === undefined)
                break;
            offset = startOf(pair.key) ?? offset;
            node = pair.value;
        }
        else if ((0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isSeq */ .oP)(node)) {
            node = node.items[Number(step)];
            offset = startOf(node) ?? offset;
        }
        else
            break;
    }
    return offset;
}
function startOf(node) {
    return (0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isNode */ .Ll)(node) ? node.range?.[0] : undefined;
}


/***/ }),

/***/ 5500:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readResourceSpec: () => (/* binding */ readResourceSpec)
});

// EXTERNAL MODULE: ./problem.ts
var problem = __webpack_require__(2035);
// EXTERNAL MODULE: ./control-plane/langsmith/names.ts
var langsmith_names = __webpack_require__(2109);
// EXTERNAL MODULE: ./sources/resource-spec/path.ts
var resource_spec_path = __webpack_require__(4499);
;// CONCATENATED MODULE: ./sources/resource-spec/own-names.ts


/** The fields of a document that are set under both of their names. */
function doubled(document, names, whereIs) {
    if (typeof document !== 'object' || document === null)
        return [];
    return Object.entries(names)
        .filter(([contract, own]) => Object.hasOwn(document, contract) && Object.hasOwn(document, own))
        .map(([contract, own]) => {
        const message = `must not be set together with ${contract}`;
        return { input: placeOf(own), message, place: whereIs([own]) };
    });
}
/** Renames the fields of the specification itself; below it, all names are the same. */
function withContractNames(document, names) {
    if (typeof document !== 'object' || document === null || Array.isArray(document))
        return document;
    const contract = (0,langsmith_names/* reversed */.TY)(names);
    return Object.fromEntries(Object.entries(document).map(([name, value]) => [(0,langsmith_names/* nameIn */.ZC)(contract, name), value]));
}
/** Whether the place is the specification or one of its own fields: a label below it may have the name of a field. */
function isOfOwnField(place) {
    return /^[^.]*(\.[^.[]*)?$/.test(place);
}
/** A place by the name under which the document sets the field: the contract's or the service's. */
function asWritten(place, document, names) {
    const [field, ...below] = place;
    const own = names[String(field)];
    return own !== undefined && (0,resource_spec_path/* valueAt */.fK)(document, [own]) !== undefined ? [own, ...below] : place;
}
/** Returns a sentence with the service's names for fields. What is between double quotes is a value of the user. */
function inWords(names, sentence) {
    return sentence.replace(/"(?:[^"\\]|\\.)*"|\b[a-z_]+\b/g, (word) => (0,langsmith_names/* nameIn */.ZC)(names, word));
}
function placeOf(name) {
    return `resource-spec.${name}`;
}

// EXTERNAL MODULE: ./sources/resource-spec/document.ts
var resource_spec_document = __webpack_require__(137);
// EXTERNAL MODULE: ./sources/resource-spec/fields.ts
var fields = __webpack_require__(4873);
;// CONCATENATED MODULE: ./sources/resource-spec/nearest.ts
/** Finds the known name that was probably meant; `undefined` if none is similar. */
function nearestName(given, known) {
    const wanted = flatten(given);
    const [best] = known
        .map((name) => ({ name, distance: editDistance(wanted, flatten(name)) }))
        .sort((one, other) => one.distance - other.distance);
    const isSimilar = best !== undefined && best.distance <= Math.max(1, Math.floor(wanted.length / 3));
    return isSimilar ? best.name : undefined;
}
/** Makes `memoryMb`, `memory-mb` and `memory_mb` equal. */
function flatten(name) {
    const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '');
    return letters.slice(0, 64);
}
/** Counts insertions, deletions, replacements, and swaps of neighbours. */
function editDistance(one, other) {
    let beforeLast = [];
    let last = Array.from({ length: other.length + 1 }, (_, index) => index);
    for (let row = 1; row <= one.length; row++) {
        const current = [row];
        for (let column = 1; column <= other.length; column++) {
            const same = one[row - 1] === other[column - 1];
            const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
            current.push(Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1), swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY));
        }
        beforeLast = last;
        last = current;
    }
    return last[other.length] ?? 0;
}

// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 17 modules
var schemas = __webpack_require__(4534);
// EXTERNAL MODULE: ./control-plane/resource-spec-schema.ts
var resource_spec_schema = __webpack_require__(4681);
;// CONCATENATED MODULE: ./sources/resource-spec/schema.ts



/**
 * The strict schema of `resource-spec` (contract, "ResourceSpec" and the objects below it): the fields of a response,
 * without unknown ones, and with rules for their values. rules.ts has the rules across fields. Ceilings are not
 * enforced: a self-hosted cluster may accept more (rule 8 of the contract notes).
 */
const dnsLabel = schemas/* string */.YjP()
    .max(63)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const cIdentifier = schemas/* string */.YjP().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);
const required = schemas/* string */.YjP().min(1);
const NUMBERS = {
    cores: schemas/* number */.aig().positive(),
    replicas: schemas/* int */.Whr().nonnegative(),
    MB: schemas/* int */.Whr().positive().multipleOf(fields/* MEMORY_STEP_MB */.d6),
    GiB: schemas/* int */.Whr().positive(),
    connections: schemas/* int */.Whr().positive(),
};
const localObjectReferenceSchema = schemas/* strictObject */.rej({ name: required });
const volumeSchema = schemas/* strictObject */.rej({ ...resource_spec_schema/* volume */.pD.shape, name: dnsLabel });
const volumeMountSchema = schemas/* strictObject */.rej({ ...resource_spec_schema/* volumeMount */.kv.shape, name: required, mountPath: required });
const envVarSchema = schemas/* strictObject */.rej({ ...resource_spec_schema/* envVar */.DZ.shape, name: cIdentifier });
const resourceRequirementsSchema = schemas/* strictObject */.rej(resource_spec_schema/* resourceRequirements */.$n.shape);
const containerSchema = schemas/* strictObject */.rej({
    ...resource_spec_schema/* container */.kL.shape,
    name: dnsLabel,
    image: required,
    imagePullPolicy: schemas/* enum */.k5n(['Always', 'Never', 'IfNotPresent']).nullish(),
    env: schemas/* array */.YOg(envVarSchema).nullish(),
    resources: resourceRequirementsSchema.nullish(),
    volumeMounts: schemas/* array */.YOg(volumeMountSchema).nullish(),
    restartPolicy: schemas/* enum */.k5n(['Always', 'OnFailure']).nullish(),
});
const resourceSpecSchema = schemas/* strictObject */.rej({
    ...numericSchemas(),
    ...resource_spec_schema/* resourceSpec */.sS.pick({ labels: true, annotations: true, service_account_name: true }).shape,
    image_pull_secrets: schemas/* array */.YOg(localObjectReferenceSchema).nullish(),
    volumes: schemas/* array */.YOg(volumeSchema).nullish(),
    volume_mounts: schemas/* array */.YOg(volumeMountSchema).nullish(),
    init_containers: schemas/* array */.YOg(containerSchema).nullish(),
    sidecars: schemas/* array */.YOg(containerSchema).nullish(),
});
function numericSchemas() {
    const schemas = Object.fromEntries(fields/* NUMERIC_NAMES */.FD.map((name) => [name, numberOf(fields/* NUMERIC_FIELDS */.EX[name]).nullish()]));
    if (!hasEveryField(schemas))
        throw new Error('A field has no schema');
    return schemas;
}
function hasEveryField(shape) {
    return fields/* NUMERIC_NAMES */.FD.every((name) => name in shape);
}
function numberOf({ unit, min }) {
    return min === undefined ? NUMBERS[unit] : schemas/* number */.aig().min(min);
}

;// CONCATENATED MODULE: ./sources/resource-spec/issues.ts



/** An object with more unknown fields was not mistyped. */
const MAX_UNKNOWN = 50;
/** Words an issue that the schema found. */
function findingsOf(issue, document) {
    const { path } = issue;
    if (issue.code === 'unrecognized_keys') {
        return issue.keys
            .slice(0, MAX_UNKNOWN)
            .map((key) => ({ path: [...path, key], message: describeUnknown(key, path) }));
    }
    const found = (0,resource_spec_path/* valueAt */.fK)(document, path);
    if (found === undefined)
        return [{ path, message: 'is required' }];
    return [{ path, message: `${describeRule(issue, found)}${describeFound(issue, found)}` }];
}
function describeRule(issue, found) {
    const { path } = issue;
    switch (issue.code) {
        case 'invalid_type':
            // True for `1e400`, `.inf` and `.nan`.
            if (typeof found === 'number' && issue.expected === 'number')
                return 'must be a finite number';
            return `must be ${EXPECTED[issue.expected] ?? issue.expected}${isInStringMap(path) ? ' (put it in quotes)' : ''}`;
        case 'too_small':
            if (issue.origin === 'string')
                return 'must not be empty';
            return issue.inclusive === true ? `must be at least ${issue.minimum}` : `must be above ${issue.minimum}`;
        case 'too_big':
            if (issue.origin !== 'string')
                return `must be at most ${issue.maximum}`;
            return `must have at most ${issue.maximum} characters`;
        case 'not_multiple_of':
            return `must be a multiple of ${issue.divisor} (MB)`;
        case 'invalid_format':
            // The schema checks two kinds of names: an environment variable's, and DNS labels.
            return path.at(-3) === 'env'
                ? 'must be a C identifier: letters, digits and _, not a digit first'
                : 'must be a DNS label: lower case letters, digits and -, not at the ends, at most 63';
        case 'invalid_value':
            return `must be one of ${issue.values.map(String).join(', ')}`;
        default:
            return 'is not accepted';
    }
}
const EXPECTED = {
    int: 'a whole number',
    number: 'a number',
    string: 'a string',
    boolean: 'true or false',
    array: 'a list',
    object: 'a mapping',
    record: 'a mapping',
};
function isInStringMap(path) {
    return ['labels', 'annotations', 'limits', 'requests'].includes(String(path.at(-2)));
}
const MAX_SHOWN = 80;
function describeFound(issue, found) {
    const isWrongType = issue.code === 'invalid_type';
    // Any text below env may be the value of a variable, as in `env: [TOKEN=…]`.
    if ((0,resource_spec_path/* isBelowEnv */.Hv)(issue.path))
        return isWrongType ? `, not ${kindOf(found)}` : '';
    // A string in place of a list or mapping may contain a secret, as in `args: "--token=…"`.
    const isText = !isWrongType || !['array', 'object', 'record'].includes(issue.expected);
    if (isText && typeof found === 'number')
        return `, not ${found}`;
    if (isText && (typeof found === 'string' || typeof found === 'boolean'))
        return `, not ${JSON.stringify(found).slice(0, MAX_SHOWN)}`;
    return `, not ${kindOf(found)}`;
}
function kindOf(found) {
    if (found === null)
        return 'null';
    if (Array.isArray(found))
        return 'a list';
    return typeof found === 'object' ? 'a mapping' : `a ${typeof found}`;
}
function describeUnknown(key, parent) {
    if (parent.length === 0 && /^(orchestrator|executor)_/.test(key))
        return 'is reported by the control plane and cannot be set';
    const list = parent.findLast((step) => typeof step === 'string');
    const { what, schema } = OBJECTS[list ?? ''] ?? { what: 'resource-spec', schema: resourceSpecSchema };
    const known = Object.keys(schema.shape);
    const nearest = nearestName(key, known);
    if (nearest !== undefined)
        return `is not a field of ${what}; did you mean ${nearest}?`;
    return `is not a field of ${what}, whose fields are ${known.join(', ')}`;
}
/** The objects below the specification, by the last name of their path. */
const OBJECTS = {
    sidecars: { what: 'a container', schema: containerSchema },
    init_containers: { what: 'a container', schema: containerSchema },
    env: { what: 'an environment variable', schema: envVarSchema },
    volumes: { what: 'a volume', schema: volumeSchema },
    volume_mounts: { what: 'a volume mount', schema: volumeMountSchema },
    volumeMounts: { what: 'a volume mount', schema: volumeMountSchema },
    resources: { what: 'resources', schema: resourceRequirementsSchema },
    image_pull_secrets: { what: 'an image pull secret', schema: localObjectReferenceSchema },
};

;// CONCATENATED MODULE: ./sources/resource-spec/rules.ts



/**
 * Checks the rules across fields. It reads the unparsed document, so that its findings are reported together with the
 * schema's, and skips values of the wrong type.
 */
function brokenRules(document) {
    return [
        ...limitsBelowRequests(document),
        ...doubledNames(document),
        ...danglingMounts(document),
        ...doubledValues(document),
    ];
}
/** Contract, "ResourceSpec": a limit is not below its request, nor below what the request defaults to. */
function limitsBelowRequests(document) {
    return fields/* NUMERIC_NAMES */.FD.flatMap((limit) => {
        const { limitOf: request, unit } = fields/* NUMERIC_FIELDS */.EX[limit];
        if (request === undefined)
            return [];
        const upper = (0,resource_spec_path/* valueAt */.fK)(document, [limit]);
        const own = (0,resource_spec_path/* valueAt */.fK)(document, [request]) ?? undefined;
        const base = fields/* NUMERIC_FIELDS */.EX[request].default?.of;
        const lower = own ?? (base === undefined ? undefined : (0,resource_spec_path/* valueAt */.fK)(document, [base]));
        if (typeof upper !== 'number' || typeof lower !== 'number')
            return [];
        // The control plane compares rounded values.
        const effective = unit === 'cores' ? fields/* roundCores */.TD : (value) => value;
        if (effective(upper) >= effective(lower))
            return [];
        const which = own === undefined ? `${request}, which defaults to ${base ?? ''}` : request;
        const numbers = `${shown(upper, effective(upper))} is below ${shown(lower, effective(lower))}`;
        return [{ path: [limit], message: `must be at least ${which}: ${numbers}` }];
    });
}
function shown(given, effective) {
    return given === effective ? `${given}` : `${effective} (rounded from ${given})`;
}
/** Contract, "Volume": unique within the pod. Kubernetes requires the same of its containers. */
function doubledNames(document) {
    const volumes = itemsOf(document, ['volumes']);
    return [volumes, containersOf(document)].flatMap((items) => {
        const seen = new Set();
        return namesOf(document, items).flatMap(({ name, path }) => {
            if (seen.has(name))
                return [{ path, message: `is used twice: ${JSON.stringify(name)}` }];
            seen.add(name);
            return [];
        });
    });
}
/** Contract, "VolumeMount": its name must match a volume's. */
function danglingMounts(document) {
    const known = namesOf(document, itemsOf(document, ['volumes'])).map(({ name }) => name);
    const inContainers = containersOf(document).flatMap((path) => itemsOf(document, [...path, 'volumeMounts']));
    return namesOf(document, [...itemsOf(document, ['volume_mounts']), ...inContainers])
        .filter(({ name }) => !known.includes(name))
        .map(({ name, path }) => ({ path, message: noSuchVolume(name, known) }));
}
function noSuchVolume(name, known) {
    const quoted = JSON.stringify(name.slice(0, 80));
    if (known.length === 0)
        return `must name a volume, and there is none: ${quoted}`;
    const nearest = nearestName(name, known);
    const listed = nearest === undefined ? known : [nearest, ...known.filter((one) => one !== nearest)];
    return `must name a volume, and ${quoted} is none of ${listed.join(', ')}`;
}
/** Contract, "EnvVar": valueFrom cannot be used when value is non-empty. */
function doubledValues(document) {
    return containersOf(document)
        .flatMap((container) => itemsOf(document, [...container, 'env']))
        .filter((variable) => {
        const value = (0,resource_spec_path/* valueAt */.fK)(document, [...variable, 'value']);
        const from = (0,resource_spec_path/* valueAt */.fK)(document, [...variable, 'valueFrom']) ?? undefined;
        return typeof value === 'string' && value !== '' && from !== undefined;
    })
        .map((path) => ({ path: [...path, 'valueFrom'], message: 'must not be set together with value' }));
}
function containersOf(document) {
    return ['init_containers', 'sidecars'].flatMap((list) => itemsOf(document, [list]));
}
/** Returns the place of every item; none if there is no list. */
function itemsOf(document, list) {
    const items = (0,resource_spec_path/* valueAt */.fK)(document, list);
    return Array.isArray(items) ? items.map((_item, index) => [...list, index]) : [];
}
/** Returns the name of every item that has one, and the place of the name. */
function namesOf(document, items) {
    return items.flatMap((item) => {
        const path = [...item, 'name'];
        const name = (0,resource_spec_path/* valueAt */.fK)(document, path);
        return typeof name === 'string' ? [{ name, path }] : [];
    });
}

;// CONCATENATED MODULE: ./sources/resource-spec/resource-spec.ts








/**
 * Reads the input `resource-spec` strictly: an unknown field is a problem, because a mistyped limit has no effect.
 * @param given YAML or JSON, or the path of such a file
 * @param workspace the folder that the path is relative to
 * @param names those of the service: it accepts these and the contract's, and its messages use these
 */
async function readResourceSpec(given, workspace, names = {}) {
    const reading = await (0,resource_spec_document/* readDocument */.u)(given, workspace);
    if (reading.kind === 'unreadable')
        return refused(reading.message, placeIn(reading.file, reading.line));
    const placeOf = (path) => placeIn(reading.file, reading.lineOf(asWritten(path, reading.value, names)));
    const twice = doubled(reading.value, names, placeOf);
    if (twice.length > 0)
        return { kind: 'refused', problems: twice };
    return worded(names, readSpec(withContractNames(reading.value, names), placeOf));
}
/** Only the sentences about its own fields: the specification itself keeps the contract's names. */
function worded(names, reading) {
    const own = (sentence) => inWords(names, sentence);
    if (reading.kind === 'read')
        return { ...reading, notes: reading.notes.map(own), warnings: reading.warnings.map(own) };
    const problems = reading.problems.map((one) => {
        return isOfOwnField(one.input) ? { ...one, input: own(one.input), message: own(one.message) } : one;
    });
    return { kind: 'refused', problems };
}
function readSpec(document, placeOf) {
    if (typeof document !== 'object' || document === null || Array.isArray(document))
        return refused(document === null ? 'sets no field' : 'must be a mapping of fields to values', placeOf([]));
    const parsed = resourceSpecSchema.safeParse(document);
    const findings = [
        ...(parsed.error?.issues ?? []).flatMap((issue) => findingsOf(issue, document)),
        ...brokenRules(document),
    ];
    if (findings.length > 0 || !parsed.success) {
        return { kind: 'refused', problems: inOrder(findings, document, placeOf) };
    }
    const set = withoutNulls(parsed.data);
    return Object.keys(set).length === 0 ? refused('sets no field', placeOf([])) : withRoundedCores(set);
}
function placeIn(file, line) {
    return file === undefined || line === undefined ? undefined : { file, line };
}
/** Keeps a hostile document from a long report. */
const MAX_PROBLEMS = 100;
function inOrder(findings, document, placeOf) {
    const compare = (0,resource_spec_path/* byPlace */.hz)(document);
    const shown = findings.slice(0, MAX_PROBLEMS).sort((one, other) => compare(one.path, other.path));
    const problems = [...shown, ...findings.slice(MAX_PROBLEMS)].map(({ path, message }, index) => ({
        input: (0,resource_spec_path/* describePath */.NH)(path),
        message,
        place: index < MAX_PROBLEMS ? placeOf(path) : undefined,
    }));
    return (0,problem/* cutProblems */.L2)('resource-spec', problems, MAX_PROBLEMS);
}
function refused(message, place) {
    return { kind: 'refused', problems: [{ input: 'resource-spec', message, place }] };
}
/** Removes null, which has no effect, but keeps it in free-form objects, where it may have one. */
function withoutNulls(spec) {
    const containers = (list) => list?.map((container) => dropNulls({
        ...container,
        env: container.env?.map(dropNulls),
        volumeMounts: container.volumeMounts?.map(dropNulls),
        resources: dropNulls(container.resources),
    }));
    return dropNulls({
        ...spec,
        volumes: spec.volumes?.map(dropNulls),
        volume_mounts: spec.volume_mounts?.map(dropNulls),
        init_containers: containers(spec.init_containers),
        sidecars: containers(spec.sidecars),
    });
}
function dropNulls(value) {
    if (!value)
        return value;
    const copy = { ...value };
    for (const [key, one] of Object.entries(copy))
        if (one === null || one === undefined)
            Reflect.deleteProperty(copy, key);
    return copy;
}
/** Rounds the cores, so that the spec that is sent is the one that the control plane applies. */
function withRoundedCores(given) {
    const spec = { ...given };
    const notes = [];
    const warnings = [];
    for (const name of fields/* NUMERIC_NAMES */.FD) {
        const { unit, ceiling } = fields/* NUMERIC_FIELDS */.EX[name];
        const set = given[name];
        if (unit !== 'cores' || typeof set !== 'number')
            continue;
        const rounded = (0,fields/* roundCores */.TD)(set);
        const place = (0,resource_spec_path/* describePath */.NH)([name]);
        spec[name] = rounded;
        if (rounded !== set)
            notes.push(`${place} is rounded from ${set} to ${rounded} cores, as the control plane does`);
        if (ceiling !== undefined && rounded > ceiling)
            warnings.push(`${place} is ${set}, above the ceiling of ${ceiling} cores: only a self-hosted cluster with that capacity accepts it`);
    }
    return { kind: 'read', spec, notes, warnings: [...warnings, ...misplaced(given)] };
}
/** Contract, "Container": restartPolicy is for sidecars. */
function misplaced({ init_containers: containers }) {
    return (containers ?? []).flatMap(({ restartPolicy }, index) => {
        if (restartPolicy === undefined || restartPolicy === null)
            return [];
        const place = (0,resource_spec_path/* describePath */.NH)(['init_containers', index, 'restartPolicy']);
        return [`${place} is for sidecars, and may have no effect in init_containers`];
    });
}


/***/ })

};
