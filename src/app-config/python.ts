import path from 'node:path'
import { isIn, parentOf, writtenFrom } from './file-tree.ts'
import { isNoFile, liesOutside, quoted, type AppFacts, type Finding } from './finding.ts'
import { fileProblem } from './named-file.ts'
import type { AppConfig, Dependency, NamedImport } from './schema.ts'

/** Finds what the client refuses in a Python app before any of its dockerfile_lines or commands can run. */
export function checkPython(config: AppConfig, facts: AppFacts): Finding[] {
  const { dependencies, source } = config
  const locals = dependencies.filter(({ text }) => text.startsWith('.'))
  const isCovering = source.kind === 'none' && dependencies.length > 0
  const covered = isCovering ? locals.flatMap((one) => folderOf(one, facts)) : undefined
  return [
    ...(source.kind === 'none' && dependencies.length === 0
      ? [{ level: 'error', at: ['dependencies'], message: NO_DEPENDENCY } as const]
      : []),
    ...(source.kind === 'none' ? dependencies.flatMap(checkText) : []),
    ...(source.kind === 'none' ? locals.flatMap((one) => checkDependency(one, facts)) : []),
    ...graphsAndApp(config).flatMap((one) => checkFile(one, covered, config, facts)),
    ...componentsOf(config).flatMap((one) => checkComponent(one, covered, config, facts)),
    ...(source.kind === 'none' ? locals.flatMap((one) => checkLayout(one, facts)) : []),
  ]
}

const NO_DEPENDENCY = 'has no dependency, and a Python app needs one: add ".", the folder of this file'

/** The client looks at the first letter of each dependency. */
function checkText({ at, text, isText }: Dependency): Finding[] {
  return isText ? [] : [{ level: 'error', at, value: text, message: 'must be a text, such as "."' }]
}

/** Lists the imports whose files the client looks up by their real paths. */
function graphsAndApp({ graphs, http }: AppConfig): NamedImport[] {
  return [...graphs, http].filter((one) => one?.import.kind === 'file').filter((one) => one !== undefined)
}

/** Lists the others that the client looks up: those that begin with a dot, with a source of kind uv all paths. */
function componentsOf({ auth, encryption, checkpointer, source }: AppConfig): NamedImport[] {
  const isLookedUp = ({ import: named }: NamedImport): boolean =>
    named.kind !== 'refused' && (source.kind === 'uv' ? named.kind === 'file' : named.path.startsWith('.'))
  const named = [auth, encryption, checkpointer && withoutName(checkpointer)]
  return named.filter((one) => one !== undefined).filter(isLookedUp)
}

/** The client looks up the file of a checkpointer whose colon has no name behind it. */
function withoutName(checkpointer: NamedImport): NamedImport {
  const { at, import: named } = checkpointer
  if (named.kind !== 'refused' || named.text?.endsWith(':') !== true) return checkpointer
  return { at, import: { kind: 'file', text: named.text, path: named.text.slice(0, -1) } }
}

/**
 * The client compares the path of a component with the dependencies as it is written, with its `..` and its links. One
 * that leads out of them is accepted, although the image may lack the file.
 */
function checkComponent(
  component: NamedImport,
  covered: readonly string[] | undefined,
  config: AppConfig,
  facts: AppFacts,
): Finding[] {
  const findings = checkFile(component, covered, config, facts)
  const { import: named } = component
  if (named.kind === 'refused' || covered === undefined || findings.some(({ missing }) => missing !== undefined))
    return findings
  const written = [...facts.folder.split('/'), ...named.path.split('/')].filter((part) => part !== '' && part !== '.')
  const isCovered = covered.some((folder) => isIn(folder, written.join('/')))
  const isFile = facts.tree.resolve(facts.folder, named.path).kind === 'file'
  if (!isFile) return findings
  if (isCovered) return findings.map((finding) => ({ ...finding, level: 'warning' }))
  const message = `lies in none of the local dependencies as it is written: name it by a path without .. and links`
  return findings.length > 0 ? findings : [{ level: 'error', at: component.at, value: named.text, message }]
}

function checkDependency({ at, text }: Dependency, facts: AppFacts): Finding[] {
  const { tree, folder } = facts
  const place = tree.resolve(folder, text)
  const error = (message: string): Finding => ({ level: 'error', at, value: text, message })
  switch (place.kind) {
    case 'folder':
      return []
    case 'file':
      return [error(`is a file: name its folder, ${quoted([writtenFrom(folder, parentOf(place.at))])}`)]
    case 'outside': {
      const finding = error(liesOutside(place.at, facts))
      // The client accepts a folder above, because one always exists there, but the build has none of its files.
      return [place.isAbove ? { ...finding, level: 'warning' } : finding]
    }
    case 'absolute':
    case 'missing': {
      const plain = withoutExtras(text)
      const isPlain = plain !== text && tree.resolve(folder, plain).kind === 'folder'
      const meant = isPlain ? [plain] : tree.foldersLike(text).map((one) => writtenFrom(folder, one))
      const ask = meant.length === 0 ? '' : `; did you mean ${quoted(meant)}?`
      return [
        { ...error(`${isNoFile('folder', facts)}${ask}`), ...(place.kind === 'missing' && { missing: place.at }) },
      ]
    }
  }
}

/** Removes extras, as in `.[dev]`: only the name of a package can have them. */
function withoutExtras(text: string): string {
  const [path = ''] = text.split('[')
  return text.endsWith(']') ? path : text
}

/** Returns the folder that a local dependency covers. A file counts as its folder, which its error names. */
function folderOf({ text }: Dependency, { tree, folder }: AppFacts): string[] {
  const place = tree.resolve(folder, withoutExtras(text))
  switch (place.kind) {
    case 'folder':
    case 'missing':
      return [place.at]
    case 'file':
      return [parentOf(place.at)]
    case 'outside':
      return place.isAbove ? [''] : []
    case 'absolute':
      return []
  }
}

/** @param covered the folders of the local dependencies; undefined if a source of kind uv has them, or none is set */
function checkFile(
  { at, import: named }: NamedImport,
  covered: readonly string[] | undefined,
  { dependencies }: AppConfig,
  facts: AppFacts,
): Finding[] {
  if (named.kind === 'refused') return []
  const error = (message: string, missing?: string): Finding[] => [
    { level: 'error', at, value: named.text, message, ...(missing !== undefined && { missing }) },
  ]
  const problem = fileProblem(named.path, facts)
  if (problem !== undefined) return error(problem.message, problem.missing)
  const { tree, folder } = facts
  const place = tree.resolve(folder, named.path)
  if (place.kind !== 'file' || covered === undefined || covered.some((one) => isIn(one, place.at))) return []
  // A folder that is named without its dot is probably meant.
  const undotted = dependencies.flatMap(({ text }) => {
    const meant = tree.resolve(folder, text)
    return meant.kind === 'folder' && isIn(meant.at, place.at) ? [meant.at] : []
  })
  const [add = parentOf(place.at)] = undotted
  return error(
    `lies in none of the local dependencies: add its folder, with ./, as in ${quoted([writtenFrom(folder, add)])}`,
  )
}

/** Finds names that the client refuses: without a file such as pyproject.toml, it makes a package of each folder. */
function checkLayout({ at, text }: Dependency, { tree, folder }: AppFacts): Finding[] {
  const place = tree.resolve(folder, text)
  if (place.kind !== 'folder') return []
  const hasFile = (name: string): boolean => tree.hasFile(place.at, name)
  if (['pyproject.toml', 'setup.py'].some(hasFile)) return []
  const warn = (problem: string): Finding[] => [
    { level: 'warning', at, value: text, message: `${problem}; add a pyproject.toml` },
  ]
  if (hasFile('__init__.py')) {
    const name = path.posix.basename(place.at)
    return name === 'src' || name.includes('-') ? warn(`${NO_PROJECT} the name ${name}`) : []
  }
  const sources = place.at === '' ? 'src' : `${place.at}/src`
  return tree.hasFileIn(sources, '.py') ? warn(`has a .py file directly in src/, and ${NO_PROJECT} the name src`) : []
}

const NO_PROJECT = 'has neither pyproject.toml nor setup.py: the build refuses a package of'
