import { previewName } from '../previews/preview-name.ts'
import type { Preview } from '../previews/request.ts'
import type { Target } from '../rollout/rollout-request.ts'
import * as accept from './parsers.ts'
import type { InputReader } from './reader.ts'

/** Reads which deployment the step names. With a preview, the input `name` is only the first part of its name. */
export function readTarget(read: InputReader, preview: Preview | undefined): Target | undefined {
  const before = read.problems.length
  const name = read.optional('name', accept.text)
  const id = read.optional('deployment-id', accept.uuid)
  if (read.problems.length > before) return undefined
  if (id !== undefined && (name !== undefined || preview !== undefined)) {
    const other = name === undefined ? 'preview, which needs a name' : 'name'
    const message = `must not be set together with ${other}`
    read.problems.push({ input: 'deployment-id', value: id, message })
  }
  if (name !== undefined) {
    return { kind: 'name', name: preview === undefined ? name : previewName(name, preview.pullRequest) }
  }
  if (id !== undefined) return { kind: 'id', id }
  read.problems.push({ input: 'name', message: 'is required, or deployment-id instead' })
  return undefined
}
