import { describe, expect, it } from '@jest/globals'
import { FIELDS, SETTINGS, wireName } from '../../src/control-plane/settings.ts'
import { BEFORE, type Given as Inputs, rollOut } from './hostile-server.ts'
import {
  CONFIG,
  expectHarmless,
  HOSTILE,
  MADE,
  pathsIn,
  reporting,
  SECRET,
  type Shown,
  withTextAt,
} from './hostile-texts.ts'
import { aGitHub } from './stage.ts'

/** Every text of the settings, one after another, holds a secret, a command and Markdown; the step wants other ones. */

const SOME_ID = '66666666-6666-4666-8666-666666666666'
const COMMON = { ...BEFORE, status: 'READY', url: 'https://agent.example', secrets: [{ name: 'KEY', value: SECRET }] }

interface Sample {
  deployment: Shown
  revision: Shown
  inputs: Inputs
  /** Inputs that are planned only: this control plane carries out no PATCH. */
  patched: Inputs
}

const SAMPLES: Record<string, Sample> = {
  git_host: {
    deployment: {
      ...{ ...COMMON, source: 'git_host' },
      source_config: {
        ...{ integration_id: SOME_ID, repo_url: 'https://github.com/octo-org/hello-agent', repo_branch: 'main' },
        ...{ deployment_type: 'dev', install_command: 'npm ci', build_command: 'npm run build', template_id: 'one' },
      },
      source_revision_config: { repo_ref: 'main', repo_commit_sha: 'c'.repeat(40), app_config_path: 'agent.json' },
    },
    revision: {
      ...{ ...MADE, source: 'git_host' },
      source_revision_config: { repo_ref: 'v2', app_config_path: 'other.json' },
    },
    inputs: { 'repo-ref': 'v2', 'app-config-path': 'other.json' },
    patched: { 'install-command': 'yarn', 'build-command': 'make' },
  },
  external_container: {
    deployment: {
      ...{ ...COMMON, source: 'external_container' },
      source_config: {
        ...{ listener_id: SOME_ID, listener_config: { cluster_namespace: 'agents' } },
        ...{ custom_url: 'https://agent.example', resource_spec: { env: [{ name: 'LEVEL', value: 'info' }] } },
      },
      source_revision_config: CONFIG,
      secret_references: [{ name: 'TOKEN', secret_name: 'store', secret_key: 'token' }],
    },
    revision: {
      ...{ ...MADE, source: 'external_container' },
      source_revision_config: { image_uri: 'registry.example/agent:2' },
    },
    inputs: { 'image-uri': 'registry.example/agent:2', 'secret-references': 'TOKEN=store/other' },
    patched: { 'custom-url': 'https://other.example' },
  },
  internal_source: {
    deployment: {
      ...{ ...COMMON, source: 'internal_source' },
      source_revision_config: { app_config_path: 'agent.json', source_tarball_path: 'uploads/1' },
    },
    revision: { ...MADE, source: 'internal_source', source_revision_config: { source_tarball_path: 'uploads/2' } },
    // Of another source: the message about that quotes the deployment.
    inputs: { source: 'git_host' },
    patched: {},
  },
}

function sampleOf(source: string): Sample {
  const sample = SAMPLES[source]
  if (sample === undefined) throw new Error(`no sample of ${source}`)
  return sample
}

/** Those that find the deployment, and the secret. */
const STAY = ['id', 'name', 'secrets.0.value']
const placesIn = (value: object): string[][] => pathsIn(value).filter((path) => !STAY.includes(path.join('.')))

const CASES = Object.entries(SAMPLES).flatMap(([source, { deployment, revision }]) => [
  ...placesIn(deployment).map((path) => [source, 'deployment', path.join('.'), path] as const),
  ...placesIn(revision).map((path) => [source, 'revision', path.join('.'), path] as const),
])

it('every setting that is a text has its case', () => {
  const texts = FIELDS.filter((field) => SETTINGS[field].type !== 'flag').map(wireName)
  const used = new Set(CASES.flatMap(([, , , path]) => path))
  expect(texts.filter((name) => !used.has(name))).toEqual([])
})

async function rollOutOn(url: string, { inputs, patched }: Sample, dryRun: boolean) {
  const gitHub = await aGitHub()
  gitHub.seedPullRequest(7)
  const github = { 'github-token': gitHub.token, 'pull-request': 7, comment: true, confirm: 'agent' }
  const around = { env: { GITHUB_API_URL: gitHub.url }, event: { name: 'pull_request' } }
  const run = await rollOut(url, { ...inputs, ...(dryRun && patched), ...github, 'dry-run': dryRun }, around)
  return { run, comments: gitHub.comments(7).map(({ body }) => body) }
}

it.each(['git_host', 'external_container'])('without such a text, %s is planned and rolled out', async (source) => {
  const sample = sampleOf(source)
  const url = await reporting(sample.deployment, sample.revision)
  const planned = await rollOutOn(url, sample, true)
  expect(planned.run.outputs['outcome']).toBe('planned')
  for (const input of Object.keys({ ...sample.inputs, ...sample.patched }))
    expect(planned.run.summary).toContain(`\`${input}\``)
  const failed = await rollOutOn(url, sample, false)
  expect(failed.run.outputs['status']).toBe('BUILD_FAILED')
})

describe('no text of a setting gives a secret away, or commands the runner', () => {
  it.each(CASES)('of %s, of a %s: %s', async (source, of, _name, path) => {
    const sample = sampleOf(source)
    const { deployment, revision } = sample
    for (const text of [HOSTILE, `main-${SECRET}`]) {
      const url = await reporting(
        of === 'deployment' ? withTextAt(deployment, path, text) : deployment,
        of === 'revision' ? withTextAt(revision, path, text) : revision,
      )
      for (const dryRun of text === HOSTILE ? [true, false] : [true]) {
        const { run, comments } = await rollOutOn(url, sample, dryRun)
        expect(comments).toHaveLength(1)
        expectHarmless(run, comments)
      }
    }
  })
})
