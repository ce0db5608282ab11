import { isLoopback, isUnencrypted, userInfoOf, webAddressOf } from '../secrets/address.ts'
import { didYouMean } from './hint.ts'
import { type Parser, text, Unacceptable, withForm } from './parsers.ts'
import { refuseShownSecret } from './shown-text.ts'

/** The base address may have a path prefix. Plain http is accepted for loopback hosts, or with `allowHttp`. */
export function parseBaseUrl(address: string, allowHttp: boolean): URL {
  refuseUserInfo(address)
  const parse = (candidate: string): URL => parseBaseUrl(candidate, allowHttp)
  const url = readAddress(address, { description: BASE, example: 'https://host/api-host', parse })
  if (address.includes('?') || address.includes('#')) throw new Unacceptable('must not contain a query or a fragment')
  const version = /\/(v[12])(?=\/|$)/.exec(url.pathname)?.[1]
  if (version !== undefined)
    throw new Unacceptable(`must not contain /${version}: the action adds /v1 or /v2 to each path itself`)
  if (!allowHttp && isUnencrypted(url))
    throw new Unacceptable('must be https because it carries credentials; with allow-http: true, http is accepted')
  return url
}

const BASE = 'an address such as https://control-plane.example or https://host/api-host'

/** An address is printed and stored. An @ after a colon counts: it may be the end of a password. */
function refuseUserInfo(address: string): void {
  const userInfo = userInfoOf(address)
  if (userInfo === undefined || userInfo.end === address.length) return
  throw new Unacceptable(`must not contain ${USER_INFO}`)
}

const USER_INFO = 'user info (a user name, a password or a token before an @); write an @ of a path or query as %40'

/** Refuses a password in an address, as {@link refuseUserInfo} does, and accepts a user name alone. */
export function refusePassword(address: string): void {
  if (userInfoOf(address)?.password !== undefined) refuseUserInfo(address)
}

/** The use of an address. A hint must pass `parse`: an address that is refused cannot be meant. */
interface AddressKind {
  description: string
  example: string
  parse: Parser<unknown>
}

/** An address with its scheme twice, as a variable that has one already makes it. */
const TWICE = /^https?:\/\/(?=https?:[\\/])/i
const WEB = /^(https?):([\\/]*)(?:([^\\/][^]*))?$/i

/** Reads an address of the web. A URL parser alone takes the path of `https:///path` for its host. */
function readAddress(address: string, kind: AddressKind): URL {
  const { description, example, parse } = kind
  const inner = address.replace(TWICE, '')
  if (inner !== address) throw new Unacceptable(`has its scheme twice${hintFor(inner, parse)}`)
  const [, scheme, slashes = '', rest = ''] = WEB.exec(address) ?? []
  if (scheme === undefined) throw new Unacceptable(`must be ${description}${hintFor(withScheme(address), parse)}`)
  if (slashes.length > 2 || /^(?:$|[?#:])/.test(rest))
    throw new Unacceptable(`has no host, as ${example} has one: ${LOOK_FOR_EMPTY}`)
  if (slashes !== '//') throw new Unacceptable(`must begin with ${scheme}://${hintFor(`${scheme}://${rest}`, parse)}`)
  const url = webAddressOf(address)
  if (url === undefined) throw new Unacceptable(`must be ${description}`)
  return url
}

const LOOK_FOR_EMPTY = 'look for a variable or an output that is empty'

/** Adds a scheme to an address without one. Returns '' if it has another scheme. */
function withScheme(address: string): string {
  const url = URL.parse(`http://${address}`)
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(address)) return ''
  if (address.startsWith('//')) return `https:${address}`
  return `${url !== null && isLoopback(url) ? 'http' : 'https'}://${address.replace(/^:\/\//, '')}`
}

/** @param address '' if none can be derived */
function hintFor(address: string, parse: Parser<unknown>): string {
  return didYouMean(address !== '' && accepts(address, parse) ? address : undefined)
}

function accepts(address: string, parse: Parser<unknown>): boolean {
  try {
    parse(address)
    return true
  } catch (thrown) {
    if (!(thrown instanceof Unacceptable)) throw thrown
    return false
  }
}

/** A `{url}` that the rest of the address would change: its host, or the last part of its path. In a query, `&` ends it. */
const CONTINUED_URL = /^\{url\}&|\{url\}(?![/?#&]|$)/
/** `{url}` in capitals or with blanks, in which nothing would be replaced. */
const OTHER_SPELLING = /\{(?!url\})\s*[Uu][Rr][Ll]\s*\}/g
/** The deployment's URL has a scheme of its own. */
const SCHEME_OF_URL = /^https?:[\\/]+(?=\{url\})/i

/** Parses a web address, in which `{url}` is replaced by the deployment's URL. */
export const verifyAddress = withForm(
  {
    description: 'a web address, as in {url}/ok or https://agent.example/ok',
    pattern:
      /^(?=\{url\}|[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\\/?#:])(?!\{url\}&)(?!.*\{url\}(?![/?#&]|$))(?![Hh][Tt][Tt][Pp][Ss]?:\/\/\{url\})(?!.*\{(?!url\})\s*[Uu][Rr][Ll]\s*\})/,
  },
  readVerifyAddress,
)

function readVerifyAddress(address: string): string {
  refuseUserInfo(address)
  const spelled = address.replaceAll(OTHER_SPELLING, '{url}')
  if (spelled !== address) {
    const meant = spelled.replace(SCHEME_OF_URL, '')
    throw new Unacceptable(`must have {url} in small letters and without blanks${hintFor(meant, readVerifyAddress)}`)
  }
  if (CONTINUED_URL.test(address)) throw new Unacceptable('must have a /, ? or # after {url}, as in {url}/ok')
  const inner = address.replace(SCHEME_OF_URL, '')
  if (inner !== address)
    throw new Unacceptable(`must begin with {url}, which has a scheme${hintFor(inner, readVerifyAddress)}`)
  const isPath = /^\/(?!\/)/.test(address)
  if (isPath) throw new Unacceptable(`must be ${CHECKED}${hintFor(`{url}${address}`, readVerifyAddress)}`)
  const filled = address.replaceAll('{url}', 'https://deployment.example')
  readAddress(filled, { description: CHECKED, example: 'https://agent.example/ok', parse: readVerifyAddress })
  return text(address)
}

const CHECKED = 'a web address without user info, as in {url}/ok or https://agent.example/ok'

const ADDRESS = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\\/?#:]/

/** Takes a web address, which a plan shows. */
export const webAddress = withForm(
  { ...text.form, description: 'a web address, as in https://agent.example', pattern: ADDRESS },
  readWebAddress,
)

function readWebAddress(address: string): string {
  refuseUserInfo(address)
  refuseShownSecret(address)
  const example = 'https://agent.example'
  readAddress(address, { description: `a web address, as in ${example}`, example, parse: readWebAddress })
  return text(address)
}

/** `host:path`, of any host that ssh knows. One letter with a slash is a drive of Windows. */
const SCP_FORM = /^(?![A-Za-z]:[\\/])(?:[^\s@/:\\]+@)?(?:\[[^\]]*\]|[^\s@/:\\[\]]+):(?!\/\/)(.*)$/
const OTHER_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^\\/?#]*)(?:([\\/?#].*))?$/
const REPOSITORY = 'the address of a repository, as in https://github.com/acme/agent or git@github.com:acme/agent.git'

/** Parses a repository's address. A user name like that of `git@host:path` is accepted, but not with http. */
export const repositoryAddress = withForm(
  {
    ...text.form,
    description: REPOSITORY,
    pattern:
      /^(?![Hh][Tt][Tt][Pp][Ss]?:(?!\/\/[^\\/?#:]))(?![^?#]*[^:/?#]\/\/)(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\\/?#]|[^\s/\\]+:)/,
  },
  readRepositoryAddress,
)

function readRepositoryAddress(address: string): string {
  refusePassword(address)
  const url = URL.parse(address)
  if (url !== null && url.username !== '' && url.protocol.startsWith('http')) refuseUserInfo(address)
  refuseEmptyParts(address, pathOfRepository(address))
  return text(address)
}

function pathOfRepository(address: string): string {
  if (WEB.test(address)) {
    readAddress(address, {
      description: REPOSITORY,
      example: 'https://github.com/acme/agent',
      parse: readRepositoryAddress,
    })
    return address.replace(/^[^:]*:\/\/[^/?#]*/, '')
  }
  const [, host, path = ''] = OTHER_SCHEME.exec(address) ?? []
  if (host === '' || host?.endsWith('@') === true)
    throw new Unacceptable(`has no host, as ssh://git@github.com/acme/agent has one: ${LOOK_FOR_EMPTY}`)
  if (host !== undefined) return path
  const [, scpPath] = SCP_FORM.exec(address) ?? []
  if (scpPath === '') throw new Unacceptable(`has no path behind its host: ${LOOK_FOR_EMPTY}`)
  if (scpPath !== undefined) return scpPath
  throw new Unacceptable(`must be ${REPOSITORY}${hintFor(repositoryMeant(address), readRepositoryAddress)}`)
}

/** Returns the address with the scheme that it lacks; '' if none can be derived. */
function repositoryMeant(address: string): string {
  if (/^git@[^/:]+\/./.test(address)) return address.replace('/', ':')
  if (/^[\w-]+\/[\w.-]+$/.test(address)) return `https://github.com/${address}`
  return /^(?:\/\/|:\/\/)?[\w-]+(?:\.[\w-]+)*(?::\d+)?\/[^/]/.test(address) ? withScheme(address) : ''
}

/** Refuses an empty part before another one: a variable was empty. @param path the end of the address, behind its host */
function refuseEmptyParts(address: string, path: string): void {
  const [before = ''] = path.split(/[?#]/)
  if (!before.includes('//')) return
  const isWhole = before.split('/').filter((part) => part !== '').length > 1
  // A user name may be a token.
  const hasUser = address.replace('git@', '').includes('@')
  const plain = address.slice(0, address.length - path.length) + path.replaceAll(/\/{2,}/g, '/')
  const hint = isWhole && !hasUser ? hintFor(plain, readRepositoryAddress) : ''
  throw new Unacceptable(`has an empty part between two slashes: ${LOOK_FOR_EMPTY}${hint}`)
}
