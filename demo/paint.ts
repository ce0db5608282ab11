import { styleText } from 'node:util'

/** Colours of GitHub's log. styleText omits them outside of a terminal, and if NO_COLOR is set. */
export function paintLine(line: string): string {
  if (line.startsWith('Error:')) return styleText('red', line)
  if (line.startsWith('Warning:')) return styleText('yellow', line)
  return line
}

export function paintTitle(title: string): string {
  return styleText('bold', title)
}
