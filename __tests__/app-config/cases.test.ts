import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { APP_CONFIG_CASES, type AppConfigCase } from '../fixtures/app-configs.ts'
import { folderWith } from '../folders.ts'
import { checkedUpload } from './checked.ts'

/** What the client refuses for a reason that is not judged: other keys, other files, or names of packages. */
const SILENT = [
  'image_distro unknown',
  'js: package.json with engines >=20',
  'python: two folders without pyproject that hold a package of one name',
]

const WARNED = [
  'python: no pyproject, a .py directly in src (a reserved package name)',
  'python_version with a patch',
  'js: node_version as a number',
  'python_version of bullseye',
  'python_version is a number',
  'python_version 3.10',
  'js: node_version lts',
  'js: node_version 18',
]

function workspaceOf({ files }: AppConfigCase): string {
  const workspace = folderWith(
    Object.fromEntries(Object.entries(files).flatMap(([name, one]) => (typeof one === 'string' ? [[name, one]] : []))),
  )
  for (const [name, one] of Object.entries(files))
    if (typeof one !== 'string') symlinkSync(one.link, path.join(workspace, name))
  return workspace
}

it.each(APP_CONFIG_CASES.map((one) => [one.what, one] as const))('%s', async (what, one) => {
  const { problems, warnings, unlessBuilt } = await checkedUpload(workspaceOf(one), one)
  const found = problems.length > 0 ? 'error' : warnings.length + unlessBuilt.length > 0 ? 'warning' : 'silence'
  if (one.clientOnUpload === 'accepted') {
    expect(problems).toEqual([])
    return
  }
  expect(found).toBe(SILENT.includes(what) ? 'silence' : WARNED.includes(what) ? 'warning' : 'error')
})

it('lists only cases that exist', () => {
  const names = APP_CONFIG_CASES.filter(({ clientOnUpload }) => clientOnUpload !== 'accepted').map(({ what }) => what)
  expect([...SILENT, ...WARNED].filter((what) => !names.includes(what))).toEqual([])
})
