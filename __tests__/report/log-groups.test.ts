import { beforeEach, describe, expect, it } from '@jest/globals'
import { createLog, type Log } from '../../src/report/log.ts'
import { Redactor } from '../../src/secrets/redact.ts'

let printed: string[] = []
beforeEach(() => {
  printed = []
})

function aLog(...secrets: string[]) {
  const redactor = new Redactor()
  redactor.learn(secrets)
  return createLog(redactor, (line) => printed.push(line))
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
