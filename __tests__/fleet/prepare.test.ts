import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fleet } from '../../src/fleet/fleet.ts'
import { findNames } from '../../src/fleet/prepare/find.ts'
import { prepareFleet } from '../../src/fleet/prepare/prepare.ts'
import { openSources } from '../../src/fleet/prepare/sources.ts'
import { openShared } from '../../src/fleet/shared.ts'
import { aDeployment, COMMIT } from '../builders.ts'
import { aBrokenAnswer } from '../control-plane-stub.ts'
import { aFleet, aFleetModel, anEntry, aWave, endsIn, named } from './model.ts'

describe('the names of a fleet', () => {
  test('are found by at most one request for each 100 deployments, wherever they stand', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 450 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 20 }),
        async (count, picks) => {
          const all = named(count)
          const names = new Set(picks.map((pick) => all[pick % count] ?? ''))
          let requests = 0
          const { found } = await findNames(names, {
            listDeployments: async ({ offset, limit }) => {
              requests += 1
              const resources = all
                .slice(offset, offset + limit)
                .map((name) => aDeployment({ id: `id-of-${name}`, name }))
              return await Promise.resolve({ resources, offset: offset + resources.length })
            },
          })
          expect(new Set(found.keys())).toEqual(names)
          expect(requests).toBeLessThanOrEqual(Math.ceil(count / 100))
        },
      ),
    )
  })

  test('are not those of preview builds of the service', async () => {
    const builds = named(100).map((name) => aDeployment({ id: `build-of-${name}`, name, isPreviewBuild: true }))
    const all = [...builds, aDeployment({ id: 'ours', name: 'agent-1' })]
    const { found } = await findNames(new Set(['agent-1', 'agent-2']), {
      listDeployments: async ({ offset, limit }) => {
        const resources = all.slice(offset, offset + limit)
        return await Promise.resolve({ resources, offset: offset + resources.length })
      },
    })
    expect([...found].map(([name, { id }]) => [name, id])).toEqual([['agent-1', 'ours']])
  })

  test('a name that several pages lack is looked up by itself: the entry may have moved', async () => {
    const names = named(150)
    const model = aFleetModel({
      names,
      over: (calls) => ({
        listDeployments: async (query) => {
          const page = await calls.listDeployments(query)
          if (query.nameContains !== undefined) return page
          return { ...page, resources: page.resources.filter(({ name }) => name !== 'agent-100') }
        },
      }),
    })
    const wave = aWave(['agent-100'], { entries: [anEntry('agent-100', { ifMissing: 'fail' })] })
    const outcome = await model.clock.run(async () => await fleet(aFleet([wave], { dryRun: true }), model.deps))
    expect(outcome).toEqual({ kind: 'planned' })
    expect(model.requests.filter(({ about }) => about.includes('nameContains'))).toHaveLength(1)
  })

  test('a record that breaks the page of a list takes no other deployment down', async () => {
    const names = named(5)
    const model = aFleetModel({
      names,
      over: (calls) => ({
        listDeployments: async (query) => {
          const isBroken = (query.nameContains ?? 'agent-3').includes('agent-3') && query.ids === undefined
          return await (isBroken ? Promise.reject(aBrokenAnswer()) : calls.listDeployments(query))
        },
      }),
    })
    await model.clock.run(async () => await fleet(aFleet([aWave(names, { maxFailures: 1 })]), model.deps))
    const { 'agent-3': bad, ...others } = endsIn(model.events)
    expect(bad).toBe('failed')
    expect(new Set(Object.values(others))).toEqual(new Set(['deployed']))
  })
})

describe('what the plans of a fleet need', () => {
  test('a plan is as old as the list that it compares with', async () => {
    const model = aFleetModel({ names: ['agent-0'] })
    const request = aFleet([aWave(['agent-0'])])
    const began = model.clock.now()
    const planned = await model.clock.run(
      async () => await prepareFleet(request, openShared(request, model.deps), openSources()),
    )
    expect(planned.get('agent-0')).toMatchObject({ kind: 'ready', prepared: { readAt: began } })
    expect(model.clock.now()).toBeGreaterThan(began)
  })

  test('deployments that show their active revisions need no request of their own', async () => {
    const names = named(250)
    const model = aFleetModel({
      names,
      over: (calls) => ({
        listDeployments: async (query) => {
          const page = await calls.listDeployments(query)
          return { ...page, resources: page.resources.map((one) => ({ ...one, repoCommitSha: COMMIT })) }
        },
      }),
    })
    await model.clock.run(async () => await fleet(aFleet([aWave(names)], { dryRun: true }), model.deps))
    expect(new Set(Object.values(endsIn(model.events)))).toEqual(new Set(['planned']))
    expect(model.requests.map(({ call }) => call)).toEqual(Array.from({ length: 3 }, () => 'listDeployments'))
  })

  test('the integrations are listed once for all deployments that do not exist', async () => {
    const names = named(40)
    const model = aFleetModel({
      names: [],
      over: () => ({
        listIntegrations: async () => await Promise.resolve([{ id: 'integration', name: undefined }]),
        listRepositories: async (integrationId) =>
          await Promise.resolve([{ integrationId, url: 'https://github.com/acme/agent' }]),
      }),
    })
    const entries = names.map((name) => anEntry(name, { source: 'git_host', settings: { appConfigPath: 'app.json' } }))
    const wave = aWave(names, { entries })
    await model.clock.run(async () => await fleet(aFleet([wave], { dryRun: true }), model.deps))
    expect(model.count('listIntegrations')).toBe(1)
    expect(new Set(Object.values(endsIn(model.events)))).toEqual(new Set(['planned']))
  })

  test('a directory is packed once for all deployments that are built from it, and its archive is removed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'fleet-'))
    try {
      const [workspace, tempDir] = [path.join(folder, 'work'), path.join(folder, 'temp')]
      await mkdir(workspace)
      await mkdir(tempDir)
      await writeFile(path.join(workspace, 'app.json'), '{}')
      const names = named(3)
      let packed = 0
      const model = aFleetModel({ names: [], dependencies: { workspace, tempDir } })
      const entries = names.map((name) =>
        anEntry(name, { source: 'internal_source', settings: { appConfigPath: 'app.json' } }),
      )
      const { emit } = model.deps
      const deps: typeof model.deps = {
        ...model.deps,
        emit: (event) => {
          emit(event)
          if (event.kind === 'fleet-planned') packed = readdirSync(tempDir).length
        },
      }
      await model.clock.run(async () => await fleet(aFleet([aWave(names, { entries })], { dryRun: true }), deps))
      expect(packed).toBe(1)
      const plans = model.events.flatMap((event) =>
        event.kind === 'of-deployment' && event.event.kind === 'planned' && event.event.plan.kind === 'create'
          ? [event.event.plan.upload?.sha256]
          : [],
      )
      expect(new Set(plans).size).toBe(1)
      expect(plans).toHaveLength(3)
      expect(await readdir(tempDir)).toEqual([])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
