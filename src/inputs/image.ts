import { shortRef } from '../secrets/text.ts'
import { refusePassword } from './addresses.ts'
import { didYouMean } from './hint.ts'
import { type Form, text, Unacceptable, withForm } from './parsers.ts'

const COMPONENT = '[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*'
const DOMAIN = '[A-Za-z0-9]+(?:(?:\\.|-+)[A-Za-z0-9]+)*'
/** The first part is a host only if it has a `.` or a port, or is `localhost`. */
const HOST = `(?:localhost|(?=[^/]*[.:])${DOMAIN}|\\[[0-9A-Fa-f:.]+\\])(?::\\d+)?`
const TAG = '\\w[\\w.-]{0,127}'
const IS_TAG = new RegExp(`^${TAG}$`)
const OTHER_ALGORITHM = '(?![Ss][Hh][Aa](?:256|512):)[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*'
const DIGEST = `(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}|${OTHER_ALGORITHM}:[0-9A-Fa-f]{32,})`
const IS_DIGEST = new RegExp(`^${DIGEST}$`)
/** A user name for the registry, which a service may take. */
const USER = '[^\\s@:/,]+@(?=[^@]*/)'
const HAS_USER = new RegExp(`^${USER}`)
const EMPTY = '(?:null|undefined)'
/** The id of a local image, or a digest without its image. */
const ALONE = '(?:sha\\d+:)?(?:[0-9a-f]{64}|[0-9a-f]{128})'
const IS_ALONE = new RegExp(`^${ALONE}$`)

/** The words that an empty output of a workflow or of a script becomes. */
const NOTHING = '(?:null|undefined|None)'
const IS_NOTHING = new RegExp(`^${NOTHING}$`)

/** An image reference as registries take it, except the words that an empty output becomes. */
const IMAGE = new RegExp(
  `^(?!${ALONE}$)(?!${NOTHING}$)(?=(?:${USER})?(?:${HOST}/)?${COMPONENT}(?:/${COMPONENT})*(?::(?!${EMPTY}(?:@|$))${TAG})?(?:@${DIGEST})?$)`,
)

const FORM: Form = {
  ...text.form,
  description: 'an image, as in registry.example/agent:1 or registry.example/agent@sha256:… (64 hexadecimal digits)',
  pattern: IMAGE,
}

export const imageReference = withForm(FORM, (reference) => {
  const isImage = IMAGE.test(reference)
  const hasUser = HAS_USER.test(reference)
  if (isImage && !hasUser) return text(reference)
  // Before an empty end, an @ and a colon are no sign of a password.
  if (EMPTY_END.test(reference)) throw new Unacceptable(EMPTY_DIGEST)
  if (!DIGEST_END.test(reference)) refusePassword(reference)
  if (isImage) return text(reference)
  const meant = repaired(reference)
  // A user name may be a token.
  const isSafe = !IS_NOTHING.test(reference) && IMAGE.test(meant) && !hasUser && !HAS_USER.test(meant)
  throw new Unacceptable(describeMistake(reference) + didYouMean(isSafe ? meant : undefined))
})

interface ImageParts {
  /** The host with the `/` behind it; '' if there is none. */
  host: string
  path: string
  tag: string | undefined
  digest: string | undefined
}

/** A branch as a tag has a `/`, too: what is no port does not belong to a host. */
const HOST_PART = /^(?:localhost|(?=[^/:]*\.)[^/:]+|[^/:]+(?=:\d+\/)|\[[^\]/]*\])(?::\d+)?\//

function splitReference(reference: string): ImageParts {
  const [name = '', ...digest] = reference.split('@')
  const [host = ''] = HOST_PART.exec(name) ?? []
  const [path = '', ...tag] = name.slice(host.length).split(':')
  return { host, path, tag: joined(tag, ':'), digest: joined(digest, '@') }
}

function joined(parts: readonly string[], sign: string): string | undefined {
  return parts.length === 0 ? undefined : parts.join(sign)
}

const SCHEME = /^(?:[A-Za-z][A-Za-z0-9+.-]*:[\\/]{2,}|(?:https?|docker|oci):[\\/]+)/
const QUOTED = /^(['"`])(.*)\1$/s
const JSON_LIST = /^\[\s*(?:["'\]]|$)/
const EMPTY_END = /^[^@]*@(?:[A-Za-z0-9+._-]+:)?(?:null|undefined)?$/
const DIGEST_END = /^[^@]*@(?:sha\d+:[^@/]*|[0-9a-f]{64})$/i
const EMPTY_WORD = new RegExp(`^${EMPTY}?$`)

/** Words the mistake, as the end of a sentence that begins with the input. */
function describeMistake(reference: string): string {
  if (IS_NOTHING.test(reference)) return `is what an empty output becomes: ${LOOK_FOR_TYPO}`
  if (isList(reference)) return LIST
  if (QUOTED.test(reference)) return 'is in quotes, which are no part of an image'
  if (SCHEME.test(reference)) return 'must be an image without a scheme, as in registry.example/agent:1'
  if (IS_ALONE.test(reference)) return 'is a digest alone: write it behind its image, as in agent@sha256:…'
  return mistakeOfParts(splitReference(reference)) ?? `must be ${FORM.description}`
}

function mistakeOfParts({ path, tag, digest }: ImageParts): string | undefined {
  if (tag !== undefined && EMPTY_WORD.test(tag))
    return `has an empty tag${tag === '' ? '' : ` (${tag})`}: ${OF_OUTPUT}${tag === '' ? '' : BY_DIGEST}`
  if (path.split('/').includes('') || tag?.startsWith('/') === true)
    return `has an empty part before or behind a /: ${OF_OUTPUT}`
  if (tag?.includes('/') === true) return 'has a / in its tag, as a branch has one and no tag may'
  if (path !== path.toLowerCase()) return 'has capitals in its path, which only a host and a tag may have'
  if (digest !== undefined && !IS_DIGEST.test(digest))
    return 'has a digest of another form than sha256: and 64 hexadecimal digits in small letters'
  if (tag !== undefined && !IS_TAG.test(tag))
    return 'has a tag that is none: a tag has at most 128 letters, digits, _ . and -, and begins with none of . and -'
  return undefined
}

const LOOK_FOR_TYPO = "look for a typo in the name of the workflow's output or variable"
const OF_OUTPUT = `${LOOK_FOR_TYPO}, which is empty then`
const EMPTY_DIGEST = `has an empty digest: ${OF_OUTPUT}`
const BY_DIGEST = '; an image that really has this tag can be set by its digest'
const LIST =
  'must be one image, without blanks, commas and line breaks: of a list of tags set one, as in ${{ fromJSON(steps.meta.outputs.json).tags[0] }}'

function isList(reference: string): boolean {
  return JSON_LIST.test(reference) || /[\s,]/.test(reference.replace(QUOTED, '$2'))
}

/** Returns the image that was probably meant. Parts that cannot be repaired stay. */
function repaired(reference: string): string {
  const listed = isList(reference)
    ? reference.split(/[\s,[\]]+/).map((item) => item.replace(QUOTED, '$2'))
    : [reference]
  const items = listed.filter((item) => item !== '')
  const [only = ''] = items
  if (items.length !== 1) return reference
  const { host, path, tag, digest } = splitReference(only.replace(QUOTED, '$2').replace(SCHEME, ''))
  const name = host + path.toLowerCase()
  // A digest behind a colon, or without its algorithm. Another text behind an @ may follow a token.
  if (tag !== undefined && digest === undefined && /^sha\d+:/.test(tag)) return `${name}@${tag}`
  const plainTag = tag && shortRef(tag).replace(/[/+]+/g, '-')
  const wholeDigest = digest?.toLowerCase().replace(/^(?=[0-9a-f]{64}$)/, 'sha256:')
  return `${name}${plainTag === undefined ? '' : `:${plainTag}`}${wholeDigest === undefined ? '' : `@${wholeDigest}`}`
}
