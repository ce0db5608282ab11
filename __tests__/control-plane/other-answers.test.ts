import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Client, type ControlPlane } from '../../src/control-plane/client.ts'
import { schemas } from '../schemas.ts'
import { AmbiguousWriteError, BrokenContractError } from '../../src/control-plane/errors.ts'
import { idKey, sameId } from '../../src/control-plane/model.ts'
import type { Transport } from '../../src/control-plane/transport.ts'
import { fakeClock } from '../builders.ts'

interface Ids {
  deployment: string
  revision: string
  latest: string
  active: string
  other: string
}

type Asking = (api: ControlPlane, ids: Ids) => Promise<unknown>

/** A control plane that gives this answer to every request. */
function answering(body: unknown): { api: ControlPlane; masked: string[] } {
  const masked: string[] = []
  const transport: Transport = { send: () => Promise.resolve({ status: 200, body: JSON.stringify(body) }) }
  return {
    api: new Client({ schemas, transport, onSecrets: (values) => masked.push(...values), clock: fakeClock() }),
    masked,
  }
}

const draft = { source: 'git_host' as const, settings: {} }
const aDeployment = (id: string, name = 'agent'): object => ({ id, name, latest_revision_id: 'r', status: 'READY' })
const aRevision = (id: string): object => ({ id, status: 'DEPLOYED' })

const createDeployment: Asking = async (api) => await api.createDeployment({ ...draft, name: 'agent' })
const createRevision: Asking = async (api, { deployment, latest, active }) =>
  await api.createRevision(deployment, draft, [latest, active, null, undefined])
const getDeployment: Asking = async (api, { deployment }) => await api.getDeployment(deployment)
const getRevision: Asking = async (api, { deployment, revision }) => await api.getRevision(deployment, revision)
const redeploy: Asking = async (api, { deployment, revision }) => await api.redeploy(deployment, revision)
const updateDeployment: Asking = async (api, { deployment }) => await api.updateDeployment(deployment, {})

type Rows = { asking: Asking; answers: ((ids: Ids) => object)[]; end: 'broken' | 'ambiguous' | 'no evidence' }

/** A new method needs a row, or a reason why its answer is about nothing in particular. */
const METHODS: Record<
  Exclude<keyof ControlPlane, 'api' | 'prefix' | 'deletesTracingProjects' | 'serverTime'>,
  Rows | string
> = {
  createDeployment: {
    asking: createDeployment,
    answers: [({ other }) => aDeployment(other, 'agent-2'), ({ other }) => aRevision(other)],
    end: 'ambiguous',
  },
  createRevision: {
    asking: createRevision,
    answers: [
      ({ latest }) => aRevision(latest),
      ({ active }) => aRevision(active.toUpperCase()),
      ({ deployment }) => aRevision(deployment),
      ({ deployment }) => aDeployment(deployment),
      ({ other }) => aDeployment(other),
    ],
    end: 'ambiguous',
  },
  getDeployment: {
    asking: getDeployment,
    answers: [({ other }) => aDeployment(other), ({ revision }) => aRevision(revision)],
    end: 'broken',
  },
  getRevision: {
    asking: getRevision,
    answers: [
      ({ other }) => aRevision(other),
      ({ latest }) => aRevision(latest),
      ({ deployment }) => aDeployment(deployment),
      ({ revision }) => aDeployment(revision),
    ],
    end: 'broken',
  },
  redeploy: { asking: redeploy, answers: [({ other }) => aDeployment(other)], end: 'ambiguous' },
  updateDeployment: {
    asking: updateDeployment,
    answers: [({ other }) => aDeployment(other), ({ deployment }) => aRevision(deployment)],
    end: 'no evidence',
  },
  within: 'sends nothing',
  deleteDeployment: 'its answer is not read',
  listDeployments: 'whoever looks for a name compares the names',
  listRevisions: 'whoever looks for a revision compares the ids',
  listListeners: 'whoever looks for a listener compares the ids',
  listIntegrations: 'names no resource',
  listRepositories: 'whoever looks for a repository compares the addresses',
  readLog: 'lines of text',
  readLogPage: 'lines of text',
  createUploadTicket: 'has no id',
}

const ERRORS = { broken: BrokenContractError, ambiguous: AmbiguousWriteError }

const anyIds = (): fc.Arbitrary<Ids> =>
  fc
    .uniqueArray(fc.uuid(), { minLength: 5, maxLength: 5 })
    .map(([deployment = '', revision = '', latest = '', active = '', other = '']) => ({
      deployment,
      revision,
      latest,
      active,
      other,
    }))

describe('an answer about something else', () => {
  const rows = Object.entries(METHODS).flatMap(([method, row]) => (typeof row === 'string' ? [] : { method, ...row }))
  it.each(rows)('is never returned by $method', async ({ asking, answers, end }) => {
    await fc.assert(
      fc.asyncProperty(anyIds(), fc.constantFrom(...answers), async (ids, answer) => {
        const asked = asking(answering(answer(ids)).api, ids)
        if (end === 'no evidence') expect(await asked).toBeUndefined()
        else await expect(asked).rejects.toThrow(ERRORS[end])
      }),
      { numRuns: 30 },
    )
  })

  it('is named, and its secrets are masked', async () => {
    const secrets = [{ name: 'KEY', value: 'hunter2' }]
    const { api, masked } = answering({ ...aDeployment('d-2'), secrets })
    const failing = api.getDeployment('d-1')
    await expect(failing).rejects.toThrow(/answered with the deployment "agent" \(d-2\) in place of d-1\./)
    expect(masked).toEqual(['hunter2'])
  })
})

describe('an answer about what was asked', () => {
  it.each<[string, Asking, (ids: Ids) => object]>([
    ['createDeployment', createDeployment, ({ other }) => aDeployment(other, 'agent')],
    ['createDeployment, trimmed and in lower case', createDeployment, ({ other }) => aDeployment(other, ' Agent')],
    ['createRevision', createRevision, ({ other }) => aRevision(other)],
    ['getDeployment', getDeployment, ({ deployment }) => aDeployment(deployment.toUpperCase())],
    ['getRevision', getRevision, ({ revision }) => aRevision(revision.toUpperCase())],
    ['redeploy', redeploy, ({ deployment }) => aDeployment(deployment.toUpperCase())],
    ['updateDeployment', updateDeployment, ({ deployment }) => aDeployment(deployment.toUpperCase())],
  ])('is returned by %s, whatever the case of its id, and verbatim', async (_method, asking, answer) => {
    await fc.assert(
      fc.asyncProperty(anyIds(), async (ids) => {
        const given = answer(ids)
        expect(await asking(answering(given).api, ids)).toMatchObject({ id: 'id' in given ? given.id : undefined })
      }),
      { numRuns: 10 },
    )
  })
})

describe('sameId', () => {
  it('compares two ids in any case', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        expect(sameId(one, one.toUpperCase())).toBe(true)
        expect(idKey(one.toUpperCase())).toBe(idKey(one))
        expect(sameId(one, other)).toBe(one === other)
      }),
    )
  })

  it.each([
    [undefined, undefined],
    [null, null],
    [null, undefined],
    ['a', undefined],
    [null, 'a'],
  ])('is false for %s and %s: nothing is known', (one, other) => {
    expect(sameId(one, other)).toBe(false)
  })
})
