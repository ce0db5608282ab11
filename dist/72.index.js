export const id = 72;
export const ids = [72];
export const modules = {

/***/ 1072:
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
var apply_patch = __webpack_require__(2371);
// EXTERNAL MODULE: ./rollout/apply/write-once.ts + 1 modules
var write_once = __webpack_require__(7576);
;// CONCATENATED MODULE: ./rollout/apply/apply.ts




/**
 * Sends the plan's writes in order, each once, and names the one revision that they create.
 * @returns `exists`: another client has created a deployment of that name since the plan was made
 */
async function applyPlan(plan, deps) {
    return plan.kind === 'create' ? await applyCreate(plan, deps) : await applyRevise(plan, deps);
}
async function applyCreate(plan, deps) {
    const created = await (0,write_once/* createOnce */.Ur)(plan.draft, deps);
    if (created.kind === 'exists')
        return created;
    const { deployment, repeated } = created;
    // The first revision of an uploaded source has nothing to build: the run watches the one after the upload.
    const revisionId = plan.revision === undefined ? deployment.latestRevisionId : undefined;
    deps.emit({ kind: 'written', change: 'created', deployment, revisionId });
    const firstRevision = deployment.latestRevisionId ?? (await firstRevisionId(deployment, deps));
    if (plan.patch !== undefined)
        await (0,apply_patch/* patchDeployment */.G)(deployment, plan.patch, deps);
    const applied = { kind: 'applied', change: 'created', deployment };
    if (plan.revision === undefined)
        return { ...applied, revisionId: firstRevision, revision: undefined, repeated };
    const draft = await withSource(plan.revision, plan, deployment, deps);
    const built = await (0,write_once/* reviseOnce */.ol)({ ...deployment, latestRevisionId: firstRevision }, draft, deps);
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
async function firstRevisionId({ id }, deps) {
    const { latestRevisionId } = await (0,replica_lag/* pastReplicaLag */.F)(async () => await deps.controlPlane.getDeployment(id), deps);
    if (latestRevisionId !== undefined)
        return latestRevisionId;
    throw new errors/* BrokenContractError */.Sq({
        attempted: `find the first revision of the deployment ${id}`,
        cameBack: 'the control plane returned no latest_revision_id for it',
        hint: 'Check the deployment in the control plane, then rerun the job.',
    });
}

// EXTERNAL MODULE: ./rollout/finish/finish.ts + 4 modules
var finish = __webpack_require__(4525);
// EXTERNAL MODULE: ./control-plane/same-id.ts
var same_id = __webpack_require__(4945);
// EXTERNAL MODULE: ./problem.ts
var problem = __webpack_require__(2035);
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

// EXTERNAL MODULE: ./rollout/outcome.ts
var outcome = __webpack_require__(4698);
// EXTERNAL MODULE: ./rollout/plan/built-ref.ts
var built_ref = __webpack_require__(2276);
// EXTERNAL MODULE: ./rollout/plan/defaults.ts
var defaults = __webpack_require__(3936);
// EXTERNAL MODULE: ./rollout/plan/diff.ts
var diff = __webpack_require__(493);
// EXTERNAL MODULE: ./rollout/plan/field-rules.ts
var field_rules = __webpack_require__(1418);
// EXTERNAL MODULE: ./rollout/plan/repository.ts
var repository = __webpack_require__(2978);
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
    const { settings: known, problems, notes } = (0,defaults/* withDefaults */.r)(request, source, facts);
    const settings = (0,repository/* isTag */.dz)(known.repoRef) ? { ...known, buildOnPush: false } : known;
    const absent = (0,field_rules/* missing */.LO)(source, settings).filter(({ input }) => !problems.some((one) => one.input === input));
    const address = settings.customUrl;
    const found = [
        ...problems,
        ...(0,field_rules/* mismatches */.vJ)(source, (0,plan_settings/* withSourcePath */.NJ)(settings, request)),
        ...absent,
        ...(0,validate/* unknowableAddress */.H)(request.wait ? request.verification : undefined, { source, address }),
    ];
    if (found.length > 0)
        return { kind: 'refused', problems: found };
    // The first revision of an uploaded source has nothing to build: a second one builds what was uploaded.
    const isUploaded = source === 'internal_source';
    const later = { source, settings: (0,plan_settings/* pick */.Up)(settings, ['appConfigPath', ...plan_settings/* NOT_ON_CREATE */.L]) };
    return {
        kind: 'planned',
        plan: {
            kind: 'create',
            draft: { name, source, settings: (0,plan_settings/* omit */.cJ)(settings, plan_settings/* NOT_ON_CREATE */.L) },
            patch: isUploaded ? undefined : (0,plan_settings/* nonEmpty */.hq)((0,plan_settings/* pick */.Up)(settings, plan_settings/* NOT_ON_CREATE */.L)),
            upload: isUploaded ? facts.packed : undefined,
            revision: isUploaded ? later : undefined,
            fields: (0,diff/* diffFields */.p5)(undefined, settings, (field) => {
                if (!plan_settings/* NOT_ON_CREATE */.L.includes(field))
                    return 'create';
                return isUploaded ? 'revision' : 'patch';
            }),
            notes,
        },
    };
}

// EXTERNAL MODULE: ./rollout/plan/revise.ts + 1 modules
var revise = __webpack_require__(6354);
;// CONCATENATED MODULE: ./rollout/plan/plan.ts


/** Compares the request with the current state and decides what to write. Writes nothing. */
function planRollout(request, facts) {
    return facts.current === undefined
        ? planCreate(request, facts)
        : (0,revise/* planRevise */.qx)(request, { ...facts, current: facts.current });
}

// EXTERNAL MODULE: ./rollout/plan/unchanged.ts
var unchanged = __webpack_require__(8509);
// EXTERNAL MODULE: ./rollout/read/find-deployment.ts
var find_deployment = __webpack_require__(4682);
// EXTERNAL MODULE: ./rollout/read/paginate.ts
var paginate = __webpack_require__(6998);
;// CONCATENATED MODULE: ./rollout/read/current-state.ts





/**
 * Reads what a plan for the request depends on. Writes nothing.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the deployment's id is unknown
 */
async function readCurrentState(request, deps) {
    const { controlPlane } = deps;
    const current = await (0,find_deployment/* findDeployment */.H)(request.target, deps);
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
/** Usually the latest revision is the active one; then only `if-unchanged: skip` needs to read it. */
async function readRevisions({ ifUnchanged, resume, protectNewer }, { id, activeRevisionId, latestRevisionId }, deps) {
    const read = async (revisionId) => await (0,replica_lag/* pastReplicaLag */.F)(async () => await deps.controlPlane.getRevision(id, revisionId), deps);
    const isNewest = latestRevisionId === undefined || (0,same_id/* sameId */.s)(latestRevisionId, activeRevisionId);
    const needsActive = ifUnchanged === 'skip' || (protectNewer && !isNewest);
    const active = activeRevisionId && needsActive ? await read(activeRevisionId) : undefined;
    if (isNewest)
        return { active, latest: active };
    const needsLatest = resume || ifUnchanged === 'skip';
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

// EXTERNAL MODULE: ./rollout/timing.ts
var timing = __webpack_require__(366);
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
    const facts = { ...state, packed: packed?.source };
    let planning = planRollout({ ...request, notes }, facts);
    if (planning.kind === 'planned' && planning.awaits !== undefined) {
        const latest = await awaitCommit(planning.awaits, state.current, deps);
        planning = planRollout({ ...request, notes }, { ...facts, latest, isCommitAwaited: true });
    }
    if (planning.kind === 'refused')
        throw new problem/* InputError */.dz(planning.problems);
    const { plan } = planning;
    deps.emit({ kind: 'planned', plan, wait: request.wait, dryRun: request.dryRun, warnings });
    return plan;
}
/** Reads the revision until it reports its commit, ends, or the time for that is over. */
async function awaitCommit(latest, current, { controlPlane, clock, signal, deadline, emit }) {
    emit({ kind: 'commit-awaited', revisionId: latest.id, limitMs: timing/* COMMIT_GRACE_MS */.ac });
    const endsAt = Math.min(clock.now() + timing/* COMMIT_GRACE_MS */.ac, deadline);
    let revision = latest;
    while (current !== undefined && clock.now() + timing/* READ_AGAIN_MS */.JX <= endsAt) {
        await clock.sleep(timing/* READ_AGAIN_MS */.JX, signal);
        revision = (await (0,errors/* ifReadable */.G5)(async () => await controlPlane.getRevision(current.id, latest.id))) ?? revision;
        if (revision.repoCommitSha !== undefined || (0,outcome/* phaseOf */.h)(revision.status) === 'terminal')
            break;
    }
    return revision;
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
    const ours = (0,revise/* commitOf */.D3)(request, revision.settings, deployment);
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

// EXTERNAL MODULE: ./rollout/watch/watch.ts + 4 modules
var watch = __webpack_require__(8359);
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
        return { kind: 'started' };
    if (next.plan.kind !== 'resume')
        return await (0,finish/* finish */.O)(await (0,watch/* watchRevision */.rj)(watched, request, deps), request, deps);
    const ended = await (0,watch/* watchResumed */.j1)(watched, next.plan.commit, request, deps);
    if (ended.kind === 'ended')
        return await (0,finish/* finish */.O)(ended.ended, request, deps);
    deps.emit({ kind: 'other-commit', revisionId: watched.revisionId, commit: ended.commit });
    return await executeRollout(await prepareRollout({ ...request, resume: false }, deps, source), deps);
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
