import type { InputValue } from '../../demo/runner.ts'
import type { CreateDeployment } from '../../sandbox/schemas.ts'

export const API_KEY = 'sandbox-key'
export const SECRET = 'correct-horse-battery'
export const INTEGRATION_ID = '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11'

/** What a workflow gives to create a git_host deployment on a push to main. */
export const CREATE: Record<string, InputValue> = {
  name: 'hello-agent',
  source: 'git_host',
  'integration-id': INTEGRATION_ID,
  'app-config-path': 'agent.json',
  secrets: `MODEL_KEY=${SECRET}`,
}

/** Deployments for the seed of a sandbox: of a template, of an image and of a repository. */
export const ofTemplate = (name: string): CreateDeployment => ({
  ...{ name, source: 'internal_template', source_config: {}, source_revision_config: {}, secrets: [] },
})
export const ofImage = (name: string, image_uri = 'registry.example/other:1'): CreateDeployment => ({
  ...{ name, source: 'external_container', source_config: {}, source_revision_config: { image_uri }, secrets: [] },
})
export const ofRepository = (name: string, repository: string): CreateDeployment => ({
  ...{ name, source: 'git_host', secrets: [] },
  source_config: { repo_url: `https://github.com/${repository}`, integration_id: INTEGRATION_ID },
  source_revision_config: { repo_ref: 'main', app_config_path: 'x.json' },
})
