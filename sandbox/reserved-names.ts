import { refuse } from './answers.ts'
import type { Habits } from './habits.ts'
import type { Source, UpdateDeployment } from './schemas.ts'

/** The environment variables that the public service sets itself. */
const EVERYWHERE = words(`
  DATABASE_URI DD_TRACE_PSYCOPG_ENABLED DD_TRACE_REDIS_ENABLED LANGCHAIN_API_KEY LANGCHAIN_CALLBACKS_BACKGROUND
  LANGCHAIN_ENDPOINT LANGCHAIN_PROJECT LANGCHAIN_TRACING_V2 LANGGRAPH_AUTH_TYPE LANGGRAPH_CLOUD_LICENSE_KEY
  LANGGRAPH_GIT_REPO_PATH LANGSMITH_AUTH_ENDPOINT LANGSMITH_AUTH_VERIFY_TENANT_ID LANGSMITH_CONTROL_PLANE_API_KEY
  LANGSMITH_DEPLOYMENT_NAME LANGSMITH_HOST_PROJECT_ID LANGSMITH_HOST_PROJECT_NAME LANGSMITH_HOST_REVISION_ID
  LANGSMITH_LANGGRAPH_GIT_REF LANGSMITH_LANGGRAPH_GIT_REF_SHA LANGSMITH_LANGGRAPH_GIT_REPO LANGSMITH_PROJECT
  LANGSMITH_TENANT_ID LANGSMITH_TRACING_V2 LOG_DICT_TRACEBACKS LOG_JSON POSTGRES_PASSWORD POSTGRES_URI REDIS_URI
`)

/** Those that a self-hosted deployment may set. */
const IN_CLOUD = words(`
  LANGSMITH_API_KEY LANGSMITH_ENDPOINT LSD_DD_API_KEY LSD_DD_ENDPOINT LSD_DEPLOYMENT_TYPE LSD_ENV MOUNT_PREFIX
  PATH PORT POSTGRES_URI_CUSTOM REDIS_URI_CUSTOM
`)

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** Checks that neither list sets a reserved name. external_container is for self-hosted deployments only. */
export function checkVariables(
  { secrets, secret_references: references }: Pick<UpdateDeployment, 'secrets' | 'secret_references'>,
  source: Source,
  { reservesNames }: Habits,
): void {
  if (!reservesNames) return
  const reserved = new Set(source === 'external_container' ? EVERYWHERE : [...EVERYWHERE, ...IN_CLOUD])
  const wrong = [...(secrets ?? []), ...(references ?? [])].map(({ name }) => name).filter((name) => reserved.has(name))
  if (wrong.length > 0) throw refuse(400, `These environment variables are reserved: ${wrong.join(', ')}.`)
}
