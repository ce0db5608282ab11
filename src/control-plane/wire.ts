import type { DeploymentDraft, RevisionDraft } from './model.ts'
import { FIELDS, fieldsWhere, SETTINGS, wireName, type Field, type Place, type Settings } from './settings.ts'

/** Returns the body of `POST /v2/deployments`: it requires the secrets, if only as an empty list. */
export function writeDeployment({ name, source, settings }: DeploymentDraft): object {
  return {
    name,
    source,
    source_config: writeSourceConfig(settings),
    source_revision_config: writePlace('source_revision_config', settings),
    secrets: [],
    ...writePlace('body', settings, ON_CREATE),
  }
}

const ON_CREATE = fieldsWhere(({ notOnCreate }) => notOnCreate !== true)
const WITHOUT_SECRETS = FIELDS.filter((field) => field !== 'secrets' && field !== 'secretReferences')

/** Returns the body of `PATCH /v2/deployments/{id}`, without the fields that would create a revision. */
export function writePatch(settings: Settings): object {
  return { ...nonEmpty('source_config', writeSourceConfig(settings)), ...writePlace('body', settings, WITHOUT_SECRETS) }
}

/** Returns the body of `POST /v2/deployments/{id}/revisions` (contract, "RevisionCreateRequest"). */
export function writeRevision({ source, settings }: RevisionDraft): object {
  return {
    // The contract's enum has no external_container and no internal_template: the deployment's own source applies.
    ...(source === 'external_container' || source === 'internal_template' ? {} : { revision_source: source }),
    ...nonEmpty('source_config', writeSourceConfig(settings)),
    ...nonEmpty('source_revision_config', writePlace('source_revision_config', settings)),
    ...writePlace('body', settings),
  }
}

function writeSourceConfig(settings: Settings): object {
  return {
    ...writePlace('source_config', settings),
    ...nonEmpty('listener_config', writePlace('listener_config', settings)),
  }
}

/** The fields of one place that are set, under their names on the wire. */
function writePlace(place: Place, settings: Settings, fields: readonly Field[] = FIELDS): object {
  const set = fields.filter((field) => SETTINGS[field].place === place && settings[field] !== undefined)
  return Object.fromEntries(set.map((field) => [wireName(field), writeValue(field, settings)]))
}

function writeValue(field: Field, settings: Settings): unknown {
  if (field === 'secrets') return settings.secrets?.map(({ name, value }) => ({ name, value }))
  if (field !== 'secretReferences') return settings[field]
  return settings.secretReferences?.map(({ name, secretName, secretKey }) => ({
    name,
    secret_name: secretName,
    secret_key: secretKey,
  }))
}

function nonEmpty(key: string, value: object): object {
  return Object.keys(value).length === 0 ? {} : { [key]: value }
}
