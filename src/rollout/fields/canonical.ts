import { type Field, idKey } from '../../control-plane/model.ts'
import { shortRef, withoutEnd } from '../../secrets/text.ts'
import { repositoryPath } from './repository-path.ts'

/**
 * The canonical form of a text: two texts of a field mean the same if their canonical forms are equal. That of a resource
 * spec is `canonicalSpec`, in `sources/resource-spec/fields.ts`.
 */
export function canonicalText(field: Field, text: string): string {
  switch (field) {
    case 'customUrl': {
      const trimmed = text.trim()
      // A service may add a slash at the end, or write the host in lower case.
      return withoutEnd(URL.parse(trimmed)?.href ?? trimmed, '/')
    }
    case 'repoUrl': {
      const path = repositoryPath(text)
      return path === undefined ? text.trim().toLowerCase() : `https://${path}`
    }
    case 'appConfigPath':
      return withoutDotSlash(text)
    case 'installCommand':
    case 'buildCommand':
      return text.trim()
    case 'integrationId':
    case 'listenerId':
      return idKey(text)
    default:
      return text
  }
}

/** The canonical form of a text in which a service may also have changed the blanks. */
export function singleSpaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

/** Reduces a ref, a path or an address to the part that is the same in each form that a service may give it. */
export function withoutServiceForm(text: string): string {
  return withoutEnd(shortRef(withoutDotSlash(text.trim())), '/')
}

/** A `./` before a path makes no difference. */
function withoutDotSlash(path: string): string {
  return path.replace(/^(?:\.\/+)+/, '')
}
