import { expect, it } from '@jest/globals'
import { checkNames } from '../../../src/inputs/manifest/waves.ts'

it.each<[string[], string[]]>([
  [['a', 'b'], []],
  [['a', ' A '], ['is also the name of deployments[0]: names are unique, in any case of their letters']],
  [
    ['a-${NAME}'],
    ['must not contain ${: a value of the environment is masked, and the report could not name the deployment'],
  ],
])('the names %j of deployments have these problems: %j', (names, messages) => {
  expect(checkNames(names.map((name) => ({ name }))).map(({ message }) => message)).toEqual(messages)
})
