export const id = 539;
export const ids = [539,742];
export const modules = {

/***/ 7583:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ equalIgnoringCase),
/* harmony export */   M: () => (/* binding */ isOurs)
/* harmony export */ });
/**
 * Whether the address of a resource, as a response reports it, names this resource of our repository. An address that
 * is not reported shows nothing else.
 * @param path below the repository, as in `/issues/7`; the empty text for the repository itself
 */
function isOurs(address, { repository }, path = '') {
    return !address || address.toLowerCase().endsWith(`/repos/${repository}${path}`.toLowerCase());
}
/** Names of repositories and environments, and commits, have no case. An unknown text equals none. */
function equalIgnoringCase(one, other) {
    return one?.toLowerCase() === other.toLowerCase();
}


/***/ }),

/***/ 742:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   compareCommits: () => (/* binding */ compareCommits),
/* harmony export */   previewStateOf: () => (/* binding */ previewStateOf),
/* harmony export */   readPullRequest: () => (/* binding */ readPullRequest),
/* harmony export */   readPullRequestStates: () => (/* binding */ readPullRequestStates)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4534);
/* harmony import */ var _about_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7583);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3527);
/* harmony import */ var _labels_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9147);




const repository = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ full_name: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }).nullish();
const pullRequest = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    number: zod__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    state: zod__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(['open', 'closed']),
    // Without them, the rest is still usable.
    labels: zod__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ name: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }))
        .optional()
        .catch(undefined),
    head: zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ ref: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), sha: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), repo: repository }),
    base: zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ repo: repository }),
});
function toPullRequest({ number, state, labels, head, base }) {
    return {
        number,
        state,
        /** Their names; undefined if not reported. */
        labels: labels?.map(({ name }) => name),
        headRef: head.ref,
        headSha: head.sha,
        /** `owner/name`; `undefined` if the repository was deleted. */
        headRepository: head.repo?.full_name,
        /** Whether head and base are branches of the same repository. */
        sameRepository: head.repo?.full_name.toLowerCase() === base.repo?.full_name.toLowerCase(),
    };
}
/** @throws GitHubError, with status 404 if the repository has no such pull request */
async function readPullRequest(gitHub, number, options) {
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
    const request = { route, parameters: { pull_number: number }, attempted: `read pull request ${number}` };
    const ours = pullRequest.refine((found) => found.number === number && (0,_about_js__WEBPACK_IMPORTED_MODULE_2__/* .equalIgnoringCase */ .E)(found.base.repo?.full_name, gitHub.repository), 'is about another pull request or repository');
    return await gitHub.request({ ...request, ...options }, ours.transform(toPullRequest));
}
/**
 * Whether the pull request may keep its preview. Labels that are not reported count as there.
 * @param label that its preview needs; undefined if it needs none
 */
function previewStateOf({ state, labels }, label) {
    if (state === 'closed' || label === undefined || labels === undefined)
        return state;
    return (0,_labels_js__WEBPACK_IMPORTED_MODULE_3__/* .hasLabel */ .R)(labels, label) ? 'open' : 'unlabeled';
}
/**
 * Reads the states of many pull requests, one request each. The map lacks those that cannot be read.
 * @param onFailure called for each pull request that cannot be read
 * @param label see {@link previewStateOf}
 * @throws GitHubError if none of them can be read, as without the permission
 */
async function readPullRequestStates(gitHub, numbers, options, onFailure, label) {
    const states = new Map();
    for (const number of new Set(numbers)) {
        try {
            states.set(number, previewStateOf(await readPullRequest(gitHub, number, options(number)), label));
        }
        catch (thrown) {
            if (!(thrown instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_))
                throw thrown;
            if (thrown.status === 401 || thrown.status === 403)
                throw thrown;
            if (thrown.status === 404)
                states.set(number, 'missing');
            else
                onFailure(thrown);
            // A GitHub that did not answer would delay the run again for each of the others.
            if (thrown.status === undefined)
                return states;
        }
    }
    return states;
}
const commit = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ sha: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() });
const comparison = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    status: zod__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(['ahead', 'behind', 'identical', 'diverged']),
    base_commit: commit,
    merge_base_commit: commit,
});
/** @throws GitHubError, with status 404 if GitHub does not know one of the commits */
async function compareCommits(gitHub, base, head, withinMs) {
    const request = {
        route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
        parameters: { basehead: `${base}...${head}`, per_page: 1 },
        attempted: 'compare two commits',
        permission: 'contents: read',
        withinMs,
    };
    const ours = comparison.refine((found) => isComparisonOf(found, base, head), 'is about other commits');
    return (await gitHub.request(request, ours)).status;
}
function isComparisonOf(found, base, head) {
    const { status, base_commit: first, merge_base_commit: common } = found;
    if (!isCommit(first.sha, base))
        return false;
    switch (status) {
        case 'behind':
            return isCommit(common.sha, head);
        case 'ahead':
        case 'identical':
            return isCommit(common.sha, base);
        case 'diverged':
            return true;
    }
}
/** Only a full hash can be compared: GitHub also takes the start of one, or the name of a branch. */
function isCommit(sha, wanted) {
    return !/^[0-9a-f]{40}$/i.test(wanted) || (0,_about_js__WEBPACK_IMPORTED_MODULE_2__/* .equalIgnoringCase */ .E)(sha, wanted);
}


/***/ }),

/***/ 9539:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  rolloutPreview: () => (/* binding */ rolloutPreview)
});

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./github/labels.ts
var labels = __webpack_require__(9147);
// EXTERNAL MODULE: ./github/pulls.ts
var pulls = __webpack_require__(742);
// EXTERNAL MODULE: ./problem.ts
var problem = __webpack_require__(2035);
// EXTERNAL MODULE: ./rollout/dependencies.ts
var dependencies = __webpack_require__(9697);
// EXTERNAL MODULE: ./rollout/plan/repo-ref-default.ts
var repo_ref_default = __webpack_require__(9674);
// EXTERNAL MODULE: ./rollout/read/find-deployment.ts
var find_deployment = __webpack_require__(4682);
// EXTERNAL MODULE: ./rollout/rollout.ts + 10 modules
var rollout = __webpack_require__(3487);
// EXTERNAL MODULE: ./rollout/rollout-request.ts
var rollout_request = __webpack_require__(803);
// EXTERNAL MODULE: ./previews/age.ts
var previews_age = __webpack_require__(8239);
// EXTERNAL MODULE: ./previews/listing.ts
var previews_listing = __webpack_require__(8328);
;// CONCATENATED MODULE: ./previews/limit.ts


/**
 * Checks whether a preview may be created. A preview that exists already may always be updated. One that the control plane
 * is deleting does not count.
 * @param target the name of the preview
 * @returns why it may not be created
 * @throws ControlPlaneError when the deployments cannot be listed
 */
async function exceedsLimit({ name, max }, target, { controlPlane, clock }) {
    const listing = (0,previews_listing/* openListing */.Bz)(controlPlane);
    const previews = await (0,previews_listing/* listPreviews */.AT)(name, listing);
    if (previews.some(({ deployment }) => deployment.name === target))
        return undefined;
    // One that is being deleted makes room without anyone doing anything.
    const kept = previews.filter(({ deployment }) => deployment.isBeingDeleted === undefined);
    if (kept.length < max)
        return undefined;
    const existing = kept.map(({ deployment: { name: existingName, updatedAt } }) => {
        const age = (0,previews_age/* ageOf */.h)([updatedAt], listing.serverTime(), clock.wallTime());
        return { name: existingName, ageMs: age.kind === 'known' ? age.ms : undefined };
    });
    // The oldest first: they are the likeliest to be of no use any more.
    return { kind: 'too-many-previews', max, existing: existing.toSorted((a, b) => (b.ageMs ?? -1) - (a.ageMs ?? -1)) };
}

// EXTERNAL MODULE: ./previews/teardown.ts + 1 modules
var teardown = __webpack_require__(7176);
;// CONCATENATED MODULE: ./previews/preview.ts











/**
 * Rolls out a pull request's own deployment. If the pull request is closed before the rollout or during it, or has not
 * the label that its preview needs, deletes the deployment instead: a delayed run must not leave a preview behind that no
 * later run deletes.
 * @throws what a rollout and a teardown throw; InputError when it is unknown whether the pull request has the label
 */
async function rolloutPreview(request, preview, deps) {
    const { pullRequest, gate } = preview;
    if (gate?.change?.kind === 'unlabeled' && !gate.change.ours)
        return { kind: 'skipped', because: 'other-label' };
    const before = await deps.readPullRequest(pullRequest);
    const asked = withHead(request, before);
    deps.emit({ kind: 'head-read', commit: asked.repository.commit });
    const state = stateBefore(before, preview);
    if (state === 'unlabeled' && !(await mayDelete(before, asked, deps)))
        return { kind: 'skipped', because: 'unlabeled' };
    const end = state === 'open' ? await rolloutWhileOpen(asked, preview, deps) : state;
    if (end !== 'closed' && end !== 'unlabeled')
        return end;
    const { target, dryRun, timeoutMs } = asked;
    const repoUrl = asked.settings.repoUrl ?? asked.repository.repoUrl;
    const because = { kind: `pull-request-${end}`, pullRequest };
    deps.emit(because);
    deps.emit({ kind: 'teardown-began', target: (0,rollout_request/* nameOf */.V)(target), timeoutMs });
    const what = { kind: 'one', target, because, repoUrl, label: gate?.label };
    // The rollout may have used up its time.
    return await (0,teardown.teardown)({ what, ignoreMissing: true, dryRun, timeoutMs }, (0,dependencies/* withTime */.C)(deps, timeoutMs));
}
/**
 * The state of the pull request before the rollout. Where GitHub does not report it, that of the event counts.
 * @throws InputError when neither reports whether the pull request has the label
 */
function stateBefore(found, { pullRequest, gate }) {
    if (found?.state === 'closed')
        return 'closed';
    if (gate === undefined)
        return 'open';
    const isLabeled = found?.labels === undefined ? gate.onEvent : (0,labels/* hasLabel */.R)(found.labels, gate.label);
    if (isLabeled !== undefined)
        return isLabeled ? 'open' : 'unlabeled';
    const message = `needs the labels of pull request ${pullRequest}, which GitHub did not report: grant the job the permission pull-requests: read`;
    throw new problem/* InputError */.dz([{ input: 'preview-label', value: gate.label, message }]);
}
/** Whether there is a preview that an earlier run has not deleted, and GitHub itself reports that the label is missing. */
async function mayDelete(found, { target }, { controlPlane }) {
    if (found?.labels === undefined || target.kind === 'id')
        return false;
    return (await (0,find_deployment/* findByName */._U)(target.name, controlPlane)) !== undefined;
}
async function rolloutWhileOpen(request, { pullRequest, gate, limit }, deps) {
    const isOver = async () => {
        const found = await deps.readPullRequest(pullRequest);
        const state = found && (0,pulls.previewStateOf)(found, gate?.label);
        return state === 'open' ? undefined : state;
    };
    // Another label changes nothing. But this run may have replaced one of a push that waited in the same queue.
    const isOtherLabel = gate?.change?.ours === false;
    const asked = isOtherLabel ? { ...request, ifUnchanged: 'skip' } : request;
    try {
        const refused = limit && (await exceedsLimit(limit, (0,rollout_request/* nameOf */.V)(request.target), deps));
        if (refused !== undefined)
            return { kind: 'failed', because: refused };
        const outcome = await (0,rollout.rollout)(asked, deps);
        return (request.dryRun ? undefined : await isOver()) ?? outcome;
    }
    catch (thrown) {
        // Another run may have deleted the deployment meanwhile.
        const over = (0,errors/* isNotFound */.c4)(thrown) ? await isOver() : undefined;
        if (over !== undefined)
            return over;
        throw thrown;
    }
}
/** Some events do not carry the head of their pull request: GitHub reports it. */
function withHead(request, pullRequest) {
    const { repository, settings } = request;
    if (pullRequest === undefined || repository.commit !== undefined)
        return request;
    const { headRef, headRepository, sameRepository, headSha } = pullRequest;
    const head = (0,repo_ref_default/* headOf */.Uo)(headRef, headRepository, !sameRepository, repository.repoUrl, settings.repoUrl);
    return { ...request, repository: { ...repository, commit: headSha, ...head } };
}


/***/ })

};
