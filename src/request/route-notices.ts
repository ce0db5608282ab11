import { tellDeprecation } from './catalogue/check.ts'
import type { ApiCall } from './api-call.ts'

export interface RouteNotice {
  level: 'notice' | 'warning' | 'error'
  text: string
}

/** What the user should know of a route before the request is sent. */
export function routeNotices({ found, method, path }: ApiCall, wallTime: number): RouteNotice[] {
  switch (found.kind) {
    case 'unknown':
      return [
        { level: 'notice', text: `${path} is not a known route of the API. The request is sent as it is.` },
      ]
    case 'other-methods': {
      const known = [...new Set(found.methods)].join(', ')
      const text = `${path} is known for ${known}, not for ${method}. The request is sent as it is.`
      return [{ level: 'notice', text }]
    }
    case 'known': {
      const { deprecated, separateHost } = found.route
      const notices: RouteNotice[] = []
      if (deprecated !== undefined) notices.push(tellDeprecation(found.route, deprecated, wallTime))
      if (separateHost === true) {
        const text = `${method} ${path} is served by a separate host: base-url must be that host.`
        notices.push({ level: 'notice', text })
      }
      return notices
    }
  }
}
