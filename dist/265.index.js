export const id = 265;
export const ids = [265];
export const modules = {

/***/ 3265:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   wait: () => (/* binding */ wait)
/* harmony export */ });
/* harmony import */ var _control_plane_model_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1552);
/* harmony import */ var _problem_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2035);
/* harmony import */ var _finish_finish_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4124);
/* harmony import */ var _plan_built_ref_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(2276);
/* harmony import */ var _plan_validate_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(880);
/* harmony import */ var _read_find_deployment_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4682);
/* harmony import */ var _read_replica_lag_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(214);
/* harmony import */ var _watch_watch_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(8217);








/**
 * Waits for a revision that an earlier step or job has created, and reports it as a rollout does. Writes nothing.
 * @throws InputError when no revision can be waited for, ControlPlaneError when one cannot be read
 */
async function wait(request, deps) {
    const { target, revisionId, repository } = request;
    const deployment = await (0,_read_find_deployment_js__WEBPACK_IMPORTED_MODULE_4__/* .findExisting */ .xx)(target, deps);
    const { id, source, settings } = deployment;
    const unknowable = (0,_plan_validate_js__WEBPACK_IMPORTED_MODULE_3__/* .unknowableAddress */ .H)(request.verification, { source, address: (0,_control_plane_model_js__WEBPACK_IMPORTED_MODULE_0__/* .addressOf */ .ci)(deployment) }, deps.controlPlane.api);
    if (unknowable.length > 0)
        throw new _problem_js__WEBPACK_IMPORTED_MODULE_1__/* .InputError */ .dz(unknowable);
    const wanted = revisionId ?? deployment.latestRevisionId;
    if (wanted === undefined) {
        const message = 'is required here: the control plane does not report the latest revision';
        throw new _problem_js__WEBPACK_IMPORTED_MODULE_1__/* .InputError */ .dz([{ input: 'revision-id', message }]);
    }
    const revision = await (0,_read_replica_lag_js__WEBPACK_IMPORTED_MODULE_5__/* .pastReplicaLag */ .F)(async () => await deps.controlPlane.getRevision(id, wanted), deps);
    const builtRef = (0,_plan_built_ref_js__WEBPACK_IMPORTED_MODULE_7__/* .builtRefOf */ .P)({ repository, settings }, deployment);
    deps.emit({ kind: 'waiting', deployment, revision, builtRef });
    const ended = await (0,_watch_watch_js__WEBPACK_IMPORTED_MODULE_6__/* .watchRevision */ .rj)((0,_watch_watch_js__WEBPACK_IMPORTED_MODULE_6__/* .attachTo */ .jT)(deployment, revision), request, deps);
    return await (0,_finish_finish_js__WEBPACK_IMPORTED_MODULE_2__/* .finish */ .O)(ended, { ...request, rollback: 'never', settings: {} }, deps);
}


/***/ })

};
