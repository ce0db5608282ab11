import { Refusal } from './answers.ts'
import { isMatch, type Fault } from './faults.ts'
import type { Habits } from './habits.ts'
import type { LateActs } from './late-acts.ts'
import type { RolloutScript } from './lifecycle.ts'
import type { CreateDeployment, CreateRevision } from './schemas.ts'
import type { Store } from './store.ts'

/** Other clients of the control plane, who act once, at a request of the one that is tested. */
export interface Visit {
  match: Fault['match']
  /** How many matching requests come first. Default 0. */
  skip?: number
  /** How long after that request, in milliseconds. Default 0: before the sandbox acts on it. */
  afterMs?: number
  acts: readonly Act[]
}

/** `script`: of the revision that it makes. */
export type Act =
  | { kind: 'create'; body: CreateDeployment; script?: RolloutScript }
  | { kind: 'revise'; name: string; body: CreateRevision; script?: RolloutScript }
  | { kind: 'rename'; name: string; to: string }
  /** Deploys an earlier revision again. `place`: of its revisions, the oldest first. */
  | { kind: 'go back'; name: string; place: number }

/** What one of them has done. `name`: what the deployment is called from then on. */
export interface Deed {
  kind: Act['kind']
  at: number
  deploymentId: string
  name: string
  /** The revision that it made. */
  revisionId: string | undefined
}

export class OtherClients {
  readonly #store: Store
  readonly #late: LateActs
  readonly #now: () => number
  readonly #habits: Habits
  #visits: { visit: Visit; met: number }[] = []
  readonly deeds: Deed[] = []

  constructor(store: Store, late: LateActs, now: () => number, habits: Habits) {
    this.#store = store
    this.#late = late
    this.#now = now
    this.#habits = habits
  }

  set(visits: readonly Visit[]): void {
    this.#visits = visits.map((visit) => ({ visit, met: 0 }))
  }

  /** Plans what others do because of this request. */
  meet(request: Record<'method' | 'route' | 'path', string>): void {
    for (const entry of this.#visits) {
      const { match, skip = 0, afterMs = 0, acts } = entry.visit
      if (!isMatch(match, request)) continue
      entry.met += 1
      if (entry.met !== skip + 1) continue
      const at = this.#now() + afterMs
      this.#late.add(at, () => {
        for (const act of acts) this.#do(act, at)
      })
    }
  }

  /** The control plane may refuse it, as the name is taken for instance. */
  #do(act: Act, at: number): void {
    try {
      if (act.kind === 'create') {
        const { id, name, revisions } = this.#store.create(act.body, this.#habits, act.script)
        this.deeds.push({ kind: act.kind, at, deploymentId: id, name, revisionId: revisions[0]?.id })
        return
      }
      const deployment = this.#store.all().find(({ name }) => name === act.name)
      if (deployment === undefined) return
      const deed = { kind: act.kind, at, deploymentId: deployment.id }
      if (act.kind === 'rename') {
        this.#store.rename(deployment, act.to)
        this.deeds.push({ ...deed, name: act.to, revisionId: undefined })
        return
      }
      if (act.kind === 'go back') {
        const older = deployment.revisions[act.place]
        if (older === undefined) return
        const count = deployment.revisions.length
        this.#store.redeploy(deployment, older, this.#habits)
        this.deeds.push({ ...deed, name: act.name, revisionId: deployment.revisions[count]?.id })
        return
      }
      const { id: revisionId } = this.#store.revise(deployment.id, act.body, this.#habits, act.script)
      this.deeds.push({ ...deed, name: act.name, revisionId })
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
    }
  }
}
