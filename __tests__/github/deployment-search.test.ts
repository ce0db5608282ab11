import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Status } from '../../src/github/deployments.ts'
import {
  chooseJobDeployment,
  findJobDeployment,
  readPreviewNotes,
  stateByJob,
} from '../../src/github/deployment-search.ts'
import { writeNotes } from '../../src/notes/note.ts'
import { aNote } from '../a-note.ts'
import { aGitHub } from '../github-stub.ts'

const RUN = 'https://github.com/acme/agent/actions/runs/7'
const by = (id: number, state: string, address: string): Status => ({ id, state, log_url: address })

describe('findJobDeployment', () => {
  it('reads the states of the ten newest of each commit, and of none that this action made', async () => {
    const lists: unknown[] = []
    const read: unknown[] = []
    const kept = Array.from({ length: 40 }, (_, n) => ({ id: 40 - n, payload: n % 2 === 0 ? { name: 'ours' } : '' }))
    const gitHub = aGitHub(({ parameters }) => {
      const { deployment_id: id } = parameters ?? {}
      if (id === undefined) lists.push(parameters)
      else read.push(id)
      return id === undefined ? kept : [by(1, 'success', `${RUN}/job/5`)]
    })
    const query = { environment: 'production', commits: ['head', 'merge'], runUrl: RUN }
    expect(await findJobDeployment(gitHub, query)).toEqual({ kind: 'none' })
    expect(lists).toEqual(query.commits.map((sha) => ({ environment: 'production', sha })))
    expect(read).toEqual([39, 37, 35, 33, 31, 29, 27, 25, 23, 21])
  })
})

it('a note counts as that of a preview only in a transient GitHub Deployment', async () => {
  const read: unknown[] = []
  const payload = (revisionId: string) => ({ name: 'agent-pr-7', made: writeNotes([aNote({ revisionId })]) })
  const kept = [
    { id: 3, payload: payload('of-a-push'), transient_environment: false },
    { id: 2, payload: payload('of-a-preview'), transient_environment: true },
    { id: 1, payload: payload('of-unknown') },
  ]
  const gitHub = aGitHub(({ route, parameters: { deployment_id: id } = {} }) => {
    if (id !== undefined) read.push(id)
    if (id !== undefined)
      return [
        {
          id: 1,
          state: 'success',
          description: `Done. [${writeNotes([aNote({ revisionId: `of-status-${Number(id)}` })])}]`,
        },
      ]
    return route.includes('comments') ? [] : kept
  })
  const asked = { pullRequest: 7, commentName: 'fleet.yml', environment: 'preview', names: ['agent-pr-7'] }
  const { revisions } = await readPreviewNotes(gitHub, asked)
  expect([...revisions.keys()]).toEqual(['agent-pr-7'])
  const noted = (revisions.get('agent-pr-7') ?? []).map(({ revisionId }) => revisionId)
  expect(noted).toEqual(['of-a-preview', 'of-status-2'])
  expect(read).toEqual([2])
})

describe('stateByJob', () => {
  it.each<[string, Status[], string | undefined]>([
    ['none', [], undefined],
    ['one of the job', [by(1, 'queued', `${RUN}/job/5`)], 'queued'],
    [
      'the newest, in any order',
      [by(1, 'queued', `${RUN}/job/5`), by(2, 'in_progress', `${RUN}/job/5`)],
      'in_progress',
    ],
    ['not that of this action', [by(2, 'success', RUN), by(1, 'in_progress', `${RUN}/job/5`)], 'in_progress'],
    ['not that of another run', [by(1, 'in_progress', `${RUN}1/job/5`)], undefined],
    ['by the older field', [{ id: 1, state: 'in_progress', log_url: '', target_url: `${RUN}/job/5` }], 'in_progress'],
    ['in another case', [by(1, 'in_progress', `${RUN.replace('acme', 'Acme')}/job/5`)], 'in_progress'],
  ])('%s', (_case, statuses, state) => {
    expect(stateByJob(statuses, RUN)).toBe(state)
  })
})

describe('chooseJobDeployment', () => {
  it.each<[(string | undefined)[], unknown]>([
    [[], { kind: 'none' }],
    [[undefined, 'success', 'failure', 'error', 'inactive'], { kind: 'none' }],
    [['in_progress'], { kind: 'one', id: 0 }],
    [['queued', 'in_progress', 'waiting'], { kind: 'one', id: 1 }],
    [[undefined, 'queued'], { kind: 'one', id: 1 }],
    [['waiting'], { kind: 'one', id: 0 }],
    [['queued', 'waiting'], { kind: 'several', count: 2 }],
    [['in_progress', 'in_progress', 'queued'], { kind: 'several', count: 2 }],
  ])('of %j', (states, chosen) => {
    expect(chooseJobDeployment(states.map((state, id) => ({ id, state })))).toEqual(chosen)
  })

  it('never chooses one that has ended, or is of another run', () => {
    const state = fc.constantFrom('in_progress', 'queued', 'waiting', 'success', 'failure', 'inactive', undefined)
    fc.assert(
      fc.property(fc.array(state, { maxLength: 6 }), (states) => {
        const chosen = chooseJobDeployment(states.map((one, id) => ({ id, state: one })))
        if (chosen.kind === 'one') expect(['in_progress', 'queued', 'waiting']).toContain(states[chosen.id])
      }),
    )
  })
})
