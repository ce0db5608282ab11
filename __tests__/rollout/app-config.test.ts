import { describe, expect, it } from '@jest/globals'
import { FileTree } from '../../src/app-config/file-tree.ts'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import type { Deployment, Settings } from '../../src/control-plane/model.ts'
import { checkInCheckout, configWarnings } from '../../src/rollout/app-config.ts'
import { SourceUpload } from '../../src/rollout/apply/source-upload.ts'
import { promotionOf } from '../../src/rollout/plan/promotion.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { aRun } from '../a-run.ts'
import { aDeployment, aRequest, aRevision } from '../builders.ts'
import { folderWith } from '../folders.ts'

const VERDICT = { problems: [], warnings: ['always'], unlessBuilt: ['unbuilt'], environment: 'env' }
const SECRETS: Settings['secrets'] = [{ name: 'A', value: 'x' }]

describe('configWarnings', () => {
  it.each<[string, Settings, Deployment | undefined, readonly string[]]>([
    ['a creation', {}, undefined, ['always', 'unbuilt', 'env']],
    ['a creation with secrets', { secrets: SECRETS }, undefined, ['always', 'unbuilt']],
    ['a creation with an empty list', { secrets: [] }, undefined, ['always', 'unbuilt']],
    ['a build-command', { buildCommand: 'make' }, undefined, ['always', 'env']],
    ['a deployment with an empty list', {}, aDeployment({ settings: { secrets: [] } }), ['always', 'unbuilt', 'env']],
    ['a deployment with secrets', {}, aDeployment({ settings: { secrets: SECRETS } }), ['always', 'unbuilt']],
    ['a deployment that reports no list', {}, aDeployment({ settings: { secrets: undefined } }), ['always', 'unbuilt']],
    [
      'a deployment with a build-command',
      {},
      aDeployment({ settings: { secrets: undefined, buildCommand: 'make' } }),
      ['always'],
    ],
  ])('of %s', (_what, settings, current, expected) => {
    expect(configWarnings(VERDICT, aRequest({ settings }), current)).toEqual(expected)
  })
})

describe('checkInCheckout', () => {
  const REPOSITORY = 'https://github.com/acme/agent'
  const top = folderWith({ 'app.json': '{' })
  const checked = async (
    over: Partial<RolloutRequest> = {},
    { current, url = REPOSITORY }: { current?: Deployment; url?: string } = {},
  ) => {
    const request = aRequest({ settings: { appConfigPath: 'app.json' }, ...over })
    const tree = new FileTree([{ path: 'app.json' }])
    const checkout = () => Promise.resolve({ url, commit: '1'.repeat(40), top, tree, submodules: [] })
    const run = aRun({ workspace: top })
    const verdict = await checkInCheckout(
      { request, source: new SourceUpload(request, run, { checkout }) },
      { current },
      run,
    )
    return verdict?.warnings
  }
  const WARNED = [expect.stringContaining('In the checkout at 1111111: app.json, line 1: the file is not JSON')]

  it('checks the file that is built', async () => {
    expect(await checked()).toEqual(WARNED)
    expect(await checked({}, { url: 'git@github.com:acme/agent.git' })).toEqual(WARNED)
    expect(
      await checked({ settings: {} }, { current: aDeployment({ settings: { appConfigPath: './app.json' } }) }),
    ).toEqual(WARNED)
    expect(await checked({ settings: { appConfigPath: 'other.json' } })).toBeUndefined()
    expect(await checked({ settings: {} })).toBeUndefined()
  })

  it('checks no other repository, nothing that is promoted, and nothing if it is off', async () => {
    expect(await checked({}, { url: 'https://github.com/acme/other' })).toBeUndefined()
    expect(
      await checked({}, { current: aDeployment({ settings: { repoUrl: 'https://github.com/acme/other' } }) }),
    ).toBeUndefined()
    expect(await checked({ checkAppConfig: false })).toBeUndefined()
    const source = aDeployment({ source: 'external_container' })
    const promotion = promotionOf(source, aRevision({ settings: { imageUri: 'registry.example/a:1' } }), AGENT_SERVER)
    if ('kind' in promotion) throw new Error(promotion.kind)
    expect(await checked({ promotion })).toBeUndefined()
  })
})
