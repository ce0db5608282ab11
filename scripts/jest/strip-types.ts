import { stripTypeScriptTypes } from 'node:module'

/** Jest's transformer of TypeScript: types become spaces, so every line and column stays. `npm run typecheck` checks them. */
export default { process: (source: string): { code: string } => ({ code: stripTypeScriptTypes(source) }) }
