import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { makeCertificates } from '../../scripts/act/certificates.ts'
import { folderWith } from '../folders.ts'

const folder = folderWith()
const made = makeCertificates(folder, ['DNS:*.example', 'DNS:control-plane.test', 'IP:127.0.0.1'])
const ca = new X509Certificate(made.ca)
const server = new X509Certificate(made.certificate)

it('the CA may sign, and has signed itself and the server', () => {
  expect(ca.ca).toBe(true)
  expect(ca.verify(ca.publicKey)).toBe(true)
  expect(server.ca).toBe(false)
  expect(server.checkIssued(ca)).toBe(true)
  expect(server.verify(ca.publicKey)).toBe(true)
})

it('the server has exactly its names', () => {
  expect(server.subjectAltName).toBe('DNS:*.example, DNS:control-plane.test, IP Address:127.0.0.1')
  expect(server.checkHost('control-plane.test')).toBe('control-plane.test')
  expect(server.checkHost('elsewhere.test')).toBeUndefined()
})

it('the key is that of the server', () => {
  expect(server.checkPrivateKey(createPrivateKey(made.key))).toBe(true)
})

it('both are valid now, and for a day', () => {
  const DAY_MS = 24 * 3_600_000
  for (const { validFromDate, validToDate } of [ca, server]) {
    expect(validFromDate.getTime()).toBeLessThan(Date.now())
    expect(Math.abs(validToDate.getTime() - Date.now() - DAY_MS)).toBeLessThan(DAY_MS / 24)
  }
})

it('the certificate of the CA is in the folder, for NODE_EXTRA_CA_CERTS', () => {
  expect(readFileSync(path.join(folder, 'ca.pem'), 'utf8')).toBe(made.ca)
})
