export const id = 204;
export const ids = [204];
export const modules = {

/***/ 9204:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   payloadSchema: () => (/* binding */ payloadSchema)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4534);
/* harmony import */ var _association_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5909);


const number = zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().int().positive();
const label = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() });
// An unexpected form counts as not reported. The other fields of the payload remain usable.
const labels = zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(label).optional().catch(undefined);
const written = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ author_association: zod__WEBPACK_IMPORTED_MODULE_0__/* ["enum"] */ .k5n(_association_js__WEBPACK_IMPORTED_MODULE_1__/* .ASSOCIATIONS */ .n).optional() })
    .optional()
    .catch(undefined);
/** The part of an event's payload that a rollout uses. */
const payloadSchema = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    action: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
    pull_request: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
        number,
        state: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
        labels,
        /** The repository is null after it was deleted, as a fork may be. */
        head: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ sha: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(), repo: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ full_name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() }).nullish() }),
    })
        .optional(),
    /** In issue_comment; `pull_request` is set if the comment is on a pull request. */
    issue: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ number, pull_request: zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J().optional(), state: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional().catch(undefined), labels })
        .optional(),
    /** The label that was added or removed. */
    label: label.optional().catch(undefined),
    comment: written,
    review: written,
    /** In workflow_dispatch. */
    inputs: zod__WEBPACK_IMPORTED_MODULE_0__/* .record */ .g1P(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J()).nullish(),
});


/***/ })

};
