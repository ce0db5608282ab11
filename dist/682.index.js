export const id = 682;
export const ids = [682];
export const modules = {

/***/ 4682:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   HZ: () => (/* binding */ findDeployment),
/* harmony export */   _U: () => (/* binding */ findByName),
/* harmony export */   xx: () => (/* binding */ findExisting)
/* harmony export */ });
/* harmony import */ var _problem_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2035);
/* harmony import */ var _rollout_request_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(803);
/* harmony import */ var _paginate_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6998);
/* harmony import */ var _replica_lag_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(214);




/**
 * Finds the deployment; `undefined` if none has that name.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the id is unknown
 */
async function findDeployment(target, deps) {
    const { controlPlane } = deps;
    if (target.kind === 'name')
        return await findByName(target.name, controlPlane);
    return await (0,_replica_lag_js__WEBPACK_IMPORTED_MODULE_1__/* .pastBrokenAnswers */ .B)(async () => await controlPlane.getDeployment(target.id), deps);
}
/**
 * Finds the deployment that a step requires to exist.
 * @throws InputError when none has that name; else as {@link findDeployment}
 */
async function findExisting(target, deps) {
    const deployment = await findDeployment(target, deps);
    if (deployment !== undefined)
        return deployment;
    const message = 'names no deployment that these credentials can see';
    throw new _problem_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz([{ input: 'name', value: (0,_rollout_request_js__WEBPACK_IMPORTED_MODULE_2__/* .nameOf */ .V)(target), message }]);
}
/** Reads pages until the exact name is found: the control plane's filter matches a substring or a prefix. */
async function findByName(name, controlPlane) {
    const all = (0,_paginate_js__WEBPACK_IMPORTED_MODULE_3__/* .readAll */ .y)(async (query) => await controlPlane.listDeployments({ nameContains: name, ...query }));
    for await (const deployment of all)
        if (deployment.name === name)
            return deployment;
    return undefined;
}


/***/ }),

/***/ 6998:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ PAGE_SIZE),
/* harmony export */   y: () => (/* binding */ readAll)
/* harmony export */ });
/* harmony import */ var _control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4945);

/** The contract's largest page. */
const PAGE_SIZE = 100;
/** A service that ignores the limit may end a page here: half of the contract's default page. */
const SMALLEST_FULL_PAGE = 10;
/**
 * Yields every entry of a paged list once. While the pages are read, other clients add and remove deployments: an entry
 * then moves to a page that was read already. So a list of several pages is read once more, with pages that overlap by
 * half. A consumer that has found its entry ends the reading.
 */
async function* readAll(readPage) {
    const seen = new Set();
    let pageSize;
    let isLong = false;
    for await (const { resources, offset } of pagesOf(readPage, 1, (next, from) => next - from)) {
        const added = newAmong(resources, seen);
        isLong ||= pageSize === undefined ? mayBeFull(resources.length, offset) : added.length > 0;
        pageSize ??= offset;
        yield* added;
    }
    if (!isLong || pageSize === undefined)
        return;
    const half = Math.ceil(pageSize / 2);
    for await (const { resources } of pagesOf(readPage, 2, () => half))
        yield* newAmong(resources, seen);
}
/** Whether more entries may follow the first page. One with an offset beyond its length was cut before it was filtered. */
function mayBeFull(length, offset) {
    return length >= SMALLEST_FULL_PAGE || offset > length;
}
/**
 * Reads page after page. A short page is not the last one: a service may filter after it cuts the page. A page without
 * new entries is: a service that ignores the offset repeats the same page.
 * @param patience the pages in a row without new entries after which the list ends
 * @param stepOf how far to go on, from the offset of the next page and of this one
 */
async function* pagesOf(readPage, patience, stepOf) {
    const seen = new Set();
    let pagesWithoutNew = 0;
    for (let offset = 0;;) {
        const page = await readPage({ limit: PAGE_SIZE, offset });
        yield page;
        pagesWithoutNew = newAmong(page.resources, seen).length === 0 ? pagesWithoutNew + 1 : 0;
        if (pagesWithoutNew === patience || page.offset <= offset)
            return;
        offset += stepOf(page.offset, offset);
    }
}
/** Returns the entries of a page that no earlier page had, and adds them to those seen. */
function newAmong(entries, seen) {
    const added = entries.filter(({ id }) => !seen.has((0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_0__/* .idKey */ .T)(id)));
    for (const { id } of added)
        seen.add((0,_control_plane_same_id_js__WEBPACK_IMPORTED_MODULE_0__/* .idKey */ .T)(id));
    return added;
}


/***/ }),

/***/ 214:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B: () => (/* binding */ pastBrokenAnswers),
/* harmony export */   F: () => (/* binding */ pastReplicaLag)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(366);


/**
 * Reads a resource whose id the control plane has reported. Reads it again after a 404 or a broken response.
 * @throws what `read` throws; RefusedError when it is still missing after {@link REPLICA_LAG_MS}
 */
async function pastReplicaLag(read, deps) {
    return await readAgain(read, _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isNotFound */ .c4, deps);
}
/**
 * Reads again after a broken response, such as one about another resource.
 * @throws what `read` throws
 */
async function pastBrokenAnswers(read, deps) {
    return await readAgain(read, () => false, deps);
}
async function readAgain(read, mayPass, { clock, signal, deadline }) {
    const giveUpAt = Math.min(clock.now() + _timing_js__WEBPACK_IMPORTED_MODULE_1__/* .REPLICA_LAG_MS */ .p6, deadline - _timing_js__WEBPACK_IMPORTED_MODULE_1__/* .READ_AGAIN_MS */ .JX);
    let broken = 0;
    for (;;) {
        try {
            return await read();
        }
        catch (thrown) {
            const isBroken = thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq && ++broken <= _timing_js__WEBPACK_IMPORTED_MODULE_1__/* .BROKEN_RESPONSES */ .fC;
            if ((!mayPass(thrown) && !isBroken) || clock.now() >= giveUpAt)
                throw thrown;
            await clock.sleep(_timing_js__WEBPACK_IMPORTED_MODULE_1__/* .READ_AGAIN_MS */ .JX, signal);
        }
    }
}


/***/ })

};
