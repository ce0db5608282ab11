import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import type { GitHub, GitHubRequest } from '../../src/github/client.ts'
import { bodyOf, MAX_COMMENT, StickyComment, findOwnComments, readComment } from '../../src/github/comment.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { type CommentNotes, markerOf } from '../../src/notes/comment-head.ts'
import { type Note, writeNotes } from '../../src/notes/note.ts'
import { aNote } from '../a-note.ts'
import { fakeClock } from '../builders.ts'
import { aGitHub } from '../github-stub.ts'
import { codeBlock, codeCell, codeSpan } from '../../src/report/escape.ts'
import { details, paragraphs, table } from '../../src/report/markdown.ts'
import { AnsweringServer, API, type Question } from './answering-server.ts'

const NO_NOTES: CommentNotes = { revisions: [], previews: [] }

interface Kept {
  id: number
  body: string
  user: { login: string }
}

const BOT = 'github-actions[bot]'
const OWN_MARKER = markerOf('agent-pr-7')

/** A comment that an earlier run has written, if it is not of another author. */
const aKept = (id = 1, login = BOT, body = `${OWN_MARKER}\nold`): Kept => ({ id, body, user: { login } })
/** What the comments show below their first line. */
const textsOf = (comments: readonly Kept[]) => comments.map(({ body }) => body.split('\n')[1])

/** GitHub with one pull request, in memory. */
function gitHubWith(comments: Kept[], { user = 'none', viewer = BOT }: { user?: string; viewer?: string } = {}) {
  const writes: string[] = []
  const lost: { acts: boolean; status: number | undefined }[] = []
  const logins: string[] = []
  const answer = ({ route, parameters = {} }: GitHubRequest): unknown => {
    const body = String(parameters['body'])
    if (route === 'POST /graphql') {
      logins.push('GraphQL')
      return { data: { viewer: { login: viewer } } }
    }
    const named = (): Kept => {
      const found = comments.find(({ id }) => id === parameters['comment_id'])
      if (found === undefined) throw new GitHubError('gone', 404)
      return found
    }
    switch (route.split(' ')[0]) {
      case 'POST': {
        const loss = lost.shift()
        if (loss?.acts === false) throw new GitHubError('lost', loss.status)
        const made = aKept(1000 + comments.length, viewer, body)
        comments.push(made)
        writes.push('create')
        if (loss !== undefined) throw new GitHubError('lost', loss.status)
        return made
      }
      case 'DELETE':
        comments.splice(comments.indexOf(named()), 1)
        writes.push('delete')
        return undefined
      case 'PATCH':
        Object.assign(named(), { body })
        writes.push('update')
        return named()
      default:
        if (route.endsWith('{issue_number}/comments')) return comments
        if (route.includes('{comment_id}')) return named()
        logins.push(route)
        if (user === 'none') throw new GitHubError('not a person', 403)
        return { login: user }
    }
  }
  const gitHub = aGitHub(answer)
  return { gitHub, comments, writes, lost, logins }
}

/** The comment, with timers that fire as the clock advances. */
function opened(gitHub: GitHub, startedAt = 1_000) {
  const clock = fakeClock()
  const failures: unknown[] = []
  const comment = new StickyComment(gitHub, {
    issue: 7,
    deploymentName: 'agent-pr-7',
    startedAt,
    clock,
    onFailure: (thrown) => failures.push(thrown),
  })
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await pause(0)
  }
  return { comment, advance, failures, timers: clock.timers }
}
/** A GitHub before each of whose requests this is done. */
const before = (gitHub: GitHub, act: (request: GitHubRequest) => void | Promise<void>): GitHub => ({
  ...gitHub,
  request: async (request, schema) => {
    await act(request)
    return await gitHub.request(request, schema)
  },
})
const open = (gitHub: GitHub) => opened(gitHub).comment
const rendered = (text: string) => () => text

describe('the sticky comment', () => {
  it('is written at most every 15 seconds; an earlier text is written then', async () => {
    const { gitHub, writes, comments } = gitHubWith([])
    const { comment, advance } = opened(gitHub)
    await comment.show(rendered('one'))
    await advance(1_000)
    await comment.show(rendered('two'))
    await advance(13_998)
    await comment.show(rendered('three'))
    await advance(1)
    expect(writes).toEqual(['create'])
    await advance(1)
    expect(writes).toEqual(['create', 'update'])
    expect(comments[0]?.body).toContain('three')
    await advance(60_000)
    expect(writes).toHaveLength(2)
    await comment.show(rendered('four'))
    expect(comments[0]?.body).toContain('four')
  })

  it('is rendered when it is written, not when it is requested', async () => {
    const { gitHub, comments } = gitHubWith([])
    const { comment, advance } = opened(gitHub)
    let now = 'one'
    await comment.show(() => now)
    await comment.show(() => now)
    now = 'two'
    await advance(15_000)
    expect(comments[0]?.body).toContain('two')
  })

  it('writes its final text at once, and nothing after it', async () => {
    const { gitHub, writes, comments } = gitHubWith([])
    const { comment, advance, timers } = opened(gitHub)
    await comment.show(rendered('one'))
    await comment.show(rendered('two'))
    await comment.finish('last')
    expect(timers()).toBe(0)
    await advance(60_000)
    expect(writes).toEqual(['create', 'update'])
    expect(comments[0]?.body).toContain('last')
  })

  it('delays a text that the final one is likely to follow, and writes it if nothing follows', async () => {
    const { gitHub, writes, comments } = gitHubWith([])
    const { comment, advance } = opened(gitHub)
    await comment.show(rendered('done'), { holdMs: 15_000 })
    await advance(14_999)
    expect(writes).toEqual([])
    await advance(1)
    expect(comments[0]?.body).toContain('done')
  })

  it('is written at once with a new note, and each further note waits a second longer, up to 15', async () => {
    const { gitHub, comments } = gitHubWith([])
    const { comment, advance } = opened(gitHub)
    await comment.show(rendered('begun'))
    const waits: number[] = []
    for (let note = 0; note < 18; note++) {
      await comment.show(rendered(`note ${note}.`), { isUrgent: true })
      let seconds = 0
      for (; comments[0]?.body.includes(`note ${note}.`) !== true; seconds++) await advance(1_000)
      waits.push(seconds)
    }
    expect(waits).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15])
    await comment.show(rendered('no note'))
    await advance(14_999)
    expect(comments[0]?.body).toContain('note 17.')
    await advance(1)
    expect(comments[0]?.body).toContain('no note')
  })

  it('reports the failure of a delayed write', async () => {
    const { gitHub, lost } = gitHubWith([])
    const { comment, advance, failures } = opened(gitHub)
    lost.push({ acts: false, status: 403 })
    await comment.show(rendered('done'), { holdMs: 15_000 })
    await advance(15_000)
    await pause(10)
    expect(failures).toEqual([new GitHubError('lost', 403)])
  })

  it('is not written again with the same text', async () => {
    const { gitHub, writes } = gitHubWith([])
    const comment = open(gitHub)
    await comment.show(rendered('done'))
    await comment.finish('done')
    expect(writes).toEqual(['create'])
  })

  it('is the oldest with our marker and our login', async () => {
    const { gitHub, comments } = gitHubWith([
      aKept(1, 'eve', `${OWN_MARKER}\nforged`),
      aKept(2, BOT, `see ${OWN_MARKER}`),
      aKept(3, BOT, `${markerOf('agent-pr-71')}\nanother`),
      aKept(4),
      aKept(5, 'eve', `${OWN_MARKER}\nforged later`),
    ])
    await open(gitHub).finish('new')
    expect(textsOf(comments)).toEqual(['forged', undefined, 'another', 'new', 'forged later'])
  })

  it.each([
    ['octocat', { user: 'OctoCat' }],
    ['my-app[bot]', { viewer: 'my-app[bot]' }],
  ])('is recognised by the login of a person or an app: %s', async (login, who) => {
    const { gitHub, writes } = gitHubWith([aKept(1, login)], who)
    await open(gitHub).finish('new')
    expect(writes).toEqual(['update'])
  })

  it.each<[string, string[], string, string[]]>([
    ['nobody has written a marker', [], BOT, []],
    ['nobody has, and the token is of an app', [], 'my-app[bot]', []],
    ["the job's own bot has", [BOT], BOT, []],
    ["the job's own bot has before someone else", [BOT, 'eve'], BOT, []],
    ["someone else has before the job's own bot", ['eve', BOT], BOT, ['GET /user', 'GraphQL']],
    ['only someone else has', ['eve'], BOT, ['GET /user', 'GraphQL']],
    ['an app has', ['my-app[bot]'], 'my-app[bot]', ['GET /user', 'GraphQL']],
  ])('asks for the login of the token only if it must: %s', async (_case, authors, viewer, asked) => {
    const { gitHub, comments, logins } = gitHubWith(
      authors.map((login, id) => aKept(id, login)),
      { viewer },
    )
    const comment = open(gitHub)
    await comment.show(rendered('one'))
    await comment.finish('two')
    expect(logins).toEqual(asked)
    for (const { user, body: text } of comments)
      expect([user.login, text.split('\n')[1]]).toEqual([user.login, user.login === viewer ? 'two' : 'old'])
    expect(comments.filter(({ user }) => user.login === viewer)).toHaveLength(1)
  })

  it('learns the login from its own comment, and then takes no comment of another bot', async () => {
    const { gitHub, comments, logins } = gitHubWith([], { viewer: 'my-app[bot]' })
    await open(gitHub).finish('ours')
    comments.unshift(aKept(1, BOT, `${OWN_MARKER}\nof a job`))
    await open(gitHub).finish('again')
    expect(textsOf(comments)).toEqual(['of a job', 'again'])
    expect(logins).toEqual([])
  })

  it('is created again after someone deleted it, even during a run', async () => {
    const { gitHub, comments, writes } = gitHubWith([])
    const { comment, advance } = opened(gitHub)
    await comment.show(rendered('one'))
    comments.length = 0
    await advance(20_000)
    await comment.show(rendered('two'))
    expect(writes).toEqual(['create', 'create'])
  })

  it.each([404, 410])(
    'is created again after someone deleted it between its search and its update (%i)',
    async (status) => {
      const { gitHub, comments, writes } = gitHubWith([aKept()])
      const emptied = before(gitHub, ({ route }) => {
        if (!route.startsWith('PATCH')) return
        comments.length = 0
        throw new GitHubError('gone', status)
      })
      await open(emptied).finish('new')
      expect(writes).toEqual(['create'])
    },
  )

  it('is created again after someone deleted the one that another run had made before it', async () => {
    const { gitHub, comments } = gitHubWith([])
    const ofAnotherRun = [aKept()]
    const comment = open(
      before(gitHub, ({ route }) => {
        if (route.startsWith('POST')) comments.push(...ofAnotherRun.splice(0))
        if (route.startsWith('PATCH')) comments.length = 0
      }),
    )
    await comment.finish('one')
    expect(comments).toEqual([])
    await comment.finish('two')
    expect(textsOf(comments)).toEqual(['two'])
  })

  it('is updated even if the answer shows nothing', async () => {
    const { gitHub } = gitHubWith([])
    const { comment, advance } = opened({
      ...gitHub,
      request: async (asked, schema) => {
        const shown = await gitHub.request(asked, z.unknown())
        return schema.parse(asked.route.startsWith('PATCH') ? '' : shown)
      },
    })
    await comment.show(rendered('one'))
    await advance(20_000)
    await expect(comment.finish('two')).resolves.toBeUndefined()
  })

  it('is not deleted if no list shows it yet', async () => {
    const { gitHub, writes } = gitHubWith([])
    await open({ ...gitHub, pages: async function* () {} }).finish('new')
    expect(writes).toEqual(['create'])
  })

  it('is written at most every 15 seconds, also while a write is under way', async () => {
    const { gitHub, writes } = gitHubWith([])
    const begun = Promise.withResolvers<undefined>()
    const answered = Promise.withResolvers<undefined>()
    const held = before(gitHub, async () => {
      begun.resolve(undefined)
      await answered.promise
    })
    const { comment, advance } = opened(held)
    const first = comment.show(rendered('one'))
    await begun.promise
    const second = comment.show(rendered('two'))
    answered.resolve(undefined)
    await Promise.all([first, second])
    expect(writes).toEqual(['create'])
    await advance(15_000)
    expect(writes).toEqual(['create', 'update'])
  })

  it.each([403, 404])('is that of the job where GitHub does not tell who the token is (%i)', async (status) => {
    const { gitHub, comments } = gitHubWith([aKept(0, 'eve'), aKept(1)])
    const silent = before(gitHub, ({ route }) => {
      if (route === 'GET /user') throw new GitHubError('not a person', status)
      if (route === 'POST /graphql') throw new GitHubError('no GraphQL', 404)
    })
    await open(silent).finish('new')
    expect(textsOf(comments)).toEqual(['old', 'new'])
  })

  it.each([undefined, 500])('stays as it is while GitHub does not say whose it is (%s)', async (status) => {
    const { gitHub, writes, logins } = gitHubWith([aKept(1, 'eve')])
    const broken = before(gitHub, ({ route }) => {
      if (route === 'GET /user') throw new GitHubError('no answer', status)
    })
    await expect(open(broken).finish('new')).rejects.toThrow('no answer')
    expect([writes, logins]).toEqual([[], []])
  })

  it.each([undefined, 502])('is found after the response to its creation is lost (%s)', async (status) => {
    const { gitHub, comments, writes, lost } = gitHubWith([])
    lost.push({ acts: true, status })
    const comment = open(gitHub)
    await comment.show(rendered('one'))
    await comment.finish('two')
    expect(writes).toEqual(['create', 'update', 'update'])
    expect(textsOf(comments)).toEqual(['two'])
  })

  it('is created again if the first creation did not arrive, after a search', async () => {
    const { gitHub, comments, writes, lost } = gitHubWith([])
    lost.push({ acts: false, status: 502 }, { acts: true, status: 502 })
    const comment = open(gitHub)
    await expect(comment.show(rendered('one'))).rejects.toThrow(GitHubError)
    await comment.finish('two')
    expect(writes).toEqual(['create', 'update'])
    expect(textsOf(comments)).toEqual(['two'])
  })

  it('is not searched for again after a refusal', async () => {
    const { gitHub, writes, lost } = gitHubWith([])
    lost.push({ acts: false, status: 403 })
    await expect(open(gitHub).finish('one')).rejects.toThrow(GitHubError)
    expect(writes).toEqual([])
  })

  it('is not replaced after a run that started later has written it', async () => {
    const { gitHub, comments } = gitHubWith([])
    const older = opened(gitHub, 1_000).comment
    const newer = opened(gitHub, 2_000).comment
    await older.show(rendered('older begins'))
    await newer.show(rendered('newer begins'))
    expect(comments[0]?.body).toContain('newer begins')
    await newer.finish('newer is deployed')
    await older.finish('older was superseded')
    await opened(gitHub, 1_500).comment.finish('another one')
    expect(textsOf(comments)).toEqual(['newer is deployed'])
    await opened(gitHub, 3_000).comment.finish('torn down')
    expect(textsOf(comments)).toEqual(['torn down'])
  })

  it('is replaced if its start is in the future, because its clock was wrong', async () => {
    const { gitHub, comments } = gitHubWith([])
    await opened(gitHub, Date.UTC(2026, 0, 2)).comment.finish('from tomorrow')
    await opened(gitHub, 1_000).comment.finish('torn down')
    expect(textsOf(comments)).toEqual(['torn down'])
  })

  it('stays one when two runs create it at the same moment', async () => {
    const { gitHub, comments } = gitHubWith([])
    const both = [opened(gitHub, 1_000).comment, opened(gitHub, 2_000).comment]
    await Promise.all(both.map(async (comment, n) => await comment.show(rendered(`run ${n}`))))
    for (const comment of both) await comment.finish('deployed')
    expect(comments).toHaveLength(1)
    expect(comments[0]?.body).toContain('began:2000')
  })

  it('is one again where GitHub acted late on a request that was lost: the next text deletes the later one', async () => {
    const { gitHub, comments, writes } = gitHubWith([aKept(4), aKept(5), aKept(6)])
    await open(gitHub).finish('new')
    expect(writes).toEqual(['delete', 'delete', 'update'])
    expect(comments.map(({ id }) => id)).toEqual([4])
  })

  it('deletes none for the notes alone', async () => {
    const { gitHub, writes } = gitHubWith([aKept(4), aKept(5)])
    await open(gitHub).findNotes()
    expect(writes).toEqual([])
  })

  it('is not created with onlyIfThere', async () => {
    const { gitHub, writes } = gitHubWith([])
    await open(gitHub).finish('nothing', { onlyIfThere: true })
    expect(writes).toEqual([])
  })

  it('is cut with a note when it is too long, and its marker and code blocks survive', async () => {
    const { gitHub, comments } = gitHubWith([])
    await open(gitHub).finish(`\`\`\`\`text\n${'🦄'.repeat(40_000)}\n\`\`\`\``)
    const body = comments[0]?.body ?? ''
    expect(body.length).toBeLessThanOrEqual(MAX_COMMENT)
    expect(body.startsWith(OWN_MARKER)).toBe(true)
    expect(body).toMatch(/\n````\n\n… \(cut, as the comment would be too long\)$/)
    expect(body.isWellFormed()).toBe(true)
  })

  it('is cut inside a code block that holds a shorter fence', async () => {
    const { gitHub, comments } = gitHubWith([])
    await open(gitHub).finish(`\`\`\`\`\n\`\`\`\n${'a\n'.repeat(MAX_COMMENT / 2)}`)
    expect(comments[0]?.body).toMatch(/a\n````\n\n… \(cut/)
  })

  it('is not cut when it has just the limit', async () => {
    const { gitHub, comments } = gitHubWith([])
    const head = `${OWN_MARKER}<!-- began:1000 -->\n`
    await open(gitHub).finish('a'.repeat(MAX_COMMENT - head.length))
    expect(comments[0]?.body).toBe(head + 'a'.repeat(MAX_COMMENT - head.length))
  })

  it('never exceeds the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 65_000, max: 70_000 }),
        fc.constantFrom('a', '`', '\n```\n'),
        async (length, text) => {
          const { gitHub, comments } = gitHubWith([])
          await open(gitHub).finish(text.repeat(length / text.length))
          expect(comments[0]?.body.length).toBeLessThanOrEqual(MAX_COMMENT)
        },
      ),
      { numRuns: 20 },
    )
  })
})

describe('the hidden note of a comment', () => {
  const commentWith = (note: string): Kept[] => [aKept(1, BOT, `${markerOf('agent')}<!-- began:5 -->${note}\nold`)]
  const about = { issue: 7, deploymentName: 'agent', startedAt: 1_000, clock: fakeClock() }
  const head = `${markerOf('agent')}<!-- began:1000 -->`

  const [noted, added] = [aNote(), aNote({ attempt: 2 })]
  const hidden = (...notes: readonly Note[]) => `<!-- made:${writeNotes(notes)} -->`

  it('is kept by a run that notes nothing', async () => {
    const { gitHub, comments } = gitHubWith(commentWith('<!-- made:4/60/20 -->'))
    await new StickyComment(gitHub, about).finish('new')
    expect(comments[0]?.body).toBe(`${head}<!-- made:4/60/20 -->\nnew`)
  })

  it('is read and written with the text, without another request', async () => {
    const { gitHub, comments, writes } = gitHubWith(commentWith(hidden(noted)))
    const changeNotes = (notes: CommentNotes) => ({ ...notes, revisions: [...notes.revisions, added] })
    await new StickyComment(gitHub, { ...about, changeNotes }).finish('new')
    expect(comments[0]?.body).toBe(`${head}${hidden(noted, added)}\nnew`)
    expect(writes).toEqual(['update'])
  })

  it('is read alone, before the first text', async () => {
    const { gitHub, writes } = gitHubWith(commentWith(hidden(noted)))
    const read: unknown[] = []
    const changeNotes = (notes: CommentNotes) => (read.push(...notes.revisions), notes)
    await new StickyComment(gitHub, { ...about, changeNotes }).findNotes()
    expect([read, writes]).toEqual([[noted], []])
  })

  it('is there from the creation on, unless it is empty', async () => {
    const { gitHub, comments } = gitHubWith([])
    const changeNotes = () => ({ ...NO_NOTES, revisions: [noted] })
    await new StickyComment(gitHub, { ...about, changeNotes }).finish('new')
    await new StickyComment(gitHub, { ...about, deploymentName: 'other', changeNotes: () => NO_NOTES }).finish('new')
    const bodies = [`${head}${hidden(noted)}\nnew`, `${markerOf('other')}<!-- began:1000 -->\nnew`]
    expect(comments.map(({ body }) => body)).toEqual(bodies)
  })
})

const NOTE = '\n\n… (cut, as the comment would be too long)'
const MARKER = markerOf('agent')

const hostile = fc
  .array(fc.constantFrom('a', '`', '```', '</details>', '<details>', '|', '\\', '\n', '🦄', 'x'.repeat(200)), {
    minLength: 1,
    maxLength: 40,
  })
  .map((parts) => parts.join(''))
const leaf = fc.oneof(
  hostile.map((text) => codeBlock(text.repeat(20))),
  hostile.map((text) => codeSpan(text)),
  hostile.map((text) =>
    table(
      ['A', 'B'],
      Array.from({ length: 40 }, () => [codeCell(text), '1']),
    ),
  ),
)
const part = fc.oneof(
  leaf,
  fc.array(leaf, { minLength: 1, maxLength: 3 }).map((leaves) => details('Plan', paragraphs(...leaves))),
)
const long = fc.array(part, { minLength: 20, maxLength: 30 }).map((parts) => {
  const once = `${paragraphs(...parts)}\n\n`
  return once.repeat(Math.ceil(MAX_COMMENT / once.length))
})

/** What a text leaves open, read by the rules of CommonMark: a second reader than that of the code under test. */
function leftOpen(markdown: string): string[] {
  const open: string[] = []
  for (const line of markdown.split('\n')) {
    const fence = open.at(-1)?.startsWith('`') ? open.at(-1) : undefined
    if (fence !== undefined) {
      if (/^`+ *$/.test(line) && line.trimEnd().length >= fence.length) open.pop()
    } else if (/^```+[^`]*$/.test(line)) open.push(/^`+/.exec(line)?.[0] ?? '')
    else if (line === '<details>') open.push('details')
    else if (line === '</details>') open.pop()
  }
  return open
}

describe('a comment that is too long', () => {
  it('leaves no code block and no fold open, cuts no line, and says that it is cut', () => {
    fc.assert(
      fc.property(long, (markdown) => {
        const body = bodyOf(MARKER, markdown)
        expect(body.length).toBeLessThanOrEqual(MAX_COMMENT)
        expect(body.endsWith(NOTE)).toBe(true)
        expect(leftOpen(body)).toEqual([])
        const kept = body.slice(0, -NOTE.length).replace(/(\n`{3,})?(\n\n<\/details>)*$/, '')
        expect(`${MARKER}\n${markdown}`.slice(kept.length)).toMatch(/^\s*(\n|<\/details>)/)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['a fold', details('Plan', 'line\n'.repeat(20_000)), `\n\n</details>${NOTE}`],
    [
      'a code block in a fold',
      details('Plan', codeBlock('line\n'.repeat(20_000))),
      `\nline\n\`\`\`\n\n</details>${NOTE}`,
    ],
    [
      'a block with many backticks',
      codeBlock(`${'`'.repeat(12)}\n${'line\n'.repeat(20_000)}`),
      `\n${'`'.repeat(13)}${NOTE}`,
    ],
    [
      'the rows of a table',
      table(
        ['A'],
        Array.from({ length: 20_000 }, () => ['row']),
      ),
      `\n| row |${NOTE}`,
    ],
  ])('inside %s', (_where, markdown, end) => {
    const body = bodyOf(MARKER, markdown)
    expect(body.endsWith(end)).toBe(true)
    expect(body.length).toBeGreaterThan(MAX_COMMENT - 100)
  })

  it('has only its marker if the first line of a block has no room', () => {
    expect(bodyOf(MARKER, codeBlock('`'.repeat(40_000)))).toBe(MARKER + NOTE)
  })
})

const answering = AnsweringServer.forEachTest()

const aComment = (issueUrl: string, id = 1): object => ({
  id,
  body: `${OWN_MARKER}\nold`,
  user: { login: 'octocat' },
  issue_url: API + issueUrl,
})
const search = async (gitHub: GitHub) => (await findOwnComments(gitHub, 7, OWN_MARKER))[0]
const comment = async (gitHub: GitHub) => await readComment(gitHub, 7, 1)

describe('an answer of GitHub about something else', () => {
  it.each<[string, Question, unknown]>([
    ['comments on another pull request', search, [aComment('/repos/acme/agent/issues/77')]],
    ['comments of another repository', search, [aComment('/repos/acme/other/issues/7')]],
    ['another comment', comment, aComment('/repos/acme/agent/issues/7', 2)],
    ['a comment on another pull request', comment, aComment('/repos/acme/agent/issues/17')],
  ])('is requested again, and then an error: %s', async (_case, question, body) => {
    await answering.expectRefused(question, body)
  })

  it('is read past, to the right one', async () => {
    const [wrong, right] = ['/repos/acme/agent/issues/8', '/repos/Acme/agent/issues/7'].map((url) => [aComment(url)])
    expect(await answering.readPast(search, wrong, right)).toMatchObject({ id: 1 })
  })

  it('to the creation of a comment is looked up, and the other comment is left alone', async () => {
    const made: object[] = []
    answering.answer = ({ method, path }) => {
      if (method === 'GET') return path.includes('/issues/comments/') ? made[0] : made
      if (method === 'POST') made.push(aComment('/repos/acme/agent/issues/7', 5))
      return method === 'POST' ? aComment('/repos/acme/agent/issues/8', 4) : aComment('/repos/acme/agent/issues/7', 5)
    }
    await open(answering.connect()).finish('new')
    const writes = answering.asked
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`)
    expect(writes).toEqual(['POST /repos/acme/agent/issues/7/comments', 'PATCH /repos/acme/agent/issues/comments/5'])
  })

  it('to the update of a comment is an error', async () => {
    answering.answer = ({ method }) =>
      method === 'GET' ? [aComment('/repos/acme/agent/issues/7')] : aComment('/repos/acme/agent/issues/7', 2)
    await expect(open(answering.connect()).finish('new')).rejects.toThrow('is about another comment')
  })
})
