import regexp from 'eslint-plugin-regexp'
import sonarjs from 'eslint-plugin-sonarjs'
import tseslint from 'typescript-eslint'

const WORLD = 'Take it from the world (src/world.ts): only src/real/ has it from the process.'

export default tseslint.config(
  {
    ignores: [
      '.cache/',
      'dist/',
      'node_modules/',
      'lib/',
      'demo-output/',
      'coverage/',
      '__tests__/fixtures/apps/',
      '*.config.js',
      '.dependency-cruiser.mjs',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/return-await': ['error', 'always'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-else-return': 'error',
      'max-depth': ['error', 3],
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', ...pathnamesOfFiles()],
    },
  },
  // Blank lines and comments count: a long file holds more than one concept.
  { files: ['src/**'], rules: { 'max-lines': ['error', 350] } },
  // A limit that is wrong for a function is turned off there, with the reason.
  {
    files: ['src/**'],
    plugins: { sonarjs },
    rules: { 'sonarjs/cognitive-complexity': ['error', 15], 'max-lines-per-function': ['error', { max: 40 }] },
  },
  {
    files: ['src/**'],
    plugins: { names: { rules: { 'empty-words': emptyWords() } } },
    rules: { 'names/empty-words': 'error' },
  },
  // What `using` declares is there for its end.
  { files: ['src/**'], rules: { '@typescript-eslint/no-unused-vars': ['error', { ignoreUsingDeclarations: true }] } },
  { files: ['sandbox/**', 'demo/**', 'scripts/**', 'bench/**'], rules: { 'max-lines': ['error', 250] } },
  // Each text may come from a server or a pull request, which could block the run by a long one.
  {
    files: ['src/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  // A run takes what it has from outside as a value (src/world.ts). Node's module for hashes and the like is no world.
  {
    files: ['src/**'],
    ignores: ['src/real/**', 'src/bundle/**'],
    rules: {
      'no-restricted-globals': ['error', ...ofTheWorld('setImmediate')],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:crypto', allowImportNames: ['createHash', 'createHmac'], message: WORLD }] },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: WORLD },
        { object: 'Date', property: 'now', message: WORLD },
        { object: 'AbortSignal', property: 'timeout', message: 'Use limitTo of src/clock.ts.' },
        { object: 'crypto', property: 'randomUUID', message: 'Use newId of src/world.ts.' },
      ],
      'no-restricted-syntax': ['error', ...pathnamesOfFiles(), ...uses(), ...lateImports()],
    },
  },
  {
    files: ['src/main.ts', 'src/parts.ts', 'src/parts/later.ts'],
    rules: { 'no-restricted-syntax': ['error', ...pathnamesOfFiles(), ...uses()] },
  },
  { files: ['src/async.ts'], rules: { 'no-restricted-globals': ['error', ...ofTheWorld()] } },
  { files: ['src/real/**', 'src/bundle/**'], rules: { 'no-restricted-syntax': ['error', ...pathnamesOfFiles()] } },
  // Ids of the control plane have no case. Those of GitHub are numbers.
  {
    files: ['src/control-plane/**', 'src/rollout/**', 'src/previews/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...pathnamesOfFiles(),
        ...uses(),
        ...lateImports(),
        ...directComparisonsOfIds(),
      ],
    },
  },
  // A script of a page, which reads what its own server sends.
  { files: ['sandbox/page/*.js'], rules: { '@typescript-eslint/no-unsafe-assignment': 'off' } },
)

function ofTheWorld(...more) {
  const time = ['setTimeout', 'setInterval', 'queueMicrotask', 'performance', 'MessageChannel', 'BroadcastChannel']
  const network = ['crypto', 'fetch', 'WebSocket', 'EventSource', 'console']
  const everything = ['globalThis', 'global', 'eval', 'Function']
  const names = [...time, ...network, ...everything, ...more]
  return names.map((name) => ({ name, message: WORLD }))
}

/** Parts of globals that are of the world. Only the process has a part that is not: the modules of Node. */
function uses() {
  return [
    {
      selector: 'Identifier[name="process"]:not(MemberExpression[property.name="getBuiltinModule"] > Identifier)',
      message: WORLD,
    },
    // By another name, `now` and `random` would not be found.
    {
      selector: `Identifier[name=/^(Math|Date|AbortSignal)$/]${[
        'MemberExpression[computed=false] > Identifier.object',
        'NewExpression[arguments.length>0] > Identifier.callee',
        'TSTypeReference > Identifier',
      ]
        .map((use) => `:not(${use})`)
        .join('')}`,
      message: WORLD,
    },
    {
      selector: 'Identifier[name=/^(getRandomValues|webcrypto|random(UUID|Bytes|Int|Fill|FillSync))$/]',
      message: 'Use newId or random of the world.',
    },
    {
      selector:
        'CallExpression[callee.property.name="getBuiltinModule"] > .arguments:not([value=/^node:(crypto|v8|zlib)$/])',
      message: WORLD,
    },
  ]
}

/** Rule 10 of docs/architecture.md. */
function lateImports() {
  return [{ selector: 'ImportExpression', message: 'Take what is loaded later as a function: see src/parts.ts.' }]
}

/** A lint rule against names that do not distinguish. An arrow on one line may have them as parameters. */
function emptyWords() {
  const name = '[name=/^(one|given|found|known|shown|left|other|of|earlier|what|around|about|asked)$/]'
  const signatures = 'TSFunctionType, TSMethodSignature, TSCallSignatureDeclaration, TSConstructSignatureDeclaration'
  const declarations = 'FunctionDeclaration, FunctionExpression, TSDeclareFunction, TSEmptyBodyFunctionExpression'
  const functions = `:matches(${declarations}, ${signatures})`
  const members = 'PropertyDefinition, MethodDefinition, AccessorProperty, TSPropertySignature, TSMethodSignature'
  const names = [
    'VariableDeclarator > Identifier.id',
    'ObjectPattern > Property > Identifier.value',
    ':matches(Property, ArrayPattern, TSParameterProperty) > AssignmentPattern > Identifier.left',
    'ArrayPattern > Identifier',
    'RestElement > Identifier',
    'CatchClause > Identifier.param',
    `${functions} > Identifier.params`,
    `${functions} > AssignmentPattern.params > Identifier.left`,
    'TSParameterProperty > Identifier',
    'TSIndexSignature > Identifier.parameters',
    'TSNamedTupleMember > Identifier.label',
    `:matches(${members}) > :matches(Identifier, PrivateIdentifier).key`,
    'TSEnumMember > Identifier.id',
    ':matches(FunctionDeclaration, FunctionExpression, TSDeclareFunction) > Identifier.id',
    ':matches(ImportSpecifier, ImportDefaultSpecifier, ImportNamespaceSpecifier) > Identifier.local',
  ]
  const ofArrows = [
    'ArrowFunctionExpression > Identifier.params',
    'ArrowFunctionExpression > AssignmentPattern.params > Identifier.left',
  ]
  const message = 'Name it by a noun that tells it from the others: this word says nothing.'
  const arrowOf = (parameter) =>
    parameter.parent.type === 'AssignmentPattern' ? parameter.parent.parent : parameter.parent
  const isShort = ({ body, loc }) => body.type !== 'BlockStatement' && loc.start.line === loc.end.line
  const create = (context) => ({
    [names.map((selector) => selector + name).join()]: (node) => context.report({ node, message }),
    [ofArrows.map((selector) => selector + name).join()]: (node) => {
      if (!isShort(arrowOf(node))) context.report({ node, message })
    },
  })
  return { create }
}

function pathnamesOfFiles() {
  const message = 'Use fileURLToPath: pathname keeps blanks and letters outside ASCII encoded.'
  const file = 'NewExpression[callee.name="URL"]:has(MetaProperty)'
  return [
    { selector: `MemberExpression[property.name="pathname"] > ${file}`, message },
    { selector: `VariableDeclarator:has(Property[key.name="pathname"]) > ${file}`, message },
  ]
}

function directComparisonsOfIds() {
  const message = 'Compare ids by sameId, and use idKey as the key of a Set or Map: ids have no case.'
  const name = '/(^id|Id)$/'
  const ids = [`[type="Identifier"][name=${name}]`, `[type="MemberExpression"][property.name=${name}]`]
  // A regular expression: esquery takes a missing property for the text "undefined".
  const isKnown = ':not([right.name=/^undefined$/]):not([right.raw=/^null$/])'
  const compared = ids.flatMap((id) => [
    `BinaryExpression[operator=/^[!=]==$/]${isKnown} > ${id}`,
    `CallExpression[callee.property.name=/^(includes|indexOf|has|get)$/] > ${id}`,
  ])
  return compared.map((selector) => ({ selector, message }))
}
