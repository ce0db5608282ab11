import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as core from '@actions/core'
import { toError } from '../clock.ts'
import { failsStep } from '../rollout/outcome.ts'
import type { Operation } from '../inputs/names.ts'
import type { ConcludedRecord } from './record.ts'
import { excerpt } from './escape.ts'
import type { Log } from './log.ts'
import { outputsOf, timelineOf, type Outputs } from './outputs.ts'
import type { Redactor } from './redact.ts'
import { tellStory, type Story } from './messages.ts'
import { renderSummary } from './summary.ts'

export interface PublishOptions {
  log: Log
  redactor: Redactor
  jobSummary: boolean
  /** Folder for the record; the system's own when the runner names none. */
  tempDir: string | undefined
}

/** Tells what became of the run through every door at once: outputs, summary, log, and the step's exit code. */
export async function publish(record: ConcludedRecord, options: PublishOptions): Promise<void> {
  const { log, redactor } = options
  const story = tellStory(record)
  const outputs = outputsOf(record, redactor)
  const recordPath = await attempt(
    log,
    'write the record',
    async () => await writeRecord(record, outputs, story, options),
  )
  await attempt(log, 'set the outputs', () => {
    for (const [name, value] of Object.entries({ ...outputs, 'record-path': recordPath })) {
      if (value !== undefined) core.setOutput(name, value)
    }
  })
  if (options.jobSummary) {
    const markdown = renderSummary(record, redactor.redact)
    await attempt(log, 'write the job summary', async () => await core.summary.addRaw(markdown, true).write())
  }
  tell(record, story, log)
}

const TITLES: Record<Operation, string> = {
  rollout: 'Rollout',
  wait: 'Wait',
  teardown: 'Teardown',
  request: 'Request',
}

function tell(record: ConcludedRecord, story: Story, log: Log): void {
  const lines = [
    story.reason === undefined ? undefined : excerpt(log.redact(story.reason)),
    story.next,
  ].filter((line) => line !== undefined)
  if (failsStep(record.outcome, record.onSuperseded)) {
    log.error([story.headline, ...lines].join('\n'), TITLES[record.operation])
    process.exitCode = core.ExitCode.Failure
    return
  }
  const say = record.outcome.kind === 'skipped' ? log.notice : log.info
  say(
    [`${story.mark} ${story.headline}`, record.url ?? '', ...lines].filter((line) => line !== '').join('\n'),
  )
}

/** The whole record as a JSON file, fit for upload-artifact: no secret's value is in it. */
async function writeRecord(
  record: ConcludedRecord,
  outputs: Outputs,
  story: Story,
  { redactor, tempDir }: PublishOptions,
): Promise<string> {
  const folder = await mkdtemp(path.join(tempDir ?? tmpdir(), 'rollout-'))
  const file = path.join(folder, 'record.json')
  const told = {
    ...outputs,
    // It is in a file of its own.
    'response-body': undefined,
    polls: record.polls,
    'duration-seconds': Number(outputs['duration-seconds']),
    timeline: timelineOf(record),
    headline: redactor.redact(story.headline),
    reason: story.reason === undefined ? undefined : redactor.redact(story.reason),
    next: story.next === undefined ? undefined : redactor.redact(story.next),
    plan: record.plan === undefined ? undefined : redactor.redactDeep(record.plan),
  }
  await writeFile(file, `${JSON.stringify(told, null, 2)}\n`, { mode: 0o600 })
  return file
}

/** A report that cannot be written must not change what became of the rollout. */
async function attempt<T>(log: Log, what: string, write: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await write()
  } catch (thrown) {
    log.warning(`Could not ${what}: ${toError(thrown).message}`)
    return undefined
  }
}
