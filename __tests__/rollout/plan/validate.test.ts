import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER } from '../../../src/control-plane/api.ts'
import { FIELDS, SOURCES, type Field, type Settings, type Source } from '../../../src/control-plane/settings.ts'
import { INPUTS } from '../../../src/inputs/inputs.ts'
import { planRollout } from '../../../src/rollout/plan/plan-rollout.ts'
import { inputName, ruleOf } from '../../../src/rollout/plan/settings.ts'
import { immutableDifferences, unknowableAddress } from '../../../src/rollout/plan/validate.ts'
import { aBasis, aRequest, INTEGRATION_ID, LISTENER_ID } from '../../builders.ts'

/** A good value for each field. */
const VALUE: Required<Settings> = {
  integrationId: INTEGRATION_ID,
  repoUrl: 'https://github.com/acme/agent',
  repoRef: 'main',
  appConfigPath: 'app.json',
  deploymentType: 'dev',
  templateId: 'a-template',
  buildOnPush: false,
  installCommand: 'npm ci',
  buildCommand: 'npm run build',
  imageUri: 'registry.example/agent:1',
  listenerId: LISTENER_ID,
  clusterNamespace: 'agents',
  customUrl: 'https://agent.example',
  resourceSpec: { cpu: 1 },
  sourceTarballPath: 'packages/agent',
  secrets: [{ name: 'KEY', value: 'hunter2' }],
  secretReferences: [{ name: 'OTHER', secretName: 'vault', secretKey: 'key' }],
  shareable: true,
  routeThroughGateway: false,
}

const CELLS = SOURCES.flatMap((source) =>
  FIELDS.map((field) => ({ source, field, input: inputName(field), rule: ruleOf(field, source, AGENT_SERVER) })),
)

/** What the rule says of creating a deployment of the source with these fields and nothing else. */
function problemsOf(source: Source, fields: readonly Field[]): string[] {
  const { sourceTarballPath, ...settings } = Object.fromEntries(fields.map((field) => [field, VALUE[field]]))
  const sourcePath = typeof sourceTarballPath === 'string' ? sourceTarballPath : undefined
  const repository = { repoUrl: undefined, repoRef: { kind: 'none' }, commit: undefined } as const
  const planning = planRollout(aRequest({ source, settings, sourcePath, repository }), aBasis())
  return planning.kind === 'refused' ? planning.problems.map(({ input }) => input) : []
}

const required = (source: Source): Field[] =>
  FIELDS.filter((field) => ruleOf(field, source, AGENT_SERVER) === 'required')

describe('the field matrix', () => {
  it.each(SOURCES)('is content with what %s requires', (source) => {
    expect(problemsOf(source, required(source))).toEqual([])
  })

  it.each(CELLS.filter(({ rule }) => rule === 'required'))('$source requires $input', ({ source, field, input }) => {
    expect(
      problemsOf(
        source,
        required(source).filter((other) => other !== field),
      ),
    ).toEqual([input])
  })

  it.each(CELLS.filter(({ rule }) => rule === 'optional'))('$source takes $input', ({ source, field }) => {
    expect(problemsOf(source, [...required(source), field])).toEqual([])
  })

  it.each(CELLS.filter(({ rule }) => rule === 'refused'))('$source refuses $input', ({ source, field, input }) => {
    expect(problemsOf(source, [...required(source), field])).toEqual([input])
  })

  it('names an input of action.yml for every field', () => {
    expect(FIELDS.map(inputName).filter((input) => !(input in INPUTS))).toEqual([])
  })
})

describe('the id of an integration or of a listener', () => {
  it.each(['integrationId', 'listenerId'] as const)(
    'differs by its characters, not by its letter case: %s',
    (field) => {
      const capital = { [field]: INTEGRATION_ID.replaceAll('4', 'a').toUpperCase() }
      const small = { [field]: INTEGRATION_ID.replaceAll('4', 'a') }
      expect(immutableDifferences(small, capital)).toEqual([])
      expect(immutableDifferences(small, { [field]: INTEGRATION_ID })).toHaveLength(1)
    },
  )
})

describe('the address of a deployment in verify-url', () => {
  const url = '{url}/ok'
  const verification = { url, status: 200, contains: undefined, timeoutMs: 1_000, forMs: undefined }

  it.each<[string, string, string | undefined, boolean]>([
    ['is reported', 'external_container', 'https://agent.example', true],
    ['will be given', 'git_host', undefined, true],
    ['may be given to a source that is not known here', 'new_source', undefined, true],
    ['is never given', 'external_container', undefined, false],
  ])('%s to %s', (_case, source, address, isKnowable) => {
    const problems = unknowableAddress({ verification }, { source, settings: { customUrl: address } }, AGENT_SERVER)
    expect(problems.map(({ input }) => input)).toEqual(isKnowable ? [] : ['verify-url'])
  })
})
