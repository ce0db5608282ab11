import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { piecesOf, quotes } from '../../src/request/quotes.ts'
import { redactText } from '../../src/request/redaction.ts'
import { FoundSecrets } from '../../src/request/found-secrets.ts'

const BODY = 'user: anna\ntoken = "Zx9/qKsecretRest" found in json'
const quotesBody = (explanation: string): boolean => quotes(explanation, piecesOf(BODY))

describe('an explanation', () => {
  it.each([
    ["Unexpected token 'Zx9/qK…'"],
    ['cannot read Zx9/'],
    ['near ecretR'],
    ['SECRETREST'],
    [String.raw`{"detail":"near Zx9\/qK"}`],
    [String.raw`{"detail":"near Zx9\u002fqK"}`],
    [String.raw`{"detail":"{\"near\":\"Zx9\\u002FqK\"}"}`],
    ['near (Zx9-qK)'],
    ['no user anna'],
    ['<title>Zx9/qKsec</title>'],
  ])('may quote the body: %s', (explanation) => {
    expect(quotesBody(explanation)).toBe(true)
  })

  it.each([
    ['Not Found'],
    ['{"detail":"Not Found"}'],
    ["Unexpected token 'Z' in JSON at position 10"],
    ["Expecting ',' delimiter: line 3 column 5 (char 30)"],
    ['{"error":{"message":"Invalid JSON","status":400}}'],
    ['***'],
    [''],
  ])('quotes nothing: %s', (explanation) => {
    expect(quotesBody(explanation)).toBe(false)
  })

  it('that only names a status never quotes', () => {
    const all = Object.values(STATUS_CODES).join(' ')
    expect(Object.values(STATUS_CODES).some((one) => quotes(one ?? '', piecesOf(all)))).toBe(false)
  })

  it('quotes nothing of a request without text', () => {
    expect(quotes(BODY, piecesOf(''))).toBe(false)
  })

  it('quotes a word that is a usual one but for its punctuation', () => {
    expect(quotes("bad input '+=a/+/_/'", piecesOf('key: 0+=a/+/_/+=='))).toBe(true)
  })

  it('quotes a word of a body wherever it is cut', () => {
    const secret = fc.stringMatching(/^[0-9][A-Za-z0-9/+=_-]{11,40}$/)
    fc.assert(
      fc.property(secret, fc.nat(30), fc.integer({ min: 8, max: 40 }), (word, from, length) => {
        const cut = word.slice(from, from + length)
        // A usual word of explanations shows nothing of a body; the generator likes this one.
        fc.pre(cut.length >= 8 && cut.toLowerCase() !== 'property')
        expect(quotes(`bad input '${cut}…' here`, piecesOf(`key: ${word}\n`))).toBe(true)
      }),
    )
  })
})

describe('the text of an answer that may quote the body', () => {
  const secrets = { credentials: [], values: [], echoes: [], pieces: piecesOf(BODY), found: new FoundSecrets(9, 99) }
  const cut = `{"detail":"Unexpected token 'Zx9/qK'"}`

  it('is omitted from an error, and stays JSON', () => {
    const detail = 'the explanation is omitted because it quotes the body'
    expect(JSON.parse(redactText(cut, secrets, true))).toEqual({ detail })
    expect(redactText('Not Found', secrets, true)).toBe('Not Found')
  })

  it('is unchanged in a success', () => {
    expect(redactText(cut, secrets, false)).toBe(cut)
  })
})
