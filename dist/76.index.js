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
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3174);
/* harmony import */ var _http_agents_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2635);
/* harmony import */ var _http_send_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1339);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(5282);
/* harmony import */ var _retry_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(2911);
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






/** The statuses of an expired address. */
const EXPIRED = new Set([401, 403, 410]);
/** New addresses to request after such a refusal: if those are refused as well, none had expired. */
const NEW_ADDRESSES = 2;
/**
 * Uploads a source archive and returns the path by which the control plane knows it (contract notes,
 * `POST /deployments/{id}/upload-url`). Each attempt requests its own address, as a signed one expires. It sends no
 * credentials of the control plane and follows no redirect.
 * @throws RefusedError when the object store refuses the file, UnreachableError when retries did not help, and what
 * the request for an address throws
 */
async function uploadSource(deploymentId, source, deps) {
    const megabytes = (source.bytes / 1024 / 1024).toFixed(1);
    const attempted = `upload the source (${megabytes} MB) of the deployment ${deploymentId}`;
    // An expired address is no network error, so it is counted apart.
    let failures = 0;
    let refusals = 0;
    for (;;) {
        const ticket = await deps.controlPlane.createUploadTicket(deploymentId);
        const end = await put(ticket, source, deps);
        if (end.kind === 'stored')
            return ticket.objectPath;
        const cameBack = `PUT ${ticket.url.host}${ticket.url.pathname}: ${end.cameBack}`;
        const before = end.kind === 'temporary' ? failures++ : refusals++;
        const isLast = before >= { temporary: deps.maxRetries, expired: NEW_ADDRESSES, refused: 0 }[end.kind];
        const delayMs = (0,_retry_js__WEBPACK_IMPORTED_MODULE_5__/* .retryDelay */ .a2)(before, undefined, deps.random);
        if (isLast || deps.clock.now() + delayMs >= deps.deadline)
            throw failedUpload(end, { attempted, cameBack, hint: hintOf(end, isLast) });
        deps.onRetry({ attempted, cameBack, delayMs });
        await deps.clock.sleep(delayMs, deps.signal);
    }
}
function failedUpload(end, trouble) {
    return end.kind === 'temporary'
        ? new _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .UnreachableError */ .Jk(trouble, undefined, { cause: end.cause })
        : new _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .RefusedError */ .fk(end.status, end.cameBack, trouble);
}
function hintOf(end, isLast) {
    if (end.kind === 'temporary')
        return end.cause === undefined
            ? 'The object store has a problem: rerun the job later.'
            : 'Check the network and the proxy settings, then rerun the job.';
    if (end.kind === 'expired' && isLast)
        return 'A new address was refused as well: ask the operator of the control plane to check its object store.';
    if (end.kind === 'expired')
        return 'The signed address may have expired, and no time is left to request a new one: rerun the job with a longer timeout.';
    return end.status === 413
        ? 'Exclude the files that the build does not need by .gitignore or .dockerignore.'
        : 'Ask the operator of the control plane to check its object store.';
}
/** Sends the file once. */
async function put(ticket, source, deps) {
    deps.signal.throwIfAborted();
    const untilDeadline = AbortSignal.timeout(Math.max(1, Math.ceil(deps.deadline - deps.clock.now())));
    try {
        const signal = AbortSignal.any([deps.signal, untilDeadline]);
        const request = (0,_http_send_js__WEBPACK_IMPORTED_MODULE_3__/* .openRequest */ .Gh)(ticket.url, {
            method: 'PUT',
            // Node ignores the case of names: the headers of the ticket override the contract's, except the length.
            headers: {
                'content-type': 'application/gzip',
                'user-agent': 'deployment-rollout',
                ...ticket.headers,
                'content-length': String(source.bytes),
            },
            agent: (0,_http_agents_js__WEBPACK_IMPORTED_MODULE_2__/* .openAgents */ .J)({ keepAlive: false })(ticket.url),
            signal,
            timeout: deps.stallTimeoutMs,
        });
        const status = await exchangeFile(request, source.file, deps.stallTimeoutMs, signal);
        if (status >= 200 && status < 300)
            return { kind: 'stored' };
        const cameBack = `HTTP ${status}`;
        if (_retry_js__WEBPACK_IMPORTED_MODULE_5__/* .TEMPORARY */ .G2.has(status))
            return { kind: 'temporary', cameBack, cause: undefined };
        return { kind: EXPIRED.has(status) ? 'expired' : 'refused', status, cameBack };
    }
    catch (thrown) {
        deps.signal.throwIfAborted();
        const cause = (0,_clock_js__WEBPACK_IMPORTED_MODULE_1__/* .toError */ .i)(thrown);
        const why = untilDeadline.aborted ? 'the deadline passed' : cause.message;
        return { kind: 'temporary', cameBack: `the upload broke off (${why})`, cause };
    }
}
/** In bytes. One buffer serves all chunks: new ones would raise the peak of memory. */
const CHUNK = 64 * 1024;
/** Streams the file and returns the response's status. An early response ends the upload. */
async function exchangeFile(request, file, stallTimeoutMs, signal) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const handle = __addDisposableResource(env_1, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.open)(file), true);
        try {
            const stalled = `no progress for ${Math.round(stallTimeoutMs / 1000)} s`;
            request.on('timeout', () => request.destroy(new Error(stalled)));
            sendFile(handle, request).catch((thrown) => request.destroy((0,_clock_js__WEBPACK_IMPORTED_MODULE_1__/* .toError */ .i)(thrown)));
            const { statusCode = 0 } = await (0,_http_send_js__WEBPACK_IMPORTED_MODULE_3__/* .answerTo */ .oy)(request, signal);
            return statusCode;
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
            request.write(chunk.subarray(0, bytesRead), (error) => (error ? reject(error) : resolve()));
        });
    }
    request.end();
}


/***/ })

};
