import { AGENT_CASES } from './agent-cases.ts'
import type { Case } from './case.ts'
import { DELETE_CASES, DEPLOY_CASES } from './deploy-cases.ts'
import { IMAGE_CASES } from './image-cases.ts'
import { INTERPLAY_CASES } from './interplay-cases.ts'
import { LOG_CASES } from './log-cases.ts'

/** All cases in the order in which a client runs them: the later ones use what the earlier ones deployed. */
export const CASES: readonly Case[] = [
  ...DEPLOY_CASES,
  ...LOG_CASES,
  ...IMAGE_CASES,
  ...INTERPLAY_CASES,
  ...AGENT_CASES,
  ...DELETE_CASES,
]
