export const id = 559;
export const ids = [559];
export const modules = {

/***/ 1559:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  explainStatus: () => (/* binding */ explainStatus)
});

// EXTERNAL MODULE: ./control-plane/credentials.ts
var control_plane_credentials = __webpack_require__(7923);
// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./control-plane/json.ts
var control_plane_json = __webpack_require__(8295);
// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 17 modules
var schemas = __webpack_require__(4534);
;// CONCATENATED MODULE: ./control-plane/error-schemas.ts

/** Contract, "HTTPValidationError", without `input` and `ctx`: they echo the request and may hold a secret. */
const httpValidationError = schemas/* object */.Ikc({
    detail: schemas/* array */.YOg(schemas/* object */.Ikc({ loc: schemas/* array */.YOg(schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* number */.aig()])), msg: schemas/* string */.YjP() })),
});
/** The text of an error: `detail` (contract, "Errors"), or `message` or `error` of a gateway. */
const plainError = schemas/* union */.KCZ([
    schemas/* object */.Ikc({ detail: schemas/* string */.YjP() }).transform(({ detail }) => detail),
    schemas/* object */.Ikc({ detail: schemas/* object */.Ikc({ message: schemas/* string */.YjP() }) }).transform(({ detail }) => detail.message),
    schemas/* object */.Ikc({ message: schemas/* string */.YjP() }).transform(({ message }) => message),
    schemas/* object */.Ikc({ error: schemas/* string */.YjP() }).transform(({ error }) => error),
]);

;// CONCATENATED MODULE: ./control-plane/explain.ts




/** Returns the error for a response without success: what was received, and what to do (contract, "Errors"). */
function explainStatus(answer) {
    const { status, method, path, attempted } = answer;
    const line = `${method} ${path}`;
    if (status < 200) {
        return new errors/* BrokenContractError */.Sq({
            attempted,
            cameBack: `${line} answered ${status}`,
            hint: CHECK_BASE_URL,
        });
    }
    if (status < 300) {
        return new errors/* BrokenContractError */.Sq({
            attempted,
            cameBack: `${line} answered ${status}, which was not expected`,
            hint: 'Find the cause, or add this status to the expected ones.',
        });
    }
    if (status < 400) {
        const to = answer.headers.location === undefined ? '' : ` to ${withoutQuery(answer.headers.location)}`;
        return new errors/* BrokenContractError */.Sq({
            attempted,
            cameBack: `${line} answered ${status}, a redirect${to}`,
            hint: 'The action follows no redirects, as the credentials would go along: correct base-url to the final address.',
        });
    }
    const detail = describeBody(answer.body, answer.headers['content-type']);
    const cameBack = `${line} answered ${status}${detail === '' ? '' : `: ${detail}`}`;
    const hint = answer.hintFor?.(status, detail) ?? generalHint(status, detail, answer.credentials);
    return new errors/* RefusedError */.fk(status, detail, { attempted, cameBack, hint });
}
const CHECK_BASE_URL = 'Check that base-url points to the control plane, path prefix included.';
function generalHint(status, detail, credentials) {
    switch (status) {
        case 401:
        case 403: {
            if (/workspace specification/i.test(detail)) {
                return 'This key serves several workspaces: set tenant-id to the one to use.';
            }
            return `Check the credentials that were sent: ${(0,control_plane_credentials/* describeSchemes */.q)(credentials)}. They may be wrong, expired or without access.`;
        }
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
            return 'The control plane limits requests: wait as long as it says, then rerun the job.';
        default:
            return status >= 500
                ? 'The control plane has a problem: rerun the job later.'
                : `The control plane refuses this request. ${CHECK_BASE_URL}`;
    }
}
/**
 * Returns the text of an error body, without `input` and `ctx` of a validation error, which may hold a secret. It does
 * not truncate the text: the log would not recognise half a secret.
 */
function describeBody(body, contentType) {
    const json = (0,control_plane_json/* parseJson */.qF)(body);
    if (json.ok) {
        const invalid = httpValidationError.safeParse(json.value);
        if (invalid.success) {
            return invalid.data.detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
        }
        return plainError.safeParse(json.value).data ?? '';
    }
    if (contentType?.includes('html') || /^\s*<(!doctype|html)/i.test(body)) {
        const title = /<title[^>]*>([^<]+)/i.exec(body)?.[1]?.trim();
        return title === undefined ? 'an HTML page' : `an HTML page titled "${title}"`;
    }
    return body.trim();
}
/** A redirect's query may carry a token. */
function withoutQuery(location) {
    return location.replace(/[?#].*$/s, '');
}


/***/ })

};
