import { tmpdir } from 'node:os'
import path from 'node:path'

/** A variable for the processes of the tests: Node keeps compiled code there, by its content. */
export const COMPILED = { NODE_COMPILE_CACHE: path.join(tmpdir(), 'deployment-rollout-compiled') }
