import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER, apiAt, LANGSMITH, type Api } from '../../src/control-plane/api.ts'
import type { Settings, Source } from '../../src/control-plane/settings.ts'
import { describePlan } from '../../src/report/plan.ts'
import { noteWarnings } from '../../src/report/plan-words.ts'
import { planRollout, type Planning } from '../../src/rollout/plan/plan-rollout.ts'
import type { PackedSource } from '../../src/rollout/plan/plan.ts'
import { aBasis, aDeployment, aRequest, INTEGRATION_ID } from '../builders.ts'

/** The plans of a service with habits: what each create and each revision contains. */

const packed: PackedSource = { files: 1, bytes: 10, sha256: 'x' }
const GIT: Settings = { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' }
const TYPED: Settings = { deploymentType: 'dev' }

const planFor = (source: Source, settings: Settings, api: Api = LANGSMITH, current?: ReturnType<typeof aDeployment>) =>
  planRollout(
    aRequest({ source, settings, sourcePath: source === 'internal_source' ? '.' : undefined }),
    aBasis(current, { api, packed: source === 'internal_source' ? packed : undefined }),
  )

function requestsOf(planning: Planning, api: Api = LANGSMITH) {
  if (planning.kind === 'refused') throw new Error(JSON.stringify(planning.problems))
  return describePlan({ plan: planning.plan, wait: false, prefix: '' }, api).requests.filter(
    ({ method }) => method !== 'GET',
  )
}

const linesOf = (planning: Planning): string[] => requestsOf(planning).map(({ method, path }) => `${method} ${path}`)
const problemsOf = (planning: Planning): string[] =>
  planning.kind === 'refused' ? planning.problems.map(({ input, message }) => `${input} ${message}`) : []

const CREATE = 'POST /v2/deployments'
const REVISE = 'POST /v2/deployments/{deployment_id}/revisions'

describe('creating a deployment', () => {
  it.each<[Source, Settings]>([
    ['git_host', GIT],
    ['internal_container', {}],
    ['internal_source', {}],
    ['internal_template', {}],
  ])('of %s needs deployment-type', (source, settings) => {
    expect(problemsOf(planFor(source, settings))).toContainEqual(
      expect.stringMatching(/^deployment-type is required .*: one of serverless, dedicated$/),
    )
    expect(problemsOf(planFor(source, settings, AGENT_SERVER)).join()).not.toContain('deployment-type')
  })

  it('of external_container must not have it', () => {
    const settings = { ...TYPED, imageUri: 'registry.example/a:1' }
    expect(problemsOf(planFor('external_container', settings))).toEqual([
      expect.stringMatching(/^deployment-type is not for source external_docker/),
    ])
  })

  it.each<[string, Settings, boolean]>([
    ['false if it is not set', {}, false],
    ['as set', { buildOnPush: true }, true],
  ])('of git_host sends build_on_push, %s', (_case, more, expected) => {
    const [create] = requestsOf(planFor('git_host', { ...GIT, ...TYPED, ...more }))
    expect(create).toMatchObject({ body: { source: 'github', source_config: { build_on_push: expected } } })
  })

  it.each<[string, Settings, object]>([
    ['an empty one if it is not set', {}, {}],
    ['as set', { resourceSpec: { cpu: 1 } }, { cpu: 1 }],
  ])('of external_container sends a resource_spec, %s', (_case, more, resource_spec) => {
    const planning = planFor('external_container', { imageUri: 'registry.example/a:1', ...more })
    expect(requestsOf(planning)[0]).toMatchObject({ body: { source_config: { resource_spec } } })
  })

  it('of other sources, or of another service, sends neither', () => {
    expect(JSON.stringify(requestsOf(planFor('internal_template', TYPED)))).not.toMatch(/build_on_push|resource_spec/)
    const contract = planFor('git_host', GIT, AGENT_SERVER)
    expect(JSON.stringify(requestsOf(contract, AGENT_SERVER))).not.toMatch(/build_on_push/)
  })

  it.each<[Source, Settings, string[]]>([
    ['internal_container', { ...TYPED, imageUri: 'registry.example/a:1' }, [CREATE, REVISE]],
    [
      'internal_source',
      { ...TYPED, appConfigPath: 'a.json' },
      [CREATE, 'POST /v2/deployments/{deployment_id}/upload-url', 'PUT {upload_url}', REVISE],
    ],
    ['internal_template', TYPED, [CREATE]],
  ])('of %s is followed by a revision where it makes none', (source, settings, lines) => {
    expect(linesOf(planFor(source, settings))).toEqual(lines)
  })

  it('of internal_template sends the template', () => {
    const [create] = requestsOf(planFor('internal_template', { ...TYPED, templateId: 'a-template' }))
    expect(create).toMatchObject({ body: { source_config: { template_id: 'a-template' } } })
    expect(problemsOf(planFor('internal_container', { ...TYPED, templateId: 'a-template' }))).toEqual([
      expect.stringMatching(/^template-id is not for source internal_docker; it is for internal_template/),
    ])
  })
})

describe('revising a deployment', () => {
  const withSecret = aDeployment({ settings: { secrets: [{ name: 'KEY', value: '' }] } })

  it('refuses an emptied list of secrets, which the service would take as no change', () => {
    const emptied = { secrets: [] }
    expect(problemsOf(planFor('git_host', emptied, LANGSMITH, withSecret))).toEqual([
      expect.stringMatching(/^secrets must not be empty: this service takes an empty list as no change/),
    ])
    expect(problemsOf(planFor('git_host', emptied, LANGSMITH, aDeployment({ settings: { secrets: [] } })))).toEqual([])
    expect(problemsOf(planFor('git_host', emptied, AGENT_SERVER, withSecret)).join()).not.toContain('must not be empty')
  })

  it('counts a field that the service does not report as unknown', () => {
    const changes = (api: Api) => {
      const planning = planFor('git_host', { installCommand: 'npm ci' }, api, aDeployment())
      if (planning.kind === 'refused') throw new Error('refused')
      return planning.plan.changes.filter(({ input }) => input === 'install-command')
    }
    expect(changes(LANGSMITH)).toMatchObject([{ action: 'uncertain' }])
  })

  it('repeats only what the source takes, not the image that was built', () => {
    const current = aDeployment({ settings: { imageUri: 'built.example/agent:1' } })
    expect(requestsOf(planFor('git_host', {}, LANGSMITH, current))).toMatchObject([
      { body: { source_revision_config: { repo_ref: 'main', langgraph_config_path: 'app.json' } } },
    ])
    expect(JSON.stringify(requestsOf(planFor('git_host', {}, LANGSMITH, current)))).not.toContain('built.example')
  })

  it('refuses a change of the template', () => {
    const current = aDeployment({ source: 'internal_template', settings: { templateId: 'one' } })
    const planning = planFor('internal_template', { templateId: 'other' }, LANGSMITH, current)
    expect(problemsOf(planning)).toEqual([expect.stringMatching(/^template-id /)])
  })
})

describe('the name of a deployment', () => {
  const named = (name: string, api: Api = LANGSMITH, current?: ReturnType<typeof aDeployment>) =>
    planRollout(
      aRequest({
        target: { kind: 'name', name },
        source: 'internal_template',
        settings: current === undefined && api.name === 'langsmith' ? TYPED : {},
      }),
      aBasis(current, { api }),
    )

  it.each(['Agent', '-agent', 'an_agent', 'agent.one', 'ägent', ''])('to create is refused: %j', (name) => {
    expect(problemsOf(named(name))).toEqual([
      `name must be lower case letters, digits and -, and begin with a letter or a digit, to create a deployment: none is named "${name}" yet`,
    ])
    expect(problemsOf(named(name, AGENT_SERVER))).toEqual([])
  })

  it.each(['a', '1agent', '3klife-agent', 'agent-1', 'a--b'])('to create is accepted: %s', (name) => {
    expect(named(name).kind).toBe('planned')
  })

  it('is not checked where the deployment exists', () => {
    const name = 'An_odd.Name-of-more-than-21-characters'
    const current = aDeployment({ name, source: 'internal_template' })
    const planning = named(name, apiAt(LANGSMITH, new URL('https://host.example/api-host')), current)
    expect(planning.kind === 'planned' && planning.plan.notes).toEqual([])
  })

  it.each<[number, string, number]>([
    [21, 'https://host.example/api-host', 0],
    [22, 'https://host.example/api-host', 1],
    [22, 'https://eu.api.host.langchain.com', 0],
  ])('of %d characters to create at %s has %d warnings', (length, baseUrl, warnings) => {
    const planning = named('a'.repeat(length), apiAt(LANGSMITH, new URL(baseUrl)))
    expect(planning.kind === 'planned' && noteWarnings(planning.plan.notes, LANGSMITH)).toHaveLength(warnings)
  })
})

describe('deployment-type', () => {
  it('is sent in the words of the contract, and shown in those of the service', () => {
    const planning = planFor('internal_template', { deploymentType: 'dev_zero' })
    expect(requestsOf(planning)[0]).toMatchObject({ body: { source_config: { deployment_type: 'dev_zero' } } })
    if (planning.kind === 'refused') throw new Error('refused')
    const { fields } = describePlan({ plan: planning.plan, wait: false, prefix: '' }, LANGSMITH)
    expect(fields).toMatchObject([{ input: 'deployment-type', wanted: 'serverless' }])
  })

  it('is compared by what is sent, and a difference is refused in the words of the service', () => {
    const current = aDeployment({ source: 'internal_template', settings: { deploymentType: 'prod' } })
    expect(planFor('internal_template', { deploymentType: 'prod' }, LANGSMITH, current).kind).toBe('planned')
    const other = planFor('internal_template', { deploymentType: 'dev_zero' }, LANGSMITH, current)
    expect(other).toMatchObject({
      problems: [
        {
          input: 'deployment-type',
          value: 'serverless',
          message: `differs from the deployment's, which is "dedicated" and cannot change after it is created`,
        },
      ],
    })
  })
})
