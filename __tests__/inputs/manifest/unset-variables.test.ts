import { afterAll, describe, expect, it } from '@jest/globals'
import { aWorkspace } from './workspace.ts'

const workspace = aWorkspace()
afterAll(workspace.end)

const SINCE = { inputs: { 'changed-since': 'deployed' } }
/** The second entry has all that it needs. */
const manifest = (lines: string): string => `version: 1
defaults: { source: external_container, image-uri: 'registry.example/agent:1' }
deployments:
  - name: web
${lines}
  - { name: mail, paths: [apps/mail] }
`
const GIT = 'source: git_host\n    integration-id: 7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11\n    image-uri: current'
const NOT_SET = (place: string): RegExp =>
  new RegExp(`^\\d+ deployments\\[0\\]\\.${place}\\S* .*names the variable X, which`)

describe('a variable without a value, with changed-since', () => {
  it.each([
    ['secrets.KEY', 'secrets: { KEY: "${X}" }'],
    ['variables.REGION', 'variables: { REGION: "eu-${X}" }'],
    ['resource-spec.labels.a', 'resource-spec: { labels: { a: "${X}" } }'],
  ])('is kept with an entry that is read whole: %s', async (input, line) => {
    const { request, problems } = await workspace.read(manifest(`    paths: [apps/web]\n    ${line}`), SINCE)
    expect(problems).toEqual([])
    expect(request?.changedSince?.entries.get('web')?.unset).toEqual([
      expect.objectContaining({
        input: expect.stringContaining(input.replace(/\..*/, '')),
        message: expect.stringContaining('names the variable X, which is not set'),
        place: { file: 'fleet.yml', line: 6 },
      }),
    ])
    expect(request?.changedSince?.entries.get('mail')?.unset).toEqual([])
  })

  it.each([
    ['its entry has no paths', 'secrets', '    secrets: { KEY: "${X}" }'],
    [
      'it is in the path of a file',
      'app-config-path',
      `    paths: [apps/web]\n    app-config-path: \${X}/agent.json\n    ${GIT}`,
    ],
    ['its entry is not read without it', 'timeout', '    paths: [apps/web]\n    timeout: ${X}m'],
  ])('is a problem at once if %s', async (_why, place, lines) => {
    const { lines: problems } = await workspace.read(manifest(lines), SINCE)
    expect(problems).toEqual([expect.stringMatching(NOT_SET(place))])
  })

  it('is a problem at once without changed-since', async () => {
    const { lines } = await workspace.read(manifest('    paths: [apps/web]\n    secrets: { KEY: "${X}" }'))
    expect(lines).toEqual([expect.stringMatching(NOT_SET('secrets'))])
  })

  it('is no problem of an entry that only does not name', async () => {
    const { problems } = await workspace.read(manifest('    secrets: { KEY: "${X}" }'), {
      inputs: { ...SINCE.inputs, only: 'mail' },
    })
    expect(problems).toEqual([])
  })
})
