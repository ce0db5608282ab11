import type { GitHub } from '../../src/github/client.ts'
import type { ChannelOptions } from '../../src/notify/channel.ts'
import { OwnRevisions } from '../../src/rollout/read/own-revisions.ts'
import { fakeClock, NO_LUCK } from '../builders.ts'

/** What a channel to this GitHub is opened with, by a rollout that waits and knows no earlier run. */
export function channelOptions(gitHub: GitHub, over: Partial<ChannelOptions> = {}): ChannelOptions {
  return {
    scope: 'one',
    waits: true,
    keepsComments: false,
    runCommits: [],
    own: new OwnRevisions(undefined, ''),
    connect: () => Promise.resolve(gitHub),
    log: { info: () => undefined, notice: () => undefined, redact: (text) => text },
    clock: fakeClock(),
    random: NO_LUCK,
    onOpened: () => undefined,
    onFailure: () => undefined,
    ...over,
  }
}
