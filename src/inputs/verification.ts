import * as accept from './parsers.ts'
import type { ProbeRequest } from '../control-plane/probe.ts'
import { parseOwnJson } from '../http/json.ts'
import type { ExpectedBody, Verification } from '../rollout/rollout-request.ts'
import { isUnencrypted, secretsOfText, webAddressOf } from '../secrets/address.ts'
import type { SecretEntries } from '../secrets/lines.ts'
import { isDistinctiveInside } from '../secrets/redact.ts'
import { didYouMean } from './hint.ts'
import type { InputReader } from './reader.ts'

export function readVerification(read: InputReader): Verification | undefined {
  const url = read.optional('verify-url')
  const request = readRequest(read)
  const isEncrypted = Object.keys(request.headers).length > 0 && !read.defaulted('allow-http')
  const address = url === undefined ? undefined : webAddressOf(url)
  if (isEncrypted && address !== undefined && isUnencrypted(address))
    read.refuse('verify-headers', 'needs a verify-url of https; with allow-http: true, http is accepted')
  const status = read.defaulted('verify-status')
  const contains = read.optional('verify-contains', expectedBody)
  const timeoutMs = read.defaulted('verify-timeout')
  const forMs = read.optional('verify-for')
  if (request.method === 'HEAD' && contains !== undefined)
    read.refuse('verify-contains', 'needs a verify-method other than HEAD, whose response has no body')
  if (read.isUnset('verify-url')) {
    if (forMs !== undefined) read.refuse('verify-for', 'needs verify-url', read.raw('verify-for').trim())
    for (const name of ['verify-headers', 'verify-body'] as const)
      if (!read.isUnset(name)) read.refuse(name, 'needs verify-url')
  }
  return url === undefined ? undefined : { url, request, isEncrypted, status, contains, timeoutMs, forMs }
}

function readRequest(read: InputReader): ProbeRequest {
  const method = read.defaulted('verify-method')
  const headers = read.list('verify-headers', parseHeaders) ?? {}
  const text = read.optional('verify-body', (given) => given)
  if (text === undefined) return { method, headers }
  if (method === 'GET' || method === 'HEAD')
    read.refuse('verify-body', 'needs a verify-method that sends a body: POST, PUT or PATCH')
  const { 'content-type': contentType, ...others } = headers
  const type = contentType ?? (parseOwnJson(text).ok ? 'application/json' : 'text/plain; charset=utf-8')
  return { method, headers: others, body: { type, text } }
}

/** Names, each after a `/`, then `=` and the value. Characters of addresses, pages and sentences are excluded. */
const POINTER = /^((?:\/(?:[^\s/=~?&#%"'<>]|~[01])+)+)=([^]+)$/

/** Reads a text, or a JSON pointer (RFC 6901) with a value, as in `/status=ok`. */
export const expectedBody: accept.Parser<ExpectedBody> = (literal) => {
  const [, pointer, value] = POINTER.exec(literal) ?? []
  refuseJsonPath(literal)
  if (pointer === undefined || value === undefined) return { text: literal }
  const names = pointer.split('/').slice(1)
  const path = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return { text: literal, at: { pointer, path, value } }
}

/** A path of other tools with a value: JSONPath, as in `$.ok=true`, which is no price, and a comparison of jq, as in `.ok == true`. */
const JSON_PATH = /^\$(?!\.\d)((?:\.[\w-]+|\[(?:\d+|"[^"]*"|'[^']*')\])+)\s*(?:(?:={1,3}|:)([^]*))?$/
const JQ_PATH = /^((?:\.[\w-]+|\[\d+\])+)\s*={2}([^]+)$/
const STEP_OF_PATH = /\.([\w-]+)|\[(?:(\d+)|"([^"]*)"|'([^']*)')\]/g

/** Refuses a path that this action would search for as a text. */
function refuseJsonPath(literal: string): void {
  const [, steps, value = ''] = JSON_PATH.exec(literal) ?? JQ_PATH.exec(literal) ?? []
  if (steps === undefined) return
  const names = [...steps.matchAll(STEP_OF_PATH)].map(([, ...forms]) => forms.join(''))
  const pointer = names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  const meant = `${pointer}=${value.trim().replace(/^(["'])([^]*)\1$/, '$2') || 'value'}`
  const hint = POINTER.test(meant) ? didYouMean(meant) : '.'
  throw new accept.Unacceptable(
    `must be a text, or a JSON pointer with a value, as in /ok=true${hint} To find this very text, set a part of it that does not begin so`,
  )
}

/** Lists the lines `Name: value` of a text, correct or not. A manifest may have listed them already. */
export function headerEntries(headers: string | SecretEntries): SecretEntries {
  if (typeof headers !== 'string') return headers
  const entries = headers.split(/\r\n?|\n/).flatMap((line, index) => {
    const [name = '', ...rest] = line.trim().split(':')
    const value = rest.length === 0 ? undefined : rest.join(':').trim()
    return name === '' && value === undefined ? [] : [{ name, value, at: index + 1 }]
  })
  return { unit: 'line', entries, mistakes: [] }
}

export const HEADER_VALUE = /^[\x20-\x7e\t]*$/

/** Headers that the connection needs, or that belong to a proxy. */
const OF_NETWORK =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|accept-encoding|http2-settings|proxy-.*)$/i

/** The scheme of credentials alone, without credentials. */
const SCHEME = /^(?:basic|bearer|token|apikey)$/i

/**
 * Parses the headers of a check. Their names become lower case. No message contains a value, nor a name of a text: a
 * later line of a secret may look like a header.
 */
export function parseHeaders(headers: string | SecretEntries): Record<string, string> {
  const { unit, entries } = headerEntries(headers)
  const wrong = entries.flatMap(({ name, value, at }) => {
    const isSound = accept.HEADER_NAME.test(name) && value !== undefined && HEADER_VALUE.test(value.trim())
    if (isSound) return []
    const isAssigned = /^[A-Za-z][\w-]*\s*=/.test(name)
    // An example may be what the user has written, which is masked.
    const form = isAssigned ? 'write Name: value, with a colon in place of =' : 'write Name: value'
    return [`has no header in ${unit} ${at}: ${form}, where the value is one line of ASCII`]
  })
  if (wrong.length > 0) throw new accept.Unacceptable(...wrong)
  const pairs = entries.map(({ value = '', ...header }) => ({ ...header, value: value.trim() }))
  const messages = pairs.flatMap((pair) => {
    const { name, value, at } = pair
    const first = pairs.find((other) => other.name.toLowerCase() === name.toLowerCase()) ?? pair
    const [which, both] = unit === 'line' ? [`line ${at}`, `in lines ${first.at} and ${at}`] : [name, `as ${name}`]
    const mistakes = [
      OF_NETWORK.test(name) && `must not set ${which}: the network sets this header itself`,
      (value === '' || SCHEME.test(value)) &&
        `has an empty value in ${which}: look for a typo in the name of the workflow's secret, and for a run of Dependabot or from a fork, which gets no secrets`,
      first !== pair && `sets a header twice, ${both}`,
    ]
    return mistakes.filter((message) => message !== false)
  })
  if (messages.length > 0) throw new accept.Unacceptable(...messages)
  return Object.fromEntries(pairs.map(({ name, value }) => [name.toLowerCase(), value]))
}

/** Lists the texts of headers that must be masked: each value, and the credential in it, which a server may repeat alone. */
export function secretsOfHeaders(headers: string | SecretEntries): string[] {
  return headerEntries(headers).entries.flatMap(({ name, value = name }) => {
    const [, scheme = '', credential = ''] = /^([\w-]+)\s+(\S+)$/.exec(value.trim()) ?? []
    const login = scheme.toLowerCase() === 'basic' ? Buffer.from(credential, 'base64').toString('utf8') : ''
    const cookies =
      name.toLowerCase() === 'cookie' ? value.split(';').map((one) => one.slice(one.indexOf('=') + 1)) : []
    const parts = [credential, login, login.slice(login.indexOf(':') + 1), ...cookies]
    return [value, ...parts].map((part) => part.trim()).filter((part) => part !== '')
  })
}

const JSON_STRING = /"((?:[^"\\]|\\[^])*)"\s*(:?)/g
/** Names of fields whose value is a secret, whatever it looks like. */
const SECRET_NAME = /key|token|secret|passw|credential|auth|session/i

/**
 * Lists what must be masked of a body: strings of JSON, values of a form and lines of a text that look like a secret, or
 * whose name says that they are one. Common words are none: their masks would hide names and addresses of the job.
 */
export function secretsOfBody(body: string): string[] {
  const text = body.trim()
  const isData = /^[[{"]/.test(text)
  const fields = isData ? [] : [...new URLSearchParams(text), ...text.split(/\r\n?|\n/).map((line) => ['', line])]
  let name = ''
  for (const [, content = '', colon] of text.matchAll(JSON_STRING)) {
    const json = parseOwnJson(`"${content}"`)
    if (colon === '') fields.push([name, content], [name, json.ok ? String(json.value) : ''])
    name = colon === '' ? name : content
  }
  const secret = fields.filter(([field = '', value = '']) => SECRET_NAME.test(field) || isDistinctiveInside(value))
  return [...secret.map(([, value = '']) => value), ...secretsOfText(text)].filter((one) => one !== '')
}
