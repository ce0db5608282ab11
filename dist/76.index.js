export const id = 76;
export const ids = [76];
export const modules = {

/***/ 9076:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   uploadSource: () => (/* binding */ uploadSource)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3024);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_fs__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var node_http__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7067);
/* harmony import */ var node_http__WEBPACK_IMPORTED_MODULE_1___default = /*#__PURE__*/__webpack_require__.n(node_http__WEBPACK_IMPORTED_MODULE_1__);
/* harmony import */ var node_https__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4708);
/* harmony import */ var node_https__WEBPACK_IMPORTED_MODULE_2___default = /*#__PURE__*/__webpack_require__.n(node_https__WEBPACK_IMPORTED_MODULE_2__);
/* harmony import */ var node_stream_promises__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6466);
/* harmony import */ var node_stream_promises__WEBPACK_IMPORTED_MODULE_3___default = /*#__PURE__*/__webpack_require__.n(node_stream_promises__WEBPACK_IMPORTED_MODULE_3__);
/* harmony import */ var _actions_http_client__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8564);
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(3174);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(5282);
/* harmony import */ var _retry_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(2911);








/**
 * Uploads a source archive and gives the path under which the control plane knows it (contract notes,
 * `POST /deployments/{id}/upload-url`). Every try gets an address of its own, as a signed one expires. None of the
 * control plane's credentials go there, and no redirect is followed.
 * @throws RefusedError when the store refuses for good, UnreachableError when retries did not help
 */
async function uploadSource(deploymentId, source, doors) {
    const attempted = `upload the source (${megabytes(source.bytes)}) of the deployment ${deploymentId}`;
    for (let retry = 0;; retry++) {
        const ticket = await doors.controlPlane.createUploadTicket(deploymentId);
        const end = await put(ticket, source, doors);
        if (end.kind === 'stored')
            return ticket.objectPath;
        const cameBack = `PUT ${ticket.url.host}${ticket.url.pathname}: ${end.cameBack}`;
        if (end.kind === 'refused' && !(isExpired(end.status) && retry < EXPIRED_RETRIES))
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_6__/* .RefusedError */ .fk(end.status, end.cameBack, { attempted, cameBack, hint: hintOf(end.status) });
        const delayMs = (0,_retry_js__WEBPACK_IMPORTED_MODULE_7__/* .retryDelay */ .a2)(retry, undefined, doors.random);
        if (retry >= doors.maxRetries || doors.clock.now() + delayMs >= doors.deadline)
            throw unreachable({ attempted, cameBack, hint: RUN_AGAIN }, end);
        doors.onRetry({ attempted, cameBack, delayMs });
        await doors.clock.sleep(delayMs, doors.signal);
    }
}
const RUN_AGAIN = 'Check the network and the proxy settings, then run the job again.';
/** An address that is refused however fresh it is has not expired. */
const EXPIRED_RETRIES = 2;
function isExpired(status) {
    return status === 401 || status === 403 || status === 410;
}
function hintOf(status) {
    if (isExpired(status)) {
        return 'A fresh address was refused as well: ask those who run the control plane to look at its object store.';
    }
    if (status === 413)
        return 'Leave out what the build does not need, by .gitignore or .dockerignore.';
    return 'Ask those who run the control plane to look at its object store.';
}
function unreachable(trouble, end) {
    const cause = end.kind === 'temporary' ? end.cause : undefined;
    return new _errors_js__WEBPACK_IMPORTED_MODULE_6__/* .UnreachableError */ .Jk(trouble, undefined, { cause });
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
    const client = new _actions_http_client__WEBPACK_IMPORTED_MODULE_4__/* .HttpClient */ .Qq(undefined, [], { keepAlive: false });
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
        if (_retry_js__WEBPACK_IMPORTED_MODULE_7__/* .TEMPORARY */ .G2.has(status))
            return { kind: 'temporary', cameBack, cause: undefined };
        return { kind: 'refused', status, cameBack };
    }
    catch (thrown) {
        doors.signal.throwIfAborted();
        const cause = (0,_clock_js__WEBPACK_IMPORTED_MODULE_5__/* .toError */ .i)(thrown);
        const why = untilDeadline.aborted ? 'the time for the whole run is over' : cause.message;
        return { kind: 'temporary', cameBack: `the upload broke off (${why})`, cause };
    }
}
/** Streams the file out and waits for the answer's status; an early answer counts, whatever becomes of the rest. */
async function exchangeFile(request, file, stallTimeoutMs) {
    const body = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.createReadStream)(file);
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
            body.on('error', reject);
            body.pipe(request);
        });
    }
    finally {
        request.destroy();
        body.destroy();
        await (0,node_stream_promises__WEBPACK_IMPORTED_MODULE_3__.finished)(body).catch(() => undefined);
    }
}
function lowerCased(headers) {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
function megabytes(bytes) {
    return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}


/***/ })

};
