export const id = 204;
export const ids = [204];
export const modules = {

/***/ 9204:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   payloadSchema: () => (/* binding */ payloadSchema)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4362);

const pullRequest = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    number: zod__WEBPACK_IMPORTED_MODULE_0__.number().int().positive(),
    state: zod__WEBPACK_IMPORTED_MODULE_0__.string().optional(),
    /** The repository is null when it is gone, as a fork's may be. */
    head: zod__WEBPACK_IMPORTED_MODULE_0__.object({
        ref: zod__WEBPACK_IMPORTED_MODULE_0__.string().optional(),
        sha: zod__WEBPACK_IMPORTED_MODULE_0__.string().optional(),
        repo: zod__WEBPACK_IMPORTED_MODULE_0__.object({ full_name: zod__WEBPACK_IMPORTED_MODULE_0__.string(), html_url: zod__WEBPACK_IMPORTED_MODULE_0__.string().optional() }).nullish(),
    }),
});
/** Of an event's payload, what a rollout cares about. */
const payloadSchema = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    action: zod__WEBPACK_IMPORTED_MODULE_0__.string().optional(),
    pull_request: pullRequest.optional(),
    /** Of issue_comment; a comment on a pull request says so. */
    issue: zod__WEBPACK_IMPORTED_MODULE_0__.object({ number: zod__WEBPACK_IMPORTED_MODULE_0__.number().int().positive(), pull_request: zod__WEBPACK_IMPORTED_MODULE_0__.unknown().optional() }).optional(),
    /** Of workflow_dispatch. */
    inputs: zod__WEBPACK_IMPORTED_MODULE_0__.record(zod__WEBPACK_IMPORTED_MODULE_0__.string(), zod__WEBPACK_IMPORTED_MODULE_0__.unknown()).nullish(),
});


/***/ })

};
