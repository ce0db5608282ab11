import type { Settings, Source } from './settings.ts'
import { webAddressOf } from '../secrets/address.ts'

export type { Field, Secret, SecretReference, Settings, Source } from './settings.ts'

/** A value that does not have the form of its field counts as not reported. */
interface Reported {
  /** The fields whose values do not have their form. */
  dropped?: readonly string[]
}

/** Replaces a status that does not have the form of one. It is in progress, like every unknown status. */
export const MALFORMED_STATUS = 'UNKNOWN'

/** Contract, "Deployment". */
export interface Deployment extends Reported {
  id: string
  name: string
  /** One of `SOURCES`, or a newer one that this version does not know. */
  source: string | undefined
  latestRevisionId: string | undefined
  /** `null`: no revision is active. `undefined`: the response does not report it. */
  activeRevisionId: string | null | undefined
  /** The last update, in milliseconds since the epoch; the creation if no update is reported. */
  updatedAt: number | undefined
  /** The creation, in milliseconds since the epoch. */
  createdAt?: number | undefined
  repoCommitSha: string | undefined
  /** The settings as reported. Those that a revision sets are of the latest revision. */
  settings: Settings
  /** When the answer came, in milliseconds since the epoch by the clock of the run. */
  readAt?: number
  /** The deployment's own address, where the service reports it apart from the setting. */
  url?: string | undefined
  /** It is readable until its deletion ends, which may take half an hour. */
  isBeingDeleted?: true
  /** The service made it for a pull request by itself. It is no deployment of ours: only its id finds it. */
  isPreviewBuild?: true
  /** The branch, where the service reports it apart from `repo_ref`, which then may be the commit that it has built. */
  branch?: string | undefined
}

/** Contract, "Revision". */
export interface Revision extends Reported {
  id: string
  /** One of `SOURCES`, or a newer one, where the service reports it. */
  source?: string | undefined
  /** As reported: it may be a status that this version does not know, or `MALFORMED_STATUS`. */
  status: string
  statusMessage: string | undefined
  repoCommitSha: string | undefined
  /** Milliseconds since the epoch, by the server's clock. */
  createdAt: number | undefined
  /** The last update, in milliseconds since the epoch; the creation if no update is reported. */
  updatedAt: number | undefined
  /** The settings that a revision reports (`inRevision` in settings.ts). */
  settings: Settings
}

/** Whether an image is named by a digest. A tag may name another one by now. */
export function isPinned(image: string): boolean {
  return /@[\w+.-]+:[0-9a-f]+$/i.test(image)
}

/** The deployment's own address: the server sets `custom_url` where the user cannot (contract, "SourceConfigRequest"). */
export function addressOf({ settings, url }: Pick<Deployment, 'settings' | 'url'>): string | undefined {
  return settings.customUrl ?? url
}

/** A service may report the commit that it has built in place of the ref. Returns the settings with the branch, if known. */
export function withBranch(settings: Settings, branch: string | undefined): Settings {
  const isCommit = FORMS.fullCommit.test(settings.repoRef ?? '')
  return isCommit && branch !== undefined ? { ...settings, repoRef: branch } : settings
}

/** The registration of a cluster (contract notes, `GET /v2/listeners`). */
export interface Listener {
  id: string
  computeType: string | undefined
  computeId: string | undefined
  /** The namespaces that it deploys to; undefined if not reported. */
  namespaces: string[] | undefined
}

/** An installed git host of the workspace (contract notes, `GET /v1/integrations/git_host/install`). */
export interface Integration {
  id: string
  name: string | undefined
}

/** Contract, "Repository". */
export interface Repository {
  integrationId: string
  url: string
}

/** Permission to upload one source archive (contract notes, `POST /deployments/{id}/upload-url`). */
export interface UploadTicket {
  /** Signed: it gives write access. It is a secret, and no credentials are sent there. */
  url: URL
  /** The path by which the control plane knows the archive. */
  objectPath: string
  headers: Readonly<Record<string, string>>
}

export interface RevisionDraft {
  source: Source
  settings: Settings
}

export interface DeploymentDraft extends RevisionDraft {
  name: string
}

export type LogType = 'build' | 'deploy'

/** Where a page of a log begins: the number of entries before it, or a text that the service has returned. */
export type LogOffset = number | string

/** `limit`: the largest number of entries, 1 to 1000. `offset`: undefined for the start of the log. */
export interface LogQuery {
  type: LogType
  limit: number
  offset: LogOffset | undefined
}

/** One page of a log, oldest entry first. */
export interface LogPage {
  /** `key`: the id of the entry, unique in the log; undefined if not reported. */
  entries: { key: string | undefined; message: string }[]
  /** Where the next page begins; undefined if this is the last page. */
  next: LogOffset | undefined
}

/** One page of a list (contract, "Limits"). */
export interface Page<T> {
  resources: T[]
  offset: number
  /** When the server answered, by its own clock, in milliseconds since the epoch; undefined if not reported. */
  serverTime?: number | undefined
}

/** `limit`: the largest number of resources, 1 to 100. */
export interface PageQuery {
  limit: number
  offset: number
}

/** Whether two ids name one resource. UUIDs have no case. An id that is not known equals none. */
export function sameId(first: string | null | undefined, second: string | null | undefined): boolean {
  return typeof first === 'string' && typeof second === 'string' && idKey(first) === idKey(second)
}

/** As `sameId`; two ids that are both absent are the same, too. */
export function sameIdOrNone(first: string | null | undefined, second: string | null | undefined): boolean {
  return sameId(first, second) || (!first && !second)
}

export function idKey(id: string): string {
  return id.toLowerCase()
}

/** Whether two names are of one deployment: a service may trim a name, or write it in lower case. */
export function sameName(first: string, second: string): boolean {
  return first.trim().toLowerCase() === second.trim().toLowerCase()
}

/** The forms of values that a run prints, or sends to GitHub, as the control plane reports them. */
export const FORMS = {
  /** Contract notes, "Statuses". */
  status: /^[A-Z0-9_]{1,64}$/,
  commit: /^[0-9a-f]{7,64}$/i,
  fullCommit: /^([0-9a-f]{40}|[0-9a-f]{64})$/i,
  /** A segment of a path: printable ASCII without `/ ? # % \`, and not `.` or `..`. The contract does not say more. */
  id: /^(?!\.{1,2}$)(?:(?![/?#%\\])[!-~]){1,128}$/,
  /** No control, invisible or unassigned character. */
  name: /^[^\p{C}\u2028\u2029]{1,255}$/u,
} as const

/** Whether a text is an address as it is: no user info, and nothing that a parser silently changes or removes. */
export function isAddress(text: string): boolean {
  return (
    /^https?:\/\/[!-~]{1,2000}$/i.test(text) &&
    !/["<>\\^`{|}]/.test(text) &&
    !/^\w+:\/\/[^/?#]*@/.test(text) &&
    webAddressOf(text) !== undefined
  )
}
