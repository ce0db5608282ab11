import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import { folderWith } from './folders.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const steps = z.array(
  z.object({
    name: z.string().optional(),
    uses: z.string().optional(),
    run: z.string().optional(),
    with: z.record(z.string(), z.unknown()).optional(),
  }),
)
const permissions = z.record(z.string(), z.string())
const job = z.object({ permissions, steps, needs: z.string().optional() })
const { jobs } = z
  .object({ jobs: z.object({ check: job, release: job, major: job }) })
  .parse(parse(readFileSync(path.join(ROOT, '.github/workflows/release.yml'), 'utf8')))

const usesOf = (action: string, { steps: all }: z.infer<typeof job>) =>
  all.filter(({ uses }) => uses?.startsWith(`actions/${action}@`))
const placeOf = (action: string): number =>
  jobs.release.steps.findIndex(({ uses }) => uses?.startsWith(`actions/${action}@`))
const publishing = jobs.release.steps.find(({ name }) => name === 'Publish the release')?.run ?? ''

describe('the permissions of a release', () => {
  it('to sign are those of one job, which runs nothing that is installed', () => {
    expect(jobs.check.permissions).toEqual({ contents: 'read' })
    expect(jobs.release.permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' })
    // It pushes the major tags.
    expect(jobs.major.permissions).toEqual({ contents: 'write' })
    for (const { run = '' } of jobs.release.steps) expect(run).not.toMatch(/\b(npm|npx|node)\b/)
    expect(usesOf('setup-node', jobs.release)).toEqual([])
    expect(usesOf('checkout', jobs.release)).toMatchObject([{ with: { 'persist-credentials': false } }])
  })
})

describe('the checks', () => {
  const environment = z.record(z.string(), z.string())
  const withChecks = z.object({
    jobs: z.object({
      check: z.object({ steps: z.array(z.object({ run: z.string().optional(), env: environment.optional() })) }),
    }),
  })
  const checksOf = (workflow: string) =>
    withChecks.parse(parse(readFileSync(path.join(ROOT, '.github/workflows', workflow), 'utf8'))).jobs.check.steps

  it.each(['ci.yml', 'release.yml'])(
    'of %s install every tool that the script may lack, and require it',
    (workflow) => {
      const script = readFileSync(path.join(ROOT, '.ci/run'), 'utf8')
      const tools = new Set(Array.from(script.matchAll(/\b([A-Z_]+_REQUIRED)\b/g), ([, name]) => name))
      const all = checksOf(workflow)
      expect(all.find(({ run }) => run === 'bash .ci/run')?.env).toEqual(
        Object.fromEntries([...tools].map((name) => [name, '1'])),
      )
      const commands = all.map(({ run }) => run).join('\n')
      expect(commands).toMatch(/apt-get install .*wine wine64/)
      expect(commands).toMatch(/apt-get install -y chromium/)
    },
  )
})

describe('the attestation', () => {
  const [attest] = usesOf('attest-build-provenance', jobs.release)
  const patterns = String(attest?.with?.['subject-path']).trim().split('\n')

  it('covers every file of dist/ and the SBOM', () => {
    const files = readdirSync(path.join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' }).map(
      (file) => `dist/${file}`,
    )
    expect(files.length).toBeGreaterThan(10)
    const covered = (file: string): boolean => patterns.some((pattern) => path.matchesGlob(file, pattern))
    expect([...files, 'release/sbom.cdx.json'].filter((file) => !covered(file))).toEqual([])
  })

  it('is signed after all checks, and before the release is published', () => {
    expect(jobs.release.needs).toBe('check')
    expect(jobs.major.needs).toBe('release')
    expect(placeOf('attest-build-provenance')).toBeGreaterThan(placeOf('download-artifact'))
    const publish = jobs.release.steps.findIndex(({ run }) => run === publishing)
    expect(publish).toBeGreaterThan(placeOf('attest-build-provenance'))
  })
})

describe('the SBOM', () => {
  it('is made from the build that the checks have compared, and passed to the release', () => {
    const commands = jobs.check.steps.map(({ run = '', uses = '' }) => run || uses)
    const checks = commands.indexOf('bash .ci/run')
    expect(commands[checks + 1]).toBe('npm run --silent sbom > "$RUNNER_TEMP/sbom.cdx.json"')
    expect(usesOf('upload-artifact', jobs.check)).toMatchObject([
      { with: { name: 'sbom', path: '${{ runner.temp }}/sbom.cdx.json', 'if-no-files-found': 'error' } },
    ])
    expect(usesOf('download-artifact', jobs.release)).toMatchObject([{ with: { name: 'sbom', path: 'release' } }])
  })
})

/** Runs the step with a `gh` that records its arguments. Returns its calls, without those that only read. */
function publish(
  state: 'none' | 'true' | 'false',
  immutable = 'true',
): { status: number | null; calls: string[]; out: string } {
  const folder = folderWith()
  for (const name of ['release', 'bin', '.github']) mkdirSync(path.join(folder, name))
  writeFileSync(path.join(folder, '.github/release-notes.sh'), 'echo "- The change."\n')
  const gh = path.join(folder, 'bin/gh')
  const answers = [
    `"release view") if [ ${state} = none ]; then echo 'release not found' >&2; exit 1; fi; echo ${state} ;;`,
    `"api "*) echo ${immutable} ;;`,
    '*) echo "$*" >> calls ;;',
  ]
  writeFileSync(gh, `#!/bin/sh\ncase "$1 $2" in\n${answers.join('\n')}\nesac\n`)
  chmodSync(gh, 0o755)
  const env = {
    PATH: `${path.dirname(gh)}:${process.env['PATH'] ?? ''}`,
    GITHUB_REF_NAME: 'v1.2.3',
    GITHUB_REPOSITORY: 'your-org/deployment-rollout',
  }
  writeFileSync(path.join(folder, 'calls'), '')
  writeFileSync(path.join(folder, 'step.sh'), publishing)
  const { status, stdout } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', 'step.sh'], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const calls = readFileSync(path.join(folder, 'calls'), 'utf8').split('\n').filter(Boolean)
  return { status, calls, out: stdout }
}

const DRAFT = 'release create v1.2.3 --draft --verify-tag --title v1.2.3 --notes-file release/notes.md'
const UPLOAD = 'release upload v1.2.3 release/sbom.cdx.json --clobber'
const PUBLISH = 'release edit v1.2.3 --draft=false --verify-tag'

describe('the publication', () => {
  it.each([
    ['a new release is a draft, gets its files, and is published', 'none', [DRAFT, UPLOAD, PUBLISH]],
    ['a rerun continues a draft', 'true', [UPLOAD, PUBLISH]],
    ['a rerun changes nothing of a published release', 'false', []],
  ] as const)('%s', (_case, state, expected) => {
    const { status, calls } = publish(state)
    expect(calls).toEqual(expected)
    expect(status).toBe(0)
  })

  it('fails if the repository does not make releases immutable, so the major tag does not move', () => {
    const { status, out } = publish('none', 'false')
    expect(out).toContain('::error::The release can be changed. Enable release immutability')
    expect(status).toBe(1)
  })
})
