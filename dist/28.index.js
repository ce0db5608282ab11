export const id = 28;
export const ids = [28,137];
export const modules = {

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
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3174);




const MAX_BYTES = 1024 * 1024;
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
    const full = node_path__WEBPACK_IMPORTED_MODULE_1___default().resolve(workspace, file);
    try {
        const { size } = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.stat)(full);
        if (size > MAX_BYTES)
            return unreadable(`names the file ${file}, which is larger than 1 MB`);
        const text = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)(full, 'utf8');
        if (text.includes('\u0000'))
            return unreadable(`names the file ${file}, which is not text`);
        const reading = parseYaml(text);
        return reading.kind === 'read' ? reading : unreadable(`(in ${file}) ${reading.message}`);
    }
    catch (thrown) {
        const error = (0,_clock_js__WEBPACK_IMPORTED_MODULE_3__/* .toError */ .i)(thrown);
        const code = 'code' in error ? String(error.code) : error.message;
        const why = code === 'ENOENT' ? 'there is no such file in the workspace' : `it cannot be read (${code})`;
        return unreadable(`is neither a mapping in YAML or JSON nor a file: read as a path, ${why}; is the repository checked out?`);
    }
}
/** Parses YAML or JSON. No message repeats the content. */
function parseYaml(text) {
    if (Buffer.byteLength(text) > MAX_BYTES)
        return unreadable('is larger than 1 MB');
    const lineCounter = new yaml__WEBPACK_IMPORTED_MODULE_2__/* .LineCounter */ .HN();
    try {
        // Pretty errors repeat the line, which may contain a secret.
        const document = (0,yaml__WEBPACK_IMPORTED_MODULE_2__/* .parseDocument */ .Tp)(text, { version: '1.2', prettyErrors: false, lineCounter });
        const [problem] = [...document.errors, ...document.warnings];
        if (problem !== undefined) {
            const { line, col } = lineCounter.linePos(problem.pos[0]);
            const kind = problem instanceof yaml__WEBPACK_IMPORTED_MODULE_2__/* .YAMLParseError */ .XT ? 'is not valid YAML' : 'is not plain YAML';
            const code = problem.code.toLowerCase().replaceAll('_', ' ');
            return unreadable(`${kind}: ${code} in line ${line}, column ${col}`);
        }
        const value = document.toJS({ maxAliasCount: MAX_ALIASES });
        return { kind: 'read', value };
    }
    catch (thrown) {
        const isDeep = thrown instanceof RangeError;
        return unreadable(isDeep
            ? 'is nested too deeply'
            : 'cannot be read as YAML: an alias is used too often, or has no anchor');
    }
}
function unreadable(message) {
    return { kind: 'unreadable', message };
}


/***/ }),

/***/ 2028:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readResourceSpec: () => (/* binding */ readResourceSpec)
});

// EXTERNAL MODULE: ./sources/resource-spec/document.ts
var resource_spec_document = __webpack_require__(137);
// EXTERNAL MODULE: ./sources/resource-spec/fields.ts
var fields = __webpack_require__(4873);
;// CONCATENATED MODULE: ./sources/resource-spec/nearest.ts
/** Finds the known name that was probably meant; `undefined` if none is similar. */
function nearestName(given, known) {
    const wanted = flatten(given);
    const ranked = known
        .map((name) => ({ name, distance: editDistance(wanted, flatten(name)) }))
        .sort((one, other) => one.distance - other.distance);
    const [best] = ranked;
    return best !== undefined && best.distance <= Math.max(1, Math.floor(wanted.length / 3))
        ? best.name
        : undefined;
}
/** Makes `memoryMb`, `memory-mb` and `memory_mb` equal. */
function flatten(name) {
    return name
        .toLowerCase()
        .replace(/[^a-z0-9]/g, '')
        .slice(0, 64);
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

;// CONCATENATED MODULE: ./sources/resource-spec/path.ts
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
    return path.reduce((value, step) => childOf(value, step), document);
}
function childOf(value, step) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
        return undefined;
    const child = Reflect.get(value, step);
    return child;
}
/** Compares two places by their order in the document; places that it lacks come last. */
function byPlace(document) {
    return (one, other) => {
        const [left, right] = [ranksOf(document, one), ranksOf(document, other)];
        for (let depth = 0; depth < Math.max(left.length, right.length); depth++) {
            const difference = (left[depth] ?? -1) - (right[depth] ?? -1);
            if (difference !== 0)
                return difference;
        }
        return 0;
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

// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 17 modules
var schemas = __webpack_require__(4534);
;// CONCATENATED MODULE: ./sources/resource-spec/schema.ts


/**
 * The strict schema of `resource-spec` (contract, "ResourceSpec" and the objects below it). rules.ts has the rules
 * across fields. Ceilings are not enforced: a self-hosted cluster may accept more (rule 8 of the contract notes).
 */
const schema_text = schemas/* string */.YjP().nullish();
const flag = schemas/* boolean */.zMY().nullish();
const freeForm = schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()).nullish();
const stringMap = schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP()).nullish();
const dnsLabel = schemas/* string */.YjP()
    .max(63)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const cIdentifier = schemas/* string */.YjP().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);
const required = schemas/* string */.YjP().min(1);
const localObjectReferenceSchema = schemas/* strictObject */.rej({ name: required });
const volumeSchema = schemas/* strictObject */.rej({
    name: dnsLabel,
    configMap: freeForm,
    secret: freeForm,
    emptyDir: freeForm,
    persistentVolumeClaim: freeForm,
    nfs: freeForm,
    projected: freeForm,
    downwardAPI: freeForm,
    csi: freeForm,
});
const volumeMountSchema = schemas/* strictObject */.rej({
    name: required,
    mountPath: required,
    subPath: schema_text,
    mountPropagation: schema_text,
    readOnly: flag,
    subPathExpr: schema_text,
});
const envVarSchema = schemas/* strictObject */.rej({ name: cIdentifier, value: schema_text, valueFrom: freeForm });
const resourceRequirementsSchema = schemas/* strictObject */.rej({ limits: stringMap, requests: stringMap });
const containerSchema = schemas/* strictObject */.rej({
    name: dnsLabel,
    image: required,
    imagePullPolicy: schemas/* enum */.k5n(['Always', 'Never', 'IfNotPresent']).nullish(),
    command: schemas/* array */.YOg(schemas/* string */.YjP()).nullish(),
    args: schemas/* array */.YOg(schemas/* string */.YjP()).nullish(),
    workingDir: schema_text,
    env: schemas/* array */.YOg(envVarSchema).nullish(),
    envFrom: schemas/* array */.YOg(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())).nullish(),
    resources: resourceRequirementsSchema.nullish(),
    volumeMounts: schemas/* array */.YOg(volumeMountSchema).nullish(),
    securityContext: freeForm,
    restartPolicy: schemas/* enum */.k5n(['Always', 'OnFailure']).nullish(),
});
const resourceSpecSchema = schemas/* strictObject */.rej({
    ...numericSchemas(),
    labels: stringMap,
    annotations: stringMap,
    service_account_name: schema_text,
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
    switch (unit) {
        case 'cores':
            return min === undefined ? schemas/* number */.aig().positive() : schemas/* number */.aig().min(min);
        case 'replicas':
            return schemas/* int */.Whr().nonnegative();
        case 'MB':
            return schemas/* int */.Whr().positive().multipleOf(fields/* MEMORY_STEP_MB */.d6);
        case 'GiB':
        case 'connections':
            return schemas/* int */.Whr().positive();
    }
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
    const found = valueAt(document, path);
    if (found === undefined)
        return [{ path, message: 'is required' }];
    return [{ path, message: `${describeRule(issue, found)}${describeFound(issue, found)}` }];
}
function describeRule(issue, found) {
    const { path } = issue;
    switch (issue.code) {
        case 'invalid_type':
            if (isNotFinite(found) && issue.expected === 'number')
                return 'must be a finite number';
            return `must be ${kindOf(issue.expected)}${isStringMap(path) ? ' (put it in quotes)' : ''}`;
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
            return isDnsLabel(path)
                ? 'must be a DNS label: lower case letters, digits and -, not at the ends, at most 63'
                : 'must be a C identifier: letters, digits and _, not a digit first';
        case 'invalid_value':
            return `must be one of ${issue.values.map(String).join(', ')}`;
        default:
            return 'is not accepted';
    }
}
function kindOf(expected) {
    const kinds = {
        int: 'a whole number',
        number: 'a number',
        string: 'a string',
        boolean: 'true or false',
        array: 'a list',
        object: 'a mapping',
        record: 'a mapping',
    };
    return kinds[expected] ?? expected;
}
const MAX_SHOWN = 80;
function describeFound(issue, found) {
    // Any text below env may be the value of a variable, as in `env: [TOKEN=…]`.
    if (isBelowEnv(issue.path))
        return issue.code === 'invalid_type' ? `, not ${kindOfFound(found)}` : '';
    // A string in place of a list or mapping may contain a secret, as in `args: "--token=…"`.
    if (issue.code === 'invalid_type' && ['array', 'object', 'record'].includes(issue.expected))
        return `, not ${kindOfFound(found)}`;
    switch (typeof found) {
        case 'number':
            return `, not ${found}`;
        case 'string':
        case 'boolean':
            return `, not ${JSON.stringify(found).slice(0, MAX_SHOWN)}`;
        default:
            return `, not ${kindOfFound(found)}`;
    }
}
/** True for `1e400`, `.inf` and `.nan`. */
function isNotFinite(found) {
    return typeof found === 'number' && !Number.isFinite(found);
}
function kindOfFound(found) {
    if (found === null)
        return 'null';
    if (Array.isArray(found))
        return 'a list';
    const kinds = { string: 'a string', number: 'a number', boolean: 'a boolean' };
    return kinds[typeof found] ?? 'a mapping';
}
function isStringMap(path) {
    return ['labels', 'annotations', 'limits', 'requests'].includes(String(path.at(-2)));
}
/** Whether a name that the schema checks is a DNS label; an environment variable's name is not. */
function isDnsLabel(path) {
    return path.at(-3) !== 'env';
}
function describeUnknown(key, parent) {
    if (parent.length === 0 && /^(orchestrator|executor)_/.test(key))
        return 'is reported by the control plane and cannot be set';
    const { what, known } = knownFields(parent);
    const nearest = nearestName(key, known);
    if (nearest !== undefined)
        return `is not a field of ${what}; did you mean ${nearest}?`;
    return `is not a field of ${what}, whose fields are ${known.join(', ')}`;
}
function knownFields(parent) {
    const list = parent.findLast((step) => typeof step === 'string');
    switch (list) {
        case 'sidecars':
        case 'init_containers':
            return { what: 'a container', known: Object.keys(containerSchema.shape) };
        case 'env':
            return { what: 'an environment variable', known: Object.keys(envVarSchema.shape) };
        case 'volumes':
            return { what: 'a volume', known: Object.keys(volumeSchema.shape) };
        case 'volume_mounts':
        case 'volumeMounts':
            return { what: 'a volume mount', known: Object.keys(volumeMountSchema.shape) };
        case 'resources':
            return { what: 'resources', known: Object.keys(resourceRequirementsSchema.shape) };
        case 'image_pull_secrets':
            return { what: 'an image pull secret', known: Object.keys(localObjectReferenceSchema.shape) };
        default:
            return { what: 'resource-spec', known: Object.keys(resourceSpecSchema.shape) };
    }
}

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
        const upper = valueAt(document, [limit]);
        const own = valueAt(document, [request]) ?? undefined;
        const base = fields/* NUMERIC_FIELDS */.EX[request].default?.of;
        const lower = own ?? (base === undefined ? undefined : valueAt(document, [base]));
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
    const containers = ['init_containers', 'sidecars'].flatMap((list) => namesIn(document, [list]));
    return [...repeated(namesIn(document, ['volumes'])), ...repeated(containers)];
}
function namesIn(document, list) {
    const items = valueAt(document, list);
    if (!Array.isArray(items))
        return [];
    return items.flatMap((_item, index) => {
        const path = [...list, index, 'name'];
        const name = valueAt(document, path);
        return typeof name === 'string' ? [{ name, path }] : [];
    });
}
function repeated(named) {
    const seen = new Set();
    return named.flatMap(({ name, path }) => {
        if (seen.has(name))
            return [{ path, message: `is used twice: ${JSON.stringify(name)}` }];
        seen.add(name);
        return [];
    });
}
/** Contract, "VolumeMount": its name must match a volume's. */
function danglingMounts(document) {
    const known = namesIn(document, ['volumes']).map(({ name }) => name);
    const inContainers = containersOf(document).flatMap((path) => namesIn(document, [...path, 'volumeMounts']));
    return [...namesIn(document, ['volume_mounts']), ...inContainers]
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
    return containersOf(document).flatMap((container) => {
        const variables = valueAt(document, [...container, 'env']);
        if (!Array.isArray(variables))
            return [];
        return variables.flatMap((_variable, index) => {
            const path = [...container, 'env', index];
            const value = valueAt(document, [...path, 'value']);
            const from = valueAt(document, [...path, 'valueFrom']) ?? undefined;
            const isSet = typeof value === 'string' && value !== '';
            if (!isSet || from === undefined)
                return [];
            return [{ path: [...path, 'valueFrom'], message: 'must not be set together with value' }];
        });
    });
}
function containersOf(document) {
    return ['init_containers', 'sidecars'].flatMap((list) => {
        const containers = valueAt(document, [list]);
        return Array.isArray(containers) ? containers.map((_container, index) => [list, index]) : [];
    });
}

;// CONCATENATED MODULE: ./sources/resource-spec/resource-spec.ts






/**
 * Reads the input `resource-spec` strictly: an unknown field is a problem, because a mistyped limit has no effect.
 * @param given YAML or JSON, or the path of such a file
 * @param workspace the folder that the path is relative to
 */
async function readResourceSpec(given, workspace) {
    const reading = await (0,resource_spec_document/* readDocument */.u)(given, workspace);
    if (reading.kind === 'unreadable')
        return refused(reading.message);
    const document = reading.value;
    if (typeof document !== 'object' || document === null || Array.isArray(document))
        return refused(document === null ? 'sets no field' : 'must be a mapping of fields to values');
    const parsed = resourceSpecSchema.safeParse(document);
    const findings = [
        ...(parsed.error?.issues ?? []).flatMap((issue) => findingsOf(issue, document)),
        ...brokenRules(document),
    ];
    if (findings.length > 0 || !parsed.success) {
        return { kind: 'refused', problems: inOrder(findings, document) };
    }
    const set = withoutNulls(parsed.data);
    if (Object.keys(set).length === 0)
        return refused('sets no field');
    return {
        kind: 'read',
        spec: withRoundedCores(set),
        notes: roundingNotes(set),
        warnings: [...ceilingWarnings(set), ...misplaced(set)],
    };
}
/** Keeps a hostile document from a long report. */
const MAX_PROBLEMS = 100;
function inOrder(findings, document) {
    const compare = byPlace(document);
    const problems = findings
        .slice(0, MAX_PROBLEMS)
        .sort((one, other) => compare(one.path, other.path))
        .map(({ path, message }) => ({ input: describePath(path), message }));
    const more = findings.length - problems.length;
    return more === 0
        ? problems
        : [...problems, { input: 'resource-spec', message: `has ${more} more problems` }];
}
function refused(message) {
    return { kind: 'refused', problems: [{ input: 'resource-spec', message }] };
}
/** Removes null, which has no effect, but keeps it in free-form objects, where it may have one. */
function withoutNulls(spec) {
    const containers = (list) => list?.map((container) => dropNulls({
        ...container,
        env: container.env?.map(dropNulls),
        volumeMounts: container.volumeMounts?.map(dropNulls),
        resources: container.resources === null ? null : dropNulls(container.resources ?? undefined),
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
    if (value === undefined)
        return value;
    const copy = { ...value };
    for (const [key, one] of Object.entries(copy))
        if (one === null || one === undefined)
            Reflect.deleteProperty(copy, key);
    return copy;
}
/** The cores that are set, as they are set and as the control plane rounds them. */
function coresOf(spec) {
    return fields/* NUMERIC_NAMES */.FD.flatMap((name) => {
        const set = spec[name];
        const isSet = fields/* NUMERIC_FIELDS */.EX[name].unit === 'cores' && typeof set === 'number';
        return isSet ? [{ name, set, rounded: (0,fields/* roundCores */.TD)(set) }] : [];
    });
}
/** The spec with its cores rounded, so that what is sent is what the control plane applies. */
function withRoundedCores(spec) {
    return { ...spec, ...Object.fromEntries(coresOf(spec).map(({ name, rounded }) => [name, rounded])) };
}
function roundingNotes(spec) {
    return coresOf(spec)
        .filter(({ set, rounded }) => set !== rounded)
        .map(({ name, set, rounded }) => `${describePath([name])} is rounded from ${set} to ${rounded} cores, as the control plane does`);
}
function ceilingWarnings(spec) {
    return coresOf(spec).flatMap(({ name, set, rounded }) => {
        const { ceiling } = fields/* NUMERIC_FIELDS */.EX[name];
        if (ceiling === undefined || rounded <= ceiling)
            return [];
        return [
            `${describePath([name])} is ${set}, above the ceiling of ${ceiling} cores: only a self-hosted cluster with that capacity accepts it`,
        ];
    });
}
/** Contract, "Container": restartPolicy is for sidecars. */
function misplaced({ init_containers: containers }) {
    return (containers ?? []).flatMap(({ restartPolicy }, index) => restartPolicy === undefined || restartPolicy === null
        ? []
        : [
            `${describePath(['init_containers', index, 'restartPolicy'])} is for sidecars, and may have no effect in init_containers`,
        ]);
}


/***/ })

};
