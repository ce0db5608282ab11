import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))
const read = (path: string): unknown => parse(readFileSync(at(path), 'utf8'))

const workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  concurrency: z.object({ group: z.string() }),
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.array(
        z.object({ uses: z.string().optional(), with: z.record(z.string(), z.unknown()).optional() }),
      ),
    }),
  ),
})
const action = z.object({ inputs: z.record(z.string(), z.object({ required: z.boolean().optional() })) })

const examples = readdirSync(at('examples')).filter((name) => name.endsWith('.yml'))
const OURS = /^your-org\/deployment-rollout(\/[a-z]+)?@v\d+$/

describe.each(examples)('examples/%s', (name) => {
  const { jobs } = workflow.parse(read(`examples/${name}`))
  const ours = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .filter(({ uses }) => OURS.test(uses ?? ''))

  it('uses an action of this repository, with inputs that it has', () => {
    expect(ours.length).toBeGreaterThan(0)
    for (const { uses, with: given } of ours) {
      const folder = OURS.exec(uses ?? '')?.[1] ?? ''
      const { inputs } = action.parse(read(`${folder}/action.yml`.replace(/^\//, '')))
      expect(Object.keys(given ?? {}).filter((input) => !(input in inputs))).toEqual([])
      const required = Object.entries(inputs).filter(([, input]) => input.required === true)
      expect(required.map(([input]) => input).filter((input) => !(input in (given ?? {})))).toEqual([])
    }
  })
})

describe('every workflow and every example', () => {
  it('passes actionlint', () => {
    const run = spawnSync(process.execPath, [at('scripts/lint-workflows.ts')], { encoding: 'utf8' })
    expect(run.stderr.replace(/.*Warning:.*\n.*trace-warnings.*\n/g, '')).toBe('')
    expect(run.status).toBe(0)
  })
})
