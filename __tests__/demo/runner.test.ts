import { afterEach, describe, expect, it } from '@jest/globals'
import { runAction, type ActionRun, type RunOptions } from '../../demo/runner.ts'
import { actionRuntime } from '../../demo/runner/process.ts'
import { renderSummaryPage, summaryToHtml } from '../../demo/summary-page.ts'
import { installedNode } from '../../scripts/node24/find-node.mjs'
import { folderWith } from '../folders.ts'

const leftovers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of leftovers.splice(0)) await clean()
})

/** Runs a throw-away action whose whole code is this script. */
async function run(script: string, over: Partial<RunOptions> = {}): Promise<ActionRun> {
  const inputs =
    'inputs:\n  the-name: { description: A name, default: from the manifest }\n  other: { description: More }\n'
  const action = folderWith({
    'action.yml': `name: x\ndescription: x\n${inputs}outputs: { plain: { description: Declared } }\nruns: { using: node24, main: main.mjs }\n`,
    'main.mjs': `import fs from 'node:fs'\n${script}`,
  })
  const result = await runAction({ action, inputs: {}, ...over })
  leftovers.push(async () => await result.dispose())
  return result
}

describe('runAction', () => {
  it('hands over inputs as a runner does, and defaults from action.yml', async () => {
    const script = `console.log(JSON.stringify([process.env['INPUT_THE-NAME'], process.env.INPUT_OTHER, process.env.HOME === '${process.env['HOME'] ?? ''}']))`
    expect((await run(script, { inputs: { other: 7 } })).shown).toEqual(['["from the manifest","7",false]'])
    expect((await run(script, { inputs: { stray: 1 } })).unexpectedInputs).toEqual(['stray'])
  })

  it('obeys commands at the start of a line and nowhere else', async () => {
    const { annotations, shown } = await run(`
      console.log('::error title=A%3AB::one%0Atwo')
      console.log('  ::warning::indented')
      console.log('not ::error::here')
    `)
    expect(annotations).toMatchObject([
      { level: 'error', title: 'A:B', message: 'one\ntwo' },
      { level: 'warning', message: 'indented' },
    ])
    expect(shown.join('\n')).toContain('not ::error::here')
  })

  it('cuts an annotation and its line in the log, after it has hidden what is masked', async () => {
    const { annotations, shown } = await run(
      `console.log('::add-mask::s3cret'); console.log('::error::' + 'a'.repeat(4090) + 's3cret, and more'); console.log('b'.repeat(5000))`,
    )
    const kept = `${'a'.repeat(4090)}***, a`
    expect(annotations).toMatchObject([{ message: kept }])
    expect(shown).toEqual([`Error: ${kept}`, 'b'.repeat(5000)])
  })

  it('hides what is masked from then on, each line of it', async () => {
    const { shown } = await run(
      `console.log('early s3cret'); console.log('::add-mask::s3cret%0Asecond'); console.log('late s3cret and second')`,
    )
    expect(shown).toEqual(['early s3cret', 'late *** and ***'])
  })

  it('reads outputs and summary from their files, values over several lines included', async () => {
    const { outputs, summary, undeclaredOutputs } = await run(`
      fs.appendFileSync(process.env.GITHUB_OUTPUT, 'plain=1\\nlong<<EOF_x\\nfirst\\nfake=2\\nEOF_x\\n')
      fs.appendFileSync(process.env.GITHUB_STEP_SUMMARY, '# Hello\\n')
    `)
    expect(outputs).toEqual({ plain: '1', long: 'first\nfake=2' })
    expect(undeclaredOutputs).toEqual(['long'])
    expect(summary).toBe('# Hello\n')
  })

  it('ends a line of a file at CR LF on Windows only', async () => {
    const script = String.raw`fs.appendFileSync(process.env.GITHUB_OUTPUT, 'plain=1\r\nlong<<E\r\na\r\nb\r\nE\r\n')`
    expect((await run(script, { os: 'Windows' })).outputs).toEqual({ plain: '1', long: 'a\r\nb' })
    expect((await run(script, { os: 'Linux' })).outputs).toEqual({ plain: '1\r', long: 'a\r\nb\r' })
  })

  it('reports how it ended, and stops what does not end by itself', async () => {
    expect(await run('process.exitCode = 3')).toMatchObject({ exitCode: 3, conclusion: 'failure' })
    expect(await run('setInterval(() => {}, 1000)', { limitMs: 300 })).toMatchObject({
      limitReached: true,
      conclusion: 'failure',
    })
  })
})

it('an action runs on the installed Node 24 if this process has another version', () => {
  const installed = installedNode()
  if (installed === undefined) expect(() => actionRuntime('26.1.0')).toThrow('run npm ci')
  else expect(actionRuntime('26.1.0')).toBe(installed)
})

describe('a rendered summary', () => {
  it('keeps out what GitHub keeps out, and shows mentions as such', () => {
    const html = summaryToHtml('<script>x</script><img src=x onerror=y> \n\n[a](javascript:z) @octocat')
    expect(html).toContain('<a>a</a>')
    expect(html).not.toMatch(/<script|onerror|javascript:/)
    expect(html).toContain('user-mention')
  })

  it('needs no network, and brings what draws diagrams only when there is one', async () => {
    const plain = await renderSummaryPage('# Hi', { title: 'a <b>' })
    expect(plain).toContain('a &#60;b&#62; summary')
    expect(plain).not.toMatch(/<script|(src|href)="http/)
    const drawn = await renderSummaryPage('```mermaid\ngantt\n```', { title: 'job' })
    expect(drawn.length).toBeGreaterThan(1_000_000)
    expect(drawn).toContain("default-src 'none'")
  })
})
