/** The settings of a folder of git that decide whether its files are those of a build. */
export interface GitSettings {
  /** The address of the only remote, or of the one named origin. */
  url: string | undefined
  isSparse: boolean
}

/** `[core]`, or `[remote "origin"]`. */
const HEADER = /^\s*\[([\w.-]+)(?:\s+"([^"]*)")?\]/
const REMOTE = 'remote '

/** Reads `.git/config`, which may contain credentials: nothing else of it is kept. */
export function readGitSettings(...texts: readonly string[]): GitSettings {
  const urls = new Map<string, string>()
  let isSparse = false
  for (const text of texts) {
    let section = ''
    for (const line of text.split('\n')) {
      const [header = '', name = '', remote = ''] = HEADER.exec(line) ?? []
      if (name !== '') section = `${name.toLowerCase()} ${remote}`
      const [key = '', ...parts] = line.slice(header.length).split('=')
      const [setting, value] = [key.trim().toLowerCase(), parts.join('=').trim()]
      if (section.startsWith(REMOTE) && setting === 'url') urls.set(section.slice(REMOTE.length), value)
      if (section === 'core ' && setting === 'sparsecheckout') isSparse ||= value.toLowerCase() !== 'false'
    }
  }
  const [only] = urls.size === 1 ? urls.values() : []
  return { url: urls.get('origin') ?? only, isSparse }
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** The commit that HEAD names; undefined if it is unknown. `readRef`: reads a file of the folder. */
export async function readHead(readRef: (file: string) => Promise<string | undefined>): Promise<string | undefined> {
  const head = (await readRef('HEAD'))?.trim() ?? ''
  if (COMMIT.test(head)) return head
  const [, ref] = /^ref: (refs\/[^\s:]+)$/.exec(head) ?? []
  if (ref === undefined || ref.split('/').includes('..')) return undefined
  const loose = (await readRef(ref))?.trim() ?? ''
  if (COMMIT.test(loose)) return loose
  const packed = (await readRef('packed-refs')) ?? ''
  const line = packed.split('\n').find((one) => one.endsWith(` ${ref}`))
  const [commit = ''] = line?.split(' ') ?? []
  return COMMIT.test(commit) ? commit : undefined
}

export interface GitIndex {
  files: string[]
  links: string[]
  submodules: string[]
}

/** The fixed part of an entry, up to its hash. */
const ENTRY_BYTES = 40
const MODE_AT = 24
const EXTENDED = 0x4000
const SKIP_WORKTREE = 0x4000
const MODES = { link: 0o120000, submodule: 0o160000, folder: 0o040000 } as const

/**
 * Lists the files of an index (git's "index-format", versions 2 to 4).
 * @returns undefined if it is none, or if it shows that not all files are checked out
 */
export function readIndex(bytes: Buffer, hashBytes: 20 | 32): GitIndex | undefined {
  const version = bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC' ? 0 : bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return undefined
  const index: GitIndex = { files: [], links: [], submodules: [] }
  let at = 12
  let name = ''
  for (let count = bytes.readUInt32BE(8); count > 0; count--) {
    const entry = readEntry(bytes, { at, hashBytes, isPrefixed: version === 4, lastName: name })
    if (entry === undefined || entry.mode === MODES.folder) return undefined
    at = entry.end
    name = entry.name
    const path = Buffer.from(name, 'latin1').toString()
    if (entry.mode === MODES.link) index.links.push(path)
    else if (entry.mode === MODES.submodule) index.submodules.push(path)
    else index.files.push(path)
  }
  return index
}

interface EntryForm {
  at: number
  hashBytes: 20 | 32
  /** Whether the name continues a part of the last one, as in version 4. */
  isPrefixed: boolean
  /** The bytes as latin1. */
  lastName: string
}

/** Reads an entry and where the next one begins; undefined if it is cut, or if its file is not checked out. */
function readEntry(bytes: Buffer, { at, hashBytes, isPrefixed, lastName }: EntryForm) {
  const flagsAt = at + ENTRY_BYTES + hashBytes
  if (flagsAt + 4 > bytes.length) return undefined
  const mode = bytes.readUInt32BE(at + MODE_AT) & 0o170000
  const isExtended = (bytes.readUInt16BE(flagsAt) & EXTENDED) !== 0
  if (isExtended && (bytes.readUInt16BE(flagsAt + 2) & SKIP_WORKTREE) !== 0) return undefined
  const nameAt = flagsAt + (isExtended ? 4 : 2)
  const { kept, textAt } = isPrefixed ? prefixOf(bytes, nameAt, lastName) : { kept: '', textAt: nameAt }
  const end = bytes.indexOf(0, textAt)
  if (end < 0) return undefined
  // An entry is padded to a multiple of eight bytes, by one at least.
  const next = isPrefixed ? end + 1 : at + ((end - at + 8) & ~7)
  return { mode, name: kept + bytes.toString('latin1', textAt, end), end: next }
}

/** In version 4, a number of bytes to remove from the end of the last name precedes the rest of the name. */
function prefixOf(bytes: Buffer, at: number, last: string): { kept: string; textAt: number } {
  let byte = bytes[at] ?? 0
  let removed = byte & 0x7f
  let textAt = at + 1
  while ((byte & 0x80) !== 0) {
    byte = bytes[textAt] ?? 0
    removed = ((removed + 1) << 7) | (byte & 0x7f)
    textAt += 1
  }
  return { kept: last.slice(0, Math.max(0, last.length - removed)), textAt }
}
