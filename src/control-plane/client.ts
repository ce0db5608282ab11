import type { Clock } from '../clock.ts'
import { isBloated, parseJson } from '../http/json.ts'
import { MAX_VALUES, MAX_REPORTED_CHARACTERS, MAX_REPORTED_LINES } from '../http/limits.ts'
import { AGENT_SERVER, type Api, fromPublic, publicPlace } from './api.ts'
import { isRepeatable, type ApiRequest, type ApiResponse, type Pace } from './api-request.ts'
import { AmbiguousWriteError, BrokenContractError, mayLackRoute, type Trouble } from './errors.ts'
import {
  sameId,
  type Deployment,
  type LogType,
  type Repository,
  type Secret,
  type Settings,
  type UploadTicket,
  addressOf,
} from './model.ts'
import type { Call } from './routes.ts'
import type { Answers, SCHEMAS } from './schemas.ts'
import { parseHttpDate } from '../http/dates.ts'
import { ServerClock } from './server-clock.ts'
import type { Transport } from './transport.ts'
import { partsOfAddress, partsOfCommit, partsOfHost, partsOfName, withoutEnd } from '../secrets/text.ts'
import { secretsOfImage } from '../secrets/image.ts'
import * as routes from './routes.ts'

export interface Service {
  api: Api
  deletesTracingProjects: boolean
}

interface ClientOptions {
  baseUrl: URL
  schemas: () => Promise<typeof SCHEMAS>
  transport: Transport
  clock: Clock
  onSecrets: OnSecrets
  service?: Service
}

/** The options that differ between the clients of one service. */
interface Own {
  deadline?: number | undefined
  pace?: Pace | undefined
  learnt?: Learnt
}

/** The facts learned about the service, shared with the clients of other deadlines. */
class Learnt {
  versionOfUploads = '/v2'
  readonly secrets = new ReportedSecrets()
  readonly clock = new ServerClock()
}

/**
 * The routes of the control plane that a rollout uses (routes.ts), one field each, so that `decorated` can replace some.
 * A call throws what `Transport.send` throws; for a response that breaks the contract or is about something else,
 * BrokenContractError after a read and AmbiguousWriteError after a write.
 */
export class Client {
  /** The path of base-url: every path that is printed begins with it. */
  readonly prefix: string
  /** The base address, with its origin: two control planes have different ones. */
  readonly address: string
  readonly api: Api
  /** Whether `deleteDeployment` deletes the tracing project, too. */
  readonly deletesTracingProjects: boolean
  readonly #options: ClientOptions
  readonly #deadline: number | undefined
  /** The pace whose turns the requests wait for; undefined if they are sent at once. */
  readonly pace: Pace | undefined
  readonly #learnt: Learnt

  constructor(options: ClientOptions, { deadline, pace, learnt = new Learnt() }: Own = {}) {
    const { baseUrl, service = { api: AGENT_SERVER, deletesTracingProjects: false } } = options
    this.prefix = withoutEnd(baseUrl.pathname, '/')
    this.address = baseUrl.origin + this.prefix
    this.api = service.api
    this.deletesTracingProjects = service.deletesTracingProjects
    this.#options = options
    this.#deadline = deadline
    this.pace = pace
    this.#learnt = learnt
  }

  /** The same client with another deadline, in monotonic milliseconds. Both share the sockets and learn from each other. */
  readonly within = (deadline: number): ControlPlane => this.#with({ deadline, pace: this.pace })

  /** The same client, whose requests wait for their turns. */
  readonly paced = (pace: Pace): ControlPlane => this.#with({ deadline: this.#deadline, pace })

  /** The time of the server's clock in milliseconds since the epoch; undefined if its times are of several clocks. */
  readonly serverTime = (): number | undefined => this.#learnt.clock.time(this.#options.clock.now())

  readonly createDeployment = this.#calls(routes.createDeployment)
  readonly getDeployment = this.#calls(routes.getDeployment)
  readonly listDeployments = this.#calls(routes.listDeployments)
  readonly createRevision = this.#calls(routes.createRevision)
  readonly getRevision = this.#calls(routes.getRevision)
  readonly listRevisions = this.#calls(routes.listRevisions)
  readonly redeploy = this.#calls(routes.redeploy)
  readonly listListeners = this.#calls(routes.listListeners)
  readonly listIntegrations = this.#calls(routes.listIntegrations)

  /** Returns undefined when the response does not show this deployment. */
  readonly updateDeployment = async (id: string, settings: Settings): Promise<Deployment | undefined> => {
    const updated = await this.#acknowledged(routes.updateDeployment(id, settings))
    return sameId(updated?.id, id) ? updated : undefined
  }

  readonly deleteDeployment = async (id: string): Promise<void> => {
    await this.#acknowledged(routes.deleteDeployment(id, this.deletesTracingProjects))
  }

  /** The last 1 to 1000 lines, oldest first. */
  readonly readLog = async (
    deploymentId: string,
    revisionId: string,
    { type, lines }: { type: LogType; lines: number },
  ): Promise<string[]> => {
    const query = { type, order: 'desc', limit: lines, offset: undefined } as const
    const { entries } = await this.#ask(routes.readLog(deploymentId, revisionId, query, { retries: 1 }))
    return entries.toReversed().map(({ message }) => message)
  }

  readonly readLogPage = this.#calls(routes.readLog)

  /** Requests a ticket: by the path without the version if the service lacks the other path. */
  readonly createUploadTicket = async (deploymentId: string): Promise<UploadTicket> => {
    try {
      return await this.#askForTicket(routes.createUploadTicket(deploymentId, this.#learnt.versionOfUploads))
    } catch (thrown) {
      if (this.#learnt.versionOfUploads === '' || !mayLackRoute(thrown)) throw thrown
      // If the deployment is unknown, the other path fails with the same error.
      const ticket = await this.#askForTicket(routes.createUploadTicket(deploymentId, ''))
      this.#learnt.versionOfUploads = ''
      return ticket
    }
  }

  readonly listRepositories = async (integrationId: string): Promise<Repository[]> => {
    const repositories = await this.#ask(routes.listRepositories(integrationId))
    return repositories.map((wire) => ({ integrationId: wire.host_integration_id ?? integrationId, url: wire.url }))
  }

  #with(own: Own): ControlPlane {
    return new Client(this.#options, { ...own, learnt: this.#learnt })
  }

  #calls<Given extends unknown[], Kind extends keyof Answers>(
    route: (...args: Given) => Call<Kind>,
  ): (...args: Given) => Promise<Answers[Kind]> {
    return async (...args) => await this.#ask(route(...args))
  }

  async #askForTicket(call: Call<'uploadTicket'>): Promise<UploadTicket> {
    const wire = await this.#ask(call)
    const url = new URL(wire.upload_url)
    this.#options.onSecrets(signaturesOf(wire.upload_url, url))
    return { url, objectPath: wire.object_path, headers: wire.headers ?? this.api.uploadHeaders }
  }

  async #ask<Kind extends keyof Answers>({ request, kind, mistaken }: Call<Kind>): Promise<Answers[Kind]> {
    const { body, headers, moments } = await this.#send(request)
    const parsed = (await this.#options.schemas())[kind].safeParse(this.#readJson(request, body))
    if (!parsed.success) {
      const shape = this.api.answerShape(request.path)
      const placeOf = (path: PropertyKey[]): string => publicPlace(path, shape).join('.') || 'body'
      const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${placeOf(path)}: ${message}`)
      throw this.#broken(request, `JSON that breaks the contract (${problems.join('; ')})`)
    }
    const serverTime = parseHttpDate(headers?.date)
    this.#learnt.clock.heard(serverTime, moments ?? { cameAt: this.#options.clock.now() })
    const value = this.#masked[kind]?.(parsed.data, serverTime) ?? parsed.data
    const mistake = mistaken?.(value)
    if (mistake !== undefined) throw this.#broken(request, mistake)
    return value
  }

  /** Sends a write whose response need not show the result: undefined for an empty one, or JSON of another shape. */
  async #acknowledged<Kind extends keyof Answers>({ request, kind }: Call<Kind>): Promise<Answers[Kind] | undefined> {
    const { body } = await this.#send(request)
    if (body.trim() === '') return undefined
    const json = this.#readJson(request, body)
    const { data } = (await this.#options.schemas())[kind].safeParse(json)
    return data === undefined ? undefined : (this.#masked[kind]?.(data) ?? data)
  }

  async #send(request: ApiRequest): Promise<ApiResponse> {
    return await this.#options.transport.send({
      ...this.api.translated(request),
      deadline: this.#deadline,
      pace: this.pace,
    })
  }

  #readJson(request: ApiRequest, body: string): unknown {
    const json = parseJson(body)
    const shape = this.api.answerShape(request.path)
    // A translation recurses: it takes less depth than JSON.parse does.
    const isBad = json.ok ? shape !== undefined && isBloated(body, MAX_VALUES) : json.bloated
    if (isBad) throw this.#broken(request, 'JSON with far too many values, or nested far too deeply')
    if (json.ok) return fromPublic(json.value, shape)
    if (body.trim() === '') throw this.#broken(request, 'an empty body')
    const isMarkup = /^\s*</.test(body)
    const content = isMarkup ? 'HTML or XML instead of JSON, such as a login or error page' : 'text that is not JSON'
    throw this.#broken(request, content)
  }

  /** The error for a response that cannot be what was requested; `received` completes "answered with". */
  #broken(request: ApiRequest, received: string): BrokenContractError | AmbiguousWriteError {
    const path = this.prefix + this.api.translated(request).path.replace(/\?[^]*/, '')
    const trouble: Trouble = {
      attempted: request.attempted,
      cameBack: `${request.method} ${path} answered with ${received}`,
      hint: 'Check that base-url points to the control plane, path prefix included, and that no proxy responds in its place.',
    }
    // The status says that the write succeeded; only its result is unknown.
    return isRepeatable(request) ? new BrokenContractError(trouble) : new AmbiguousWriteError(trouble)
  }

  /** Before an answer is used, the secrets in it are masked. A page of deployments also says when the server answered. */
  readonly #masked: { readonly [Kind in keyof Answers]?: (answer: Answers[Kind], at?: number) => Answers[Kind] } = {
    revision: (reported) => this.#withLoginMasked(reported),
    revisionList: (reported) => reported.map((one) => this.#withLoginMasked(one)),
    deployment: (reported) => this.#withMasks(reported),
    deploymentList: ({ resources, offset }, serverTime) => {
      return { resources: resources.map((reported) => this.#withMasks(reported)), offset, serverTime }
    },
  }

  /** A service may take a login in the address of an image. */
  #withLoginMasked<Reported extends { settings: Settings }>(reported: Reported): Reported {
    const { imageUri = '' } = reported.settings
    const login = secretsOfImage(imageUri).map((value) => ({ name: 'imageUri', value }))
    const values = this.#learnt.secrets.bound(login).flatMap(({ value }) => value ?? [])
    if (values.length > 0) this.#options.onSecrets(values)
    return reported
  }

  #withMasks(reported: Deployment): Deployment {
    this.#withLoginMasked(reported)
    const { isPreviewBuild, settings, ...own } = reported
    const secrets = settings.secrets && this.#learnt.secrets.bound(settings.secrets)
    this.#options.onSecrets(secrets?.flatMap(({ value }) => value ?? []) ?? [], reported)
    const { reservedNames, hasPreviewBuilds } = this.api
    // Variables that the service sets itself are no part of the user's list.
    const listed = secrets?.filter(({ name }) => !reservedNames.includes(name))
    const readAt = this.#options.clock.wallTime()
    const deployment = { ...own, settings: { ...settings, secrets: listed }, readAt }
    return isPreviewBuild && hasPreviewBuilds ? { ...deployment, isPreviewBuild } : deployment
  }
}

export type ControlPlane = { -readonly [Name in keyof Client]: Client[Name] }

/** The same control plane with calls of its own, also after a change of its deadline or its pace. */
export function decorated(
  controlPlane: ControlPlane,
  add: (inner: ControlPlane) => Partial<ControlPlane>,
): ControlPlane {
  return {
    ...controlPlane,
    ...add(controlPlane),
    within: (deadline) => decorated(controlPlane.within(deadline), add),
    paced: (pace) => decorated(controlPlane.paced(pace), add),
  }
}

/** A signed address gives write access. It is a secret, and so are its long parameters. */
function signaturesOf(address: string, { href, search, searchParams }: URL): string[] {
  const signatures = [...searchParams.values()].filter((value) => value.length >= MIN_SIGNATURE_LENGTH)
  return search === '' ? [] : [address, href, search.slice(1), ...signatures]
}

/** In characters: shorter parameters are dates, durations and the like. */
const MIN_SIGNATURE_LENGTH = 20

/** Receives each secret of a response before the caller does: secret values and signed addresses. `deployment`: theirs. */
export type OnSecrets = (values: readonly string[], deployment?: Deployment) => void

/** Lists the names and addresses of a deployment, which are no secrets even if a value of its environment is the same. */
export function publicTextsOf(deployment: Deployment): string[] {
  const { id, name, branch, repoCommitSha = '', settings } = deployment
  return [
    id,
    ...partsOfName(name),
    ...[branch, settings.repoRef, settings.imageUri].flatMap((text) => text ?? []),
    ...partsOfCommit(repoCommitSha),
    ...partsOfAddress(settings.repoUrl ?? ''),
    ...partsOfHost(addressOf(deployment) ?? ''),
  ]
}

/** The values of secrets that the control plane reports in a run. It learns a bounded number of them. */
export class ReportedSecrets {
  readonly #values = new Set<string>()
  #linesLeft = MAX_REPORTED_LINES
  #charactersLeft = MAX_REPORTED_CHARACTERS

  /** Returns the secrets without the values beyond the bounds, which count as not reported. */
  bound(secrets: readonly Secret[]): Secret[] {
    return secrets.map((secret) => (this.#takes(secret.value) ? secret : { name: secret.name, value: undefined }))
  }

  #takes(value: string | undefined): boolean {
    if (value === undefined || this.#values.has(value)) return true
    if (value.length > this.#charactersLeft) return false
    const lines = value.split(/[\r\n]/, this.#linesLeft + 1).length
    if (lines > this.#linesLeft) return false
    this.#values.add(value)
    this.#charactersLeft -= value.length
    this.#linesLeft -= lines
    return true
  }
}
