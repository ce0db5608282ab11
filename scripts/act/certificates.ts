import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Certificates {
  /** The certificate of the CA, as PEM. No system trusts it. */
  ca: string
  /** The certificate of a server, signed by that CA. */
  certificate: string
  key: string
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Creates a private CA and a server's certificate with openssl. */
export function makeCertificates(folder: string, names: readonly string[]): Certificates {
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe', timeout: 20_000 })
  }
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
  const authority = ['-keyout', 'ca.key', '-out', 'ca.pem', '-days', '1', '-subj', '/CN=A private CA']
  openssl('req', '-x509', ...KEY, ...authority)
  openssl('req', ...KEY, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=control plane')
  writeFileSync(path.join(folder, 'server.ext'), `subjectAltName=${names.join(',')}\n`)
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '1']
  openssl('x509', '-req', '-in', 'server.csr', ...signing, '-extfile', 'server.ext', '-out', 'server.pem')
  return { ca: read('ca.pem'), certificate: read('server.pem'), key: read('server.key') }
}
