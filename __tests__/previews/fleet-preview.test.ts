import { describe, expect, it } from '@jest/globals'
import type { PullRequest } from '../../src/github/read.ts'
import type { FleetEvent } from '../../src/fleet/event.ts'
import type { PreviewEvent } from '../../src/previews/event.ts'
import { fleetPreview } from '../../src/previews/fleet-preview.ts'
import type { Preview } from '../../src/previews/request.ts'
import { gitHubOf } from '../a-run.ts'
import { aFleet, aFleetModel, anEntry, aWave, endsIn } from '../fleet/model.ts'

const open: PullRequest = {
  ...{ number: 7, state: 'open', labels: [], headRef: 'x', headSha: 'f'.repeat(40), headRepository: 'acme/agents' },
  sameRepository: true,
}
const APPS = { search: ['apps/search/**'], chat: ['apps/chat/**'], all: undefined }

interface Rolled {
  files?: readonly string[] | undefined
  /** The answers of GitHub, one for each question. The last one stays. */
  reports?: readonly (PullRequest | undefined)[]
  preview?: Partial<Preview>
  dryRun?: boolean
  /** Whether the head is a branch of this repository. */
  isOwn?: boolean
}

async function rollOut({ files, reports = [open], preview = {}, dryRun = true, isOwn = true }: Rolled) {
  let reads = 0
  const states = { open: 'open', closed: 'closed' } as const
  const names = Object.keys(APPS).map((name) => `${name}-pr-7`)
  const model = aFleetModel({
    names,
    dependencies: {
      gitHub: gitHubOf({
        readPullRequest: () => Promise.resolve(reports[Math.min(reads++, reports.length - 1)]),
        pullRequestFiles: () => Promise.resolve(files && { paths: files, isWhole: true }),
        pullRequestStates: (numbers) =>
          Promise.resolve(new Map(numbers.map((one) => [one, states[reports.at(-1)?.state ?? 'open']]))),
      }),
    },
  })
  const repoRef = isOwn ? ({ kind: 'ref', ref: 'x' } as const) : ({ kind: 'unusable', reason: 'it is a fork' } as const)
  const entries = Object.entries(APPS).map(([name, paths]) => {
    const entry = anEntry(`${name}-pr-7`, { source: 'git_host' })
    const request = { ...entry.request, repository: { ...entry.request.repository, repoRef } }
    return { ...entry, request: isOwn ? entry.request : { ...request, settings: {} }, previewOfEntry: { name, paths } }
  })
  const request = aFleet([aWave(names, { entries })], { dryRun })
  const noted = { pullRequest: 7, repoUrl: 'https://github.com/acme/agent', environment: undefined }
  const of = { pullRequest: 7, isClosed: undefined, ...preview }
  const events: (FleetEvent | PreviewEvent)[] = []
  const ended = await model.clock
    .run(
      async () =>
        await fleetPreview({ ...request, preview: noted }, of, {
          ...model.deps,
          controlPlane: model.service.controlPlane,
          emit: (event) => void events.push(event),
        }),
    )
    .catch((thrown: unknown) => ({ operation: 'error', thrown }))
  return { ended, ends: Object.keys(endsIn(events)), events, model }
}

describe('the previews of a pull request', () => {
  it('are of the entries whose files it changes, and of those without paths', async () => {
    const { ended, ends, events } = await rollOut({ files: ['apps/search/one.py'] })
    expect(ended).toEqual({ operation: 'fleet', outcome: { kind: 'planned' } })
    expect(ends).toEqual(['search-pr-7', 'all-pr-7'])
    const began = events.find(({ kind }) => kind === 'fleet-began')
    expect(began).toMatchObject({ request: { preview: { untouched: ['chat'] } } })
  })

  it('are of every entry if the files are not known', async () => {
    expect((await rollOut({ files: undefined })).ends).toHaveLength(3)
  })

  it('are not of a fork: nothing is read', async () => {
    const { ended, events, model } = await rollOut({ files: [], isOwn: false })
    expect(ended).toMatchObject({ operation: 'error', thrown: { message: expect.stringContaining('it is a fork') } })
    expect(events.map(({ kind }) => kind)).toEqual(['head-read'])
    expect(model.requests).toEqual([])
  })

  it('are deleted if it was closed meanwhile', async () => {
    const closed: PullRequest = { ...open, state: 'closed' }
    const reports = [open, closed]
    const { ended, model } = await rollOut({
      files: ['apps/search/one.py', 'apps/chat/one.py'],
      reports,
      dryRun: false,
    })
    expect(ended).toMatchObject({ operation: 'teardown', outcome: { kind: 'torn-down' } })
    expect(model.service.deployments).toEqual([])
  })

  it('are none, without the label, and without a request', async () => {
    const gate = { label: 'preview', isLabeledOnEvent: false, change: undefined }
    const reports = [{ ...open, labels: undefined }]
    const { ended, model } = await rollOut({ preview: { gate }, reports })
    expect(ended).toEqual({ operation: 'fleet', outcome: { kind: 'skipped', because: 'unlabeled' } })
    expect(model.requests).toEqual([])
    const other = { ...gate, change: { kind: 'unlabeled', isGateLabel: false } as const }
    const skipped = { operation: 'fleet', outcome: { kind: 'skipped', because: 'other-label' } }
    expect((await rollOut({ preview: { gate: other } })).ended).toEqual(skipped)
  })
})
