import { describe, expect, it } from '@jest/globals'
import { builtRefOf } from '../../../src/rollout/plan/built-ref.ts'
import { aDeployment, aRequest, COMMIT } from '../../builders.ts'

const git = { source: 'git_host' as const }

describe('builtRefOf', () => {
  it("gives the event's commit when its ref is built", () => {
    const here = { kind: 'here', ref: 'main', commit: COMMIT }
    expect(builtRefOf(aRequest(git), undefined)).toEqual(here)
    expect(builtRefOf(aRequest(), aDeployment())).toEqual(here)
  })

  it('gives another ref without a commit when that one is built', () => {
    const request = aRequest({ ...git, settings: { repoRef: 'release-2' } })
    expect(builtRefOf(request, undefined)).toEqual({ kind: 'here', ref: 'release-2', commit: undefined })
  })

  it('gives the repository when it is another one', () => {
    const repoUrl = 'https://github.com/acme/other'
    const current = aDeployment({ settings: { repoUrl } })
    for (const built of [
      builtRefOf(aRequest({ settings: { repoRef: 'main' } }), current),
      builtRefOf(aRequest({ ...git, settings: { repoUrl, repoRef: 'main' } }), undefined),
    ])
      expect(built).toEqual({ kind: 'elsewhere', repoUrl })
  })

  it('gives no other repository where that of the workflow is unknown', () => {
    const repository = { ...aRequest().repository, repoUrl: undefined }
    expect(builtRefOf(aRequest({ repository }), aDeployment())).toEqual({ kind: 'here', ref: 'main', commit: COMMIT })
  })

  it('gives no commit where the head of a pull request is not built', () => {
    const { repository } = aRequest()
    const reason = 'it is a fork'
    const unusable = { ...repository, repoRef: { kind: 'unusable' as const, reason } }
    const request = aRequest({ ...git, repository: unusable, settings: { repoRef: 'main' } })
    expect(builtRefOf(request, undefined)).toEqual({ kind: 'here', ref: 'main', commit: undefined })
  })

  it('gives no ref of a deployment that is not built from a repository', () => {
    expect(builtRefOf(aRequest({ source: 'external_container' }), undefined)).toEqual({ kind: 'not-git' })
  })
})
