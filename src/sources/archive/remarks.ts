import path from 'node:path'
import { listNames, MAX_NAMED } from '../../problem.ts'
import { quote } from '../workspace-path.ts'
import { mayHoldValues } from './left-out.ts'

const MB = 1024 * 1024
/** The size of a usual source before packing. A build hardly needs more. */
export const USUAL = { files: 10_000, bytes: 100 * MB }

const MAX_FOLDERS = 3
const EXCLUDE = 'exclude them with .gitignore or .dockerignore'
const CHECKOUT = 'of actions/checkout'

const POINTER = Buffer.from('version https://git-lfs.github.com/spec/v1\n')
const MAX_POINTER_BYTES = 1024
const KEY_NAME = /^id_(?:rsa|dsa|ecdsa|ed25519)$/
const PEM_NAME = /\.(?:pem|key)$/i
const PEM_KEY = /^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/m
const DASH = 0x2d

interface Folder {
  name: string
  files: number
  bytes: number
}

/** Warnings about packed files that are probably not meant to be uploaded. `add` takes each file that is packed. */
export class Remarks {
  readonly #usual: typeof USUAL
  readonly #values: string[] = []
  readonly #pointers: string[] = []
  readonly #keys: string[] = []
  readonly #folders = new Map<string, Folder>()
  #files = 0
  #bytes = 0

  constructor(usual = USUAL) {
    this.#usual = usual
  }

  /** @param beginning the first bytes of the file, in memory that is used again */
  readonly add = (file: string, bytes: number, beginning: Uint8Array): void => {
    const name = path.posix.basename(file)
    if (mayHoldValues(name)) this.#values.push(file)
    if (bytes < MAX_POINTER_BYTES && POINTER.equals(beginning.subarray(0, POINTER.length))) this.#pointers.push(file)
    if (KEY_NAME.test(name) || isPrivateKey(name, beginning)) this.#keys.push(file)
    const folder = folderOf(file)
    const totals = this.#folders.get(folder) ?? { name: folder, files: 0, bytes: 0 }
    this.#folders.set(folder, { ...totals, files: totals.files + 1, bytes: totals.bytes + bytes })
    this.#files += 1
    this.#bytes += bytes
  }

  /** Sentences without a full stop. @param emptySubmodules folders of the source */
  warnings(emptySubmodules: readonly string[]): string[] {
    return [
      ...worded(this.#values, (names) => `contains ${names}: if a value in them is a secret, ${EXCLUDE}`),
      ...worded(
        this.#pointers,
        (names) => `contains pointers of Git LFS in place of files (${names}): set lfs: true ${CHECKOUT}`,
      ),
      ...worded(
        emptySubmodules,
        (names) => `contains submodules that are empty (${names}): set submodules: true ${CHECKOUT}`,
      ),
      ...worded(
        this.#keys,
        (names) => `contains private keys (${names}): ${EXCLUDE}, and replace a key that was uploaded`,
      ),
      ...this.#sizeWarning(),
    ]
  }

  #sizeWarning(): string[] {
    const isLarge = this.#bytes > this.#usual.bytes
    if (!isLarge && this.#files <= this.#usual.files) return []
    const bySize = (one: Folder, other: Folder): number => (isLarge ? other.bytes - one.bytes : other.files - one.files)
    const largest = [...this.#folders.values()].sort(bySize).slice(0, MAX_FOLDERS)
    const folders = largest.map(({ name, files, bytes }) => `${quote(name)} (${sizeText(files, bytes)})`).join(', ')
    const sizeSentence = `source-path has ${sizeText(this.#files, this.#bytes)} before it is packed`
    return [
      `${sizeSentence}: exclude what the build does not need with .gitignore or .dockerignore. Its largest folders are ${folders}`,
    ]
  }
}

function worded(names: readonly string[], word: (names: string) => string): string[] {
  return names.length === 0 ? [] : [`source-path ${word(listNames(names, MAX_NAMED.warning, quote))}`]
}

function sizeText(files: number, bytes: number): string {
  return `${files} ${files === 1 ? 'file' : 'files'}, ${Math.round(bytes / MB)} MB`
}

/** The first two folders of a path: a monorepo has all that is large below one. */
function folderOf(file: string): string {
  const folders = file.split('/').slice(0, -1)
  return folders.length === 0 ? '.' : folders.slice(0, 2).join('/')
}

function isPrivateKey(name: string, beginning: Uint8Array): boolean {
  if (beginning[0] !== DASH && !PEM_NAME.test(name)) return false
  return PEM_KEY.test(Buffer.from(beginning).toString('latin1'))
}
