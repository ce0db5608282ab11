import { readFileSync, writeFileSync } from 'node:fs'
import { GENERATED } from './docs/generated.ts'

/** `npm run docs`: writes anew what is generated, from action.yml and from the code. */
for (const { file, generate } of GENERATED) {
  const url = new URL(`../${file}`, import.meta.url)
  writeFileSync(
    url,
    generate(() => readFileSync(url, 'utf8')),
  )
}
