import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { bits, type Der, identifier, integer, numbered, octets, sequence, set, text, time, yes } from './der.ts'

export interface Certificates {
  /** The certificate of the CA, as PEM. No system trusts it. */
  ca: string
  /** The certificate of a server, signed by that CA. */
  certificate: string
  key: string
}

interface Party {
  name: string
  publicKey: KeyObject
  privateKey: KeyObject
}

const HOUR_MS = 3_600_000

// Object identifiers (RFC 5280 and RFC 5758), as hex.
const COMMON_NAME = identifier('550403')
const SUBJECT_KEY = identifier('551d0e')
const KEY_USAGE = identifier('551d0f')
const SUBJECT_NAMES = identifier('551d11')
const BASIC_CONSTRAINTS = identifier('551d13')
const AUTHORITY_KEY = identifier('551d23')
const ECDSA_WITH_SHA256 = sequence(identifier('2a8648ce3d040302'))

/**
 * Creates a private CA and a server's certificate, for a day. Writes that of the CA to `ca.pem` in the folder.
 * @param names those of the server, as `DNS:host` or `IP:127.0.0.1`
 */
export function makeCertificates(folder: string, names: readonly string[]): Certificates {
  const [authority, server] = [aParty('A private CA'), aParty('control plane')]
  const ca = certificateOf(authority, authority, [
    critical(BASIC_CONSTRAINTS, sequence(yes)),
    // The bit "may sign certificates".
    critical(KEY_USAGE, bits(Buffer.from([0x04]), 2)),
  ])
  writeFileSync(path.join(folder, 'ca.pem'), ca)
  return {
    ca,
    certificate: certificateOf(server, authority, [extension(SUBJECT_NAMES, sequence(...names.map(subjectName)))]),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function aParty(name: string): Party {
  return { name, ...generateKeyPairSync('ec', { namedCurve: 'prime256v1' }) }
}

/** The certificate of the subject as PEM, signed by the issuer. */
function certificateOf(subject: Party, issuer: Party, extensions: readonly Der[]): string {
  const now = Date.now()
  const content = sequence(
    // Version 3.
    numbered(0, true, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    sequence(time(new Date(now - HOUR_MS)), time(new Date(now + 24 * HOUR_MS))),
    nameOf(subject),
    publicKeyOf(subject),
    numbered(
      3,
      true,
      sequence(
        ...extensions,
        extension(SUBJECT_KEY, octets(keyIdOf(subject))),
        extension(AUTHORITY_KEY, sequence(numbered(0, false, keyIdOf(issuer)))),
      ),
    ),
  )
  const whole = sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, issuer.privateKey)))
  const lines = whole.toString('base64').replace(/.{1,64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`
}

const nameOf = ({ name }: Party): Der => sequence(set(sequence(COMMON_NAME, text(name))))
const publicKeyOf = ({ publicKey }: Party): Der => publicKey.export({ type: 'spki', format: 'der' })
const keyIdOf = (party: Party): Buffer => createHash('sha1').update(publicKeyOf(party)).digest()

const extension = (id: Der, value: Der): Der => sequence(id, octets(value))
const critical = (id: Der, value: Der): Der => sequence(id, yes, octets(value))

/** A name in the certificate of a server. */
function subjectName(name: string): Der {
  const [kind, value = ''] = name.split(':')
  return kind === 'IP'
    ? numbered(7, false, Buffer.from(value.split('.').map(Number)))
    : numbered(2, false, Buffer.from(value))
}
