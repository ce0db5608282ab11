import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER, isCloud, LANGSMITH } from '../../src/control-plane/api.ts'
import { DEPLOYMENT_TYPES, FIELDS, SOURCES } from '../../src/control-plane/settings.ts'
import { InputError } from '../../src/problem.ts'
import { readStep, type Step } from '../../src/inputs/read-step.ts'
import { inputName, ruleOf } from '../../src/rollout/plan/settings.ts'
import { aPush } from '../builders.ts'
import { AROUND } from '../here.ts'

const push = aPush({ workspace: '/' })
const closed = aPush({ workspace: '/', pullRequest: { number: 7, isClosed: true } })

const GOOD = { api: 'langsmith', 'api-key': 'key-123', name: 'agent' }

async function read(given: Record<string, string>, event = push): Promise<Exclude<Step, { operation: 'skip' }>> {
  const step = await readStep((name) => given[name] ?? '', event, AROUND)
  if (step.operation === 'skip') throw new Error('skipped')
  return step
}

const SERVICE = 'https://api.host.langchain.com'
const ALL_REGIONS = `${SERVICE} (US), or by your region to https://eu.api.host.langchain.com, https://apac.api.host.langchain.com, https://aws.api.host.langchain.com`

async function problemsOf(given: Record<string, string>): Promise<InputError['problems']> {
  try {
    await read(given)
  } catch (thrown) {
    if (thrown instanceof InputError) return thrown.problems
    throw thrown
  }
  return []
}

describe('api', () => {
  it('is agent-server if it is not set, which needs a base-url', async () => {
    const { connection } = await read({ ...GOOD, api: '', 'base-url': 'https://cp.example' })
    expect(connection.service.api).toStrictEqual(AGENT_SERVER)
    expect(await problemsOf({ ...GOOD, api: '' })).toMatchObject([{ input: 'base-url' }])
  })

  it('is refused with another value', async () => {
    expect(await problemsOf({ ...GOOD, api: 'langgraph', 'base-url': 'https://cp.example' })).toMatchObject([
      { input: 'api', value: 'langgraph', message: 'must be one of agent-server, langsmith' },
    ])
  })

  it('gives base-url the host of the service', async () => {
    for (const operation of ['rollout', 'wait', 'teardown', 'request']) {
      const { connection } = await read({ ...GOOD, operation, path: '/v2/deployments' })
      expect(connection.baseUrl.href).toBe('https://api.host.langchain.com/')
      expect(connection.service.api).toBe(LANGSMITH)
    }
    const own = await read({ ...GOOD, 'base-url': 'https://host.example/api-host' })
    expect(own.connection.baseUrl.href).toBe('https://host.example/api-host')
    expect(await problemsOf({ ...GOOD, 'base-url': 'ftp://x' })).toMatchObject([{ input: 'base-url' }])
  })

  it.each([SERVICE, 'https://eu.api.host.langchain.com', 'https://API.host.langchain.com/'])(
    'is needed for the service itself, at %s',
    async (address) => {
      for (const operation of ['rollout', 'wait', 'rollback', 'teardown'])
        for (const api of ['', 'agent-server'])
          expect(await problemsOf({ ...GOOD, operation, api, 'base-url': address })).toMatchObject([
            { input: 'base-url', message: 'this is LangSmith: set api: langsmith' },
          ])
      expect(await problemsOf({ ...GOOD, 'base-url': address })).toEqual([])
    },
  )

  it.each([SERVICE, 'https://api.smith.langchain.com'])(
    'is the only mistake at %s: other inputs are judged as those of the service',
    async (address) => {
      const given = {
        ...GOOD,
        api: '',
        'base-url': address,
        source: 'internal_source',
        'deployment-type': 'serverless',
      }
      expect(await problemsOf({ ...given, 'delete-tracing-project': 'true' })).toMatchObject([{ input: 'base-url' }])
    },
  )

  it('is only noted for request, which translates nothing', async () => {
    const notes: string[] = []
    const given = { ...GOOD, api: '', operation: 'request', path: '/v2/deployments', 'base-url': SERVICE }
    const around = { ...AROUND, note: (sentence: string) => notes.push(sentence) }
    const asked = async (more: object = {}) =>
      await readStep((name) => new Map(Object.entries({ ...given, ...more })).get(name) ?? '', push, around)
    expect(await asked()).toMatchObject({ operation: 'request' })
    expect(notes.splice(0)).toEqual([
      'base-url is an address of LangSmith: steps of other operations need api: langsmith.',
    ])
    await asked({ api: 'langsmith' })
    await asked({ 'base-url': 'https://cp.example' })
    expect(notes).toEqual([])
  })

  it.each([
    [
      'https://api.smith.langchain.com',
      `is LangSmith's API for traces, not the control plane: set base-url to ${ALL_REGIONS}`,
    ],
    [
      'https://smith.langchain.com/o/1',
      `is LangSmith's website, not the control plane: set base-url to ${ALL_REGIONS}`,
    ],
    [
      'https://eu.api.smith.langchain.com',
      "is LangSmith's API for traces, not the control plane: set base-url to https://eu.api.host.langchain.com",
    ],
    [
      'https://apac.smith.langchain.com',
      "is LangSmith's website, not the control plane: set base-url to https://apac.api.host.langchain.com",
    ],
  ])('is another host of LangSmith at %s, and the error names the right one', async (address, message) => {
    const given = { ...GOOD, path: '/v2/deployments', 'base-url': address }
    expect(await problemsOf(given)).toMatchObject([{ input: 'base-url', message }])
    const request = { ...given, operation: 'request' }
    for (const api of ['langsmith', 'agent-server'])
      expect(await problemsOf({ ...request, api })).toMatchObject([{ input: 'base-url', message }])
    expect(await problemsOf({ ...given, api: '' })).toMatchObject([
      { input: 'base-url', message: `${message}, and api to langsmith` },
    ])
  })

  it.each(['https://smith.langchain.com.example', 'https://my-smith.langchain.com', 'https://self.example/api-host'])(
    'is not judged at %s',
    async (address) => {
      expect(await problemsOf({ ...GOOD, 'base-url': address })).toEqual([])
    },
  )

  it.each<[string, boolean]>([
    ['https://api.host.langchain.com', true],
    ['https://eu.api.host.langchain.com', true],
    ['https://api.host.langchain.com.example', false],
    ['https://evil-api.host.langchain.com', false],
    ['https://self-hosted.example/api-host', false],
  ])('takes %s for the cloud: %s', (address, expected) => {
    expect(isCloud(LANGSMITH, new URL(address))).toBe(expected)
  })
})

describe('source', () => {
  it.each([
    ['github', 'git_host'],
    ['external_docker', 'external_container'],
    ['internal_docker', 'internal_container'],
    ...SOURCES.map((source) => [source, source] as const),
  ])('%s is %s with api: langsmith', async (word, source) => {
    expect(await read({ ...GOOD, source: word })).toMatchObject({ request: { source } })
  })

  it('is refused by the words of the chosen service', async () => {
    const agentServer = { ...GOOD, api: 'agent-server', 'base-url': 'https://cp.example' }
    expect(await problemsOf({ ...agentServer, source: 'github' })).toMatchObject([
      {
        message: `must be one of ${SOURCES.join(', ')}: github is the word of LangSmith Deployment for git_host; to use that service, set api: langsmith`,
      },
    ])
    expect(await problemsOf({ ...agentServer, source: 'gitlab' })).toMatchObject([
      { message: `must be one of ${SOURCES.join(', ')}` },
    ])
    expect(await problemsOf({ ...GOOD, source: 'docker' })).toMatchObject([
      { message: 'must be one of github, external_docker, internal_docker, internal_source, internal_template' },
    ])
  })
})

describe('a problem of resource-spec', () => {
  it('has the words of the service for its own fields, and the words of the user for all others', async () => {
    const spec =
      '{cache_cpu: 0.01, labels: {cache_cpu: 1}, annotations: {redis_cpu: 2}, redis_memory_mb: cache_memory_mb}'
    const given = { ...GOOD, source: 'external_docker', 'image-uri': 'a', 'resource-spec': spec }
    expect(await problemsOf(given)).toMatchObject([
      { input: 'resource-spec.redis_cpu' },
      { input: 'resource-spec.labels.cache_cpu' },
      { input: 'resource-spec.annotations.redis_cpu' },
      { input: 'resource-spec.redis_memory_mb', message: 'must be a number, not "cache_memory_mb"' },
    ])
  })
})

describe('inputs of api: langsmith only', () => {
  it.each([
    ['template-id', 'a-template'],
    ['delete-tracing-project', 'true'],
    ['delete-tracing-project', 'false'],
  ])('%s: %s', async (input, value) => {
    const agentServer = { ...GOOD, api: 'agent-server', 'base-url': 'https://cp.example', [input]: value }
    expect(await problemsOf(agentServer)).toEqual([{ input, value, message: 'is accepted only with api: langsmith' }])
    expect(await problemsOf({ ...GOOD, [input]: value })).toEqual([])
  })
})

describe('delete-tracing-project', () => {
  const teardown = { ...GOOD, operation: 'teardown' }
  it.each<[string, Record<string, string>, typeof push, boolean]>([
    ['auto, one deployment', teardown, push, false],
    ['auto, the preview of a pull request', { ...teardown, preview: 'true' }, closed, true],
    ['auto, a rollout of a preview', { ...GOOD, preview: 'true' }, closed, true],
    ['auto, all previews', { ...teardown, 'closed-pull-requests': 'true' }, push, true],
    ['true, one deployment', { ...teardown, 'delete-tracing-project': 'true' }, push, true],
    ['false, a preview', { ...teardown, preview: 'true', 'delete-tracing-project': 'false' }, closed, false],
    [
      'auto, a preview of another service',
      { ...teardown, api: '', 'base-url': 'https://cp.example', preview: 'true' },
      closed,
      false,
    ],
  ])('%s', async (_case, given, event, expected) => {
    expect((await read(given, event)).connection.service.deletesTracingProjects).toBe(expected)
  })
})

describe('deployment-type', () => {
  const typeOf = async (given: Record<string, string>): Promise<unknown> => {
    const step = await read(given)
    return step.operation === 'rollout' ? step.request.settings.deploymentType : undefined
  }
  const agentServer = { ...GOOD, api: 'agent-server', 'base-url': 'https://cp.example' }

  it.each([
    ['serverless', 'dev_zero'],
    ['dedicated', 'prod'],
    ...DEPLOYMENT_TYPES.map((type) => [type, type] as const),
  ])('%s is sent as %s', async (word, type) => {
    expect(await typeOf({ ...GOOD, 'deployment-type': word })).toBe(type)
  })

  it('is refused by the words of the chosen service, and a word of the other one says whose it is', async () => {
    expect(await problemsOf({ ...GOOD, 'deployment-type': 'small' })).toMatchObject([
      {
        input: 'deployment-type',
        message: 'must be one of serverless, dedicated, or an older word: dev_free, dev, prod, dev_zero, dev_free_zero',
      },
    ])
    expect(await problemsOf({ ...agentServer, 'deployment-type': 'small' })).toMatchObject([
      { message: 'must be one of dev_free, dev, prod, dev_zero, dev_free_zero' },
    ])
    expect(await problemsOf({ ...agentServer, 'deployment-type': 'serverless' })).toMatchObject([
      {
        message:
          'must be one of dev_free, dev, prod, dev_zero, dev_free_zero; serverless is a word of LangSmith Deployment: set api to langsmith',
      },
    ])
  })

  it('has the older words where the service is self-hosted, too', async () => {
    const selfHosted = { ...GOOD, 'base-url': 'https://host.example/api-host' }
    expect(await typeOf({ ...selfHosted, 'deployment-type': 'dev' })).toBe('dev')
  })
})

describe('name', () => {
  it.each(['Agent', '3klife-agent', '-agent', 'an_agent', 'ägent', 'a'.repeat(40)])(
    'is not checked before the deployment is known to be missing: %s',
    async (name) => {
      for (const operation of ['rollout', 'wait', 'rollback', 'teardown'])
        expect(await problemsOf({ ...GOOD, operation, name })).toEqual([])
    },
  )

  it.each([
    ['https://host.example/api-host', 21],
    ['', undefined],
  ])('of a new deployment has its longest at "%s": %p', async (baseUrl, longest) => {
    const { connection } = await read({ ...GOOD, 'base-url': baseUrl })
    expect(connection.service.api.nameRule?.longest).toBe(longest)
  })
})

describe('the fields that the sources of the service take', () => {
  it('differ from the contract in two', () => {
    const differing = FIELDS.flatMap((field) =>
      SOURCES.filter((source) => ruleOf(field, source, LANGSMITH) !== ruleOf(field, source, AGENT_SERVER)).map(
        (source) => `${inputName(field)} ${source} ${ruleOf(field, source, LANGSMITH)}`,
      ),
    )
    expect(differing).toEqual([
      'deployment-type git_host required',
      'deployment-type internal_container required',
      'deployment-type internal_source required',
      'deployment-type internal_template required',
      'template-id internal_template optional',
    ])
  })
})
