/** Not imported: loading node:crypto takes half the time of an empty Node process, and many runs need no hash. */
export function sha256(text: string, encoding: 'hex' | 'base64' = 'hex'): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest(encoding)
}

/** The same with a key: only who has it can find out which text has this hash. */
export function keyedSha256(key: string, text: string): string {
  return process.getBuiltinModule('node:crypto').createHmac('sha256', key).update(text).digest('hex')
}
