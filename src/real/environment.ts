import type { Environment } from '../world.ts'

/** The environment of this process. On Windows, its names have no case: a copy would lose that. */
export const environment: Environment = process.env
