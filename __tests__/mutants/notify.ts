import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const NOTIFY = mutantsOf({
  'notify/record-facts.ts, by e2e/fleet-changed-since.test.ts': {
    'A promoted image is not of the commit of the event.':
      ' || (isRollout(record) && record.plan?.promotion !== undefined) →',
  },
  'notify/channel.ts': {
    'A channel is tried again after a while.':
      'unreachableSince !== undefined && now - unreachableSince < UNREACHABLE_MS → unreachableSince !== undefined',
  },
  'notify/notify.ts': {
    'A refused channel is not tried again.': "if (consequence === 'refused') state.disabled = true →",
    'The post step runs as long as one channel is open.':
      'if (this.#states.every(({ delivered }) => delivered)) this.#save(undefined) → if (this.#states.some(({ delivered }) => delivered)) this.#save(undefined)',
    'A dry run shows no progress.': 'if (isPlan || !isProgress(event)) return → if (!isProgress(event)) return',
  },
  'notify/deployment.ts': {
    'A deployment of the job counts only for the commit of the run.': '!runCommits.includes(refOf(record)) → false',
    'GitHub is told the end of a deployment that is gone.': '[...record.gone, ...fleet] → fleet',
  },
  'notify/comment.ts, by notify/notify.test.ts': {
    'A skipped run leaves an earlier comment.':
      "if (outcome.kind === 'skipped' && outcome.because !== 'revision') return →",
  },
  'notify/fleet.ts': {
    'A deployment without a change has no GitHub Deployment.': "if (row.change === 'none') return →",
    'A large fleet has one GitHub Deployment.': 'return deployments.length <= MAX_SINGLE → return true',
  },
  'notify/options.ts': {
    'A shard ends no GitHub Deployment of another one.': "request.shard === undefined ? 'fleet' : → true ? 'fleet' :",
    'A dry run has no GitHub Deployment.':
      'showsPlan ? { ...step.gitHub, environment: undefined } : NO_GITHUB → step.gitHub',
    'A plan is shown in the comment.': "step.operation === 'rollout' || step.operation === 'fleet' → false",
    'A run that does not wait says who keeps the environment.': '!waits && environment !== undefined → false',
    'A cleanup has pull requests to comment on.': "remark !== undefined && scope !== 'cleanup' → remark !== undefined",
    'A single request shows nothing.': "if (step.operation === 'request') return NO_GITHUB →",
  },
  'notify/post.ts': {
    'A name may have a secret inside.':
      '${sentence(redact(deploymentName))} was stopped. → ${sentence(deploymentName)} was stopped.',
    'A name under way may have a secret inside.': 'codeCell(redact(name), MAX_NAME) → codeCell(name, MAX_NAME)',
    'A refusal leaves the others.': 'isComplete = false → throw thrown',
    'What is incomplete is not reported as complete.': 'if (isComplete) log.info → log.info',
    'The own end of a deployment counts.': 'environmentUrl } = end ?? {} → environmentUrl } = finalState ?? end ?? {}',
    'A deployment whose end is not known ends in an error.':
      "state = 'error', description → state = 'success', description",
    'A part leaves the others as they are.':
      'environmentUrl, logUrl: runUrl, keepsOthers } → environmentUrl, logUrl: runUrl }',
    'The end that the run could not deliver counts.': 'finalState?.comment ?? renderKilled → renderKilled',
    'GitHub has some seconds only.': 'questions.endWithin(TIMEOUT_MS) →',
  },
  'notify/record-facts.ts': {
    'Only a success has an address.': "const hasAddress = state === 'success' && → const hasAddress =",
    'A resumed revision is not noted as made.':
      "record.change === 'none' || record.change === 'resumed' → record.change === 'none'",
    'What a dry run has found is not noted as a preview.': "change === 'none' || isDryRun → change === 'none'",
    'Only a step of previews notes them.': "if (scope !== 'preview') return [] →",
    "What may be another client's is not noted as made.":
      'if ([deployment.id, revisionId].some((id) => sameId(id, adopted))) return [] →',
  },
})
