/** Folders that no archive contains at any depth, unless an ignore file of the source's root brings one back by its name. */
const FOLDERS: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
])

/** Files of values that are for one machine only. */
const OF_MACHINE = /^\.env(?:(?:\..+)?\.local)?$/
const OTHER_VALUES = /^\.env\./

/** @param broughtBack names that the ignore files of the source's root bring back */
export function isLeftOut(name: string, broughtBack: ReadonlySet<string>): boolean {
  return (FOLDERS.has(name) || OF_MACHINE.test(name)) && !broughtBack.has(name)
}

/** Whether a file that is packed may hold values of an environment. */
export function mayHoldValues(name: string): boolean {
  return OTHER_VALUES.test(name)
}

/** Lists the names that lines `!name` or `!name/` bring back. A pattern that merely matches a name brings nothing back. */
export function namesBroughtBack(rules: string): string[] {
  return rules.split('\n').flatMap((line) => /^!([^/]+)\/?$/.exec(line.trimEnd())?.[1] ?? [])
}
