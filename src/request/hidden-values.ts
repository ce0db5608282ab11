/** What a scanner found in a JSON text. */
export interface FoundValues {
  /** Values of a `secrets` list: never to be handed on. */
  secrets: string[]
  /** Values that open doors, like a minted token: handed on, as somebody asked for them, and masked in the log. */
  keys: string[]
}

interface Container {
  kind: 'object' | 'array'
  /** It stands in a list or an object named `secrets`. */
  isSecret: boolean
  /** Of an object: the key whose value comes next. */
  key: string
  expectsKey: boolean
}

const OPENS_DOORS = /^(.*_)?(token|api_key|password|upload_url)$/i
const MAX_KEPT = 64 * 1024
const IN_PLACE = '"***"'

/**
 * Reads a JSON text piece by piece, of any length, and writes it on with the values of `secrets` left out (contract,
 * "Deployment" and "Secret": an answer may carry them). Pieces are strings of bytes (latin1), as all that JSON is built
 * of is ASCII. What is no JSON is handed on somehow, and never fails.
 */
export class HiddenValues {
  readonly found: FoundValues = { secrets: [], keys: [] }
  readonly #stack: Container[] = []
  /** The string that we are in: what is kept of it, and what becomes of it. */
  #text: { role: 'key' | 'value' | 'secret' | 'door'; kept: string } | undefined
  #isEscaped = false

  /** Gives the next piece as it may be handed on. */
  pass(piece: string): string {
    let out = ''
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const character = piece.charAt(at)
      if (this.#text !== undefined) {
        if (!this.#endsWith(character)) continue
        if (this.#text.role !== 'secret') out += piece.slice(from, at + 1)
        from = at + 1
        this.#close(this.#text)
      } else if (character === '"') {
        const role = this.#roleOfNext()
        this.#text = { role, kept: '' }
        if (role !== 'secret') continue
        out += piece.slice(from, at) + IN_PLACE
        from = at + 1
      } else this.#structure(character)
    }
    if (this.#text?.role !== 'secret') out += piece.slice(from)
    return out
  }

  /** Takes one character of a string; whether it is the one that ends it. */
  #endsWith(character: string): boolean {
    const text = this.#text
    if (text === undefined) return false
    if (!this.#isEscaped && character === '"') return true
    this.#isEscaped = !this.#isEscaped && character === '\\'
    if (text.role !== 'value' && text.kept.length < MAX_KEPT) text.kept += character
    return false
  }

  #roleOfNext(): 'key' | 'value' | 'secret' | 'door' {
    const inside = this.#stack.at(-1)
    if (inside?.kind === 'object' && inside.expectsKey) return 'key'
    if (inside?.isSecret === true && inside.key !== 'name') return 'secret'
    return inside !== undefined && OPENS_DOORS.test(inside.key) ? 'door' : 'value'
  }

  #close({ role, kept }: { role: string; kept: string }): void {
    this.#text = undefined
    const inside = this.#stack.at(-1)
    if (role === 'key' && inside !== undefined) {
      inside.key = kept
      inside.expectsKey = false
    }
    if (role === 'secret') this.found.secrets.push(decoded(kept))
    if (role === 'door') this.found.keys.push(decoded(kept))
  }

  #structure(character: string): void {
    const inside = this.#stack.at(-1)
    switch (character) {
      case '{':
      case '[': {
        const kind = character === '{' ? 'object' : 'array'
        const isSecret = inside?.isSecret === true || inside?.key === 'secrets'
        // The items of a list stand under the list's own key.
        const key = kind === 'array' ? (inside?.key ?? '') : ''
        this.#stack.push({ kind, isSecret, key, expectsKey: kind === 'object' })
        return
      }
      case '}':
      case ']':
        this.#stack.pop()
        return
      case ',':
        if (inside !== undefined) inside.expectsKey = inside.kind === 'object'
        return
      default:
        return
    }
  }
}

/** From bytes of JSON to the text that they stand for. */
function decoded(kept: string): string {
  const text = Buffer.from(kept, 'latin1').toString('utf8')
  try {
    const value: unknown = JSON.parse(`"${text}"`)
    return String(value)
  } catch {
    return text
  }
}
