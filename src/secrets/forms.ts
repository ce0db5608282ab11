import { asBytes, plainText } from './text.ts'
import { MIN_SECRET_LENGTH } from './secret-index.ts'

export function piecesOf(value: string): string[] {
  return [value, ...value.split(/\r\n?|\n/).map((line) => line.trim())]
}

/** A piece of a secret as it is, inside JSON and inside an address. A short one, as `{`, stays short when it is encoded. */
export function formsOf(piece: string): string[] {
  if (!isLongEnough(piece)) return []
  const escaped = [JSON.stringify(piece).slice(1, -1), encodeSafely(piece)]
  const forms = [piece, ...escaped]
  const inQuery = escaped.map((form) => form.replaceAll('%20', '+'))
  return [...forms, ...inQuery, ...forms.map(plainText)].filter(isLongEnough)
}

/** In bytes: what is shorter is part of other texts by chance when it is encoded. */
const MIN_ENCODED = 8

/**
 * The forms of a secret in text that was encoded as base64 or hex, with other text around it or without. Base64 makes
 * four characters of three bytes: a secret has three forms, without the characters at its ends that depend on the text
 * around it. Both alphabets are there, and the common one also as in an address and as some servers write it into JSON.
 */
export function encodedFormsOf(secret: string): string[] {
  const shifted = Buffer.from(`\0\0${secret}`)
  const bytes = shifted.length - 2
  if (bytes < MIN_ENCODED) return []
  const hex = shifted.toString('hex', 2)
  const forms = [hex, hex.toUpperCase()]
  for (const before of [0, 1, 2]) {
    const whole = shifted.toString('base64', 2 - before)
    const form = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes) * 8) / 6))
    forms.push(form)
    // Most of the time is spent here: a form with neither sign has one spelling.
    if (!/[+/]/.test(form)) continue
    const inAddress = form.replaceAll('+', '%2B').replaceAll('/', '%2F')
    forms.push(form.replaceAll('+', '-').replaceAll('/', '_'), inAddress)
    forms.push(inAddress.replaceAll('%2B', '%2b').replaceAll('%2F', '%2f'))
    if (form.includes('/')) forms.push(form.replaceAll('/', String.raw`\/`))
  }
  return forms
}

/** Quotes in the lines of an input are no part of the value. */
export function unquoted(piece: string): string {
  return piece.replace(/^(["'])(.*)\1$/, '$2')
}

export function isLongEnough(form: string): boolean {
  return form.length >= MIN_SECRET_LENGTH
}

export const ESCAPE = /%[0-7][0-9a-f]/i

/** A text as it is, and with its characters decoded until nothing changes; + counts as a blank in both. */
export function formsToCompare(text: string): string[] {
  const encoded = text.replace(/[^\p{ASCII}]+/gu, encodeSafely)
  return [text, decodeSafely(encoded)].map((form) => form.toLowerCase().replaceAll('+', ' '))
}

const CODE = /^[0-7][0-9a-f]$/i

/**
 * Each percent-encoded character of ASCII by itself: a single one that is not valid hides nothing. A decoded character may
 * complete another code, however often a text is encoded: one pass over the text decodes all levels.
 */
function decodeSafely(text: string): string {
  if (!ESCAPE.test(text)) return text
  const signs: string[] = []
  for (const sign of text) {
    signs.push(sign)
    for (let code = ''; signs.at(-3) === '%'; signs.splice(-3, 3, String.fromCharCode(parseInt(code, 16)))) {
      code = signs.slice(-2).join('')
      if (!CODE.test(code)) break
    }
  }
  return signs.join('')
}

/** A lone surrogate cannot be percent-encoded. */
function encodeSafely(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : ''
}

/** Returns the forms of secrets in an answer: as bytes (latin1), between the quotes of a JSON string or in any text. */
export function formsInAnswer(secrets: readonly string[], where: 'text' | 'json'): string[] {
  const forms = secrets
    .filter(isLongEnough)
    .flatMap((text) => [...new Set([text, ...addressForms(text), ...pageForms(text)])])
    .flatMap((text) => (where === 'json' ? jsonForms(text) : [text, ...jsonForms(text)]))
  return [...new Set(forms.map(asBytes))]
}

/** Returns the ways in which a text is written into an address, and those into the address of an address. */
function addressForms(text: string): string[] {
  if (!text.isWellFormed()) return []
  const query = new URLSearchParams({ '': text }).toString().slice(1)
  const once = [
    encodeURIComponent(text),
    encodeURI(text),
    query,
    query.replaceAll('+', '%20'),
    text.replaceAll(' ', '+'),
  ]
  const forms = [...once, ...once.map(encodeURIComponent)]
  return [...forms, ...forms.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))]
}

function pageForms(text: string): string[] {
  return ['&#39;', '&#x27;', '&apos;', "'"].map((quote) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", quote),
  )
}

/** Returns the ways in which servers write a text into JSON: some escape more than they have to. */
function jsonForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1)
  const ascii = escaped(plain, /[^\u0000-\u007f]/g)
  const upper = ascii.replace(/\\u[0-9a-f]{4}/g, (escape) => String.raw`\u${escape.slice(2).toUpperCase()}`)
  const forms = [plain, ascii, upper, escaped(plain, /[<>&'+]/g)]
  return [...forms, ...forms.map((form) => form.replaceAll('/', String.raw`\/`))]
}

function escaped(text: string, which: RegExp): string {
  return text.replace(which, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
