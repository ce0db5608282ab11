import type { Mutant } from '../../scripts/mutants/mutant.ts'
import { APP_CONFIG } from './app-config.ts'
import { CONTROL_PLANE } from './control-plane.ts'
import { FLEET } from './fleet.ts'
import { GITHUB } from './github.ts'
import { HTTP } from './http.ts'
import { INPUTS } from './inputs.ts'
import { NOTES } from './notes.ts'
import { NOTIFY } from './notify.ts'
import { PREVIEWS } from './previews.ts'
import { REAL } from './real.ts'
import { REPORT } from './report.ts'
import { REQUEST } from './request.ts'
import { ROLLOUT_APPLY } from './rollout/apply.ts'
import { ROLLOUT_ROLLBACK } from './rollout/rollback.ts'
import { ROLLOUT_PLAN } from './rollout/plan.ts'
import { ROLLOUT_READ } from './rollout/read.ts'
import { ROLLOUT } from './rollout/rollout.ts'
import { ROLLOUT_WATCH } from './rollout/watch.ts'
import { ROOT } from './root.ts'
import { SECRETS } from './secrets.ts'
import { SOURCES } from './sources.ts'
import { TRACE } from './trace.ts'

/** Mistakes in guards of all folders of `src`, each with a test that must fail. */
export const MUTANTS: readonly Mutant[] = [
  ...APP_CONFIG,
  ...ROLLOUT_PLAN,
  ...CONTROL_PLANE,
  ...FLEET,
  ...GITHUB,
  ...HTTP,
  ...INPUTS,
  ...NOTES,
  ...NOTIFY,
  ...PREVIEWS,
  ...REAL,
  ...REPORT,
  ...REQUEST,
  ...ROLLOUT,
  ...ROLLOUT_APPLY,
  ...ROLLOUT_ROLLBACK,
  ...ROLLOUT_READ,
  ...ROLLOUT_WATCH,
  ...ROOT,
  ...SECRETS,
  ...SOURCES,
  ...TRACE,
]
