/** A pull request that gets a deployment of its own. */
export interface Preview {
  pullRequest: number
  /** Whether the event reports it as closed; `undefined` if only GitHub's API knows, as for its head. */
  closed: boolean | undefined
  gate?: LabelGate | undefined
  limit?: PreviewLimit | undefined
}

/** Only pull requests with this label have a preview. */
export interface LabelGate {
  label: string
  /** Whether the pull request has it, as the event reports; `undefined` if it does not, or may be outdated. */
  onEvent: boolean | undefined
  /** The change of a label that the event is about. `ours`: of this one. */
  change: { kind: 'labeled' | 'unlabeled'; ours: boolean } | undefined
}

/** At most `max` previews of the deployment `name` may exist. */
export interface PreviewLimit {
  name: string
  max: number
}

export function isLabelRemoved(gate: LabelGate | undefined): boolean {
  return gate?.change?.kind === 'unlabeled' && gate.change.ours
}
