import { expect, it } from '@jest/globals'
import { isPlainValue } from '../src/plain-value.ts'

it.each([
  ...[
    'info',
    'true',
    'True',
    'OpenAI',
    'größe',
    'on',
    '8000',
    '5432',
    '0.5',
    '10:30',
    '1.2.3',
    '1_000',
    '555-123',
    '7654321',
  ],
])('%s is a plain word or number', (value) => expect(isPlainValue(value)).toBe(true))

it.each([
  // These may be passwords: letters and digits, or signs.
  ...['hunter2', 'abc123', 'p@ss', 'a-b', 'v1.2', '10s', '-1', '1..2', 'a b', ' info', 'info\n', '', '.5'],
  // As long as a password has to be.
  ...['password', '12345678', '1234.567'],
])('%j is none', (value) => expect(isPlainValue(value)).toBe(false))
