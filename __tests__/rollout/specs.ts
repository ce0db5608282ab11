import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { FIELDS, SOURCES, type Settings, type Source } from '../../src/control-plane/settings.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { ruleOf } from '../../src/rollout/plan/settings.ts'
import { aRequest } from '../builders.ts'

/** Every secret's value begins so: where it turns up, a secret got out. */
export const TELL_TALE = 'hunter2-'

export const ESTATE_INTEGRATION = '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11'
export const ESTATE_LISTENER = '3f2b8c1e-94d7-4c55-8a0e-6d1f0b7a2c43'
const REPOSITORY = 'https://github.com/octo-org/hello-agent'

/** Objects as any parser makes them. */
const usual = { noNullPrototype: true } as const

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}[a-z0-9]$/)
const command = fc.stringMatching(/^[a-z]{2,6}( [a-z:]{1,8}){0,2}$/)
const identifier = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,10}$/)
const value = fc.string({ maxLength: 20 }).map((text) => TELL_TALE + text)
const unique = { selector: ({ name }: { name: string }) => name, maxLength: 4 }

const REPO_REF = fc.constantFrom('main', 'feature/x', 'refs/tags/v1.2.3')

const resourceSpec = fc.record(
  {
    min_scale: fc.integer({ min: 0, max: 3 }),
    max_scale: fc.integer({ min: 3, max: 9 }),
    cpu: fc.integer({ min: 1, max: 80 }).map((tenths) => tenths / 10),
    memory_mb: fc.integer({ min: 1, max: 64 }).map((times) => times * 128),
    labels: fc.dictionary(word, word, { maxKeys: 3, ...usual }),
    sidecars: fc.array(
      fc.record(
        {
          name: word,
          image: fc.constant('registry.example/proxy:1'),
          env: fc.array(fc.record({ name: identifier, value }, usual), { maxLength: 2 }),
        },
        usual,
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['cpu'], ...usual },
)

/** Any settings, field by field. */
const anySettings: fc.Arbitrary<Required<Settings>> = fc.record({
  integrationId: fc.constant(ESTATE_INTEGRATION),
  repoUrl: fc.constantFrom(REPOSITORY, 'git@github.com:Octo-Org/hello-agent.git', `${REPOSITORY}/`),
  repoRef: REPO_REF,
  appConfigPath: word.map((name) => `${name}.json`),
  deploymentType: fc.constantFrom('dev_free', 'dev', 'prod', 'dev_zero', 'dev_free_zero'),
  templateId: word,
  buildOnPush: fc.boolean(),
  installCommand: command,
  buildCommand: command,
  imageUri: word.map((name) => `registry.example/${name}:1`),
  listenerId: fc.constant(ESTATE_LISTENER),
  clusterNamespace: fc.constantFrom('default', 'agents'),
  customUrl: word.map((name) => `https://${name}.example`),
  resourceSpec,
  sourceTarballPath: fc.constant('.'),
  secrets: fc.uniqueArray(fc.record({ name: identifier, value }, usual), unique),
  secretReferences: fc.uniqueArray(
    fc.record({ name: identifier.map((name) => `REF_${name}`), secretName: word, secretKey: word }, usual),
    unique,
  ),
  shareable: fc.boolean(),
  routeThroughGateway: fc.boolean(),
})

/**
 * Any valid request for a deployment of any source: with all that it requires, and some of what it takes. The event is
 * that of the ref, so that the commit is known, as it is whenever the default is used.
 * @param leaveOut fields that are never set
 */
export function anyRequest(leaveOut: readonly (keyof Settings)[] = []): fc.Arbitrary<RolloutRequest> {
  return fc
    .record({
      source: fc.constantFrom(...SOURCES),
      settings: anySettings,
      chosen: fc.subarray([...FIELDS]),
      ref: REPO_REF,
      leavesRefOut: fc.boolean(),
    })
    .map(({ source, settings, chosen, ref, leavesRefOut }) => {
      const fields = FIELDS.filter(
        (field) =>
          field !== 'sourceTarballPath' &&
          !leaveOut.includes(field) &&
          (ruleOf(field, source, AGENT_SERVER) === 'required' ||
            (ruleOf(field, source, AGENT_SERVER) === 'optional' && chosen.includes(field))),
      )
      const wanted: Settings = Object.fromEntries(fields.map((field) => [field, settings[field]]))
      return requestFor(source, wanted, ref, leavesRefOut)
    })
}

function requestFor(source: Source, wanted: Settings, ref: string, leavesRefOut: boolean): RolloutRequest {
  const settings = source === 'git_host' ? { ...wanted, repoRef: leavesRefOut ? undefined : ref } : wanted
  // A tag together with build-on-push is refused when the inputs are read.
  if (ref.startsWith('refs/tags/') && settings.buildOnPush === true) settings.buildOnPush = undefined
  return aRequest({
    source,
    settings,
    repository: {
      repoUrl: REPOSITORY,
      repoRef: { kind: 'ref', ref },
      commit: commitOf(settings.repoUrl ?? REPOSITORY, ref),
    },
  })
}

/** The commit that the sandbox builds of a repository's ref. */
export function commitOf(repoUrl: string, ref: string): string {
  return createHash('sha1').update(`${repoUrl}#${ref}`).digest('hex')
}
