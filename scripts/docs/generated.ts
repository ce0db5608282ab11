import { resourceSpecJsonSchema, seedFileJsonSchema } from './json-schemas.ts'
import { withTables } from './readme.ts'

interface GeneratedFile {
  file: string
  /** Its text as it should be; `present` reads it as it is. */
  generate: (present: () => string) => string
}

/** Every file of which something is generated. */
export const GENERATED: readonly GeneratedFile[] = [
  { file: 'README.md', generate: (present) => withTables(present()) },
  { file: 'docs/schemas/resource-spec.schema.json', generate: resourceSpecJsonSchema },
  { file: 'docs/schemas/sandbox-seed.schema.json', generate: seedFileJsonSchema },
]
