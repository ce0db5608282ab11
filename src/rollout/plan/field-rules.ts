import { SOURCES, type Field, type Settings, type Source } from '../../control-plane/model.ts'
import type { Problem } from '../../problem.ts'

/** `required` holds for creating a deployment; on an existing one such a field may be left out. */
export type Rule = 'required' | 'optional' | 'refused'

const everywhere = rules('optional', 'optional', 'optional', 'optional', 'optional')

/** What each source takes (contract, SourceConfigRequest, SourceRevisionConfigRequest, ResourceSpec). */
export const FIELD_RULES: Record<Field, Record<Source, Rule>> = {
  //                     git_host    external    internal    source      template
  integrationId: rules('required', 'refused', 'refused', 'refused', 'refused'),
  repoUrl: rules('required', 'refused', 'refused', 'refused', 'refused'),
  repoRef: rules('required', 'refused', 'refused', 'refused', 'refused'),
  appConfigPath: rules('required', 'refused', 'refused', 'required', 'refused'),
  deploymentType: rules('optional', 'refused', 'refused', 'refused', 'refused'),
  buildOnPush: rules('optional', 'refused', 'refused', 'refused', 'refused'),
  installCommand: rules('optional', 'refused', 'refused', 'optional', 'refused'),
  buildCommand: rules('optional', 'refused', 'refused', 'optional', 'refused'),
  imageUri: rules('refused', 'required', 'optional', 'refused', 'refused'),
  listenerId: rules('refused', 'optional', 'refused', 'refused', 'refused'),
  clusterNamespace: rules('refused', 'optional', 'refused', 'refused', 'refused'),
  customUrl: rules('refused', 'optional', 'refused', 'refused', 'refused'),
  resourceSpec: rules('refused', 'optional', 'refused', 'refused', 'refused'),
  sourceTarballPath: rules('refused', 'refused', 'refused', 'optional', 'refused'),
  secrets: everywhere,
  secretReferences: everywhere,
  shareable: everywhere,
  routeThroughGateway: everywhere,
}

function rules(
  gitHost: Rule,
  external: Rule,
  internal: Rule,
  source: Rule,
  template: Rule,
): Record<Source, Rule> {
  return {
    git_host: gitHost,
    external_container: external,
    internal_container: internal,
    internal_source: source,
    internal_template: template,
  }
}

/** Fields in the order of the table. */
export const FIELDS: readonly Field[] = Object.keys(FIELD_RULES).filter(isField)

function isField(key: string): key is Field {
  return key in FIELD_RULES
}

/** How a required field that is left out may be found nevertheless, as a sentence of the manual. */
export const FILLED_IN: Partial<Record<Field, string>> = {
  integrationId: 'looked up among the installed integrations',
  repoUrl: 'this repository',
  repoRef: "the event's branch or tag",
  listenerId: 'the only listener, when there is just one',
  sourceTarballPath: 'the workspace',
}

/** The input that sets a field: `repoUrl` is set by `repo-url`; an archive is made of a directory. */
export function inputName(field: Field): string {
  if (field === 'sourceTarballPath') return 'source-path'
  return field.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}

/** The fields that were set although the source does not take them. */
export function mismatches(source: Source, settings: Settings): Problem[] {
  return FIELDS.filter(
    (field) => settings[field] !== undefined && FIELD_RULES[field][source] === 'refused',
  ).map((field) => ({
    input: inputName(field),
    message: `is not for source ${source}; it is for ${takers(field)}`,
  }))
}

/** The fields that creating a deployment of the source needs and that are not there. */
export function missing(source: Source, settings: Settings): Problem[] {
  return FIELDS.filter(
    (field) => settings[field] === undefined && FIELD_RULES[field][source] === 'required',
  ).map((field) => ({
    input: inputName(field),
    message: `is required to create a deployment of source ${source}`,
  }))
}

function takers(field: Field): string {
  return SOURCES.filter((source) => FIELD_RULES[field][source] !== 'refused').join(', ')
}

export function isSource(text: string | undefined): text is Source {
  return SOURCES.some((source) => source === text)
}
