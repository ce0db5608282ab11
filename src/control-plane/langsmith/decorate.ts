import { parseJson } from '../../http/json.ts'
import type { Transport } from '../transport.ts'
import { hintFor } from './hints.ts'
import { contractAnswer, hasNames, publicRequest } from './translate.ts'

/**
 * Returns a transport that speaks with the public service, for callers that speak the contract. A text of the service,
 * like that of an error, stays as it is.
 */
export function translating(transport: Transport): Transport {
  return {
    ...transport,
    within: (deadline) => translating(transport.within(deadline)),
    async send(request) {
      const response = await transport.send(publicRequest({ ...request, hintFor: hintFor(request) }))
      if (!hasNames(request)) return response
      const json = parseJson(response.body)
      // The caller reports what is no JSON.
      return json.ok ? { ...response, body: JSON.stringify(contractAnswer(request, json.value)) } : response
    },
  }
}
