import { readFileSync } from 'node:fs'

/**
 * A workflow of examples/ as a code block, so that a page shows exactly what is tested.
 * @param name of the file, without `.yml`
 */
export function exampleBlock(name: string): string {
  const text = readFileSync(new URL(`../../examples/${name}.yml`, import.meta.url), 'utf8')
  return `\`\`\`yaml\n${text}\`\`\``
}
