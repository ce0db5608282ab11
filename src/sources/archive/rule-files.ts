import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { charsetOf, MAX_TEXT_BYTES, readWhole } from '../../files.ts'
import { listNames, MAX_NAMED } from '../../problem.ts'
import { codeOf, quote } from '../workspace-path.ts'
import { namesBroughtBack } from './left-out.ts'

/** The ignore files whose rules apply to a source. */
export class RuleFiles {
  readonly #root: string
  readonly #notUtf8: string[] = []
  /** Names that the files in the root itself bring back. */
  readonly broughtBack = new Set<string>()

  constructor(root: string) {
    this.#root = root
  }

  /**
   * Reads the rules of a file; `undefined` if there is no such file.
   * @throws Error with the end of a sentence that begins with the source's path. Without its rules, secrets could be packed.
   */
  async read(file: string): Promise<string | undefined> {
    const bytes = await bytesOf(file)
    if (bytes === undefined) return undefined
    const { text, isSound } = decode(bytes)
    if (text.includes('\0'))
      throw new Error(`has the ignore file ${quote(file)}, which has NUL bytes: save it as UTF-8 text`)
    if (!isSound) this.#notUtf8.push(file)
    if (path.dirname(file) === this.#root) for (const name of namesBroughtBack(text)) this.broughtBack.add(name)
    return text
  }

  /** Warnings about the files read so far, as sentences without a full stop. */
  warnings(): string[] {
    const files = this.#notUtf8
    if (files.length === 0) return []
    const [which, them] = files.length === 1 ? ['an ignore file that is', 'it'] : ['ignore files that are', 'them']
    const names = listNames(files, MAX_NAMED.clause, quote)
    return [
      `source-path has ${which} not UTF-8 (${names}): rules with other characters than ASCII may ignore nothing; save ${them} as UTF-8`,
    ]
  }
}

async function bytesOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readWhole(await realpath(file), MAX_TEXT_BYTES)
  } catch (thrown) {
    const code = codeOf(thrown)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Error(`has the ignore file ${quote(file)}, which cannot be read (${code})`, { cause: thrown })
  }
}

/** Decodes a text without its byte order mark. PowerShell writes UTF-16 with one. */
function decode(bytes: Buffer): { text: string; isSound: boolean } {
  const charset = charsetOf(bytes)
  try {
    return { text: new TextDecoder(charset, { fatal: true }).decode(bytes), isSound: true }
  } catch {
    return { text: new TextDecoder(charset).decode(bytes), isSound: false }
  }
}
