import { tellDeprecation } from './catalogue/check.ts'
import type { ApiCall } from './api-call.ts'

export interface Remark {
  level: 'notice' | 'warning' | 'error'
  text: string
}

/** What is to be said of a route before anything is sent there. */
export function remarksOn({ found, method, path }: ApiCall, wallTime: number): Remark[] {
  switch (found.kind) {
    case 'unknown':
      return [{ level: 'notice', text: `${path} is no route of the known API; it is sent as it is.` }]
    case 'other-methods': {
      const known = [...new Set(found.methods)].join(', ')
      const text = `${path} is known for ${known}, not for ${method}; it is sent as it is.`
      return [{ level: 'notice', text }]
    }
    case 'known': {
      const { deprecated, separateHost } = found.route
      const remarks: Remark[] = []
      if (deprecated !== undefined) remarks.push(tellDeprecation(found.route, deprecated, wallTime))
      if (separateHost === true) {
        const text = `${method} ${path} stands on a host of its own: base-url has to be that one.`
        remarks.push({ level: 'notice', text })
      }
      return remarks
    }
  }
}
