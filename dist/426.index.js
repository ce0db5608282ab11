export const id = 426;
export const ids = [426];
export const modules = {

/***/ 4426:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   explainStatus: () => (/* binding */ explainStatus)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4534);
/* harmony import */ var _api_request_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(965);
/* harmony import */ var _credentials_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7923);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _http_json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9159);





/** Returns the error for a response without success: what was received, and what to do (contract, "Errors"). */
function explainStatus({ method, path, attempted, hintFor }, { status, headers, body, unread }, credentials) {
    const line = `${method} ${(0,_api_request_js__WEBPACK_IMPORTED_MODULE_2__/* .shownPath */ .pS)(path)} answered ${status}`;
    const broken = (cameBack, hint) => new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq({ attempted, cameBack: `${line}${cameBack}`, hint });
    if (status < 200)
        return broken('', CHECK_BASE_URL);
    if (status < 300)
        return broken(', which was not expected', CHECK_EXPECTED);
    if (status < 400) {
        // A redirect's query may carry a token.
        const to = headers.location === undefined ? '' : ` to ${headers.location.replace(/[?#].*$/s, '')}`;
        return broken(`, a redirect${to}`, FOLLOWS_NO_REDIRECT);
    }
    const detail = unread === undefined ? describeBody(body, headers['content-type']) : `a body that was not read (${unread})`;
    const cameBack = detail === '' ? line : `${line}: ${detail}`;
    const hint = hintFor?.(status, detail) ?? generalHint(status, detail, credentials);
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RefusedError */ .fk(status, detail, { attempted, cameBack, hint });
}
const CHECK_BASE_URL = 'Check that base-url points to the control plane, path prefix included.';
const CHECK_EXPECTED = 'Find the cause, or add this status to the expected ones.';
const FOLLOWS_NO_REDIRECT = 'The action follows no redirects, as the credentials would go along: correct base-url to the final address.';
function generalHint(status, detail, credentials) {
    switch (status) {
        case 401:
        case 403:
            return /workspace specification/i.test(detail)
                ? 'This key serves several workspaces: set tenant-id to the one to use.'
                : `Check the credentials that were sent: ${(0,_credentials_js__WEBPACK_IMPORTED_MODULE_3__/* .describeSchemes */ .q)(credentials)}. They may be wrong, expired or without access.`;
        case 404:
            return `Check the id, and that these credentials may see it. ${CHECK_BASE_URL}`;
        case 409:
            return 'It conflicts with a resource that exists: fix the cause, then rerun the job.';
        case 413:
            return 'Send less: the control plane refuses a body of this size.';
        case 400:
        case 422:
            return 'Correct the inputs that the message names.';
        case 429:
            return 'The control plane limits requests: wait as long as it requires, then rerun the job.';
        default:
            return status >= 500
                ? 'The control plane has a problem: rerun the job later.'
                : `The control plane refuses this request. ${CHECK_BASE_URL}`;
    }
}
const validationIssue = zod__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ loc: zod__WEBPACK_IMPORTED_MODULE_4__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_4__/* .union */ .KCZ([zod__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_4__/* .number */ .aig()])), msg: zod__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP() });
/** The text of an error body: `detail` (contract, "Errors"), or `message` or `error` of a gateway. */
const errorText = zod__WEBPACK_IMPORTED_MODULE_4__/* .union */ .KCZ([
    // Contract, "HTTPValidationError", without `input` and `ctx`: they echo the request and may hold a secret.
    zod__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ detail: zod__WEBPACK_IMPORTED_MODULE_4__/* .array */ .YOg(validationIssue) })
        .transform(({ detail }) => detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')),
    zod__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ detail: zod__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP() }).transform(({ detail }) => detail),
    zod__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ detail: zod__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ message: zod__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP() }) }).transform(({ detail }) => detail.message),
    zod__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ message: zod__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP() }).transform(({ message }) => message),
    zod__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ error: zod__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP() }).transform(({ error }) => error),
]);
/** Returns the text of an error body. It does not truncate the text: the log would not recognise half a secret. */
function describeBody(body, contentType) {
    const json = (0,_http_json_js__WEBPACK_IMPORTED_MODULE_1__/* .parseJson */ .qF)(body);
    if (json.ok)
        return errorText.safeParse(json.value).data ?? '';
    if (contentType?.includes('html') || /^\s*<(!doctype|html)/i.test(body)) {
        const title = /<title[^>]*>([^<]+)/i.exec(body)?.[1]?.trim();
        return title === undefined ? 'an HTML page' : `an HTML page titled "${title}"`;
    }
    return body.trim();
}


/***/ })

};
