import { expect, it } from '@jest/globals'
import { openShared } from '../../src/fleet/shared.ts'
import { aRun, gitHubOf } from '../a-run.ts'
import { COMMIT } from '../builders.ts'
import { aFleet } from './model.ts'

it('the deployments of a fleet ask once whether a commit is behind another', async () => {
  const asked: string[] = []
  const compareCommits = async (deployed: string, ours: string) => {
    asked.push(`${deployed} ${ours}`)
    return await Promise.resolve('ahead' as const)
  }
  const { gitHub } = openShared(aFleet([]), aRun({ gitHub: gitHubOf({ compareCommits }) }))
  const other = COMMIT.replaceAll('c', 'd')
  for (const ours of [COMMIT, other, COMMIT]) await gitHub.compareCommits('deployed', ours)
  expect(asked).toEqual([`deployed ${COMMIT}`, `deployed ${other}`])
})
