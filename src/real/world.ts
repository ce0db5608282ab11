import type http from 'node:http'
import type { World } from '../world.ts'
import { systemClock } from './clock.ts'
import { environment } from './environment.ts'
import { systemFiles } from './files.ts'
import { RealNetwork } from './network.ts'
import { printLine } from './process.ts'

/**
 * The world of a run on a runner.
 * @param early sends the first read on a connection that is open already
 */
export function openWorld(signal: AbortSignal, early?: http.Agent): World {
  return {
    env: environment,
    clock: systemClock,
    random: Math.random,
    network: new RealNetwork(early),
    files: systemFiles,
    print: printLine,
    signal,
  }
}
