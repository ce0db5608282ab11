import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome']
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--hide-scrollbars',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
]

export interface Picture {
  url: string
  scheme: 'light' | 'dark'
  /** With the style of a printed page. */
  isPrinted?: boolean
  /** In CSS pixels; the height is that of the page. */
  width: number
  /** An expression that is true when the page has been drawn. */
  ready: string
  /** An expression that is evaluated then, as to open folds. */
  prepare?: string
}

/** What the browser shows. */
export interface Sight {
  /** A PNG of the whole page, at twice its size. */
  png: Buffer
  text: string
}

export interface Browser {
  look: (picture: Picture) => Promise<Sight>
  close: () => Promise<void>
}

const message = z.object({ id: z.number().optional(), result: z.unknown().optional(), error: z.unknown().optional() })
const evaluated = z.object({ result: z.object({ value: z.unknown() }) })
const PATIENCE_MS = 20_000

/** Starts a Chromium with a new profile; undefined when this machine has none. */
export async function startChromium(): Promise<Browser | undefined> {
  const profile = await mkdtemp(path.join(tmpdir(), 'chromium-'))
  for (const command of COMMANDS) {
    const child = spawn(command, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // What a browser that is killed leaves goes with its profile.
      env: { ...process.env, TMPDIR: profile },
    })
    const address = await debuggerOf(child)
    if (address === undefined) continue
    return {
      look: async (picture) => await look(address, picture),
      async close() {
        child.kill('SIGKILL')
        await once(child, 'exit')
        await rm(profile, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  }
  await rm(profile, { recursive: true, force: true })
  return undefined
}

/** The address that Chromium prints when it listens; undefined when it cannot be started. */
async function debuggerOf(child: ChildProcess): Promise<string | undefined> {
  return await new Promise((resolve) => {
    child.once('error', () => {
      resolve(undefined)
    })
    child.once('exit', () => {
      resolve(undefined)
    })
    if (child.stderr === null) return
    createInterface(child.stderr).on('line', (line) => {
      const address = /^DevTools listening on ws:\/\/([^/]+)\//.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
}

async function look(
  address: string,
  { url, scheme, isPrinted = false, width, ready, prepare }: Picture,
): Promise<Sight> {
  const target = z
    .object({ webSocketDebuggerUrl: z.string(), id: z.string() })
    .parse(await (await fetch(`http://${address}/json/new?about:blank`, { method: 'PUT' })).json())
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await once(socket, 'open')
  let last = 0
  const send = async (method: string, params: object): Promise<unknown> => {
    const id = ++last
    socket.send(JSON.stringify({ id, method, params }))
    const deadline = AbortSignal.timeout(PATIENCE_MS)
    for (;;) {
      const [event] = z.array(z.object({ data: z.string() })).parse(await once(socket, 'message', { signal: deadline }))
      const reply = message.parse(JSON.parse(event?.data ?? '{}'))
      if (reply.id !== id) continue
      if (reply.error !== undefined) throw new Error(`${method}: ${JSON.stringify(reply.error)}`)
      return reply.result
    }
  }
  const ask = async (expression: string): Promise<unknown> =>
    evaluated.parse(await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })).result
      .value
  try {
    await send('Emulation.setEmulatedMedia', {
      media: isPrinted ? 'print' : '',
      features: [{ name: 'prefers-color-scheme', value: scheme }],
    })
    await send('Emulation.setDeviceMetricsOverride', { width, height: 600, deviceScaleFactor: 2, mobile: false })
    await send('Page.navigate', { url })
    const deadline = performance.now() + PATIENCE_MS
    while ((await ask(`document.readyState === 'complete' && Boolean(${ready})`)) !== true) {
      if (performance.now() > deadline) throw new Error(`${url} was never drawn`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    if (prepare !== undefined) await ask(prepare)
    let height = 600
    // A page may draw only what is in view, and learns the height of the rest when it draws it.
    for (;;) {
      const whole = z.number().parse(await ask('document.documentElement.scrollHeight'))
      if (whole <= height) break
      height = whole
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 2, mobile: false })
      await ask('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    }
    const { data } = z
      .object({ data: z.string() })
      .parse(
        await send('Page.captureScreenshot', {
          format: 'png',
          captureBeyondViewport: true,
          clip: { x: 0, y: 0, width, height, scale: 1 },
        }),
      )
    const text = z.string().parse(await ask('document.body.innerText'))
    return { png: Buffer.from(data, 'base64'), text }
  } finally {
    socket.close()
    await fetch(`http://${address}/json/close/${target.id}`)
  }
}
