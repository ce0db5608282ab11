import { z } from 'zod'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts'

export const INTEGRATION = '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11'
export const LISTENER = '3f2b8c1e-94d7-4c55-8a0e-6d1f0b7a2c43'
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
export const KEY = { 'x-api-key': 'sandbox-key' }
/** After that a revision has ended. */
export const LONG_ENOUGH_MS = 60_000

/** A sandbox whose clock does not move by itself. */
export interface Visit {
  sandbox: Sandbox
  call: (method: string, path: string, body?: unknown) => Promise<Answer>
  create: (body: object) => Promise<Created>
  pass: (ms: number) => void
}

/** A deployment, with its path and its first revision. */
export interface Created {
  path: string
  id: string
  first: string
}

export interface Answer {
  status: number
  body: Record<string, unknown>
}

const open: Sandbox[] = []

export async function visit(options: SandboxOptions = {}): Promise<Visit> {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const sandbox = await startSandbox({ now: () => now, ...options })
  open.push(sandbox)
  const call: Visit['call'] = async (method, path, body) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return await ask(sandbox.url + path, { method, headers: KEY, ...(body === undefined ? {} : { body: text }) })
  }
  return {
    sandbox,
    call,
    create: async (body) => {
      const { body: made } = await call('POST', '/v2/deployments', body)
      const { id, latest_revision_id: first } = createdSchema.parse(made)
      return { path: `/v2/deployments/${id}`, id, first }
    },
    pass: (ms) => {
      now += ms
    },
  }
}

/** A sandbox with one deployment, which was created a moment ago. */
export async function visitOne(body: object, options: SandboxOptions = {}): Promise<Visit & Created> {
  const there = await visit(options)
  return { ...there, ...(await there.create(body)) }
}

const createdSchema = z.object({ id: z.string(), latest_revision_id: z.string() })
const bodySchema = z.record(z.string(), z.unknown())

export async function ask(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  const value: unknown = text === '' ? {} : JSON.parse(text)
  // Of a list, only its items.
  return { status: response.status, body: bodySchema.parse(Array.isArray(value) ? { items: value } : value) }
}

export async function leave(): Promise<void> {
  await Promise.all(open.splice(0).map(async (sandbox) => await sandbox.close()))
}

export const aGitDeployment = {
  name: 'agent',
  source: 'git_host',
  source_config: { integration_id: INTEGRATION, repo_url: 'https://git.example/a/b' },
  source_revision_config: { repo_ref: 'main', app_config_path: 'app.json' },
  secrets: [{ name: 'KEY', value: 'hunter2' }],
} as const

export const aContainer = {
  name: 'box',
  source: 'external_container',
  source_config: {},
  source_revision_config: { image_uri: 'a/b:1' },
  secrets: [],
} as const

export const anUpload = {
  name: 'uploaded',
  source: 'internal_source',
  source_config: {},
  source_revision_config: { app_config_path: 'app.json' },
  secrets: [],
} as const
