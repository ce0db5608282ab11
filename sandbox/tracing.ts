type Fields = Readonly<Record<string, unknown>>

/** Stores feedback. The contract hardly describes its fields, so they are kept unchanged. */
export class Tracing {
  #feedback: Fields[] = []
  readonly newId: () => string

  constructor(newId: () => string) {
    this.newId = newId
  }

  addFeedback(fields: Fields): Fields {
    const feedback = { ...fields, id: this.newId() }
    this.#feedback = [...this.#feedback, feedback]
    return feedback
  }

  /** Filters by project and thread; a filter that is not set matches all. */
  feedback(wanted: Fields): Fields[] {
    return this.#feedback.filter((one) =>
      Object.entries(wanted).every(([name, value]) => value === undefined || one[name] === value),
    )
  }
}
