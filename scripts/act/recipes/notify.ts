import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { NAME, type Recipe } from '../recipe.ts'
import { startStandIn } from '../stand-in.ts'

/** What text of a server may contain: JSON, shell, expressions, a workflow command and a mention. */
function hostileMessage(file: string): string {
  const shell = `touch ${file}`
  return `a" }' \\ $(${shell}) \`${shell}\` '; ${shell}; ' \${{ github.token }}\n::error::a command\n<!channel> & <@U1> done`
}

const notify: Recipe = {
  name: 'notification on failure',
  workflow: 'examples/notify-on-failure.yml',
  checked: 'a hostile status message reaches the chat as text, and runs nothing; a success sends nothing',
  async run(bench) {
    const chat = bench.keep(await startStandIn(() => ({ ok: true })))
    const surroundings = { event: { name: 'push' }, secrets: { CHAT_WEBHOOK: `${chat.url}/services/T0/B0/hook` } }
    const file = path.join(bench.folder, 'made-by-the-message')
    const message = hostileMessage(file)
    bench.sandbox.setScript({ ends: 'BUILD_FAILED', statusMessage: message })
    const failed = await bench.act(surroundings)
    assert.equal(failed.exitCode, 1, 'the run must still fail')
    const [sent, ...others] = chat.received
    assert.deepEqual(others, [])
    assert.equal(sent?.line, 'POST /services/T0/B0/hook')
    assert.equal(sent.headers['content-type'], 'application/json')
    const escaped = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    assert.deepEqual(JSON.parse(sent.body), {
      text: `${NAME}: failed\n${escaped}\nhttps://github.com/octo-org/hello-agent/actions/runs/7351`,
    })
    assert.ok(!existsSync(file), 'the message was run as a command')

    bench.sandbox.setScript({})
    const succeeded = await bench.act(surroundings)
    assert.equal(succeeded.exitCode, 0, succeeded.log.shown)
    assert.equal(chat.received.length, 1, 'a success was reported as a failure')
  },
}

export const notifications = [notify]
