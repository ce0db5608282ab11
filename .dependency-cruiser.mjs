// The folders of src/, from the top to the ground: a file imports from its own folder and from those below it.
const LAYERS = [
  '(main|start)\\.ts$|real/',
  '(run|dispatch|last-look|open-run|run-time)\\.ts$',
  'parts(/|\\.ts$)',
  'trace/',
  'notify/',
  'report/',
  'inputs/',
  'request/',
  'previews/',
  'fleet/',
  'rollout/',
  'app-config/',
  'sources/',
  'github/',
  'notes/',
  'control-plane/',
  'secrets/',
  'http/',
  '(async|clock|files|problem|runner|world)\\.ts$|bundle/',
]

/** Inside rollout/: a stage imports from itself and from earlier stages. */
const STAGES = ['fields', 'read', 'plan', 'apply', 'watch', 'verify', 'rollback']

const among = (names) => `^src/(${names.join('|')})`

const upward = LAYERS.slice(1).map((layer, index) => ({
  name: `no-upward-import-${index + 1}`,
  severity: 'error',
  from: { path: among([layer]) },
  to: { path: among(LAYERS.slice(0, index + 1)) },
}))

const backward = STAGES.slice(0, -1).map((stage, index) => ({
  name: `${stage}-imports-no-later-stage`,
  severity: 'error',
  from: { path: `^src/rollout/${stage}/` },
  to: { path: `^src/rollout/(${STAGES.slice(index + 1).join('|')})/` },
}))

/** Files that every stage uses: they import types of what is read and planned, and of no later stage. */
const SHARED = '^src/rollout/(event|deployment-change|outcome|dependencies|timing|rollout-request|longest-end)\\.ts$'
/** The operations, above all stages. */
const OPERATIONS = '^src/rollout/(rollout|rollback|before-plan|prepare|app-config|execute|finish|wait)\\.ts$'
/** The loop of all operations, which a rollback uses, too. */
const DRIVER = '^src/rollout/drive\\.ts$'

const rolloutRules = [
  {
    name: 'shared-files-import-no-late-stage',
    severity: 'error',
    from: { path: SHARED },
    to: { path: `^src/rollout/(apply|watch|verify|rollback)/|${OPERATIONS}` },
  },
  {
    name: 'driver-imports-no-late-stage',
    severity: 'error',
    from: { path: DRIVER },
    to: { path: `^src/rollout/(watch|verify|rollback)/|${OPERATIONS}` },
  },
  {
    name: 'timing-imports-nothing',
    severity: 'error',
    from: { path: '^src/rollout/timing\\.ts$' },
    to: { path: '^src/' },
  },
  {
    name: 'stages-import-no-operation',
    severity: 'error',
    from: { path: `^src/rollout/(${STAGES.join('|')})/` },
    to: { path: OPERATIONS },
  },
  {
    name: 'rollout-has-no-other-files',
    severity: 'error',
    from: { path: '^src/rollout/', pathNot: `${SHARED}|${DRIVER}|${OPERATIONS}|^src/rollout/(${STAGES.join('|')})/` },
    to: {},
  },
]

/** A new folder or file of src/ needs a place among the layers. */
const everyLayerIsNamed = {
  name: 'every-file-is-in-a-layer',
  severity: 'error',
  from: { path: '^src/', pathNot: among(LAYERS) },
  to: {},
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: '^src/(main|bundle/packages)\\.ts$|^sandbox/page/page\\.js$|\\.d\\.ts$' },
      to: {},
    },
    {
      name: 'src-knows-no-sandbox',
      comment: 'One misreading of the contract must not hide in both.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(sandbox|demo|bench|__tests__)/' },
    },
    {
      name: 'sandbox-knows-no-action',
      severity: 'error',
      from: { path: '^(sandbox|demo|bench)/', pathNot: '^bench/watch\.ts$' },
      to: { path: '^src/' },
    },
    ...upward,
    ...backward,
    ...rolloutRules,
    everyLayerIsNamed,
    {
      name: 'only-the-edges-use-the-toolkit',
      comment: 'Proxies are found in real/, octokit is in github/.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(parts/later|real/network|github/octokit)\\.ts$' },
      to: { path: 'node_modules/@actions/' },
    },
    {
      name: 'only-the-edges-use-the-runner',
      comment:
        'Inputs are read by the run, one address before it by main.ts, events by github/, commands are printed by report/ and secrets/, state is saved by notify/.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/(main|run|github/event|report/log|secrets/redact|notify/(saved-run|post))\\.ts$',
      },
      to: { path: '^src/runner\\.ts$' },
    },
    {
      name: 'only-the-start-knows-the-real-world',
      comment: 'A run takes the world as a value: in a simulated one it does the same.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(real/|(main|start)\\.ts$)' },
      to: { path: '^src/real/' },
    },
    {
      name: 'only-the-real-world-uses-the-system',
      comment: 'Sockets, timers, processes: of the modules of Node, these have nothing of the kind.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(real|bundle)/' },
      to: {
        dependencyTypes: ['core'],
        pathNot: '^(node:)?(buffer|crypto|events|fs|fs/promises|path|stream|util|zlib)$',
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
