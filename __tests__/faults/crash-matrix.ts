import { isDeepStrictEqual } from 'node:util'
import type { InputValue } from '../../demo/runner.ts'
import type { Visit } from '../../sandbox/other-clients.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import { API_KEY, CREATE, step } from '../e2e/journey.ts'
import { folderWith } from '../folders.ts'
import { here, pause } from '../places/here.ts'
import { LAG } from '../../simulation/shared/fault-classes.ts'
import { OWN_FORM, showIn, UNREPORTED, type Form } from '../../simulation/shared/forms.ts'
import { CREATING } from '../../simulation/shared/lost-answers.ts'
import { MAIN_COMMIT, OTHER_COMMIT, PUSH_TO_MAIN } from '../../simulation/shared/others.ts'

/** A rollout that is killed at one of its requests, and then rerun. */
export interface Cell {
  scenario: string
  /** From 0. */
  request: number
  /** The request; 'none' if the run sends fewer. */
  line: string
  when: 'before' | 'after'
  /** What is wrong afterwards. */
  violations: string[]
}

interface Scenario {
  inputs: Record<string, InputValue>
  /** Runs before the one that is killed, one after the other. */
  earlier?: Record<string, InputValue> | Record<string, InputValue>[]
  /** How many revisions are needed in all. */
  revisions: number
  /** The rerun knows what the run has done, if no replica lags: there is no revision more. */
  isExact?: true
  /** A rerun refuses to go back, as nothing shows whether the killed attempt has done so. */
  isRefused?: true
  /** What the deployment has in the end, whatever was lost. */
  config?: Record<string, unknown>
  /** What its active revision is made of in the end. */
  builds?: Record<string, unknown>
  isShareable?: true
  form?: Form
  /** An unfinished revision with the same settings and of another commit is there when the run begins. */
  stranger?: true
  /** What others do while it runs. */
  visits?: readonly Visit[]
  service?: Pick<SandboxOptions, 'habits' | 'script'>
  workspace?: Record<string, string>
}

const RELEASES = ['first.json', 'second.json', 'third.json'].map((file) => ({ ...CREATE, 'app-config-path': file }))
const SKIP = { 'if-unchanged': 'skip' }

export const SCENARIOS: Record<string, Scenario> = {
  create: { inputs: CREATE, revisions: 1 },
  revise: { inputs: { ...CREATE, 'app-config-path': 'other.json' }, earlier: CREATE, revisions: 2 },
  'patch and revise': {
    inputs: { ...CREATE, 'app-config-path': 'other.json', 'build-on-push': true },
    earlier: CREATE,
    revisions: 2,
  },
  'patch last': {
    inputs: { ...CREATE, 'build-on-push': true },
    earlier: { ...CREATE, 'repo-ref': 'refs/tags/v1', 'build-on-push': false },
    revisions: 2,
    config: { build_on_push: true },
  },
  'own form': {
    inputs: { ...CREATE, 'install-command': 'npm  ci' },
    earlier: { ...CREATE, 'install-command': 'npm install' },
    revisions: 2,
    config: { install_command: 'npm  ci' },
    form: OWN_FORM,
  },
  'not reported': {
    inputs: { ...CREATE, 'build-on-push': true },
    earlier: CREATE,
    revisions: 2,
    config: { build_on_push: true },
    form: UNREPORTED,
  },
  shareable: { inputs: { ...CREATE, shareable: true }, revisions: 1, isShareable: true },
  stranger: { inputs: CREATE, earlier: CREATE, revisions: 3, stranger: true },
  rollback: {
    inputs: { operation: 'rollback', name: 'hello-agent' },
    earlier: [CREATE, { ...CREATE, 'app-config-path': 'other.json' }],
    revisions: 3,
    isRefused: true,
    builds: { app_config_path: 'agent.json' },
  },
  'somebody in between': {
    inputs: { ...CREATE, ...SKIP, 'app-config-path': 'other.json' },
    earlier: CREATE,
    revisions: 3,
    isExact: true,
    builds: { app_config_path: 'other.json', repo_commit_sha: MAIN_COMMIT },
    visits: [
      {
        match: CREATING,
        acts: [
          {
            kind: 'revise',
            name: 'hello-agent',
            body: { source_revision_config: { app_config_path: 'other.json' } },
            script: { statuses: [{ status: 'BUILDING', ms: Infinity }], repoCommitSha: OTHER_COMMIT },
          },
        ],
      },
    ],
  },
  reactivates: {
    inputs: { operation: 'rollback', name: 'hello-agent', 'revision-id': 'previous' },
    earlier: RELEASES,
    revisions: 3,
    isRefused: true,
    isExact: true,
    builds: { app_config_path: 'second.json' },
    service: { habits: { redeployReactivates: true } },
  },
  'late activation': {
    inputs: { ...CREATE, ...SKIP, 'app-config-path': 'other.json' },
    earlier: CREATE,
    revisions: 2,
    isExact: true,
    builds: { app_config_path: 'other.json' },
    service: { script: { activationMs: 12_000 } },
  },
  upload: {
    inputs: { name: 'hello-agent', source: 'internal_source', 'app-config-path': 'agent.json' },
    revisions: 2,
    workspace: { 'agent.json': '{}' },
  },
}

/** After this time every replica shows the end of the earlier runs. */
const SHOWN_MS = 10_000

/** How many requests an undisturbed run of the scenario sends. */
export async function countRequests(name: string): Promise<number> {
  return await inScenario(name, async ({ sandbox, run }) => {
    const before = sandbox.requests.length
    await run()
    return sandbox.requests.length - before
  })
}

/** Kills the run at the request, reruns it while replicas lag, and compares the result with what it should be. */
export async function runCell(name: string, request: number, when: Cell['when']): Promise<Cell> {
  return await inScenario(name, async ({ sandbox, run, scenario, stranger }) => {
    const killed = Promise.withResolvers<undefined>()
    const gone = Promise.withResolvers<undefined>()
    const before = sandbox.requests.length
    const meanwhile = async (): Promise<void> => {
      killed.resolve(undefined)
      await gone.promise
    }
    sandbox.setFaults([{ match: {}, skip: request, effect: { kind: 'drop', when, meanwhile } }])
    const first = await run(killed.promise)
    gone.resolve(undefined)
    const hit = sandbox.requests[before + request]
    sandbox.setFaults(scenario.isExact === true ? [] : [...LAG])
    const again = await run()
    sandbox.setFaults([])
    const line = hit === undefined ? 'none' : `${hit.method} ${hit.route}`
    const violations = [
      ...(first.signal === 'SIGKILL' || hit === undefined ? [] : ['it was not killed']),
      ...(scenario.isRefused === true ? unrefused : violationsOf)(sandbox, again.outputs, scenario),
      ...(scenario.isRefused !== true &&
      [stranger, ...sandbox.deeds().map(({ revisionId }) => revisionId)].includes(again.outputs['revision-id'])
        ? ['it is the revision of a stranger']
        : []),
    ]
    return { scenario: name, request, line, when, violations }
  })
}

/** Without notes and without GitHub's time of the run, `previous` is refused in a rerun, and nothing more is restored. */
function unrefused(sandbox: Sandbox, outputs: Record<string, string>, { revisions }: Scenario): string[] {
  const [deployment] = sandbox.deployments().filter(({ name }) => name === 'hello-agent')
  const made = sandbox.revisions(String(deployment?.['id'])).length
  return [
    ...(outputs['outcome'] === 'failed' ? [] : [`the outcome is ${outputs['outcome'] ?? 'none'}`]),
    ...(outputs['revision-id'] === undefined ? [] : ['the rerun has made a revision']),
    ...(made <= revisions ? [] : [`${made} revisions, at most ${revisions} are needed`]),
  ]
}

function violationsOf(sandbox: Sandbox, outputs: Record<string, string>, scenario: Scenario): string[] {
  const { revisions, isExact, config = {}, builds = {}, isShareable } = scenario
  const most = isExact === true ? revisions : revisions + 1
  const named = sandbox.deployments().filter(({ name }) => name === 'hello-agent')
  const [deployment] = named
  const made = deployment === undefined ? [] : sandbox.revisions(String(deployment['id']))
  const active = made.find(({ id }) => id === deployment?.['active_revision_id'])
  return [
    ...(named.length === 1 ? [] : [`${named.length} deployments`]),
    ...(made.length >= revisions && made.length <= most ? [] : [`${made.length} revisions, ${revisions} are needed`]),
    ...(outputs['outcome'] === 'deployed' || (isExact === true && outputs['outcome'] === 'unchanged')
      ? []
      : [`the outcome is ${outputs['outcome'] ?? 'none'}`]),
    ...differingFields(deployment?.['source_config'], config),
    ...differingFields(active?.['source_revision_config'], builds),
    ...(deployment?.['shareable'] === isShareable ? [] : ['it is not shareable']),
    ...(outputs['revision-id'] === deployment?.['active_revision_id']
      ? []
      : ['the reported revision is not the active one']),
  ]
}

function differingFields(found: unknown, wanted: Record<string, unknown>): string[] {
  const fields: unknown = { ...wanted, ...(typeof found === 'object' ? found : {}) }
  return isDeepStrictEqual(fields, { ...(typeof found === 'object' ? found : {}), ...wanted })
    ? []
    : [`the settings are not ${JSON.stringify(wanted)}`]
}

interface Stage {
  sandbox: Sandbox
  scenario: Scenario
  /** The id of its revision. */
  stranger: string | undefined
  run: (kill?: Promise<unknown>) => Promise<{ outputs: Record<string, string>; signal: string | null }>
}

async function inScenario<T>(name: string, act: (stage: Stage) => Promise<T>): Promise<T> {
  const scenario = SCENARIOS[name]
  if (scenario === undefined) throw new Error(`no scenario is named ${name}`)
  const cwd = folderWith(scenario.workspace)
  const { form = {}, visits = [], service } = scenario
  const sandbox = await here().openSandbox({ speed: 5, ...service, shows: (body) => showIn(form, body) })
  const runInputs = async (inputs: Record<string, InputValue>, kill?: Promise<unknown>) => {
    const run = await step(
      sandbox,
      { 'protect-newer': false, ...inputs },
      {
        event: PUSH_TO_MAIN,
        cwd,
        // A run that is not killed is the rerun, or before the first attempt.
        env: { GITHUB_RUN_ATTEMPT: kill === undefined ? '2' : '1' },
        ...(kill === undefined ? {} : { kill: { signal: 'SIGKILL' as const, when: kill } }),
      },
    )
    await run.dispose()
    return { outputs: run.outputs, signal: run.signal }
  }
  try {
    for (const inputs of [scenario.earlier ?? []].flat()) await runInputs(inputs)
    await here().spend(async () => await pause(SHOWN_MS))
    const stranger = scenario.stranger && (await beginAsStranger(sandbox))
    sandbox.setVisits(visits)
    return await act({ sandbox, scenario, stranger, run: async (kill) => await runInputs(scenario.inputs, kill) })
  } finally {
    await sandbox.close()
  }
}

/** Its commit is not reported before it builds. Later revisions build the commit of main. */
async function beginAsStranger(sandbox: Sandbox): Promise<string> {
  const statuses = [
    { status: 'QUEUED', ms: 3_000 },
    { status: 'BUILDING', ms: 2_000 },
    { status: 'DEPLOYED', ms: Infinity },
  ]
  const theirs = { statuses, repoCommitSha: OTHER_COMMIT }
  sandbox.setScript((_deployment, number) => (number === 2 ? theirs : { repoCommitSha: MAIN_COMMIT }))
  return await reviseAs(sandbox)
}

/** Creates a revision as another client does. Returns its id. */
async function reviseAs(sandbox: Sandbox): Promise<string> {
  const id = String(sandbox.deployments().find(({ name }) => name === 'hello-agent')?.['id'])
  const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' }
  const address = `${sandbox.url}/v2/deployments/${id}/revisions`
  const answer = await here().fetch(address, { method: 'POST', headers, body: '{}' })
  if (answer.status !== 201) throw new Error(`the revision was refused: ${await answer.text()}`)
  return String(sandbox.revisions(id).at(-1)?.['id'])
}
