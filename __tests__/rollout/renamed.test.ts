import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import { rollback } from '../../src/rollout/rollback/rollback.ts'
import { rollout } from '../../src/rollout/rollout.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { aDeployment, aRequest, aRevision, INTEGRATION_ID } from '../builders.ts'
import { replying } from '../networks.ts'
import { namesOf, setUp } from './set-up.ts'

/** A name that goes to another deployment while a run is under way, between its plan and its first write. */

const NAME = 'agent'
const TARGET = { kind: 'name', name: NAME } as const
const BY_ID = { kind: 'id', id: 'blue' } as const
const settings = { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' }
const verification = { url: 'https://app.example/', status: 200, contains: undefined, timeoutMs: 60_000 }
const AT_ONCE = replying(() => ({ status: 200 }))
const GREEN_TAKES_IT = { blue: 'agent-blue', green: NAME }
const NOBODY_TAKES_IT = { blue: 'agent-blue', green: 'agent-green' }

interface Renaming {
  /** The names after the renaming; undefined: there are none. */
  names?: Record<string, string>
  source?: Deployment['source']
  /** The PATCH is slow, and the names change meanwhile. */
  isPatchSlow?: boolean
  over?: Parameters<typeof setUp>[0]['over']
}

/** Two deployments. `rename` takes six seconds, and changes their names. The writes are noted with their deployment. */
function twoDeployments({ names = GREEN_TAKES_IT, source = 'git_host', isPatchSlow, over = {} }: Renaming) {
  const writes: string[] = []
  const ofName = (id: string, name: string): Deployment =>
    aDeployment({ id, name, source, latestRevisionId: `${id}-1`, activeRevisionId: `${id}-1`, settings })
  let all = [ofName('blue', NAME), ofName('green', 'agent-green')]
  const find = (id: string): Deployment => all.find((one) => one.id === id) ?? aDeployment({ id })
  const change = (id: string, to: Partial<Deployment>): Deployment => {
    all = all.map((one) => (one.id === id ? { ...one, ...to } : one))
    return find(id)
  }
  const answers: Partial<ControlPlane> = {
    listDeployments: async ({ offset }) =>
      await Promise.resolve({ resources: offset > 0 ? [] : all, offset: offset + all.length }),
    getDeployment: async (id) => await Promise.resolve(find(id)),
    updateDeployment: async (id, patch) => {
      writes.push(`PATCH ${id}`)
      const patched = change(id, { settings: { ...find(id).settings, ...patch } })
      if (isPatchSlow === true) rename()
      return await Promise.resolve(patched)
    },
    createRevision: async (id, { settings: given }) => {
      writes.push(`POST ${id}`)
      change(id, { latestRevisionId: `${id}-2`, activeRevisionId: `${id}-2`, settings: given })
      return await Promise.resolve(aRevision({ id: `${id}-2`, status: 'QUEUED', settings: given }))
    },
    getRevision: async (_id, id) => await Promise.resolve(aRevision({ id, status: 'DEPLOYED', settings })),
    createUploadTicket: async (id) => {
      writes.push(`upload to ${id}`)
      const url = new URL('https://store.example/put')
      return await Promise.resolve({ url, objectPath: 'objects/1', headers: {} })
    },
  }
  const around = setUp({ answers, over })
  let isRenamed = false
  const rename = (): void => {
    around.clock.advance(6_000)
    if (isRenamed) return
    isRenamed = true
    for (const [id, name] of Object.entries(names)) change(id, { name })
  }
  return { ...around, writes, rename }
}

/** A rollout whose check before the first write takes so long that the name moves. */
async function checkedFirst(request: Partial<RolloutRequest>, renaming: Renaming = {}) {
  const around = twoDeployments(renaming)
  const probe = async () => {
    around.rename()
    return await Promise.resolve({ kind: 'answer', status: 200, body: '' } as const)
  }
  const asked = aRequest({ target: TARGET, source: 'git_host', settings, verification, ...request })
  const ended = rollout(asked, { ...around.deps, probe })
  const outcome = await ended.catch((thrown: unknown) => thrown)
  return { outcome, writes: around.writes, events: around.events, names: namesOf(around.events) }
}

describe('a deployment that is renamed during the check before a rollout', () => {
  it('gets no write: the run plans again for the one that has the name', async () => {
    const { outcome, writes, events, names } = await checkedFirst({})
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(writes).toEqual(['POST green'])
    expect(events).toContainEqual({
      kind: 'changed-meanwhile',
      deploymentId: 'blue',
      change: { kind: 'renamed', now: 'agent-blue' },
    })
    expect(names.slice(0, 6)).toEqual([
      'current-state-read',
      'planned revise',
      'applying',
      'changed-meanwhile',
      'current-state-read',
      'planned revise',
    ])
  })

  it('gets no PATCH either', async () => {
    const { writes } = await checkedFirst({ settings: { ...settings, buildOnPush: true } })
    expect(writes).toEqual(['PATCH green', 'POST green'])
  })

  it('fails the run if no deployment has the name, and none may be created', async () => {
    const { outcome, writes } = await checkedFirst({ ifMissing: 'fail' }, { names: NOBODY_TAKES_IT })
    expect(outcome).toMatchObject({ problems: [{ input: 'name' }] })
    expect(writes).toEqual([])
  })

  it('is rolled out if the step has its id', async () => {
    expect(await checkedFirst({ target: BY_ID })).toMatchObject({
      outcome: { kind: 'deployed' },
      writes: ['POST blue'],
    })
  })
})

describe('a deployment that is renamed after the first write to it', () => {
  it('gets no other write, and the run fails: it cannot plan again', async () => {
    const around = twoDeployments({ isPatchSlow: true })
    const asked = aRequest({ target: TARGET, source: 'git_host', settings: { ...settings, buildOnPush: true } })
    const running = rollout(asked, around.deps)
    await expect(running).rejects.toMatchObject({
      name: 'ChangedError',
      change: { kind: 'renamed', now: 'agent-blue' },
      isWritten: true,
    })
    expect(around.writes).toEqual(['PATCH blue'])
  })
})

describe('a deployment that is renamed during the upload of its source', () => {
  it('gets no revision: the source goes to the one that has the name', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'renamed-test-'))
    try {
      await writeFile(path.join(folder, 'app.json'), '{}')
      const network = replying(() => {
        around.rename()
        return { status: 200 }
      })
      const over = { workspace: folder, network }
      const around = twoDeployments({ source: 'internal_source', over })
      const upload = { source: 'internal_source', settings: { appConfigPath: 'app.json' } } as const
      const outcome = await rollout(aRequest({ target: TARGET, ...upload }), around.deps)
      expect(outcome).toMatchObject({ kind: 'deployed' })
      expect(around.writes).toEqual(['upload to blue', 'upload to green', 'POST green'])
      const checked = await checkedFirst(upload, { source: 'internal_source', over: { ...over, network: AT_ONCE } })
      expect(checked.writes).toEqual(['upload to green', 'POST green'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a deployment that is renamed before it is rolled back', () => {
  it.each([
    ['gets no write', TARGET, []],
    ['is rolled back if the step has its id', BY_ID, ['POST blue']],
  ])('%s', async (_case, target, writes) => {
    const around = twoDeployments({ source: 'external_container' })
    const { controlPlane } = around.deps
    // The last read of the plan is slow.
    const getRevision: ControlPlane['getRevision'] = async (...about) => {
      around.rename()
      const [, id] = about
      const built = { settings: { imageUri: `registry.example/agent:${id.replace(/-2$/, '-0')}` } }
      return { ...(await controlPlane.getRevision(...about)), ...built }
    }
    const deps = { ...around.deps, controlPlane: { ...controlPlane, getRevision }, isFirstAttempt: true }
    const { timeoutMs, pollInterval, phaseLimits, onSuperseded, logs, repository } = aRequest({})
    const watched = { timeoutMs, pollInterval, phaseLimits, onSuperseded, logs, repository, verification: undefined }
    const ended = rollback({ ...watched, target, revisionId: 'blue-0', dryRun: false }, deps)
    const outcome = await ended.catch((thrown: unknown) => thrown)
    if (target === TARGET)
      expect(outcome).toMatchObject({
        name: 'ChangedError',
        change: { kind: 'renamed', now: 'agent-blue' },
        isWritten: false,
      })
    expect(around.writes).toEqual(writes)
  })
})
