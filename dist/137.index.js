export const id = 137;
export const ids = [137];
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


/***/ })

};
