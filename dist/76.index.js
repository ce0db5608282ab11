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
 * Uploads a source archive and gives the path under which the control plane knows it (contract notes,
 * `POST /deployments/{id}/upload-url`). Every try gets an address of its own, as a signed one expires. None of the
 * control plane's credentials go there, and no redirect is followed.
 * @throws RefusedError when the store refuses for good, UnreachableError when retries did not help
 */
async function uploadSource(deploymentId, source, doors) {
    const attempted = `upload the source (${megabytes(source.bytes)}) of the deployment ${deploymentId}`;
    let failures = 0;
    let refusals = 0;
    for (;;) {
        const ticket = await doors.controlPlane.createUploadTicket(deploymentId);
        const end = await put(ticket, source, doors);
        if (end.kind === 'stored')
            return ticket.objectPath;
        const cameBack = `PUT ${ticket.url.host}${ticket.url.pathname}: ${end.cameBack}`;
        const isTemporary = end.kind === 'temporary';
        // An address that has expired says nothing about the network: it has a count of its own.
        const before = isTemporary ? failures++ : refusals++;
        const delayMs = (0,_retry_js__WEBPACK_IMPORTED_MODULE_6__/* .retryDelay */ .a2)(before, undefined, doors.random);
        const isLast = before >= (isTemporary ? doors.maxRetries : freshAddresses(end.status));
        if (isLast || doors.clock.now() + delayMs >= doors.deadline) {
            if (isTemporary)
                throw new _errors_js__WEBPACK_IMPORTED_MODULE_5__/* .UnreachableError */ .Jk({ attempted, cameBack, hint: RUN_AGAIN }, undefined, { cause: end.cause });
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_5__/* .RefusedError */ .fk(end.status, end.cameBack, {
                attempted,
                cameBack,
                hint: hintOf(end.status, isLast),
            });
        }
        doors.onRetry({ attempted, cameBack, delayMs });
        await doors.clock.sleep(delayMs, doors.signal);
    }
}
const RUN_AGAIN = 'Check the network and the proxy settings, then run the job again.';
/** How many are asked for after such a refusal: one that is refused however fresh it is has not expired. */
function freshAddresses(status) {
    return isExpired(status) ? 2 : 0;
}
function isExpired(status) {
    return status === 401 || status === 403 || status === 410;
}
function hintOf(status, isLast) {
    if (isExpired(status)) {
        return isLast
            ? 'A fresh address was refused as well: ask those who run the control plane to look at its object store.'
            : 'The signed address may have expired, and no time is left to ask for a fresh one: run the job again, with a longer timeout.';
    }
    if (status === 413)
        return 'Leave out what the build does not need, by .gitignore or .dockerignore.';
    return 'Ask those who run the control plane to look at its object store.';
}
/** Sends the file once. */
async function put(ticket, source, doors) {
    doors.signal.throwIfAborted();
    // The contract's headers first: what the store itself asks for has the last word, but for the length.
    const headers = {
        'content-type': 'application/gzip',
        'user-agent': 'deployment-rollout',
        ...lowerCased(ticket.headers),
        'content-length': String(source.bytes),
    };
    const client = new _actions_http_client__WEBPACK_IMPORTED_MODULE_3__/* .HttpClient */ .Qq(undefined, [], { keepAlive: false });
    const untilDeadline = AbortSignal.timeout(Math.max(1, Math.ceil(doors.deadline - doors.clock.now())));
    const signal = AbortSignal.any([doors.signal, untilDeadline]);
    try {
        const request = (ticket.url.protocol === 'https:' ? (node_https__WEBPACK_IMPORTED_MODULE_2___default()) : (node_http__WEBPACK_IMPORTED_MODULE_1___default())).request(ticket.url, {
            method: 'PUT',
            headers,
            agent: client.getAgent(ticket.url.href),
            signal,
            timeout: doors.stallTimeoutMs,
        });
        const status = await exchangeFile(request, source.file, doors.stallTimeoutMs);
        if (status >= 200 && status < 300)
            return { kind: 'stored' };
        const cameBack = `HTTP ${status}`;
        if (_retry_js__WEBPACK_IMPORTED_MODULE_6__/* .TEMPORARY */ .G2.has(status))
            return { kind: 'temporary', cameBack, cause: undefined };
        return { kind: 'refused', status, cameBack };
    }
    catch (thrown) {
        doors.signal.throwIfAborted();
        const cause = (0,_clock_js__WEBPACK_IMPORTED_MODULE_4__/* .toError */ .i)(thrown);
        const why = untilDeadline.aborted ? 'the time for the whole run is over' : cause.message;
        return { kind: 'temporary', cameBack: `the upload broke off (${why})`, cause };
    }
}
/** Of the file; what is read anew for each of them is collected so late that it shows. */
const PIECE = 64 * 1024;
/** Streams the file out and waits for the answer's status; an early answer counts, whatever becomes of the rest. */
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
                    reject(new Error(`nothing moved for ${Math.round(stallTimeoutMs / 1000)} s`));
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
/** Piece by piece, each into the memory of the one before, once that is through. */
async function sendFile(handle, request) {
    const piece = Buffer.allocUnsafeSlow(PIECE);
    for (;;) {
        const { bytesRead } = await handle.read(piece, 0, PIECE);
        if (bytesRead === 0)
            break;
        await new Promise((resolve, reject) => {
            request.write(piece.subarray(0, bytesRead), (error) => {
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
