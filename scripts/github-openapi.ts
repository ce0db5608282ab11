import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { extract } from 'tar'
import { z } from 'zod'
import { sliceDescription } from './github-openapi/slice.ts'

/**
 * `npm run github-openapi`: writes the part of GitHub's description of its REST API that the tests need. Add a new route of
 * src/github/ to ROUTES; set SOURCE to a newer description. Downloads about 40 MB from the npm registry.
 */

const SOURCE = '@octokit/openapi@23.0.2'
const TARGET = new URL('../__tests__/github-api/descriptions/', import.meta.url)
/** Both products: github.com, and the Enterprise Server that the tests emulate. */
const FILES = ['api.github.com.json', 'ghes-3.19.json']

const REPO = '/repos/{owner}/{repo}'
const ROUTES = {
  '/user': ['get'],
  [`${REPO}/actions/runs/{run_id}`]: ['get'],
  [`${REPO}/commits/{ref}`]: ['get'],
  [`${REPO}/compare/{basehead}`]: ['get'],
  [`${REPO}/contents/{path}`]: ['get'],
  [`${REPO}/deployments`]: ['get', 'post'],
  // The fake GitHub of the tests does not implement it, and must refuse it.
  [`${REPO}/deployments/{deployment_id}`]: ['get', 'delete'],
  [`${REPO}/deployments/{deployment_id}/statuses`]: ['get', 'post'],
  [`${REPO}/git/ref/{ref}`]: ['get'],
  [`${REPO}/git/tags/{tag_sha}`]: ['get'],
  [`${REPO}/issues/comments/{comment_id}`]: ['get', 'patch', 'delete'],
  [`${REPO}/issues/{issue_number}/comments`]: ['get', 'post'],
  [`${REPO}/pulls/{pull_number}`]: ['get'],
  [`${REPO}/pulls/{pull_number}/files`]: ['get'],
}

const packed = z.tuple([z.object({ filename: z.string() })])

const folder = mkdtempSync(path.join(tmpdir(), 'github-openapi-'))
try {
  const output = execFileSync('npm', ['pack', '--json', SOURCE], { cwd: folder, encoding: 'utf8' })
  const [{ filename }] = packed.parse(JSON.parse(output))
  const wanted = FILES.map((name) => `package/generated/${name}`)
  await extract({ file: path.join(folder, filename), cwd: folder }, wanted)
  for (const [index, name] of FILES.entries()) {
    const whole: unknown = JSON.parse(readFileSync(path.join(folder, wanted[index] ?? ''), 'utf8'))
    const slice = { 'x-source': `${SOURCE} (MIT)`, ...sliceDescription(whole, ROUTES) }
    writeFileSync(new URL(name, TARGET), `${JSON.stringify(slice, null, 1)}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
