import { readFileSync, writeFileSync } from 'node:fs'
import { GENERATED } from './docs/generated.ts'

/** `npm run docs`: writes the generated parts of the documents, from action.yml, examples/ and the code. */
for (const { file, generate } of GENERATED) {
  const url = new URL(`../${file}`, import.meta.url)
  writeFileSync(
    url,
    generate(() => readFileSync(url, 'utf8')),
  )
}
