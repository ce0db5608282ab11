import { sha256 } from '../world.ts'
import { isNotable, type Note, readNotes, writeNotes } from './note.ts'

/** The hidden notes in the first line of a comment, for later runs. */
export interface CommentNotes {
  revisions: readonly Note[]
  /** The ids of the deployments that are previews. */
  previews: readonly string[]
}

/** An HTML comment that identifies the deployment. It holds a hash, because a name may contain any character. */
export function markerOf(deploymentName: string): string {
  const hash = sha256(deploymentName).slice(0, 32)
  return `<!-- deployment-rollout:${hash} -->`
}

/** The start of the run that wrote the comment, in milliseconds since the epoch; 0 without a stamp. */
export function readStart(body: string): number {
  return Number(/^<!-- \S+ --><!-- began:(\d{1,15}) -->/.exec(body)?.[1] ?? 0)
}

export function readCommentNotes(body: string): CommentNotes {
  const { made, previews } = hiddenIn(body)
  return { revisions: readNotes(made), previews: previews.split(' ').filter(isNotable) }
}

/**
 * The first line of the next body of a comment. Without `change`, the texts of the notes stay as they are: another version
 * of the action may read more of them.
 * @param startedAt the start of the run that writes it, in milliseconds since the epoch
 * @param body the present one; '' before there is any
 */
export function writeHead(
  { marker, startedAt }: { marker: string; startedAt: number },
  body: string,
  change?: (notes: CommentNotes) => CommentNotes,
): string {
  const { made, previews } = change === undefined ? hiddenIn(body) : writeCommentNotes(change(readCommentNotes(body)))
  const stamps = [
    ['began', String(Math.round(startedAt))],
    ['made', made],
    ['previews', previews],
  ]
  return marker + stamps.map(([name = '', text = '']) => (text === '' ? '' : `<!-- ${name}:${text} -->`)).join('')
}

/** `took` was written by earlier versions, and is not used. */
const STAMPS =
  /^<!-- \S+ --><!-- began:\d{1,15} -->(?:<!-- took:[\d./ ]{1,400} -->)?(?:<!-- made:([\w.:;/ -]{1,40000}) -->)?(?:<!-- previews:([\w. -]{1,20000}) -->)?/

/** The texts of the notes; '' without one. */
interface HiddenTexts {
  made: string
  previews: string
}

function hiddenIn(body: string): HiddenTexts {
  const [, made = '', previews = ''] = STAMPS.exec(body) ?? []
  return { made, previews }
}

/** About 37 characters each. */
const MAX_PREVIEWS = 200

function writeCommentNotes({ revisions, previews }: CommentNotes): HiddenTexts {
  const ids = [...new Set(previews)].filter(isNotable)
  return { made: writeNotes(revisions), previews: ids.slice(-MAX_PREVIEWS).join(' ') }
}
