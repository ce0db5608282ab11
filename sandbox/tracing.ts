import { refuse } from './answers.ts'

type Fields = Readonly<Record<string, unknown>>

/** Stores feedback and its formulas. The contract hardly describes their fields, so they are kept unchanged. */
export class Tracing {
  #feedback: Fields[] = []
  #formulas: Fields[] = []
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

  addFormula(fields: Fields): Fields {
    const formula = { ...fields, id: this.newId() }
    this.#formulas = [...this.#formulas, formula]
    return formula
  }

  formulas(): readonly Fields[] {
    return this.#formulas
  }

  formula(id: string): Fields {
    const found = this.#formulas.find((one) => one['id'] === id)
    if (found === undefined) throw refuse(404, `Feedback formula ID ${id} not found.`)
    return found
  }

  replaceFormula(id: string, fields: Fields): Fields {
    this.formula(id)
    const formula = { ...fields, id }
    this.#formulas = this.#formulas.map((one) => (one['id'] === id ? formula : one))
    return formula
  }

  deleteFormula(id: string): void {
    this.formula(id)
    this.#formulas = this.#formulas.filter((one) => one['id'] !== id)
  }
}
