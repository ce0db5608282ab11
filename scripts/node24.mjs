import { spawn } from 'node:child_process'
import path from 'node:path'
import { installedNode } from './node24/find-node.mjs'

/**
 * `node scripts/node24.mjs [OPTION OF NODE]... SCRIPT [ARGUMENT]...`: runs the script with Node 24 or later: with the
 * Node that runs this file, or else with the one that `npm ci` installs. Plain JavaScript for any Node from 18 on.
 */

const OLDEST = 24
const version = process.versions.node
const node = Number.parseInt(version, 10) >= OLDEST ? process.execPath : installedNode()
const args = process.argv.slice(2)

if (node === undefined) {
  console.error(
    `This is Node ${version}, and the project needs Node ${OLDEST} or later: install it, or run \`npm ci\` with optional dependencies, which installs it on Linux, macOS and Windows.`,
  )
  process.exitCode = 1
} else {
  // For `npm run`, and for programs that begin with `#!/usr/bin/env node`.
  process.env.PATH = path.dirname(node) + path.delimiter + (process.env.PATH ?? '')
  // The script takes the place of this process, so that a signal to the group reaches it once.
  if (node === process.execPath && process.platform !== 'win32') process.execve(node, [node, ...args], process.env)
  else start(node)
}

/** @param {string} program the path of Node */
function start(program) {
  const child = spawn(program, args, { stdio: 'inherit' })
  const signals = /** @type {const} */ (['SIGHUP', 'SIGINT', 'SIGTERM'])
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.once('error', ({ message }) => {
    console.error(`${program} cannot be started (${message}): install Node ${OLDEST} or later.`)
    process.exitCode = 1
  })
  child.once('exit', (code, signal) => {
    for (const each of signals) process.removeAllListeners(each)
    if (signal === null) process.exitCode = code ?? 1
    else process.kill(process.pid, signal)
  })
}
