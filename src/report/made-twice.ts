import type { MadeTwice } from '../rollout/event.ts'

/** Says what may come of a lost write and its repetition. `shown`: puts an id, which is text of the server, into its form. */
export function madeTwiceText(
  { what, ours, other, isDoubtful, isSentOnce }: Omit<MadeTwice, 'kind'>,
  shown: (id: string) => string = (id) => id,
): string {
  const sent = isSentOnce
    ? 'The response to a request of this run was lost.'
    : 'This run sent a request again whose response was lost.'
  const next = `It continues with ${shown(ours)}.`
  if (isDoubtful) {
    const origin = 'Another client may have created it, or the control plane from that request'
    return `${sent} The ${what} ${shown(other)} is new as well, with another configuration or another commit. ${origin}. ${next}`
  }
  const made = `The ${what}s ${shown(ours)} and ${shown(other)} are new, and neither has reported anything that contradicts the request.`
  const acted = isSentOnce ? 'acted twice on that request' : 'acted on both requests'
  const origin = `The control plane ${acted}, or another client created one of them.`
  const rest = what === 'deployment' ? ` Delete ${shown(other)} if it is not in use.` : ''
  return `${sent} ${made} ${origin} ${next}${rest}`
}
