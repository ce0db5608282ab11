import { readFileSync } from 'node:fs'
import type { ActionRun } from '../../demo/runner.ts'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { ask, bombOf, healthy, json, JSON_TYPE, pour, rollOut, switchProtocols } from './hostile-server.ts'
import { serve } from './stage.ts'

const sendBomb = bombOf(11)

const comment = (id: number, body: string, login = 'octocat') => ({ id, body, user: { login } })

/** A GitHub that answers the list of comments as it likes, and the comments that it was asked to create. */
async function aGitHub(comments: (page: number, size: number, response: ServerResponse) => unknown) {
  const written: string[] = []
  const url = await serve((request, response) => {
    const at = new URL(request.url ?? '', 'http://github')
    if (at.pathname === '/user') response.writeHead(403, JSON_TYPE).end('{}')
    else if (at.pathname === '/graphql') json(response, { data: { viewer: { login: 'octocat' } } })
    else if (request.method === 'GET' && at.pathname.endsWith('/issues/7/comments'))
      comments(Number(at.searchParams.get('page')), Number(at.searchParams.get('per_page')), response)
    else {
      written.push(`${request.method ?? ''} ${at.pathname}`)
      json(response, comment(1, ''))
    }
  })
  return { url, written }
}

/** A rollout with a comment on pull request 7. */
const rollOutOn = async (gitHubUrl: string): Promise<ActionRun> =>
  await rollOut(
    await serve(healthy),
    { 'pull-request': 7, comment: true, 'github-token': 'token-of-the-job' },
    { env: { GITHUB_API_URL: gitHubUrl } },
  )

describe('a GitHub that answers without bound', () => {
  it.each<[string, (page: number, size: number, response: ServerResponse) => unknown, RegExp]>([
    ['a gzip bomb', (_p, _s, r) => sendBomb(r), /GitHub answered with more than 10 MB/],
    ['an endless body', (_p, _s, r) => pour(r.writeHead(200, JSON_TYPE), ' '.repeat(65_536), 16_000), /10 MB/],
    [
      'an endless list',
      (page, size, r) => {
        const entries = Array.from({ length: size }, (_, n) => comment(page * 100 + n, 'x'))
        const next = `http://${r.req.headers.host ?? ''}/repos/octo-org/hello-agent/issues/7/comments?per_page=${size}&page=${page + 1}`
        r.setHeader('link', `<${next}>; rel="next"`)
        return json(r, entries)
      },
      /more than 1500 entries/,
    ],
    ['10 MB of brackets', (_p, _s, r) => r.writeHead(200, JSON_TYPE).end('['.repeat(9_900_000)), /nested far too/],
    ['an error of 1 MB', (_p, _s, r) => r.writeHead(404, JSON_TYPE).end(' '.repeat(1_048_576)), /HTTP 404/],
    ['a switch of protocols', (_p, _s, r) => switchProtocols(r), /101 Switching Protocols/],
  ])('%s costs only the comment', async (_case, comments, words) => {
    const gitHub = await aGitHub(comments)
    const run = await rollOutOn(gitHub.url)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.annotations.map(({ level }) => level)).toEqual(['warning'])
    expect(run.shown.join('\n')).toMatch(words)
    expect(gitHub.written).toEqual([])
  })
})

describe('a request whose response has no bound', () => {
  it.each(['secrets', 'tokens'])('streams 2,000 %s to the file, and masks the first 1,000', async (kind) => {
    const url = await serve((_q, response) => {
      response.writeHead(200, JSON_TYPE).write('{"all":[')
      for (let n = 0; n < 2_000; n++)
        response.write(kind === 'secrets' ? `{"secrets":["hush-${n}"]},` : `{"token":"hush-${n}"},`)
      response.end('1]}')
    })
    const run = await ask(url, {})
    expect(run.outputs['outcome']).toBe('answered')
    const file = readFileSync(run.outputs['response-path'] ?? '', 'utf8')
    const kept = file.match(/hush-\d+/g) ?? []
    expect(kept).toHaveLength(kind === 'secrets' ? 0 : 1_000)
    expect(kept.filter((one) => !run.masks.includes(one))).toEqual([])
    expect(run.annotations).toMatchObject([{ level: 'warning', message: expect.stringContaining('more than 1000') }])
  })
})
