/**
 * Replaces @actions/http-client in the bundle (see "paths" beside this folder in tsconfig.json), but not its rules for
 * proxies. @actions/github asks it for an agent when it is loaded, and with it Node would load TLS for an address of
 * plain http, too. No request needs that agent: octokit sends all of them by the network of the run.
 */
export class HttpClient {
  getAgent(): undefined {
    return undefined
  }

  getAgentDispatcher(): undefined {
    return undefined
  }
}
