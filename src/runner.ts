import { appendFileSync, existsSync } from 'node:fs'
import { EOL } from 'node:os'

/**
 * Inputs, commands and state of the runner, with the forms of `@actions/core`, for a run before its first request. That
 * package loads node:crypto and node:https, which takes half as long as an empty Node process: it is loaded at the end.
 */

/** An input as the runner passes it; empty if it is not set. */
export const inputOf = (name: string): string => process.env[`INPUT_${name.replace(/ /g, '_').toUpperCase()}`] ?? ''

/** The names of the inputs that have a value, in lower case; a blank in a name is `_`. Other tools may set more of them. */
export function givenInputs(): string[] {
  return Object.entries(process.env).flatMap(([variable, value = '']) => {
    const [, name] = /^INPUT_([\w.-]{1,100})$/i.exec(variable) ?? []
    return name === undefined || value.trim() === '' ? [] : name.toLowerCase()
  })
}

/** Keeps the run alive when nothing reads its log any more: the outcome does not depend on it. */
export function outliveOutputs(): void {
  for (const output of [process.stdout, process.stderr])
    if (output.listenerCount('error') === 0) output.on('error', () => undefined)
}

export function printLine(text: string): void {
  process.stdout.write(text + EOL)
}

export type Command = 'add-mask' | 'debug' | 'notice' | 'warning' | 'error' | 'group' | 'endgroup' | 'save-state'

/** @param properties such as the title of an annotation; none of those that are empty is printed */
export function printCommand(
  command: Command,
  text = '',
  properties: Readonly<Record<string, string | undefined>> = {},
): void {
  const given = Object.entries(properties).flatMap(([name, value = '']) =>
    value === '' ? [] : `${name}=${escapeProperty(value)}`,
  )
  printLine(`::${[command, given.join(',')].filter(Boolean).join(' ')}::${escapeData(text)}`)
}

const escapeData = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
const escapeProperty = (text: string): string => escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C')

/**
 * Saves a value for the post step.
 * @param value one line
 * @throws Error when the runner's file is missing or cannot be written
 */
export function saveState(name: string, value: string): void {
  const file = process.env['GITHUB_STATE'] ?? ''
  if (file === '') {
    printCommand('save-state', value, { name })
    return
  }
  if (!existsSync(file)) throw new Error(`Missing file at path: ${file}`)
  appendFileSync(file, `${name}=${value}${EOL}`)
}
