import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { folderWith } from '../folders.ts'
import { checkedUpload, found } from './checked.ts'

const PY = { 'agent.py': '', 'pyproject.toml': '' }
const app = (more: object = {}): object => ({ dependencies: ['.'], graphs: { agent: './agent.py:graph' }, ...more })
const js = (more: object = {}): object => ({ graphs: { agent: './src/agent.ts:graph' }, ...more })
const JS = { 'src/agent.ts': '', 'package.json': '{}' }
const END = ' (check-app-config: false skips this check) '

/** The errors begin with these words, and there is no other. */
function expectFound(words: readonly string[], ...expected: readonly string[]): void {
  expect(words).toEqual(expected.map((one) => expect.stringContaining(one)))
}

describe('any app', () => {
  it('has a file of JSON', async () => {
    expect(await found('{"graphs": }')).toEqual([
      `app-config-path: "langgraph.json" is not JSON: "}" is not expected there${END}(langgraph.json, line 1)`,
    ])
    expectFound(await found('[]'), 'app-config-path: "langgraph.json" must be a JSON object')
  })

  it.each([
    ['no graphs', { dependencies: ['.'] }],
    ['graphs null', app({ graphs: null })],
    ['no graph in it', app({ graphs: {} })],
    ['a list', app({ graphs: ['./agent.py:graph'] })],
  ])('has graphs: %s', async (_what, config) => {
    expectFound(await found(config, PY), "graphs: has no graph: is this the app's configuration?")
  })

  it.each([1, null, [], { description: 'x' }, { path: 1 }])('has graphs that are texts, unlike %j', async (graph) => {
    const [words = '', ...others] = await found(app({ graphs: { agent: graph } }), PY)
    expect(words).toMatch(/^graphs\.agent(?:\.path)?: must be a text such as/)
    expect(others).toEqual([])
  })

  it('has a graph in an object', async () => {
    expect(await found(app({ graphs: { agent: { path: './agent.py:graph', description: 'x' } } }), PY)).toEqual([])
    expect(await found(app({ graphs: { agent: { path: './agnet.py:graph' } } }), PY)).toEqual([
      `graphs.agent.path: "./agnet.py:graph" is no file of the archive; did you mean "./agent.py"?${END}(langgraph.json, line 7)`,
    ])
  })

  it.each<[string, object]>([
    ['graphs.agent', app({ graphs: { agent: './agent.py' } })],
    ['graphs.agent', app({ graphs: { agent: './agent.py:' } })],
    ['graphs.agent', js({ graphs: { agent: './src/agent.ts' } })],
    ['auth.path', app({ auth: { path: './agent.py' } })],
    ['encryption.path', app({ encryption: { path: './agent.py' } })],
    ['http.app', js({ http: { app: './agent.py' } })],
  ])('has a name behind the path of %s', async (at, config) => {
    const words = await found(config, { ...PY, ...JS })
    expectFound(words, `${at}: `)
    expect(words[0]).toContain('has no :name behind its path')
  })

  it('has a text as the path of auth, encryption and http', async () => {
    const config = app({ auth: { path: 1 }, encryption: { path: ['./agent.py:a'] }, http: { app: {} } })
    expectFound(
      await found(config, PY),
      'auth.path: must be a text such as "./agent.py:graph" (',
      'encryption.path: must be a text',
      'http.app: must be a text',
    )
  })

  it.each<[string, unknown]>([
    ['auth', 1],
    ['encryption', []],
    ['http', 'x'],
    ['store', 7],
    ['env', 3],
    ['ui', [1]],
    ['checkpointer', true],
    ['checkpointer', { path: 1 }],
    ['dockerfile_lines', 5],
    ['image_distro', {}],
    ['auth', { path: null }],
    ['source', null],
    ['python_version', null],
    ['node_version', null],
  ])('may have anything as %s', async (key, value) => {
    expect(await found(app({ [key]: value }), PY)).toEqual([])
  })

  it('is told that a file without a slash is a module', async () => {
    const config = app({ graphs: { agent: 'agent.py:graph' }, auth: { path: 'auth.py:auth' } })
    expectFound(
      await found(config, PY),
      'warning: langgraph.json, line 6: graphs.agent "agent.py:graph" is read as a module, as it has no slash; did you mean "./agent.py:graph"?',
      'warning: langgraph.json, line 9: auth.path "auth.py:auth" is read as a module',
    )
    expect(await found(app({ graphs: { agent: 'agent:graph' } }), PY)).toEqual([])
  })

  it('is told that a package may be a folder or a file', async () => {
    expectFound(
      await found(app({ dependencies: ['.', 'lib', 'lib2', 'requirements.txt', 'pyproject.toml', 'langchain'] }), {
        ...PY,
        'lib/x.py': '',
      }),
      'dependencies[1] "lib" is read as the name of a package; did you mean the folder "./lib"?',
      'dependencies[3] "requirements.txt" is read as the name of a package, and looks like a file',
      'dependencies[4] "pyproject.toml" is read as the name of a package, and looks like a file',
    )
  })

  it.each<[string, unknown, string | undefined]>([
    ['python_version', '3.11', undefined],
    ['python_version', '3.13-bookworm', undefined],
    ['python_version', '', undefined],
    ['python_version', '3.10', 'is older than 3.11'],
    ['python_version', '3.12-bullseye', 'names Debian bullseye'],
    ['python_version', '2.12', 'is older than 3.11'],
    ['python_version', '3.12.1', 'must be a major and a minor number'],
    ['python_version', '3', 'must be a major and a minor number'],
    ['python_version', 3.12, 'must be a text, as in "3.12"'],
    ['node_version', '20', undefined],
    ['node_version', '22', undefined],
    ['node_version', '18', 'is older than 20'],
    ['node_version', '20.1', 'must be a major number'],
    ['node_version', 20, 'must be a text, as in "20"'],
    ['node_version', '', undefined],
  ])('with %s %j', async (key, version, problem) => {
    const words = await found(app({ [key]: version }), PY)
    expectFound(words, ...(problem === undefined ? [] : [`warning: langgraph.json, line 8: ${key} `]))
    expect(words.join()).toContain(problem ?? '')
  })
})

it.each(['', 0, false])('a JavaScript app with node_version %j is taken for one of Python', async (version) => {
  expectFound(
    await found(js({ node_version: version }), JS),
    'warning: langgraph.json, line 5: node_version is empty, by which the build takes the app for one of Python: set',
  )
})

describe('a Python app', () => {
  it('is one by an ending, or by python_version', async () => {
    const noDependency = 'dependencies: has no dependency, and a Python app needs one'
    for (const version of ['', 0, false, [], null]) expect(await found(js({ python_version: version }), JS)).toEqual([])
    expectFound(await found({ graphs: { a: './agent.py' } }, PY), 'graphs.a: "./agent.py" has no :name', noDependency)
    expectFound(await found({ graphs: { a: './agent.py:graph' } }, PY), noDependency)
    expectFound(await found({ graphs: { a: 'pkg.module:graph' } }, PY), noDependency)
    expectFound(await found(js({ python_version: '3.12' }), JS), noDependency)
    for (const ending of ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'])
      expect(await found({ graphs: { a: `./agent.${ending}:graph` } }, { [`agent.${ending}`]: '' })).toEqual([])
  })

  it('has a source of kind uv, if it has one', async () => {
    const uv = { graphs: { agent: './agent.py:graph' } }
    const locked = { ...PY, 'uv.lock': '' }
    expect(await found({ ...uv, source: { kind: 'uv' } }, locked)).toEqual([])
    expectFound(await found({ ...uv, source: { kind: 'pip' } }, locked), 'source: must be of kind uv')
    expectFound(await found({ ...uv, source: 'uv' }, locked), 'source: must be of kind uv')
    expectFound(
      await found({ ...app(), source: { kind: 'uv' } }, locked),
      'dependencies: must not be set with a source of kind uv',
    )
    expectFound(
      await found({ ...uv, source: { kind: 'uv', root: 'x' } }, locked),
      'source.root: "x" is no folder of the archive',
    )
    expectFound(await found({ ...uv, source: { kind: 'uv', root: ' ' } }, locked), 'source.root: must be the path')
    expectFound(await found({ ...uv, source: { kind: 'uv' } }, PY), 'source.root: "." has no uv.lock, which')
    expectFound(
      await found({ ...uv, source: { kind: 'uv' } }, { 'agent.py': '' }),
      'source.root: "." has no uv.lock and no pyproject.toml',
    )
    for (const version of [{}, { python_version: '' }, { python_version: 0 }])
      expectFound(
        await found(js({ source: { kind: 'uv' }, ...version }), { ...JS, ...locked }),
        'source: of kind uv is for Python',
      )
    expectFound(
      await found({ ...uv, source: { kind: 'uv', root: '..' } }, { ...locked, 'app/agent.py': '' }, inApp),
      'source.root: ".." lies outside source-path: set source-path: . and app-config-path: app/langgraph.json',
    )
    expect(
      await found({ graphs: { a: './other/x.py:g' }, source: { kind: 'uv' } }, { ...locked, 'other/x.py': '' }),
    ).toEqual([])
  })

  const inApp = { config: 'app/langgraph.json', source: 'app' }

  it('has the folders that it depends on', async () => {
    expectFound(
      await found(app({ dependencies: ['.', './shraed', './pyproject.toml', './lib/[x]'] }), {
        ...PY,
        'shared/x.py': '',
      }),
      'dependencies[1]: "./shraed" is no folder of the archive; did you mean "./shared"?',
      'dependencies[2]: "./pyproject.toml" is a file: name its folder, "."',
      'dependencies[3]: "./lib/[x]" is no folder of the archive (',
    )
    expectFound(
      await found(app({ dependencies: ['.[dev]'] }), PY),
      'dependencies[0]: ".[dev]" is no folder of the archive; did you mean "."?',
    )
  })

  it('is told what contains a folder outside, and how much more that packs', async () => {
    const own = { 'svc/app/agent.py': '', 'svc/app/data': 'x'.repeat(2 * 1024 * 1024) }
    const files = { ...own, 'svc/shared/x.py': 'x'.repeat(3 * 1024 * 1024), 'svc/node_modules/y': '' }
    const inside = { config: 'svc/app/langgraph.json', source: 'svc/app' }
    expect(await found(app({ dependencies: ['.', '../shared'] }), files, inside)).toEqual([
      `dependencies[1]: "../shared" lies outside source-path: set source-path: svc and app-config-path: app/langgraph.json, which packs 3 MB more${END}(svc/app/langgraph.json, line 4)`,
    ])
    expectFound(
      await found(app({ dependencies: ['.', '../../../x'] }), files, inside),
      'dependencies[1]: "../../../x" lies outside source-path: no source-path can contain it, as it is outside the workspace',
    )
    // Nothing is proposed for what does not exist.
    expectFound(
      await found(app({ dependencies: ['.', '../gone'] }), files, inside),
      'dependencies[1]: "../gone" lies outside source-path (',
    )
    expectFound(
      await found(app({ graphs: { a: '../shared/x.py:g' } }), files, inside),
      'graphs.a: "../shared/x.py:g" lies outside source-path: set source-path: svc and app-config-path: app/langgraph.json',
    )
  })

  it('is told what contains the folders that a path leads through', async () => {
    const files = { 'svc/app/agent.py': '', 'svc/shared/x.py': '' }
    const inside = { config: 'svc/app/langgraph.json', source: 'svc/app' }
    expectFound(
      await found(app({ dependencies: ['.', '../../svc/shared'] }), files, inside),
      '"../../svc/shared" lies outside source-path: set source-path: . and app-config-path: svc/app/langgraph.json',
    )
    expectFound(
      await found(app({ dependencies: ['../app'] }), files, inside),
      '"../app" lies outside source-path: set source-path: svc and app-config-path: app/langgraph.json',
      'graphs.agent: "./agent.py:graph" lies in none of the local dependencies',
    )
  })

  it('is told for each path whether a source-path can contain it', async () => {
    const files = { 'svc/app/agent.py': '', 'svc/shared/x.py': '', 'svc/shared/auth.py': '' }
    const inside = { config: 'svc/app/langgraph.json', source: 'svc/app' }
    const more = { dependencies: ['.', '../../../x', '../shared', '../gone'], auth: { path: '../shared/auth.py:a' } }
    expectFound(
      await found(app(more), files, inside),
      'dependencies[1]: "../../../x" lies outside source-path: no source-path can contain it',
      'dependencies[2]: "../shared" lies outside source-path: set source-path: svc and',
      'dependencies[3]: "../gone" lies outside source-path (',
      'auth.path: "../shared/auth.py:a" lies outside source-path: set source-path: svc and',
    )
  })

  it('may depend on what contains the whole source, which the client never refuses', async () => {
    expectFound(
      await found(app({ dependencies: ['..'] }), { 'app/agent.py': '' }, inApp),
      'warning: app/langgraph.json, line 3: dependencies[0] ".." lies outside source-path: set source-path: .',
    )
  })

  it.each<[string, object, string]>([
    ['graphs.agent', { graphs: { agent: './x.py:g' } }, 'is no file of the archive'],
    ['graphs.agent', { graphs: { agent: 'lib/x.py:g' } }, 'is no file of the archive'],
    ['graphs.agent', { graphs: { agent: './lib:g' } }, 'is a folder: name a file of it'],
    ['graphs.agent', { graphs: { agent: '/app/agent.py:g' } }, 'is no file of the archive: an absolute path'],
    ['graphs.b', { graphs: { agent: './agent.py:g', b: './x.ts:g' } }, 'is no file of the archive'],
    ['http.app', { http: { app: './x.py:g' } }, 'is no file of the archive'],
    ['auth.path', { auth: { path: './x.py:g' } }, 'is no file of the archive'],
    ['encryption.path', { encryption: { path: './x.py:g' } }, 'is no file of the archive'],
    ['checkpointer.path', { checkpointer: { path: './x.py:g' } }, 'is no file of the archive'],
  ])('has the file of %s', async (at, more, problem) => {
    const commands = { dockerfile_lines: ['RUN make'] }
    const words = await found(app({ ...more, ...commands }), { ...PY, 'lib/y.py': '' })
    expectFound(words, `${at}: `)
    expect(words[0]).toContain(problem)
  })

  it('may name a file without ./ in its auth, which the client does not look up', async () => {
    for (const section of ['auth', 'encryption', 'checkpointer'])
      expect(await found(app({ [section]: { path: 'x/y.py:g' } }), PY)).toEqual([])
    expectFound(await found(app({ http: { app: 'x/y.py:g' } }), PY), 'http.app: "x/y.py:g" is no file')
  })

  it('has with a source of kind uv all files of its auth, with or without ./', async () => {
    const locked = { ...PY, 'uv.lock': '', 'pyproject.toml': '' }
    const uv = { graphs: { a: './agent.py:g' }, source: { kind: 'uv' } }
    for (const section of ['auth', 'encryption', 'checkpointer']) {
      const missing = await found({ ...uv, [section]: { path: 'x/y.py:g' } }, locked)
      expectFound(missing, `${section}.path: "x/y.py:g" is no file of the archive`)
      expect(await found({ ...uv, [section]: { path: 'x/y.py:g' } }, { ...locked, 'x/y.py': '' })).toEqual([])
      expect(await found({ ...uv, [section]: { path: 'pkg.y:g' } }, locked)).toEqual([])
    }
  })

  it('has with a source of kind uv a name behind the path of its checkpointer', async () => {
    const uv = { graphs: { a: './agent.py:g' }, source: { kind: 'uv' } }
    const locked = { ...PY, 'uv.lock': '' }
    const words = await found({ ...uv, checkpointer: { path: './agent.py' } }, locked)
    expectFound(words, 'checkpointer.path: "./agent.py" has no :name behind its path')
    expect(await found(app({ checkpointer: { path: './agent.py' } }), PY)).toEqual([])
  })

  it('has with a source of kind uv modules that begin with a dot, which no client looks up', async () => {
    const config = { graphs: { a: './agent.py:g' }, source: { kind: 'uv' }, auth: { path: '.auth:a' } }
    expect(await found(config, { ...PY, 'uv.lock': '' })).toEqual([])
    expectFound(await found(app({ auth: { path: '.auth:a' } }), PY), 'auth.path: ".auth:a" is no file of the archive')
  })

  it('has the file of a checkpointer that has a colon without a name', async () => {
    expectFound(
      await found(app({ checkpointer: { path: './x.py:' } }), PY),
      'checkpointer.path: "./x.py:" is no file of the archive',
    )
    expect(await found(app({ checkpointer: { path: './agent.py:' } }), PY)).toEqual([])
  })

  it('has dependencies that are texts', async () => {
    expectFound(
      await found(app({ dependencies: ['.', 5, { a: 1 }] }), PY),
      'dependencies[1]: "5" must be a text, such as "." (',
      'dependencies[2]: "{"a":1}" must be a text, such as "." (',
    )
    expectFound(await found(app({ dependencies: [5] }), PY), 'dependencies[0]: "5" must be a text', 'graphs.agent: ')
    // As for other keys, null counts as missing; the client for JavaScript ignores the list.
    expect(await found(app({ dependencies: ['.', null] }), PY)).toEqual([])
    expect(await found(js({ dependencies: ['.', 5] }), JS)).toEqual([])
  })

  it('names files by their letters, with slashes', async () => {
    const files = { ...PY, 'app/agent.py': '' }
    expectFound(await found(app({ graphs: { a: './App/Agent.py:g' } }), files), 'did you mean "./app/agent.py"?')
    expectFound(await found(app({ graphs: { a: '.\\app\\agent.py:g' } }), files), 'did you mean "./app/agent.py"?')
  })

  it('names the form of Unicode in which a file is there', async () => {
    const [composed, decomposed] = ['./b\u00e4r.py', './ba\u0308r.py']
    expectFound(
      await found(app({ graphs: { a: `${composed}:g` } }), { ...PY, [decomposed]: '' }),
      `did you mean "${decomposed}" in the other form of Unicode (NFD)?`,
    )
  })

  it('says that a rule ignores a file', async () => {
    expectFound(
      await found(app(), { ...PY, '.gitignore': 'agent.py\n' }),
      'graphs.agent: "./agent.py:graph" is in source-path, but .gitignore or .dockerignore ignores it',
    )
    expectFound(
      await found(app({ dependencies: ['.', './venv'] }), { ...PY, 'venv/x.py': '' }),
      'dependencies[1]: "./venv" is in source-path, but no archive contains venv if no rule names it',
    )
  })

  it.each(['auth', 'encryption', 'checkpointer'])(
    'may have a path of %s that leads out of its dependencies, as the client compares it as written',
    async (section) => {
      const files = { ...PY, 'svc/agent.py': '', 'svc/auth/x.py': '', 'shared/auth.py': '' }
      const at = { config: 'svc/langgraph.json' }
      const words = async (path: string, dependencies: string[]): Promise<string[]> =>
        await found({ dependencies, graphs: { a: './agent.py:g' }, [section]: { path } }, files, at)
      const [warning, ...others] = await words('../shared/auth.py:a', ['.'])
      expect(warning).toContain(
        `${section}.path "../shared/auth.py:a" lies in none of the local dependencies: add its folder, with ./, as in "../shared"`,
      )
      expect([warning?.startsWith('warning: '), others]).toEqual([true, []])
      expect(await words('../shared/auth.py:a', ['.', '../shared'])).toEqual([])
      expect(await words('./auth/x.py:a', ['.'])).toEqual([])
      const onlyOutside = await found(
        { dependencies: ['../shared'], graphs: { a: 'pkg:g' }, [section]: { path: '../shared/auth.py:a' } },
        files,
        at,
      )
      expectFound(onlyOutside, `${section}.path: "../shared/auth.py:a" lies in none of the local dependencies as it is`)
      expectFound(await words('../gone.py:a', ['.']), `${section}.path: "../gone.py:a" is no file of the archive`)
    },
  )

  it('has its files in a local dependency', async () => {
    const files = { 'lib/agent.py': '', 'other/auth.py': '' }
    const graphs = { a: './lib/agent.py:g' }
    expect(await found({ dependencies: ['./lib'], graphs }, files)).toEqual([])
    expectFound(
      await found({ dependencies: ['./lib'], graphs, auth: { path: './other/auth.py:a' } }, files),
      'auth.path: "./other/auth.py:a" lies in none of the local dependencies: add its folder, with ./, as in "./other"',
    )
    expectFound(
      await found({ dependencies: ['./lib'], graphs: { a: './library/x.py:g' } }, { ...files, 'library/x.py': '' }),
      'graphs.a: "./library/x.py:g" lies in none of the local dependencies',
    )
    // The folder that is named without its dot is meant.
    const deep = { dependencies: ['lib'], graphs: { a: './lib/sub/agent.py:g' } }
    const [words] = await found(deep, { 'lib/sub/agent.py': '' })
    expect(words).toContain('add its folder, with ./, as in "./lib" (')
    expectFound(
      await found({ dependencies: ['lib'], graphs }, files),
      'graphs.a: "./lib/agent.py:g" lies in none of the local dependencies: add its folder, with ./, as in "./lib"',
      'warning: langgraph.json, line 3: dependencies[0] "lib" is read as the name of a package',
    )
  })

  it('has no package of a name that the client refuses', async () => {
    const own = async (name: string, more: Record<string, string> = {}): Promise<string[]> => {
      const files = { [`${name}/x.py`]: '', [`${name}/__init__.py`]: '', ...more }
      return await found({ dependencies: [`./${name}`], graphs: { a: `./${name}/x.py:g` } }, files)
    }
    const refused = 'has neither pyproject.toml nor setup.py: the build refuses a package of the name'
    expectFound(await own('src'), `dependencies[0] "./src" ${refused} src; add a pyproject.toml`)
    expectFound(await own('my-agent'), `dependencies[0] "./my-agent" ${refused} my-agent; add a pyproject.toml`)
    expect(await own('my_agent')).toEqual([])
    expect(await own('my-agent', { 'my-agent/pyproject.toml': '' })).toEqual([])
  })

  it('needs no folder that pip would call src', async () => {
    const flat = { 'agent.py': '', 'src/x.py': '' }
    expectFound(
      await found(app(), flat),
      'warning: langgraph.json, line 3: dependencies[0] "." has a .py file directly in src/',
    )
    for (const name of ['pyproject.toml', 'setup.py', '__init__.py'])
      expect(await found(app(), { ...flat, [name]: '' })).toEqual([])
    expect(await found(app(), { 'agent.py': '', 'src/lib/x.py': '' })).toEqual([])
  })
})

describe('a JavaScript app', () => {
  it('is warned of a file that is missing, and that a command of the build may make', async () => {
    const config = { graphs: { a: './dist/a.js:g' }, auth: { path: './b.js:x' }, http: { app: './c.js:x' } }
    const folder = folderWith({ 'langgraph.json': JSON.stringify(config), 'package.json': '{}' })
    const { problems, warnings, unlessBuilt } = await checkedUpload(folder)
    expect([problems, warnings]).toEqual([[], []])
    expectFound(unlessBuilt, 'graphs.a "./dist/a.js:g" is no file', 'auth.path "./b.js:x"', 'http.app "./c.js:x"')
    expect(await found({ ...config, dockerfile_lines: ['RUN npm run build'] })).toEqual([])
    expect(await found({ ...config, dockerfile_lines: [] })).toHaveLength(3)
  })

  it('is warned of local dependencies that are missing or outside', async () => {
    const dependencies = ['.', './src', './gone', '../other', './package.json']
    const inSource = { config: 'app/langgraph.json', source: 'app' }
    const files = { 'app/src/agent.ts': '', 'app/package.json': '{}', 'other/x.ts': '' }
    expectFound(
      await found(js({ dependencies }), files, inSource),
      'warning: app/langgraph.json, line 8: dependencies[2] "./gone" is no folder',
      'warning: app/langgraph.json, line 9: dependencies[3] "../other" lies outside source-path: set source-path: .',
    )
  })

  const needing = (versions: object, top: Record<string, string> = {}, source = 'app') =>
    found(
      js(),
      { 'app/src/agent.ts': '', 'app/package.json': JSON.stringify({ dependencies: versions }), ...top },
      { config: 'app/langgraph.json', source },
    )

  it('is warned of packages beside the source', async () => {
    expectFound(
      await needing({
        one: 'workspace:*',
        two: 'file:../two',
        three: 'link:../three',
        four: 'file:./four',
        five: '^1',
      }),
      'warning: the package.json beside app/langgraph.json needs "workspace:*" for "one", which lies outside source-path',
      'needs "file:../two" for "two"',
      'needs "link:../three" for "three"',
    )
  })

  it('may take them from the source', async () => {
    const versions = { one: 'workspace:*', two: 'file:../two' }
    const root = { 'package.json': '{"workspaces": ["app"]}' }
    expect(await needing(versions, root, '.')).toEqual([])
    expect(await needing(versions, { 'pnpm-workspace.yaml': '' }, '.')).toEqual([])
    expectFound(await needing(versions, { 'package.json': '{}' }, '.'), 'needs "workspace:*" for "one"')
  })
})

describe('another api', () => {
  it('has JSON of any kind', async () => {
    expect(await found({ graphs: 1 }, {}, { api: AGENT_SERVER })).toEqual([])
    expectFound(await found('{', {}, { api: AGENT_SERVER }), 'app-config-path: "langgraph.json" is not JSON')
  })
})

it('shows no secret of a configuration, and no endless text', async () => {
  const key = `sk-ant-api03-${'a1B2'.repeat(20)}`
  const words = await found(app({ graphs: { [key]: `./${key}.py:g`, long: `./${'x'.repeat(500)}.py:g` } }), PY)
  expect(words.join()).not.toContain(key)
  expect(words[1]?.length).toBeLessThan(300)
})

it('names the file of env, unless its path looks like a secret', async () => {
  const environmentOf = async (env: string): Promise<string | undefined> =>
    (await checkedUpload(folderWith({ ...PY, 'langgraph.json': JSON.stringify(app({ env })) }))).environment
  expect(await environmentOf('../x.env')).toContain('langgraph.json names the file "../x.env" in env')
  const key = `sk-ant-api03-${'a1B2'.repeat(20)}`
  const words = await environmentOf(`./${key}`)
  expect(words).toContain('langgraph.json names a file in env')
  expect(words).not.toContain(key)
})

it('counts problems beyond twenty', async () => {
  const graphs = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`g${index}`, './gone.py:g']))
  const words = await found(app({ graphs }), PY)
  expect(words).toHaveLength(21)
  expect(words.at(-1)).toContain('has 10 more problems')
})
