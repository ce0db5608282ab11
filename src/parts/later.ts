/** What no run needs before its first answer: it is loaded while that is on its way. */
export { setOutput, summary } from '@actions/core'
export { SCHEMAS } from '../control-plane/schemas.ts'
export { uploadSource } from '../control-plane/upload.ts'
export { readPreviewNotes } from '../github/deployment-search.ts'
export { openSecretsFile, secretsOfFile } from '../inputs/secrets-file.ts'
export { Notifier } from '../notify/notify.ts'
export { finishOpenRun } from '../notify/post.ts'
export { tearDownFleet } from '../previews/fleet-teardown.ts'
export { removeDeployment } from '../previews/remove.ts'
export { sweep } from '../previews/sweep.ts'
export { publish } from '../report/publish.ts'
export { executeRollout, watchToEnd } from '../rollout/execute.ts'
export { prepareFrom } from '../rollout/prepare.ts'
export { findRevisionOf } from '../rollout/watch/revision-of-commit.ts'
export { rollback } from '../rollout/rollback/rollback.ts'
export { packSource } from '../sources/archive/archive.ts'
export { readResourceSpec } from '../sources/resource-spec/resource-spec.ts'
export { parseYaml } from '../sources/yaml-file.ts'
export { traced } from '../trace/trace.ts'

/** A fleet needs the rest of this before its first request. */
export const fleet = async () => await import('./fleet.ts')
