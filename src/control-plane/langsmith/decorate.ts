import { isBloated, parseJson } from '../../http/json.ts'
import { MAX_VALUES } from '../../http/limits.ts'
import { BLOATED, broken } from '../answer.ts'
import type { Transport } from '../transport.ts'
import { hintFor } from './hints.ts'
import { contractAnswer, hasNames, placeInAnswer, publicPath, publicRequest } from './translate.ts'

/**
 * Returns a transport that speaks with the public service, for callers that speak the contract. A text of the service,
 * like that of an error, stays as it is.
 */
export function translating(transport: Transport): Transport {
  const words = { path: publicPath, place: placeInAnswer }
  return {
    ...transport,
    words,
    within: (deadline) => translating(transport.within(deadline)),
    async send(request) {
      const response = await transport.send(publicRequest({ ...request, hintFor: hintFor(request) }))
      if (!hasNames(request)) return response
      const json = parseJson(response.body)
      // The caller reports what is no JSON.
      if (!json.ok) return response
      // JSON.stringify recurses: it takes less depth than JSON.parse does.
      if (isBloated(response.body, MAX_VALUES)) throw broken({ ...transport, words }, request, BLOATED)
      return { ...response, body: JSON.stringify(contractAnswer(request, json.value)) }
    },
  }
}
