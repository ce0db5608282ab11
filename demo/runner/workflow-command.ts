/** A line that commands the runner: `::name key=value::message`, or the older `##[name key=value;]message`. */
export interface WorkflowCommand {
  /** In lower case: the runner ignores the case. */
  name: string
  properties: Readonly<Record<string, string>>
  message: string
  /** The line as the step wrote it. */
  line: string
}

/** The commands of the runner. A line with another name is an ordinary line. */
const REGISTERED: ReadonlySet<string> = new Set([
  'add-mask',
  'add-matcher',
  'add-path',
  'debug',
  'echo',
  'endgroup',
  'error',
  'group',
  'notice',
  'remove-matcher',
  'save-state',
  'set-env',
  'set-output',
  'stop-commands',
  'warning',
])

/** @param resumeToken ends `stop-commands`; it is a command while commands are stopped */
export function parseWorkflowCommand(line: string, resumeToken?: string): WorkflowCommand | undefined {
  const isKnown = (name: string): boolean => REGISTERED.has(name) || name === resumeToken?.toLowerCase()
  return parseCurrent(line, isKnown) ?? parseOlder(line, isKnown)
}

type IsKnown = (name: string) => boolean

/** Only at the start of a line, after blanks. */
function parseCurrent(line: string, isKnown: IsKnown): WorkflowCommand | undefined {
  const text = line.trimStart()
  const end = text.startsWith('::') ? text.indexOf('::', 2) : -1
  if (end < 0) return undefined
  const { name, rest } = splitHead(text.slice(2, end))
  if (!isKnown(name)) return undefined
  const properties = readProperties(rest.trim(), ',', unescapeProperty)
  return { name, properties, message: unescapeMessage(text.slice(end + 2)), line }
}

/** Anywhere in a line. */
function parseOlder(line: string, isKnown: IsKnown): WorkflowCommand | undefined {
  const start = line.indexOf('##[')
  const end = start < 0 ? -1 : line.indexOf(']', start)
  if (end < 0) return undefined
  const { name, rest } = splitHead(line.slice(start + 3, end))
  if (!isKnown(name)) return undefined
  const properties = readProperties(rest, ';', unescapeOlder)
  return { name, properties, message: unescapeOlder(line.slice(end + 1)), line }
}

function splitHead(head: string): { name: string; rest: string } {
  const blank = head.indexOf(' ')
  if (blank < 0) return { name: head.toLowerCase(), rest: '' }
  return { name: head.slice(0, blank).toLowerCase(), rest: head.slice(blank + 1) }
}

function readProperties(text: string, separator: string, unescape: (value: string) => string): Record<string, string> {
  const pairs = text.split(separator).flatMap((pair): [string, string][] => {
    const equals = pair.indexOf('=')
    if (equals < 1 || equals === pair.length - 1) return []
    return [[pair.slice(0, equals).toLowerCase(), unescape(pair.slice(equals + 1))]]
  })
  return Object.fromEntries(pairs)
}

// `%25` comes last, or an escaped percent sign would start another escape.
const unescapeMessage = unescaper({ '%0D': '\r', '%0A': '\n', '%25': '%' })
const unescapeProperty = unescaper({ '%0D': '\r', '%0A': '\n', '%3A': ':', '%2C': ',', '%25': '%' })
const unescapeOlder = unescaper({ '%3B': ';', '%0D': '\r', '%0A': '\n', '%5D': ']', '%25': '%' })

function unescaper(escapes: Readonly<Record<string, string>>): (text: string) => string {
  return (text) => Object.entries(escapes).reduce((done, [escape, sign]) => done.replaceAll(escape, sign), text)
}
