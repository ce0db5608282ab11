import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { apiOf, type Api } from '../../../src/control-plane/api.ts'
import type { FleetRequest } from '../../../src/fleet/fleet-request.ts'
import { readFleet } from '../../../src/inputs/manifest/read-fleet.ts'
import { InputReader } from '../../../src/inputs/reader.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import { listing } from '../../secrets/redactor-of.ts'
import type { Problem } from '../../../src/problem.ts'
import { aPush } from '../../builders.ts'
import { HERE } from '../../here.ts'

export interface Reading {
  request: FleetRequest | undefined
  /** The request of each entry, wave by wave. */
  entries: readonly RolloutRequest[]
  problems: readonly Problem[]
  /** Each problem as the error shows it, without the file's name. */
  lines: string[]
  /** Texts in the order in which they were masked. */
  masked: string[]
}

export interface Given {
  /** Inputs of the step beside `manifest`. */
  inputs?: Record<string, string>
  env?: Record<string, string>
  api?: Api['name']
  /** The path; default: a file with the text. */
  manifest?: string
}

/** A folder with manifests, as a checkout has it. */
export interface Workspace {
  folder: string
  read: (text: string | Uint8Array, given?: Given) => Promise<Reading>
  end: () => void
}

export function aWorkspace(): Workspace {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleet-'))
  return {
    folder,
    async read(text, { inputs = {}, env = {}, api = 'agent-server', manifest = 'fleet.yml' } = {}) {
      writeFileSync(path.join(folder, 'fleet.yml'), text)
      const given: Record<string, string> = { manifest, 'api-key': 'the-key-of-the-step', ...inputs }
      const read = new InputReader((name) => given[name] ?? '')
      const masked: string[] = []
      const world = { ...HERE, env, redactor: listing(masked) }
      const request = await readFleet(read, aPush({ workspace: folder }), { api: apiOf(api), world })
      const entries = request?.waves.flatMap((wave) => wave.entries.map((entry) => entry.request)) ?? []
      return { request, entries, problems: read.problems, lines: read.problems.map(lineOf), masked }
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function lineOf({ input, value, message, place }: Problem): string {
  const shown = value === undefined ? '' : ` "${value}"`
  return `${place?.line ?? '-'} ${input}:${shown} ${message}`
}

/** A manifest of one deployment, with these lines. */
export const one = (lines: string): string => `version: 1\ndeployments:\n  - name: a\n${lines}`
