import { FORMS, isAddress, MALFORMED_STATUS } from '../control-plane/model.ts'
import { phaseOf } from '../rollout/outcome.ts'
import { LOG_TAIL_LINES } from '../rollout/timing.ts'
import { publicPlan, type PlanDocument } from './plan.ts'
import type { ServingFacts } from './serving-facts.ts'
import type { Redact, Redactor } from '../secrets/redact.ts'
import {
  isRollout,
  type FleetRow,
  type FleetRecord,
  type NamedDeployment,
  type Removal,
  type RolloutRecord,
  type RunEvent,
  type RunRecord,
  type TeardownRecord,
} from './record.ts'

/** In place of an id that exists and is not shown. Outputs omit it. */
export const HIDDEN = '***'

export function shownId(id: string | undefined): string | undefined {
  return id === HIDDEN ? undefined : id
}

export type DropReason = 'malformed' | 'secret'

/**
 * Removes every typed value that has not the form of its field or contains a known secret: a server may report anything.
 * Texts that the step itself sets, and the statuses of the contract, stay. Free text of the server is redacted: the status
 * message, and the log, in which a secret may span lines. Each part of a record is cleaned once, and again when more
 * secrets are known: an event concerns one deployment of perhaps thousands.
 */
export class Cleaner {
  readonly #redactor: Redactor
  #dropped = new Map<string, DropReason>()

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  /** `dropped`: the fields whose values the record lacks, as far as they were not named before. */
  clean<Of extends RunRecord>(record: Of): { record: Of; dropped: ReadonlyMap<string, DropReason> } {
    this.#dropped = new Map()
    return { record: { ...record, ...this.#fields(record) }, dropped: this.#dropped }
  }

  readonly #fields = this.#once((record: RunRecord): Partial<RolloutRecord | TeardownRecord | FleetRecord> => {
    if (isRollout(record)) return this.#rolloutFields(record)
    if (record.operation === 'fleet') return { deployments: record.deployments.mapParts(this.#partOfFleet) }
    if (record.operation === 'request') return {}
    const { deployment, target, removals, ofFleet = false } = record
    return {
      deployment: deployment && this.#deployment(deployment, target),
      url: this.#address(record.url),
      removals: removals.map((removal) => this.#removal(removal, target, ofFleet)),
    }
  })

  #rolloutFields(record: RolloutRecord): Partial<RolloutRecord> {
    const { target, deployment, revision, revisionId, goesBackTo, rollback, plan, log } = record
    return {
      deployment: deployment && this.#deployment(deployment, target),
      url: this.#address(record.url),
      previousRevisionId: this.#kept('previous-revision-id', record.previousRevisionId, FORMS.id),
      revisionId: revisionId === undefined ? undefined : this.#shownOrHidden('revision-id', revisionId),
      goesBackTo: goesBackTo && {
        ...goesBackTo,
        id: this.#shownOrHidden('revision-id', goesBackTo.id),
        origin: this.#kept('repo-ref', goesBackTo.origin, FORMS.name),
      },
      rollback:
        rollback?.kind === 'restored'
          ? { ...rollback, revisionId: this.#shownOrHidden('restored-revision-id', rollback.revisionId) }
          : rollback,
      revision: revision && this.#revision(revision),
      timeline: record.timeline.map((entry) => ({ ...entry, status: this.#status(entry.status) })),
      ref: this.#kept('repo-ref', record.ref, FORMS.name),
      plan: plan && this.#plan(plan),
      log: log && this.#log(log),
      servingFacts: this.#servingFacts(record.servingFacts),
    }
  }

  readonly #servingFacts = this.#once((facts: ServingFacts): ServingFacts => {
    const { active, origins } = facts
    const idOf = (id: string): string => this.#shownOrHidden('revision-id', id)
    return {
      ...facts,
      active: active && { ...active, revisionId: active.revisionId === null ? null : idOf(active.revisionId) },
      origins: origins.map(({ id, origin, commit }) => ({
        id: idOf(id),
        origin: this.#kept('repo-ref', origin, FORMS.name),
        commit: this.#kept('commit-sha', commit, FORMS.commit),
      })),
    }
  })

  readonly #deployment = this.#once(({ id, name }: NamedDeployment, target: string): NamedDeployment => ({
    id: id === target ? id : this.#shownOrHidden('deployment-id', id),
    name: name === target ? name : this.#kept('deployment-name', name, FORMS.name),
  }))

  /** The name of a preview follows from the step: its own words and a number. That of a fleet may have any name before. */
  readonly #removal = this.#once((removal: Removal, target: string, ofFleet: boolean): Removal => {
    const { id, name, pullRequest } = removal
    const isOwn = name === target || (pullRequest !== undefined && !ofFleet)
    return {
      ...removal,
      id: id === target ? id : this.#shownOrHidden('deployment-id', id),
      name: isOwn ? name : (this.#kept('deployment-name', name, FORMS.name) ?? HIDDEN),
    }
  })

  readonly #revision = this.#once((revision: NonNullable<RolloutRecord['revision']>) => ({
    ...withCleanMessage(revision, this.#redactor.redactFreeText),
    status: this.#status(revision.status),
    repoCommitSha: this.#kept('commit-sha', revision.repoCommitSha, FORMS.commit),
  }))

  readonly #plan = this.#once((plan: PlanDocument) => publicPlan(plan, this.#redactor.reveals))

  readonly #log = this.#once((log: NonNullable<RolloutRecord['log']>) => ({
    ...log,
    lines: this.#redactor.redactTail(log.lines, LOG_TAIL_LINES),
  }))

  readonly #ofFleet = this.#once((row: FleetRow): FleetRow => ({ ...row, ...this.#rolloutFields(row) }))

  readonly #partOfFleet = this.#once((part: readonly FleetRow[]) => part.map((row) => this.#ofFleet(row)))

  #status(value: string): string {
    const isKnown = phaseOf(value) !== 'unknown'
    return isKnown ? value : (this.#kept('status', value, FORMS.status) ?? MALFORMED_STATUS)
  }

  #shownOrHidden(field: string, id: string): string {
    return this.#kept(field, id, FORMS.id) ?? HIDDEN
  }

  #address(url: string | undefined): string | undefined {
    return this.#kept('url', url, { test: isAddress })
  }

  #kept(field: string, value: string | undefined, form: { test: (value: string) => boolean }): string | undefined {
    if (value === undefined) return undefined
    const reason = this.#redactor.reveals(value) ? 'secret' : form.test(value) ? undefined : 'malformed'
    if (reason === undefined) return value
    this.#dropped.set(field, reason)
    return undefined
  }

  /** Returns the same function with a memory, which ends when more secrets are known. */
  #once<Part extends object, Clean extends object, More extends unknown[]>(
    clean: (part: Part, ...more: More) => Clean,
  ): (part: Part, ...more: More) => Clean {
    let cleaned = new WeakMap<Part, Clean>()
    let generation = -1
    return (part, ...more) => {
      if (this.#redactor.generation !== generation) cleaned = new WeakMap()
      generation = this.#redactor.generation
      const done = cleaned.get(part) ?? clean(part, ...more)
      cleaned.set(part, done)
      return done
    }
  }
}

export function withCleanMessage<Of extends { statusMessage: string | undefined }>(
  revision: Of,
  redactFreeText: Redact,
): Of {
  const { statusMessage } = revision
  return { ...revision, statusMessage: statusMessage && redactFreeText(statusMessage) }
}

/** The fields that the schemas have dropped from what an event reports. */
export function droppedIn(event: RunEvent): readonly string[] {
  if (event.kind === 'during-rollback' || event.kind === 'of-deployment') return droppedIn(event.event)
  const reported = [
    'deployment' in event ? event.deployment : undefined,
    'revision' in event ? event.revision : undefined,
    'current' in event ? event.current : undefined,
  ]
  return reported.flatMap((one) => one?.dropped ?? [])
}
