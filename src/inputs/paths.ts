import { withoutEnd } from '../secrets/text.ts'
import { comparedName } from '../sources/disk-path.ts'
import { readWrittenPath } from '../sources/workspace-path.ts'
import type { Environment } from '../world.ts'
import { didYouMean } from './hint.ts'
import { type FormParser, text, Unacceptable, withForm } from './parsers.ts'
import type { InputReader } from './reader.ts'

type PathInput = 'source-path' | 'secrets-file' | 'manifest' | 'file'

/** Returns the path with `/`; undefined if it is refused, which is reported. */
export function readPathOf(
  read: InputReader,
  input: PathInput,
  writtenPath: string,
  env: Environment,
): string | undefined {
  const written = readWrittenPath(writtenPath, env)
  if (written.kind === 'path') return written.path
  read.refuse(input, written.message, writtenPath)
  return undefined
}

/** The surroundings of a path. `workspace`: to find the relative path that an absolute one means. */
interface PathSurroundings {
  env: Environment
  workspace: string
}

/** An absolute path of any system. No shell replaces a `~`. */
const ABSOLUTE = '(?:[A-Za-z]:|~)?[\\\\/]'
const FOLDER = '(?:.*[\\\\/])?\\.{0,2}$'
const IS_ABSOLUTE = new RegExp(`^${ABSOLUTE}`)
const IS_FOLDER = new RegExp(`^${FOLDER}`)
/** Folders that are at the top of a machine, and of no repository. */
const OF_MACHINE = /^(?:~|[A-Za-z]:|\/(?:home|Users|github|tmp|root|opt|var|mnt|__w)(?=\/))/

/** Takes the path of the app's configuration file, which is sent with `/`. */
export function configPath({ env, workspace }: PathSurroundings): FormParser<string> {
  const description =
    'the path of a file, relative to the top of the repository or to source-path, as in src/agent.json'
  const form = { ...text.form, description, pattern: new RegExp(`^(?!${ABSOLUTE})(?!${FOLDER})`) }
  return withForm(form, (writtenPath) => {
    text(writtenPath)
    const plain = writtenPath.replaceAll('\\', '/')
    if (IS_ABSOLUTE.test(plain))
      throw new Unacceptable(
        `must be ${description}, and this one is absolute${didYouMean(relativePath(plain, { env, workspace }))}`,
      )
    const written = readWrittenPath(writtenPath, env)
    if (written.kind === 'refused') throw new Unacceptable(written.message)
    if (IS_FOLDER.test(plain)) {
      const file = withoutEnd(plain, '/')
      throw new Unacceptable(
        `must be ${description}, and this one is a folder${didYouMean(isJson(file) ? file : undefined)}`,
      )
    }
    if (leadsOut(plain))
      throw new Unacceptable(`must be ${description}, and this one leads out of it: the build has no file from there`)
    return written.path
  })
}

/** Other names of the workspace: a container mounts it there. */
const WORKSPACES = ['/github/workspace']

/** Systems whose disks usually find a file by its name in another case, too. */
const WITHOUT_CASE: readonly (string | undefined)[] = ['Windows', 'macOS']

function relativePath(absolute: string, { env, workspace }: PathSurroundings): string | undefined {
  const tops = [workspace.replaceAll('\\', '/').replace(/\/$/, ''), ...WORKSPACES]
  const nameOnDisk = WITHOUT_CASE.includes(env['RUNNER_OS']) ? comparedName : (name: string): string => name
  const relative = tops.map((top) => below(top, absolute, nameOnDisk)).find((path) => path !== undefined)
  const path = (relative ?? (OF_MACHINE.test(absolute) ? '' : absolute)).replace(/^\/+/, '')
  return IS_FOLDER.test(path) || leadsOut(path) ? undefined : path
}

/** Returns the path from a folder to a file; undefined if the file is not in it, or the folder is not known. */
function below(top: string, file: string, nameOnDisk: (name: string) => string): string | undefined {
  const [folders, names] = [top.split('/'), file.split('/')]
  const isInside = top !== '' && folders.every((name, depth) => nameOnDisk(name) === nameOnDisk(names[depth] ?? ''))
  return isInside ? names.slice(folders.length).join('/') : undefined
}

/** Whether `..` leads above the folder in which the path begins. */
function leadsOut(path: string): boolean {
  let depth = 0
  return path.split('/').some((part) => {
    if (part !== '' && part !== '.') depth += part === '..' ? -1 : 1
    return depth < 0
  })
}

/** Reads the path of the app's configuration file, and warns of a file that is hardly one. */
export function readConfigPath(read: InputReader, at: PathSurroundings): string | undefined {
  const path = read.optional('app-config-path', configPath(at))
  if (path !== undefined && !isJson(path))
    read.warn('app-config-path', `is ${path}, which does not end in .json: the configuration of an app is a JSON file`)
  return path
}

function isJson(path: string): boolean {
  return /\.json$/i.test(path)
}
