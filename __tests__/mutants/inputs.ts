import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const INPUTS = mutantsOf({
  'inputs/operations.ts, by inputs/operations.test.ts': {
    'A commit names no second revision.':
      'if (commit !== undefined && revisionId !== undefined) → if (commit === revisionId && revisionId !== undefined)',
  },
  'inputs/secrets-file.ts': {
    'The values of the file are masked.':
      'redactor.learnValues([...secretTexts(text), ...entries.map(({ value }) => value)]) →',
    'A line that is refused is masked, too.':
      '[...secretTexts(text), ...entries.map(({ value }) => value)] → entries.map(({ value }) => value)',
    'A reserved name is not sent.':
      'const others = last.filter(({ name }) => !reservedNames.includes(name)) → const others = last',
    'An empty value is not sent.': 'rules.allowsEmpty ? [] : others.filter → !rules.allowsEmpty ? [] : others.filter',
    'The key of the step is not passed on.': 'const own = credentialsIn(sent, rules) → const own: string[] = []',
    'A mask is no value.': 'sent.filter(({ value }) => isMask(value)) → sent.filter(({ value }) => value.length < 0)',
    'An empty file is a mistake.': 'if (entries.length === 0) return refused([NO_ENTRIES]) →',
    'The rest of a key is no name to show.':
      "const nameText = /^=*$/.test(value) ? '' : ` (${name})` → const nameText = ` (${name})`",
    'An empty value may be the rest of a key.': '? `line ${entry.line}` : entry.name → ? entry.name : entry.name',
  },
  'inputs/secret-lists.ts, by inputs/secrets-file.test.ts': {
    'A name is in one list only.': 'return [...twice, ...reserved] → return reserved',
    'The file is a part of the whole list.':
      "{ input: 'secrets-file', secrets: ofFile?.secrets } → { input: 'secrets-file', secrets: undefined }",
  },
  'inputs/empty.ts, by inputs/secrets-file.test.ts': {
    'Secrets of a file are the list of a creation.': "if (!read.isUnset('secrets-file')) → if (read.isUnset('name'))",
  },
  'inputs/manifest/read-manifest.ts, by inputs/secrets-file.test.ts': {
    'No source of a fleet contains the secrets of another entry.':
      'for (const request of secretsFiles.length === 0 ? [] : requests) request.secretsFiles = secretsFiles →',
    'The files of secrets of a fleet have a limit.': 'return bytesLeft < 0 ? TOO_MANY_SECRETS : file → return file',
  },
  'inputs/manifest/read-manifest.ts, by inputs/manifest/unset-variables.test.ts': {
    'An entry that always takes part needs its variables at once.':
      'comparesFiles && paths !== undefined → comparesFiles',
    'The files of an entry are known before it is selected.': '!unset.some(namesFile) && →',
    'An entry that only does not name needs no variables.':
      'isSelected && entry?.unset === undefined → entry?.unset === undefined',
    'An entry that is not read without its variables needs them at once.':
      'isSelected && entry?.unset === undefined → isSelected && entry !== undefined && entry.unset === undefined',
  },
  'inputs/manifest/texts.ts': {
    'Files are named by the rules of the disk.':
      'pathInside(workspace, path.resolve(workspace, file), path) → pathInside(workspace, nodePath.resolve(workspace, file), nodePath)',
    'A path below the workspace is one of the repository.':
      'pathInside(workspace, path.resolve(workspace, file), path) → path.posix.normalize(file)',
    "An app's configuration is below what is uploaded.": '...named.map((file) => `${below}/${file}`) →',
  },
  'inputs/manifest/texts.ts, by inputs/manifest/unset-variables.test.ts': {
    'A mapping names no file.': 'below.length === 0 && →',
  },
  'inputs/manifest/read-fleet.ts, by e2e/fleet-only.test.ts': {
    'A pattern that matches no deployment is a mistake.':
      'if (only !== undefined) refuseUnmatched(read, only, reading.names) →',
    'A name that is meant in place of an exclusion is excluded.': 'sign + one → one',
    'The word for all is explained beside other lines.': 'pattern === FLEET.only.standard → false',
    'The matrix has no shard without a selected entry.':
      'only === undefined || isNamedBy(only, name)\n  // A preview → true\n  // A preview',
  },
  'inputs/manifest/read-fleet.ts, by e2e/fleet-changed-since.test.ts': {
    'The matrix has no changed entry that only does not name.': '(entry && mayBeSelected(entry.name) ? → (entry ?',
  },
  'inputs/manifest/read-fleet.ts': {
    'A matrix has no more shards than its jobs.':
      'Math.ceil(ownWave.entries.length / jobs) → Math.floor(ownWave.entries.length / jobs)',
    'A shard is one of its count.':
      'index < 1 || index > count || count > MAX_SHARDS → index < 1 || count > MAX_SHARDS',
  },
  'inputs/inputs.ts, by inputs/manifest/schema.test.ts': {
    'What a schema rejects as a duration of a wave, the reader refuses.': 'bake: accept.duration, → bake: accept.text,',
  },
  'inputs/parsers.ts': {
    'A number above the bounds of the schema is refused, however it is rounded.': ' || Number(literal) > MAX_SECONDS →',
    'A number beyond its bounds is refused.': 'value >= min && value <= max ? → value >= min || value <= max ?',
    'No duration is longer than a day.': 'ms > MAX_SECONDS * 1_000 → ms > 2 * MAX_SECONDS * 1_000',
    'An age of zero would delete everything.': '(?=.*[1-9])(?:\\d+d)? → (?:\\d+d)?',
    'Only a number of a pull request is suggested.':
      '&& isBetween(Number(number), 1, MAX_PULL_REQUEST) !== undefined → ',
    'A wave starts at least one rollout.': '(?:[1-9]\\d{0,5}| → (?:\\d{1,6}|',
  },
  'inputs/addresses.ts': {
    'Credentials are not sent in plain text.': '!allowHttp && isUnencrypted(url) → false',
    'A base URL has no fragment.': "address.includes('?') || address.includes('#') → address.includes('?')",
    'The path of an address is not its host.': 'slashes.length > 2 || → ',
    'A placeholder in capitals is none.': "if (spelled !== address) { → if (spelled === '') {",
    'An address has both slashes.': "if (slashes !== '//') → if (slashes === '')",
    'A scheme that is doubled is no host.':
      'if (inner !== address) throw new Unacceptable(`has its scheme → if (inner === "") throw new Unacceptable(`has its scheme',
    'No part of the path of a repository is empty.': "if (!before.includes('//')) return → if (before !== '') return",
    'A user name is not repeated.': 'isWhole && !hasUser ? → isWhole ?',
    'Nothing is suggested that is refused.': "address !== '' && accepts(address, parse) ? → address !== '' ?",
    'A repository has a host.': "if (host === '' || host?.endsWith('@') === true) → if (host === 'none')",
    'A drive of Windows is no host.': '(?![A-Za-z]:[\\\\/]) → ',
    'A deployment has its own scheme.': `if (inner !== address)
    throw new Unacceptable(\`must begin with {url} → if (inner === "")
    throw new Unacceptable(\`must begin with {url}`,
  },
  'inputs/image.ts': {
    'What an empty output becomes is no tag.': '(?!${EMPTY}(?:@|$)) → ',
    'A digest alone is no image.': '(?!${ALONE}$) → ',
    'A digest has its length.': '{64}|sha512:[0-9a-f]{128}| → {32,}|sha512:[0-9a-f]{32,}|',
    'A part without a dot or a port is no host.': '(?=[^/]*[.:]) → ',
    'A user name is not repeated.': 'IMAGE.test(meant) && !hasUser && !HAS_USER.test(meant) → IMAGE.test(meant)',
    'A password is refused.': `if (!DIGEST_END.test(reference)) refusePassword(reference)
 →`,
    'A digest that is none is no sign of a password.': 'if (!DIGEST_END.test(reference)) refuse → refuse',
    'An empty digest is no sign of a password.': 'if (EMPTY_END.test(reference)) → if (EMPTY_END.test(""))',
    'A tag with a slash is no host.': '[^/:]+(?=:\\d+\\/) → [^/]+(?=\\/)',
    'Only an image is suggested.': 'IS_NOTHING.test(reference) && IMAGE.test(meant) && → IS_NOTHING.test(reference) &&',
    'What an empty output becomes is no other name.': '!IS_NOTHING.test(reference) && IMAGE → IMAGE',
    'What an empty output becomes is no image.': '(?!${NOTHING}$)(?= → (?=',
  },
  'inputs/credential.ts': {
    'A name in place of a credential is refused.': 'if (form !== undefined) throw → if (form === "") throw',
    'A credential has no quotes.': "if (IS_QUOTED.test(value)) → if (value === '')",
    'What may be a token is not repeated.': "CONVENTIONAL.test(name) ? → name !== '' ?",
    'A token without a blank may begin like a scheme.': '&& rest.length > 0\n → \n',
    'A header is no part of a credential.': 'if (hasScheme || hasHeader) throw → if (hasScheme) throw',
  },
  'inputs/masking.ts, by inputs/credential.test.ts': {
    'The expression to write is not masked.': '.filter((text) => referenceIn(text) === undefined) → ',
  },
  'inputs/proxies.ts': {
    'What is before a colon is no scheme.': '(?:https?:|[a-z][a-z0-9+.-]*:\\/\\/)/i → (?:https?:|[a-z][a-z0-9+.-]*:)/i',
    'A proxy with another scheme is not passed by.': "url.href.replace(/^(?!https?:)[^:]*:/, 'http:') → url.href",
    'A star before a point is any host below.': "pattern.replace(/^(?:\\*?\\.)?/, '.') → pattern.replace(/^\\.?/, '.')",
    'No proxy reaches this machine.': 'isLoopback(url) || →',
    'A proxy that cannot be used hides no other one.':
      'if (address !== undefined) return { variable, address } → return address && { variable, address }',
  },
  'inputs/plain-http.ts': {
    'A step of plain http loads no TLS early.': '/^\\s*http:/i.test → /^https:/i.test',
    'A step of https loads TLS early.': '/^\\s*http:/i.test → /^\\s*http/i.test',
  },
  'inputs/paths.ts': {
    'A path of another machine is not made relative.': "(OF_MACHINE.test(absolute) ? '' : absolute) → absolute",
    'A path below the workspace is relative to it.': 'const tops = [workspace.replaceAll → const tops = ["".replaceAll',
    'Windows and macOS compare a path without its case.': "['Windows', 'macOS'] → []",
    'Linux compares a path with its case.': "WITHOUT_CASE.includes(env['RUNNER_OS']) → true",
    'A longer name is another folder.':
      "nameOnDisk(name) === nameOnDisk(names[depth] ?? '') → nameOnDisk(names[depth] ?? '').startsWith(nameOnDisk(name))",
    'A path stays inside the source.': 'if (leadsOut(plain)) → if (plain === "")',
    'A folder is no file.': 'if (IS_FOLDER.test(plain)) { → if (plain === "") {',
    'A file that is hardly a configuration has a warning.': 'path !== undefined && !isJson(path) → path === ""',
  },
  'sources/workspace-path.ts, by inputs/paths.test.ts': {
    'A sign that separates elsewhere is refused.': "RUNNER_OS === 'Windows' || path === written → true",
    'On Windows, it separates.': "RUNNER_OS === 'Windows' || → ",
  },
  'sources/yaml-file.ts, by inputs/paths.test.ts': {
    'The path of a resource spec follows the runner.': 'readYamlFile(written.path, → readYamlFile(line,',
  },
  'inputs/manifest/read-manifest.ts, by inputs/manifest/read-fleet.test.ts': {
    'What the defaults say about a check counts for no entry without one.':
      "isUnchecked && input.startsWith('verify-') ? undefined : → ",
    'A text in which a variable is not replaced has one problem.': '!reportedPlaces.has(describePlace(path)) → true',
    'No deployment of a fleet is promoted from another one of it.': 'names.has(promoteFrom.name)) → !names.has(name))',
    'An entry takes no longer than the fleet.': 'Math.min(request.timeoutMs, timeoutMs) → request.timeoutMs',
  },
  'inputs/rollout.ts': {
    'A run that does not wait checks nothing.':
      'if (wait) return rollsBack && verification → if (wait || !wait) return rollsBack && verification',
    'A run that waits is checked.':
      'if (wait) return rollsBack && verification === undefined ? [UNSEEN_FAILURE] : [] →',
    'A run that does not wait rolls nothing back.': "...(rollsBack ? ['rollback'] : []), →",
  },
  'inputs/rollout.ts, by inputs/read-step.test.ts': {
    'A preview does not have its number twice.': 'if (preview === undefined || !name.endsWith(end)) → if (true)',
    'A promotion has no image or ref of its own.': 'if (sets.length > 0) → if (sets.length > 99)',
  },
  'secrets/address.ts, by inputs/addresses.test.ts': {
    'A host that begins like a loopback address is none.':
      '/^(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])$/ → /^(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])/',
  },
  'inputs/secrets.ts': {
    "The action's own credentials do not go to the deployment.":
      "one.value !== '' && one.value === value.trim() → one.value !== '' && one.value === value",
    'A secret of invisible characters is empty.':
      "value === undefined || !isBlank(value) → value === undefined || value.trim() !== ''",
  },
  'inputs/secrets.ts, by inputs/secrets.test.ts': {
    'A mask is no value.': '...maskedValues(secrets), →',
    'A variable that looks like a secret is refused.': '.filter(looksSecret) → .filter(() => false)',
    'A secret may look like one.': 'if (rules.isShown === true) findings → findings',
    'A # in quotes is no comment.': "form === 'unquoted' && /\\s#/ → /\\s#/",
    'A $${NAME} of a manifest is meant.': '(isInManifest ? VARIABLE_IN_MANIFEST : VARIABLE_IN_TEXT) → VARIABLE_IN_TEXT',
    'An escape in double quotes is shown.': "form === 'escaped' → form !== 'escaped' && false",
  },
  'inputs/inputs.ts, by inputs/rollout.test.ts': {
    'An agent may know its tenant.':
      'WHOLE_SECRETS.filter((name) => inputOf(name).isPassedOn !== true) → WHOLE_SECRETS',
  },
  'inputs/secret-lists.ts, by inputs/rollout.test.ts': {
    'Only a plan of variables shows their values.': "isShown: input === 'variables' → isShown: false",
    'A warning of a list is in the plan.': ', warn: (message) => read.warn(input, message) →',
  },
  'inputs/secrets.ts, by inputs/rollout.test.ts': {
    'A token in a command is masked.':
      '[...ofAddresses, ...certainSecretsIn(text)] : ofAddresses → ofAddresses : ofAddresses',
  },
  'inputs/shown-text.ts, by inputs/rollout.test.ts': {
    'A plan shows no secret of an address.': 'if (holdsSecret(literal)) throw → if (literal === "") throw',
    'A plan shows no secret of a command.':
      'if (secretsInCommand(literal).length > 0) throw → if (literal === "") throw',
  },
  'inputs/inputs.ts, by inputs/reader.test.ts': {
    'An error has no text of a credential.': "secrecy !== 'credential' && →",
    'An error has no text with the values of secrets.': " && secrecy !== 'values' →",
  },
  'inputs/reader.ts': {
    'An error has no part of the password of a malformed address.':
      'inputOf(name).isAddress === true ? → name === "" ?',
  },
  'inputs/reader.ts, by inputs/rollout.test.ts': {
    'A text that contains a secret is not shown.': 'isPrintable(name) && !hasSecret → isPrintable(name)',
    'A hint does not repeat a secret.': 'hasSecret ? withoutHint(message) : message → message',
    'A value that contains a secret is not shown.':
      'hasSecret ? { input, message: withoutHint(message) } : → hasSecret && false ? { input, message } :',
  },
  'inputs/masking.ts, by inputs/rollout.test.ts': {
    'A secret among variables with a mistake is masked.': ', ...knownSecretsIn(variables)] → ]',
  },
  'inputs/manifest/values.ts, by inputs/rollout.test.ts': {
    'A secret in a label of a manifest is masked.':
      'redactor.learn(certainSecretsIn(JSON.stringify(value.mapping))) → undefined',
  },
  'inputs/verification.ts': {
    'A price is no path.': '/^\\$(?!\\.\\d)(( → /^\\$((',
    'A path of another tool is no text.': 'if (steps === undefined) return → if (steps !== "") return',
    'No pointer is suggested that would be a text.': 'POINTER.test(meant) ? → meant ?',
    'A name is not repeated that may be a part of a value.': 'const form = isAssigned ? → const form = !isAssigned ?',
    'A header that the network sets is refused.': "OF_NETWORK.test(name) && → name === 'host' &&",
    'No message has a name that may be a part of a secret.': "unit === 'line' ? [ → name === '' ? [",
    'A value is one line of ASCII.': '&& HEADER_VALUE.test(value.trim()) →',
    'A kind of credentials without any is empty.': "value === '' || SCHEME.test(value) → value === ''",
    'The credential in a header is masked alone.': 'const parts = [credential,  → const parts = [',
    'A common word of a body is not masked.': "|| isDistinctiveInside(value) → || value !== ''",
  },
  'inputs/masking.ts': {
    'Two warnings do not contradict each other.': ' && !looksSecret({ name, value }) →',
    'A secret of one deployment may be a variable of another.':
      'listed.flatMap(({ name }) => (isSecret.has(name) ? [] : [name])) → listed.flatMap(({ name, isVariable }) => (isVariable ? [name] : []))',
  },
  'inputs/masking.ts, by inputs/masking.test.ts': {
    'The word of a default is neither hidden nor public.': "isSet(input, raw(input)) ? raw(input) : '' → raw(input)",
  },
  'inputs/masking.ts, by inputs/verification.test.ts': {
    'The values of headers are masked.': 'headers: secretsOfHeaders, → headers: () => [],',
    'The secrets of a body are masked.': "...secretsOfBody(raw('verify-body'))] → ]",
  },
  'inputs/manifest/values.ts': {
    'A variable does not break the JSON of a body.': "(name === 'verify-body' && /^\\s*[[{\"]/.test(text)) → false",
    'The value of a variable begins no other header.':
      "entries === 'headers' ? headerEntries(text) → entries === 'headers' ? headerEntries(fill(text, refuse))",
    "A manifest does not read the runner's own variables.": "if (OF_RUNNER.test(name)) → if (name === '')",
    'A blank variable is not set.': "if (value.trim() === '') → if (value === '')",
    'A name of every object is no variable.': 'Object.hasOwn(env, name) ? env[name] : undefined → env[name]',
    'A value of the environment is masked.':
      'redactor?.learnValues([value, ...secretsOfText(value), ...secretsOfAddress(value)]) → redactor?.learnValues(secretsOfText(value))',
    'A list that is a text replaces that of the defaults.':
      "if (value.kind !== 'mapping') return → if (value.kind === 'text') return",
  },
  'inputs/manifest/values.ts, by inputs/manifest/read-fleet.test.ts': {
    'The word that unsets a default is not masked.': ' || unsets(name, setting, fillShown) →',
    'A word in place of a list is no secret.': "if (value.kind === 'text' && !isSet(name, value.text)) return →",
    'An empty key of a manifest is a mistake.':
      "empty !== undefined && text.trim() === '' → empty !== undefined && text === ''",
    'An empty list replaces that of the defaults.': ' && !isEmptyList(name, value.mapping) →',
    'A manifest contains no secret.':
      "if (entries === 'secrets' && !(isSound && listed.every(({ value = '' }) => VARIABLE.test(value)))) → if (entries === 'secrets' && !isSound)",
  },
  'inputs/confirmation.ts': {
    'A run of a pull request deletes no other deployment unasked.':
      'event.code.isGuarded : event.isOfPullRequest → event.code.isGuarded : false',
    'A run of a pull request rolls out no other deployment unasked.':
      'isRollout ? event.code.isGuarded : → isRollout ? false :',
    'What an event refuses is not rolled out.': 'if (isRollout && refused !== undefined) → if (false)',
    'A deletion is not refused by an event.': 'if (isRollout && refused !== undefined) → if (refused !== undefined)',
    'A dry run does not plan what is refused.': "refused.kind === 'merge-queue' && isDryRun → isDryRun",
    'A merge into another branch may be meant.':
      "if (isRollout && mergedInto !== undefined) return input === 'manifest' ? { ...problem, input: 'name' } : problem →",
    'A merge into another branch permits no deletion.':
      'if (isRollout && mergedInto !== undefined) → if (mergedInto !== undefined)',
    'A confirmation is the exact name.':
      'confirm !== undefined && confirm !== target.name → confirm !== undefined && confirm.toLowerCase() !== target.name.toLowerCase()',
    'A fleet is confirmed by its path.': 'if (confirm !== undefined && confirm !== manifest) → if (false)',
    'A fleet of a pull request is confirmed.':
      "return requireConfirmation(read, event, { act: 'roll out', ...unconfirmed }) → return undefined",
  },
  'inputs/repo-ref.ts': {
    'A tag by its name alone is a branch.': "code.ref.kind === 'tag' && ref === code.ref.name && !isBranch → false",
    'The merge commit is on no branch.': 'mergeCommit !== undefined && sameCommit(ref, mergeCommit) → false',
  },
  'inputs/git-ref.ts, by inputs/repo-ref.test.ts': {
    'A branch may be called as in a clone.': 'accept.text(oddBranch ?? plainRef(ref)) → accept.text(plainRef(ref))',
  },
  'inputs/read-step.ts': {
    'The author of a comment is trusted only if known.':
      'if (comment !== undefined && !isTrusted(comment.association)) → if (comment?.association !== undefined && !isTrusted(comment.association))',
    'A problem of an input ends the step.':
      'operationRequest === undefined || read.problems.length > 0) → operationRequest === undefined)',
  },
  'inputs/read-step.ts, by inputs/undeclared.test.ts': {
    'Credentials under a wrong name are not missing.':
      "skip?.because === 'no-credentials' && misnamed.some(({ meant }) => areCredentials(meant)) → false",
    'Another name under which nothing is found fails no run without credentials.':
      'misnamed.some(({ meant }) => areCredentials(meant)) → misnamed.length > 0',
    'The deletion of a preview is not stopped by inputs of its rollout.':
      'return preview !== undefined && closedReasonByEvent(preview) !== undefined → return false',
    'A cleanup is no step that keeps a preview.':
      "if (operation === 'teardown' || operation === 'request') return false →",
  },
  'inputs/undeclared.ts': {
    'An input that protects must not be ignored.': 'RELIED_ON.includes(name) || (isStrict → (isStrict',
    'Under act, an input may be of what is around the step.':
      'STRICT.includes(operation) && !isRunByAct && !endsPreview → STRICT.includes(operation) && !endsPreview',
    'A deletion ignores inputs of a rollout.':
      'STRICT.includes(operation) && !isRunByAct && !endsPreview → STRICT.includes(operation) && !isRunByAct',
    'A fleet does not ignore what would change it.': '(isStrict && isConsequential(name)) → false',
    'What only changes how a step waits is no mistake.': '(isStrict && isConsequential(name)) → isStrict',
    'No message shows a secret.': 'if (RELIED_ON.includes(input)) read.refuseSet → if (input) read.refuseSet',
    'What no action here declares is unknown, also if another one does.':
      "return Object.hasOwn(ROOT, name) || operation === 'teardown' || operation === 'request' → return true",
    'What the runner sets at its default is not set.':
      'declared.filter((name) => !isAtDefault( → declared.filter((name) => isAtDefault(',
    'A name with a dash is set by no script.': "const hasDash = input.includes('-') → const hasDash = false",
    'A misspelled input of another operation is an error, too.':
      'const others = STRICT.includes(operation) ? → const others = operation === undefined ?',
    'A word of another operation is no typo.': 'words.length > 0 || elsewhere.length > 0 ? → words.length > 0 ?',
    'A word of another operation is an error everywhere.':
      'words.length === 0 ? INPUT_NAMES.filter → words.length >= 0 ? INPUT_NAMES.filter',
    'A misspelled input that protects must not be ignored.': ': RELIED_ON → : []',
    'A word of another tool is not near to a name of one word.': '&& editDistance(letters, name) <= 1 →',
    'A word of another beginning is not near to a name of one word.': '&& name[0] === letters[0] →',
    'A dry run under a wrong name deletes nothing.': "(!endsPreview || meant.includes('dry-run')) → !endsPreview",
    'Under act, an unknown name is no error.': 'return !isRunByAct && (!endsPreview → return (!endsPreview',
    'Under act, a value that is passed on is no mistake.': 'return meant.length === 0 ? → return meant.length >= 0 ?',
    'Only act passes inputs on.': 'if (!isRunByAct) return false →',
    'A hint does not lead into a manifest that refuses it.': ' && !NOT_OF_ENTRIES.includes(input) →',
  },
  'inputs/meanings.ts, by inputs/undeclared.test.ts': {
    'A word means what the operation takes.': 'names.includes(input) && WORDS →  WORDS',
    'A word with _ is the same.': "name.replaceAll('_', '-') → name",
  },
  'inputs/read-step.ts, by inputs/expect-plan.test.ts': {
    'A step that deletes a preview has no approved plan.': "if (operation === 'rollout') refusePlanOfDeletion(read) →",
  },
  'inputs/manifest/read-fleet.ts, by inputs/empty.test.ts': {
    'A deletion is one of all previews.':
      "at.onBroken === undefined ? read.optional('shard') : undefined → read.optional('shard')",
  },
  'inputs/empty.ts': {
    'An empty input counts for what the run does in the end.': 'Object.hasOwn(INPUTS_OF[end], name) && →',
    'A promotion decides about the image.': "if (!read.isUnset('promote-from')) return undefined →",
    'An image of an unknown source may be that of a container.':
      "if (read.isUnset('source')) return 'container' → if (read.isUnset('source')) return undefined",
    'Only a container has an image.':
      "source !== undefined && isContainer(source, api) ? 'always' : undefined → 'always'",
    'The name of the source may be that of the service.':
      "one === valueOfWord(api, 'source', read.raw('source').trim()) → one === read.raw('source').trim()",
    'An empty list beside a set one is no whole list.':
      'if (!read.isUnset(otherInput))\n    return { always: [{ → if (read.problems.length > 99)\n    return { always: [{',
    'A creation does not lack its secrets unnoticed.':
      "const isLacking = first.name === 'secrets' → const isLacking = false",
    'Variables may be missing in a creation.': "const isLacking = first.name === 'secrets' → const isLacking = true",
    'A lost default is no mistake.': 'if (!passed.isRunByAct) → if (true)',
    'A default that counts is warned of.': 'if (counted.length > 0) read.warn → if (counted.length > 99) read.warn',
  },
  'inputs/inputs.ts, by inputs/empty.test.ts': {
    'Only the word itself counts as not set.': 'trimmed !== standard) → trimmed.toLowerCase() !== standard)',
    'Each operation has its own word.': 'INPUTS_OF[operation][name] ?? INPUTS[name] → INPUTS[name]',
    'A wait writes nothing.': "  'dry-run': DRY_RUN,\n →",
  },
  'inputs/read-step.ts, by inputs/empty.test.ts': {
    'A deletion is stopped by no input of a rollout.':
      "if (operation !== 'teardown') read.excuse(OF_ROLLOUT, IGNORED) →",
    'The action teardown is strict.': "if (operation !== 'teardown') read.excuse( → read.excuse(",
    'A deletion is stopped by no input of a fleet.':
      '{ preview, gitHub })\n  read.excuse(OF_ROLLOUT, IGNORED)\n → { preview, gitHub })\n',
    'An empty input of a deletion is no mistake.':
      "const end = closedReason === undefined ? 'fleet' : 'teardown' → const end = 'fleet' as const",
    'A preview that is over is deleted, whatever is empty.':
      'const mayBeOver = preview !== undefined && → const mayBeOver = false &&',
    'All problems are reported together.':
      'preview !== undefined && read.problems.length === 0 → preview !== undefined',
  },
  'inputs/empty.ts, by inputs/empty.test.ts': {
    'A blank input is empty.': "inputTexts.get(name)?.trim() === '' → inputTexts.get(name) === ''",
  },
  'rollout/plan/validate.ts, by inputs/empty.test.ts': {
    'An empty image counts for a container only.': 'isContainer(source, api) ? container : [] → container',
    'Empty secrets are refused for a creation only.': '(isCreated ? creation : []) → creation',
  },
  'rollout/plan/plan-rollout.ts, by inputs/empty.test.ts': {
    'A creation judges what is empty.': '...deferredProblems(request, source, api, true), →',
    'A revision judges what is empty.': '    ...deferredProblems(request, source, api, false),\n →',
  },
  'inputs/operations.ts': {
    'An age without a cleanup is a mistake.': 'if (olderThanMs !== undefined) → if (olderThanMs === 0)',
    'A deployment that is named itself may be of any repository.': 'repoUrl: preview && repoUrl → repoUrl',
  },
  'inputs/manifest/waves.ts, by inputs/manifest/read-fleet.test.ts': {
    'No wave has the word for the whole fleet.': 'if (name.trim() === WHOLE) → if (name === WHOLE)',
  },
  'inputs/manifest/waves.ts': {
    'Names of deployments have no case.': 'const key = name.trim().toLowerCase() → const key = name.trim()',
    'A name is not taken from the environment.': "if (name.includes('${')) return → if (name === '') return",
    'A shard does not join waves if there are enough shards.': 'if (count < sizes.length) → if (count <= sizes.length)',
  },
  'inputs/reader.ts, by inputs/reader.test.ts': {
    'A list that is no text is set.': "return content === '' → return this.raw(name) === ''",
  },
  'inputs/manifest/document.ts, by inputs/manifest/read-manifest.test.ts': {
    'An alias of an alias grows without limit.': 'if (finding.isNested) return → if (at < 0) return',
  },
  'inputs/request/read-request.ts': {
    'A path stays below the base URL.': "if (segments.some(isUpward)) → if (segments.includes('..'))",
    'A write has no empty part in its path.':
      'const isEmpty = segments.length > 1 && → const isEmpty = segments.length < 1 &&',
    'A write has no placeholder in its path.': "...(placeholder === undefined ? [] : → ...(placeholder !== '' ? [] :",
    'A read does no harm.': 'if (isRead(method)) read.warn → if (!isRead(method)) read.warn',
    'In the place of an id, a word of the path is none.': "?.path.includes('{') === false → !== undefined",
    'A header of the action is not replaced.': "if (RESERVED.test(name)) throw → if (name === '') throw",
    'A number in a body is not repeated by an error.':
      "typeof body.value === 'object' ? stringsOf(body.value).slice(0, MAX_STRINGS) : [body.text] → stringsOf(body.value)",
    'A list is read with GET only.': "if (paginate && method !== 'GET') → if (paginate && method === 'DELETE')",
  },
  'inputs/connection.ts, by langsmith/inputs.test.ts': {
    'An address shows the service.': "return isLangSmith && operation !== 'request' ? LANGSMITH : api → return api",
    'The service needs its own names.': "read.refuse('base-url', IS_LANGSMITH) →",
    'The operation request translates nothing.': "if (operation === 'request') return [NOT_TRANSLATED] →",
    'Another service is no LangSmith.': '!isUnnamed || !isCloud(LANGSMITH, baseUrl) → !isUnnamed',
    'A host of LangSmith that is no control plane is refused.': 'if (mistaken !== undefined) { → if (baseUrl.hash) {',
    'One error names all that is to be set.': "isUnnamed && operation !== 'request' ? → operation === 'fleet' ?",
  },
})
