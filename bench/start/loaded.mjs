// For `node --import`: writes what a run loads to the file of LOADED, a line each, and when it connects or sends a request.
import { appendFileSync } from 'node:fs'
import { subscribe } from 'node:diagnostics_channel'
import { registerHooks } from 'node:module'

const note = (line) => appendFileSync(process.env.LOADED, `${line}\n`)
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) note(url)
    return next(url, context)
  },
})
subscribe('net.client.socket', () => note('connection'))
const ofNode = () => String(Reflect.get(process, 'moduleLoadList')).split(',')
const before = ofNode()
subscribe('http.client.request.start', () => {
  const loaded = ofNode().filter((name) => !before.includes(name))
  for (const module of ['crypto', 'https', 'tls']) if (loaded.includes(`NativeModule ${module}`)) note(`node:${module}`)
  if (loaded.some((name) => name.includes('undici'))) note('undici')
  note('request')
})
