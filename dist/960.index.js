export const id = 960;
export const ids = [960];
export const modules = {

/***/ 6960:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   rolloutPreview: () => (/* binding */ rolloutPreview)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _rollout_dependencies_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9697);
/* harmony import */ var _rollout_plan_repo_ref_default_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9674);
/* harmony import */ var _rollout_rollout_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3487);
/* harmony import */ var _rollout_rollout_request_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(803);
/* harmony import */ var _teardown_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1562);






/**
 * Rolls out a pull request's own deployment. If the pull request is closed before the rollout or during it, deletes the
 * deployment instead: a delayed run must not leave a preview behind that no later run deletes.
 * @throws what a rollout and a teardown throw
 */
async function rolloutPreview(request, pullRequest, deps) {
    const before = await deps.readPullRequest(pullRequest);
    const withKnownHead = withHead(request, before);
    deps.emit({ kind: 'head-read', commit: withKnownHead.repository.commit });
    if (before?.state !== 'closed') {
        const outcome = await rolloutUnlessClosed(withKnownHead, pullRequest, deps);
        if (outcome !== 'closed')
            return outcome;
    }
    const { target, dryRun, timeoutMs } = withKnownHead;
    const repoUrl = withKnownHead.settings.repoUrl ?? withKnownHead.repository.repoUrl;
    const because = { kind: 'pull-request-closed', pullRequest };
    deps.emit(because);
    deps.emit({ kind: 'teardown-began', target: (0,_rollout_rollout_request_js__WEBPACK_IMPORTED_MODULE_3__/* .nameOf */ .V)(target), timeoutMs });
    const closing = { what: { kind: 'one', target, because, repoUrl }, ignoreMissing: true, dryRun, timeoutMs };
    // The rollout may have used up its time.
    return await (0,_teardown_js__WEBPACK_IMPORTED_MODULE_2__.teardown)(closing, (0,_rollout_dependencies_js__WEBPACK_IMPORTED_MODULE_4__/* .withTime */ .C)(deps, timeoutMs));
}
async function rolloutUnlessClosed(request, pullRequest, deps) {
    const isClosed = async () => (await deps.readPullRequest(pullRequest))?.state === 'closed';
    try {
        const outcome = await (0,_rollout_rollout_js__WEBPACK_IMPORTED_MODULE_1__.rollout)(request, deps);
        return !request.dryRun && (await isClosed()) ? 'closed' : outcome;
    }
    catch (thrown) {
        // The run for the event `closed` may have deleted the deployment meanwhile.
        if ((0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isNotFound */ .c4)(thrown) && (await isClosed()))
            return 'closed';
        throw thrown;
    }
}
/** Some events do not carry the head of their pull request: GitHub reports it. */
function withHead(request, pullRequest) {
    const { repository, settings } = request;
    if (pullRequest === undefined || repository.commit !== undefined)
        return request;
    const { headRef, headRepository, sameRepository, headSha } = pullRequest;
    const head = (0,_rollout_plan_repo_ref_default_js__WEBPACK_IMPORTED_MODULE_5__/* .headOf */ .Uo)(headRef, headRepository, !sameRepository, repository.repoUrl, settings.repoUrl);
    return { ...request, repository: { ...repository, commit: headSha, ...head } };
}


/***/ })

};
