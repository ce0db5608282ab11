import { mutantsOf } from '../../../scripts/mutants/mutant.ts'

export const ROLLOUT_READ = mutantsOf({
  'rollout/read/find-deployment.ts': {
    'A preview build of the service is not the deployment.':
      'deployment.name === name && deployment.isPreviewBuild !== true → deployment.name === name',
    'The filter of the control plane matches a part of a name.':
      'deployment.name === name && deployment.isPreviewBuild !== true → deployment.name.startsWith(name) && deployment.isPreviewBuild !== true',
    'A refusal does not show that there is no deployment.': 'if (isNotFound(thrown)) deps.emit( → deps.emit(',
    'A confirmation is the exact name.':
      'target.confirm === undefined || target.confirm === name → target.confirm === undefined || target.confirm.toLowerCase() === name.toLowerCase()',
    'Names that differ in numbers only are meant.':
      'return letters > 0 && letters <= MOST_LETTERS → return letters <= MOST_LETTERS',
    'A deployment with another name is not the one that is meant.':
      'foundById && hasName(foundById, target.name) ? → foundById ?',
    'Of two deployments of one name, none is promoted.':
      'if (others.length > 0) return → if (others.length > 1) return',
  },
  'rollout/read/current-state.ts': {
    'A newer revision than the active one is read.':
      'latestRevisionId === undefined || sameId(latestRevisionId, activeRevisionId) → true',
    'A revision may have become active meanwhile.': "!compares || latest?.status !== 'DEPLOYED' → true",
  },
  'control-plane/many.ts': {
    'A list that shifts is read twice.':
      'if (!isLong || pageSize === undefined) return → if (pageSize !== undefined) return',
    'Pages of the second reading overlap.': 'Math.ceil(pageSize / 2) → pageSize',
    'A page that was cut before it was filtered may be full.':
      'resources.length >= SMALLEST_FULL_PAGE || offset > resources.length → resources.length >= SMALLEST_FULL_PAGE',
  },
  'rollout/rollback/previous.ts': {
    'A list that shows a newer revision is read again.':
      "previous.kind === 'found' ? previous.since.every(hasNeverServed) : → previous.kind === 'found' ? true :",
    'A failed revision is nothing to go back to.': 'older: before.filter(isDeployed) → older: before',
  },
  'rollout/read/age.ts': {
    "A server's clock that is far ahead makes nothing old.":
      'serverTime >= EARLIEST && serverTime <= runnerTime + LARGEST_LEAD_MS → serverTime >= EARLIEST',
    'One implausible time makes the age unknown.':
      'if (times.length < updates.length) return → if (times.length === 0) return',
  },
  'rollout/read/age.ts, by rollout/rollback/previous.test.ts': {
    'A list that contradicts its order is not believed.':
      'isReversed || isContradicted ? undefined : listed → isReversed ? undefined : listed',
  },
  'rollout/read/read-again.ts': {
    'A missing resource is missing after a while.':
      '(!mayPass(thrown) && !isBroken) || clock.now() >= giveUpAt → (!mayPass(thrown) && !isBroken) || clock.now() >= 2 * giveUpAt',
    'Broken responses are not read forever.': '++broken <= BROKEN_RESPONSES → ++broken > 0',
    'An ended revision reports no commit later.':
      "revision.repoCommitSha !== undefined || phaseOf(revision.status) === 'terminal' → revision.repoCommitSha !== undefined",
  },
  'rollout/read/noted-preview.ts': {
    'GitHub Deployments are looked up only if the comment notes nothing.':
      'environment === undefined ? [undefined] : [undefined, environment] → [environment]',
    'A preview may be noted where GitHub does not answer.':
      'if (notes === undefined) return undefined → if (notes === undefined) return false',
    'A revision is noted in any place.': '|| hasNotedRevision(deployment, notes.revisions)) → )',
  },
  'rollout/read/unfit.ts': {
    'What the control plane reports of a promotion is shown without secrets.':
      'because: cleanedCause(state.because, clean) → because: state.because',
    'A repository that may be a secret is not named.': 'reveals(state.reported) ? → reveals(state.kind) ?',
  },
  'rollout/read/own-revisions.ts': {
    'A note of this attempt proves nothing.': 'note.attempt < attempt && note.seal → note.seal',
    'A note counts with its seal only.':
      "note.seal === this.#sealOf(note, { action, target, deploymentId }) → note.seal !== ''",
    'A revision before the run is not made by it.':
      'createdAt < note.since * 1_000 - TIME_TOLERANCE_MS → createdAt < 0',
  },
})
