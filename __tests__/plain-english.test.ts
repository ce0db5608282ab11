import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

// The project's rule for texts (CONTRIBUTING.md, "Code style"). It guards contributors: without it, each review would look
// for these words by hand, in messages and documents, too.

/** Files, and folders with all their files, that must be plain English. */
const ROOTS = [
  'action.yml',
  'wait',
  'rollback',
  'teardown',
  'request',
  'fleet',
  'schemas',
  'examples',
  'docs',
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  '.github',
  'src',
  'sandbox',
  'demo',
  'scripts',
  'bench',
]

/** Words without a clear actor, and metaphors for mechanisms. */
const WORDS = [
  'told',
  'tells',
  'nobody',
  'goes on',
  'stands',
  'mend',
  'all the same',
  'by then',
  'whoever',
  'left out',
  'doors?',
  'voices?',
  'aftercare',
]

const PATTERN = new RegExp(`\\b(?:${WORDS.join('|').replaceAll(' ', '\\s+')})\\b`, 'gi')
const TEXT_FILE = /\.(?:md|ya?ml|json|sh|[jt]s|html)$|(?:^|\/)[A-Z]+$/

/** A relative clause in place of a noun, which asks nothing, and a number without a noun. */
const VAGUE_COMMENT = /(?:^|[.;:] )What [^.;:?]*(?=[.;:]|$)|\bso (?:many|long)\b(?! as)/g
const COMMENT = /\/\*\*?[^]*?\*\/|(?:^ *\/\/.*\n)+/gm

/** Each vague wording in the comments of a source text. */
function findVagueComments(source: string): string[] {
  return [...source.matchAll(COMMENT)].flatMap(([comment]) => {
    const text = comment.replace(/^ *(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, '')
    return text.trim().replace(/\s+/g, ' ').match(VAGUE_COMMENT) ?? []
  })
}

/** Each forbidden word of a text as `line: word`. */
function findWords(text: string): string[] {
  return [...text.matchAll(PATTERN)].map(({ 0: word, index }) => {
    const line = text.slice(0, index).split('\n').length
    return `${line}: ${word.replace(/\s+/g, ' ')}`
  })
}

const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))

function filesIn(root: string): string[] {
  if (!statSync(pathOf(root)).isDirectory()) return [root]
  return readdirSync(pathOf(root), { recursive: true, encoding: 'utf8' })
    .map((name) => `${root}/${name}`)
    .filter((name) => TEXT_FILE.test(name) && statSync(pathOf(name)).isFile())
}

describe('the search for words that are not plain English', () => {
  it('finds each word with its line, in any case and across a line break', () => {
    expect(findWords('Nobody is here.\nIt goes\non, by then.\nTwo doors.')).toEqual([
      '1: Nobody',
      '2: goes on',
      '3: by then',
      '4: doors',
    ])
  })

  it('finds no part of a word', () => {
    expect(findWords('We recommend understanding outdoors and invoices.')).toEqual([])
  })

  it.each(ROOTS)('reads at least one file of %s', (root) => {
    expect(filesIn(root)).not.toEqual([])
  })
})

describe('the search for vague comments', () => {
  it.each([
    ['/** What serves. */', ['What serves']],
    ['/**\n * What a run has\n * patched stays.\n */', ['What a run has patched stays']],
    ['/** Reads it. What is there: unknown. */', ['. What is there']],
    ['  // What ends\n  // in time counts.\n', ['What ends in time counts']],
    ['/** At most so many\n * requests follow, for so long. */', ['so many', 'so long']],
  ])('finds the wording in %j', (source, found) => {
    expect(findVagueComments(source)).toEqual(found)
  })

  it.each(['/** What has changed? */', '/** Returns what is set, so long as it is. */', "print('What is it.')"])(
    'finds nothing in %j',
    (source) => {
      expect(findVagueComments(source)).toEqual([])
    },
  )
})

describe('plain English', () => {
  it.each(filesIn('src').filter((file) => file.endsWith('.ts')))('has no vague comment in %s', (file) => {
    expect(findVagueComments(readFileSync(pathOf(file), 'utf8'))).toEqual([])
  })

  it.each(ROOTS.flatMap(filesIn))('is used in %s', (file) => {
    expect(findWords(readFileSync(pathOf(file), 'utf8'))).toEqual([])
  })
})
