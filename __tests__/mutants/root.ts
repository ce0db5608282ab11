import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const ROOT = mutantsOf({
  'async.ts': {
    'No work begins after a failure.': 'Iterator.from(items).map((item) => item) → Iterator.from(items)',
    'A failure is asked for again.': 'answers.delete(key) →',
  },
  'dispatch.ts': {
    'A run whose time is over has timed out.': 'if (timedOut === undefined) throw thrown → throw thrown',
    'A rollback reads its deployment once.': 'run, { reading: { deployment, readAt } }) } → run) }',
    'The previews of a fleet are not known at its beginning.':
      'isKnown ? request : { ...request, ...unknown } → request',
  },
  'files.ts': {
    'A folder of the runner that does not exist ends no run.':
      'const folder = await makeInSystem(prefix, failure) → throw failure',
    'A folder of the runner that does not exist is named once.': '      hasWarned = true →',
    'A folder that cannot be made is no error of this action.': 'throw new NoTemporaryFolderError( → throw new Error(',
    'A file larger than the limit is refused.': 'size <= maxBytes; size → size <= 2 * maxBytes; size',
    'A folder on the path may be replaced by a link.':
      "if (realpathSync.native(real) !== real) throw → if (real === '') throw",
  },
  'last-look.ts': {
    'What the run has just read is not read again.': 'if (isNamed && isCurrent( → if (!isNamed && isCurrent(',
    'A cancelled run reads nothing more.': 'run.signal.aborted || →',
    'What an operation has thrown is looked at, too.': '    await look(failedBy(thrown)) →',
    'Only a revision of this run is of another job of it.':
      'run.own.isNamedSoFar(outcome.by) → outcome.by !== undefined',
  },
  'open-run.ts, by dispatch.test.ts': {
    'A fleet leaves time for its end.': 'timeOf(step).deadlineMs → step.request.timeoutMs',
    'A public secret is named.': 'log.warning(publicSecretsText(names)) → undefined',
  },
  'run-time.ts': { 'A fleet leaves time for its end.': 'deadlineMs: timeoutMs - lastMs → deadlineMs: timeoutMs' },
  'runner.ts': {
    'An empty input is set, too.': 'return name === undefined ? [] → return name === undefined || !env[variable] ? []',
    'The text of an input is that of the runner.':
      'new Map(names.map((name) => [name, read(name)])) → new Map(names.map((name) => [name, env[`input_${name}`] ?? read(name)]))',
    'Forgejo is made from act.': ", 'FORGEJO_ACTIONS'] → ]",
  },
  'run.ts': {
    'The post step knows what is open before the next request.':
      'if (parts !== undefined) this.#notifierOf(parts).onEvent(event, record) →',
    'A run continues without the folder of the runner.': 'withTemporaryFolders(world.files, log.warning) → world.files',
  },
  'run.ts, by simulation/replay.test.ts': {
    'No text of a request is in a trace.': "=== '1' && askedOperation(inputsOf(world.env)) !== 'request' → === '1'",
  },
  'run.ts, by notify/post.test.ts': {
    'The secrets of the inputs are hidden.': 'maskInputs(redactor, raw, event, env) →',
  },
  'secrets/address.ts': {
    'The path of an address is not its host.': 'WITH_HOST.test(text) ? URL.parse(text) : null → URL.parse(text)',
    'The last character of a beginning may begin another address.':
      'sign < from ? from - 1 : sign + 1 → sign < from ? from : sign + 1',
    'An embedded address ends within its limit.':
      '(signs[passed] ?? Infinity) <= from + MAX_EMBEDDED → passed < signs.length',
  },
})
