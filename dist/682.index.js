export const id = 682;
export const ids = [682];
export const modules = {

/***/ 4682:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ findDeployment),
/* harmony export */   _: () => (/* binding */ findByName)
/* harmony export */ });
/* harmony import */ var _paginate_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6998);
/* harmony import */ var _replica_lag_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(214);


/**
 * Finds the deployment; `undefined` if none has that name.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the id is unknown
 */
async function findDeployment(target, deps) {
    const { controlPlane } = deps;
    if (target.kind === 'name')
        return await findByName(target.name, controlPlane);
    return await (0,_replica_lag_js__WEBPACK_IMPORTED_MODULE_0__/* .pastBrokenAnswers */ .B)(async () => await controlPlane.getDeployment(target.id), deps);
}
/** Reads pages until the exact name is found: the control plane's filter matches a substring or a prefix. */
async function findByName(name, controlPlane) {
    const all = (0,_paginate_js__WEBPACK_IMPORTED_MODULE_1__/* .readAll */ .y)(async (query) => await controlPlane.listDeployments({ nameContains: name, ...query }));
    for await (const deployment of all)
        if (deployment.name === name)
            return deployment;
    return undefined;
}


/***/ }),

/***/ 6998:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
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


/***/ }),

/***/ 366:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CG: () => (/* binding */ STALE_READ_MS),
/* harmony export */   E8: () => (/* binding */ READS_AFTER_REDEPLOY),
/* harmony export */   HG: () => (/* binding */ ACTIVATION_GRACE_MS),
/* harmony export */   In: () => (/* binding */ GONE_AFTER_MS),
/* harmony export */   JX: () => (/* binding */ READ_AGAIN_MS),
/* harmony export */   OL: () => (/* binding */ LEAST_GRACE_MS),
/* harmony export */   Of: () => (/* binding */ SUCCESSION_GRACE_MS),
/* harmony export */   Rz: () => (/* binding */ FIRST_VERIFY_PAUSE_MS),
/* harmony export */   TU: () => (/* binding */ SECOND_READ_MS),
/* harmony export */   Zh: () => (/* binding */ READS_PER_PATCH),
/* harmony export */   ac: () => (/* binding */ COMMIT_GRACE_MS),
/* harmony export */   b4: () => (/* binding */ LOG_READING_MS),
/* harmony export */   bu: () => (/* binding */ VERIFY_REQUEST_TIMEOUT_MS),
/* harmony export */   c6: () => (/* binding */ POLL_PAUSE_AFTER_CHANGE_MS),
/* harmony export */   fC: () => (/* binding */ BROKEN_RESPONSES),
/* harmony export */   fy: () => (/* binding */ LONGEST_VERIFY_PAUSE_MS),
/* harmony export */   hx: () => (/* binding */ FIRST_POLL_PAUSE_MS),
/* harmony export */   jv: () => (/* binding */ POLL_PAUSE_GROWTH),
/* harmony export */   m: () => (/* binding */ HEARTBEAT_MS),
/* harmony export */   mt: () => (/* binding */ POLLS_PER_DEPLOYMENT_READ),
/* harmony export */   n4: () => (/* binding */ READS_OF_SUCCESSOR),
/* harmony export */   nS: () => (/* binding */ LONGEST_POLL_PAUSE_MS),
/* harmony export */   or: () => (/* binding */ POLL_PAUSE_JITTER),
/* harmony export */   p6: () => (/* binding */ REPLICA_LAG_MS),
/* harmony export */   r1: () => (/* binding */ PATCHES),
/* harmony export */   ys: () => (/* binding */ LOST_WRITE_PAUSES_MS)
/* harmony export */ });
// Every constant of waiting in a rollout. Names that end in _MS are milliseconds; the others are counts or factors.
// Polls of a revision with `poll-interval: auto`.
/** Pause before the second poll. An image that is built already can be deployed within seconds. */
const FIRST_POLL_PAUSE_MS = 1_000;
/** Pause after a change of the status: the next change is likely to follow soon. */
const POLL_PAUSE_AFTER_CHANGE_MS = 2_000;
/** Limit of the pause: a build takes minutes, and an end must not be seen much later than it happens. */
const LONGEST_POLL_PAUSE_MS = 10_000;
/** Factor from one pause to the next while the status stays the same. */
const POLL_PAUSE_GROWTH = 1.5;
/** At most this part of a pause is taken off at random, so that many rollouts do not poll at the same moments. */
const POLL_PAUSE_JITTER = 0.2;
// The watch of a revision.
/** Longest time without a line in the log while the status stays the same: a silent job looks stuck. */
const HEARTBEAT_MS = 60_000;
/** Polls for each read of the deployment, which costs up to three requests. */
const POLLS_PER_DEPLOYMENT_READ = 6;
/** A deployment is deleted when it is missing for this long: a lagging replica can hide one that exists. */
const GONE_AFTER_MS = 10_000;
// Reads that can show an old state.
/** How long a replica may not know what was just created (contract notes, GET revision). */
const REPLICA_LAG_MS = 30_000;
/** Pause between two reads that wait for a change to show. */
const READ_AGAIN_MS = 2_000;
/** A proxy may answer in place of the control plane: so many unreadable responses are read again. */
const BROKEN_RESPONSES = 2;
/** How long an unfinished revision may take to report its commit, before the run creates its own. */
const COMMIT_GRACE_MS = 20_000;
/** Pause before a second read of the latest revision, if no list and no date orders it: longer than most replicas lag. */
const SECOND_READ_MS = 7_000;
// The confirmation that an ended revision is the active one.
/** How long a deployment may take to report a DEPLOYED revision as its active one. */
const ACTIVATION_GRACE_MS = 30_000;
/** What remains of that grace at the deadline: a revision that ended in time must not fail because it was seen late. */
const LEAST_GRACE_MS = 5_000;
/** How long a deployment may take to report the newer revision that ended ours. */
const SUCCESSION_GRACE_MS = 6_000;
// Writes.
/** How far behind a replica may be that returns an earlier state. */
const STALE_READ_MS = 6_000;
/**
 * Pauses before each look for the result of a lost write, 18 s in all: a server may act 9 s late, and the replica of
 * the last look may be {@link STALE_READ_MS} behind.
 */
const LOST_WRITE_PAUSES_MS = [500, 1_000, 2_000, 3_000, 4_000, 5_000, 2_500];
/** Reads after a PATCH whose response does not show the new settings: a replica may lag. */
const READS_PER_PATCH = 4;
/** A proxy may have dropped the first PATCH. */
const PATCHES = 2;
/** Reads after a redeploy: a service may take a moment to report the revision, and need not create a new one. */
const READS_AFTER_REDEPLOY = 4;
/** Reads at the end of a watch that look for the revision by which ours is superseded: it may be ours, too. */
const READS_OF_SUCCESSOR = 4;
// The finish.
/** How long reading the log of a failed revision may take: the step fails with or without the log. */
const LOG_READING_MS = 15_000;
/** First pause between two requests of a verification; each pause doubles. */
const FIRST_VERIFY_PAUSE_MS = 1_000;
/** Limit of that pause: an address that begins to answer is to be seen soon. */
const LONGEST_VERIFY_PAUSE_MS = 5_000;
/** How long one request of a verification may take: a request that hangs must not use up all the time. */
const VERIFY_REQUEST_TIMEOUT_MS = 10_000;


/***/ })

};
