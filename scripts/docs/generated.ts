import { AGENT_SERVER, LANGSMITH } from '../../src/control-plane/api.ts'
import { fleetJsonSchema } from './fleet-schema.ts'
import { resourceSpecJsonSchema, seedFileJsonSchema } from './json-schemas.ts'
import { fillPage, PAGES } from './pages.ts'
import { workflowJsonSchema } from './workflow-schema.ts'

interface GeneratedFile {
  file: string
  /** Returns the text that the file should have; `readCurrent` returns the text that it has. */
  generate: (readCurrent: () => string) => string
}

/** Every file that is generated, whole or in part. */
export const GENERATED: readonly GeneratedFile[] = [
  ...Object.keys(PAGES).map((file) => ({
    file,
    generate: (readCurrent: () => string) => fillPage(file, readCurrent()),
  })),
  { file: 'docs/schemas/resource-spec.schema.json', generate: resourceSpecJsonSchema },
  { file: 'docs/schemas/sandbox-seed.schema.json', generate: seedFileJsonSchema },
  { file: 'schemas/fleet.schema.json', generate: () => fleetJsonSchema(AGENT_SERVER) },
  { file: 'schemas/fleet-langsmith.schema.json', generate: () => fleetJsonSchema(LANGSMITH) },
  { file: 'schemas/workflow.schema.json', generate: workflowJsonSchema },
]
