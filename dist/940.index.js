export const id = 940;
export const ids = [940];
export const modules = {

/***/ 9940:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  packSource: () => (/* binding */ packSource)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
// EXTERNAL MODULE: ./sources/quote.ts
var quote = __webpack_require__(6317);
// EXTERNAL MODULE: ./sources/workspace-path.ts
var workspace_path = __webpack_require__(2662);
;// CONCATENATED MODULE: ./sources/archive/app-config.ts




/** Contract, "app_config_path": the build needs the file, so it must be in the archive. */
async function checkAppConfig(root, given, entries) {
    if (given === undefined)
        return [];
    const problem = (message) => [{ input: 'app-config-path', value: given, message }];
    if ((0,workspace_path/* isOutside */._)(external_node_path_default().normalize(given)))
        return problem('must be a path inside source-path');
    const normal = external_node_path_default().posix.normalize(given);
    const place = follow(normal, new Map(entries.map((entry) => [entry.path, entry])));
    return place.isFile ? [] : problem(await whyNot(external_node_path_default().join(root, normal), root, place));
}
async function whyNot(full, root, { at, byLink }) {
    const resolved = `resolves by a symlink to ${(0,quote/* quote */.hD)(at)}, which`;
    try {
        const real = await (0,promises_.realpath)(full);
        if ((0,workspace_path/* isOutside */._)(external_node_path_default().relative(await (0,promises_.realpath)(root), real)))
            return 'is outside source-path';
        if ((await (0,promises_.stat)(real)).isDirectory())
            return 'is a directory, not a file';
    }
    catch (thrown) {
        const code = (0,quote/* codeOf */.$N)(thrown);
        if (code !== 'ENOENT' && code !== 'ENOTDIR')
            return `cannot be resolved (${code})`;
        return byLink ? `${resolved} does not exist` : 'is not in source-path';
    }
    return byLink
        ? `${resolved} .gitignore or .dockerignore ignores`
        : 'is in source-path, but .gitignore or .dockerignore ignores it';
}
/** The number of links that Linux follows in one path. */
const MAX_LINKS = 40;
/** Resolves a path in the archive, as the build does: where it ends, and whether a link leads there. */
function follow(normal, entries) {
    const ahead = normal.split('/');
    let at = '';
    let links = 0;
    for (let part = ahead.shift(); part !== undefined; part = ahead.shift()) {
        const next = external_node_path_default().posix.join(at, part);
        const entry = entries.get(next);
        if (entry?.target === undefined) {
            at = next;
            if (entry !== undefined)
                break;
            continue;
        }
        links += 1;
        if (links > MAX_LINKS)
            break;
        ahead.unshift(...entry.target.split('/').filter((one) => one !== '' && one !== '.'));
    }
    const end = entries.get(at);
    const isFile = ahead.length === 0 && end !== undefined && end.target === undefined;
    return { at: external_node_path_default().posix.join(at, ...ahead), isFile, byLink: links > 0 };
}

// EXTERNAL MODULE: ../node_modules/@balena/dockerignore/ignore.js
var ignore = __webpack_require__(4672);
var ignore_default = /*#__PURE__*/__webpack_require__.n(ignore);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: ../node_modules/ignore/index.js
var node_modules_ignore = __webpack_require__(8592);
var node_modules_ignore_default = /*#__PURE__*/__webpack_require__.n(node_modules_ignore);
// EXTERNAL MODULE: ./regular-file.ts
var regular_file = __webpack_require__(7663);
;// CONCATENATED MODULE: ./sources/archive/git-rules.ts






/**
 * Loads the rules of every .gitignore, applied as by git: each applies to its own directory and below, a deeper one
 * overrides, and those above the root apply up to the top of the repository.
 */
async function loadGitRules(root) {
    const top = topOf(root);
    let rules = await rulesOf(top, []);
    for (const name of external_node_path_default().relative(top, root).split((external_node_path_default()).sep).filter(Boolean))
        rules = await rules.within(name);
    return rules;
    /** @param above the layers of the parent directories, the top one first */
    async function rulesOf(folder, above) {
        const text = await readRules(external_node_path_default().join(folder, '.gitignore'));
        const own = text === undefined ? [] : [{ rules: node_modules_ignore_default()({ ignorecase: false }).add(text), at: '' }];
        const layers = [...above, ...own];
        // `ignore` caches every path that it tests; copies free that memory with the directory.
        const here = layers.map(({ rules, at }) => ({ rules: pastParents(rules, at), at })).reverse();
        const ignores = (name) => {
            const verdicts = here.map(({ rules, at }) => rules.test(at + name));
            return verdicts.find(({ ignored, unignored }) => ignored || unignored)?.ignored === true;
        };
        return {
            ignores,
            async within(name) {
                // An ignored directory that is the source itself, like a build's output, is packed.
                const isNamed = ignores(`${name}/`);
                const below = layers
                    .filter(({ rules, at }) => !isNamed || !pastParents(rules, at).ignores(`${at}${name}/`))
                    .map(({ rules, at }) => ({ rules, at: `${at}${name}/` }));
                return await rulesOf(external_node_path_default().join(folder, name), below);
            },
        };
    }
    /**
     * The rules without their verdict on the directories that lead to `at`. The walk has entered `at`, so a deeper
     * .gitignore may have included it again; only the verdict on an entry itself still applies.
     */
    function pastParents(rules, at) {
        const depths = at.split('/').slice(1);
        const patterns = depths.map((_, index) => `!/${'*/'.repeat(index + 1)}`);
        return node_modules_ignore_default()({ ignorecase: false }).add(rules).add(patterns);
    }
}
/** Finds the top of the repository that contains the root; the root itself if none does. */
function topOf(root) {
    for (let folder = root;; folder = external_node_path_default().dirname(folder)) {
        if ((0,external_node_fs_.existsSync)(external_node_path_default().join(folder, '.git')))
            return folder;
        if (external_node_path_default().dirname(folder) === folder)
            return root;
    }
}
/**
 * Reads the rules of a file; `undefined` if there is no such file.
 * @throws Error with the end of a sentence that begins with the source's path. Without its rules, secrets could be packed.
 */
async function readRules(file) {
    try {
        const bytes = await (0,regular_file/* readWhole */.oD)(await (0,promises_.realpath)(file), regular_file/* MAX_TEXT_BYTES */.$D);
        return bytes.toString('utf8');
    }
    catch (thrown) {
        const code = (0,quote/* codeOf */.$N)(thrown);
        if (code === 'ENOENT' || code === 'ENOTDIR')
            return undefined;
        throw new Error(`has the ignore file ${(0,quote/* quote */.hD)(file)}, which cannot be read (${code})`, { cause: thrown });
    }
}

;// CONCATENATED MODULE: ./sources/archive/ignore-rules.ts



/**
 * Loads the rules of every .gitignore, applied as by git, and of the root's .dockerignore, applied as by docker. A file
 * that either of them ignores is ignored.
 */
async function loadIgnoreRules(root) {
    return combine('', await loadGitRules(root), await loadDockerRules(root));
}
/** @param at the directory relative to the root: `` or `a/b/` */
function combine(at, git, docker) {
    return {
        ignoresFile: (name) => git.ignores(name) || docker?.rules.ignores(at + name) === true,
        ignoresDirectory: (name) => git.ignores(`${name}/`) || (docker?.hasExceptions === false && docker.rules.ignores(at + name)),
        within: async (name) => combine(`${at}${name}/`, await git.within(name), docker),
    };
}
async function loadDockerRules(root) {
    const text = await readRules(external_node_path_default().join(root, '.dockerignore'));
    if (text === undefined)
        return undefined;
    const rules = ignore_default()({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''));
    // A file in an ignored directory may be an exception.
    return { rules, hasExceptions: /^\s*!/m.test(text) };
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(6466);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(8522);
// EXTERNAL MODULE: ../node_modules/tar/dist/esm/header.js + 2 modules
var header = __webpack_require__(1490);
// EXTERNAL MODULE: ../node_modules/tar/dist/esm/pax.js
var pax = __webpack_require__(4784);
;// CONCATENATED MODULE: ./sources/archive/tar.ts
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});






/** Modification time of every entry; some tools reject times before 1980. */
const FIXED_TIME = new Date(Date.UTC(1985, 9, 26, 8, 15));
/** Headers and contents in a tar begin at multiples of it. */
const BLOCK = 512;
/** Bytes of a file's content that are read at once. */
const PIECE = 64 * 1024;
const CHANGED = 'it changed while it was read';
/**
 * Yields a tar of the entries piece by piece, with one file open at a time. It keeps only the owner's execute
 * permission of a file.
 */
async function* tarOf(root, entries) {
    const realRoot = await (0,promises_.realpath)(root);
    for (const entry of entries) {
        if (entry.target !== undefined) {
            yield headerOf({ type: 'SymbolicLink', path: entry.path, linkpath: entry.target, mode: 0o755, size: 0 });
            continue;
        }
        try {
            const env_1 = { stack: [], error: void 0, hasError: false };
            try {
                const handle = __addDisposableResource(env_1, await (0,regular_file/* openRegularFile */.ZU)(external_node_path_default().join(realRoot, entry.path)), true);
                const stats = await handle.stat();
                const mode = (stats.mode & 0o100) === 0 ? 0o644 : 0o755;
                yield* withContent(headerOf({ type: 'File', path: entry.path, mode, size: stats.size }), handle, stats);
                // A file that changes while it is read would be packed half old, half new.
                const after = await handle.stat();
                if (after.size !== stats.size || after.mtimeMs !== stats.mtimeMs)
                    throw new Error(CHANGED);
            }
            catch (e_1) {
                env_1.error = e_1;
                env_1.hasError = true;
            }
            finally {
                const result_1 = __disposeResources(env_1);
                if (result_1)
                    await result_1;
            }
        }
        catch (thrown) {
            throw new Error(`${(0,quote/* quote */.hD)(entry.path)} cannot be read (${(0,quote/* codeOf */.$N)(thrown)})`, { cause: thrown });
        }
    }
    yield Buffer.alloc(2 * BLOCK);
}
async function* withContent(header, handle, { size }) {
    let lead = header;
    let position = 0;
    do {
        const length = Math.min(PIECE, size - position);
        const piece = Buffer.alloc(lead.length + BLOCK * Math.ceil(length / BLOCK));
        lead.copy(piece);
        await fill(piece.subarray(lead.length, lead.length + length), handle);
        yield piece;
        position += length;
        lead = piece.subarray(0, 0);
    } while (position < size);
}
async function fill(piece, handle) {
    for (let filled = 0; filled < piece.length;) {
        const { bytesRead } = await handle.read(piece, filled, piece.length - filled);
        if (bytesRead === 0)
            throw new Error(CHANGED);
        filled += bytesRead;
    }
}
/** Encodes a header, preceded by an extended one if the plain one is too small. */
function headerOf(entry) {
    const dated = { ...entry, mtime: FIXED_TIME };
    const plain = Buffer.alloc(BLOCK);
    const isTooSmall = new header/* Header */.Y(dated).encode(plain);
    return isTooSmall ? Buffer.concat([new pax/* Pax */.u(dated).encode(), plain]) : plain;
}

;// CONCATENATED MODULE: ./sources/archive/pack.ts
var pack_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var pack_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});





/** The byte of a gzip header that names the operating system, and its value for an unknown one. */
const GZIP_SYSTEM = { at: 9, unknown: 255 };
/**
 * Writes a tar.gz to `file`. It depends only on names, contents, links and execute permissions. Contents are streamed.
 * @returns `undefined` if the archive is larger than `maxBytes`; packing then stops early
 */
async function packEntries(root, entries, file, maxBytes, signal) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const hash = (0,external_node_crypto_.createHash)('sha256');
        let bytes = 0;
        const target = pack_addDisposableResource(env_1, await (0,promises_.open)(file, 'wx', 0o600), true);
        const write = async (packed) => {
            for await (const chunk of packed) {
                if (bytes === 0)
                    chunk[GZIP_SYSTEM.at] = GZIP_SYSTEM.unknown;
                bytes += chunk.length;
                if (bytes > maxBytes)
                    throw new Error('The archive is too large');
                hash.update(chunk);
                await target.appendFile(chunk);
            }
        };
        try {
            await (0,external_node_stream_promises_.pipeline)(tarOf(root, entries), (0,external_node_zlib_.createGzip)(), write, { signal });
        }
        catch (thrown) {
            if (bytes > maxBytes)
                return undefined;
            throw thrown;
        }
        return { bytes, sha256: hash.digest('hex') };
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = pack_disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
;// CONCATENATED MODULE: ./sources/archive/walk.ts






/** Finds every file and link below the root that is not ignored. As in git, directories are not entries. */
async function walkSource(root, rules, signal) {
    const walk = { entries: [], problems: [] };
    const realRoot = await (0,promises_.realpath)(root);
    const queue = [{ directory: '', enter: () => Promise.resolve(rules) }];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        signal.throwIfAborted();
        const { directory } = next;
        const here = await next.enter().catch((thrown) => {
            walk.problems.push((0,clock/* toError */.i)(thrown).message);
            return undefined;
        });
        if (here === undefined)
            continue;
        const prefix = directory === '' ? '' : `${directory}/`;
        for (const child of await list(external_node_path_default().join(root, directory), directory, walk)) {
            const name = child.name.toString();
            const at = prefix + name;
            if (name === '.git')
                continue;
            if (child.isDirectory() ? here.ignoresDirectory(name) : here.ignoresFile(name))
                continue;
            // A tar stores names as UTF-8.
            if (!(0,external_node_buffer_.isUtf8)(child.name))
                walk.problems.push(`contains ${(0,quote/* quoteBytes */.K7)(prefix, child.name)}, whose name is not UTF-8`);
            else if (child.isDirectory())
                queue.push({ directory: at, enter: () => here.within(name) });
            else if (child.isFile())
                walk.entries.push({ path: at });
            else if (child.isSymbolicLink())
                await takeLink(at, root, realRoot, walk);
            else
                walk.problems.push(`contains ${(0,quote/* quote */.hD)(at)}, which is neither a file nor a directory nor a link`);
        }
    }
    walk.entries.sort((one, other) => (one.path < other.path ? -1 : 1));
    walk.problems.sort();
    return walk;
}
async function list(folder, directory, { problems }) {
    try {
        return await (0,promises_.readdir)(folder, { withFileTypes: true, encoding: 'buffer' });
    }
    catch (thrown) {
        problems.push(`contains the directory ${(0,quote/* quote */.hD)(directory)}, which cannot be read (${(0,quote/* codeOf */.$N)(thrown)})`);
        return [];
    }
}
async function takeLink(at, root, realRoot, walk) {
    const full = external_node_path_default().join(root, at);
    try {
        const target = await (0,promises_.readlink)(full, { encoding: 'buffer' });
        const problem = await linkProblem(full, target, realRoot);
        if (problem === undefined)
            walk.entries.push({ path: at, target: target.toString() });
        else
            walk.problems.push(`contains ${(0,quote/* quote */.hD)(at)}, a symlink to ${problem}`);
    }
    catch (thrown) {
        walk.problems.push(`contains ${(0,quote/* quote */.hD)(at)}, which cannot be read (${(0,quote/* codeOf */.$N)(thrown)})`);
    }
}
/** A link's target must be inside the root, as written and as resolved. A broken link to the inside is accepted. */
async function linkProblem(full, bytes, realRoot) {
    if (!(0,external_node_buffer_.isUtf8)(bytes))
        return `${(0,quote/* quoteBytes */.K7)('', bytes)}, which is not UTF-8`;
    const target = bytes.toString();
    if (external_node_path_default().isAbsolute(target))
        return `${(0,quote/* quote */.hD)(target)}, which is an absolute path and does not exist where the source is built`;
    // A directory on the path to the link may be a link as well.
    const written = external_node_path_default().join(await (0,promises_.realpath)(external_node_path_default().dirname(full)), target);
    const outside = `${(0,quote/* quote */.hD)(target)}, which is outside the directory`;
    if ((0,workspace_path/* isOutside */._)(external_node_path_default().relative(realRoot, written)))
        return outside;
    try {
        return (0,workspace_path/* isOutside */._)(external_node_path_default().relative(realRoot, await (0,promises_.realpath)(full))) ? outside : undefined;
    }
    catch (thrown) {
        const code = (0,quote/* codeOf */.$N)(thrown);
        return code === 'ENOENT' ? undefined : `${(0,quote/* quote */.hD)(target)}, which cannot be resolved (${code})`;
    }
}

// EXTERNAL MODULE: ./problem.ts
var problem = __webpack_require__(2035);
;// CONCATENATED MODULE: ./sources/archive/archive.ts










const MB = 1024 * 1024;
/** Bytes above which a warning is issued, and above which the archive is refused. */
const LIMITS = { warnBytes: 50 * MB, maxBytes: 200 * MB };
const SMALLER = 'exclude what the build does not need with .gitignore or .dockerignore';
/**
 * Packs a directory into a reproducible tar.gz: equal files result in equal bytes.
 * @throws InputError with every problem found; the signal's reason when aborted
 */
async function packSource(request, limits = LIMITS) {
    const { sourcePath, signal } = request;
    const refuse = (...messages) => new problem/* InputError */.dz(messages.map((message) => ({ input: 'source-path', value: sourcePath, message })));
    const place = await (0,workspace_path/* locate */.x)(sourcePath, request.workspace);
    if (place.kind === 'missing')
        throw refuse('does not exist: is the repository checked out, and is the path relative to the workspace?');
    if (place.kind === 'refused')
        throw refuse(place.message);
    const root = place.real;
    if (!(await (0,promises_.stat)(root)).isDirectory())
        throw refuse('is not a directory');
    const rules = await loadIgnoreRules(root).catch((thrown) => {
        throw refuse((0,clock/* toError */.i)(thrown).message);
    });
    const { entries, problems } = await walkSource(root, rules, signal);
    const configProblems = await checkAppConfig(root, request.appConfigPath, entries);
    if (problems.length + configProblems.length > 0)
        throw new problem/* InputError */.dz([...refuse(...problems).problems, ...configProblems]);
    if (entries.length === 0)
        throw refuse('has no files to upload that are not ignored');
    const folder = await (0,promises_.mkdtemp)(external_node_path_default().join(request.tempDir ?? (0,external_node_os_.tmpdir)(), 'source-'));
    const remove = () => (0,promises_.rm)(folder, { recursive: true, force: true }).catch(() => undefined);
    try {
        const file = external_node_path_default().join(folder, 'source.tar.gz');
        const packed = await packEntries(root, entries, file, limits.maxBytes, signal);
        if (packed === undefined)
            throw refuse(`is more than ${inMegabytes(limits.maxBytes)} when packed: ${SMALLER}`);
        const { bytes, sha256 } = packed;
        const warnings = bytes > limits.warnBytes ? [`source-path is ${inMegabytes(bytes)} when packed: ${SMALLER}`] : [];
        return { file, bytes, sha256, files: entries.length, warnings, remove };
    }
    catch (thrown) {
        await remove();
        if (thrown instanceof problem/* InputError */.dz)
            throw thrown;
        signal.throwIfAborted();
        throw refuse(`could not be packed: ${(0,clock/* toError */.i)(thrown).message}`);
    }
}
function inMegabytes(bytes) {
    return `${Math.round(bytes / MB)} MB`;
}


/***/ })

};
