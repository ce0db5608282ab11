import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const NOTES = mutantsOf({
  'notes/note.ts': {
    'An id cannot end the comment that hides it.': '.filter(({ revisionId }) => isNotable(revisionId)) →',
    'The newest notes stay.': '.slice(-MAX_NOTES)\n  const attempts → .slice(0, MAX_NOTES)\n  const attempts',
    'Of a forged text, a limited part is read.': 'text.slice(0, MAX_TEXT).split → text.split',
    'Of a forged text, a limited number of notes is read.':
      'flatMap(readAttempt).slice(-MAX_NOTES) → flatMap(readAttempt)',
  },
  'notes/seal.ts': {
    'A seal is about one action.': '[action, run, → [run,',
    'A seal is about one beginning.': 'attempt, since, idKey → attempt, idKey',
    'A seal is about one deployment.': 'idKey(deploymentId), →',
    'A seal is about one request.': 'idKey(revisionId), request] → idKey(revisionId)]',
    'A seal needs the credential.': "keyedSha256(key, text) → keyedSha256('', text)",
  },
  'notes/comment-head.ts': {
    'Notes stand at the very beginning of a comment.': 'began:\\d{1,15} -->(?: → began:\\d{1,15} -->\\s*(?:',
    'Another version may read more of a note.':
      'change === undefined ? hiddenIn(body) : writeCommentNotes(change(readCommentNotes(body))) → writeCommentNotes((change ?? ((notes) => notes))(readCommentNotes(body)))',
    'An id of a preview cannot end the comment that hides it.':
      '[...new Set(previews)].filter(isNotable) → [...new Set(previews)]',
    'Times of an earlier version hide no note.': '(?:<!-- took:[\\d./ ]{1,400} -->)? →',
  },
  'notes/payload.ts': {
    'A payload keeps its name whatever its note is.': "lenient(text)(field('made')) → optional(text)(field('made'))",
  },
  'notes/status.ts': {
    'A note fits into the limit.': "hidden === '' || room < 0 → hidden === ''",
    'A note stands at the end of a description.': '\\]$/ → \\]/',
  },
})
