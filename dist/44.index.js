export const id = 44;
export const ids = [44];
export const modules = {

/***/ 3044:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   finishOpenRun: () => (/* binding */ finishOpenRun)
/* harmony export */ });
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3174);
/* harmony import */ var _github_event_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4286);
/* harmony import */ var _inputs_read_inputs_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7155);
/* harmony import */ var _operations_github_doors_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6708);
/* harmony import */ var _report_comment_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4858);
/* harmony import */ var _report_log_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4085);
/* harmony import */ var _report_redact_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(6914);
/* harmony import */ var _report_state_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(2138);








/** So long may GitHub take, in milliseconds. */
const PATIENCE_MS = 20_000;
/**
 * The post step: when the run was killed before it could tell how it ended, its comment and its GitHub Deployment would
 * stay "in progress" for ever. Never fails a job.
 */
async function finishOpenRun() {
    const log = (0,_report_log_js__WEBPACK_IMPORTED_MODULE_5__/* .createLog */ .h)((0,_report_redact_js__WEBPACK_IMPORTED_MODULE_7__/* .createRedactor */ .l)());
    log.mask((0,_inputs_read_inputs_js__WEBPACK_IMPORTED_MODULE_2__/* .sensitiveTexts */ .bl)(_inputs_read_inputs_js__WEBPACK_IMPORTED_MODULE_2__/* .runnerInputs */ .ax));
    const open = await (0,_report_state_js__WEBPACK_IMPORTED_MODULE_6__/* .readOpenRun */ .G7)();
    if (open === undefined)
        return;
    const event = await (0,_github_event_js__WEBPACK_IMPORTED_MODULE_1__/* .readEvent */ .j)();
    const gitHub = (0,_operations_github_doors_js__WEBPACK_IMPORTED_MODULE_3__/* .openGitHub */ .o)({
        event,
        token: (0,_inputs_read_inputs_js__WEBPACK_IMPORTED_MODULE_2__/* .runnerInputs */ .ax)('github-token').trim() || undefined,
        clock: _clock_js__WEBPACK_IMPORTED_MODULE_0__/* .systemClock */ .m,
        deadline: _clock_js__WEBPACK_IMPORTED_MODULE_0__/* .systemClock */ .m.now() + PATIENCE_MS,
        log,
    });
    gitHub.endWithin(PATIENCE_MS);
    const tell = async (words) => {
        try {
            await words();
        }
        catch (thrown) {
            log.warning(`GitHub could not be told how the run ended: ${(0,_clock_js__WEBPACK_IMPORTED_MODULE_0__/* .toError */ .i)(thrown).message}`);
        }
    };
    const { lastWords, gitHubDeployment, commentOn: issue, deploymentName, startedAt } = open;
    if (gitHubDeployment !== undefined)
        await tell(async () => {
            const { DEPLOYMENT_STATES, reportState } = await Promise.all(/* import() */[__webpack_require__.e(362), __webpack_require__.e(943)]).then(__webpack_require__.bind(__webpack_require__, 4943));
            const state = DEPLOYMENT_STATES.find((known) => known === lastWords?.state) ?? 'error';
            const description = lastWords?.description ?? 'The run was stopped; the rollout goes on remotely.';
            const { environmentUrl } = lastWords ?? {};
            await reportState(await gitHub.connect(), gitHubDeployment, state, {
                description,
                ...(state === 'success' && environmentUrl !== undefined ? { environmentUrl } : {}),
                ...(event.runUrl === undefined ? {} : { logUrl: event.runUrl }),
            });
        });
    if (issue !== undefined)
        await tell(async () => {
            const { openStickyComment } = await Promise.all(/* import() */[__webpack_require__.e(362), __webpack_require__.e(325)]).then(__webpack_require__.bind(__webpack_require__, 325));
            const about = { issue, deploymentName, startedAt, clock: _clock_js__WEBPACK_IMPORTED_MODULE_0__/* .systemClock */ .m };
            const comment = openStickyComment(await gitHub.connect(), about);
            await comment.finish(lastWords?.comment ?? (0,_report_comment_js__WEBPACK_IMPORTED_MODULE_4__/* .renderKilled */ .yG)(open, event.runUrl));
        });
    log.info(`The run for ${deploymentName} is told of on GitHub.`);
}


/***/ })

};
