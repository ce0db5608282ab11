/**
 * Stands in for undici in the bundle (see "paths" beside this folder in tsconfig.json). @actions/http-client imports it
 * only for requests by `fetch` through a proxy, which nothing here makes; its own requests go through proxies without.
 * Evaluating the real one would take a third of the time to the first request.
 */
export function ProxyAgent(): never {
  throw new Error('undici is not part of this bundle')
}
