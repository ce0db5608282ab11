import { describe, expect, it } from '@jest/globals'
import { ambiguous, ControlPlaneError } from '../../src/control-plane/errors.ts'
import { unconfirmedSentences } from '../../src/report/log-lines.ts'
import { rollbackSentence } from '../../src/report/serving.ts'
import type { Rollback } from '../../src/rollout/event.ts'
import { aRecord } from '../builders.ts'
import { NOTHING_LEFT, ROLLBACK_ERROR } from '../report/a-record.ts'
import { OWN_FORM, UNREPORTED } from '../../simulation/shared/forms.ts'
import { untruthsOfTwo } from '../../simulation/shared/two-at-once.ts'
import { type Case, type DeploymentState, untruths } from '../../simulation/shared/truth.ts'

/** The storm finds only what its judge finds: it must find each untruth. */

const OLD_URL = 'https://one.example'
const NEW_URL = 'https://two.example'
const [OLD_SECRETS, SECRETS] = [[{ name: 'KEY', value: 'old' }], [{ name: 'KEY', value: 'new' }]]
const earlier: DeploymentState = {
  id: 'd',
  active_revision_id: 'r1',
  source_config: { custom_url: OLD_URL },
  secrets: OLD_SECRETS,
  revisions: [revision('r1', 'DEPLOYED', 'a:1')],
}
const asked = { secrets: SECRETS, source_config: { custom_url: NEW_URL }, source_revision_config: { image_uri: 'a:2' } }

function revision(id: string, status: string, image_uri: string): DeploymentState['revisions'][number] {
  return { id, status, source_revision_config: { image_uri } }
}

/** The deployment with a second revision, and a third where it was put back. */
function later(over: Partial<DeploymentState> = {}): DeploymentState {
  const revisions = [...earlier.revisions, revision('r2', 'DEPLOYED', 'a:2')]
  const source_config = { custom_url: NEW_URL }
  return { ...earlier, active_revision_id: 'r2', source_config, secrets: SECRETS, revisions, ...over }
}

function held(outcome: string, after: DeploymentState, said: Record<string, string> = {}, error = ''): Case {
  const outputs = { outcome, change: 'patched', 'deployment-id': 'd', 'revision-id': 'r2', ...said }
  return { before: [earlier], after: [after], asked, said: { outputs, error } }
}

/** Without a revision of its own. */
function failed(after: DeploymentState, change: string, error = ''): Case {
  const { before, said } = held('failed', after)
  const outputs = { outcome: said.outputs['outcome'] ?? '', change }
  return { before, after: [after], asked, said: { outputs, error } }
}

const back = { revisions: [...later().revisions, revision('r3', 'DEPLOYED', 'a:1')], active_revision_id: 'r3' }

/** The words of the action itself: the judge must understand those. */
const { message: UNKNOWN_WRITE } = ambiguous(
  new ControlPlaneError({ attempted: 'create it', cameBack: 'no response', hint: 'Check.' }),
)
const wordsFor = (rollback: Rollback): string => rollbackSentence(aRecord({ rollback })) ?? ''
const ended = { kind: 'incomplete', to: 'r1', revisionId: 'r3', ...NOTHING_LEFT } as const
const FAILED = wordsFor({ ...ended, outcome: { kind: 'failed', because: { kind: 'revision' } } })
const DONE = wordsFor({ kind: 'restored', to: 'r1', revisionId: 'r3', kept: [], changedSince: [], failsCheck: true })
const DOUBT = unconfirmedSentences(['customUrl'])
const REFUSED = wordsFor({ ...ROLLBACK_ERROR, isUnknown: false, revisionId: undefined })
const UNKNOWN_ROLLBACK = wordsFor({ ...ROLLBACK_ERROR, isUnknown: true, revisionId: 'r3' })

/** A deployment that does not report the address of the PATCH, which was not done. */
const notDone: Case = { ...held('deployed', later({ source_config: { custom_url: OLD_URL } })), form: UNREPORTED }

describe('what is true', () => {
  it.each<[string, Case]>([
    ['deployed', held('deployed', later())],
    ['rolled back', held('rolled-back', later({ ...back, source_config: { custom_url: OLD_URL } }))],
    ['unverified', held('unverified', later(), {}, REFUSED)],
    ['unverified, with an unknown rollback', held('unverified', later(back), {}, UNKNOWN_ROLLBACK)],
    ['done', held('unverified', later(back), {}, DONE)],
    ['failed before anything', failed(earlier, 'none')],
    ['failed with an unknown result', failed(later(), 'none', UNKNOWN_WRITE)],
    ['failed once patched', failed({ ...earlier, source_config: { custom_url: NEW_URL } }, 'patched')],
    ['deployed, with a doubt', { ...notDone, said: { ...notDone.said, error: DOUBT } }],
    [
      'deployed, in a form of the service',
      { ...held('deployed', later({ source_config: { custom_url: NEW_URL + '/' } })), form: OWN_FORM },
    ],
  ])('%s', (_case, one) => {
    expect(untruths(one)).toEqual([])
  })
})

describe('what is untrue', () => {
  it.each<[RegExp, Case]>([
    [/secrets is .*old.*, not .*new/, held('deployed', later({ secrets: OLD_SECRETS }))],
    [/custom_url is/, held('deployed', later({ source_config: { custom_url: OLD_URL } }))],
    [/but not active/, held('deployed', later({ active_revision_id: 'r1' }))],
    [
      /image_uri is "a:1"/,
      held('deployed', later({ revisions: [...earlier.revisions, revision('r2', 'DEPLOYED', 'a:1')] })),
    ],
    [/2 revisions of one run/, held('deployed', later({ revisions: back.revisions }))],
    [/the earlier configuration is not active;/, held('rolled-back', later())],
    [/custom_url is/, held('rolled-back', later(back))],
    [/is active again/, held('unverified', later(back), {}, FAILED)],
    [/is active again/, held('unverified', later(back), {}, REFUSED)],
    [/is not active again/, held('unverified', later(), {}, DONE)],
    [/something was created/, failed(later(), 'none')],
    [/something was created/, failed({ ...earlier, source_config: { custom_url: NEW_URL } }, 'none')],
    [/but a revision was created/, failed(later(), 'patched')],
    [/BUILD_FAILED, but the revision is DEPLOYED/, held('failed', later(), { status: 'BUILD_FAILED' })],
    [/custom_url is/, notDone],
    [/custom_url is/, { ...notDone, form: {}, said: { ...notDone.said, error: DOUBT } }],
    [/custom_url is not confirmed, but reported/, held('deployed', later(), {}, DOUBT)],
    [/the PATCH was answered/, { ...held('deployed', later(), {}, DOUBT), form: UNREPORTED, isPatchAnswered: true }],
    [/shareable is undefined/, { ...held('deployed', later()), asked: { ...asked, shareable: true } }],
    [/that of a stranger/, { ...held('deployed', later()), strangers: ['r2'] }],
    [/cannot be: superseded/, held('superseded', later())],
  ])('is found: %s', (words, one) => {
    expect(untruths(one).join('; ')).toMatch(words)
  })
})

describe('two runs at once', () => {
  const after = later({
    active_revision_id: 'r3',
    revisions: [...later().revisions, revision('r3', 'DEPLOYED', 'a:2')],
  })
  const older = held('superseded', after)
  const newer = held('deployed', after, { 'revision-id': 'r3' })

  it('are true if the newer one is deployed', () => {
    expect(untruthsOfTwo(older, newer)).toEqual([])
  })

  it.each<[RegExp, Case, Case]>([
    [/both are deployed/, held('deployed', after), newer],
    [/both are superseded/, older, held('superseded', after, { 'revision-id': 'r3' })],
    [/superseded, but active/, held('deployed', after), held('superseded', after, { 'revision-id': 'r3' })],
    [/both report one revision/, newer, newer],
    [/but not active/, held('deployed', after), held('failed', after, { 'revision-id': 'r3' })],
  ])('are found: %s', (words, one, other) => {
    expect(untruthsOfTwo(one, other).join('; ')).toMatch(words)
  })
})
