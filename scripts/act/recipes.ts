import type { Recipe } from './recipe.ts'
import { events } from './recipes/events.ts'
import { fleets } from './recipes/fleets.ts'
import { keys } from './recipes/keys.ts'
import { langsmiths } from './recipes/langsmith.ts'
import { monorepos } from './recipes/monorepo.ts'
import { networks } from './recipes/networks.ts'
import { plans } from './recipes/plans.ts'
import { notifications } from './recipes/notify.ts'
import { previews } from './recipes/previews.ts'
import { promotions } from './recipes/promote.ts'
import { requests } from './recipes/requests.ts'
import { rollbacks } from './recipes/rollback.ts'
import { rollouts } from './recipes/rollouts.ts'
import { runners } from './recipes/runner.ts'

/** All recipes. */
export const RECIPES: readonly Recipe[] = [
  ...rollouts,
  ...events,
  ...plans,
  ...rollbacks,
  ...previews,
  ...monorepos,
  ...promotions,
  ...notifications,
  ...keys,
  ...requests,
  ...fleets,
  ...langsmiths,
  ...networks,
  ...runners,
]
