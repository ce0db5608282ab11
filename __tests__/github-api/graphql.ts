import { buildSchema, execute, OverlappingFieldsCanBeMergedRule, parse, specifiedRules, validate } from 'graphql'
import { z } from 'zod'
import type { Answer } from './deployments.ts'

/**
 * The part of GitHub's GraphQL schema that the action asks for. This repository holds GitHub's description of its REST
 * API only, so these lines are copied from the documentation (https://docs.github.com/en/graphql/reference): names,
 * arguments and which fields may be null. What errors look like is from there and from answers that others have
 * reported; no answer of GitHub itself was recorded for it.
 */
const SCHEMA = buildSchema(`
  type Query {
    viewer: User!
    repository(owner: String!, name: String!, followRenames: Boolean = true): Repository
  }
  interface Actor { login: String! }
  type User implements Actor { login: String! }
  type Bot implements Actor { login: String! }
  type Repository { nameWithOwner: String!, pullRequest(number: Int!): PullRequest }
  enum PullRequestState { CLOSED MERGED OPEN }
  type PullRequest {
    number: Int!
    state: PullRequestState!
    labels(first: Int, last: Int): LabelConnection
    comments(first: Int, last: Int): IssueCommentConnection!
  }
  type PageInfo { hasNextPage: Boolean! }
  type Label { name: String! }
  type LabelConnection { nodes: [Label], pageInfo: PageInfo!, totalCount: Int! }
  type IssueComment { author: Actor, viewerDidAuthor: Boolean! }
  type IssueCommentConnection { nodes: [IssueComment], pageInfo: PageInfo!, totalCount: Int! }
`)

/** One rule compares each field with each other one, which takes a second for a hundred. */
const RULES = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule)

const asked = z.strictObject({ query: z.string(), variables: z.record(z.string(), z.unknown()).default({}) })

/** As GitHub's documentation says: every connection has `first` or `last`, from 1 to 100, and all nodes a limit. */
const LARGEST_PAGE = 100
const MAX_NODES = 500_000

/** What is wrong with a query that was asked before. */
const checked = new Map<string, readonly string[]>()

/** What the schema and GitHub's limits would not let pass, as sentences. */
export function checkQuestion(body: unknown): string[] {
  const question = asked.safeParse(body)
  if (!question.success) return ['the body of a question has a query and variables']
  const { query } = question.data
  const wrong = checked.get(query) ?? checkQuery(query)
  checked.set(query, wrong)
  return [...wrong]
}

function checkQuery(query: string): string[] {
  try {
    const pages = [...query.matchAll(/\b(?:labels|comments)\b(?:\((?:first|last): (\d+)\))?/g)].map(([, size]) => size)
    const isPaged = pages.every((size) => Number(size) >= 1 && Number(size) <= LARGEST_PAGE)
    const nodes = pages.reduce((sum, size) => sum + Number(size), 0)
    const limits = isPaged && nodes <= MAX_NODES ? [] : ['every connection needs first or last, from 1 to 100']
    const text = /["']/.test(query) ? ['a text in the query: it must be a variable'] : []
    return [...validate(SCHEMA, parse(query), RULES).map(({ message }) => message), ...limits, ...text]
  } catch (thrown) {
    return [String(thrown)]
  }
}

/** A repository, as far as a question can be about it. `undefined`: it has no such pull request. */
export interface AskedRepository {
  repository: string
  login: string
  pullRequest: (number: number) => Promise<AskedPullRequest | undefined>
  comments: (number: number) => Promise<{ author: string }[]>
}

export interface AskedPullRequest {
  state: 'open' | 'closed'
  merged: boolean
  labels: readonly string[]
}

/** Answers a question as GitHub does: with HTTP 200, also beside errors. */
export async function answerQuestion(body: unknown, world: AskedRepository): Promise<Answer> {
  const { query, variables } = asked.parse(body)
  const rootValue = {
    viewer: { login: world.login },
    repository: ({ owner, name }: { owner: string; name: string }) => {
      if (`${owner}/${name}`.toLowerCase() !== world.repository.toLowerCase()) throw notFound('Repository', name)
      return { nameWithOwner: world.repository, pullRequest: pullRequestOf(world) }
    },
  }
  const wrong = checkQuestion(body)
  if (wrong.length > 0) return { status: 200, body: { errors: wrong.map((message) => ({ message })) } }
  const document = parse(query)
  const { data, errors } = await execute({ schema: SCHEMA, document, variableValues: variables, rootValue })
  if (errors === undefined) return { status: 200, body: { data } }
  const shown = errors.map(({ message, path, originalError }) => ({
    ...(originalError instanceof NotFound ? { type: 'NOT_FOUND' } : {}),
    message,
    ...(path === undefined ? {} : { path }),
  }))
  return { status: 200, body: data === undefined ? { errors: shown } : { data, errors: shown } }
}

class NotFound extends Error {}

function notFound(type: string, wanted: string): NotFound {
  return new NotFound(
    `Could not resolve to a ${type} with ${type === 'Repository' ? 'the name' : 'the number'} of ${wanted}.`,
  )
}

function pullRequestOf({ pullRequest, comments, login }: AskedRepository) {
  return async ({ number }: { number: number }) => {
    const found = await pullRequest(number)
    if (found === undefined) throw notFound('PullRequest', String(number))
    return {
      number,
      state: found.state === 'open' ? 'OPEN' : found.merged ? 'MERGED' : 'CLOSED',
      labels: ({ first }: { first: number }) =>
        connection(
          found.labels.map((name) => ({ name })),
          first,
        ),
      comments: async ({ first }: { first: number }) => {
        const nodes = (await comments(number)).map(({ author }) => ({
          viewerDidAuthor: author === login,
          // A bot's login lacks its end here.
          author: { __typename: author.endsWith('[bot]') ? 'Bot' : 'User', login: author.replace(/\[bot\]$/, '') },
        }))
        return connection(nodes, first)
      },
    }
  }
}

function connection<T>(all: readonly T[], first: number) {
  return { nodes: all.slice(0, first), totalCount: all.length, pageInfo: { hasNextPage: all.length > first } }
}
