import { afterAll } from '@jest/globals'
import { endJourneys } from './journey.ts'
import { endWorlds } from './world.ts'

export * from './journey.ts'
export * from './world.ts'

/** What a file of tests has started ends after its last test. */
afterAll(async () => {
  await endWorlds()
  await endJourneys()
})
