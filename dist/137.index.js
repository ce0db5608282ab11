export const id = 137;
export const ids = [137];
export const modules = {

/***/ 6317:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $N: () => (/* binding */ codeOf),
/* harmony export */   K7: () => (/* binding */ quoteBytes),
/* harmony export */   hD: () => (/* binding */ quote)
/* harmony export */ });
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3174);

/** The system's error code, or the message of an error without one. */
function codeOf(thrown) {
    const error = (0,_clock_js__WEBPACK_IMPORTED_MODULE_0__/* .toError */ .i)(thrown);
    return 'code' in error ? String(error.code) : error.message;
}
function quote(name) {
    return JSON.stringify(name);
}
/** Quotes a name that is not UTF-8: bytes outside ASCII as numbers. */
function quoteBytes(directory, name) {
    const shown = quote(name.toString('latin1')).replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
    return `${quote(directory).slice(0, -1)}${shown.slice(1)}`;
}


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
        const code = (0,_quote_js__WEBPACK_IMPORTED_MODULE_3__/* .codeOf */ .$N)(thrown);
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
        if (thrown instanceof RangeError)
            return unreadable('is nested too deeply');
        return unreadable('cannot be read as YAML: an alias is used too often, or has no anchor');
    }
}
function unreadable(message) {
    return { kind: 'unreadable', message };
}


/***/ })

};
