/**
 * Replaces undici in the bundle (see "paths" beside this folder in tsconfig.json). @actions/http-client and
 * @actions/github import it at once, and evaluating it would take a third of the time to the first request; yet only
 * requests to GitHub through a proxy need it. Those load it when they are made.
 */
export class ProxyAgent {
  options: unknown
  #real: Promise<object> | undefined

  constructor(options: unknown) {
    this.options = options
  }

  async dispatcher(): Promise<object> {
    return await (this.#real ??= createAgent(this.options))
  }
}

async function createAgent(options: unknown): Promise<object> {
  const undici = await import('undici/index.js')
  const agent: unknown = Reflect.construct(undici.ProxyAgent, [options])
  if (typeof agent !== 'object' || agent === null) throw new Error('undici has no ProxyAgent')
  return agent
}

export async function fetch(url: string, init: RequestInit & { dispatcher?: unknown }): Promise<unknown> {
  const { dispatcher, ...rest } = init
  if (!(dispatcher instanceof ProxyAgent)) return await globalThis.fetch(url, rest)
  const undici = await import('undici/index.js')
  const answer: unknown = Reflect.apply(undici.fetch, undefined, [
    url,
    { ...rest, dispatcher: await dispatcher.dispatcher() },
  ])
  return await answer
}
