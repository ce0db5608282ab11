const TERMINAL_ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Invisible characters, and those that change the direction of writing: a reader would see another text. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Printable text, with its line breaks. */
export function plainText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(TERMINAL_ESCAPES, '').replace(CONTROLS, '').replace(INVISIBLE, '')
}

/** A part of a text, from its first character to the one behind its last. */
export type Stretch = [start: number, end: number]

/** Replaces parts of a text; they are sorted. A part that begins inside the previous one is not replaced again. */
export function replaced(text: string, parts: Iterable<Stretch>, by: (part: string) => string = () => '***'): string {
  let result = ''
  let from = 0
  for (const [start, end] of parts) {
    if (start < from) continue
    result += text.slice(from, start) + by(text.slice(start, end))
    from = end
  }
  return result + text.slice(from)
}

/** Returns where each line starts in the joined text, and where another line after them would start. */
export function startsOf(lines: readonly string[], separator: string): number[] {
  let next = 0
  return [0, ...lines.map((line) => (next += line.length + separator.length))]
}

/** Cuts a line after `max` characters. Secrets are removed before: half of one is not recognised. */
export function shortLine(line: string, max: number): string {
  return line.length > max ? `${startOf(line, max)}… (cut)` : line
}

/** The first `max` UTF-16 units of a text, or one less: a character that two of them encode is not split. */
export function startOf(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
}

/** Removes these signs from the end of a text. An expression like `/\/+$/` takes minutes if they are repeated elsewhere. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Returns the text's bytes as a string (latin1): a piece of a response may end inside a character. */
export function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function asText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The form by which public texts are compared: without the case of letters, the folder of a ref and the end of an address. */
export function comparable(text: string): string {
  const name = shortRef(text.trim().toLowerCase())
  return withoutEnd(withoutEnd(name, '/').replace(/\.git$/, ''), '/')
}

/** The name of a deployment, and that of the deployment whose preview it is. */
export function partsOfName(name: string): string[] {
  return [name, name.replace(/-pr-\d+$/, '')]
}

/** As git shows a ref: without its folder. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '')
}

/** As git shows a commit. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 7)
}

/** As in `main@1111111`, as far as they are known, each as git shows it; undefined if neither is. */
export function refAtCommit(ref: string | undefined, commit: string | undefined): string | undefined {
  const parts = [ref === undefined ? [] : shortRef(ref), commit ? shortCommit(commit) : []].flat()
  return parts.length === 0 ? undefined : parts.join('@')
}

export function partsOfCommit(commit: string): string[] {
  return [commit, shortCommit(commit)]
}

/** An address, its host and the parts of its path, such as the owner and the name of a repository. */
export function partsOfAddress(address: string): string[] {
  const url = URL.parse(address)
  if (url === null) return []
  const path = url.pathname.slice(1)
  return [...partsOfHost(address), `${url.origin}/${path}`, `${url.host}/${path}`, path, ...path.split('/')]
}

/** An address, its host and its whole path. The parts of the path are not public: one may be a token. */
export function partsOfService(address: string): string[] {
  const url = URL.parse(address)
  return url === null ? [] : [...partsOfHost(address), `${url.origin}${url.pathname}`]
}

/** The host of an address, without the path, which may contain a token. */
export function partsOfHost(address: string): string[] {
  const url = URL.parse(address)
  return url === null ? [] : [url.origin, url.host, url.hostname]
}
