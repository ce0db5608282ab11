import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { findMistakes } from '../../scripts/mutants/find-mistakes.ts'
import { MUTANTS } from './list.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const SRC = path.join(ROOT, 'src')

it('names texts that occur once, and tests that exist', () => {
  expect(findMistakes(MUTANTS, ROOT)).toEqual([])
})

it('has at least 80 mutants, none twice', () => {
  const mutants = MUTANTS.map(({ file, text, becomes }) => JSON.stringify([file, text, becomes]))
  expect(new Set(mutants).size).toBe(mutants.length)
  expect(mutants.length).toBeGreaterThanOrEqual(80)
})

// src/bundle has no guard: nothing needs what it replaces. src/parts only lists.
it('has a mutant of each other folder of src', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.d)\.ts$/.test(name))
  const mutated = new Set(['bundle', 'parts', ...MUTANTS.map(({ file }) => path.dirname(file))])
  expect([...new Set(files.map((name) => path.dirname(name)))].filter((folder) => !mutated.has(folder))).toEqual([])
})

it('says what each guard is for, and changes something', () => {
  for (const { guard, text, becomes } of MUTANTS) {
    expect(guard).toMatch(/^[A-Z].{10,}\.$/)
    expect(becomes).not.toBe(text)
  }
})
