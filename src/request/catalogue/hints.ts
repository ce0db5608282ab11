import type { CatalogueRoute, Hint } from './route.ts'

export const LISTENERS_SELF_HOSTED: Hint = {
  words: /self-hosted enterprise plan/i,
  hint: 'Listeners exist only for workspaces of organizations on a self-hosted enterprise plan: use credentials of such a workspace.',
}

export const LISTENER_MISSING: Hint = {
  words: /^Listener ID .+ not found/i,
  hint: 'There is no such listener, or it was deleted already: list the listeners with GET /v2/listeners.',
}

export const TOKEN_OWNER_ONLY: Hint = {
  status: 403,
  hint: 'Only the owner of a token may update it: use the credentials of that user.',
}

export const SNAPSHOT_IN_USE: Hint = {
  status: 409,
  hint: 'A snapshot cannot be deleted while a sandbox, even a stopped one, is booted from it: delete those sandboxes first.',
}

/** Returns what to do about an error that is known for this route. */
export function knownHint({ hints = [] }: CatalogueRoute, status: number, detail: string): string | undefined {
  const applies = (hint: Hint): boolean => ('status' in hint ? hint.status === status : hint.words.test(detail))
  return hints.find(applies)?.hint
}
