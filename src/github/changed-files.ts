import { z } from 'zod'
import { FORMS } from '../control-plane/model.ts'
import type { GitHub } from './client.ts'
import { GitHubError } from './errors.ts'
import { equalIgnoringCase } from './pulls.ts'
import { comparison, isComparisonOf } from './read.ts'

/** The files that have changed from one commit to another. */
export type FilesSince =
  /** All of their paths. A renamed file has both. */
  | { kind: 'known'; paths: readonly string[] }
  /** GitHub compares from the merge base, so that its files are not those between the two. */
  | { kind: 'other-history'; status: string }
  /** GitHub may list only some of them. */
  | { kind: 'too-many' }

/** GitHub lists no more files of a comparison, on whatever page, and does not say whether there are. */
const MOST_FILES = 300

const file = z.union([
  z.object({ status: z.literal('renamed'), filename: z.string(), previous_filename: z.string() }),
  z.object({
    status: z.string().regex(/^(?!renamed$)/),
    filename: z.string(),
    previous_filename: z.string().nullish(),
  }),
])
const withFiles = comparison.extend({ files: z.array(file).optional() })
const ofUnknownStatus = z.object({ status: z.string().regex(/^(?!(?:ahead|behind|identical|diverged)$)/) })
const answered = z.union([withFiles, ofUnknownStatus])

/** Throws GitHubError, with status 404 if GitHub does not know one of the commits. */
export async function readFilesSince(
  gitHub: GitHub,
  base: string,
  head: string,
  withinMs: number,
): Promise<FilesSince> {
  const request = {
    route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
    // The files are on the first page, whatever its size.
    parameters: { basehead: `${base}...${head}`, per_page: 1 },
    attempted: `compare the files of ${base} and ${head}`,
    permission: 'contents: read',
    withinMs,
  } as const
  const ours = answered.refine(
    (found) => !('base_commit' in found) || isComparisonOf(found, base, head),
    'is about other commits',
  )
  return filesIn(await gitHub.request(request, ours), request.attempted)
}

function filesIn(compared: z.infer<typeof answered>, attempted: string): FilesSince {
  const { status } = compared
  if (status === 'identical') return { kind: 'known', paths: [] }
  if (status !== 'ahead' || !('merge_base_commit' in compared)) return { kind: 'other-history', status }
  const { files } = compared
  if (files === undefined) throw new GitHubError(`could not ${attempted}: GitHub's response has no files.`, undefined)
  if (files.length >= MOST_FILES) return { kind: 'too-many' }
  const paths = files.flatMap(({ filename, previous_filename: before }) => (before ? [filename, before] : [filename]))
  return { kind: 'known', paths }
}

const content = z.object({
  type: z.literal('file'),
  path: z.string(),
  encoding: z.literal('base64'),
  content: z.string(),
})

/** Reads a file of the repository, of at most 1 MB. Throws GitHubError, with status 404 if there is none. */
export async function readFileAt(gitHub: GitHub, commit: string, path: string, withinMs: number): Promise<string> {
  const request = {
    route: 'GET /repos/{owner}/{repo}/contents/{path}',
    parameters: { path, ref: commit },
    attempted: `read ${path} at ${commit}`,
    permission: 'contents: read',
    withinMs,
  } as const
  const ours = content.refine((found) => found.path === path, 'is about another file')
  return Buffer.from((await gitHub.request(request, ours)).content, 'base64').toString('utf8')
}

const named = z.object({ sha: z.string().regex(FORMS.fullCommit) })

/** Resolves a branch, a tag or the start of a commit. Throws GitHubError, with status 404 or 422 if GitHub knows none. */
export async function resolveCommit(gitHub: GitHub, ref: string, withinMs: number): Promise<string> {
  const request = {
    route: 'GET /repos/{owner}/{repo}/commits/{ref}',
    parameters: { ref, per_page: 1 },
    attempted: `read the commit of ${ref}`,
    permission: 'contents: read',
    withinMs,
  } as const
  const ours = named.refine(
    ({ sha }) => !FORMS.fullCommit.test(ref) || equalIgnoringCase(sha, ref),
    'is about another commit',
  )
  return (await gitHub.request(request, ours)).sha.toLowerCase()
}
