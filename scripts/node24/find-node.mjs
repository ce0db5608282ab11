import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const MODULES = new URL('../../node_modules/', import.meta.url)

/**
 * Returns the path of the Node 24 that `npm ci` installs for this platform; undefined without the optional packages.
 * npm before version 11 makes no node_modules/.bin/node for them.
 */
export function installedNode() {
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  return [`node-${platform}`, `node-bin-${platform}`]
    .map((name) => fileURLToPath(new URL(`${name}/bin/${program}`, MODULES)))
    .find((file) => existsSync(file))
}
