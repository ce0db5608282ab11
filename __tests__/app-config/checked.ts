import path from 'node:path'
import { checkUploaded } from '../../src/app-config/upload.ts'
import { type Api, LANGSMITH } from '../../src/control-plane/api.ts'
import { describeProblem } from '../../src/problem.ts'
import type { ConfigVerdict } from '../../src/sources/archive/archive.ts'
import { loadIgnoreRules, walkSource } from '../../src/sources/archive/walk.ts'
import { folderWith } from '../folders.ts'

const goOn = (): void => undefined

/** Checks a configuration of a folder as it is before it is packed. `config` and `source`: relative to the workspace. */
export async function checkedUpload(
  workspace: string,
  { config = 'langgraph.json', source = '.' }: { config?: string; source?: string } = {},
  api: Api = LANGSMITH,
): Promise<ConfigVerdict> {
  const root = path.join(workspace, source)
  const { entries } = await walkSource(root, await loadIgnoreRules(root), goOn)
  const packed = { root, inside: source === '.' ? '' : source, entries, checkEnd: goOn }
  return await checkUploaded({ ...packed, configPath: path.relative(source, config) }, { api, workspace })
}

interface Asked {
  config?: string
  source?: string
  api?: Api
}

/** What is found for a configuration beside other files, each as the words of the error or the warning. */
export async function found(
  config: unknown,
  files: Record<string, string> = {},
  { config: at = 'langgraph.json', api, ...more }: Asked = {},
): Promise<string[]> {
  const text = typeof config === 'string' ? config : JSON.stringify(config, null, 2)
  const verdict = await checkedUpload(folderWith({ ...files, [at]: text }), { config: at, ...more }, api)
  return [
    ...verdict.problems.map((problem) => describeProblem(problem)),
    ...[...verdict.warnings, ...verdict.unlessBuilt].map((warning) => `warning: ${warning}`),
  ]
}
