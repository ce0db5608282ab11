import { describe, expect, it } from '@jest/globals'
import { listObstacleText } from '../../src/report/request-words.ts'
import type { ListObstacle } from '../../src/request/event.ts'

describe('why the rest of a list cannot be read', () => {
  it.each<[ListObstacle, string]>([
    [{ kind: 'offset-unchanged', offset: 20 }, 'the offset stays at 20'],
    [{ kind: 'unreadable-cursor' }, 'its cursor is neither a text nor a number'],
    [{ kind: 'repeated-cursor' }, 'a cursor was returned for the second time'],
  ])('is worded: %j', (obstacle, text) => {
    expect(listObstacleText(obstacle)).toBe(text)
  })
})
