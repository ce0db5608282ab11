import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import type { InputValue } from '../../demo/runner.ts'
import { BEFORE, ID, json, list, REVISION, rollOut } from './hostile-server.ts'
import { aGitHub, API_KEY, everythingSaid, noticesOf, serve, warningsOf } from './stage.ts'

const SECRET = 'CORRECT_HORSE_BATTERY_9'
const HEX_SECRET = 'deadbeefcafe0123456789'
const PASSWORD = 'a-password-of-the-server'
const LEAKS = new RegExp([SECRET, HEX_SECRET, API_KEY, PASSWORD, 'orrect(%5f|%255f|\\+)horse'].join('|'), 'i')

interface Reported {
  source?: string
  url?: string
  name?: string
  /** Of the polls; DEPLOYED after the last one. */
  statuses?: string[]
  commit?: string
  revisionId?: string
  before?: string
}

/** A rollout for pull request 7 against a control plane that reports these values. */
async function rollOutOn(reported: Reported, inputs: Record<string, InputValue> = {}) {
  const {
    source = 'internal_template',
    url: customUrl = null,
    name = 'agent',
    statuses = [],
    commit,
    revisionId = REVISION,
    before = BEFORE.latest_revision_id,
  } = reported
  const left = [...statuses]
  let isDone = false
  let written = false
  const url = await serve((request, response) => {
    const at = request.url ?? ''
    const deployment = {
      id: ID,
      name,
      source,
      source_config: { custom_url: customUrl },
      source_revision_config: { repo_commit_sha: commit },
      latest_revision_id: written ? revisionId : before,
      active_revision_id: isDone ? revisionId : before,
    }
    if (at.startsWith('/v2/deployments?')) json(response, list(deployment))
    else if (!at.includes('/revisions')) json(response, deployment)
    else {
      written = true
      const status = left.shift() ?? 'DEPLOYED'
      isDone = status === 'DEPLOYED'
      json(response, { id: revisionId, status, source_revision_config: { repo_commit_sha: commit } })
    }
  })
  const gitHub = await aGitHub()
  gitHub.seedPullRequest(7)
  const secrets = `KEY=${SECRET}\nOTHER=${HEX_SECRET}`
  const run = await rollOut(
    url,
    { secrets, timeout: '15s', 'pull-request': 7, 'github-token': gitHub.token, ...inputs },
    { env: { GITHUB_API_URL: gitHub.url } },
  )
  const comments = JSON.stringify(gitHub.comments(7))
  const record = readFileSync(run.outputs['record-path'] ?? '', 'utf8')
  const onGitHub = comments + JSON.stringify(gitHub.deployments())
  return { run, comments, everywhere: `${everythingSaid(run)}\n${record}\n${onGitHub}` }
}

describe('a secret that the control plane echoes in a typed field', () => {
  it('reaches neither the comment nor the GitHub Deployment', async () => {
    const ids = { revisionId: HEX_SECRET, before: SECRET }
    const reported = { ...ids, url: `https://agent.example/${SECRET}`, commit: HEX_SECRET, statuses: [SECRET, SECRET] }
    const { run, everywhere, comments } = await rollOutOn(reported, { comment: true, environment: 'production' })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(comments).toContain('agent is deployed')
    expect(everywhere).toContain('"environment":"production"')
    expect(everywhere).not.toMatch(LEAKS)
  })

  it('is neither requested nor shown when the address is to be verified', async () => {
    const asked: string[] = []
    const agent = await serve((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(500).end()
    })
    const url = `${agent}/?k=Correct%5FHorse%5FBattery%5F9`
    const verification = { 'verify-url': '{url}', 'verify-timeout': '2s', rollback: 'on-failure', 'repo-ref': 'main' }
    const shows = { comment: true, environment: 'production' }
    const { run, everywhere } = await rollOutOn({ source: 'git_host', url }, { ...verification, ...shows })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(run.summary).toContain('The address that the control plane reports contains a secret')
    expect(everywhere).not.toMatch(LEAKS)
    expect(everywhere).not.toContain('Rolling back')
    expect(asked).toEqual([])
  })

  it('leaves by no door, in the name of a deployment that the step names by its id', async () => {
    const { run, everywhere } = await rollOutOn({ name: SECRET }, { name: '', 'deployment-id': ID })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', 'deployment-id': ID })
    expect(run.outputs['deployment-name']).toBeUndefined()
    expect(everywhere).not.toMatch(LEAKS)
    expect(warningsOf(run).join('\n')).toContain('value of deployment-name: it contains')
  })
})

describe('a typed value without the form of its field', () => {
  it('is dropped and named, and ends nothing', async () => {
    const { run, everywhere } = await rollOutOn({
      url: `https://user:${PASSWORD}@agent.example`,
      statuses: ['BUILDING', 'DEPLOYED ', `failed with ${PASSWORD}`],
      commit: `main ${PASSWORD}`,
    })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', status: 'DEPLOYED', 'revision-id': REVISION })
    expect(run.outputs['url']).toBeUndefined()
    expect(run.outputs['commit-sha']).toBeUndefined()
    expect(run.outputs['timeline']).toContain('"status":"UNKNOWN","phase":"unknown"')
    expect(everywhere).not.toMatch(LEAKS)
    const notices = noticesOf(run)
    for (const field of ['url', 'status', 'commit-sha'])
      expect(notices.join('\n')).toContain(`value of ${field}: it does not have the form`)
  })
})
