import type { Listener, Settings } from '../../control-plane/model.ts'
import type { Problem } from '../../problem.ts'

/** `unlisted`: why the listeners could not be listed, as the end of a sentence. */
export type KnownListeners =
  { kind: 'listed'; listeners: readonly Listener[] } | { kind: 'unlisted'; reason: string }

export interface ListenerChoice {
  listenerId: string | undefined
  problems: Problem[]
  notes: string[]
}

/** Checks the listener that an external_container is to be deployed by, or takes the only one there is. */
export function chooseListener(wanted: Settings, known: KnownListeners): ListenerChoice {
  const { listenerId } = wanted
  if (known.kind === 'unlisted') {
    const note = `listener-id could not be checked: ${known.reason}`
    return { listenerId, problems: [], notes: listenerId === undefined ? [] : [note] }
  }
  const { listeners } = known
  if (listenerId === undefined) return takeTheOnlyOne(wanted, listeners)
  const found = listeners.find(({ id }) => id.toLowerCase() === listenerId)
  if (found !== undefined) return { listenerId, ...checkNamespace(wanted, found) }
  const message = `is not the id of a listener: ${listAll(listeners)}`
  return { listenerId, problems: [{ input: 'listener-id', value: listenerId, message }], notes: [] }
}

function takeTheOnlyOne(wanted: Settings, listeners: readonly Listener[]): ListenerChoice {
  const [only, ...others] = listeners
  if (only === undefined || others.length > 0) {
    const note = `listener-id is left out, and none is sent: ${listAll(listeners)}`
    return { listenerId: undefined, problems: [], notes: [note] }
  }
  const { problems, notes } = checkNamespace(wanted, only)
  const note = `listener-id is left out: ${describe(only)} is the only listener`
  return { listenerId: only.id, problems, notes: [note, ...notes] }
}

/** Contract, "ListenerConfig": only for listeners with compute type `cluster`. */
function checkNamespace(
  { clusterNamespace: wanted }: Settings,
  listener: Listener,
): Pick<ListenerChoice, 'problems' | 'notes'> {
  const { computeType, namespaces } = listener
  if (wanted === undefined) return { problems: [], notes: [] }
  if (computeType !== undefined && computeType.toLowerCase() !== 'cluster') {
    const message = `is only for listeners of compute type cluster: ${describe(listener)} is of type ${computeType}`
    return { problems: [{ input: 'cluster-namespace', value: wanted, message }], notes: [] }
  }
  if (namespaces === undefined || namespaces.length === 0 || namespaces.includes(wanted))
    return { problems: [], notes: [] }
  const note = `cluster-namespace ${wanted} is not among those that the listener tells: ${namespaces.join(', ')}`
  return { problems: [], notes: [note] }
}

function listAll(listeners: readonly Listener[]): string {
  if (listeners.length === 0) return 'there is no listener in this workspace'
  return `the listeners are ${listeners.map(describe).join(', ')}`
}

function describe({ id, computeType, computeId }: Listener): string {
  const known = [computeType, computeId].filter((part) => part !== undefined).join(' ')
  return known === '' ? id : `${id} (${known})`
}
