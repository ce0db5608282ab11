import { expect, it } from '@jest/globals'
import { NODE, provideWindowsNode } from '../../scripts/wine/provide.ts'
import { folderWith } from '../folders.ts'

it("a cached program that is not Windows' Node is not run", async () => {
  const program = `${NODE.version}/bin/node.exe`
  const cache = folderWith({ [program]: 'another program' })
  expect(await provideWindowsNode(cache)).toEqual({
    kind: 'none',
    because: expect.stringMatching(/node\.exe has the hash sha512-\S+, which is not its own: remove it$/),
  })
})
