import { describe, expect, it } from '@jest/globals'
import { givenInputs, isRunByAct } from '../src/runner.ts'

describe('the inputs that are set', () => {
  it('are the variables that begin so, empty ones too, by names in lower case', () => {
    const env = {
      INPUT_NAME: 'agent',
      'INPUT_PLAN-DIGEST': '',
      INPUT_A_B: ' x ',
      INPUT_: 'x',
      MY_INPUT_X: 'x',
      PATH: '/',
    }
    expect([...givenInputs(env)]).toEqual([
      ['name', 'agent'],
      ['plan-digest', ''],
      ['a_b', ' x '],
    ])
  })

  it('have the text that the runner sets, beside a variable of a job in lower case', () => {
    expect(givenInputs({ INPUT_NAME: 'agent', input_name: 'other' }).get('name')).toBe('agent')
  })
})

describe('a run by act', () => {
  it.each(['ACT', 'GITEA_ACTIONS', 'FORGEJO_ACTIONS'])('is one with %s', (variable) => {
    expect(isRunByAct({ [variable]: 'true' })).toBe(true)
    expect(isRunByAct({ [variable]: '' })).toBe(false)
  })

  it('is none on GitHub', () => {
    expect(isRunByAct({ GITHUB_ACTIONS: 'true' })).toBe(false)
  })
})
