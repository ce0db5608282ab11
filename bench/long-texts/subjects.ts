import { SCHEMAS as schemas } from '../../src/control-plane/schemas.ts'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { explainStatus } from '../../src/control-plane/errors.ts'
import { retryAfterOf } from '../../src/http/retry-after.ts'
import { type Field, FIELDS, SETTINGS, wireName } from '../../src/control-plane/settings.ts'
import { bodyOf } from '../../src/github/comment.ts'
import { readCommentNotes, readStart } from '../../src/notes/comment-head.ts'
import { readPayload } from '../../src/notes/payload.ts'
import { readDescription } from '../../src/notes/status.ts'
import { RefusalError, toGitHubError } from '../../src/github/errors.ts'
import { readEvent } from '../../src/github/event.ts'
import { charsetOf } from '../../src/http/body.ts'
import { INPUTS_OF } from '../../src/inputs/inputs.ts'
import { readStep } from '../../src/inputs/read-step.ts'
import { codeBlock, codeCell, excerpt, logLine, withoutMiddle } from '../../src/report/escape.ts'
import { endOfLog } from '../../src/report/log-lines.ts'
import { sentence } from '../../src/report/markdown.ts'
import { outputsOf } from '../../src/report/outputs.ts'
import { planMarkdown } from '../../src/report/plan-markdown.ts'
import { describePlan, planLines } from '../../src/report/plan.ts'
import { systemClock } from '../../src/real/world.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import { renderComment, renderSummary } from '../../src/report/summary.ts'
import { Cleaner } from '../../src/report/typed-fields.ts'
import { FoundSecrets } from '../../src/secrets/json.ts'
import { beginsLikeJson, redactorFor } from '../../src/request/redaction.ts'
import { contradicts } from '../../src/rollout/fields/compare.ts'
import { planRollout } from '../../src/rollout/plan/plan-rollout.ts'
import { sameRepository } from '../../src/rollout/plan/repository.ts'
import { filledAddress } from '../../src/rollout/verify/evidence.ts'
import { isProbableTypo } from '../../src/rollout/read/find-deployment.ts'
import { parseYaml } from '../../src/sources/yaml-file.ts'
import { secretsOfText } from '../../src/secrets/address.ts'
import {
  aBasis,
  aDeployment,
  aPush,
  aRecord,
  aRequest,
  aRevision,
  DEPLOYMENT_ID,
  REVISION_ID,
} from '../../__tests__/builders.ts'
import { aWorkspace, type Workspace } from '../../__tests__/inputs/manifest/workspace.ts'
import { AROUND } from '../../__tests__/here.ts'

const workspace: Workspace = aWorkspace()
export const endSubjects = (): void => workspace.end()

const redactor = new Redactor(() => undefined)
redactor.learn(['Correct-Horse/1', 'a-secret\nof two lines', 'a'.repeat(300)])
redactor.learnValues(['word'])
const { redact, redactFreeText, reveals } = redactor

const publish = (over: Parameters<typeof aRecord>[0]) => {
  const { record } = new Cleaner(redactor).clean(aRecord(over))
  return [renderSummary(record, redact), renderComment(record, redact), outputsOf(record, redactor)]
}
const failed = { kind: 'failed', because: { kind: 'revision' } } as const
const ofRevision = (over: Parameters<typeof aRevision>[0]) => publish({ revision: aRevision(over), outcome: failed })

const WIRE = { id: DEPLOYMENT_ID, name: 'agent', source: 'git_host', latest_revision_id: REVISION_ID }
const wired = (text: string): unknown[] => [
  ...[
    'id',
    'name',
    'source',
    'status',
    'created_at',
    'updated_at',
    'url',
    'latest_revision_id',
    'active_revision_id',
  ].map((field) => schemas.deployment.safeParse({ ...WIRE, [field]: text })),
  schemas.deployment.safeParse({ ...WIRE, source_revision_config: { repo_commit_sha: text } }),
  schemas.revision.safeParse({ id: text, status: text, status_message: text, created_at: text }),
  schemas.revision.safeParse({ id: REVISION_ID, status: text, status_message: text, created_at: text }),
  schemas.logPage.safeParse({ logs: [{ id: text, message: text }], next_offset: text }),
  schemas.integrations.safeParse([{ id: text, name: text }]),
  schemas.repositories.safeParse([{ host_integration_id: text, url: text }]),
  schemas.uploadTicket.safeParse({ upload_url: text, object_path: text, headers: { [text]: text } }),
]

/** The plan against a deployment that reports this value. */
function planned(field: Field, value: string): unknown {
  const [settings, wanted] = [{ [field]: value }, { [field]: 'x' }]
  const source = SETTINGS[field].rules === SETTINGS.customUrl.rules ? 'external_container' : 'git_host'
  const planning = planRollout(aRequest({ settings: wanted }), aBasis(aDeployment({ source, settings })))
  if (planning.kind === 'refused') return planning.problems
  const plan = describePlan({ plan: planning.plan, wait: true, prefix: '' }, AGENT_SERVER)
  return [contradicts(field, settings, wanted), planLines(plan, redact), planMarkdown(plan, redact)]
}

const OPTIONS = {
  credentials: { apiKey: 'key', bearerToken: undefined, tenantId: undefined, tenantHeader: 'X-Tenant-Id' },
  clock: systemClock,
  redactFreeText,
}
const READ = { method: 'GET', path: '/v2/deployments', attempted: 'read it' } as const
const explained = (body: string, headers = {}): unknown =>
  explainStatus(READ, { kind: 'answer', status: 401, headers, body }, OPTIONS).message

const passed = (text: string, isJson: boolean): unknown => {
  const secrets = {
    credentials: ['Correct-Horse'],
    values: ['a-value-1'],
    echoes: [],
    responseSecrets: new FoundSecrets(1_000, 100_000),
  }
  const answer = redactorFor({ ...secrets, hasTextBody: false }, { isError: true, isJson })
  return answer.pass(text) + answer.end()
}

const payloadOf = (text: string): unknown => ({
  action: text,
  pull_request: { number: 7, state: text, labels: [{ name: text }], head: { sha: text, repo: { full_name: text } } },
  issue: { number: text, state: text },
  label: { name: text },
  comment: { body: text, author_association: text },
  inputs: { pull_request: text, [text]: text },
})
const VARIABLES = [
  'SERVER_URL',
  'REPOSITORY',
  'RUN_ID',
  'REF',
  'SHA',
  'HEAD_REF',
  'BASE_REF',
  'EVENT_NAME',
  'ACTION_REF',
]
const event = async (text: string): Promise<unknown[]> => {
  const payload = { GITHUB_EVENT_PATH: '/event.json', GITHUB_EVENT_NAME: 'pull_request', GITHUB_REPOSITORY: 'a/b' }
  const read = async (env: Record<string, string>) =>
    await readEvent({ ...payload, ...env }, async () => await Promise.resolve(payloadOf(text)))
  return await Promise.all([read({}), ...VARIABLES.map(async (name) => await read({ [`GITHUB_${name}`]: text }))])
}

const quoted = (text: string): string => JSON.stringify(text)
/** Each input, read for the first operation that has it. */
const OPERATION_OF = new Map(
  Object.entries(INPUTS_OF)
    .toReversed()
    .flatMap(([operation, names]) => Object.keys(names).map((name) => [name, operation] as const)),
)
async function readInput(name: string, operation: string, text: string): Promise<unknown> {
  const given: Record<string, string> = { operation, 'base-url': 'https://cp.example', 'api-key': 'k', [name]: text }
  return await readStep((one) => given[one] ?? '', aPush(), AROUND).catch(String)
}

const CHECK = { url: '{url}/ok', isEncrypted: true, status: 200, contains: undefined, timeoutMs: 1_000 }

/** What reads texts from outside. */
export const SUBJECTS: readonly [string, (text: string) => unknown][] = [
  ['fields of answers', wired],
  ...FIELDS.filter((field) => SETTINGS[field].type === 'text').map((field): [string, (text: string) => unknown] => [
    wireName(field),
    (text) => planned(field, text),
  ]),
  ['addresses', (text) => [`https://a.example/${text}`, text].map((url) => filledAddress(CHECK, url, reveals))],
  ['repositories', (text) => sameRepository(`https://git.example/${text}`, `git@git.example:${text}`)],
  ['user info', (text) => [secretsOfText(text), secretsOfText(`https://${text}@a.example`)]],
  ['url', (text) => publish({ url: `https://a.example/${text}` })],
  ['name', (text) => publish({ target: text, deployment: { id: DEPLOYMENT_ID, name: text } })],
  ['ids', (text) => publish({ deployment: { id: text, name: 'agent' }, revisionId: text, previousRevisionId: text })],
  [
    'status',
    (text) => [ofRevision({ status: text }), publish({ timeline: [{ status: text, phase: 'unknown', at: 0 }] })],
  ],
  ['status message', (text) => ofRevision({ statusMessage: text })],
  ['commit', (text) => [ofRevision({ repoCommitSha: text }), publish({ commit: text })]],
  ['lines of a log', (text) => [publish({ log: { type: 'build', lines: [text] }, outcome: failed }), logLine(text)]],
  ['secrets in lines of a log', (text) => redactor.redactLines([text, text], false)],
  ['the end of a log', (text) => endOfLog({ kind: 'unavailable', trouble: text })],
  ['error', (text) => publish({ outcome: { kind: 'failed', because: { kind: 'error', error: new Error(text) } } })],
  ['secrets', (text) => [redactFreeText(text), reveals(text)]],
  ['markdown', (text) => [sentence(text), codeBlock(text), codeCell(text), excerpt(text), withoutMiddle(text, 4_000)]],
  [
    'explanations',
    (text) => [explained(text), explained(`<title${text}`), explained(JSON.stringify({ detail: text }))],
  ],
  [
    'headers',
    (text) => [
      explained('', { location: text }),
      retryAfterOf({ 'retry-after': text, date: text }, 0),
      charsetOf(Buffer.of(), text),
    ],
  ],
  ['names that are similar', (text) => isProbableTypo(text.slice(0, 1_000), 'agent')],
  ['an answer in a file', (text) => [passed(text, false), passed(quoted(text), true), beginsLikeJson(text)]],
  ['comments', (text) => [readCommentNotes(text), readCommentNotes(bodyOf('<!-- m -->', text)), readStart(text)]],
  ['notes of GitHub Deployments', (text) => [readPayload(text), readDescription(text)]],
  [
    'errors of GitHub',
    (text) => toGitHubError(new RefusalError(403, text, {}), { attempted: 'x', permission: 'contents: read' }, 0),
  ],
  ['events', event],
  ...[...OPERATION_OF].map(([name, operation]): [string, (text: string) => unknown] => [
    `the input ${name}`,
    async (text) => await readInput(name, operation, text),
  ]),
  ['a value in YAML', (text) => parseYaml(`a: ${quoted(text)}`)],
  ['a manifest', async (text) => await workspace.read(text)],
  [
    'an entry of a manifest',
    async (text) => await workspace.read(`version: 1\ndeployments: [{ name: ${quoted(text)} }]`),
  ],
]
