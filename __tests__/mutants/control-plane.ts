import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const CONTROL_PLANE = mutantsOf({
  'control-plane/server-clock.ts': {
    'A slow answer has a Date of any moment since its request.':
      'date + SECOND_MS - sentAt → date + SECOND_MS - cameAt',
    'A Date that was wrong once shows that there are several clocks.':
      'Math.max(this.#least, date - cameAt) → date - cameAt',
    "The server's clock goes on after its last Date.": 'now + this.#least → this.#least',
  },
  'control-plane/server-clock.ts, by control-plane/client.test.ts': {
    'Dates of several clocks are of no use.': ' && this.#least <= this.#most + TOLERANCE_MS →',
  },
  'control-plane/server-pauses.ts': {
    'The longest pause counts of several.': 'if (pause.until > until) this → this',
    'A timer may end a fraction of a millisecond too early.': 'restMs >= 1 → restMs > 0',
    'No caller is a fraction of a millisecond early.': 'Math.ceil(restMs) → Math.floor(restMs)',
    'A pause holds for one method.': 'return `${method} ${path}` → return `${path}`',
  },
  'control-plane/transport.ts': {
    'The pause that an answer asks for holds for every caller of the same request.':
      'if (!callerLooksFirst) await keepServerPauses(request, options, givenUp) → void keepServerPauses',
    'A write follows the look of its caller at once.':
      'if (!callerLooksFirst) await keepServerPauses → await keepServerPauses',
    'A pause of the server that ends too late is not waited for.':
      'if (request.isDispensable === true || !isInTime(pauseMs, error)) throw givenUp(error, pauseMs) → void isInTime',
    'An answer that names no time to come asks for a pause nevertheless.':
      'clock.now() + retryPause(0, retryAfterMs, 0) → clock.now() + retryAfterMs',
    'Retries are shown.': "emit({ kind: 'request-retried', → void ({ kind: 'request-retried',",
    'A write that the server answers with 408 may have acted.':
      'if (!repeatable && (failure === 408 || failure >= 500)) → if (!repeatable && failure >= 500)',
    'A write without a response is not repeated at once.': "return repeatable ? 'retry' : 'ambiguous' → return 'retry'",
    'A Retry-After that names no time to come lowers no budget.':
      'retryAfterMs === 0 ? undefined : retryAfterMs) → retryAfterMs)',
    'A lost deletion says how long the server asks to wait.':
      'isRead(method) ? ambiguous(error, retryAfterMs) → isRead(method) ? ambiguous(error)',
    'A Retry-After without a time asks for a pause.':
      'retryAfterOf(headers, clock.wallTime()) ?? noTime → retryAfterOf(headers, clock.wallTime())',
    'A write that creates is repeated only after a look.':
      'if (callerLooksFirst) return final((mayHaveActed ? ambiguous : busy)(error, retryAfterMs)) →',
    'A write that is repeated after a look may have been acted on.':
      '(mayHaveActed ? ambiguous : busy)(error, retryAfterMs) → busy(error, retryAfterMs)',
    'An attempt waits for its turn.':
      '(await pace?.turn(request, deadline + LAST_ATTEMPT_MS)) !== false → (await pace?.turn(request, deadline + LAST_ATTEMPT_MS)) !== undefined',
    'No retry begins after the deadline.':
      'isInTime: (pauseMs) => clock.now() + pauseMs < deadline → isInTime: () => true',
    'A retried deletion that finds nothing may have deleted.':
      "mayHaveActed && method === 'DELETE' ? perhapsDeleted(error) : error → error",
  },
  'control-plane/model.ts': {
    'Ids have no case.': 'return id.toLowerCase() → return id',
    'Two unknown ids are not the same.':
      "typeof first === 'string' && typeof second === 'string' && idKey(first) === idKey(second) → idKey(first ?? '') === idKey(second ?? '')",
    'An address with user info is not published.': '!/^\\w+:\\/\\/[^/?#]*@/.test(text) && →',
    'An id that changes the path is not used.': '(?!\\.{1,2}$) →',
  },
  'control-plane/routes.ts': {
    'A PATCH that is sent again follows another read.':
      '...content, repeatable: true, callerLooksFirst: true } → ...content, repeatable: true }',
  },
  'control-plane/routes.ts, by control-plane/client.test.ts': {
    'A response about another deployment does not count.': '(found) => sameId(found.id, id) → () => true',
    'A response about an earlier revision is not the new one.':
      "![deploymentId, ...knownIds].some((other) => sameId(id, other)) → id !== ''",
    'A response about another revision does not count.':
      'revisionId, ({ id }) => sameId(id, revisionId) → revisionId, () => true',
    'A deletion is repeated only after a look.':
      "method: 'DELETE', path, attempted, retries: 0 } → method: 'DELETE', path, attempted }",
  },
  'control-plane/client.ts': {
    'The login of an image is masked.': 'if (values.length > 0) this.#options.onSecrets(values) →',
    'The login of the image of a revision is masked.': 'revision: (reported) => this.#withLoginMasked(reported), →',
    'A response to a PATCH about another deployment confirms nothing.':
      'return sameId(updated?.id, id) ? updated : undefined → return updated',
    'A signed address is a secret, with its long parameters.':
      'value.length >= MIN_SIGNATURE_LENGTH → value.length < MIN_SIGNATURE_LENGTH',
    'Calls that are added stay after a change of the deadline.':
      'within: (deadline) => decorated(controlPlane.within(deadline), add) → within: (deadline) => controlPlane.within(deadline)',
    'Calls that are added stay after a change of the pace.':
      'paced: (pace) => decorated(controlPlane.paced(pace), add) → paced: (pace) => controlPlane.paced(pace)',
    'A change of the deadline does not change the pace.':
      'this.#with({ deadline, pace: this.pace }) → this.#with({ deadline })',
    'A write whose response breaks the contract may have succeeded.':
      'isRepeatable(request) ? new BrokenContractError(trouble) : new AmbiguousWriteError(trouble) → new BrokenContractError(trouble)',
    'A response masks no unlimited number of lines.': 'if (lines > this.#linesLeft) return false →',
    'A response masks no unlimited number of characters.': 'if (value.length > this.#charactersLeft) return false →',
  },
  'control-plane/client.ts, by langsmith/translate.test.ts': {
    'A call has the deadline of its client.': 'deadline: this.#deadline,\n → deadline: undefined,\n',
    'JSON that is nested too deeply is not translated.': 'shape !== undefined && isBloated(body, MAX_VALUES) → false',
  },
  'control-plane/schemas.ts': {
    'An empty commit is an unknown commit.': "(value === '' ? undefined : value) → value",
    'The ref is the branch, not the commit of it that was built.':
      'withBranch(readSettings(wire, FIELDS, context), branch) → readSettings(wire, FIELDS, context)',
    'An id of another form is not used.':
      "fitting('active_revision_id', wire.active_revision_id, FORMS.id) → wire.active_revision_id",
    'A deployment in place of a revision breaks the contract.':
      "latest_revision_id: z.undefined('a deployment in place of a revision').optional(), →",
    'A deployment that waits for its final deletion is being deleted.':
      "['AWAITING_DELETE', 'AWAITING_FINAL_DELETE'] → ['AWAITING_DELETE']",
  },
  'control-plane/expiry.ts': {
    "A token ends by the server's clock.": 'timeOf(refusal.headers, wallTime) → wallTime',
    'What may have expired has not.': ' && !UNSURE.test(text) →',
    'A trial that has expired is no credential.': '(status === 401 || CREDENTIAL.test(text)) → true',
    'A text with a point in it is no JWT.':
      'if (payload === undefined || signature === undefined) → if (payload === undefined)',
  },
  'control-plane/errors.ts': {
    'A token that has expired does not explain what is not there.':
      'const isRefused = status === 401 || status === 403 → const isRefused = status >= 401',
    'A mistake of the action is not hidden as an unreadable response.':
      'if (isExpected(thrown)) return undefined → return undefined',
    'A service without a route may answer 405.': '(thrown instanceof RefusedError && thrown.status === 405) → false',
    'A 404 after a lost deletion may be its success.':
      '(error.status !== 404 && error.status !== 410) → error.status !== 404',
    'A remedy says once that the job is to be rerun.': '/\\brerun the job/i.test(error.trouble.hint) → false',
    'A write with an unexpected answer may be done.':
      "isRead(method) ? CHECK_EXPECTED : → method !== '' ? CHECK_EXPECTED :",
    'Of a redirect, only the origin is shown.': 'new URL(location).origin → new URL(location).href',
    'The explanation of a server is redacted.': 'redactFreeText(detail) → detail',
  },
  'control-plane/upload.ts': {
    'An expired address is replaced by a new one.':
      'const EXPIRED = new Set([401, 403, 410]) → const EXPIRED = new Set([401, 410])',
  },
  'control-plane/many.ts': {
    'Who gets another name while a list is read is found under it.': '`${idKey(id)} ${name}` → `${idKey(id)}`',
    'A whole list has each entry as it was read last.':
      'entries.set(idKey(entry.id), entry) → entries.set(idKey(entry.id), entries.get(idKey(entry.id)) ?? entry)',
  },
  'control-plane/probe.ts': {
    'A probe does not leave its origin.':
      'if (next?.origin !== address.origin || next.protocol !== address.protocol) → if (next === null)',
    'The same host without encryption is another origin.':
      'next?.origin !== address.origin || next.protocol !== address.protocol → next?.host !== address.host',
    'The query of a redirect may be a secret.': 'next.origin + next.pathname → next.href',
    'A body that cannot be read is no wrong one.': 'if (unread !== undefined) return → if (unread === null) return',
    'A right status with such a body is one answer.':
      "if (isLookedInto && failure === 'unusable') return →  if (isLookedInto && failure === 'no-way') return",
    'A blob: address is of no origin.': ' || next.protocol !== address.protocol →',
    'What describes a body is not sent without it.': ".filter(([name]) => !name.startsWith('content-')) →",
    'A trace does not keep the body of a probe.':
      'return { type, bytes: Buffer.byteLength(text), open } → return { type, bytes: Buffer.byteLength(text), open: open.length > 0 ? open : () => text }',
    'A body is not sent again as another request.': 'if (!becomesGet) return sent → return sent',
    'The timeout of the action is no refusal of the server.':
      'if (!isTimeout && isRefusal(cause)) → if (isRefusal(cause))',
  },
  'control-plane/api.ts, by langsmith/translate.test.ts': {
    'A query does not hide the route.': "const [pathname = ''] = path.split('?') → const pathname = path",
    'A field that has both names counts once.':
      'if (counterpart !== key && Object.hasOwn(value, counterpart)) return [] →',
  },
  'control-plane/api.ts, by langsmith/inputs.test.ts': {
    'Only the whole name of a host is recognised.':
      'REGIONS.find((prefix) => hostname === prefix + host) → REGIONS.find((prefix) => hostname.startsWith(prefix + host))',
    "A region's host is answered by that of the region.": "region === '' ? REGIONS : [region] → REGIONS",
  },
})
