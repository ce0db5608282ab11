export const id = 76;
export const ids = [76];
export const modules = {

/***/ 9076:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   uploadSource: () => (/* binding */ uploadSource)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_fs_promises__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var node_http__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7067);
/* harmony import */ var node_http__WEBPACK_IMPORTED_MODULE_1___default = /*#__PURE__*/__webpack_require__.n(node_http__WEBPACK_IMPORTED_MODULE_1__);
/* harmony import */ var node_https__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4708);
/* harmony import */ var node_https__WEBPACK_IMPORTED_MODULE_2___default = /*#__PURE__*/__webpack_require__.n(node_https__WEBPACK_IMPORTED_MODULE_2__);
/* harmony import */ var _actions_http_client__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8564);
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(3174);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5282);
/* harmony import */ var _retry_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(2911);
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







/**
 * Uploads a source archive and returns the path by which the control plane knows it (contract notes,
 * `POST /deployments/{id}/upload-url`). Each attempt requests its own address, as a signed one expires. It sends no
 * credentials of the control plane and follows no redirect.
 * @throws RefusedError when the object store refuses the file, UnreachableError when retries did not help, and what
 * the request for an address throws
 */
async function uploadSource(deploymentId, source, deps) {
    const attempted = `upload the source (${megabytes(source.bytes)}) of the deployment ${deploymentId}`;
    let failures = 0;
    let refusals = 0;
    for (;;) {
        const ticket = await deps.controlPlane.createUploadTicket(deploymentId);
        const end = await put(ticket, source, deps);
        if (end.kind === 'stored')
            return ticket.objectPath;
        const cameBack = `PUT ${ticket.url.host}${ticket.url.pathname}: ${end.cameBack}`;
        const isTemporary = end.kind === 'temporary';
        // An expired address is no network error, so it is counted apart.
        const before = isTemporary ? failures++ : refusals++;
        const delayMs = (0,_retry_js__WEBPACK_IMPORTED_MODULE_6__/* .retryDelay */ .a2)(before, undefined, deps.random);
        const isLast = before >= (isTemporary ? deps.maxRetries : freshAddresses(end.status));
        if (isLast || deps.clock.now() + delayMs >= deps.deadline) {
            if (isTemporary)
                throw new _errors_js__WEBPACK_IMPORTED_MODULE_5__/* .UnreachableError */ .Jk({ attempted, cameBack, hint: RERUN }, undefined, { cause: end.cause });
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_5__/* .RefusedError */ .fk(end.status, end.cameBack, {
                attempted,
                cameBack,
                hint: hintOf(end.status, isLast),
            });
        }
        deps.onRetry({ attempted, cameBack, delayMs });
        await deps.clock.sleep(delayMs, deps.signal);
    }
}
const RERUN = 'Check the network and the proxy settings, then rerun the job.';
/** The number of new addresses to request after a refusal: if those are refused as well, none had expired. */
function freshAddresses(status) {
    return isExpired(status) ? 2 : 0;
}
function isExpired(status) {
    return status === 401 || status === 403 || status === 410;
}
function hintOf(status, isLast) {
    if (isExpired(status)) {
        return isLast
            ? 'A new address was refused as well: ask the operator of the control plane to check its object store.'
            : 'The signed address may have expired, and no time is left to request a new one: rerun the job with a longer timeout.';
    }
    if (status === 413)
        return 'Exclude the files that the build does not need by .gitignore or .dockerignore.';
    return 'Ask the operator of the control plane to check its object store.';
}
/** Sends the file once. */
async function put(ticket, source, deps) {
    deps.signal.throwIfAborted();
    // The headers of the ticket override the contract's, except the length.
    const headers = {
        'content-type': 'application/gzip',
        'user-agent': 'deployment-rollout',
        ...lowerCased(ticket.headers),
        'content-length': String(source.bytes),
    };
    const client = new _actions_http_client__WEBPACK_IMPORTED_MODULE_3__/* .HttpClient */ .Qq(undefined, [], { keepAlive: false });
    const untilDeadline = AbortSignal.timeout(Math.max(1, Math.ceil(deps.deadline - deps.clock.now())));
    const signal = AbortSignal.any([deps.signal, untilDeadline]);
    try {
        const request = (ticket.url.protocol === 'https:' ? (node_https__WEBPACK_IMPORTED_MODULE_2___default()) : (node_http__WEBPACK_IMPORTED_MODULE_1___default())).request(ticket.url, {
            method: 'PUT',
            headers,
            agent: client.getAgent(ticket.url.href),
            signal,
            timeout: deps.stallTimeoutMs,
        });
        const status = await exchangeFile(request, source.file, deps.stallTimeoutMs);
        if (status >= 200 && status < 300)
            return { kind: 'stored' };
        const cameBack = `HTTP ${status}`;
        if (_retry_js__WEBPACK_IMPORTED_MODULE_6__/* .TEMPORARY */ .G2.has(status))
            return { kind: 'temporary', cameBack, cause: undefined };
        return { kind: 'refused', status, cameBack };
    }
    catch (thrown) {
        deps.signal.throwIfAborted();
        const cause = (0,_clock_js__WEBPACK_IMPORTED_MODULE_4__/* .toError */ .i)(thrown);
        const why = untilDeadline.aborted ? 'the deadline passed' : cause.message;
        return { kind: 'temporary', cameBack: `the upload broke off (${why})`, cause };
    }
}
/** In bytes. One buffer serves all chunks: new ones would raise the peak of memory. */
const CHUNK = 64 * 1024;
/** Streams the file and returns the response's status. An early response ends the upload. */
async function exchangeFile(request, file, stallTimeoutMs) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const handle = __addDisposableResource(env_1, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.open)(file), true);
        try {
            return await new Promise((resolve, reject) => {
                request.on('response', (response) => {
                    response.resume();
                    resolve(response.statusCode ?? 0);
                });
                request.on('timeout', () => {
                    reject(new Error(`no progress for ${Math.round(stallTimeoutMs / 1000)} s`));
                });
                request.on('error', reject);
                sendFile(handle, request).catch(reject);
            });
        }
        finally {
            request.destroy();
        }
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
/** Sends the file in chunks: reads each into the same buffer when the one before is sent. */
async function sendFile(handle, request) {
    const chunk = Buffer.allocUnsafeSlow(CHUNK);
    for (;;) {
        const { bytesRead } = await handle.read(chunk, 0, CHUNK);
        if (bytesRead === 0)
            break;
        await new Promise((resolve, reject) => {
            request.write(chunk.subarray(0, bytesRead), (error) => {
                if (error)
                    reject(error);
                else
                    resolve();
            });
        });
    }
    request.end();
}
function lowerCased(headers) {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
function megabytes(bytes) {
    return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}


/***/ })

};
