import { createHash } from 'node:crypto'

/** GitHub's limit for a comment, in characters. */
export const MAX_COMMENT = 65_536
const CUT = '\n\n… (cut, as the comment would be too long)'

/** An HTML comment that identifies the deployment. It holds a hash, because a name may contain any character. */
export function markerOf(deploymentName: string): string {
  const hash = createHash('sha256').update(deploymentName).digest('hex').slice(0, 32)
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

/** An HTML comment with what a run notes for later ones; nothing for an empty note. */
export function noteStampOf(note: string): string {
  return note === '' ? '' : `<!-- took:${note} -->`
}

/** Returns what earlier runs have noted, which anyone may have changed; '' if there is none. */
export function noteOf(body: string): string {
  return /^<!-- \S+ --><!-- began:\d{1,15} --><!-- took:([\d./ ]{1,400}) -->/.exec(body)?.[1] ?? ''
}

/** Cuts what exceeds GitHub's limit. The marker comes first, so that the cut does not remove it. */
export function bodyOf(marker: string, markdown: string): string {
  const body = `${marker}\n${markdown}`
  if (body.length <= MAX_COMMENT) return body
  // Inside a code block that the cut leaves open, the note would not be markdown.
  const room = MAX_COMMENT - CUT.length - '\n````````'.length
  const kept = body.slice(0, room).toWellFormed()
  const fence = openFence(kept)
  return `${kept}${fence === undefined ? '' : `\n${fence}`}${CUT}`
}

function openFence(markdown: string): string | undefined {
  let open: string | undefined
  for (const [, fence = ''] of markdown.matchAll(/^(`{3,8})/gm)) {
    if (open === undefined) open = fence
    else if (fence.length >= open.length) open = undefined
  }
  return open
}
