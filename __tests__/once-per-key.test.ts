import { expect, it } from '@jest/globals'
import { oncePerKey } from '../src/once-per-key.ts'

function counted(): { asked: string[]; ask: (one: string, other: string) => Promise<string> } {
  const asked: string[] = []
  const ask = oncePerKey(
    async (one: string, other: string) => {
      asked.push(`${one} ${other}`)
      await Promise.resolve()
      if (one === 'broken' && asked.length === 1) throw new Error('broken')
      return `${one}-${other}`
    },
    (one, other) => `${one} ${other}`,
  )
  return { asked, ask }
}

it('asks once for each key, also while an answer is under way', async () => {
  const { asked, ask } = counted()
  expect(await Promise.all([ask('a', 'b'), ask('a', 'b'), ask('a', 'c')])).toEqual(['a-b', 'a-b', 'a-c'])
  expect(await ask('a', 'b')).toBe('a-b')
  expect(asked).toEqual(['a b', 'a c'])
})

it('asks again after an error', async () => {
  const { asked, ask } = counted()
  await expect(ask('broken', 'b')).rejects.toThrow('broken')
  expect(await ask('broken', 'b')).toBe('broken-b')
  expect(asked).toHaveLength(2)
})
