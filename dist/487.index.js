export const id = 487;
export const ids = [487];
export const modules = {

/***/ 1263:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ awaitCommit)
/* harmony export */ });
/* harmony import */ var _control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5282);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4698);
/* harmony import */ var _timing_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(366);



/** Reads the revision until it reports its commit, ends, or the time for that is over. */
async function awaitCommit(latest, current, { controlPlane, clock, signal, deadline, emit }) {
    emit({ kind: 'commit-awaited', revisionId: latest.id, limitMs: _timing_js__WEBPACK_IMPORTED_MODULE_2__/* .COMMIT_GRACE_MS */ .ac });
    const endsAt = Math.min(clock.now() + _timing_js__WEBPACK_IMPORTED_MODULE_2__/* .COMMIT_GRACE_MS */ .ac, deadline);
    let revision = latest;
    while (current !== undefined && clock.now() + _timing_js__WEBPACK_IMPORTED_MODULE_2__/* .READ_AGAIN_MS */ .JX <= endsAt) {
        await clock.sleep(_timing_js__WEBPACK_IMPORTED_MODULE_2__/* .READ_AGAIN_MS */ .JX, signal);
        revision = (await (0,_control_plane_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ifReadable */ .G5)(async () => await controlPlane.getRevision(current.id, latest.id))) ?? revision;
        if (revision.repoCommitSha !== undefined || (0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .phaseOf */ .h)(revision.status) === 'terminal')
            break;
    }
    return revision;
}


/***/ }),

/***/ 3487:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  rollout: () => (/* binding */ rollout)
});

// UNUSED EXPORTS: executeRollout

// EXTERNAL MODULE: ./control-plane/errors.ts
var errors = __webpack_require__(5282);
// EXTERNAL MODULE: ./rollout/read/replica-lag.ts
var replica_lag = __webpack_require__(214);
// EXTERNAL MODULE: ./rollout/apply/patch.ts
var apply_patch = __webpack_require__(4752);
// EXTERNAL MODULE: ./control-plane/same-id.ts
var same_id = __webpack_require__(4945);
// EXTERNAL MODULE: ./rollout/read/find-deployment.ts
var find_deployment = __webpack_require__(4682);
// EXTERNAL MODULE: ./rollout/timing.ts
var timing = __webpack_require__(366);
// EXTERNAL MODULE: ./rollout/apply/find-created.ts + 1 modules
var find_created = __webpack_require__(6335);
// EXTERNAL MODULE: ./rollout/apply/lost-write.ts
var lost_write = __webpack_require__(5533);
;// CONCATENATED MODULE: ./rollout/apply/create-once.ts






/**
 * Creates the deployment once. If the response was lost, or the name is taken, looks for the deployment before it
 * repeats anything.
 * @returns `exists`: another client has created a deployment of that name
 * @throws AmbiguousWriteError when it is unknown whether the deployment was created
 */
async function createOnce(draft, deps) {
    const { controlPlane, maxRetries } = deps;
    let earlier;
    for (let retry = 0;; retry++) {
        const repeated = earlier === undefined ? [] : [{ kind: 'deployment', draft }];
        try {
            const deployment = await controlPlane.createDeployment(draft);
            if (earlier === undefined)
                return { kind: 'created', deployment, repeated };
            return { kind: 'created', ...(await newestDrafted(deployment, draft, deps)) };
        }
        catch (thrown) {
            const lost = (0,lost_write/* lostWrite */.e)(thrown, earlier);
            if (lost instanceof errors/* AmbiguousWriteError */.yI)
                earlier = lost;
            if (lost === undefined)
                return await nameTaken(thrown, draft.name, deps);
            const found = await (0,lost_write/* findLostWrite */.v)(lost, async () => await (0,find_created/* findNamed */.n4)(draft, deps), deps, retry);
            if (found !== undefined)
                return (0,find_created/* matchesDraft */.br)(found, draft) ? { kind: 'created', deployment: found, repeated } : { kind: 'exists' };
            if (retry >= maxRetries || thrown instanceof errors/* RefusedError */.fk)
                throw lost;
        }
    }
}
/**
 * Looks for the deployment that has the name, while a replica may lack it.
 * @throws what came back, unless it says that a name is taken whose deployment is found
 */
async function nameTaken(thrown, name, { controlPlane, clock, signal, deadline }) {
    if (!isNameTaken(thrown))
        throw thrown;
    for (const pauseMs of [0, ...timing/* LOST_WRITE_PAUSES_MS */.ys]) {
        await clock.sleep(pauseMs, signal);
        if (clock.now() < deadline && (await (0,find_deployment/* findByName */._U)(name, controlPlane)) !== undefined)
            return { kind: 'exists' };
    }
    throw takenByInvisible(name, thrown, controlPlane.api);
}
/** After a repeated create: a service may allow one name twice. The newest deployment of the draft counts as ours. */
async function newestDrafted(created, draft, deps) {
    const drafted = (await (0,errors/* ifReadable */.G5)(async () => await (0,find_created/* findDrafted */.im)(draft, deps))) ?? [];
    const others = drafted.filter(({ id }) => !(0,same_id/* sameId */.s)(id, created.id));
    const [other] = others;
    if (other === undefined)
        return { deployment: created, repeated: [{ kind: 'deployment', draft }] };
    // A list without the one just created is older than it.
    const isNewest = others.length === drafted.length || (0,same_id/* sameId */.s)(drafted[0]?.id, created.id);
    const [deployment, second] = isNewest ? [created, other] : [other, created];
    deps.emit({ kind: 'made-twice', what: 'deployment', ours: deployment.id, other: second.id });
    return { deployment, repeated: [] };
}
/** Some services answer 400 for a taken name (contract notes, `POST /v2/deployments`). */
function isNameTaken(thrown) {
    if (!(thrown instanceof errors/* RefusedError */.fk))
        return false;
    const saysTaken = /\b(taken|already (exists|in use|used)|not unique|duplicate)\b/i;
    return thrown.status === 409 || (thrown.status === 400 && saysTaken.test(thrown.detail));
}
const TRACING_PROJECT = 'Or a deleted deployment has left its tracing project, which reserves the name: delete that project, and set delete-tracing-project to true in the step that deletes the deployment.';
function takenByInvisible(name, { status, detail, trouble }, { hasTracingProjects }) {
    const hidden = `The name "${name}" is taken by a deployment that these credentials cannot see: choose another name, or set tenant-id.`;
    const hint = hasTracingProjects ? `${hidden} ${TRACING_PROJECT}` : hidden;
    return new errors/* RefusedError */.fk(status, detail, { ...trouble, hint });
}

// EXTERNAL MODULE: ./rollout/apply/write-once.ts + 1 modules
var write_once = __webpack_require__(8873);
;// CONCATENATED MODULE: ./rollout/apply/apply.ts





/**
 * Sends the plan's writes in order, each once, and names the one revision that they create.
 * @returns `exists`: another client has created a deployment of that name since the plan was made
 */
async function applyPlan(plan, deps) {
    return plan.kind === 'create' ? await applyCreate(plan, deps) : await applyRevise(plan, deps);
}
async function applyCreate(plan, deps) {
    const created = await createOnce(plan.draft, deps);
    if (created.kind === 'exists')
        return created;
    const { deployment, repeated } = created;
    // The first revision of an uploaded source has nothing to build: the run watches the one after the upload.
    const revisionId = plan.revision === undefined ? deployment.latestRevisionId : undefined;
    deps.emit({ kind: 'written', change: 'created', deployment, revisionId });
    const next = await revisionOf(plan, deployment, deps);
    if (plan.patch !== undefined)
        await (0,apply_patch/* patchDeployment */.G)(deployment, plan.patch, deps);
    const applied = { kind: 'applied', change: 'created', deployment };
    if (next.kind === 'first')
        return { ...applied, revisionId: next.id, revision: undefined, repeated };
    const draft = await withSource(next.draft, plan, deployment, deps);
    const built = await (0,write_once/* reviseOnce */.ol)({ ...deployment, latestRevisionId: next.first }, draft, deps);
    return { ...applied, ...built, repeated: [...repeated, ...built.repeated], revisionId: built.revision.id };
}
async function applyRevise(plan, deps) {
    const { deployment, patch, patchLast } = plan;
    // The upload first: if it fails, nothing has changed.
    const draft = await withSource(plan.revision, plan, deployment, deps);
    const patchFirst = patchLast ? undefined : patch;
    if (patchFirst !== undefined) {
        await (0,apply_patch/* patchDeployment */.G)(deployment, patchFirst, deps);
        deps.emit({ kind: 'written', change: 'patched', deployment, revisionId: undefined });
    }
    const { revision, repeated } = await (0,write_once/* reviseOnce */.ol)(deployment, draft, deps);
    const revisionId = revision.id;
    const written = patchFirst === undefined ? 'revised' : 'patched';
    deps.emit({ kind: 'written', change: written, deployment, revisionId });
    const applied = { kind: 'applied', deployment, revisionId, revision, repeated };
    if (patch === undefined)
        return { ...applied, change: 'revised' };
    if (patchLast)
        await (0,apply_patch/* patchDeployment */.G)(deployment, patch, deps);
    return { ...applied, change: 'patched' };
}
async function withSource(draft, { upload }, { id }, deps) {
    if (upload === undefined)
        return draft;
    return { ...draft, settings: { ...draft.settings, sourceTarballPath: await deps.upload(id) } };
}
/**
 * Returns the revision that the run watches: the first one, or one that it creates after the first. A create need not
 * make one; only a service that never does is not asked for it.
 */
async function revisionOf({ draft: { source }, revision, revisionIfNone }, { id, latestRevisionId: reported }, deps) {
    const read = async () => await deps.controlPlane.getDeployment(id);
    const makesNone = deps.controlPlane.api.withoutFirstRevision.includes(source);
    const first = reported ?? (makesNone ? undefined : (await (0,replica_lag/* pastReplicaLag */.F)(read, deps)).latestRevisionId);
    const later = revision ?? (first === undefined ? revisionIfNone : undefined);
    if (later !== undefined)
        return { kind: 'later', draft: later, first };
    if (first !== undefined)
        return { kind: 'first', id: first };
    throw new errors/* BrokenContractError */.Sq({
        attempted: `find the first revision of the deployment ${id}`,
        cameBack: 'the control plane returned no latest_revision_id for it',
        hint: 'Check the deployment in the control plane, then rerun the job.',
    });
}

// EXTERNAL MODULE: ./rollout/finish/finish.ts + 6 modules
var finish = __webpack_require__(4124);
// EXTERNAL MODULE: ./problem.ts
var problem = __webpack_require__(2035);
// EXTERNAL MODULE: ./revealing-words.ts
var revealing_words = __webpack_require__(251);
;// CONCATENATED MODULE: ./rollout/apply/source-upload.ts
/** The modules that pack and upload are loaded when they are needed: most rollouts upload nothing. */
function openSourceUpload({ sourcePath = '.', settings: { appConfigPath } }, deps) {
    let archive;
    return {
        /** Packs the directory, once. The warnings are about its size. */
        pack: async () => {
            if (archive === undefined) {
                const { packSource } = await Promise.all(/* import() */[__webpack_require__.e(100), __webpack_require__.e(940)]).then(__webpack_require__.bind(__webpack_require__, 9940));
                const { workspace, tempDir, signal } = deps;
                archive = await packSource({ sourcePath, appConfigPath, workspace, tempDir, signal });
            }
            const { files, bytes, sha256, warnings } = archive;
            return { source: { files, bytes, sha256 }, warnings };
        },
        /** Uploads the archive and returns its path in the control plane. */
        send: async (deploymentId) => {
            if (archive === undefined)
                throw new Error('a source is packed before it is sent');
            const { uploadSource } = await __webpack_require__.e(/* import() */ 76).then(__webpack_require__.bind(__webpack_require__, 9076));
            return await uploadSource(deploymentId, archive, {
                ...deps,
                stallTimeoutMs: deps.requestTimeoutMs,
                onRetry: (notice) => deps.emit({ kind: 'request-retried', ...notice }),
            });
        },
        /** Removes the archive. */
        dispose: async () => await archive?.remove(),
    };
}

// EXTERNAL MODULE: ./rollout/plan/built-ref.ts
var built_ref = __webpack_require__(2276);
// EXTERNAL MODULE: ./rollout/plan/integration.ts
var integration = __webpack_require__(2590);
// EXTERNAL MODULE: ./rollout/plan/listener.ts
var listener = __webpack_require__(910);
// EXTERNAL MODULE: ./rollout/plan/repository.ts
var plan_repository = __webpack_require__(2978);
;// CONCATENATED MODULE: ./rollout/plan/defaults.ts



/** Adds defaults for settings that the request does not set: from the event, and from the current state. */
function withDefaults(request, source, state) {
    const notes = request.notes.map((text) => ({ kind: 'input', text }));
    const known = { settings: request.settings, problems: [], notes };
    if (source === 'git_host')
        return withIntegration(withRepository(known, request, state), state);
    return source === 'external_container' ? withListener(known, state) : known;
}
/** The ref of the event applies only to the repository of the event: in another one it means nothing. */
function withRepository({ settings, notes }, { repository: { repoUrl: here, repoRef } }, { current }) {
    const isFromEvent = current === undefined && settings.repoUrl === undefined && here !== undefined;
    const known = {
        settings: isFromEvent ? { ...settings, repoUrl: here } : settings,
        problems: [],
        notes: isFromEvent ? [...notes, { kind: 'repo-url-from-event' }] : notes,
    };
    if (settings.repoRef !== undefined)
        return known;
    const refuse = (message) => ({
        ...known,
        problems: [{ input: 'repo-ref', message: `is required: ${message}` }],
    });
    const builds = current?.settings.repoUrl ?? known.settings.repoUrl;
    if (builds !== undefined && here !== undefined && !(0,plan_repository/* sameRepository */.RB)(builds, here))
        return refuse(`the deployment builds ${builds}, which is not the repository of this workflow`);
    switch (repoRef.kind) {
        case 'none':
            return known;
        case 'unusable':
            return refuse(repoRef.reason);
        case 'ref': {
            const { ref } = repoRef;
            const note = { kind: 'repo-ref-from-event', ref };
            return { ...known, settings: { ...known.settings, repoRef: ref }, notes: [...known.notes, note] };
        }
    }
}
/** Sends the repository's address as the integration lists it (contract, "Repository"). */
function withIntegration(known, { integrations }) {
    const { settings, problems, notes } = known;
    if (integrations === undefined || settings.repoUrl === undefined)
        return known;
    const choice = (0,integration/* chooseIntegration */.E)(settings.repoUrl, integrations);
    if (choice.kind === 'refused')
        return { ...known, problems: [...problems, choice.problem] };
    const { integrationId, url } = choice.repository;
    const note = { kind: 'integration-found', integration: choice.integration, url };
    return { settings: { ...settings, integrationId, repoUrl: url }, problems, notes: [...notes, note] };
}
function withListener(known, { listeners, api }) {
    if (listeners === undefined)
        return known;
    const { listenerId, problems, notes } = (0,listener/* chooseListener */.eE)(known.settings, listeners, api);
    return { settings: { ...known.settings, listenerId }, problems, notes: [...known.notes, ...notes] };
}

// EXTERNAL MODULE: ./rollout/plan/diff.ts
var diff = __webpack_require__(493);
// EXTERNAL MODULE: ./rollout/plan/field-rules.ts
var field_rules = __webpack_require__(1418);
// EXTERNAL MODULE: ./rollout/plan/settings.ts
var plan_settings = __webpack_require__(2723);
// EXTERNAL MODULE: ./rollout/plan/validate.ts
var validate = __webpack_require__(880);
;// CONCATENATED MODULE: ./rollout/plan/create.ts






/** Plans to create the deployment. Creating it creates its first revision. */
function planCreate(request, facts) {
    const { target, source } = request;
    if (target.kind === 'id')
        throw new Error('a deployment that was found by its id always exists');
    const { name } = target;
    if (request.ifMissing === 'fail') {
        const message = 'names no deployment that these credentials can see, and if-missing is "fail"';
        return { kind: 'refused', problems: [{ input: 'name', value: name, message }] };
    }
    if (source === undefined) {
        const message = `is required to create a deployment: none is named "${name}" yet`;
        return { kind: 'refused', problems: [{ input: 'source', message }] };
    }
    const { settings: known, problems, notes } = withDefaults(request, source, facts);
    const settings = (0,plan_repository/* isTag */.dz)(known.repoRef) ? { ...known, buildOnPush: false } : known;
    const { api } = facts;
    const absent = (0,field_rules/* missing */.LO)(source, settings, api).filter(({ input }) => !problems.some((one) => one.input === input));
    const address = settings.customUrl;
    const found = [
        ...problems,
        ...(0,field_rules/* mismatches */.vJ)(source, (0,plan_settings/* withSourcePath */.NJ)(settings, request), api),
        ...absent,
        ...(0,validate/* unknowableAddress */.H)(request.wait ? request.verification : undefined, { source, address }, api),
    ];
    if (found.length > 0)
        return { kind: 'refused', problems: found };
    // The first revision of an uploaded source has nothing to build: a second one builds what was uploaded.
    const isUploaded = source === 'internal_source';
    const later = { source, settings: (0,plan_settings/* pick */.Up)(settings, ['appConfigPath', 'imageUri', ...plan_settings/* NOT_ON_CREATE */.L]) };
    const isLater = isUploaded || api.withoutFirstRevision.includes(source);
    return {
        kind: 'planned',
        plan: {
            kind: 'create',
            draft: { name, source, settings: { ...api.onCreate[source], ...(0,plan_settings/* omit */.cJ)(settings, plan_settings/* NOT_ON_CREATE */.L) } },
            patch: isLater ? undefined : (0,plan_settings/* nonEmpty */.hq)((0,plan_settings/* pick */.Up)(settings, plan_settings/* NOT_ON_CREATE */.L)),
            upload: isUploaded ? facts.packed : undefined,
            revision: isLater ? later : undefined,
            revisionIfNone: !isLater && source === 'internal_container' ? later : undefined,
            fields: (0,diff/* diffFields */.p5)(undefined, settings, (field) => {
                if (!plan_settings/* NOT_ON_CREATE */.L.includes(field))
                    return 'create';
                return isLater ? 'revision' : 'patch';
            }),
            notes,
        },
    };
}

// EXTERNAL MODULE: ./control-plane/api.ts + 4 modules
var control_plane_api = __webpack_require__(4293);
// EXTERNAL MODULE: ./control-plane/model.ts
var model = __webpack_require__(1552);
// EXTERNAL MODULE: ./control-plane/settings.ts
var settings = __webpack_require__(6712);
// EXTERNAL MODULE: ./control-plane/forms.ts
var control_plane_forms = __webpack_require__(5138);
// EXTERNAL MODULE: ./rollout/plan/unchanged.ts
var unchanged = __webpack_require__(8509);
;// CONCATENATED MODULE: ./rollout/plan/resume.ts


/**
 * Decides whether the latest revision can be watched in place of a new one. It must be proved that it is what the request
 * would create: another run may have created it, from another commit or from another image of the same tag.
 */
function decideResume(wanted, { current, latest, isCommitAwaited }) {
    // It may have ended while the run waited.
    if (latest === undefined || !((0,unchanged/* isUnfinished */.ui)(latest) || isCommitAwaited === true))
        return { kind: 'none' };
    const difference = (0,unchanged/* firstDifference */.at)(wanted, current, latest);
    if (difference !== undefined)
        return { kind: 'no', latest, because: difference };
    switch (wanted.source) {
        case 'git_host':
            return decideByCommit(wanted, current, latest);
        case 'external_container':
        case 'internal_container': {
            const image = wanted.settings.imageUri ?? current.settings.imageUri;
            const isDigest = image !== undefined && /@sha256:[0-9a-f]{64}$/i.test(image);
            if (!isDigest || latest.settings.imageUri !== image)
                return { kind: 'no', latest, because: { kind: 'image-tag' } };
            return { kind: 'resume', latest, commit: undefined };
        }
        case 'internal_source':
            return { kind: 'no', latest, because: { kind: 'uploaded-source' } };
        case 'internal_template':
            return { kind: 'no', latest, because: { kind: 'template' } };
    }
}
function decideByCommit({ settings, commit }, current, latest) {
    const ref = settings.repoRef ?? current.settings.repoRef;
    const isPinned = ref !== undefined && control_plane_forms/* FORMS */.yY.fullCommit.test(ref) && latest.settings.repoRef === ref;
    const ours = isPinned ? ref : commit;
    const { repoCommitSha: built } = latest;
    if (ours === undefined)
        return { kind: 'no', latest, because: { kind: 'commit-unknown' } };
    if (built !== undefined && !(0,unchanged/* sameCommit */.Kd)(built, ours))
        return { kind: 'no', latest, because: { kind: 'builds-another' } };
    if (built !== undefined || isPinned)
        return { kind: 'resume', latest, commit: ours };
    return { kind: 'no', latest, because: { kind: 'commit-not-reported' } };
}

;// CONCATENATED MODULE: ./rollout/plan/revise.ts











/** Plans what to do about a deployment that exists: nothing, to watch its latest revision, or to create a new one. */
function planRevise(request, facts) {
    const { current, api } = facts;
    if (current.isBeingDeleted)
        return { kind: 'refused', problems: [beingDeleted(request, current)] };
    const source = sourceOf(request, current, api);
    if (typeof source !== 'string')
        return { kind: 'refused', problems: [source, ...(0,validate/* forbiddenChanges */.PM)(request, current, api)] };
    const { settings, problems, notes } = withDefaults(request, source, facts);
    // If no ref is set, the deployment keeps its own.
    const ref = settings.repoRef ?? current.settings.repoRef;
    const found = [
        ...problems,
        ...(0,validate/* tagBuiltOnPush */.Yf)(settings, ref),
        ...(0,field_rules/* mismatches */.vJ)(source, (0,plan_settings/* withSourcePath */.NJ)(settings, request), api),
        ...(0,validate/* forbiddenChanges */.PM)({ ...request, settings }, current, api),
        ...(0,validate/* unknowableAddress */.H)(request.wait ? request.verification : undefined, { source, address: settings.customUrl ?? (0,model/* addressOf */.ci)(current) }, api),
    ];
    if (found.length > 0)
        return { kind: 'refused', problems: found };
    const turnsPushOff = (0,plan_repository/* isTag */.dz)(ref) && current.settings.buildOnPush === true;
    const wanted = {
        settings: turnsPushOff ? { ...settings, buildOnPush: false } : settings,
        source,
        commit: commitOf(request, settings, current),
        unreported: api.unreported,
    };
    const allNotes = turnsPushOff ? [...notes, { kind: 'build-on-push-off-first' }] : notes;
    return planFor(wanted, request, facts, allNotes);
}
function planFor(wanted, { ifUnchanged, resume }, facts, notes) {
    const { settings, source, unreported } = wanted;
    const { current: deployment, packed } = facts;
    const { settings: current } = deployment;
    const comparison = (0,unchanged/* compareWithActive */.ok)(wanted, facts);
    const unsent = (0,diff/* diffFields */.p5)(current, settings, () => undefined, unreported);
    const byName = imageNotes(settings.imageUri);
    if (comparison.kind === 'same' && ifUnchanged === 'skip') {
        const { active } = comparison;
        const allNotes = [...notes, ...byName];
        const plan = { kind: 'unchanged', deployment, fields: unsent, active, notes: allNotes };
        return { kind: 'planned', plan };
    }
    const differing = configFieldsThatDiffer(settings, current);
    const patch = (0,plan_settings/* nonEmpty */.hq)((0,plan_settings/* pick */.Up)(settings, differing));
    // A run that is killed before the patch that comes last leaves this difference and its revision.
    const isLastMissing = settings.buildOnPush === true && differing.join() === 'buildOnPush';
    const resumable = isLastMissing ? { ...wanted, settings: (0,plan_settings/* omit */.cJ)(settings, differing) } : wanted;
    const decision = resume ? decideResume(resumable, facts) : { kind: 'none' };
    if (decision.kind === 'resume') {
        const fields = (0,diff/* diffFields */.p5)(current, settings, (field) => (differing.includes(field) ? 'patch' : undefined));
        return { kind: 'planned', plan: { ...decision, deployment, fields, patch, notes } };
    }
    const obstacle = decision.kind === 'no' ? { revisionId: decision.latest.id, because: decision.because } : undefined;
    const patchLast = patch?.buildOnPush === true && (0,plan_repository/* isTag */.dz)(current.repoRef);
    const notSent = (0,plan_settings/* setFields */.Ey)(settings, (0,plan_settings/* fieldsOf */.Pf)('immutable')).filter((field) => current[field] === undefined);
    const plan = {
        kind: 'revise',
        because: comparison.kind === 'same' || ifUnchanged === 'revise' ? { kind: 'every-rollout' } : comparison,
        matchesActive: comparison.kind === 'same' && !byName.some(({ kind }) => kind === 'image-tag-moves'),
        deployment,
        patch,
        patchLast,
        upload: source === 'internal_source' ? packed : undefined,
        // In full, unchanged fields included: the control plane may merge source_revision_config or replace it.
        revision: { source, settings: { ...(0,field_rules/* repeatable */.EQ)(current, source), ...(0,plan_settings/* pick */.Up)(settings, (0,plan_settings/* fieldsOf */.Pf)('revision')) } },
        fields: (0,diff/* diffFields */.p5)(current, settings, carrierOf, unreported),
        notes: [
            ...notes,
            ...(obstacle === undefined ? [] : [{ kind: 'not-resumed', ...obstacle }]),
            ...notSent.map((field) => ({ kind: 'field-not-sent', field })),
            ...(patchLast ? [{ kind: 'build-on-push-on-last' }] : []),
        ],
    };
    const awaits = obstacle?.because.kind === 'commit-not-reported' && !facts.isCommitAwaited;
    return { kind: 'planned', plan, awaits: awaits ? facts.latest : undefined };
}
/** Tags that are pushed again with each build. Other tags may move, too, but usually do not. */
const MOVING = /^(latest|stable|edge|nightly|main|master|dev|develop|next|canary)$/i;
/** An image that is not set by its digest is compared by its name. Without a tag, its tag is `latest`. */
function imageNotes(image) {
    if (image === undefined || image.includes('@sha256:'))
        return [];
    const tag = /:([^:/]*)$/.exec(image)?.[1] ?? 'latest';
    return MOVING.test(tag) ? [{ kind: 'image-tag-moves', tag }] : [{ kind: 'image-compared-by-name' }];
}
function beingDeleted({ target }, { name }) {
    const message = `is being deleted by the control plane, which may take half an hour: rerun the job when "${name}" is gone, or choose another name`;
    return target.kind === 'name'
        ? { input: 'name', value: target.name, message }
        : { input: 'deployment-id', value: target.id, message };
}
function sourceOf(request, current, api) {
    const known = current.source ?? request.source;
    const problem = (message) => ({ input: 'source', message });
    if (known === undefined)
        return problem('is required: the control plane does not report the source of this deployment');
    if (request.source !== undefined && request.source !== known) {
        const message = `differs from the deployment's, which is "${(0,control_plane_api/* sourceWord */.YP)(api, known)}" and cannot change after it is created`;
        return { ...problem(message), value: (0,control_plane_api/* sourceWord */.YP)(api, request.source) };
    }
    if ((0,field_rules/* isSource */.__)(known))
        return known;
    return problem(`of this deployment is "${known}", which this action does not support`);
}
/** The commit that would be rolled out. It is known only if the event's own ref is built: it is the event's. */
function commitOf({ repository }, wanted, current) {
    const { repoRef, repoUrl, commit } = repository;
    const builds = current.settings.repoUrl ?? wanted.repoUrl;
    if (repoRef.kind !== 'ref' || repoRef.ref !== wanted.repoRef)
        return undefined;
    if (repoUrl === undefined || builds === undefined || !(0,plan_repository/* sameRepository */.RB)(repoUrl, builds))
        return undefined;
    return commit;
}
function carrierOf(field, difference) {
    const { change } = settings/* SETTINGS */.yy[field];
    if (change === 'revision')
        return 'revision';
    return change === 'config' && difference !== 'same' ? 'patch' : undefined;
}
/** Config-only fields whose wanted value differs from the current one. */
function configFieldsThatDiffer(wanted, current) {
    return (0,plan_settings/* setFields */.Ey)(wanted, (0,plan_settings/* fieldsOf */.Pf)('config')).filter((field) => (0,diff/* differenceOf */.Pq)(field, current, wanted) !== 'same');
}

;// CONCATENATED MODULE: ./rollout/plan/plan.ts


/** Compares the request with the current state and decides what to write. Writes nothing. */
function planRollout(request, facts) {
    return facts.current === undefined
        ? planCreate(request, facts)
        : planRevise(request, { ...facts, current: facts.current });
}

// EXTERNAL MODULE: ./rollout/read/await-commit.ts
var await_commit = __webpack_require__(1263);
// EXTERNAL MODULE: ./rollout/read/paginate.ts
var paginate = __webpack_require__(6998);
;// CONCATENATED MODULE: ./rollout/read/current-state.ts





/**
 * Reads what a plan for the request depends on. Writes nothing.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the deployment's id is unknown
 */
async function readCurrentState(request, deps) {
    const { controlPlane } = deps;
    const current = await (0,find_deployment/* findDeployment */.HZ)(request.target, deps);
    if (current !== undefined) {
        const revisions = await readRevisions(request, current, deps);
        return { current, ...revisions, listeners: undefined, integrations: undefined };
    }
    const source = request.ifMissing === 'create' ? request.source : undefined;
    const needsIntegration = source === 'git_host' && request.settings.integrationId === undefined;
    return {
        current,
        active: undefined,
        latest: undefined,
        listeners: source === 'external_container' ? await listListeners(controlPlane) : undefined,
        integrations: needsIntegration ? await listIntegrations(controlPlane) : undefined,
    };
}
/** Usually the latest revision is the active one; then only a comparison with it needs to read it. */
async function readRevisions({ ifUnchanged, dryRun, resume, protectNewer }, { id, activeRevisionId, latestRevisionId }, deps) {
    const read = async (revisionId) => await (0,replica_lag/* pastReplicaLag */.F)(async () => await deps.controlPlane.getRevision(id, revisionId), deps);
    const isNewest = latestRevisionId === undefined || (0,same_id/* sameId */.s)(latestRevisionId, activeRevisionId);
    const compares = ifUnchanged === 'skip' || dryRun;
    const needsActive = compares || (protectNewer && !isNewest);
    const active = activeRevisionId && needsActive ? await read(activeRevisionId) : undefined;
    if (isNewest)
        return { active, latest: active };
    const needsLatest = resume || compares;
    return { active, latest: needsLatest ? await read(latestRevisionId) : undefined };
}
async function listListeners(controlPlane) {
    const listeners = [];
    try {
        const all = (0,paginate/* readAll */.y)(async (query) => await controlPlane.listListeners(query));
        for await (const listener of all)
            listeners.push(listener);
        return { kind: 'listed', listeners };
    }
    catch (thrown) {
        if (!isUnavailable(thrown))
            throw thrown;
        return { kind: 'unlisted', status: thrown.status };
    }
}
async function listIntegrations(controlPlane) {
    const installed = [];
    for (const integration of await controlPlane.listIntegrations()) {
        let repositories;
        try {
            repositories = await controlPlane.listRepositories(integration.id);
        }
        catch (thrown) {
            // An integration that these credentials may not read must not hide the others.
            if (!isUnavailable(thrown))
                throw thrown;
        }
        installed.push({ ...integration, repositories });
    }
    return installed;
}
function isUnavailable(thrown) {
    return (0,errors/* mayLackRoute */.I1)(thrown) || (thrown instanceof errors/* RefusedError */.fk && thrown.status === 403);
}

;// CONCATENATED MODULE: ./rollout/prepare.ts










/**
 * Reads the current state and plans the rollout; writes nothing.
 * @param source a source that is packed already
 * @throws InputError with every problem of the plan, ControlPlaneError when the current state cannot be read
 */
async function prepareRollout(request, deps, source = openSourceUpload(request, deps)) {
    try {
        // Before the first request if the source is known: a directory that cannot be packed is an input error.
        if (request.source === 'internal_source')
            await source.pack();
        const state = await readCurrentState(request, deps);
        const { current } = state;
        deps.emit({ kind: 'current-state-read', current, builtRef: (0,built_ref/* builtRefOf */.P)(request, current) });
        const plan = await makePlan(request, state, source, deps);
        return { request, next: await nextStep(plan, request, state, deps), source };
    }
    catch (thrown) {
        await source.dispose();
        throw thrown;
    }
}
/** The warnings are among the notes of the plan, too. Emits the plan. */
async function makePlan(request, state, source, deps) {
    const kind = state.current === undefined ? request.source : state.current.source;
    const packed = kind === 'internal_source' ? await source.pack() : undefined;
    const warnings = [...request.warnings, ...(packed?.warnings ?? [])];
    const notes = [...request.notes, ...warnings];
    const facts = { ...state, packed: packed?.source, api: deps.controlPlane.api };
    let planning = planRollout({ ...request, notes }, facts);
    if (planning.kind === 'planned' && planning.awaits !== undefined) {
        const latest = await (0,await_commit/* awaitCommit */.W)(planning.awaits, state.current, deps);
        planning = planRollout({ ...request, notes }, { ...facts, latest, isCommitAwaited: true });
    }
    if (planning.kind === 'refused') {
        const clean = (text) => (0,revealing_words/* withoutRevealingWords */.f)(text, deps.reveals);
        throw new problem/* InputError */.dz(planning.problems.map((problem) => ({ ...problem, message: clean(problem.message) })));
    }
    const { plan } = planning;
    const { prefix } = deps.controlPlane;
    deps.emit({ kind: 'planned', plan, wait: request.wait, dryRun: request.dryRun, warnings, prefix });
    return plan;
}
async function nextStep(plan, request, state, deps) {
    if (request.dryRun)
        return { kind: 'end', outcome: { kind: 'planned' } };
    if (plan.kind === 'unchanged') {
        const { deployment, active: revision } = plan;
        deps.emit({ kind: 'attached', because: 'unchanged', deployment, revision });
        return { kind: 'end', outcome: { kind: 'unchanged' } };
    }
    const by = plan.kind === 'revise' ? await newerRollout(plan, request, state, deps) : undefined;
    return by === undefined ? { kind: 'execute', plan } : { kind: 'end', outcome: { kind: 'superseded', by } };
}
/** Finds the revision of a later commit; undefined if either commit, or their relation, is unknown. */
async function newerRollout({ deployment, revision }, request, { active, latest }, deps) {
    if (!request.protectNewer)
        return undefined;
    const ours = commitOf(request, revision.settings, deployment);
    const { latestRevisionId: newest, activeRevisionId: serving } = deployment;
    const isNewest = newest === undefined || (0,same_id/* sameId */.s)(newest, serving);
    const deployed = (isNewest ? deployment.repoCommitSha : undefined) ?? active?.repoCommitSha;
    if (ours === undefined || deployed === undefined || (0,unchanged/* sameCommit */.Kd)(deployed, ours))
        return undefined;
    if ((await deps.compareCommits(deployed, ours)) !== 'behind')
        return undefined;
    deps.emit({ kind: 'newer-commit-deployed', deployed, ours });
    return serving ?? latest?.id ?? deployed;
}

// EXTERNAL MODULE: ./rollout/watch/made-twice.ts
var made_twice = __webpack_require__(4912);
// EXTERNAL MODULE: ./rollout/watch/watch.ts + 9 modules
var watch = __webpack_require__(8217);
;// CONCATENATED MODULE: ./rollout/rollout.ts






/**
 * Rolls out one deployment: reads the current state, plans, applies the plan, watches the revision, and finishes.
 * @throws InputError for what the user must correct, ControlPlaneError when the rollout cannot continue
 */
async function rollout(request, deps) {
    const prepared = await prepareRollout(request, deps);
    try {
        return await executeRollout(prepared, deps);
    }
    finally {
        await prepared.source.dispose();
    }
}
/**
 * Applies a plan, and watches its revision to the end.
 * @throws ControlPlaneError when the rollout cannot continue; InputError when a second plan cannot be made
 */
async function executeRollout({ request, next, source }, deps) {
    if (next.kind === 'end')
        return next.outcome;
    const watched = await beginRevision(next.plan, source.send, deps);
    if (watched === 'name-taken') {
        deps.emit({ kind: 'name-taken' });
        return await executeRollout(await prepareRollout(request, deps, source), deps);
    }
    if (!request.wait)
        return await start(watched, deps);
    if (next.plan.kind !== 'resume')
        return await (0,finish/* finish */.O)(await (0,watch/* watchRevision */.rj)(watched, request, deps), request, deps);
    const ended = await (0,watch/* watchResumed */.j1)(watched, next.plan.commit, request, deps);
    if (ended.kind === 'ended')
        return await (0,finish/* finish */.O)(ended.ended, request, deps);
    deps.emit({ kind: 'other-commit', revisionId: watched.revisionId, commit: ended.commit });
    return await executeRollout(await prepareRollout({ ...request, resume: false }, deps, source), deps);
}
/** A write that was sent again may have made two revisions: the newest counts. */
async function start(watched, deps) {
    const outcome = { kind: 'started' };
    const newest = await (0,made_twice/* newestOfOurs */.l)({ ...watched, outcome }, deps);
    if (newest !== undefined)
        deps.emit({ kind: 'status', revision: newest });
    return outcome;
}
async function beginRevision(plan, upload, deps) {
    if (plan.kind === 'resume') {
        const { deployment, latest: revision } = plan;
        deps.emit({ kind: 'attached', because: 'resumed', deployment, revision });
        if (plan.patch !== undefined)
            await (0,apply_patch/* patchDeployment */.G)(deployment, plan.patch, deps);
        return (0,watch/* attachTo */.jT)(deployment, revision);
    }
    deps.emit({ kind: 'applying' });
    const applied = await applyPlan(plan, { ...deps, upload });
    if (applied.kind === 'exists')
        return 'name-taken';
    deps.emit(applied);
    const { revisionId, revision, deployment, repeated } = applied;
    const before = plan.kind === 'revise' ? deployment : undefined;
    return { ...(0,watch/* knownOf */.bz)(deployment), revisionId, revision, before, repeated };
}


/***/ })

};
