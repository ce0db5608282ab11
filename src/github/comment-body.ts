import { createHash } from 'node:crypto'

/** GitHub's limit of a comment, in characters. */
export const MAX_COMMENT = 65_536
const CUT = '\n\n… (cut, as the comment would be too long)'

/** A comment in HTML that nobody sees. A name may hold anything, so that its hash stands for it. */
export function markerOf(deploymentName: string): string {
  const hash = createHash('sha256').update(deploymentName).digest('hex').slice(0, 32)
  return `<!-- deployment-rollout:${hash} -->`
}

/** Tells when the run began that wrote a comment, so that an older run leaves the words of a newer one alone. */
export function stampOf(startedAt: number): string {
  return `<!-- began:${Math.round(startedAt)} -->`
}

export function beganAt(body: string): number {
  return Number(/^<!-- \S+ --><!-- began:(\d{1,15}) -->/.exec(body)?.[1] ?? 0)
}

/** The marker goes first, so that it survives the cut. */
export function bodyOf(marker: string, markdown: string): string {
  const whole = `${marker}\n${markdown}`
  if (whole.length <= MAX_COMMENT) return whole
  // A code block that the cut leaves open would swallow the note.
  const room = MAX_COMMENT - CUT.length - '\n````````'.length
  const kept = whole.slice(0, room).toWellFormed()
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
