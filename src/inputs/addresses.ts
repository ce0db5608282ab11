import { isLoopback, isUnencrypted, userInfoOf, webAddressOf } from '../secrets/address.ts'
import { didYouMean } from './hint.ts'
import { type Parser, text, Unacceptable, withForm } from './parsers.ts'
import { refuseShownSecret } from './shown-text.ts'

/** The base address may have a path prefix. Plain http is accepted for loopback hosts, or with `allowHttp`. */
export function parseBaseUrl(given: string, allowHttp: boolean): URL {
  refuseUserInfo(given)
  const parse = (address: string): URL => parseBaseUrl(address, allowHttp)
  const url = readAddress(given, { what: BASE, example: 'https://host/api-host', parse })
  if (given.includes('?') || given.includes('#')) throw new Unacceptable('must not contain a query or a fragment')
  const version = /\/(v[12])(?=\/|$)/.exec(url.pathname)?.[1]
  if (version !== undefined)
    throw new Unacceptable(`must not contain /${version}: the action adds /v1 or /v2 to each path itself`)
  if (!allowHttp && isUnencrypted(url))
    throw new Unacceptable('must be https because it carries credentials; with allow-http: true, http is accepted')
  return url
}

const BASE = 'an address such as https://control-plane.example or https://host/api-host'

/** An address is printed and stored. An @ after a colon counts: it may be the end of a password. */
function refuseUserInfo(given: string): void {
  const found = userInfoOf(given)
  if (found === undefined || found.end === given.length) return
  throw new Unacceptable(`must not contain ${USER_INFO}`)
}

const USER_INFO = 'user info (a user name, a password or a token before an @); write an @ of a path or query as %40'

/** Refuses a password in an address, as {@link refuseUserInfo} does, and accepts a user name alone. */
export function refusePassword(given: string): void {
  if (userInfoOf(given)?.password !== undefined) refuseUserInfo(given)
}

/** What an address is for. `parse` accepts it: what it does not accept cannot be meant. */
interface AddressKind {
  what: string
  example: string
  parse: Parser<unknown>
}

/** An address with its scheme twice, as a variable that has one already makes it. */
const TWICE = /^https?:\/\/(?=https?:[\\/])/i
const WEB = /^(https?):([\\/]*)(?:([^\\/][^]*))?$/i

/** Reads an address of the web. A URL parser alone takes the path of `https:///path` for its host. */
function readAddress(given: string, kind: AddressKind): URL {
  const { what, example, parse } = kind
  const inner = given.replace(TWICE, '')
  if (inner !== given) throw new Unacceptable(`has its scheme twice${hintFor(inner, parse)}`)
  const [, scheme, slashes = '', rest = ''] = WEB.exec(given) ?? []
  if (scheme === undefined) throw new Unacceptable(`must be ${what}${hintFor(withScheme(given), parse)}`)
  if (slashes.length > 2 || /^(?:$|[?#:])/.test(rest))
    throw new Unacceptable(`has no host, as ${example} has one: ${LOOK_FOR_EMPTY}`)
  if (slashes !== '//') throw new Unacceptable(`must begin with ${scheme}://${hintFor(`${scheme}://${rest}`, parse)}`)
  const url = webAddressOf(given)
  if (url === undefined) throw new Unacceptable(`must be ${what}`)
  return url
}

const LOOK_FOR_EMPTY = 'look for a variable or an output that is empty'

/** The same with a scheme; '' if it has another one. */
function withScheme(given: string): string {
  const url = URL.parse(`http://${given}`)
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(given)) return ''
  if (given.startsWith('//')) return `https:${given}`
  return `${url !== null && isLoopback(url) ? 'http' : 'https'}://${given.replace(/^:\/\//, '')}`
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
    what: 'a web address, as in {url}/ok or https://agent.example/ok',
    pattern:
      /^(?=\{url\}|[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\\/?#:])(?!\{url\}&)(?!.*\{url\}(?![/?#&]|$))(?![Hh][Tt][Tt][Pp][Ss]?:\/\/\{url\})(?!.*\{(?!url\})\s*[Uu][Rr][Ll]\s*\})/,
  },
  readVerifyAddress,
)

function readVerifyAddress(given: string): string {
  refuseUserInfo(given)
  const spelled = given.replaceAll(OTHER_SPELLING, '{url}')
  if (spelled !== given) {
    const meant = spelled.replace(SCHEME_OF_URL, '')
    throw new Unacceptable(`must have {url} in small letters and without blanks${hintFor(meant, readVerifyAddress)}`)
  }
  if (CONTINUED_URL.test(given)) throw new Unacceptable('must have a /, ? or # after {url}, as in {url}/ok')
  const inner = given.replace(SCHEME_OF_URL, '')
  if (inner !== given)
    throw new Unacceptable(`must begin with {url}, which has a scheme${hintFor(inner, readVerifyAddress)}`)
  const isPath = /^\/(?!\/)/.test(given)
  if (isPath) throw new Unacceptable(`must be ${CHECKED}${hintFor(`{url}${given}`, readVerifyAddress)}`)
  const filled = given.replaceAll('{url}', 'https://deployment.example')
  readAddress(filled, { what: CHECKED, example: 'https://agent.example/ok', parse: readVerifyAddress })
  return text(given)
}

const CHECKED = 'a web address without user info, as in {url}/ok or https://agent.example/ok'

const ADDRESS = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\\/?#:]/

/** Takes a web address, which a plan shows. */
export const webAddress = withForm(
  { ...text.form, what: 'a web address, as in https://agent.example', pattern: ADDRESS },
  readWebAddress,
)

function readWebAddress(given: string): string {
  refuseUserInfo(given)
  refuseShownSecret(given)
  const example = 'https://agent.example'
  readAddress(given, { what: `a web address, as in ${example}`, example, parse: readWebAddress })
  return text(given)
}

/** `host:path`, of any host that ssh knows. One letter with a slash is a drive of Windows. */
const SCP_FORM = /^(?![A-Za-z]:[\\/])(?:[^\s@/:\\]+@)?(?:\[[^\]]*\]|[^\s@/:\\[\]]+):(?!\/\/)(.*)$/
const OTHER_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^\\/?#]*)(?:([\\/?#].*))?$/
const REPOSITORY = 'the address of a repository, as in https://github.com/acme/agent or git@github.com:acme/agent.git'

/** Parses a repository's address. A user name like that of `git@host:path` is accepted, but not with http. */
export const repositoryAddress = withForm(
  {
    ...text.form,
    what: REPOSITORY,
    pattern:
      /^(?![Hh][Tt][Tt][Pp][Ss]?:(?!\/\/[^\\/?#:]))(?![^?#]*[^:/?#]\/\/)(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\\/?#]|[^\s/\\]+:)/,
  },
  readRepositoryAddress,
)

function readRepositoryAddress(given: string): string {
  refusePassword(given)
  const url = URL.parse(given)
  if (url !== null && url.username !== '' && url.protocol.startsWith('http')) refuseUserInfo(given)
  refuseEmptyParts(given, pathOfRepository(given))
  return text(given)
}

function pathOfRepository(given: string): string {
  if (WEB.test(given)) {
    readAddress(given, { what: REPOSITORY, example: 'https://github.com/acme/agent', parse: readRepositoryAddress })
    return given.replace(/^[^:]*:\/\/[^/?#]*/, '')
  }
  const [, host, path = ''] = OTHER_SCHEME.exec(given) ?? []
  if (host === '' || host?.endsWith('@') === true)
    throw new Unacceptable(`has no host, as ssh://git@github.com/acme/agent has one: ${LOOK_FOR_EMPTY}`)
  if (host !== undefined) return path
  const [, scpPath] = SCP_FORM.exec(given) ?? []
  if (scpPath === '') throw new Unacceptable(`has no path behind its host: ${LOOK_FOR_EMPTY}`)
  if (scpPath !== undefined) return scpPath
  throw new Unacceptable(`must be ${REPOSITORY}${hintFor(repositoryMeant(given), readRepositoryAddress)}`)
}

/** The address that lacks its scheme; '' if none can be derived. */
function repositoryMeant(given: string): string {
  if (/^git@[^/:]+\/./.test(given)) return given.replace('/', ':')
  if (/^[\w-]+\/[\w.-]+$/.test(given)) return `https://github.com/${given}`
  return /^(?:\/\/|:\/\/)?[\w-]+(?:\.[\w-]+)*(?::\d+)?\/[^/]/.test(given) ? withScheme(given) : ''
}

/** Refuses an empty part before another one: a variable was empty. @param path what follows the host, at the end of the address */
function refuseEmptyParts(given: string, path: string): void {
  const [before = ''] = path.split(/[?#]/)
  if (!before.includes('//')) return
  const isWhole = before.split('/').filter((part) => part !== '').length > 1
  // A user name may be a token.
  const hasUser = given.replace('git@', '').includes('@')
  const plain = given.slice(0, given.length - path.length) + path.replaceAll(/\/{2,}/g, '/')
  const hint = isWhole && !hasUser ? hintFor(plain, readRepositoryAddress) : ''
  throw new Unacceptable(`has an empty part between two slashes: ${LOOK_FOR_EMPTY}${hint}`)
}
