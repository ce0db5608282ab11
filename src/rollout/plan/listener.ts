import { computeTypeWord, type Api } from '../../control-plane/api.ts'
import { sameId, type Listener, type Settings } from '../../control-plane/model.ts'
import type { Problem } from '../../problem.ts'
import type { KnownListeners } from '../read/types.ts'
import type { PlanNote } from './reasons.ts'

interface ListenerChoice {
  listenerId: string | undefined
  problems: Problem[]
  notes: PlanNote[]
}

/** Checks the listener of an external_container; if none is set, takes the only one there is. */
export function chooseListener(wanted: Settings, known: KnownListeners, api: Api): ListenerChoice {
  const { listenerId } = wanted
  if (known.kind === 'unlisted') {
    const note = { kind: 'listener-not-checked', status: known.status } as const
    return { listenerId, problems: [], notes: listenerId === undefined ? [] : [note] }
  }
  const { listeners } = known
  if (listenerId === undefined) return takeOnlyListener(wanted, listeners, api)
  const found = listeners.find(({ id }) => sameId(id, listenerId))
  if (found !== undefined) return { listenerId, ...checkNamespace(wanted, found, api) }
  const message = `is not the id of a listener: ${listListeners(listeners, api)}`
  return { listenerId, problems: [{ input: 'listener-id', value: listenerId, message }], notes: [] }
}

function takeOnlyListener(wanted: Settings, listeners: readonly Listener[], api: Api): ListenerChoice {
  const [only, ...others] = listeners
  if (only === undefined || others.length > 0)
    return { listenerId: undefined, problems: [], notes: [{ kind: 'no-listener-sent', listeners }] }
  const { problems, notes } = checkNamespace(wanted, only, api)
  return { listenerId: only.id, problems, notes: [{ kind: 'only-listener', listener: only }, ...notes] }
}

/** Contract, "ListenerConfig": only for listeners with compute type `cluster`. */
function checkNamespace(
  { clusterNamespace: namespace }: Settings,
  listener: Listener,
  api: Api,
): Pick<ListenerChoice, 'problems' | 'notes'> {
  const { computeType, namespaces: reported = [] } = listener
  if (namespace === undefined) return { problems: [], notes: [] }
  if (computeType !== undefined && computeType.toLowerCase() !== 'cluster') {
    const [needed, has] = [computeTypeWord(api, 'cluster'), computeTypeWord(api, computeType)]
    const message = `is only for listeners of compute type ${needed}: ${listenerName(listener, api)} is of type ${has}`
    return { problems: [{ input: 'cluster-namespace', value: namespace, message }], notes: [] }
  }
  const isKnown = reported.length === 0 || reported.includes(namespace)
  return { problems: [], notes: isKnown ? [] : [{ kind: 'namespace-not-reported', namespace, reported }] }
}

export function listListeners(listeners: readonly Listener[], api: Api): string {
  if (listeners.length === 0) return 'there is no listener in this workspace'
  return `the listeners are ${listeners.map((listener) => listenerName(listener, api)).join(', ')}`
}

/** `<id> (cluster eu-1)` */
export function listenerName({ id, computeType, computeId }: Listener, api: Api): string {
  const known = [computeType === undefined ? undefined : computeTypeWord(api, computeType), computeId]
    .filter((part) => part !== undefined)
    .join(' ')
  return known === '' ? id : `${id} (${known})`
}
