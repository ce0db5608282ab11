export const id = 137;
export const ids = [137];
export const modules = {

/***/ 137:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   parseYaml: () => (/* binding */ parseYaml),
/* harmony export */   u: () => (/* binding */ readDocument)
/* harmony export */ });
/* harmony import */ var yaml__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6637);
/* harmony import */ var _quote_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6317);
/* harmony import */ var _regular_file_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7663);
/* harmony import */ var _workspace_path_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2662);




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
    const place = await (0,_workspace_path_js__WEBPACK_IMPORTED_MODULE_3__/* .locate */ .x)(file, workspace);
    if (place.kind === 'missing')
        return unreadable('is neither a mapping in YAML or JSON nor a file: read as a path, there is no such file in the workspace; is the repository checked out?');
    if (place.kind === 'refused')
        return unreadable(`names the file ${file}, which ${place.message}`);
    try {
        const bytes = await (0,_regular_file_js__WEBPACK_IMPORTED_MODULE_2__/* .readWhole */ .oD)(place.real, _regular_file_js__WEBPACK_IMPORTED_MODULE_2__/* .MAX_TEXT_BYTES */ .$D);
        const text = bytes.toString('utf8');
        if (text.includes('\u0000'))
            return unreadable(`names the file ${file}, which is not text`);
        const reading = parseYaml(text);
        return reading.kind === 'read' ? reading : unreadable(`(in ${file}) ${reading.message}`);
    }
    catch (thrown) {
        return unreadable(`names the file ${file}, which cannot be read (${(0,_quote_js__WEBPACK_IMPORTED_MODULE_1__/* .codeOf */ .$N)(thrown)})`);
    }
}
/** Parses YAML or JSON. No message repeats the content. */
function parseYaml(text) {
    if (Buffer.byteLength(text) > _regular_file_js__WEBPACK_IMPORTED_MODULE_2__/* .MAX_TEXT_BYTES */ .$D)
        return unreadable('is larger than 1 MB');
    const lineCounter = new yaml__WEBPACK_IMPORTED_MODULE_0__/* .LineCounter */ .HN();
    try {
        // Pretty errors repeat the line, which may contain a secret.
        const document = (0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .parseDocument */ .Tp)(text, { version: '1.2', prettyErrors: false, lineCounter });
        const [problem] = [...document.errors, ...document.warnings];
        if (problem !== undefined) {
            const { line, col } = lineCounter.linePos(problem.pos[0]);
            const kind = problem instanceof yaml__WEBPACK_IMPORTED_MODULE_0__/* .YAMLParseError */ .XT ? 'is not valid YAML' : 'is not plain YAML';
            const code = problem.code.toLowerCase().replaceAll('_', ' ');
            return unreadable(`${kind}: ${code} in line ${line}, column ${col}`);
        }
        const at = collectionAsKey(document);
        if (at !== undefined)
            return unreadable(`has a mapping or a list as a key, in line ${lineCounter.linePos(at).line}`);
        const value = document.toJS({ maxAliasCount: MAX_ALIASES });
        return { kind: 'read', value };
    }
    catch (thrown) {
        if (thrown instanceof RangeError)
            return unreadable('is nested too deeply');
        return unreadable('cannot be read as YAML: an alias is used too often, or has no anchor');
    }
}
/** Returns the offset of a key that is not a scalar. JSON has no such key, and the library would warn about it on stderr. */
function collectionAsKey(document) {
    let at;
    (0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .visit */ .YR)(document, {
        Pair(_key, { key }) {
            const node = (0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isAlias */ .Vj)(key) ? key.resolve(document) : key;
            if (!(0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isCollection */ .P3)(node))
                return undefined;
            at = ((0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isNode */ .Ll)(key) ? key.range?.[0] : undefined) ?? 0;
            return yaml__WEBPACK_IMPORTED_MODULE_0__/* .visit */ .YR.BREAK;
        },
    });
    return at;
}
function unreadable(message) {
    return { kind: 'unreadable', message };
}


/***/ })

};
