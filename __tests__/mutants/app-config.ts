import { mutantsOf } from '../../scripts/mutants/mutant.ts'

const BY_RULES = 'app-config/upload.test.ts'
const BY_CASES = 'app-config/cases.test.ts'

export const APP_CONFIG = mutantsOf({
  [`app-config/check.ts, by ${BY_RULES}`]: {
    'An app has graphs.': 'if (graphs.length === 0)\n → if (graphs.length < 0)\n',
    'A path has a name.': "if (named.kind !== 'refused') return [] → return []",
    'A source is of kind uv.':
      "if (source.kind === 'other') return [error( → if (source.kind === 'uv' && source.root === '') return [error(",
    'With uv, no dependency is set beside it.': '...(dependencies.length > 0\n → ...(dependencies.length < 0\n',
    'The source uv is for Python.': 'graphs.length > 0 && isOfJavaScript → graphs.length < 0 && isOfJavaScript',
    'The root of uv is a folder.':
      "if (place.kind !== 'folder') return [error(at, isNoFile → if (place.kind === 'absolute') return [error(at, isNoFile",
    'The root of uv is uploaded.':
      "if (place.kind === 'outside') return [error(at, → if (place.kind === 'absolute') return [error(at,",
    'The root of uv has its two files.': "['uv.lock', 'pyproject.toml'].filter → ['uv.lock'].filter",
    'The key python_version makes an app one of Python.': 'return isSet(version) || graphs.some( → return graphs.some(',
    'A path without a name has an ending.': "? named.text?.split(':')[0] : named.path → ? undefined : named.path",
    'With uv, a checkpointer has a name.':
      "const named = source.kind === 'uv' ? [auth, encryption, http, checkpointer] : → const named =",
    'With uv, an empty python_version is none.':
      'isOfJavaScript && !isSet(version) → isOfJavaScript && version === null',
    'A file without a slash is probably meant.':
      "|| !named.path.endsWith('.py')) return [] → || named.path !== '') return []",
    'A package may be a file.': 'if (/\\.(?:txt|toml)$/.test(text)) → if (/\\.(?:txt)$/.test(text))',
    'A package may be a folder.': "return isFolder ? warn( → return text === '' ? warn(",
  },
  [`app-config/named-file.ts, by ${BY_RULES}`]: {
    'A folder is no file.': "return { message: 'is a folder: name a file of it' } → return undefined",
    'A file outside is not uploaded.': 'return { message: liesOutside(place.at, facts) } → return undefined',
    'An absolute path is no file of an archive.':
      "return { message: `${isNoFile('file', facts)}: an → if (path.length > 0) return undefined\n      return { message: `${isNoFile('file', facts)}: an",
    'A file in another form of Unicode looks like what is written.':
      'quoted([name]) + inOtherForm(name, plain) → quoted([name])',
    'A \\ is probably a /.': "path.replaceAll('\\\\', '/') → path",
  },
  [`app-config/python.ts, by ${BY_RULES}`]: {
    'A Python app has a dependency.':
      "source.kind === 'none' && dependencies.length === 0 → source.kind === 'none' && dependencies.length < 0",
    'Local dependencies are looked up.': 'locals.flatMap((one) => checkDependency(one, facts)) → []',
    'The client looks up what begins with a dot.': ": named.path.startsWith('.')) → : named.path.includes('/'))",
    'With uv, the client looks up every file.':
      "(source.kind === 'uv' ? named.kind === 'file' : named.path.startsWith('.')) → named.path.startsWith('.')",
    'With uv, a module may begin with a dot.':
      "? named.kind === 'file' : → ? named.kind === 'file' || named.path.startsWith('.') :",
    'The client looks up a checkpointer without a name.': 'checkpointer && withoutName(checkpointer)] → checkpointer]',
    'A dependency is a text.': 'return isText ? [] : [{ → return isText || text.length > 0 ? [] : [{',
    'The client compares a component as it is written.':
      'if (isCovered) return findings.map( → if (!isFile) return findings.map(',
    'A component that leads back into a dependency is refused.':
      'return findings.length > 0 ? findings : [{ → return findings.length > 0 || named.text.length > 0 ? findings : [{',
    'The client looks up http.app.':
      '[...graphs, http].filter((one) => one?.import.kind → [...graphs].filter((one) => one?.import.kind',
    'A dependency is a folder.':
      'return [error(`is a file: → if (text.length > 0) return []\n      return [error(`is a file:',
    'What is above the source always is there.': "place.isAbove ? { ...finding, level: 'warning' } : finding → finding",
    'A file lies in a local dependency.':
      '|| covered === undefined || covered.some((one) => isIn(one, place.at))) return [] → || covered !== undefined) return []',
    'A folder without its dot is probably meant.':
      'const [add = parentOf(place.at)] = undotted → const add = undotted.at(9) ?? parentOf(place.at)',
    'A package of the name src is refused.':
      "return tree.hasFileIn(sources, '.py') ? warn( → return text === '' ? warn(",
    'A folder src may be such a package.': "return name === 'src' || name.includes('-') → return name.includes('-')",
    'A package has no - in its name.': "return name === 'src' || name.includes('-') → return name === 'src'",
    'A package has a file that says so.':
      "['pyproject.toml', 'setup.py'].some(hasFile) → ['pyproject.toml'].some(hasFile)",
    'Extras are for names of packages.': "return text.endsWith(']') ? path : text → return path === '' ? path : text",
  },
  [`app-config/javascript.ts, by ${BY_RULES}`]: {
    'Lines of the Dockerfile may make a file.': '...(hasLines ? [] : → ...(hasLines && graphs.length > 9 ? [] :',
    'A missing file is a warning.': "if (named.kind !== 'file') return [] → return []",
    'A dependency outside is a warning.': "if (place.kind === 'outside') return [warn(liesOutside(place.at, facts))] →",
    'A missing dependency is a warning.': "return place.kind === 'missing' ? → return place.kind === 'absolute' ?",
    'A workspace may be in the source.': '&& !packages.hasWorkspaceRoot →',
    'A package beside the source is missing.': ": place.kind === 'outside'\n → : place.kind === 'absolute'\n",
  },
  [`app-config/versions.ts, by ${BY_RULES}`]: {
    'A version is a text.':
      "const message = typeof version === 'string' ? problemOf(version) : → const message = typeof version === 'string' ? problemOf(version) : version === 20 || version === 3.12 ? undefined :",
    'The oldest Python is 3.11.': 'Number(minor) < oldestMinor → Number(minor) < oldestMinor - 1',
    'Bullseye is no longer built.': "if (text.includes('bullseye')) → if (text === 'bullseye')",
    'The oldest Node is 20.': 'Number(text) < OLDEST.node → Number(text) < OLDEST.node - 2',
    'An empty version is none.': "const EMPTY = ['null', '\"\"', → const EMPTY = ['null',",
    'A JavaScript app has a version of Node.': '&& !isSet(node) && !isPython → && isPython',
  },
  [`app-config/verdict.ts, by ${BY_RULES}`]: {
    'No secret of a configuration is shown.':
      'if (value === undefined || holdsSecret(value)) → if (value === undefined)',
    'A text is cut.': 'return value.length > MAX_VALUE ? → return value.length > 9 * MAX_VALUE ?',
    'Each error names the input that turns it off.': '${where}${SKIPPED}`, place → ${where}`, place',
    'Problems beyond twenty are counted.': "cutProblems('app-config-path', errors) → errors",
  },
  [`app-config/environment.ts, by ${BY_RULES}`]: {
    'No path that looks like a secret is shown.': 'const name = printableValue(path) → const name = path',
  },
  [`app-config/upload.ts, by ${BY_RULES}`]: {
    'Only one service has these rules.': "if (api.name !== 'langsmith') return NO_FINDINGS →",
    'A rule may ignore a file.':
      'if (missing === undefined || !isSpelledOnDisk(missing, root)) return finding → return finding',
    'No source-path reaches out of the workspace.':
      'outside\n    .filter((one) => !isInWorkspace(one)) → outside\n    .filter((one) => one.length > 99)',
    'Nothing is proposed for what does not exist.':
      'if (existing.length === 0) return new Map(unreachable) → if (existing.length > 9) return new Map(unreachable)',
    'A path may lead up and down again.':
      "one.split('/').filter((part) => part === '..').length → one.startsWith('../') ? 1 : 1",
    'A default rule may ignore a file.': "name === undefined ? → name !== '' ?",
    'What is packed already does not count.': '|| isIn(besides, entry.path)) continue → ) continue',
  },
  [`app-config/schema.ts, by ${BY_CASES}`]: {
    'A text in place of a list is accepted.':
      "if (typeof value === 'string') return Array.from( → if (value === '') return Array.from('',",
  },
  [`app-config/schema.ts, by ${BY_RULES}`]: {
    'A name is not empty.': 'const IMPORT = /^([^:]+):[^]+$/ → const IMPORT = /^([^:]+):[^]*$/',
    'A graph may be an object.': "const text = isObject ? graph['path'] : graph → const text = graph",
    'A source that is null is none.': "if (value === null) return { kind: 'none' } →",
  },
  [`app-config/file-tree.ts, by ${BY_CASES}`]: {
    'Links are followed.': 'else ahead.unshift(...pathNames(target)) → else at = [...at, part]',
    'The case of letters counts.':
      'if (this.#entries.has(at)) → if ([...this.#entries.keys()].some((one) => one.toLowerCase() === at.toLowerCase()))',
  },
  [`app-config/file-tree.ts, by ${BY_RULES}`]: {
    'A folder that begins alike is another one.': 'at.startsWith(`${folder}/`) → at.startsWith(folder)',
    'Another case of letters is probably meant.': 'if (sameLetters.length > 0) return sameLetters →',
  },
  'app-config/json-text.ts': {
    'A BOM is named.': "if (text.startsWith('\\ufeff'))\n → if (text === '\\ufeff')\n",
    'UTF-16 is named.': "charsetOf(bytes) !== 'utf-8' → charsetOf(bytes) === 'utf-16le'",
    'Conflict markers are named.': 'if (conflict !== null)\n → if (text.length < 0)\n',
    'A document ends with its value.': 'if (this.#at < this.#text.length) throw → if (this.#text.length < 0) throw',
    'A deep document ends no process.': 'if (path.length > MAX_DEPTH) throw → if (path.length < 0) throw',
  },
  'app-config/surroundings.ts, by e2e/app-config.test.ts': {
    'A byte order mark is no letter of a name.': 'bytes && new TextDecoder().decode(bytes) → bytes?.toString()',
  },
  'app-config/checkout.ts, by e2e/app-config.test.ts': {
    'A misspelled configuration is named.': "if (at.kind === 'missing') return → if (at.kind === 'absolute') return",
    'A submodule may have the file.': 'mayBeThere(at, checkout) ? [] : →',
    'A file of another commit is no mistake.': 'if (meant.length === 0 || → if (',
  },
  'app-config/git-folder.ts': {
    'A sparse checkout lacks files.': "if (section === 'core ' && setting → if (section === 'x' && setting",
    'A file may not be checked out.':
      '(bytes.readUInt16BE(flagsAt + 2) & SKIP_WORKTREE) !== 0) return undefined → bytes.length === 0) return undefined',
    'Of several remotes, origin counts.':
      "return { url: urls.get('origin') ?? only → return { url: [...urls.values()][0] ?? only",
    'A name in HEAD leads to no other folder.': "|| ref.split('/').includes('..')) → )",
    'An index that is cut is none.': 'if (flagsAt + 4 > bytes.length) return undefined →',
    'A branch may be packed.': 'return COMMIT.test(commit) ? commit : undefined → return undefined',
  },
  'rollout/app-config.ts': {
    'A step that sets the list has an environment.': '&& !setsEnvironment(request) →',
    'A deployment that reports its list has an environment.': '&& hasNoEnvironment(current) →',
    'A deployment may hide its list.':
      'current.settings.secrets?.length === 0 → (current.settings.secrets ?? []).length === 0',
    'A build-command may make a file.': "buildCommand === '' ? unlessBuilt : [] → unlessBuilt",
    'The build-command of the deployment counts.': ' ?? current?.settings.buildCommand →',
    'Only the repository that is built is checked.':
      '|| !sameRepository(checkout.url, repository)) return undefined → ) return undefined',
    'What is promoted is not what is checked out.': ' || promotion !== undefined →',
    'The check can be turned off.': '!checkAppConfig || →',
  },
})
