import { SecretIndex } from './secret-index.ts'

/** An index of forms of secrets. They are made when needed: secrets become known in batches. */
export class LazyIndex {
  readonly #formsOf: (secret: string) => Iterable<string>
  readonly #forms = new Set<string>()
  /** Secrets whose forms are not made yet. */
  #waiting: string[] = []
  #index: SecretIndex | undefined

  constructor(formsOf: (secret: string) => Iterable<string>) {
    this.#formsOf = formsOf
  }

  add(secrets: readonly string[]): void {
    this.#waiting = this.#waiting.concat(secrets)
  }

  clear(): void {
    this.#forms.clear()
    this.#waiting = []
    this.#index = undefined
  }

  get(): SecretIndex {
    if (this.#index !== undefined && this.#waiting.length === 0) return this.#index
    // The forms of a secret are made once: to make them takes longer than all the rest.
    for (const secret of this.#waiting) for (const form of this.#formsOf(secret)) this.#forms.add(form)
    this.#waiting = []
    this.#index = new SecretIndex(this.#forms)
    return this.#index
  }
}
