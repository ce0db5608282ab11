import type { MadeTwice } from '../rollout/event.ts'

/** Says what a lost write and its repetition made. `shown`: puts an id, which is text of the server, into its form. */
export function madeTwiceText(
  { what, ours, other }: Omit<MadeTwice, 'kind'>,
  shown: (id: string) => string = (id) => id,
): string {
  const cause = 'The control plane acted twice: on a request whose response was lost, and on its repetition.'
  const made = `This run created the ${what}s ${shown(ours)} and ${shown(other)}.`
  const next =
    what === 'deployment'
      ? `It continues with ${shown(ours)}. Delete ${shown(other)} if it is not in use.`
      : `It continues with ${shown(ours)}, the newer one.`
  return `${cause} ${made} ${next}`
}
