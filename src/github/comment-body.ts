import { sha256 } from '../world.ts'

/** GitHub's limit for a comment, in characters. */
export const MAX_COMMENT = 65_536
const CUT = '\n\n… (cut, as the comment would be too long)'

/** An HTML comment that identifies the deployment. It holds a hash, because a name may contain any character. */
export function markerOf(deploymentName: string): string {
  const hash = sha256(deploymentName).slice(0, 32)
  return `<!-- deployment-rollout:${hash} -->`
}

/** An HTML comment with the start of the run, so that an older run does not replace the text of a newer one. */
export function stampOf(startedAt: number): string {
  return `<!-- began:${Math.round(startedAt)} -->`
}

/** Returns milliseconds since the epoch; 0 for a comment without a stamp. */
export function startedAtOf(body: string): number {
  return Number(/^<!-- \S+ --><!-- began:(\d{1,15}) -->/.exec(body)?.[1] ?? 0)
}

/** What a run notes for later ones, and what earlier ones have noted, which anyone may have changed; '' is nothing. */
export interface CommentNotes {
  /** How long rollouts took. */
  took: string
  /** The revisions that the run has made. */
  made: string
}

/** HTML comments with the notes; nothing for empty ones. */
export function noteStampOf({ took, made }: CommentNotes): string {
  return (took === '' ? '' : `<!-- took:${took} -->`) + (made === '' ? '' : `<!-- made:${made} -->`)
}

export function notesOf(body: string): CommentNotes {
  const began = /^<!-- \S+ --><!-- began:\d{1,15} -->/.exec(body)?.[0] ?? ''
  const [stamp = '', took = ''] = /^<!-- took:([\d./ ]{1,400}) -->/.exec(body.slice(began.length)) ?? []
  const [, made = ''] = /^<!-- made:([\w.:;/ -]{1,40000}) -->/.exec(body.slice(began.length + stamp.length)) ?? []
  return began === '' ? { took: '', made: '' } : { took, made }
}

/**
 * Cuts the lines that exceed GitHub's limit, and closes the code block and the folds that the cut leaves open. The marker
 * comes first, so that the cut does not remove it.
 */
export function bodyOf(marker: string, markdown: string): string {
  const body = `${marker}\n${markdown}`.toWellFormed()
  if (body.length <= MAX_COMMENT) return body
  let open: Open = { fence: '', folds: 0 }
  let end = 0
  for (const line of body.split('\n')) {
    const next = after(open, line)
    if (end + line.length + closing(next).length + CUT.length > MAX_COMMENT) break
    open = next
    end += line.length + 1
  }
  return body.slice(0, end).trimEnd() + closing(open) + CUT
}

/** The code block and the number of folds that a line is inside of. */
interface Open {
  fence: string
  folds: number
}

function after({ fence, folds }: Open, line: string): Open {
  if (fence !== '') return { fence: line.startsWith(fence) ? '' : fence, folds }
  // A line that begins with a code span has more backticks behind it.
  const [, opened = ''] = /^(`{3,})[^`]*$/.exec(line) ?? []
  return { fence: opened, folds: folds + Number(line.startsWith('<details')) - Number(line.endsWith('</details>')) }
}

function closing({ fence, folds }: Open): string {
  return (fence === '' ? '' : `\n${fence}`) + '\n\n</details>'.repeat(folds)
}
