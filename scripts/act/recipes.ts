import type { Recipe } from './recipe.ts'
import { langsmiths } from './recipes/langsmith.ts'
import { networks } from './recipes/networks.ts'
import { previews } from './recipes/previews.ts'
import { requests } from './recipes/requests.ts'
import { rollbacks } from './recipes/rollback.ts'
import { rollouts } from './recipes/rollouts.ts'
import { runners } from './recipes/runner.ts'

/** All recipes. */
export const RECIPES: readonly Recipe[] = [
  ...rollouts,
  ...rollbacks,
  ...previews,
  ...requests,
  ...langsmiths,
  ...networks,
  ...runners,
]
