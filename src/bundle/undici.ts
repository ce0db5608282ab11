/**
 * Replaces undici in the bundle (see "paths" beside this folder in tsconfig.json). @actions/github imports it,
 * and evaluating it would take a third of the time to the first request. No request needs it:
 * `http/` sends those to the control plane, and those to GitHub as well.
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
