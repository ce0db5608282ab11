/** Values of `secrets`, and credentials, which stay in the text: the log must mask both. */
export class FoundSecrets {
  readonly #values = new Set<string>()
  readonly #maxCount: number
  #charactersLeft: number

  constructor(maxCount: number, maxCharacters: number) {
    this.#maxCount = maxCount
    this.#charactersLeft = maxCharacters
  }

  get all(): string[] {
    return [...this.#values]
  }

  get isFull(): boolean {
    return this.#values.size >= this.#maxCount || this.#charactersLeft <= 0
  }

  add(value: string): void {
    if (this.isFull || this.#values.has(value)) return
    this.#values.add(value)
    this.#charactersLeft -= value.length
  }
}
