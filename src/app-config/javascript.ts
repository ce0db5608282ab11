import { liesOutside, isNoFile, type AppFacts, type Finding } from './finding.ts'
import { fileProblem } from './named-file.ts'
import type { AppConfig, Dependency, NamedImport } from './schema.ts'

/** Finds files that a build of a JavaScript app probably lacks: warnings, as a command of the build may make them. */
export function checkJavaScript(config: AppConfig, facts: AppFacts): Finding[] {
  const { graphs, auth, http, dependencies, dockerfile_lines: hasLines } = config
  const named = [...graphs, auth, http].filter((one) => one !== undefined)
  return [
    ...(hasLines ? [] : named.flatMap((one) => checkFile(one, facts))),
    ...dependencies.flatMap((one) => checkDependency(one, facts)),
    ...checkPackages(facts),
  ]
}

function checkFile({ at, import: named }: NamedImport, facts: AppFacts): Finding[] {
  if (named.kind !== 'file') return []
  const problem = fileProblem(named.path, facts)
  if (problem === undefined) return []
  return [{ level: 'warning', at, value: named.text, ...problem, unlessBuilt: true }]
}

function checkDependency({ at, text }: Dependency, facts: AppFacts): Finding[] {
  if (!text.startsWith('.')) return []
  const place = facts.tree.resolve(facts.folder, text)
  const warn = (message: string): Finding => ({ level: 'warning', at, value: text, message })
  if (place.kind === 'outside') return [warn(liesOutside(place.at, facts))]
  return place.kind === 'missing' ? [{ ...warn(isNoFile('folder', facts)), missing: place.at }] : []
}

/** Finds packages that npm, pnpm or yarn would take from folders outside the files. */
function checkPackages(facts: AppFacts): Finding[] {
  const { tree, folder, packages } = facts
  if (packages === undefined) return []
  return packages.references.flatMap(({ name, version }) => {
    const [, written] = /^(?:file|link):(\.\..*)$/.exec(version) ?? []
    const place = written === undefined ? undefined : tree.resolve(folder, written)
    const leaves =
      place === undefined ? version.startsWith('workspace:') && !packages.hasWorkspaceRoot : place.kind === 'outside'
    if (!leaves) return []
    const outside = liesOutside(place?.kind === 'outside' ? place.at : undefined, facts)
    const message = `needs ${JSON.stringify(version)} for ${JSON.stringify(name)}, which ${outside}`
    return [{ level: 'warning', at: [], message, isOfPackage: true }]
  })
}
