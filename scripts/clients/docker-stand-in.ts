import { appendFileSync } from 'node:fs'

/*
 * Replaces `docker` where there is no daemon. It builds and pushes nothing: it records each command in the file
 * $DOCKER_STAND_IN_LOG, and answers what a client reads of a real one.
 */

const args = process.argv.slice(2)
const [image = ''] = args.slice(-1)

/** The digest of an image that was pushed, always the same one. */
const DIGEST = `sha256:${'5a'.repeat(32)}`

function answer(): string {
  const format = args[args.indexOf('--format') + 1] ?? ''
  if (args.includes('inspect') && format.includes('RepoDigests'))
    return JSON.stringify([`${image.replace(/:[^:/]*$/, '')}@${DIGEST}`])
  if (args.includes('inspect') && format.includes('Architecture')) return 'linux/amd64'
  return ''
}

appendFileSync(process.env['DOCKER_STAND_IN_LOG'] ?? '/dev/null', `${JSON.stringify(args)}\n`)
console.log(answer())
