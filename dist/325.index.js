export const id = 325;
export const ids = [325];
export const modules = {

/***/ 325:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  openStickyComment: () => (/* binding */ openStickyComment)
});

// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js
var schemas = __webpack_require__(4362);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./github/comment-body.ts

/** GitHub's limit of a comment, in characters. */
const MAX_COMMENT = 65_536;
const CUT = '\n\n… (cut, as the comment would be too long)';
/** A comment in HTML that nobody sees. A name may hold anything, so that its hash stands for it. */
function markerOf(deploymentName) {
    const hash = (0,external_node_crypto_.createHash)('sha256').update(deploymentName).digest('hex').slice(0, 32);
    return `<!-- deployment-rollout:${hash} -->`;
}
/** Tells when the run began that wrote a comment, so that an older run leaves the words of a newer one alone. */
function stampOf(startedAt) {
    return `<!-- began:${Math.round(startedAt)} -->`;
}
function beganAt(body) {
    return Number(/^<!-- \S+ --><!-- began:(\d{1,15}) -->/.exec(body)?.[1] ?? 0);
}
/** The marker goes first, so that it survives the cut. */
function bodyOf(marker, markdown) {
    const whole = `${marker}\n${markdown}`;
    if (whole.length <= MAX_COMMENT)
        return whole;
    // A code block that the cut leaves open would swallow the note.
    const room = MAX_COMMENT - CUT.length - '\n````````'.length;
    const kept = whole.slice(0, room).toWellFormed();
    const fence = openFence(kept);
    return `${kept}${fence === undefined ? '' : `\n${fence}`}${CUT}`;
}
function openFence(markdown) {
    let open;
    for (const [, fence = ''] of markdown.matchAll(/^(`{3,8})/gm)) {
        if (open === undefined)
            open = fence;
        else if (fence.length >= open.length)
            open = undefined;
    }
    return open;
}

// EXTERNAL MODULE: ./github/errors.ts
var errors = __webpack_require__(3527);
;// CONCATENATED MODULE: ./github/comment-search.ts


const PERMISSION = 'pull-requests: write';
const comment = schemas.object({
    id: schemas.number(),
    body: schemas.string().nullish(),
    user: schemas.object({ login: schemas.string(), type: schemas.string().nullish() }).nullish(),
});
/** The oldest comment that begins with our marker and that we wrote: anybody may write a marker. */
async function findOurs(gitHub, issue, marker) {
    const isOurs = await knowOurselves(gitHub);
    const comments = gitHub.pages({
        route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
        parameters: { issue_number: issue },
        attempted: `look for the comment on pull request ${issue}`,
        permission: PERMISSION,
    }, schemas.array(comment));
    for await (const candidate of comments)
        if (candidate.body?.startsWith(marker) === true && isOurs(candidate))
            return candidate;
    return undefined;
}
/** The comment as it is now; nothing when it is gone: somebody deleted it by hand. */
async function readComment(gitHub, id) {
    const request = {
        route: 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}',
        parameters: { comment_id: id },
        attempted: 'read the comment',
        permission: PERMISSION,
    };
    try {
        return await gitHub.request(request, comment);
    }
    catch (thrown) {
        if ((0,errors/* isGone */.S)(thrown))
            return undefined;
        throw thrown;
    }
}
/** Whoever a job's own token writes as. */
const JOB_BOT = 'github-actions[bot]';
/** It does not change; one run may look for many comments. */
const known = new WeakMap();
/** Tells our comments from those of others. People cannot write as a bot, nor bots as people. */
async function knowOurselves(gitHub) {
    const ours = known.get(gitHub) ?? (await askWhoWeAre(gitHub)).toLowerCase();
    known.set(gitHub, ours);
    return ({ user }) => user?.login.toLowerCase() === ours;
}
/** Where nobody tells, it is the token of the job. */
async function askWhoWeAre(gitHub) {
    const request = { route: 'GET /user', attempted: 'ask whose github-token it is', permission: PERMISSION };
    try {
        return (await gitHub.request(request, schemas.object({ login: schemas.string() }))).login;
    }
    catch (thrown) {
        // Only a person's token may ask this.
        if (!isRefused(thrown))
            throw thrown;
    }
    try {
        return await gitHub.whoAmI();
    }
    catch (thrown) {
        if (!(thrown instanceof errors/* GitHubError */.y))
            throw thrown;
        return JOB_BOT;
    }
}
function isRefused(thrown) {
    return thrown instanceof errors/* GitHubError */.y && (thrown.status === 403 || thrown.status === 404);
}

;// CONCATENATED MODULE: ./github/comment.ts




/** No more than one update in so many milliseconds. */
const PACE_MS = 15_000;
/** The clocks of two runners may differ by so many milliseconds. */
const CLOCK_SKEW_MS = 60_000;
const comment_PERMISSION = 'pull-requests: write';
const created = schemas.object({ id: schemas.number() });
/** Opens the one comment of a deployment on a pull request. Nothing is read or written before the first text. */
function openStickyComment(gitHub, options) {
    const { issue, deploymentName, startedAt, clock, onTrouble = ignore, later = laterUnlessOver } = options;
    const marker = markerOf(deploymentName);
    const isOfLaterRun = ({ body }) => {
        const began = beganAt(body ?? '');
        // What is yet to come is of a clock that is wrong: nobody would ever write over it.
        return began > startedAt && began <= clock.wallTime() + CLOCK_SKEW_MS;
    };
    /** Nothing where we have not looked, or not since its creation failed. */
    let found;
    let written;
    let writtenAt = Number.NEGATIVE_INFINITY;
    let turns = Promise.resolve();
    let callOff = ignore;
    const look = async () => {
        if (found === undefined)
            return await findOurs(gitHub, issue, marker);
        return found.id === undefined ? undefined : await readComment(gitHub, found.id);
    };
    const amend = async (comment, body) => isOfLaterRun(comment) ? comment.id : await update(gitHub, comment.id, body);
    const place = async (body, onlyIfThere, isLastTry = false) => {
        const comment = await look();
        found = { id: comment && (await amend(comment, body)) };
        if (found.id !== undefined || onlyIfThere)
            return;
        // When the answer is lost it may be there all the same, and a second one would stay for ever: look again.
        found = undefined;
        try {
            const made = await create(gitHub, issue, body);
            found = { id: made };
            // Another run may have made one at the same moment: the oldest stays.
            const oldest = await findOurs(gitHub, issue, marker);
            if (oldest === undefined || oldest.id === made)
                return;
            await remove(gitHub, made);
            found = { id: await amend(oldest, body) };
        }
        catch (thrown) {
            if (isLastTry || !isLost(thrown))
                throw thrown;
            await place(body, onlyIfThere, true);
        }
    };
    const write = async (markdown, onlyIfThere) => {
        const body = bodyOf(`${marker}${stampOf(startedAt)}`, markdown);
        if (body === written)
            return;
        await place(body, onlyIfThere);
        written = body;
        writtenAt = clock.now();
    };
    /** One writing after the other, as a timer's may come between. */
    const inTurn = async (work) => {
        const turn = turns.then(work);
        turns = turn.catch(() => undefined);
        await turn;
    };
    return {
        async show(render, { hold } = { hold: false }) {
            callOff();
            await turns;
            const pause = hold ? PACE_MS : writtenAt + PACE_MS - clock.now();
            const writing = async () => {
                await inTurn(async () => {
                    await write(render(), false);
                });
            };
            if (pause <= 0)
                await writing();
            else
                callOff = later(pause, () => void writing().catch(onTrouble));
        },
        async finish(markdown, { onlyIfThere } = { onlyIfThere: false }) {
            callOff();
            await inTurn(async () => {
                await write(markdown, onlyIfThere);
            });
        },
    };
}
const ignore = () => undefined;
/** Nobody waits for it before the process ends. */
function laterUnlessOver(ms, action) {
    const timer = setTimeout(action, ms).unref();
    return () => {
        clearTimeout(timer);
    };
}
/** Nothing when it is gone: somebody deleted it by hand. */
async function update(gitHub, id, body) {
    const request = {
        route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
        parameters: { comment_id: id, body },
        attempted: 'update the comment',
        permission: comment_PERMISSION,
    };
    try {
        await gitHub.request(request, schemas.unknown());
        return id;
    }
    catch (thrown) {
        if ((0,errors/* isGone */.S)(thrown))
            return undefined;
        throw thrown;
    }
}
async function create(gitHub, issue, body) {
    const request = {
        route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
        parameters: { issue_number: issue, body },
        attempted: `write the comment on pull request ${issue}`,
        permission: comment_PERMISSION,
        once: true,
    };
    const { id } = await gitHub.request(request, created);
    return id;
}
async function remove(gitHub, id) {
    const request = {
        route: 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}',
        parameters: { comment_id: id },
        attempted: 'delete the comment that is there twice',
        permission: comment_PERMISSION,
    };
    await gitHub.request(request, schemas.unknown());
}
function isLost(thrown) {
    return thrown instanceof errors/* GitHubError */.y && (thrown.status === undefined || thrown.status >= 500);
}


/***/ })

};
