import { type Only, parseOnly } from '../fleet/only.ts'
import * as accept from './parsers.ts'

/** Takes names of deployments with `*` and `?`, one a line; `!` in front excludes. */
export const namePatterns = accept.withForm<Only>(
  { description: 'names of deployments with * and ?, one a line; ! in front excludes', pattern: /^\s*\S[\s\S]*$/ },
  (literal) => {
    const only = parseOnly(literal)
    if (only.excluded.includes('')) throw new accept.Unacceptable('has a ! without a name')
    return only
  },
)
