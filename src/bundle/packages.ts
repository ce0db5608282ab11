/** Replaces packages in the bundle that nothing needs and that take time to load (see "paths" in src/tsconfig.json). */

/**
 * Replaces undici, as @actions/github imports it: it would take a third of the time to the first request. The constructor
 * does not throw: behind a proxy, @actions/github calls it when it is loaded, for a `fetch` that no request uses.
 */
export class ProxyAgent {
  options: unknown

  constructor(options: unknown) {
    this.options = options
  }
}

export async function fetch(): Promise<never> {
  return await Promise.reject(new Error('This action sends its requests by node:http'))
}

/** Replaces @actions/exec, by which @actions/core describes the platform: Node would load all that starts processes. */
export async function getExecOutput(): Promise<never> {
  return await Promise.reject(new Error('This action starts no process by @actions/exec'))
}
