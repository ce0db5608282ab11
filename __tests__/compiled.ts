import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))

/** A variable for the processes of the tests: Node keeps compiled code there, by its content. */
export const COMPILED = { NODE_COMPILE_CACHE: FOLDER }
