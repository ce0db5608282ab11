import { unquoted } from './bytes.ts'
import { KnownSecrets } from './redact-stream.ts'

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

/** What else is taken out, of keys and of values; of values no less than of keys. */
export interface KnownInside {
  keys: KnownSecrets
  values: KnownSecrets
}

interface Text {
  role: Role
  /** What is needed of it later. */
  kept: string
  /** It began in this very piece. */
  isWhole: boolean
}

type Role = 'key' | 'value' | 'secret' | 'door'

const OPENS_DOORS = /^(.*_)?(token|api_key|password|upload_url)$/i
const NOTHING: KnownInside = { keys: new KnownSecrets([], 'json'), values: new KnownSecrets([], 'json') }
const MAX_KEPT = 64 * 1024
const IN_PLACE = '***'
/** What stands between strings, numbers and the like. */
const BETWEEN = '{}[]:," \t\r\n'

/**
 * Reads a JSON text piece by piece, of any length, and writes it on with the values of `secrets` left out (contract,
 * "Deployment" and "Secret": an answer may carry them), and without what is known to be secret. Pieces are strings of bytes (latin1), as all that JSON is built
 * of is ASCII. What is no JSON is handed on somehow, and never fails.
 */
export class HiddenValues {
  readonly found: FoundValues = { secrets: [], keys: [] }
  readonly #stack: Container[] = []
  readonly #known: KnownInside
  /** The string that we are in. */
  #text: Text | undefined
  #isEscaped = false
  /** The number, or the like, that we are in: what came of it in the pieces before. */
  #bare: string | undefined

  constructor(known: KnownInside = NOTHING) {
    this.#known = known
  }

  /** Gives the next piece as it may be handed on. */
  pass(piece: string): string {
    // In most of them is nothing at all: those are not looked through string by string.
    const isSuspicious = this.#known.values.isIn(piece)
    let out = ''
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const character = piece.charAt(at)
      if (this.#text !== undefined) {
        if (!this.#endsWith(character)) continue
        out += `${this.#endOfText(this.#text, piece.slice(from, at), isSuspicious)}"`
        from = at + 1
        this.#close(this.#text)
      } else if (!BETWEEN.includes(character)) {
        if (this.#bare !== undefined) continue
        out += piece.slice(from, at)
        from = at
        this.#bare = ''
      } else {
        if (this.#bare !== undefined) {
          out += this.#endOfBare(piece.slice(from, at))
          from = at
        }
        if (character === '"') {
          out += piece.slice(from, at + 1)
          from = at + 1
          this.#text = { role: this.#roleOfNext(), kept: '', isWhole: true }
        } else this.#structure(character)
      }
    }
    return out + this.#beginningOf(piece.slice(from))
  }

  /** What was held back, as it might have gone on. Of a secret that was cut off nothing is handed on. */
  end(): string {
    if (this.#bare !== undefined) return this.#endOfBare('')
    const text = this.#text
    if (text === undefined) return ''
    const out = text.role === 'secret' ? IN_PLACE : this.#knownIn(text).end()
    this.#close(text)
    return out
  }

  /** Of something that may go on in the next piece, what may be handed on by now. */
  #beginningOf(rest: string): string {
    if (this.#text !== undefined) {
      this.#text.isWhole = false
      return this.#text.role === 'secret' ? '' : this.#knownIn(this.#text).pass(rest)
    }
    if (this.#bare === undefined) return rest
    this.#bare += rest
    if (this.#bare.length < MAX_KEPT) return ''
    // No number is so long: it is no JSON.
    const out = this.#isSecretPlace() ? '' : this.#bare
    this.#bare = ''
    return out
  }

  #endOfText(text: Text, rest: string, isSuspicious: boolean): string {
    if (text.role === 'secret') return IN_PLACE
    if (text.isWhole && !isSuspicious) return rest
    const known = this.#knownIn(text)
    return known.pass(rest) + known.end()
  }

  #knownIn({ role }: Text): KnownSecrets {
    return role === 'key' ? this.#known.keys : this.#known.values
  }

  #endOfBare(rest: string): string {
    const token = (this.#bare ?? '') + rest
    this.#bare = undefined
    const isHidden = this.#isSecretPlace() && token !== 'null'
    // To mask a word like true would blank out half of the log.
    if (isHidden && /\d/.test(token)) this.found.secrets.push(token)
    // In an error a number may equal a value that is plain: keys are the measure of what can be told from the rest.
    return isHidden || this.#known.keys.isOne(token) ? `"${IN_PLACE}"` : token
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

  #isSecretPlace(): boolean {
    const inside = this.#stack.at(-1)
    return inside?.isSecret === true && inside.key !== 'name'
  }

  #roleOfNext(): Role {
    const inside = this.#stack.at(-1)
    if (inside === undefined) return 'value'
    if (inside.kind === 'object' && inside.expectsKey) return 'key'
    if (this.#isSecretPlace() || inside.key === 'secrets') return 'secret'
    return OPENS_DOORS.test(inside.key) ? 'door' : 'value'
  }

  #close({ role, kept }: Text): void {
    this.#text = undefined
    const inside = this.#stack.at(-1)
    if (role === 'key' && inside !== undefined) {
      inside.key = kept.includes('\\') ? unquoted(kept) : kept
      inside.expectsKey = false
    }
    if (role === 'secret') this.found.secrets.push(unquoted(kept))
    if (role === 'door') this.found.keys.push(unquoted(kept))
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
