import { z } from 'zod'
import type { JsonPath } from './json-text.ts'

/**
 * An object that the configuration imports: from a file, as in `./file.py:name`, or from a module, as in
 * `pkg.module:name`. It is `refused` if it has no name behind a colon, or is no text.
 */
export type ImportPath =
  | { kind: 'file' | 'module'; text: string; path: string }
  | { kind: 'refused'; text: string | undefined; because: 'no-name' | 'no-path' }

export interface NamedImport {
  at: JsonPath
  import: ImportPath
}

export interface Dependency {
  at: JsonPath
  text: string
  /** Whether it is a text in the file as well; else `text` is its JSON. */
  isText: boolean
}

/** Both clients take a text with one of these signs for a path, and any other for a module. */
const PATH_SIGN = /[/\\]/
const IMPORT = /^([^:]+):[^]+$/

function importPath(text: string): ImportPath {
  const [, path] = IMPORT.exec(text) ?? []
  if (path === undefined) return { kind: 'refused', text, because: 'no-name' }
  return { kind: PATH_SIGN.test(path) ? 'file' : 'module', text, path }
}

/** A missing value is null, as null counts as missing. A value of another type is not judged. */
const anything = z.unknown().default(null)
const record = anything.transform((value) => (isRecord(value) ? value : {}))

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function importIn(section: string, key: string) {
  return anything.transform((value): NamedImport | undefined => {
    const text = isRecord(value) ? (value[key] ?? undefined) : undefined
    if (text === undefined) return undefined
    const named: ImportPath =
      typeof text === 'string' ? importPath(text) : { kind: 'refused', text: undefined, because: 'no-path' }
    return { at: [section, key], import: named }
  })
}

const graphs = record.transform((value): NamedImport[] =>
  Object.entries(value).map(([name, graph]) => {
    const isObject = isRecord(graph)
    const text = isObject ? graph['path'] : graph
    const at = isObject && 'path' in graph ? ['graphs', name, 'path'] : ['graphs', name]
    if (typeof text !== 'string') return { at, import: { kind: 'refused', text: undefined, because: 'no-path' } }
    return { at, import: importPath(text) }
  }),
)

const dependencies = anything.transform((value): Dependency[] => {
  if (Array.isArray(value)) return value.flatMap(dependencyAt)
  // The service's client iterates over whatever it has: a text has its letters, and an object its keys.
  if (typeof value === 'string') return Array.from(value, (text) => ({ at: ['dependencies'], text, isText: true }))
  return isRecord(value) ? Object.keys(value).map((text) => ({ at: ['dependencies', text], text, isText: true })) : []
})

function dependencyAt(value: unknown, index: number): Dependency[] {
  if (value === null) return []
  const isText = typeof value === 'string'
  return [{ at: ['dependencies', index], text: isText ? value : JSON.stringify(value), isText }]
}

export type ConfiguredSource = { kind: 'none' } | { kind: 'other' } | { kind: 'uv'; root: string | undefined }

const source = anything.transform((value): ConfiguredSource => {
  if (value === null) return { kind: 'none' }
  if (!isRecord(value) || value['kind'] !== 'uv') return { kind: 'other' }
  const root = value['root'] ?? '.'
  return { kind: 'uv', root: typeof root === 'string' && root.trim() !== '' ? root : undefined }
})

export type ConfiguredEnvironment =
  { kind: 'none' } | { kind: 'file'; path: string } | { kind: 'names'; names: readonly string[] }

const env = anything.transform((value): ConfiguredEnvironment => {
  if (typeof value === 'string') return { kind: 'file', path: value }
  const names = isRecord(value) ? Object.keys(value) : []
  return names.length === 0 ? { kind: 'none' } : { kind: 'names', names }
})

const isFilled = anything.transform((value) => (Array.isArray(value) || typeof value === 'string') && value.length > 0)

/** The keys of an app's configuration that the clients act on before they build. A value null is an absent one. */
export const APP_CONFIG = z.object({
  graphs,
  dependencies,
  source,
  env,
  python_version: anything,
  node_version: anything,
  dockerfile_lines: isFilled,
  auth: importIn('auth', 'path'),
  encryption: importIn('encryption', 'path'),
  http: importIn('http', 'app'),
  checkpointer: importIn('checkpointer', 'path'),
})

export type AppConfig = z.output<typeof APP_CONFIG>

/** The parts of a package.json that say where its packages are. */
export const PACKAGE = z.object({
  workspaces: anything.transform((value) => value !== null),
  dependencies: record,
  devDependencies: record,
  optionalDependencies: record,
})
