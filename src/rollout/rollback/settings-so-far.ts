import { AmbiguousWriteError } from '../../control-plane/errors.ts'
import type { Field, Settings } from '../../control-plane/model.ts'
import type { SettingsLeft } from '../event.ts'
import { setFields } from '../plan/settings.ts'
import { leftAsIs, type RestoredSettings } from './automatic-plan.ts'

/** What a rollback has done so far about the settings that the run has set. */
export class SettingsSoFar {
  readonly #restored = new Set<Field>()
  #planned: RestoredSettings
  #unsure: Field[] = []

  constructor(planned: RestoredSettings) {
    this.#planned = planned
  }

  /** The settings of a PATCH whose result is unknown. */
  get unsure(): Field[] {
    return this.#unsure
  }

  get left(): SettingsLeft {
    const { kept, changedSince: theirs } = leftAsIs(this.#planned)
    // The service may write a restored setting in its own way: it is not of others then.
    const changedSince = [...new Set(theirs)].filter((field) => !this.#restored.has(field))
    const known = [...this.#restored, ...changedSince, ...this.#unsure]
    return { restored: [...this.#restored], kept: kept.filter((field) => !known.includes(field)), changedSince }
  }

  /** A plan by a later read. */
  plan(planned: RestoredSettings): void {
    this.#planned = planned
    this.#unsure = []
  }

  /** The same for the settings that need no revision. */
  planAgain(patch: Settings | undefined, changedSince: readonly Field[]): void {
    const { kept, changedSince: before } = this.#planned
    this.plan({ patch, kept, changedSince: [...before, ...changedSince] })
  }

  async restore(send: (patch: Settings) => Promise<unknown>): Promise<void> {
    const { patch } = this.#planned
    if (patch === undefined) return
    const fields = setFields(patch)
    try {
      await send(patch)
    } catch (thrown) {
      if (thrown instanceof AmbiguousWriteError) this.#unsure = fields
      throw thrown
    }
    for (const field of fields) this.#restored.add(field)
  }
}
