import { beforeEach, describe, expect, it } from '@jest/globals'
import { createLog, type Log } from '../../src/report/log.ts'
import fc from 'fast-check'
import { parseWorkflowCommand } from '../../demo/runner/workflow-command.ts'
import { anyText } from '../any-text.ts'
import { redactorOf } from '../secrets/redactor-of.ts'

let printed: string[] = []
beforeEach(() => {
  printed = []
})

function aLog(...secrets: string[]) {
  return createLog(redactorOf(...secrets), (line) => printed.push(line))
}

describe('lines of a log', () => {
  it('are in one group until something else is printed, and in another one after that', () => {
    const log = aLog()
    log.group('Build log', ['one'])
    log.group('Build log', ['two'])
    log.info('BUILDING')
    log.group('Build log', ['three'])
    log.group('Deploy log', ['four'])
    log.endGroup()
    log.warning('end')
    expect(printed).toEqual([
      '::group::Build log',
      'one',
      'two',
      '::endgroup::',
      'BUILDING',
      '::group::Build log (continued)',
      'three',
      '::endgroup::',
      '::group::Deploy log',
      'four',
      '::endgroup::',
      '::warning::end',
    ])
  })

  it('of the action itself are in a group, too, and close that of another title', () => {
    const log = aLog('correct-horse')
    log.line('Wave canary', 'eu  BUILDING')
    log.line('Wave canary', '::error::us correct-horse')
    log.info('wave canary: 0 of 2 deployed')
    log.line('Wave canary', 'eu  DEPLOYED')
    log.line('Wave everyone', 'asia  BUILDING')
    log.endGroup()
    expect(printed).toEqual([
      '::group::Wave canary',
      'eu  BUILDING',
      ': :error::us ***',
      '::endgroup::',
      'wave canary: 0 of 2 deployed',
      '::group::Wave canary (continued)',
      'eu  DEPLOYED',
      '::endgroup::',
      '::group::Wave everyone',
      'asia  BUILDING',
      '::endgroup::',
    ])
  })

  it('are held back only in front of lines of the same log', () => {
    const log = aLog('correct-horse')
    log.group('Build log', ['a corr'])
    log.info('BUILDING')
    log.group('Deploy log', ['ect-horse'])
    log.endGroup()
    expect(printed).toEqual([
      'BUILDING',
      '::group::Deploy log',
      'ect-horse',
      '::endgroup::',
      '::group::Build log',
      'a corr',
      '::endgroup::',
    ])
  })

  it.each([
    ['lines of another log', (log: Log) => log.group('Deploy log', ['starting'])],
    ['a line of the action', (log: Log) => log.line('Wave canary', 'eu  BUILDING')],
    ['the end of a log', (log: Log) => log.tail('The end of the deploy log', ['starting'])],
    ['a warning', (log: Log) => log.warning('slow')],
  ])('hide a secret of which a part came before %s', (_title, between) => {
    const log = aLog('FIRST-HALF-9f8e7dSECOND-HALF-1a2b3c')
    log.group('Build log', ['one', 'token: FIRST-HALF-9f8e7d'])
    between(log)
    log.group('Build log', ['SECOND-HALF-1a2b3c and so on', 'pushed'])
    log.endGroup()
    expect(printed.join('\n')).not.toContain('-HALF-')
    expect(printed).toEqual(expect.arrayContaining(['one', 'token: ***', '*** and so on', 'pushed']))
  })

  it('begin anew after the end of a log', () => {
    const log = aLog('correct-horse')
    log.group('Build log', ['a corr'])
    log.endGroup()
    log.endGroup()
    log.group('Build log', ['ect-horse'])
    log.endGroup()
    expect(printed).toEqual([
      '::group::Build log',
      'a corr',
      '::endgroup::',
      '::group::Build log (continued)',
      'ect-horse',
      '::endgroup::',
    ])
  })

  it('are redacted before they are cut', () => {
    const log = aLog('correct-horse')
    log.group('Build log', [`${'x'.repeat(1_995)}correct-horse and more`])
    expect(printed[1]).toBe(`${'x'.repeat(1_995)}*** a… (cut)`)
  })

  it('are no workflow commands', () => {
    const log = aLog()
    log.group('Build log', ['::error::forged', '  ::endgroup::', 'x ##[error]forged', 'one\r::error::forged'])
    expect(printed.slice(1)).toEqual([
      ': :error::forged',
      '  : :endgroup::',
      'x ## [error]forged',
      'one',
      ': :error::forged',
    ])
  })

  it('open no group if there are none', () => {
    const log = aLog()
    log.group('Build log', [])
    log.endGroup()
    expect(printed).toEqual([])
  })
})

const SECRET = 'correct-horse-battery'
/** The runner cuts what follows, and does not count the escapes of a command. */
const MAX = 4096

function messageOf(print: (log: Log) => void): string {
  const printed: string[] = []
  print(createLog(redactorOf(SECRET), (line) => printed.push(line)))
  return parseWorkflowCommand(printed.join('\n'), undefined)?.message ?? ''
}

const KINDS: [string, (text: string) => (log: Log) => void][] = [
  ['error', (text) => (log) => log.error(text, 'agent: failed')],
  ['warning', (text) => (log) => log.warning(text)],
  ['notice', (text) => (log) => log.notice(text)],
]

describe.each(KINDS)('a long %s', (_level, print) => {
  it('keeps what was attempted and the next step, whatever a server answers between them', () => {
    const between = fc.oneof(anyText({ maxLength: 50 }), fc.constantFrom('%', '::', '##[', '\n', '👍'))
    fc.assert(
      fc.property(between, fc.integer({ min: 1, max: 9000 }), (part, times) => {
        const message = messageOf(print(`Could not do it: ${part.repeat(times)}. Rerun the job.`))
        expect(message.length).toBeLessThanOrEqual(MAX)
        expect(message).toMatch(/^Could not do it:/)
        expect(message).toMatch(/Rerun the job\.$/)
      }),
      { numRuns: 50 },
    )
  })

  it('has no part of a secret where it is cut', () => {
    for (let before = 2650; before < 2750; before++) {
      const message = messageOf(print(`${'x'.repeat(before)}${SECRET}${'x'.repeat(4000)}`))
      expect(message).toContain('… (cut) …')
      expect(message).not.toMatch(/correct|horse|battery/)
    }
  })

  it('is not cut while the runner shows it whole', () => {
    expect(messageOf(print('%'.repeat(MAX)))).toBe('%'.repeat(MAX))
    expect(messageOf(print('%'.repeat(MAX + 1)))).toContain('… (cut) …')
  })
})
