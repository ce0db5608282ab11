import { describe, expect, it } from '@jest/globals'
import type { NotesOfPreviews } from '../../../src/github/deployment-search.ts'
import { isNotedPreview } from '../../../src/rollout/read/noted-preview.ts'
import { aNote } from '../../a-note.ts'
import { gitHubOf } from '../../a-run.ts'
import { aDeployment, DEPLOYMENT_ID, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'

const NAME = 'agent-pr-7'
const NOTHING: NotesOfPreviews = { deployments: [''], revisions: new Map([[NAME, []]]) }
const about = (revisionId: string, name = NAME): NotesOfPreviews => ({
  deployments: [],
  revisions: new Map([[name, [aNote({ revisionId })]]]),
})

/** `comment`, `environment`: what GitHub returns of each; undefined if it does not answer. */
async function noted(comment: NotesOfPreviews | undefined, ...environment: (NotesOfPreviews | undefined)[]) {
  const asked: (string | undefined)[] = []
  const gitHub = gitHubOf({
    previewNotes: (of) => {
      asked.push(of.environment)
      return Promise.resolve(of.environment === undefined ? comment : environment[0])
    },
  })
  const deployment = aDeployment({ name: NAME, latestRevisionId: REVISION_ID, activeRevisionId: OLD_REVISION_ID })
  const of = environment.length === 0 ? undefined : 'preview'
  const notes = { pullRequest: 7, commentName: NAME, environment: of, names: [NAME] }
  return { isNoted: await isNotedPreview(deployment, notes, { gitHub }), asked }
}

describe('a deployment that has the name of a preview', () => {
  it.each<[string, NotesOfPreviews, boolean]>([
    ['its id, in any case', { ...NOTHING, deployments: [DEPLOYMENT_ID.toUpperCase()] }, true],
    ['its latest revision', about(REVISION_ID), true],
    ['its active revision', about(OLD_REVISION_ID), true],
    ['another id', { ...NOTHING, deployments: ['another'] }, false],
    ['another revision', about('another'), false],
    ['the revision of another name', about(REVISION_ID, 'agent-pr-70'), false],
    ['nothing', NOTHING, false],
  ])('is noted by %s', async (_what, notes, isNoted) => {
    expect(await noted(notes)).toEqual({ isNoted, asked: [undefined] })
    expect(await noted(NOTHING, notes)).toEqual({ isNoted, asked: [undefined, 'preview'] })
  })

  it('is looked up in the environment only if the comment does not note it', async () => {
    const ofComment = { ...NOTHING, deployments: [DEPLOYMENT_ID] }
    expect(await noted(ofComment, NOTHING)).toEqual({ isNoted: true, asked: [undefined] })
  })

  it('may be noted if GitHub does not answer', async () => {
    expect(await noted(undefined, NOTHING)).toEqual({ isNoted: undefined, asked: [undefined] })
    expect(await noted(NOTHING, undefined)).toEqual({ isNoted: undefined, asked: [undefined, 'preview'] })
  })
})
