import { describe, expect, it } from '@jest/globals'
import type { Deed } from '../../sandbox/other-clients.ts'
import { ambiguous, ControlPlaneError } from '../../src/control-plane/errors.ts'
import { madeTwiceText } from '../../src/report/log-lines.ts'
import { secondOnesOfIntention, untruthsAmongOthers, type Intention } from '../../simulation/shared/intention.ts'
import type { DeploymentState } from '../../simulation/shared/truth.ts'

/** What the judge of runs among other clients finds: one untruth after another. */

const [OURS, THEIRS] = [[{ name: 'KEY', value: 'ours' }], [{ name: 'KEY', value: 'theirs' }]]
type Revision = DeploymentState['revisions'][number]

function revision(id: string, status: string, over: { commit?: string; secrets?: Revision['secrets'] } = {}): Revision {
  const { commit = 'a', secrets = OURS } = over
  return { id, status, source_revision_config: { repo_commit_sha: commit }, secrets }
}

function deployment(active: string | null, ...revisions: Revision[]): DeploymentState {
  return { id: 'd', active_revision_id: active, source_config: { build_on_push: true }, secrets: OURS, revisions }
}

const old = revision('old', 'DEPLOYED', { commit: '0' })
const deed: Deed = { kind: 'revise', at: 0, deploymentId: 'd', name: 'hello-agent', revisionId: 'theirs' }
const { message: UNKNOWN } = ambiguous(
  new ControlPlaneError({ attempted: 'create it', cameBack: 'no response', hint: 'Check.' }),
)
const TWICE = madeTwiceText({ what: 'revision', ours: 'ours', other: 'theirs' })
const DOUBTFUL = madeTwiceText({ what: 'revision', ours: 'ours', other: 'theirs', isDoubtful: true })
const UNCOMPARED = 'The control plane does not report the values of its secrets, so they could not be compared.'

/** `id`: the revision that the run names. */
interface Report {
  error?: string
  status?: string
}

function said(outcome: string, id: string, now: DeploymentState, report: Report = {}): Intention {
  return intentionOf({ outcome, 'revision-id': id }, now, report)
}

function saidWithoutId(outcome: string, now: DeploymentState, report: Report = {}): Intention {
  return intentionOf({ outcome }, now, report)
}

function intentionOf(
  named: { outcome: string; 'revision-id'?: string },
  now: DeploymentState,
  { error = '', status }: Report,
): Intention {
  const outputs = { ...named, 'deployment-id': 'd', ...(status && { status }) }
  const asked = {
    secrets: OURS,
    source_config: { build_on_push: true },
    source_revision_config: { repo_commit_sha: 'a' },
  }
  const [before, after] = [[deployment('old', old)], [now]]
  return { before, atEnd: after, after, asked, said: { outputs, error }, deeds: [deed], hidesSecrets: false }
}

const ours = revision('ours', 'DEPLOYED')
const building = revision('ours', 'BUILDING')
const failed = revision('ours', 'BUILD_FAILED')
const otherCommit = revision('theirs', 'DEPLOYED', { commit: 'b' })
const otherSecrets = revision('theirs', 'DEPLOYED', { secrets: THEIRS })
const same = revision('theirs', 'DEPLOYED')
const withoutCommit = { ...same, source_revision_config: { repo_commit_sha: null } }

describe('what is true among others', () => {
  it.each<[string, Intention]>([
    ['deployed', said('deployed', 'ours', deployment('ours', old, ours))],
    ['deployed, by a revision of others that is the same', said('deployed', 'theirs', deployment('theirs', old, same))],
    ['superseded by a newer one', said('superseded', 'ours', deployment('ours', old, ours, otherCommit))],
    ['superseded by an older one', said('superseded', 'ours', deployment('old', old, ours))],
    ['failed, as the revision has', said('failed', 'ours', deployment('old', old, failed), { status: 'BUILD_FAILED' })],
    ['failed, and unknown', saidWithoutId('failed', deployment('old', old, building), { error: UNKNOWN })],
    ['twice, the same', said('deployed', 'ours', deployment('ours', old, same, ours), { error: TWICE })],
    [
      'twice, of a commit that shows later',
      {
        ...said('deployed', 'ours', deployment('ours', old, otherCommit, ours), { error: TWICE }),
        atEnd: [deployment('ours', old, withoutCommit, ours)],
      },
    ],
    ['twice, in doubt', said('deployed', 'ours', deployment('ours', old, otherCommit, ours), { error: DOUBTFUL })],
    [
      'uncompared',
      {
        ...said('deployed', 'theirs', deployment('theirs', old, otherSecrets), { error: UNCOMPARED }),
        hidesSecrets: true,
      },
    ],
  ])('%s', (_case, intention) => {
    expect(untruthsAmongOthers(intention)).toEqual([])
    expect(secondOnesOfIntention(intention)).toEqual({ secondRevisions: 0, secondDeployments: 0 })
  })
})

describe('what is untrue among others', () => {
  it.each<[RegExp, Intention]>([
    [/deployed, but repo_commit_sha is "b"/, said('deployed', 'theirs', deployment('theirs', old, otherCommit))],
    [/deployed, but secrets is/, said('deployed', 'theirs', deployment('theirs', old, otherSecrets))],
    [
      /deployed, but secrets is/,
      said('deployed', 'theirs', deployment('theirs', old, otherSecrets), { error: UNCOMPARED }),
    ],
    [/deployed, but the revision is BUILDING/, said('deployed', 'ours', deployment('old', old, building))],
    [/deployed, but it is not active/, said('deployed', 'ours', deployment('old', old, ours))],
    [/deployed, but the revision does not exist/, said('deployed', 'ours', deployment('old', old))],
    [/superseded, but repo_commit_sha/, said('superseded', 'theirs', deployment('old', old, otherCommit, building))],
    [/superseded, but secrets is/, said('superseded', 'theirs', deployment('old', old, otherSecrets, building))],
    [/superseded, but nothing has/, said('superseded', 'ours', deployment('old', old, building))],
    [/superseded, but nothing has/, said('superseded', 'ours', deployment('ours', old, ours))],
    [/superseded, but it names no/, saidWithoutId('superseded', deployment('old', old))],
    [
      /failed, but repo_commit_sha/,
      said('failed', 'theirs', deployment('theirs', old, otherCommit), { error: UNKNOWN }),
    ],
    [
      /failed, but the revision is DEP/,
      said('failed', 'ours', deployment('ours', old, ours), { status: 'BUILD_FAILED' }),
    ],
    [/failed, but the revision does not/, said('failed', 'ours', deployment('old', old), { error: UNKNOWN })],
    [/failed, but neither/, saidWithoutId('failed', deployment('old', old))],
    [/timed-out, but a revision was created/, saidWithoutId('timed-out', deployment('old', old, building))],
    [/timed-out, but repo_commit_sha/, said('timed-out', 'theirs', deployment('old', old, otherCommit))],
    [
      /contradict the request, repo_commit_sha/,
      said('deployed', 'ours', deployment('ours', old, otherCommit, ours), { error: TWICE }),
    ],
    [/unchanged, but that cannot be/, said('unchanged', 'ours', deployment('ours', old, ours))],
  ])('is found: %s', (words, intention) => {
    expect(untruthsAmongOthers(intention).join('; ')).toMatch(words)
  })

  it('is a second revision, or a second deployment', () => {
    const now = deployment('ours', old, revision('first', 'DEPLOYED'), ours)
    expect(secondOnesOfIntention(said('deployed', 'ours', now)).secondRevisions).toBe(1)
    const intention = said('deployed', 'ours', deployment('ours', old, ours))
    const second = { ...deployment('x', revision('x', 'DEPLOYED')), id: 'e' }
    expect(secondOnesOfIntention({ ...intention, after: [...intention.after, second] }).secondDeployments).toBe(1)
  })
})
