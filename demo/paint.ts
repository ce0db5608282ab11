import { styleText } from 'node:util'

/** Colours as GitHub's log has them; styleText leaves them out where nobody would see them, or NO_COLOR is set. */
export function paintLine(line: string): string {
  if (line.startsWith('Error:')) return styleText('red', line)
  if (line.startsWith('Warning:')) return styleText('yellow', line)
  return line
}

export function paintTitle(title: string): string {
  return styleText('bold', title)
}
