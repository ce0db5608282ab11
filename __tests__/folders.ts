import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from '@jest/globals'

const folders: string[] = []

/** Makes a temporary folder with these files, until the end of this file of tests. */
export function folderWith(files: Record<string, string> = {}): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'test-folder-')))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    if (name.includes('/')) mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  return folder
}

// What this file of tests has made.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/**
 * Makes named pipes by `mkfifo`, a program of every Linux and macOS: Node cannot make one.
 * @throws if the program is missing
 */
export function makePipes(...files: readonly string[]): void {
  const { error, status, stderr } = spawnSync('mkfifo', files, { encoding: 'utf8' })
  if (error !== undefined) throw new Error(`This test needs the program mkfifo (${error.message}).`)
  if (status !== 0) throw new Error(stderr)
}
