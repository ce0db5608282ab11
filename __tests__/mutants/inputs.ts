import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const INPUTS = mutantsOf({
  'inputs/manifest/read-fleet.ts': {
    'A matrix has no more shards than its jobs.':
      'Math.ceil(only.entries.length / jobs) → Math.floor(only.entries.length / jobs)',
    'A shard is one of its count.':
      'index < 1 || index > count || count > MAX_SHARDS → index < 1 || count > MAX_SHARDS',
  },
  'inputs/inputs.ts, by inputs/manifest/schema.test.ts': {
    'What a schema rejects as a duration of a wave, the reader refuses.': 'bake: accept.duration, → bake: accept.text,',
  },
  'inputs/parsers.ts': {
    'A number above the bounds of the schema is refused, however it is rounded.': ' || Number(given) > MAX_SECONDS →',
    'A number beyond its bounds is refused.': 'value >= min && value <= max ? → value >= min || value <= max ?',
    'Credentials are not sent in plain text.': '!allowHttp && isUnencrypted(url) → false',
    'A base URL has no fragment.': "given.includes('?') || given.includes('#') → given.includes('?')",
    'No duration is longer than a day.': 'ms > MAX_SECONDS * 1_000 → ms > 2 * MAX_SECONDS * 1_000',
    'An age of zero would delete everything.': '(?=.*[1-9])(?:\\d+d)? → (?:\\d+d)?',
    'A wave starts at least one rollout.': '(?:[1-9]\\d{0,5}| → (?:\\d{1,6}|',
  },
  'inputs/manifest/read-manifest.ts, by inputs/manifest/read-fleet.test.ts': {
    'No deployment of a fleet is promoted from another one of it.': 'names.has(promoteFrom.name)) → !names.has(name))',
    'An entry takes no longer than the fleet.': 'Math.min(request.timeoutMs, timeoutMs) → request.timeoutMs',
  },
  'inputs/rollout.ts, by inputs/read-step.test.ts': {
    'A promotion has no image or ref of its own.': 'if (sets.length > 0) → if (sets.length > 99)',
  },
  'secrets/address.ts, by inputs/parsers.test.ts': {
    'A host that begins like a loopback address is none.':
      '/^(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])$/ → /^(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])/',
  },
  'inputs/secrets.ts': {
    "The action's own credentials do not go to the deployment.":
      "one.value !== '' && one.value === value.trim() → one.value !== '' && one.value === value",
    'A secret of invisible characters is empty.':
      "value === undefined || !BLANK.test(value) → value === undefined || value.trim() !== ''",
  },
  'inputs/secrets.ts, by inputs/secrets.test.ts': {
    'A mask is no value.': '...maskedValues(secrets), →',
    'A variable that looks like a secret is refused.': '.filter(looksSecret) → .filter(() => false)',
    'A secret may look like one.': 'if (rules.isShown === true) findings → findings',
    'A # in quotes is no comment.': "form === 'unquoted' && /\\s#/ → /\\s#/",
    'A $${NAME} of a manifest is meant.': '(isInManifest ? VARIABLE_IN_MANIFEST : VARIABLE_IN_TEXT) → VARIABLE_IN_TEXT',
    'An escape in double quotes is shown.': "form === 'escaped' → form !== 'escaped' && false",
  },
  'inputs/rollout.ts, by inputs/rollout.test.ts': {
    'Only a plan of variables shows their values.': "isShown: list === 'variables' → isShown: false",
    'A warning of a list is in the plan.': 'warn: (message) => read.warn(list, message), →',
  },
  'inputs/secrets.ts, by inputs/rollout.test.ts': {
    'A token in a command is masked.':
      '[...ofAddresses, ...certainSecretsIn(text)] : ofAddresses → ofAddresses : ofAddresses',
  },
  'inputs/parsers.ts, by inputs/rollout.test.ts': {
    'A plan shows no secret of a command or an address.': 'if (!holdsSecret(given)) return → return',
  },
  'inputs/reader.ts, by inputs/rollout.test.ts': {
    'A text that contains a secret is not shown.':
      'SENSITIVE.includes(name) || holdsSecret(given) → SENSITIVE.includes(name)',
  },
  'inputs/masking.ts, by inputs/rollout.test.ts': {
    'A secret among variables with a mistake is masked.': ', ...knownSecretsIn(variables)] → ]',
  },
  'inputs/manifest/values.ts, by inputs/rollout.test.ts': {
    'A secret in a label of a manifest is masked.':
      'redactor.learn(certainSecretsIn(JSON.stringify(value.mapping))) → undefined',
  },
  'inputs/verification.ts': {
    'A header that the network sets is refused.': "OF_NETWORK.test(name) && → name === 'host' &&",
    'A value is one line of ASCII.': '&& HEADER_VALUE.test(value.trim()) →',
    'A kind of credentials without any is empty.': "value === '' || SCHEME.test(value) → value === ''",
    'The credential in a header is masked alone.': 'const parts = [credential,  → const parts = [',
    'A common word of a body is not masked.': "|| isDistinctiveInside(value) → || value !== ''",
  },
  'inputs/masking.ts': {
    'Two warnings do not contradict each other.': ' && !looksSecret({ name, value }) →',
    'A secret of one deployment may be a variable of another.':
      'given.flatMap(({ name }) => (isSecret.has(name) ? [] : [name])) → given.flatMap(({ name, isVariable }) => (isVariable ? [name] : []))',
  },
  'inputs/masking.ts, by inputs/verification.test.ts': {
    'The values of headers are masked.': "...secretsOfHeaders(raw('verify-headers')), →",
    'The secrets of a body are masked.': "...secretsOfBody(raw('verify-body')), →",
  },
  'inputs/manifest/values.ts': {
    'A variable does not break the JSON of a body.': "(name === 'verify-body' && /^\\s*[[{\"]/.test(text)) → false",
    'The value of a variable begins no other header.':
      "name === 'verify-headers' ? headerEntries(text) → name === 'verify-headers' ? headerEntries(fill(text, refuse))",
    "A manifest does not read the runner's own variables.": "if (OF_RUNNER.test(name)) → if (name === '')",
    'A blank variable is not set.': "if (value.trim() === '') → if (value === '')",
    'A name of every object is no variable.': 'Object.hasOwn(env, name) ? env[name] : undefined → env[name]',
    'A value of the environment is masked.':
      'redactor?.learnValues([value, ...secretsOfText(value), ...secretsOfAddress(value)]) → redactor?.learnValues(secretsOfText(value))',
    'A list that is a text replaces that of the defaults.':
      "if (value.kind !== 'mapping') return → if (value.kind === 'text') return",
  },
  'inputs/manifest/values.ts, by inputs/manifest/read-fleet.test.ts': {
    'A manifest contains no secret.':
      "if (name === 'secrets' && !(isSound && entries.every(({ value = '' }) => VARIABLE.test(value)))) → if (name === 'secrets' && !isSound)",
  },
  'inputs/target.ts': {
    'A run of a pull request deletes no other deployment unasked.':
      "isOfPullRequest && !isTrue(read.raw('dry-run')) → false",
    'A confirmation is the exact name.':
      'confirm !== undefined && confirm !== target.name → confirm !== undefined && confirm.toLowerCase() !== target.name.toLowerCase()',
  },
  'inputs/read-step.ts': {
    'The author of a comment is trusted only if known.':
      'if (comment !== undefined && !isTrusted(comment.association)) → if (comment?.association !== undefined && !isTrusted(comment.association))',
    'A problem of an input ends the step.': 'asked === undefined || read.problems.length > 0) → asked === undefined)',
  },
  'inputs/read-step.ts, by inputs/undeclared.test.ts': {
    'Credentials under a wrong name are not missing.':
      "skip?.because === 'no-credentials' && misnamed.length > 0 → false",
  },
  'inputs/undeclared.ts': {
    'An input that protects must not be ignored.':
      'others.filter((one) => RELIED_ON.includes(one)) → others.filter(() => false)',
  },
  'inputs/read-step.ts, by inputs/expect-plan.test.ts': {
    'A step that deletes a preview has no approved plan.': "if (operation === 'rollout') refusePlanOfDeletion(read) →",
  },
  'inputs/expect-plan.ts': {
    'An empty approved plan does not turn the comparison off.': "?.trim() === '' → ?.trim() === 'empty'",
  },
  'inputs/operations.ts': {
    'An age without a cleanup is a mistake.': 'if (olderThanMs !== undefined) → if (olderThanMs === 0)',
    'A deployment that is named itself may be of any repository.': 'repoUrl: preview && repoUrl → repoUrl',
  },
  'inputs/manifest/waves.ts': {
    'Allowed failures are rounded down.':
      'Math.floor((limit.percent * entries) / 100) → Math.ceil((limit.percent * entries) / 100)',
    'A small share still starts one.':
      'Math.max(1, Math.ceil((limit.percent * entries) / 100)) → Math.floor((limit.percent * entries) / 100)',
    'Names of deployments have no case.': 'const key = name.trim().toLowerCase() → const key = name.trim()',
    'A name is not taken from the environment.': "if (name.includes('${')) return → if (name === '') return",
    'A shard does not join waves if there are enough shards.': 'if (count < sizes.length) → if (count <= sizes.length)',
  },
  'inputs/reader.ts, by inputs/manifest/read-fleet.test.ts': {
    'A list that is no text is set.':
      "return typeof given === 'string' && given.trim() === '' → return this.raw(name).trim() === ''",
  },
  'inputs/manifest/document.ts, by inputs/manifest/read-manifest.test.ts': {
    'An alias of an alias grows without limit.': 'if (one.isNested) return → if (at < 0) return',
  },
  'inputs/request/read-request.ts': {
    'A path stays below the base URL.': "if (segments.some(isUpward)) → if (segments.includes('..'))",
    'A header of the action is not replaced.': "if (RESERVED.test(name)) throw → if (name === '') throw",
    'A number in a body is not repeated by an error.':
      "typeof body.value === 'object' ? stringsOf(body.value).slice(0, MAX_STRINGS) : [body.text] → stringsOf(body.value)",
    'A list is read with GET only.': "if (paginate && method !== 'GET') → if (paginate && method === 'DELETE')",
  },
})
