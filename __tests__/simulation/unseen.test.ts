import { expect, it } from '@jest/globals'
import type { RecordedRequest } from '../../sandbox/server.ts'
import type { DeploymentState } from '../../simulation/shared/truth.ts'
import { staleDrafts } from '../../simulation/shared/unseen.ts'

const image = (version: number) => ({ source_revision_config: { image_uri: `r/i:${version}` } })
const theirs = { id: 'theirs', status: 'DEPLOYED', ...image(2) }
const after: DeploymentState[] = [
  { id: 'd', active_revision_id: 'theirs', source_config: {}, secrets: [], revisions: [theirs] },
]
const deeds = [{ kind: 'revise', at: 10_000, deploymentId: 'd', name: 'agent', revisionId: 'theirs' }] as const

const post = (at: number, version: number, over: Partial<RecordedRequest> = {}): RecordedRequest => ({
  method: 'POST',
  path: '/v2/deployments/d/revisions',
  prefix: '',
  route: '',
  headers: {},
  body: image(version),
  status: 201,
  at,
  actedAt: at,
  fault: undefined,
  ...over,
})
const busy = { status: 429, fault: 'status' } as const
const lost = { status: 502, fault: 'status' } as const

it.each([
  ['what was there', 1, [post(20_000, 1)]],
  ['what was there, after a pause', 1, [post(9_000, 1, busy), post(20_000, 1)]],
  ['what others have made', 0, [post(9_000, 1, busy), post(20_000, 2)]],
  ['what was read right before', 0, [post(15_000, 1)]],
  ['what it has sent before, as the response was lost', 0, [post(9_000, 1, lost), post(20_000, 1)]],
])('a revision that repeats %s is untrue: %d', (_case, count, requests) => {
  expect(staleDrafts(requests, deeds, after)).toHaveLength(count)
})
