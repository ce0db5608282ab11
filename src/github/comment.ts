import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { GitHub } from './client.ts'
import { beganAt, bodyOf, markerOf, stampOf } from './comment-body.ts'
import { findOurs, readComment, type Comment } from './comment-search.ts'
import { GitHubError, isGone, type Permission } from './errors.ts'

/** One comment of a pull request that is kept up to date, until a run that began later writes it. */
export interface StickyComment {
  /**
   * Writes it, at once or as soon as the last writing is old enough, unless a newer text comes first. `hold`: only when
   * nothing has come for a while, as the end is likely to follow.
   */
  show: (render: () => string, options?: { hold: boolean }) => Promise<void>
  /** Writes it in any case, as the last text; `onlyIfThere`: but makes no new one. */
  finish: (markdown: string, options?: { onlyIfThere: boolean }) => Promise<void>
}

export interface StickyCommentOptions {
  /** The pull request's number. */
  issue: number
  deploymentName: string
  /** When the run began that writes it, in milliseconds since the epoch. */
  startedAt: number
  clock: Clock
  /** Told of what goes wrong while nobody waits. */
  onTrouble?: (thrown: unknown) => void
  /** Does something after so many milliseconds, unless it is called off. */
  later?: (ms: number, action: () => void) => () => void
}

/** No more than one update in so many milliseconds. */
const PACE_MS = 15_000
/** The clocks of two runners may differ by so many milliseconds. */
const CLOCK_SKEW_MS = 60_000
const PERMISSION: Permission = 'pull-requests: write'

const created = z.object({ id: z.number() })

/** Opens the one comment of a deployment on a pull request. Nothing is read or written before the first text. */
export function openStickyComment(gitHub: GitHub, options: StickyCommentOptions): StickyComment {
  const { issue, deploymentName, startedAt, clock, onTrouble = ignore, later = laterUnlessOver } = options
  const marker = markerOf(deploymentName)
  const isOfLaterRun = ({ body }: Comment): boolean => {
    const began = beganAt(body ?? '')
    // What is yet to come is of a clock that is wrong: nobody would ever write over it.
    return began > startedAt && began <= clock.wallTime() + CLOCK_SKEW_MS
  }
  /** Nothing where we have not looked, or not since its creation failed. */
  let found: { id: number | undefined } | undefined
  let written: string | undefined
  let writtenAt = Number.NEGATIVE_INFINITY
  let turns: Promise<void> = Promise.resolve()
  let callOff = ignore

  const look = async (): Promise<Comment | undefined> => {
    if (found === undefined) return await findOurs(gitHub, issue, marker)
    return found.id === undefined ? undefined : await readComment(gitHub, found.id)
  }
  const amend = async (comment: Comment, body: string): Promise<number | undefined> =>
    isOfLaterRun(comment) ? comment.id : await update(gitHub, comment.id, body)
  const place = async (body: string, onlyIfThere: boolean, isLastTry = false): Promise<void> => {
    const comment = await look()
    found = { id: comment && (await amend(comment, body)) }
    if (found.id !== undefined || onlyIfThere) return
    // When the answer is lost it may be there all the same, and a second one would stay for ever: look again.
    found = undefined
    try {
      const made = await create(gitHub, issue, body)
      found = { id: made }
      // Another run may have made one at the same moment: the oldest stays.
      const oldest = await findOurs(gitHub, issue, marker)
      if (oldest === undefined || oldest.id === made) return
      await remove(gitHub, made)
      found = { id: await amend(oldest, body) }
    } catch (thrown) {
      if (isLastTry || !isLost(thrown)) throw thrown
      await place(body, onlyIfThere, true)
    }
  }
  const write = async (markdown: string, onlyIfThere: boolean): Promise<void> => {
    const body = bodyOf(`${marker}${stampOf(startedAt)}`, markdown)
    if (body === written) return
    await place(body, onlyIfThere)
    written = body
    writtenAt = clock.now()
  }
  /** One writing after the other, as a timer's may come between. */
  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    const turn = turns.then(work)
    turns = turn.catch(() => undefined)
    await turn
  }
  return {
    async show(render, { hold } = { hold: false }) {
      callOff()
      await turns
      const pause = hold ? PACE_MS : writtenAt + PACE_MS - clock.now()
      const writing = async (): Promise<void> => {
        await inTurn(async () => {
          await write(render(), false)
        })
      }
      if (pause <= 0) await writing()
      else callOff = later(pause, () => void writing().catch(onTrouble))
    },
    async finish(markdown, { onlyIfThere } = { onlyIfThere: false }) {
      callOff()
      await inTurn(async () => {
        await write(markdown, onlyIfThere)
      })
    },
  }
}

const ignore = (): void => undefined

/** Nobody waits for it before the process ends. */
function laterUnlessOver(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms).unref()
  return () => {
    clearTimeout(timer)
  }
}

/** Nothing when it is gone: somebody deleted it by hand. */
async function update(gitHub: GitHub, id: number, body: string): Promise<number | undefined> {
  const request = {
    route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
    parameters: { comment_id: id, body },
    attempted: 'update the comment',
    permission: PERMISSION,
  }
  try {
    await gitHub.request(request, z.unknown())
    return id
  } catch (thrown) {
    if (isGone(thrown)) return undefined
    throw thrown
  }
}

async function create(gitHub: GitHub, issue: number, body: string): Promise<number> {
  const request = {
    route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: { issue_number: issue, body },
    attempted: `write the comment on pull request ${issue}`,
    permission: PERMISSION,
    once: true,
  }
  const { id } = await gitHub.request(request, created)
  return id
}

async function remove(gitHub: GitHub, id: number): Promise<void> {
  const request = {
    route: 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}',
    parameters: { comment_id: id },
    attempted: 'delete the comment that is there twice',
    permission: PERMISSION,
  }
  await gitHub.request(request, z.unknown())
}

function isLost(thrown: unknown): boolean {
  return thrown instanceof GitHubError && (thrown.status === undefined || thrown.status >= 500)
}
