/** The operation request, with the catalogue of routes. */
export { readApiCall } from '../inputs/request/read-request.ts'
export { request } from '../request/request.ts'
