import { spawnSync } from 'node:child_process'
import { z } from 'zod'
import { provideGoTool, type GoTool } from '../go-tool.ts'
import type { Problem } from './problem.ts'

const ACTIONLINT: GoTool = {
  name: 'actionlint',
  module: 'github.com/rhysd/actionlint/cmd/actionlint',
  version: 'v1.7.12',
}

const problems = z.array(
  z
    .object({ message: z.string(), filepath: z.string(), line: z.number(), column: z.number() })
    .transform(({ filepath, ...problem }) => ({ file: filepath, ...problem })),
)

/** `because` ends a sentence. */
export type ActionlintResult =
  { kind: 'linted'; how: string; problems: Problem[] } | { kind: 'not run'; because: string }

/**
 * Checks workflows with actionlint, which Go builds.
 * @throws when actionlint itself fails
 */
export function lintWithActionlint(workflows: readonly string[]): ActionlintResult {
  const tool = provideGoTool(ACTIONLINT)
  if (tool.kind === 'none') return { kind: 'not run', because: tool.because }
  // Without arguments it would search for files itself.
  if (workflows.length === 0) return { kind: 'linted', how: tool.how, problems: [] }
  // Its result must not depend on the other linters of a machine.
  const args = ['-shellcheck=', '-pyflakes=', '-format', '{{json .}}', ...workflows]
  const { status, stdout, stderr, error } = spawnSync(tool.path, args, { encoding: 'utf8' })
  if (status !== 0 && status !== 1) throw new Error(`actionlint failed: ${error?.message ?? stderr.trim()}`)
  return { kind: 'linted', how: tool.how, problems: problems.parse(JSON.parse(stdout)) }
}
