// For `node --import`: writes what a run loads to the file of LOADED, a line each, and when it sends a request.
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
subscribe('http.client.request.start', () => {
  if (String(Reflect.get(process, 'moduleLoadList')).includes('undici')) note('undici')
  note('request')
})
