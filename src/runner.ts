import type { Environment } from './world.ts'

/**
 * Inputs, events and commands of the runner, with the forms of `@actions/core`. That package loads node:crypto and node:https,
 * which takes half as long as an empty Node process: it is loaded at the end.
 */

/** Returns a function that reads an input as the runner passes it; empty if it is not set. */
export function inputsOf(env: Environment): (name: string) => string {
  return (name) => env[`INPUT_${name.replace(/ /g, '_').toUpperCase()}`] ?? ''
}

/** The texts of all inputs that are set, empty ones too, by names in lower case; a blank in a name is `_`. */
export function givenInputs(env: Environment): ReadonlyMap<string, string> {
  const read = inputsOf(env)
  const names = Object.keys(env).flatMap((variable) => {
    const [, name] = /^INPUT_([\w.-]{1,100})$/i.exec(variable) ?? []
    return name === undefined ? [] : name.toLowerCase()
  })
  // A trace has the variables that are read: these too, because the presence of each one counts.
  return new Map(names.map((name) => [name, read(name)]))
}

/** Whether the step is run by act, or by a runner that is made from it: it also gets the inputs of what is around it. */
export function isRunByAct(env: Environment): boolean {
  return Boolean(env['ACT']) || isRunByGitea(env)
}

/** Whether the runner is that of Gitea or Forgejo. */
export function isRunByGitea(env: Environment): boolean {
  return ['GITEA_ACTIONS', 'FORGEJO_ACTIONS'].some((variable) => (env[variable] ?? '') !== '')
}

/** Events that anyone who can read the repository can start, by a text. */
export const WITH_AUTHOR = /^((issue|commit|discussion|pull_request_review)_comment|pull_request_review)$/

export type Command = 'add-mask' | 'debug' | 'notice' | 'warning' | 'error' | 'group' | 'endgroup' | 'save-state'

/** The line of a command. Its properties, such as the title of an annotation, are printed unless they are empty. */
export function commandLine(
  command: Command,
  text = '',
  properties: Readonly<Record<string, string | undefined>> = {},
): string {
  const assignments = Object.entries(properties).flatMap(([name, value = '']) =>
    value === '' ? [] : `${name}=${escapeProperty(value)}`,
  )
  return `::${[command, assignments.join(',')].filter(Boolean).join(' ')}::${escapeData(text)}`
}

const escapeData = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
const escapeProperty = (text: string): string => escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C')
