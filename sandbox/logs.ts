import type { StatusStep } from './lifecycle.ts'
import type { LogType } from './schemas.ts'

export interface LogLine {
  timestamp: string
  level: 'INFO' | 'ERROR'
  message: string
}

const WRITTEN_DURING: Readonly<Record<LogType, string>> = { build: 'BUILDING', deploy: 'DEPLOYING' }

const USUAL: Readonly<Record<LogType, readonly string[]>> = {
  build: [
    '#1 load build definition from Dockerfile',
    '#2 [1/6] FROM agent-server:3.12',
    '#3 [2/6] COPY . /app',
    '#4 [3/6] RUN pip install -r requirements.txt',
    '#4 Collecting agent-tools==0.3.1',
  ],
  deploy: ['Pulling image', 'Applying database migrations', 'Starting 1 replica'],
}

/** The lines after the usual ones, by the status that ends the phase. */
const CLOSING_LINES: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'BUILD_FAILED',
    [
      'ERROR: Could not find a version that satisfies the requirement agent-tools==0.3.1',
      'ERROR: No matching distribution found for agent-tools==0.3.1',
      'ERROR: process "/bin/sh -c pip install -r requirements.txt" did not complete successfully: exit code: 1',
    ],
  ],
  [
    'DEPLOY_FAILED',
    [
      'Traceback (most recent call last):',
      '  File "/app/agent.py", line 12, in <module>',
      "KeyError: 'SEARCH_API_KEY'",
      'ERROR: the container exited with code 1 after 3 restarts',
    ],
  ],
  ['DEPLOYED', ['GET /ok is answered with 200']],
  ['INTERRUPTED', ['ERROR: received SIGTERM, shutting down']],
])

interface Logged {
  createdAt: number
  steps: readonly StatusStep[]
  /** Scripted lines of the phase in which the revision ends. */
  logs: readonly string[] | undefined
}

/** The lines of a log that exist at `now`, spread evenly over the phase, oldest first. */
export function logOf({ createdAt, steps, logs }: Logged, type: LogType, now: number): LogLine[] {
  const index = steps.findIndex(({ status }) => status === WRITTEN_DURING[type])
  const phase = steps[index]
  if (phase === undefined) return []
  const start = createdAt + steps.slice(0, index).reduce((sum, { ms }) => sum + ms, 0)
  const next = steps[index + 1]
  const isLast = steps.slice(index + 1).every(({ status }) => !isLogged(status))
  const messages = isLast && logs !== undefined ? logs : [...USUAL[type], ...closingLines(next)]
  // A phase without an end writes a line a second.
  const pace = Number.isFinite(phase.ms) ? phase.ms / messages.length : 1000
  return messages
    .map((message, line) => ({ message, at: start + line * pace }))
    .filter(({ at }) => at <= now)
    .map(({ message, at }) => ({ timestamp: new Date(at).toISOString(), level: levelOf(message), message }))
}

function closingLines(next: StatusStep | undefined): readonly string[] {
  return CLOSING_LINES.get(next?.status ?? '') ?? []
}

function isLogged(status: string): boolean {
  return Object.values(WRITTEN_DURING).includes(status)
}

function levelOf(message: string): LogLine['level'] {
  return /\b(error|fatal)\b|Error:/i.test(message) ? 'ERROR' : 'INFO'
}
