import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import type { z } from 'zod'
import {
  createBody,
  misplacedField,
  updateBody,
  uploadBody,
  type CreateBody,
  type PublicSource,
  type RevisionConfig,
  type SourceConfig,
  type UpdateBody,
} from './service-schemas.ts'

/** What differs from one run of the service to another. */
export interface ServiceOptions {
  /** Starts a server. Returns its address. */
  serve: (listener: RequestListener) => Promise<string>
  /** Milliseconds since the epoch. */
  now: () => number
  /** Without it, the address of an upload requires its header all the same, and no response says so. */
  givesUploadHeaders?: boolean
  /** Revisions of a deployment that never leave QUEUED. */
  isStuck?: boolean
  /** Ids of the listeners of the workspace. */
  listeners?: string[]
}

export interface Received {
  method: string
  path: string
  body: unknown
  headers: IncomingHttpHeaders
}

interface StoredRevision {
  id: string
  config: RevisionConfig
  createdAt: number
  /** A redeploy has that of the earlier revision. */
  build: number
}

interface StoredDeployment {
  id: string
  name: string
  source: PublicSource
  config: SourceConfig
  secrets: { name: string; value: string }[]
  revisions: StoredRevision[]
  /** When it becomes unreadable, in milliseconds since the epoch. */
  goneAt: number
}

class Refusal extends Error {
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.status = status
  }
}

const STATUSES = ['CREATING', 'QUEUED', 'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING', 'DEPLOYED']
/** Milliseconds that a revision stays in each status, and that a deletion takes. */
const STEP_MS = 30
const DELETION_MS = 300
export const INTEGRATION_ID = '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11'
export const SIGNED_RANGE = '0,209715200'

/**
 * A stand-in for LangSmith Deployment in the cloud: its names, its rules for bodies, and all of its known habits at
 * once. It refuses everything else, and lists what it has refused.
 */
export async function startService({ serve, now, ...options }: ServiceOptions) {
  const { givesUploadHeaders = true, isStuck = false, listeners = [] } = options
  const requests: Received[] = []
  const refused: string[] = []
  const deployments: StoredDeployment[] = []
  const tracingProjects = new Set<string>()
  const uploads = new Map<string, boolean>()

  const statusOf = ({ createdAt }: StoredRevision): string => {
    const index = Math.floor((now() - createdAt) / STEP_MS)
    return STATUSES[Math.min(index, isStuck ? 1 : STATUSES.length - 1)] ?? ''
  }
  const commitOf = ({ build }: StoredRevision): string => build.toString(16).padStart(40, 'a')
  const builtConfig = ({ source }: StoredDeployment, revision: StoredRevision): object => {
    if (source !== 'github') return revision.config
    // B6: it shows what was built, and of a branch the commit.
    const isTag = revision.config.repo_ref?.startsWith('refs/tags/') === true
    return {
      ...revision.config,
      ...(!isTag && { repo_ref: commitOf(revision) }),
      repo_commit_sha: commitOf(revision),
      image_uri: `registry.internal/agent:${revision.build}`,
    }
  }
  const showRevision = (deployment: StoredDeployment, revision: StoredRevision): object => ({
    id: revision.id,
    status: statusOf(revision),
    status_message: '',
    source: deployment.source,
    created_at: new Date(revision.createdAt).toISOString(),
    updated_at: new Date(revision.createdAt).toISOString(),
    source_revision_config: builtConfig(deployment, revision),
  })
  const showDeployment = (deployment: StoredDeployment): object => {
    const { id, name, source, config, secrets, revisions } = deployment
    const latest = revisions.at(-1)
    // B11: these are not returned.
    const unreported = { listener_config: undefined, install_command: undefined, build_command: undefined }
    const branch = source === 'github' ? { repo_branch: latest?.config.repo_ref ?? null } : {}
    return {
      id,
      name,
      tenant_id: INTEGRATION_ID,
      source,
      source_config: { ...config, ...unreported, custom_url: config.custom_url ?? null, ...branch },
      source_revision_config: latest === undefined ? {} : builtConfig(deployment, latest),
      secrets,
      status: deployment.goneAt < Infinity ? 'AWAITING_DELETE' : 'READY',
      latest_revision_id: latest?.id ?? null,
      active_revision_id: revisions.findLast((one) => statusOf(one) === 'DEPLOYED')?.id ?? null,
      // B16
      url: source === 'external_docker' ? null : `https://${name}-${id.slice(0, 8)}.example`,
      created_at: new Date(0).toISOString(),
      updated_at: new Date(0).toISOString(),
    }
  }
  const existing = (): StoredDeployment[] => deployments.filter(({ goneAt }) => now() < goneAt)
  const find = (id: string): StoredDeployment => {
    const found = existing().find((one) => one.id === id)
    if (found === undefined) throw new Refusal(404, `Deployment ID ${id} not found.`)
    return found
  }
  const findRevision = (deployment: StoredDeployment, id: string): StoredRevision => {
    const found = deployment.revisions.find((one) => one.id === id)
    if (found === undefined) throw new Refusal(404, `Revision ID ${id} not found.`)
    return found
  }
  const revise = (
    { revisions }: StoredDeployment,
    config: RevisionConfig,
    build = revisions.length + 1,
  ): StoredRevision => {
    const revision = { id: randomUUID(), config, createdAt: now(), build }
    revisions.push(revision)
    return revision
  }

  const create = (body: CreateBody): object => {
    const { name, source, source_config: config, source_revision_config: revision } = body
    const wrong = misplacedField(source, { ...config, ...revision }, true)
    if (wrong !== undefined) throw new Refusal(400, wrong)
    if (source === 'external_docker' && listeners.length > 0 && !listeners.includes(config.listener_id ?? '')) {
      const ids = `['${listeners.join("', '")}']`
      throw new Refusal(
        400,
        `'source_config.listener_id' is required for workspace with available listener IDs: ${ids}`,
      )
    }
    if (tracingProjects.has(name)) throw new Refusal(409, `Tracing project '${name}' already exists`)
    tracingProjects.add(name)
    const deployment = {
      id: randomUUID(),
      name,
      source,
      config,
      secrets: body.secrets,
      revisions: [],
      goneAt: Infinity,
    }
    deployments.push(deployment)
    // B4
    if (source !== 'internal_docker' && source !== 'internal_source') revise(deployment, revision)
    return showDeployment(deployment)
  }
  const update = (deployment: StoredDeployment, body: UpdateBody): void => {
    const { source, config } = deployment
    const { source_config: changes = {}, source_revision_config: revision = {} } = body
    const wrong = misplacedField(source, { ...changes, ...revision }, false)
    if (wrong !== undefined) throw new Refusal(400, wrong)
    for (const name of ['integration_id', 'repo_url', 'deployment_type', 'listener_id', 'template_id'] as const)
      if (changes?.[name] !== undefined) throw new Refusal(400, `'${name}' cannot be changed`)
    Object.assign(config, changes)
    // B9: an empty list means no change.
    if (body.secrets?.length) deployment.secrets = body.secrets
  }
  const createRevision = (deployment: StoredDeployment, body: UpdateBody): object => {
    const { source, revisions } = deployment
    if (body.revision_source && body.revision_source !== source) throw new Refusal(400, 'another revision_source')
    update(deployment, body)
    const config = { ...revisions.at(-1)?.config, ...body.source_revision_config }
    if (source === 'internal_source' && uploads.get(config.source_tarball_path ?? '') !== true)
      throw new Refusal(400, "'source_tarball_path' is no uploaded object")
    if (source === 'github' && /^[0-9a-f]{40}$/.test(config.repo_ref ?? ''))
      throw new Refusal(400, "'repo_ref' must be a branch or a tag")
    return showRevision(deployment, revise(deployment, config))
  }
  const issueUpload = (id: string, asked: z.infer<typeof uploadBody>): object => {
    const objectPath = `${id}/${randomUUID()}.tar.gz`
    uploads.set(objectPath, false)
    const given = givesUploadHeaders && asked.supports_upload_headers === true
    return {
      upload_url: `${address}/store/${objectPath}?signature=0123456789abcdef0123456789`,
      object_path: objectPath,
      ...(given && { upload_headers: { 'X-Goog-Content-Length-Range': SIGNED_RANGE } }),
    }
  }
  const pageOf = (all: readonly object[], query: URLSearchParams): object => {
    const offset = Number(query.get('offset') ?? 0)
    const resources = all.slice(offset, offset + Number(query.get('limit') ?? 20))
    return { resources, offset: offset + resources.length }
  }
  const k8sListener = (id: string): object => {
    return { id, compute_type: 'k8s', compute_id: 'eu-1', compute_config: { k8s_namespaces: ['default'] } }
  }

  /** Each route: its method and path, and its answer. */
  const routes: [method: string, path: RegExp, answer: (context: Context) => [status: number, body?: object]][] = [
    ['POST', /^\/v2\/deployments$/, ({ read }) => [201, create(read(createBody))]],
    [
      'GET',
      /^\/v2\/deployments$/,
      ({ query }) => {
        const part = query.get('name_contains') ?? ''
        const found = existing().filter(({ name }) => name.includes(part))
        return [200, pageOf(found.map(showDeployment), query)]
      },
    ],
    ['GET', /^\/v2\/deployments\/([^/]+)$/, ({ ids: [id] }) => [200, showDeployment(find(id))]],
    [
      'PATCH',
      /^\/v2\/deployments\/([^/]+)$/,
      ({ ids: [id], read }) => {
        update(find(id), read(updateBody))
        return [200, showDeployment(find(id))]
      },
    ],
    [
      'DELETE',
      /^\/v2\/deployments\/([^/]+)$/,
      ({ ids: [id], query }) => {
        const deployment = find(id)
        deployment.goneAt = now() + DELETION_MS
        if (query.get('delete_tracing_project') === 'true') tracingProjects.delete(deployment.name)
        return [204]
      },
    ],
    [
      'GET',
      /^\/v2\/deployments\/([^/]+)\/revisions$/,
      ({ ids: [id], query }) => {
        const deployment = find(id)
        const newestFirst = deployment.revisions.toReversed()
        return [
          200,
          pageOf(
            newestFirst.map((one) => showRevision(deployment, one)),
            query,
          ),
        ]
      },
    ],
    [
      'POST',
      /^\/v2\/deployments\/([^/]+)\/revisions$/,
      ({ ids: [id], read }) => [201, createRevision(find(id), read(updateBody))],
    ],
    [
      'GET',
      /^\/v2\/deployments\/([^/]+)\/revisions\/([^/]+)$/,
      ({ ids: [id, revision] }) => [200, showRevision(find(id), findRevision(find(id), revision))],
    ],
    [
      'GET',
      /^\/v2\/deployments\/([^/]+)\/revisions\/([^/]+)\/logs$/,
      ({ ids: [id, revision], query }) => {
        const { id: known } = findRevision(find(id), revision)
        const type = query.get('type') ?? ''
        if (!['build', 'deploy'].includes(type)) throw new Refusal(422, 'type must be build or deploy')
        return [200, { logs: [{ id: `${type}-1`, message: `${type} log of ${known}` }], next_offset: null }]
      },
    ],
    [
      'POST',
      /^\/v2\/deployments\/([^/]+)\/revisions\/([^/]+)\/redeploy$/,
      ({ ids: [id, revision] }) => {
        const { config, build } = findRevision(find(id), revision)
        revise(find(id), config, build)
        return [200, showDeployment(find(id))]
      },
    ],
    [
      'POST',
      /^\/v2\/deployments\/([^/]+)\/upload-url$/,
      ({ ids: [id], read }) => [200, issueUpload(find(id).id, read(uploadBody))],
    ],
    ['GET', /^\/v2\/listeners$/, ({ query }) => [200, pageOf(listeners.map(k8sListener), query)]],
    [
      'GET',
      /^\/v1\/integrations\/github\/install$/,
      () => [200, [{ id: INTEGRATION_ID, installation_id: 1, name: 'octo-org' }]],
    ],
    [
      'GET',
      /^\/v1\/integrations\/github\/([^/]+)\/repos$/,
      ({ ids: [id] }) => [200, [{ host_integration_id: id, id: 1, url: 'https://github.com/octo-org/hello-agent' }]],
    ],
  ]

  const answerTo = ({ method, path, body, headers }: Received): [status: number, body?: object] => {
    const { pathname, searchParams: query } = new URL(path, 'http://service')
    if (pathname.startsWith('/store/')) {
      const objectPath = pathname.slice('/store/'.length)
      if (headers['x-api-key'] !== undefined) throw new Refusal(400, 'credentials at the object store')
      if (headers['x-goog-content-length-range'] !== SIGNED_RANGE) throw new Refusal(403, 'SignatureDoesNotMatch')
      uploads.set(objectPath, true)
      return [200]
    }
    if (headers['x-api-key'] === undefined) throw new Refusal(403, 'Forbidden')
    for (const [known, pattern, answer] of routes) {
      const [, first = '', second = ''] = (known === method && pattern.exec(pathname)) || []
      if (known !== method || !pattern.test(pathname)) continue
      const read = <T>(schema: z.ZodType<T>): T => {
        const parsed = schema.safeParse(body ?? {})
        if (parsed.success) return parsed.data
        throw new Refusal(422, parsed.error.issues.map((one) => `${one.path.join('.')}: ${one.message}`).join('; '))
      }
      return answer({ ids: [first, second], query, read })
    }
    throw new Refusal(404, 'Not Found')
  }

  const listener: RequestListener = (request, response) => {
    const chunks: Uint8Array[] = []
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const isJson = headers['content-type'] === 'application/json'
      const body: unknown = isJson ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
      const received = { method, path, body, headers }
      requests.push(received)
      const reply = (status: number, answer?: object): void => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(answer === undefined ? '' : JSON.stringify(answer))
      }
      try {
        reply(...answerTo(received))
      } catch (thrown) {
        if (!(thrown instanceof Refusal)) throw thrown
        // A read of what is deleted is no mistake.
        const isMistake = thrown.status !== 404 || !/ID .* not found/.test(thrown.message)
        if (isMistake) refused.push(`${method} ${path}: ${thrown.status} ${thrown.message}`)
        reply(thrown.status, { detail: thrown.message })
      }
    })
  }
  const address = await serve(listener)
  return {
    url: address,
    requests,
    /** What was refused, apart from reads of what does not exist. */
    refused,
    tracingProjects,
    names: () => existing().map(({ name }) => name),
  }
}

export type Service = Awaited<ReturnType<typeof startService>>

interface Context {
  ids: [first: string, second: string]
  query: URLSearchParams
  read: <T>(schema: z.ZodType<T>) => T
}
