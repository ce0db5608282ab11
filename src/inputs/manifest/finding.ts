import type { Path } from '../../sources/resource-spec/path.ts'

/** A mistake at a place of the manifest. The message is the end of a sentence and contains no secret. */
export interface Finding {
  path: Path
  message: string
}

export const LITERAL_SECRET =
  'has a literal value, and a manifest contains no secrets: write ${NAME}, and set NAME in env of the step, from a secret of the workflow'
