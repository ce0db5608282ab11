import { secretsOfAddress, withoutUserInfo } from './address.ts'

/** The digest of an image, of any algorithm. An @ precedes it, as one ends a login. */
const DIGEST = /@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}$/

/** Returns an image as it may be shown: a service may take a login before its host. */
export function withoutLogin(image: string): string {
  const name = image.replace(DIGEST, '')
  return withoutUserInfo(name) + image.slice(name.length)
}

/** Lists what must be masked of an image: the password of its login, and a user name that may be a token. */
export function secretsOfImage(image: string): string[] {
  return secretsOfAddress(image.replace(DIGEST, ''))
}
