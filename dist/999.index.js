export const id = 999;
export const ids = [999];
export const modules = {

/***/ 2885:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Kd: () => (/* binding */ sameCommit),
/* harmony export */   Tf: () => (/* binding */ compareWithUnfinished),
/* harmony export */   ok: () => (/* binding */ compareWithActive)
/* harmony export */ });
/* harmony import */ var _control_plane_model_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1552);
/* harmony import */ var _sources_matrix_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6600);
/* harmony import */ var _changes_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7443);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4698);
/* harmony import */ var _settings_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9849);





/**
 * Whether the active revision is what is wanted already. Whatever is not known counts as a difference: a revision too
 * many does no harm, one too few does.
 * @param commit what would be built, where it is known
 */
function compareWithActive(wanted, source, { current, active, latest }, commit) {
    if (active === undefined)
        return differs('no revision is active');
    if (source === 'internal_source')
        return differs(UPLOADS_DIFFER);
    const isNewest = latest === undefined || latest.id === active.id;
    if (!isNewest && (0,_outcome_js__WEBPACK_IMPORTED_MODULE_3__/* .phaseOf */ .h)(latest.status) !== 'terminal')
        return differs(`a newer revision (${latest.id}) is on its way`);
    const hidden = isNewest ? undefined : hiddenField(wanted);
    if (hidden !== undefined)
        return differs(`the latest revision is not the active one, whose ${(0,_sources_matrix_js__WEBPACK_IMPORTED_MODULE_1__/* .inputName */ .yu)(hidden)} is not told`);
    const difference = firstDifference(wanted, current, active);
    if (difference !== undefined)
        return differs(difference);
    if (source !== 'git_host')
        return { kind: 'same', revision: active };
    if (commit === undefined)
        return differs('the commit to roll out is not known');
    if (active.repoCommitSha === undefined)
        return differs('the commit of the active revision is not told');
    if (!sameCommit(active.repoCommitSha, commit))
        return differs('the active revision was built from another commit');
    return { kind: 'same', revision: active };
}
/**
 * Whether the latest revision has not ended yet and is what is wanted, so that it can be watched instead of making
 * another. A commit that is not known yet does not count: what is built is the ref as it is when the build begins.
 */
function compareWithUnfinished(wanted, source, { current, latest }, commit) {
    if (latest === undefined || (0,_outcome_js__WEBPACK_IMPORTED_MODULE_3__/* .phaseOf */ .h)(latest.status) === 'terminal')
        return differs('no revision is on its way');
    if (source === 'internal_source')
        return differs(UPLOADS_DIFFER);
    const difference = firstDifference(wanted, current, latest);
    if (difference !== undefined)
        return differs(difference);
    const { repoCommitSha: built } = latest;
    if (built !== undefined && commit !== undefined && !sameCommit(built, commit))
        return differs('the revision that is on its way is of another commit');
    return { kind: 'same', revision: latest };
}
const UPLOADS_DIFFER = 'an uploaded source cannot be compared with an earlier one';
function sameCommit(one, other) {
    return one.toLowerCase() === other.toLowerCase();
}
function asked(wanted) {
    return [...(0,_settings_js__WEBPACK_IMPORTED_MODULE_4__/* .fieldsOf */ .Pf)('config'), ...(0,_settings_js__WEBPACK_IMPORTED_MODULE_4__/* .fieldsOf */ .Pf)('revision')].filter((field) => wanted[field] !== undefined);
}
/** A field that the deployment tells of its latest revision only, which is not the one to compare with. */
function hiddenField(wanted) {
    return asked(wanted).find((field) => _control_plane_model_js__WEBPACK_IMPORTED_MODULE_0__/* .CHANGE_CLASS */ .Gd[field] === 'revision' && !_settings_js__WEBPACK_IMPORTED_MODULE_4__/* .TOLD_BY_REVISION */ .K6.includes(field));
}
function firstDifference(wanted, current, revision) {
    for (const field of asked(wanted)) {
        const told = _settings_js__WEBPACK_IMPORTED_MODULE_4__/* .TOLD_BY_REVISION */ .K6.includes(field) ? revision.settings : current.settings;
        switch ((0,_changes_js__WEBPACK_IMPORTED_MODULE_2__/* .differenceOf */ .Pq)(field, told, wanted)) {
            case 'same':
                continue;
            case 'unknown':
                return `the value of ${(0,_sources_matrix_js__WEBPACK_IMPORTED_MODULE_1__/* .inputName */ .yu)(field)} is not told and cannot be compared`;
            case 'new':
            case 'changed':
                return `${(0,_sources_matrix_js__WEBPACK_IMPORTED_MODULE_1__/* .inputName */ .yu)(field)} differs`;
        }
    }
    return undefined;
}
function differs(because) {
    return { kind: 'differs', because };
}


/***/ }),

/***/ 5:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  p: () => (/* binding */ fillIn)
});

// EXTERNAL MODULE: ./sources/repository.ts
var sources_repository = __webpack_require__(4381);
;// CONCATENATED MODULE: ./sources/integration.ts

/** The one integration that reaches the repository; none or several is an error that lists what was found. */
function chooseIntegration(repoUrl, installed) {
    const matches = installed.flatMap((integration) => (integration.repositories ?? [])
        .filter(({ url }) => (0,sources_repository/* sameRepository */.RB)(url, repoUrl))
        .slice(0, 1)
        .map((repository) => ({ repository, integration })));
    const [match, ...others] = matches;
    if (match === undefined)
        return refuse(`no installed integration reaches ${repoUrl}: ${listAll(installed)}`);
    if (others.length > 0) {
        const names = matches.map(({ integration }) => nameOf(integration)).join(', ');
        return refuse(`several installed integrations reach ${repoUrl}, give the id of one: ${names}`);
    }
    const note = `integration-id is left out: ${nameOf(match.integration)} reaches ${match.repository.url}`;
    return { kind: 'found', repository: match.repository, note };
}
function refuse(message) {
    return { kind: 'refused', problem: { input: 'integration-id', message: `is left out, and ${message}` } };
}
function listAll(installed) {
    if (installed.length === 0)
        return 'none is installed in this workspace';
    return installed.map((one) => `${nameOf(one)} reaches ${listRepositories(one)}`).join('; ');
}
const MAX_LISTED = 20;
function listRepositories({ repositories }) {
    if (repositories === undefined)
        return 'repositories that these credentials may not list';
    if (repositories.length === 0)
        return 'no repository';
    const listed = repositories.slice(0, MAX_LISTED).map(({ url }) => url);
    const more = repositories.length - listed.length;
    return listed.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
function nameOf({ id, name }) {
    return name === undefined ? id : `${name} (${id})`;
}

;// CONCATENATED MODULE: ./sources/listener.ts
/** Checks the listener that an external_container is to be deployed by, or takes the only one there is. */
function chooseListener(wanted, known) {
    const { listenerId } = wanted;
    if (known.kind === 'unlisted') {
        const note = `listener-id could not be checked: ${known.reason}`;
        return { listenerId, problems: [], notes: listenerId === undefined ? [] : [note] };
    }
    const { listeners } = known;
    if (listenerId === undefined)
        return takeTheOnlyOne(wanted, listeners);
    const found = listeners.find(({ id }) => id.toLowerCase() === listenerId);
    if (found !== undefined)
        return { listenerId, ...checkNamespace(wanted, found) };
    const message = `is not the id of a listener: ${listener_listAll(listeners)}`;
    return { listenerId, problems: [{ input: 'listener-id', value: listenerId, message }], notes: [] };
}
function takeTheOnlyOne(wanted, listeners) {
    const [only, ...others] = listeners;
    if (only === undefined || others.length > 0) {
        const note = `listener-id is left out, and none is sent: ${listener_listAll(listeners)}`;
        return { listenerId: undefined, problems: [], notes: [note] };
    }
    const { problems, notes } = checkNamespace(wanted, only);
    const note = `listener-id is left out: ${describe(only)} is the only listener`;
    return { listenerId: only.id, problems, notes: [note, ...notes] };
}
/** Contract, "ListenerConfig": only for listeners with compute type `cluster`. */
function checkNamespace({ clusterNamespace: wanted }, listener) {
    const { computeType, namespaces } = listener;
    if (wanted === undefined)
        return { problems: [], notes: [] };
    if (computeType !== undefined && computeType.toLowerCase() !== 'cluster') {
        const message = `is only for listeners of compute type cluster: ${describe(listener)} is of type ${computeType}`;
        return { problems: [{ input: 'cluster-namespace', value: wanted, message }], notes: [] };
    }
    if (namespaces === undefined || namespaces.length === 0 || namespaces.includes(wanted))
        return { problems: [], notes: [] };
    const note = `cluster-namespace ${wanted} is not among those that the listener tells: ${namespaces.join(', ')}`;
    return { problems: [], notes: [note] };
}
function listener_listAll(listeners) {
    if (listeners.length === 0)
        return 'there is no listener in this workspace';
    return `the listeners are ${listeners.map(describe).join(', ')}`;
}
function describe({ id, computeType, computeId }) {
    const known = [computeType, computeId].filter((part) => part !== undefined).join(' ');
    return known === '' ? id : `${id} (${known})`;
}

;// CONCATENATED MODULE: ./rollout/fill-in.ts



/** Fills in what was left out and can be known: from the event, and from what the control plane has. */
function fillIn(request, source, survey) {
    switch (source) {
        case 'git_host':
            return withIntegration(withRepository(request, survey), survey);
        case 'external_container':
            return withListener(request.settings, survey);
        case 'internal_container':
        case 'internal_source':
        case 'internal_template':
            return { settings: request.settings, problems: [], notes: [] };
    }
}
/**
 * The repository, and the ref that was pushed: the ref only when the deployment builds this very repository, as a branch
 * of one repository means nothing in another.
 */
function withRepository({ settings, repository }, { current }) {
    const fromEvent = current === undefined && settings.repoUrl === undefined ? repository.repoUrl : undefined;
    const repoUrl = settings.repoUrl ?? fromEvent;
    const filled = repoUrl === undefined ? settings : { ...settings, repoUrl };
    const notes = fromEvent === undefined ? [] : ['repo-url is left out: it is this repository'];
    if (settings.repoRef !== undefined)
        return { settings: filled, problems: [], notes };
    const builds = current?.settings.repoUrl ?? repoUrl;
    if (builds !== undefined &&
        repository.repoUrl !== undefined &&
        !(0,sources_repository/* sameRepository */.RB)(builds, repository.repoUrl)) {
        const message = `is required: the deployment builds ${builds}, which is not the repository of this workflow`;
        return { settings: filled, problems: [{ input: 'repo-ref', message }], notes };
    }
    switch (repository.repoRef.kind) {
        case 'none':
            return { settings: filled, problems: [], notes };
        case 'unusable':
            return {
                settings: filled,
                problems: [{ input: 'repo-ref', message: `is required: ${repository.repoRef.reason}` }],
                notes,
            };
        case 'ref':
            return {
                settings: { ...filled, repoRef: repository.repoRef.ref },
                problems: [],
                notes: [...notes, `repo-ref is left out: it is that of the event, ${repository.repoRef.ref}`],
            };
    }
}
/** The repository's own address is sent, as the contract asks for the one of the listing ("Repository"). */
function withIntegration(filled, { integrations }) {
    const { settings, problems, notes } = filled;
    if (integrations === undefined || settings.repoUrl === undefined)
        return filled;
    const choice = chooseIntegration(settings.repoUrl, integrations);
    switch (choice.kind) {
        case 'refused':
            return { settings, problems: [...problems, choice.problem], notes };
        case 'found': {
            const { integrationId, url } = choice.repository;
            const found = { ...settings, integrationId, repoUrl: url };
            return { settings: found, problems, notes: [...notes, choice.note] };
        }
    }
}
function withListener(settings, { listeners }) {
    if (listeners === undefined)
        return { settings, problems: [], notes: [] };
    const { listenerId, problems, notes } = chooseListener(settings, listeners);
    return { settings: listenerId === undefined ? settings : { ...settings, listenerId }, problems, notes };
}


/***/ }),

/***/ 5744:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ patchDeployment)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _changes_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7443);
/* harmony import */ var _replica_lag_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8703);
/* harmony import */ var _settings_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9849);




/** A replica may show the settings of before for a while, and whatever stands between may have answered in its place. */
const LOOKS = 4;
const PATCHES = 2;
/**
 * Sets what needs no revision. Where the answer does not show that it was done, the deployment is read, and patched
 * once more when it was not.
 * @param before the deployment as it was
 * @throws AmbiguousWriteError when the deployment still shows the settings of before, or cannot be read
 */
async function patchDeployment(before, patch, doors) {
    let answer;
    for (let count = 0; count < PATCHES; count++) {
        answer = await tryPatch(before.id, patch, doors);
        if (answer !== undefined && !(answer instanceof Error) && isDone(answer, before, patch))
            return;
        if (await isDoneByAndBy(before, patch, doors))
            return;
    }
    throw answer instanceof Error
        ? answer
        : unknown(before.id, 'the deployment still shows the settings of before');
}
/** The deployment as the answer shows it; or what answered in its place. */
async function tryPatch(id, patch, { controlPlane }) {
    try {
        return await controlPlane.updateDeployment(id, patch);
    }
    catch (thrown) {
        if (thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BrokenContractError */ .Sq)
            return thrown;
        throw thrown;
    }
}
async function isDoneByAndBy(before, patch, { controlPlane, clock, signal, deadline }) {
    let trouble;
    for (let look = 1;; look++) {
        try {
            trouble = undefined;
            if (isDone(await controlPlane.getDeployment(before.id), before, patch))
                return true;
        }
        catch (thrown) {
            if (!(thrown instanceof _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ControlPlaneError */ .Cj))
                throw thrown;
            trouble = thrown;
        }
        const isLast = look === LOOKS || clock.now() + _replica_lag_js__WEBPACK_IMPORTED_MODULE_2__/* .LOOK_AGAIN_MS */ .Um >= deadline;
        if (isLast && trouble !== undefined)
            throw unknown(before.id, trouble.trouble.cameBack);
        if (isLast)
            return false;
        await clock.sleep(_replica_lag_js__WEBPACK_IMPORTED_MODULE_2__/* .LOOK_AGAIN_MS */ .Um, signal);
    }
}
/** What is not told cannot be told to be otherwise; and a service may write a value in its own way. */
function isDone({ settings }, before, patch) {
    return (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldsOf */ .Pf)('config').every((field) => patch[field] === undefined ||
        (0,_changes_js__WEBPACK_IMPORTED_MODULE_1__/* .sameValue */ .eE)(settings[field], patch[field]) ||
        settings[field] === undefined ||
        !(0,_changes_js__WEBPACK_IMPORTED_MODULE_1__/* .sameValue */ .eE)(settings[field], before.settings[field]));
}
function unknown(id, cameBack) {
    const hint = 'Whether it was done is not known: look at the deployment before you run the job again.';
    return new _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AmbiguousWriteError */ .yI({ attempted: `update the deployment ${id}`, cameBack, hint }, false);
}


/***/ }),

/***/ 376:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D3: () => (/* binding */ commitOf),
/* harmony export */   dT: () => (/* binding */ configFieldsThatDiffer),
/* harmony export */   qx: () => (/* binding */ planRevise)
/* harmony export */ });
/* harmony import */ var _control_plane_model_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1552);
/* harmony import */ var _sources_matrix_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6600);
/* harmony import */ var _sources_repository_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(4381);
/* harmony import */ var _changes_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7443);
/* harmony import */ var _compare_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2885);
/* harmony import */ var _fill_in_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(5);
/* harmony import */ var _guards_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2878);
/* harmony import */ var _settings_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9849);








const ALWAYS = { kind: 'differs', because: 'a rollout makes a new revision, whatever differs' };
/** Plans a new revision of a deployment that exists, and before it a PATCH of what needs none. */
function planRevise(request, basis) {
    const { current } = basis;
    const source = sourceOf(request, current);
    if (typeof source !== 'string')
        return { kind: 'refused', problems: [source, ...guarded(request, current)] };
    const { settings: filled, problems, notes } = (0,_fill_in_js__WEBPACK_IMPORTED_MODULE_6__/* .fillIn */ .p)(request, source, basis);
    // A ref that nobody asked for stays, and the revision carries it.
    const ref = filled.repoRef ?? current.settings.repoRef;
    const found = [
        ...problems,
        ...(0,_guards_js__WEBPACK_IMPORTED_MODULE_4__/* .tagBuiltOnPush */ .Yf)(filled, ref),
        ...(0,_sources_matrix_js__WEBPACK_IMPORTED_MODULE_1__/* .mismatches */ .vJ)(source, (0,_settings_js__WEBPACK_IMPORTED_MODULE_5__/* .withSourcePath */ .NJ)(filled, request)),
        ...guarded({ ...request, settings: filled }, current),
    ];
    if (found.length > 0)
        return { kind: 'refused', problems: found };
    const tagNeedsPushOff = (0,_sources_repository_js__WEBPACK_IMPORTED_MODULE_7__/* .isTag */ .dz)(ref) && current.settings.buildOnPush === true;
    const wanted = tagNeedsPushOff ? { ...filled, buildOnPush: false } : filled;
    const fields = (0,_changes_js__WEBPACK_IMPORTED_MODULE_2__/* .describeFields */ .VO)(current.settings, wanted, carrierOf);
    const commit = commitOf(request, wanted, current);
    const standing = { deployment: current, fields: fields.map(withoutCarrier) };
    const comparison = request.ifUnchanged === 'skip' ? (0,_compare_js__WEBPACK_IMPORTED_MODULE_3__/* .compareWithActive */ .ok)(wanted, source, basis, commit) : ALWAYS;
    if (comparison.kind === 'same') {
        const plan = {
            kind: 'unchanged',
            ...standing,
            active: comparison.revision,
            because: 'nothing differs from the active revision, and if-unchanged is "skip"',
            notes: [...request.notes, ...notes, ...movingImage(wanted)],
        };
        return { kind: 'planned', plan };
    }
    const unfinished = request.resume ? (0,_compare_js__WEBPACK_IMPORTED_MODULE_3__/* .compareWithUnfinished */ .Tf)(wanted, source, basis, commit) : comparison;
    if (unfinished.kind === 'same') {
        const plan = {
            kind: 'resume',
            ...standing,
            latest: unfinished.revision,
            because: `revision ${unfinished.revision.id} with the same configuration is on its way already`,
            notes: [...request.notes, ...notes],
        };
        return { kind: 'planned', plan };
    }
    const patch = (0,_settings_js__WEBPACK_IMPORTED_MODULE_5__/* .nonEmpty */ .hq)((0,_settings_js__WEBPACK_IMPORTED_MODULE_5__/* .pick */ .Up)(wanted, configFieldsThatDiffer(wanted, current.settings)));
    const patchLast = patch?.buildOnPush === true && (0,_sources_repository_js__WEBPACK_IMPORTED_MODULE_7__/* .isTag */ .dz)(current.settings.repoRef);
    const because = [
        ...(tagNeedsPushOff ? ['build-on-push is turned off first: a tag cannot be built on push'] : []),
        ...(patchLast ? ['build-on-push is turned on last: until then the deployment is on a tag'] : []),
    ];
    const plan = {
        kind: 'revise',
        deployment: current,
        patch,
        patchLast,
        upload: source === 'internal_source' ? basis.packed : undefined,
        revision: { source, settings: revisionSettings(filled, current.settings) },
        fields,
        because: comparison.because,
        notes: [...request.notes, ...notes, ...untold(request.settings, current.settings), ...because],
    };
    return { kind: 'planned', plan };
}
function sourceOf(request, current) {
    const known = current.source ?? request.source;
    if (known === undefined) {
        return {
            input: 'source',
            message: 'is required here: the control plane does not say which source this deployment has',
        };
    }
    if (request.source !== undefined && request.source !== known) {
        return {
            input: 'source',
            value: request.source,
            message: `differs from the deployment's, which is "${known}" and cannot change after it is created`,
        };
    }
    if (!(0,_sources_matrix_js__WEBPACK_IMPORTED_MODULE_1__/* .isSource */ .__)(known)) {
        return { input: 'source', message: `of this deployment is "${known}", which this action does not know` };
    }
    return known;
}
function guarded(request, current) {
    return [...(0,_guards_js__WEBPACK_IMPORTED_MODULE_4__/* .immutableDifferences */ .fz)(request.settings, current.settings), ...(0,_guards_js__WEBPACK_IMPORTED_MODULE_4__/* .secretsLeftOut */ .NK)(request, current)];
}
/** The commit that would be rolled out, when it is known: that of the event, if it is the event's ref that is built. */
function commitOf({ repository }, wanted, current) {
    const { repoRef, repoUrl, commit } = repository;
    const builds = current.settings.repoUrl ?? wanted.repoUrl;
    if (repoRef.kind !== 'ref' || repoRef.ref !== wanted.repoRef)
        return undefined;
    if (repoUrl === undefined || builds === undefined || !(0,_sources_repository_js__WEBPACK_IMPORTED_MODULE_7__/* .sameRepository */ .RB)(repoUrl, builds))
        return undefined;
    return commit;
}
function carrierOf(field, difference) {
    switch (_control_plane_model_js__WEBPACK_IMPORTED_MODULE_0__/* .CHANGE_CLASS */ .Gd[field]) {
        case 'immutable':
            return undefined;
        case 'config':
            return difference === 'same' ? undefined : 'patch';
        case 'revision':
            return 'revision';
    }
}
function withoutCarrier({ input, current, wanted, difference }) {
    return { input, ...(current === undefined ? {} : { current }), wanted, difference };
}
/** Config-only fields that are wanted otherwise than they are. */
function configFieldsThatDiffer(wanted, current) {
    return (0,_settings_js__WEBPACK_IMPORTED_MODULE_5__/* .fieldsOf */ .Pf)('config').filter((field) => wanted[field] !== undefined && (0,_changes_js__WEBPACK_IMPORTED_MODULE_2__/* .differenceOf */ .Pq)(field, current, wanted) !== 'same');
}
/**
 * What the new revision is told. The fields of source_revision_config go in full, those that stay included: whether
 * the control plane merges that object or replaces it, the revision comes out the same.
 */
function revisionSettings(wanted, current) {
    return { ...(0,_settings_js__WEBPACK_IMPORTED_MODULE_5__/* .pick */ .Up)(current, _settings_js__WEBPACK_IMPORTED_MODULE_5__/* .TOLD_BY_REVISION */ .K6), ...(0,_settings_js__WEBPACK_IMPORTED_MODULE_5__/* .pick */ .Up)(wanted, (0,_settings_js__WEBPACK_IMPORTED_MODULE_5__/* .fieldsOf */ .Pf)('revision')) };
}
/** An immutable value that the deployment does not tell cannot be compared, and is not sent. */
function untold(wanted, current) {
    return (0,_settings_js__WEBPACK_IMPORTED_MODULE_5__/* .fieldsOf */ .Pf)('immutable')
        .filter((field) => wanted[field] !== undefined && current[field] === undefined)
        .map((field) => `${(0,_sources_matrix_js__WEBPACK_IMPORTED_MODULE_1__/* .inputName */ .yu)(field)} is not sent: it cannot change, and the deployment does not tell its own to compare`);
}
function movingImage({ imageUri }) {
    if (imageUri === undefined || imageUri.includes('@sha256:'))
        return [];
    return [
        'image-uri is compared by its name: an image that was pushed again under it is not seen; a digest tells',
    ];
}


/***/ }),

/***/ 2850:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Ur: () => (/* binding */ createOnce),
  Ug: () => (/* binding */ redeployOnce),
  ol: () => (/* binding */ reviseOnce)
});

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./control-plane/retry.ts
var control_plane_retry = __webpack_require__(2911);
// EXTERNAL MODULE: ./rollout/find.ts
var find = __webpack_require__(7139);
;// CONCATENATED MODULE: ./rollout/lost-write.ts


/** Milliseconds before each look, where the server may still be at work on what it was sent. */
const AT_WORK_MS = [500, 1_000, 2_000, 3_000, 4_000];
/**
 * Looks for what came of a write whose answer was lost.
 * @returns nothing when it certainly was not done, so that it may be sent again
 * @throws AmbiguousWriteError when nothing could be seen, or the time is over: then nobody knows
 */
async function findLostWrite(lost, retry, look, { clock, random, signal, deadline, maxRetries, onRecovery }) {
    onRecovery(`${lost.trouble.cameBack}: looking whether it was done before anything is repeated`);
    const looks = lost.maybeAtWork ? AT_WORK_MS.length : 1;
    for (let count = 0;; count++) {
        const pause = lost.maybeAtWork ? AT_WORK_MS[count] : undefined;
        await clock.sleep(pause ?? (0,control_plane_retry/* retryDelay */.a2)(retry + count, undefined, random), signal);
        if (clock.now() >= deadline)
            throw lost;
        try {
            const found = await look();
            if (found !== undefined || count + 1 >= looks)
                return found;
        }
        catch (thrown) {
            if (!(thrown instanceof errors/* ControlPlaneError */.Cj))
                throw thrown;
            if (count >= Math.max(maxRetries, looks))
                throw unseen(lost, thrown);
        }
    }
}
function unseen(lost, { trouble }) {
    const cameBack = `${lost.trouble.cameBack}; and when looking whether it was done, ${trouble.cameBack}`;
    return new errors/* AmbiguousWriteError */.yI({ ...lost.trouble, cameBack }, lost.maybeAtWork, { cause: lost });
}

// EXTERNAL MODULE: ./rollout/changes.ts
var changes = __webpack_require__(7443);
// EXTERNAL MODULE: ./rollout/guards.ts
var guards = __webpack_require__(2878);
// EXTERNAL MODULE: ./rollout/plan-revise.ts
var plan_revise = __webpack_require__(376);
// EXTERNAL MODULE: ./rollout/replica-lag.ts
var replica_lag = __webpack_require__(8703);
// EXTERNAL MODULE: ./rollout/settings.ts
var settings = __webpack_require__(9849);
;// CONCATENATED MODULE: ./rollout/ours.ts






/** The revision, newer than what was known, that has this configuration: the one that our lost request made. */
async function findMade(known, wanted, doors) {
    const now = await doors.controlPlane.getDeployment(known.id);
    const { latestRevisionId: latest } = now;
    if (latest === undefined || latest === known.latestRevisionId)
        return undefined;
    const since = await revisionsSince(known, latest, doors);
    return since.find(({ id, settings }) => 
    // The deployment tells the rest of the configuration, and of its latest revision only.
    sameSource(settings, wanted) && (id !== latest || sameBesidesSource(now.settings, wanted)));
}
const LISTED = 20;
/** Revisions that are newer than what the plan knew, newest first: all of them, or the latest where no list is to be had. */
async function revisionsSince(known, latest, doors) {
    const { controlPlane } = doors;
    try {
        const listed = await controlPlane.listRevisions(known.id, { limit: LISTED });
        const end = listed.findIndex(({ id }) => id === known.latestRevisionId);
        if (end >= 0)
            return listed.slice(0, end);
    }
    catch (thrown) {
        // A service need not have that route.
        if (!(thrown instanceof errors/* ControlPlaneError */.Cj))
            throw thrown;
    }
    return [await (0,replica_lag/* pastReplicaLag */.FK)(async () => await controlPlane.getRevision(known.id, latest), doors)];
}
/** Whether a deployment is what our draft would have made. */
function comesOf(found, { source, settings }) {
    return ((found.source ?? source) === source &&
        (0,guards/* immutableDifferences */.fz)(settings, found.settings).length === 0 &&
        (0,plan_revise/* configFieldsThatDiffer */.dT)(settings, found.settings).length === 0 &&
        sameSource(found.settings, settings) &&
        sameBesidesSource(found.settings, settings));
}
function sameSource(told, wanted) {
    return settings/* TOLD_BY_REVISION */.K6.every((field) => (0,changes/* sameValue */.eE)(told[field], wanted[field]));
}
/** What is not told cannot tell two apart. */
function sameBesidesSource(told, wanted) {
    const fields = ['secrets', 'secretReferences', 'resourceSpec'].filter((field) => wanted[field] !== undefined);
    return fields.every((field) => ['same', 'unknown'].includes((0,changes/* differenceOf */.Pq)(field, asTold(told, wanted), wanted)));
}
/**
 * Of what is told the part that can be compared: a service may leave an empty list in the place of secrets, or leave
 * a resource spec out, or add what it has chosen itself.
 */
function asTold(told, wanted) {
    const { secrets, resourceSpec, ...others } = told;
    const wantedSpec = wanted.resourceSpec ?? {};
    const chosen = Object.keys(wantedSpec);
    return {
        ...others,
        ...(secrets === undefined || secrets.length === 0 ? {} : { secrets }),
        resourceSpec: resourceSpec === undefined
            ? wantedSpec
            : Object.fromEntries(Object.entries(resourceSpec).filter(([name]) => chosen.includes(name))),
    };
}

;// CONCATENATED MODULE: ./rollout/recover.ts






/** Creates the deployment; a create whose answer was lost, or whose name is taken, is looked after before anything else. */
async function createOnce(draft, doors) {
    const look = async () => await (0,find/* findByName */._)(draft.name, doors.controlPlane);
    let lastLost;
    for (let retry = 0;; retry++) {
        try {
            return { kind: 'created', deployment: await doors.controlPlane.createDeployment(draft) };
        }
        catch (thrown) {
            const lost = thrown instanceof errors/* AmbiguousWriteError */.yI;
            if (!lost && !isNameTaken(thrown))
                throw thrown;
            if (lost)
                lastLost = thrown;
            const found = lastLost ? await findLostWrite(lastLost, retry, look, doors) : await look();
            if (found !== undefined) {
                return { kind: lastLost && comesOf(found, draft) ? 'created' : 'exists', deployment: found };
            }
            if (retry >= doors.maxRetries)
                throw lost ? thrown : takenByTheUnseen(draft.name, thrown);
            // Whoever took the name has just done so: our next look may see it.
            if (!lost)
                await doors.clock.sleep((0,control_plane_retry/* retryDelay */.a2)(retry, undefined, doors.random), doors.signal);
        }
    }
}
/** Creates the revision; when the answer was lost, a newer revision with our configuration is the one we made. */
async function reviseOnce(deployment, draft, doors) {
    const { controlPlane } = doors;
    const create = async () => await controlPlane.createRevision(deployment.id, draft);
    return await makeRevisionOnce(deployment, draft.settings, create, doors);
}
/**
 * Deploys an earlier revision again, and names the revision that came of it: a new one, or the earlier one itself. When
 * the answer was lost, a newer revision with its configuration is the one we made.
 * @returns nothing when the service has no such route, or nothing came of it
 */
async function redeployOnce(deployment, to, doors) {
    const { controlPlane, clock, signal } = doors;
    const redeploy = async () => {
        let now = await controlPlane.redeploy(deployment.id, to.id);
        for (let look = 0;; look++) {
            const { latestRevisionId: latest, activeRevisionId: active } = now;
            const isNew = latest !== undefined && latest !== deployment.latestRevisionId && latest !== to.id;
            if (isNew)
                return { id: latest };
            if (active === to.id)
                return to;
            if (look >= REDEPLOY_LOOKS)
                return undefined;
            await clock.sleep(replica_lag/* LOOK_AGAIN_MS */.Um, signal);
            now = (await (0,errors/* ifReadable */.G5)(async () => await controlPlane.getDeployment(deployment.id))) ?? now;
        }
    };
    try {
        return (await makeRevisionOnce(deployment, to.settings, redeploy, doors))?.id;
    }
    catch (thrown) {
        // Whatever it has against this route, it did nothing: but for credentials that would not do for the other one either.
        if (thrown instanceof errors/* RefusedError */.fk && thrown.status !== 401 && thrown.status !== 403)
            return undefined;
        throw thrown;
    }
}
/** A service that has deployed a revision again may take a moment to name it, and need not make a new one of it. */
const REDEPLOY_LOOKS = 3;
async function makeRevisionOnce(deployment, settings, make, doors) {
    const look = async () => await findMade(deployment, settings, doors);
    for (let retry = 0;; retry++) {
        try {
            return await make();
        }
        catch (thrown) {
            if (!(thrown instanceof errors/* AmbiguousWriteError */.yI))
                throw thrown;
            const made = await findLostWrite(thrown, retry, look, doors);
            if (made !== undefined)
                return made;
            if (retry >= doors.maxRetries)
                throw thrown;
        }
    }
}
/** Some services answer 400 for a taken name (contract notes, `POST /v2/deployments`). */
function isNameTaken(thrown) {
    if (!(thrown instanceof errors/* RefusedError */.fk))
        return false;
    if (thrown.status === 409)
        return true;
    return (thrown.status === 400 &&
        /\b(taken|already (exists|in use|used)|not unique|duplicate)\b/i.test(thrown.detail));
}
function takenByTheUnseen(name, thrown) {
    if (!(thrown instanceof errors/* RefusedError */.fk))
        return thrown;
    return new errors/* RefusedError */.fk(thrown.status, thrown.detail, {
        ...thrown.trouble,
        hint: `The name "${name}" is taken by a deployment that these credentials do not see: choose another name, or set tenant-id.`,
    });
}


/***/ })

};
