import { describe, expect, it } from '@jest/globals'
import { noteBuilt } from '../../../src/rollout/plan/built-ref.ts'
import { openRecord } from '../../../src/report/record.ts'
import { aDeployment, aRequest, COMMIT } from '../../builders.ts'

function built(...[request, current]: [ReturnType<typeof aRequest>, ReturnType<typeof aDeployment>?]) {
  const record = { ...openRecord(0), commit: 'of the event' }
  noteBuilt(record, request, current)
  const { commit, ref, elsewhere } = record
  return { commit, ref, elsewhere }
}

const git = { source: 'git_host' as const }

describe('noteBuilt', () => {
  it("tells the event's commit when its ref is what is built", () => {
    expect(built(aRequest(git))).toEqual({ commit: COMMIT, ref: 'main', elsewhere: undefined })
    expect(built(aRequest(), aDeployment())).toMatchObject({ commit: COMMIT, ref: 'main' })
  })

  it('tells another ref, and no commit, when that is what is built', () => {
    const request = aRequest({ ...git, settings: { repoRef: 'release-2' } })
    expect(built(request)).toEqual({ commit: undefined, ref: 'release-2', elsewhere: undefined })
  })

  it('tells the repository when it is another one', () => {
    const repoUrl = 'https://github.com/acme/other'
    const current = aDeployment({ settings: { repoUrl } })
    for (const told of [
      built(aRequest({ settings: { repoRef: 'main' } }), current),
      built(aRequest({ ...git, settings: { repoUrl, repoRef: 'main' } })),
    ])
      expect(told).toEqual({ commit: undefined, ref: undefined, elsewhere: repoUrl })
  })

  it('tells no commit where the head of a pull request is not what is built', () => {
    const { repository } = aRequest()
    const reason = 'it is a fork'
    const unusable = { ...repository, repoRef: { kind: 'unusable' as const, reason } }
    const request = aRequest({ ...git, repository: unusable, settings: { repoRef: 'main' } })
    expect(built(request)).toMatchObject({ commit: undefined, ref: 'main' })
  })

  it('leaves the commit of what is not built from a repository', () => {
    expect(built(aRequest({ source: 'external_container' }))).toMatchObject({ commit: 'of the event' })
  })
})
