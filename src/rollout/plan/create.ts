import type { Api } from '../../control-plane/api.ts'
import type { Problem } from '../../problem.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { withDefaults } from './defaults.ts'
import { diffFields } from './diff.ts'
import { mismatches, missing } from './field-rules.ts'
import type { PlanNote } from './reasons.ts'
import { isTag } from './repository.ts'
import { NOT_ON_CREATE, nonEmpty, omit, pick, withSourcePath } from './settings.ts'
import { commitToBuild } from './revise.ts'
import type { PlanFacts, Planning } from './facts.ts'
import { unknowableAddress } from './validate.ts'

/** Plans to create the deployment. Creating it creates its first revision. */
export function planCreate(request: RolloutRequest, facts: PlanFacts): Planning {
  const { target, source } = request
  if (target.kind === 'id') throw new Error('a deployment that was found by its id always exists')
  const { name } = target
  if (request.ifMissing === 'fail') {
    const message = 'names no deployment that these credentials can see, and if-missing is "fail"'
    return { kind: 'refused', problems: [{ input: 'name', value: name, message }] }
  }
  if (source === undefined) {
    const message = `is required to create a deployment: none is named "${name}" yet`
    return { kind: 'refused', problems: [{ input: 'source', message }] }
  }
  const { settings: known, problems, notes } = withDefaults(request, source, facts)
  const settings = isTag(known.repoRef) ? { ...known, buildOnPush: false } : known
  const { api } = facts
  const absent = missing(source, settings, api).filter(({ input }) => !problems.some((one) => one.input === input))
  const address = settings.customUrl
  const found = [
    ...nameProblems(name, api),
    ...problems,
    ...mismatches(source, withSourcePath(settings, request), api),
    ...absent,
    ...unknowableAddress(request.wait ? request.verification : undefined, { source, address }, api),
  ]
  if (found.length > 0) return { kind: 'refused', problems: found }

  // The first revision of an uploaded source has nothing to build: a second one builds what was uploaded.
  const isUploaded = source === 'internal_source'
  const later = { source, settings: pick(settings, ['appConfigPath', 'imageUri', ...NOT_ON_CREATE]) }
  const isLater = isUploaded || api.withoutFirstRevision.includes(source)
  return {
    kind: 'planned',
    plan: {
      kind: 'create',
      draft: { name, source, settings: { ...api.onCreate[source], ...omit(settings, NOT_ON_CREATE) } },
      patch: isLater ? undefined : nonEmpty(pick(settings, NOT_ON_CREATE)),
      upload: isUploaded ? facts.packed : undefined,
      revision: isLater ? later : undefined,
      commit: commitToBuild(request, settings, facts),
      revisionIfNone: !isLater && source === 'internal_container' ? later : undefined,
      fields: diffFields(undefined, settings, (field) => {
        if (!NOT_ON_CREATE.includes(field)) return 'create'
        return isLater ? 'revision' : 'patch'
      }),
      notes: [...notes, ...nameNotes(name, facts)],
    },
  }
}

/** What a service refuses in the name of a new deployment. One that exists may have any name. */
function nameProblems(name: string, { nameRule }: Api): Problem[] {
  if (nameRule === undefined || nameRule.form.test(name)) return []
  const message = `must be ${nameRule.words}, to create a deployment: none is named "${name}" yet`
  return [{ input: 'name', value: name, message }]
}

function nameNotes(name: string, { api: { nameRule }, similarName: similar }: PlanFacts): PlanNote[] {
  const longest = nameRule?.longest ?? name.length
  return [
    ...(similar === undefined ? [] : [{ kind: 'probable-typo', name, similar } as const]),
    ...(name.length > longest ? [{ kind: 'name-too-long', name, longest } as const] : []),
  ]
}
