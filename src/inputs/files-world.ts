import type { Clock } from '../clock.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { readResourceSpec } from '../sources/resource-spec/resource-spec.ts'
import type { parseYaml } from '../sources/yaml-file.ts'
import type { Environment, Files } from '../world.ts'
import type { openSecretsFile, secretsOfFile } from './secrets-file.ts'

/** The files that inputs name, and the runner, whose system decides how paths are written. `loadRest` loads YAML. */
export interface FilesWorld {
  env: Environment
  files: Files
  clock: Clock
  redactor: Redactor
  loadRest: () => Promise<LaterReaders>
}

export interface LaterReaders {
  readResourceSpec: typeof readResourceSpec
  parseYaml: typeof parseYaml
  openSecretsFile: typeof openSecretsFile
  secretsOfFile: typeof secretsOfFile
}
