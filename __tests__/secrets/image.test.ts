import { describe, expect, it } from '@jest/globals'
import { secretsOfImage, withoutLogin } from '../../src/secrets/image.ts'

const TOKEN = 'ghp_abcdefghijklmnop'
const SHA256 = `sha256:${'1a'.repeat(32)}`
const BLAKE3 = `blake3:${'2b'.repeat(32)}`

describe('an image', () => {
  it.each<[string, string, string[]]>([
    [`${TOKEN}@registry.example/agent:1`, '***@registry.example/agent:1', [TOKEN]],
    ['me:hunter2@registry.example:5000/agent', '***@registry.example:5000/agent', ['me:hunter2', 'hunter2']],
    ['me:p@ss/word@registry.example/a', '***@registry.example/a', ['me:p@ss/word', 'p@ss/word']],
    [`me:hunter2@r.example/a:1@${SHA256}`, `***@r.example/a:1@${SHA256}`, ['me:hunter2', 'hunter2']],
    [`${TOKEN}@r.example/a@${BLAKE3}`, `***@r.example/a@${BLAKE3}`, [TOKEN]],
    // A short name is a word of any log.
    ['robot@registry.example/agent', '***@registry.example/agent', []],
  ])('with a login is shown without it: %s', (image, shown, secrets) => {
    expect(withoutLogin(image)).toBe(shown)
    expect(secretsOfImage(image)).toEqual(secrets)
  })

  it.each([
    'agent',
    'agent:1',
    'registry.example:5000/team/agent:1',
    `agent@${SHA256}`,
    `r.example:5000/a:1@${BLAKE3}`,
  ])('without a login is shown as it is: %s', (image) => {
    expect(withoutLogin(image)).toBe(image)
    expect(secretsOfImage(image)).toEqual([])
  })
})
