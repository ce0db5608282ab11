export const id = 630;
export const ids = [630];
export const modules = {

/***/ 3630:
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
var external_node_path_ = __webpack_require__(4379);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: ./clock.ts
var clock = __webpack_require__(3174);
;// CONCATENATED MODULE: ./sources/archive/ignore-rules.ts


/**
 * The rules of .gitignore, as git has them: each counts in its own directory and below, the deeper one has the last
 * word, and those above the root count as far up as the repository goes. And the rules of .dockerignore, as docker has
 * them: only the one in the root. A file is left out when either says so.
 */
async function loadIgnoreRules(root) {
    const { default: createGitRules } = await __webpack_require__.e(/* import() */ 592).then(__webpack_require__.t.bind(__webpack_require__, 8592, 23));
    const layers = await layersAbove(root, (text) => createGitRules({ ignorecase: false }).add(text));
    const docker = await loadDockerRules(root);
    const gitIgnores = (entry) => {
        for (const { directory, prefix, rules } of layers.toReversed()) {
            const below = relativeTo(directory, entry);
            if (below === undefined)
                continue;
            const { ignored, unignored } = rules.test(prefix + below);
            if (ignored || unignored)
                return ignored;
        }
        return false;
    };
    return {
        async enter(directory) {
            const text = await readIfThere(external_node_path_default().join(root, directory, '.gitignore'));
            if (text === undefined)
                return;
            layers.push({ directory, prefix: '', rules: createGitRules({ ignorecase: false }).add(text) });
        },
        ignoresFile: (file) => gitIgnores(file) || docker.rules?.ignores(file) === true,
        ignoresDirectory: (directory) => gitIgnores(`${directory}/`) || (!docker.hasExceptions && docker.rules?.ignores(directory) === true),
    };
}
/** The entry as seen from a directory that it is in; nothing when it is not. */
function relativeTo(directory, entry) {
    if (directory === '')
        return entry;
    return entry.startsWith(`${directory}/`) ? entry.slice(directory.length + 1) : undefined;
}
/** From the top of the repository down; none when the root is in no repository. */
async function layersAbove(root, parse) {
    const layers = [];
    for (let folder = root; !(await isThere(external_node_path_default().join(folder, '.git')));) {
        const parent = external_node_path_default().dirname(folder);
        if (parent === folder)
            return [];
        folder = parent;
        const text = await readIfThere(external_node_path_default().join(folder, '.gitignore'));
        if (text === undefined)
            continue;
        const rules = parse(text);
        const prefix = `${external_node_path_default().relative(folder, root).split((external_node_path_default()).sep).join('/')}/`;
        // Whoever names an ignored directory as the source, like one that a build has made, wants what is in it.
        if (!rules.ignores(prefix))
            layers.unshift({ directory: '', prefix, rules });
    }
    return layers;
}
async function loadDockerRules(root) {
    const text = await readIfThere(external_node_path_default().join(root, '.dockerignore'));
    if (text === undefined)
        return { rules: undefined, hasExceptions: false };
    const { default: createDockerRules } = await __webpack_require__.e(/* import() */ 672).then(__webpack_require__.t.bind(__webpack_require__, 4672, 23));
    const rules = createDockerRules({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''));
    return { rules, hasExceptions: /^\s*!/m.test(text) };
}
async function readIfThere(file) {
    try {
        return await (0,promises_.readFile)(file, 'utf8');
    }
    catch {
        return undefined;
    }
}
async function isThere(file) {
    try {
        await (0,promises_.stat)(file);
        return true;
    }
    catch {
        return false;
    }
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
;// CONCATENATED MODULE: ./sources/archive/pack.ts
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




/** A time that no tool stumbles over: some cannot bear one before 1980. */
const FIXED_TIME = new Date(Date.UTC(1985, 9, 26, 8, 15));
/** Small, as it is held in memory. */
const READ_SIZE = 64 * 1024;
/**
 * Writes a tar.gz that depends on nothing but names, contents, links and whether a file may be executed. It streams:
 * memory does not grow with the tree.
 */
async function packEntries({ root, entries, file, maxBytes, signal }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { Pack } = await __webpack_require__.e(/* import() */ 204).then(__webpack_require__.bind(__webpack_require__, 8823));
        const statCache = new Map(entries.map((entry) => [external_node_path_default().join(root, entry.path), normalised(entry.stats)]));
        const pack = new Pack({
            cwd: root,
            statCache,
            gzip: { portable: true },
            portable: true,
            mtime: FIXED_TIME,
            noDirRecurse: true,
            // Whatever tar would merely warn of would be missing from the archive.
            strict: true,
            jobs: 1,
            maxReadSize: READ_SIZE,
        });
        for (const entry of entries)
            pack.add(entry.path);
        pack.end();
        const hash = (0,external_node_crypto_.createHash)('sha256');
        let bytes = 0;
        const target = __addDisposableResource(env_1, await (0,promises_.open)(file, 'wx', 0o600), true);
        for await (const chunk of pack) {
            signal.throwIfAborted();
            bytes += chunk.length;
            if (bytes > maxBytes)
                return { kind: 'too-large' };
            hash.update(chunk);
            await target.write(chunk);
        }
        await expectUnchanged(root, entries);
        return { kind: 'packed', bytes, sha256: hash.digest('hex') };
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
/** Of a file's modes only its owner's right to execute it counts; and it is a file, however many names it has. */
function normalised(stats) {
    const mode = stats.isSymbolicLink() ? 0o120777 : (stats.mode & 0o100) === 0 ? 0o100644 : 0o100755;
    const copy = Object.assign(Object.create(external_node_fs_.Stats.prototype), stats, { mode, nlink: 1 });
    if (!(copy instanceof external_node_fs_.Stats))
        throw new Error('a copy of Stats is one');
    return copy;
}
/** A file that somebody writes to meanwhile would go in half old and half new. */
async function expectUnchanged(root, entries) {
    for (const entry of entries) {
        const now = await (0,promises_.lstat)(external_node_path_default().join(root, entry.path));
        if (now.size !== entry.stats.size || now.mtimeMs !== entry.stats.mtimeMs)
            throw new Error(`${JSON.stringify(entry.path)} changed while it was packed`);
    }
}

;// CONCATENATED MODULE: ./sources/archive/walk.ts



/** Finds everything below the root that goes in. Directories are implied by what is in them, as git has it. */
async function walkSource(root, rules, signal) {
    const walk = { entries: [], problems: [] };
    const realRoot = await (0,promises_.realpath)(root);
    const queue = [''];
    for (let directory = queue.pop(); directory !== undefined; directory = queue.pop()) {
        signal.throwIfAborted();
        await rules.enter(directory);
        for (const child of await list(external_node_path_default().join(root, directory), directory, walk)) {
            const at = directory === '' ? child.name : `${directory}/${child.name}`;
            if (isLeftOut(child, at, rules))
                continue;
            if (child.isDirectory())
                queue.push(at);
            else
                await take(at, root, realRoot, walk);
        }
    }
    walk.entries.sort((one, other) => (one.path < other.path ? -1 : 1));
    walk.problems.sort();
    return walk;
}
function isLeftOut(child, at, rules) {
    if (child.name === '.git')
        return true;
    return child.isDirectory() ? rules.ignoresDirectory(at) : rules.ignoresFile(at);
}
async function list(folder, directory, { problems }) {
    try {
        return await (0,promises_.readdir)(folder, { withFileTypes: true });
    }
    catch (thrown) {
        problems.push(`holds the directory ${quote(directory)}, which cannot be read (${codeOf(thrown)})`);
        return [];
    }
}
async function take(at, root, realRoot, walk) {
    const full = external_node_path_default().join(root, at);
    const stats = await (0,promises_.lstat)(full);
    if (stats.isFile()) {
        walk.entries.push({ path: at, stats });
        return;
    }
    const problem = stats.isSymbolicLink()
        ? await linkProblem(full, realRoot)
        : 'which is neither a file nor a directory nor a link';
    if (problem === undefined)
        walk.entries.push({ path: at, stats });
    else
        walk.problems.push(`holds ${quote(at)}, ${problem}`);
}
/** Where a link leads must be inside, by its words and in truth; a broken one that stays inside may stay broken. */
async function linkProblem(full, realRoot) {
    const target = await (0,promises_.readlink)(full);
    const leads = `a symlink to ${quote(target)}, which`;
    if (external_node_path_default().isAbsolute(target))
        return `${leads} is an absolute path and means nothing where it is built`;
    // Where the link itself really is: a directory on the way to it may be a link as well.
    const stands = external_node_path_default().join(await (0,promises_.realpath)(external_node_path_default().dirname(full)), target);
    if (!isInside(stands, realRoot))
        return `${leads} leads out of the directory`;
    try {
        return isInside(await (0,promises_.realpath)(full), realRoot) ? undefined : `${leads} leads out of the directory`;
    }
    catch (thrown) {
        return codeOf(thrown) === 'ENOENT' ? undefined : `${leads} cannot be followed (${codeOf(thrown)})`;
    }
}
function isInside(target, root) {
    const relative = external_node_path_default().relative(root, target);
    return (relative === '' ||
        !(relative === '..' || relative.startsWith(`..${(external_node_path_default()).sep}`) || external_node_path_default().isAbsolute(relative)));
}
function codeOf(thrown) {
    const error = (0,clock/* toError */.i)(thrown);
    return 'code' in error ? String(error.code) : error.message;
}
function quote(name) {
    return JSON.stringify(name);
}

// EXTERNAL MODULE: ./sources/problem.ts
var problem = __webpack_require__(8342);
;// CONCATENATED MODULE: ./sources/archive.ts








const MB = 1024 * 1024;
const LIMITS = { noteBytes: 50 * MB, maxBytes: 200 * MB };
const SMALLER = 'leave out what the build does not need, by .gitignore or .dockerignore';
/**
 * Packs a directory into a reproducible tar.gz: the same files give the same bytes.
 * @throws InputError with every problem there is; the signal's reason when aborted
 */
async function packSource(request, limits = LIMITS) {
    const { sourcePath, signal } = request;
    const root = external_node_path_default().resolve(request.workspace, sourcePath);
    const refuse = (...messages) => new problem/* InputError */.d(messages.map((message) => ({ input: 'source-path', value: sourcePath, message })));
    const trouble = await directoryTrouble(root);
    if (trouble !== undefined)
        throw refuse(trouble);
    const { entries, problems } = await walkSource(root, await loadIgnoreRules(root), signal);
    const configProblem = await checkAppConfig(root, request.appConfigPath, entries);
    if (problems.length > 0 || configProblem !== undefined) {
        throw new problem/* InputError */.d([
            ...refuse(...problems).problems,
            ...(configProblem === undefined ? [] : [configProblem]),
        ]);
    }
    if (entries.length === 0)
        throw refuse('holds nothing to upload, once everything ignored is left out');
    const folder = await (0,promises_.mkdtemp)(external_node_path_default().join(request.tempDir ?? (0,external_node_os_.tmpdir)(), 'source-'));
    const remove = async () => {
        await (0,promises_.rm)(folder, { recursive: true, force: true }).catch(() => undefined);
    };
    try {
        const file = external_node_path_default().join(folder, 'source.tar.gz');
        const packed = await packEntries({ root, entries, file, maxBytes: limits.maxBytes, signal });
        if (packed.kind === 'too-large')
            throw refuse(`is more than ${inMegabytes(limits.maxBytes)} when packed: ${SMALLER}`);
        const { bytes, sha256 } = packed;
        const notes = bytes > limits.noteBytes ? [`the source is ${inMegabytes(bytes)} when packed: ${SMALLER}`] : [];
        return { file, bytes, sha256, files: entries.length, notes, remove };
    }
    catch (thrown) {
        await remove();
        if (thrown instanceof problem/* InputError */.d)
            throw thrown;
        signal.throwIfAborted();
        throw refuse(`could not be packed: ${(0,clock/* toError */.i)(thrown).message}`);
    }
}
async function directoryTrouble(root) {
    try {
        return (await (0,promises_.stat)(root)).isDirectory() ? undefined : 'is not a directory';
    }
    catch {
        return 'is not there: is the repository checked out, and is the path relative to the workspace?';
    }
}
/** Contract, "app_config_path": without it nothing can be built. */
async function checkAppConfig(root, given, entries) {
    if (given === undefined)
        return undefined;
    const normal = external_node_path_default().posix.normalize(given);
    const problem = (message) => ({ input: 'app-config-path', value: given, message });
    if (external_node_path_default().isAbsolute(given) || normal === '..' || normal.startsWith('../'))
        return problem('must be a path inside source-path');
    if (entries.some((entry) => entry.path === normal))
        return undefined;
    try {
        const stats = await (0,promises_.stat)(external_node_path_default().join(root, normal));
        return stats.isDirectory()
            ? problem('is a directory, not a file')
            : problem('is in source-path, but .gitignore or .dockerignore leaves it out');
    }
    catch {
        return problem('is not in source-path');
    }
}
function inMegabytes(bytes) {
    return `${Math.round(bytes / MB)} MB`;
}


/***/ })

};
