export const id = 442;
export const ids = [442];
export const modules = {

/***/ 9204:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   payloadSchema: () => (/* binding */ payloadSchema)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4534);

const pullRequest = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    number: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().int().positive(),
    state: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
    /** The repository is null when it is gone, as a fork's may be. */
    head: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
        ref: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
        sha: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
        repo: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ full_name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), html_url: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional() }).nullish(),
    }),
});
/** Of an event's payload, what a rollout cares about. */
const payloadSchema = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    action: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
    pull_request: pullRequest.optional(),
    /** Of issue_comment; a comment on a pull request says so. */
    issue: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ number: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().int().positive(), pull_request: zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J().optional() }).optional(),
    /** Of workflow_dispatch. */
    inputs: zod__WEBPACK_IMPORTED_MODULE_0__/* .record */ .g1P(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J()).nullish(),
});


/***/ })

};
