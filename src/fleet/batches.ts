import type { Clock } from '../clock.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { ControlPlaneError, RefusedError, isNotFound } from '../control-plane/errors.ts'
import type { Deployment } from '../control-plane/model.ts'
import { idKey } from '../control-plane/same-id.ts'
import { BATCH_MS, GATHER_MS, UNFOUND_ANSWERS } from './timing.ts'
import { PAGE_SIZE } from '../rollout/read/paginate.ts'

/** Reads of single deployments, gathered into few requests. An answer is never older than the call. */
export interface Batches {
  /** Reads the deployment, by a request of its own if the list does not show it. Throws what `getDeployment` throws. */
  read: (id: string, controlPlane: ControlPlane) => Promise<Deployment>
  /** The same without an error. `blind`: also if the service does not know this deployment. */
  look: (id: string) => Promise<Exclude<Answer, { kind: 'missing' }>>
}

/** `missing`: the list lacks it, and shows so many others. `blind`: the service does not list deployments by ids. */
type Answer =
  | { kind: 'found'; deployment: Deployment }
  | { kind: 'missing'; shown: number }
  | { kind: 'failed' }
  | { kind: 'blind' }

interface Asked {
  id: string
  answer: Promise<Answer>
  resolve: (answer: Answer) => void
}

/**
 * @param controlPlane sends the requests; one that fails makes those of its ids smaller, as the record of a single
 * deployment may be what the service cannot return
 */
export function openBatches(
  controlPlane: ControlPlane,
  { clock, signal, deadline = Infinity }: { clock: Clock; signal: AbortSignal; deadline?: number },
): Batches {
  let asked = new Map<string, Asked>()
  /** The most ids of one request: for all, and for those whose request has failed. */
  let most = PAGE_SIZE
  const mostWith = new Map<string, number>()
  let isBlind = false
  let unfound = 0

  const send = async (group: readonly Asked[]): Promise<void> => {
    const inGroup = new Set(group.map(({ id }) => idKey(id)))
    const answerAll = (answer: Answer): void => group.forEach(({ resolve }) => resolve(answer))
    try {
      const timed = controlPlane.within(Math.min(clock.now() + BATCH_MS, deadline))
      const ids = group.map(({ id }) => id)
      const { resources } = await timed.listDeployments({ ids, limit: PAGE_SIZE, offset: 0 })
      if (resources.some(({ id }) => !inGroup.has(idKey(id)))) {
        isBlind = true
        answerAll({ kind: 'blind' })
        return
      }
      if (resources.length > 0) unfound = 0
      const found = new Map(resources.map((deployment) => [idKey(deployment.id), deployment]))
      for (const { id, resolve } of group) {
        const deployment = found.get(idKey(id))
        mostWith.delete(idKey(id))
        resolve(deployment === undefined ? { kind: 'missing', shown: resources.length } : { kind: 'found', deployment })
      }
    } catch (thrown) {
      const half = Math.floor(group.length / 2)
      // A refusal may be about the length of the address.
      if (thrown instanceof RefusedError) most = Math.min(most, half)
      else for (const { id } of group) mostWith.set(idKey(id), Math.max(1, half))
      isBlind ||= most === 0
      answerAll({ kind: isBlind ? 'blind' : 'failed' })
    }
  }
  const flush = async (): Promise<void> => {
    try {
      await clock.sleep(GATHER_MS, signal)
    } finally {
      const sizeOf = ({ id }: Asked): number => Math.min(most, mostWith.get(idKey(id)) ?? most)
      const waiting = [...asked.values()].toSorted((one, other) => sizeOf(other) - sizeOf(one))
      asked = new Map()
      while (waiting.length > 0) {
        const size = waiting.slice(0, most).findIndex((one, n) => n >= sizeOf(one))
        void send(waiting.splice(0, size < 0 ? most : size))
      }
    }
  }
  const ask = async (id: string): Promise<Answer> => {
    signal.throwIfAborted()
    if (isBlind) return { kind: 'blind' }
    const known = asked.get(idKey(id))
    if (known !== undefined) return await known.answer
    const { promise: answer, resolve } = Promise.withResolvers<Answer>()
    asked.set(idKey(id), { id, answer, resolve })
    if (asked.size === 1) flush().catch(() => undefined)
    const answered = await answer
    signal.throwIfAborted()
    return answered
  }
  /** The list lacks a deployment that exists: its pages are shorter, or the ids mean something else to the service. */
  const noteUnfound = (shown: number): void => {
    if (shown > 0) most = Math.min(most, shown)
    else unfound += 1
    isBlind ||= unfound >= UNFOUND_ANSWERS
  }
  const read: Batches['read'] = async (id, own) => {
    const answer = await ask(id)
    if (answer.kind === 'found') return answer.deployment
    const deployment = await own.getDeployment(id)
    if (answer.kind === 'missing') noteUnfound(answer.shown)
    return deployment
  }
  return {
    read,
    look: async (id) => {
      const answer = await ask(id)
      if (answer.kind !== 'missing') return answer
      try {
        const deployment = await controlPlane.within(Math.min(clock.now() + BATCH_MS, deadline)).getDeployment(id)
        noteUnfound(answer.shown)
        return { kind: 'found', deployment }
      } catch (thrown) {
        if (!(thrown instanceof ControlPlaneError)) throw thrown
        return { kind: isNotFound(thrown) ? 'blind' : 'failed' }
      }
    },
  }
}

/** The same control plane, whose reads of deployments are gathered. */
export function gathering(controlPlane: ControlPlane, batches: Batches): ControlPlane {
  return {
    ...controlPlane,
    within: (deadline) => gathering(controlPlane.within(deadline), batches),
    getDeployment: async (id) => await batches.read(id, controlPlane),
  }
}
