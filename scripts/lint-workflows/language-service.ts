import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { Problem } from './problem.ts'

/** Checks workflows and action.yml files with the language service of GitHub's own editor extension. */
export async function lintWithLanguageService(files: readonly string[]): Promise<Problem[]> {
  // It imports JSON without the attribute that Node requires.
  const hooks = registerHooks({
    load: (url, context, nextLoad) =>
      nextLoad(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
  })
  const { validate } = await import('@actions/languageservice')
  hooks.deregister()
  const problems: Problem[] = []
  for (const file of files) {
    const document = TextDocument.create(pathToFileURL(file).href, 'yaml', 1, readFileSync(file, 'utf8'))
    const found = await validate(document, {})
    for (const { message, range } of found) {
      const { line, character } = range.start
      const text = typeof message === 'string' ? message : message.value
      problems.push({ file, line: line + 1, column: character + 1, message: text })
    }
  }
  return problems
}
