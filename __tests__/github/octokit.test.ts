import { Readable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { isOurs } from '../../src/github/pulls.ts'
import { GitHubError, isLost, RefusalError } from '../../src/github/errors.ts'
import { baseOf, openRest, type Rest } from '../../src/github/octokit.ts'
import { GRAPHQL } from '../../src/github/pace.ts'
import { toPullRequest } from '../../src/github/read.ts'
import type { NetworkAnswer, NetworkRequest } from '../../src/world.ts'

interface Sent {
  url: string
  method: string
  headers: Readonly<Record<string, string>>
  body: string
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const signal = new AbortController().signal

interface Answer {
  status: number
  headers: NetworkAnswer['headers']
  body: string
}

function restWith(answer: Partial<Answer> = {}, token = 'ghs_hunter2'): { rest: Rest; sent: Sent[] } {
  const sent: Sent[] = []
  const send = async ({ url, method, headers, body }: NetworkRequest): Promise<NetworkAnswer> => {
    sent.push({ url: url.href, method, headers, body: typeof body === 'string' ? body : '' })
    const { body: text, ...head } = { status: 200, headers: JSON_TYPE, body: '{}', ...answer }
    return await Promise.resolve({ ...head, body: Readable.from([Buffer.from(text)]), close: () => undefined })
  }
  const network = { send, hasProxy: () => false }
  return { rest: openRest({ apiUrl: 'https://api.example/', token, network }), sent }
}

describe('a request to GitHub', () => {
  it('has the parameters that are set, each in its place and encoded', async () => {
    const { rest, sent } = restWith()
    const parameters = { owner: '../a', name: "it's!", ref: 'a b', page: undefined }
    await rest('GET /repos/{owner}/{name}', parameters, signal)
    await rest('POST /repos/{owner}/{name}', parameters, signal)
    expect(sent.map(({ url, body }) => [url, body])).toEqual([
      ['https://api.example/repos/..%2Fa/it%27s%21?ref=a%20b', ''],
      ['https://api.example/repos/..%2Fa/it%27s%21', '{"ref":"a b"}'],
    ])
  })

  it.each([
    ['ghs_hunter2', 'token'],
    ['a.b', 'token'],
    ['a.b.c', 'bearer'],
  ])('has the token %s as a %s', async (token, scheme) => {
    const { rest, sent } = restWith({}, token)
    await rest('GET /user', {}, signal)
    expect(sent[0]?.headers['authorization']).toBe(`${scheme} ${token}`)
  })

  it.each([
    ['https://api.github.com', 'https://api.github.com'],
    ['https://ghes.example/api/v3/', 'https://ghes.example/api'],
    ['https://ghes.example/api/v3/mirror', 'https://ghes.example/api/v3/mirror'],
  ])('by GraphQL goes from %s to %s', (apiUrl, base) => {
    expect(baseOf(GRAPHQL, apiUrl)).toBe(base)
  })
})

describe('an answer of GitHub', () => {
  it.each([
    [JSON_TYPE, { a: 1 }],
    [{ 'content-type': ' Application/SCIM+json' }, { a: 1 }],
    [{ 'content-type': 'text/html; not=application/json' }, '{"a":1}'],
    [{}, '{"a":1}'],
  ])('with %j is %j', async (headers, data) => {
    const { rest } = restWith({ headers, body: '{"a":1}' })
    expect(await rest('GET /user', {}, signal)).toEqual(data)
  })

  it('of another type has no data', async () => {
    const { rest } = restWith({ headers: { 'content-type': 'application/json-seq' }, body: '{"a":1}' })
    expect(await rest('GET /user', {}, signal)).toEqual(new ArrayBuffer(0))
  })

  it('with the status 304 is a refusal', async () => {
    const { rest } = restWith({ status: 304, body: '' })
    await expect(rest('GET /user', {}, signal)).rejects.toMatchObject({ name: 'RefusalError', status: 304 })
  })

  it.each([400, 404, 500])('with the status %d is a refusal', async (status) => {
    const { rest } = restWith({ status, body: '{"message":"no","errors":[{"code":"x"}]}' })
    const refused: unknown = await rest('GET /user', {}, signal).catch((thrown: unknown) => thrown)
    expect(refused).toBeInstanceOf(RefusalError)
    expect(refused).toMatchObject({ status, message: 'no: {"code":"x"}' })
  })

  it.each(['[]', 'null', '7'])('without a message is quoted: %s', async (body) => {
    const { rest } = restWith({ status: 400, body })
    await expect(rest('GET /user', {}, signal)).rejects.toThrow(`Unknown error: ${body}`)
  })

  it.each([
    [undefined, true],
    [200, true],
    [500, true],
    [499, false],
    [404, false],
    [429, false],
  ])('may be lost after the request was carried out: %s is %s', (status, expected) => {
    expect(isLost(new GitHubError('no', status))).toBe(expected)
    expect(isLost(new Error('no'))).toBe(false)
  })

  it.each([null, undefined, ''])('with the address %j shows nothing else', (address) => {
    expect(isOurs(address, { repository: 'acme/agent' }, '/issues/7')).toBe(true)
  })

  it.each([
    ['acme/agent', 'Acme/Agent', true],
    ['eve/agent', 'acme/agent', false],
    [undefined, 'acme/agent', false],
  ])('has a head of %s and a base of %s: the same repository is %s', (head, base, sameRepository) => {
    const repo = head === undefined ? null : { full_name: head }
    const pull = { number: 7, state: 'open' as const, labels: undefined, head: { ref: 'x', sha: 'f', repo } }
    expect(toPullRequest({ ...pull, base: { repo: { full_name: base } } })).toMatchObject({ sameRepository })
  })
})
