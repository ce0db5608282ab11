import { replaced, type Stretch } from './text.ts'

/** The part of an address that is, or may be, user info. The slashes before it may be missing, doubled or reversed. */
interface UserInfo {
  /** The place in the address where the user info begins. */
  start: number
  /** The place of the @ that ends it. Without one, the whole of an address that cannot be parsed counts. */
  end: number
  /** `undefined` if there is only a user name, as in `git@host`. */
  password: string | undefined
}

/** The scheme with its slashes. The web's schemes need none; any other word before a colon may be a user name. */
const SCHEME = /^\s*(?:https?:[\\/]*|(?:git\+)?(?:https?|ssh|git):\/\/|[\\/]*)/i
const COMPLETE_SCHEME = /:\/\/$/
/** The digest of an image, which an @ precedes as well. */
const DIGEST = /@sha\d+:[0-9a-f]*$/i
const IP_LITERAL = /^\[[0-9a-f:.]*\]/i

/**
 * Finds the user info of an address, malformed or not. A password may contain any character, so everything before the
 * last @ counts if it contains a colon; a path or a query with an @ after a colon is no different.
 */
export function userInfoOf(input: string): UserInfo | undefined {
  const address = narrow(input)
  const [scheme = ''] = SCHEME.exec(address) ?? []
  const start = scheme.length
  const rest = address.replace(DIGEST, '').slice(start)
  const url = URL.parse(address.replace(/^\s*\{url\}/, 'https://deployment'))
  const isUsable = url !== null && url.hostname !== ''
  // A URL parser does not find a host that an encoded @ precedes.
  const signs = [...rest.matchAll(isUsable ? /@/g : /@|%40/g)]
  const length = signs.at(-1)?.index
  if (length === undefined) {
    const isSuspect = !isUsable && /[\\/]$/.test(scheme) && rest.includes(':')
    return isSuspect ? { start, end: address.length, password: afterColon(rest) } : undefined
  }
  const userInfo = rest.slice(0, length)
  const place = { start, end: start + length }
  const colon = userInfo.replace(IP_LITERAL, '').includes(':')
  if (colon) return { ...place, password: afterColon(userInfo) }
  // In `http:pass@host`, http may be the user.
  if (scheme.includes(':') && !COMPLETE_SCHEME.test(scheme)) return { ...place, password: userInfo }
  const isPath = isUsable && /^https?:$/.test(url.protocol) && url.username === ''
  return isPath ? undefined : { ...place, password: undefined }
}

/** Full-width forms, as in `：` and `＠`, become the characters that a URL parser takes them for. Each keeps its place. */
function narrow(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (sign) => {
    const plain = sign.normalize('NFKC')
    return plain.length === 1 ? plain : sign
  })
}

function afterColon(text: string): string {
  return text.slice(text.indexOf(':') + 1)
}

export function withoutUserInfo(address: string): string {
  const userInfo = userInfoOf(address)
  return userInfo === undefined ? address : `${address.slice(0, userInfo.start)}***${address.slice(userInfo.end)}`
}

/** A user name of this many characters may be a token. Shorter ones, like `git`, are words that a log contains. */
const MIN_TOKEN_LENGTH = 16

/** Lists the texts of an address that must be masked: the password, the whole user info, and their decoded forms. */
export function secretsOfAddress(address: string): string[] {
  const userInfo = userInfoOf(address)
  if (userInfo === undefined) return []
  const whole = address.slice(userInfo.start, userInfo.end)
  const { username = '', password: parsed = '' } = URL.parse(address) ?? {}
  const [user = ''] = whole.split(/[:：]/)
  const tokens = [user, username].filter((name) => name.length >= MIN_TOKEN_LENGTH)
  const { password } = userInfo
  const asWritten = address.slice(userInfo.end - (password?.length ?? 0), userInfo.end)
  const secrets =
    password === undefined ? tokens : [whole, password, asWritten, afterScheme(password), parsed, ...tokens]
  return [...new Set(secrets.flatMap((secret) => [secret, decoded(secret)]))].filter((secret) => secret !== '')
}

/** In `postgres://me:pass@host`, the first colon precedes the user name. */
function afterScheme(password: string): string {
  return /^[\\/]{2}/.test(password) ? afterColon(password) : ''
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // One escape that is broken does not keep the others from being decoded.
    return text.replace(/%[0-7][0-9a-f]/gi, (code) => decodeURIComponent(code))
  }
}

/** The beginning of an address inside another text, as in a command, with the first character after its slashes. */
const EMBEDDED = /[a-z][a-z0-9+.-]{0,20}:[\\/]{1,4}[^\s\\/]/gi
/** The characters of an embedded address after its beginning, up to its last @. */
const MAX_EMBEDDED = 1_000

/** Finds the addresses in a text, each up to its last @. Each character of the text is looked at a few times only. */
export function embeddedIn(text: string): Stretch[] {
  const stretches: Stretch[] = []
  for (const { 0: word, index: offset } of text.matchAll(/\S+/g)) {
    const signs = [...word.matchAll(/@/g)].map(({ index }) => index)
    let passed = 0
    const head = new RegExp(EMBEDDED)
    for (let begun = head.exec(word); begun !== null; begun = head.exec(word)) {
      const from = head.lastIndex
      while ((signs[passed] ?? Infinity) <= from + MAX_EMBEDDED) passed++
      const sign = signs[passed - 1] ?? -1
      // The last character of a beginning may begin another one.
      head.lastIndex = sign < from ? from - 1 : sign + 1
      if (sign >= from) stretches.push([offset + begun.index, offset + sign + 1])
    }
  }
  return stretches
}

export function withoutEmbeddedUserInfo(text: string): string {
  return replaced(text, embeddedIn(text), (address) => (hasLogin(address) ? withoutUserInfo(address) : address))
}

/** Lists the texts that must be masked of the addresses that a text contains. */
export function secretsOfText(text: string): string[] {
  const addresses = embeddedIn(text).map((part) => text.slice(...part))
  return addresses.filter(hasLogin).flatMap(secretsOfAddress)
}

/** Lists the passwords of the addresses that a text contains, decoded. */
export function passwordsIn(text: string): string[] {
  return embeddedIn(text).flatMap((part) => {
    const address = text.slice(...part)
    const url = URL.parse(`${address}host`)
    if (url !== null) return url.password === '' ? [] : [decoded(url.password)]
    const login = address.slice(0, -1).replace(/^[^:]*:[\\/]*/, '')
    return login.includes(':') ? [decoded(afterColon(login))] : []
  })
}

/** The address is in use, so an @ in its path is no sign of user info. */
function hasLogin(address: string): boolean {
  const url = URL.parse(`${address}host`)
  return url === null || url.username !== '' || url.password !== ''
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname)
}

/** Whether what is sent to the address leaves this machine in plain text. */
export function isUnencrypted(url: URL): boolean {
  return url.protocol === 'http:' && !isLoopback(url)
}

/** A URL parser takes the path of `https:///path` and `https:path` for the host. */
const WITH_HOST = /^\s*https?:\/\/[^\\/?#]/i

/** Parses an address of the web that has a host, and no user info; returns `undefined` for any other text. */
export function webAddressOf(text: string): URL | undefined {
  const url = WITH_HOST.test(text) ? URL.parse(text) : null
  return url === null || url.username !== '' || url.password !== '' ? undefined : url
}
