import { isNoFile, liesOutside, quoted, type AppFacts, type Finding } from './finding.ts'
import { checkJavaScript } from './javascript.ts'
import { checkPython } from './python.ts'
import type { AppConfig, ImportPath, NamedImport } from './schema.ts'
import { checkVersions, isSet } from './versions.ts'

/** The endings by which both clients recognise a graph in JavaScript. */
const JAVASCRIPT = /\.[mc]?[jt]s$/

/** Finds what the clients of the service refuse before they build. Pure. */
export function checkApp(config: AppConfig, facts: AppFacts): Finding[] {
  const isPython = isPythonApp(config)
  return [
    ...checkImports(config),
    ...checkSource(config, facts),
    ...(isPython ? checkPython(config, facts) : checkJavaScript(config, facts)),
    ...importsOf(config).flatMap(checkModule),
    ...config.dependencies.flatMap((dependency) => checkPackage(dependency, facts)),
    ...checkVersions(config, { isPython }),
  ]
}

function isPythonApp({ graphs, python_version: version }: AppConfig): boolean {
  return isSet(version) || graphs.some((graph) => isOfPython(graph.import))
}

/** A path without a name has an ending as well. */
function isOfPython(named: ImportPath): boolean {
  const path = named.kind === 'refused' ? named.text?.split(':')[0] : named.path
  return path !== undefined && path !== '' && !JAVASCRIPT.test(path)
}

function importsOf({ graphs, auth, encryption, http, checkpointer }: AppConfig): NamedImport[] {
  return [...graphs, ...[auth, encryption, http, checkpointer].filter((one) => one !== undefined)]
}

function checkImports({ graphs, auth, encryption, http, checkpointer, source }: AppConfig): Finding[] {
  if (graphs.length === 0)
    return [{ level: 'error', at: ['graphs'], message: "has no graph: is this the app's configuration?" }]
  // Only with a source of kind uv, the client reads a checkpointer like the others.
  const named = source.kind === 'uv' ? [auth, encryption, http, checkpointer] : [auth, encryption, http]
  const others = named.filter((one) => one !== undefined)
  return [
    ...graphs.flatMap((one) => checkImport(one, `${NO_PATH}, or an object that has such a text as its path`)),
    ...others.flatMap((one) => checkImport(one, NO_PATH)),
  ]
}

function checkImport({ at, import: named }: NamedImport, noPath: string): Finding[] {
  if (named.kind !== 'refused') return []
  return [{ level: 'error', at, value: named.text, message: named.text === undefined ? noPath : NO_NAME }]
}

const NO_PATH = 'must be a text such as "./agent.py:graph"'
const NO_NAME = 'has no :name behind its path, as in "./agent.py:graph"'

/** Refuses a source of another kind than uv, and one of kind uv in an app without Python, as the client does. */
function checkSource({ source, dependencies, graphs, python_version: version }: AppConfig, facts: AppFacts): Finding[] {
  const error = (at: Finding['at'], message: string, value?: string): Finding => ({
    level: 'error',
    at,
    message,
    value,
  })
  if (source.kind === 'none') return []
  if (source.kind === 'other') return [error(['source'], 'must be of kind uv, as in {"kind": "uv", "root": "."}')]
  const isOfJavaScript = graphs.every(({ import: named }) => named.kind !== 'refused' && !isOfPython(named))
  return [
    ...(graphs.length > 0 && isOfJavaScript && !isSet(version)
      ? [error(['source'], 'of kind uv is for Python, and no graph is one of Python')]
      : []),
    ...(dependencies.length > 0
      ? [
          error(
            ['dependencies'],
            'must not be set with a source of kind uv, which has them in uv.lock: remove one of the two',
          ),
        ]
      : []),
    ...checkRoot(source.root, facts, error),
  ]
}

function checkRoot(
  root: string | undefined,
  facts: AppFacts,
  error: (at: Finding['at'], message: string, value?: string) => Finding,
): Finding[] {
  const at = ['source', 'root']
  if (root === undefined) return [error(at, 'must be the path of a folder, such as ".."')]
  const { tree, folder } = facts
  const place = tree.resolve(folder, root)
  if (place.kind === 'outside') return [error(at, liesOutside(place.at, facts), root)]
  if (place.kind !== 'folder') return [error(at, isNoFile('folder', facts), root)]
  const lacking = ['uv.lock', 'pyproject.toml'].filter((name) => !tree.hasFile(place.at, name))
  return lacking.length === 0 ? [] : [error(at, `has no ${lacking.join(' and no ')}, which uv needs there`, root)]
}

/** Warns of a name such as `agent.py:graph`: a text without a slash is a module, and a file is probably meant. */
function checkModule({ at, import: named }: { at: Finding['at']; import: ImportPath }): Finding[] {
  if (named.kind !== 'module' || !named.path.endsWith('.py')) return []
  const message = `is read as a module, as it has no slash; did you mean ${quoted([`./${named.text}`])}?`
  return [{ level: 'warning', at, value: named.text, message }]
}

function checkPackage({ at, text }: AppConfig['dependencies'][number], { tree, folder }: AppFacts): Finding[] {
  if (text.startsWith('.') || text.length < 2) return []
  const warn = (message: string): Finding[] => [{ level: 'warning', at, value: text, message }]
  if (/\.(?:txt|toml)$/.test(text))
    return warn('is read as the name of a package, and looks like a file: name a folder, as in "."')
  const isFolder = tree.resolve(folder, text).kind === 'folder'
  return isFolder ? warn(`is read as the name of a package; did you mean the folder ${quoted([`./${text}`])}?`) : []
}
