import type { InputValue } from '../../demo/runner.ts'

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
