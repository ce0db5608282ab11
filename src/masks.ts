/** Receives the texts that are secrets, before anything can print them. */
export interface Masks {
  /** Hides credentials, whatever they look like. */
  credentials: (texts: readonly string[]) => void
  /** Hides values of the deployment's environment: not those that are public, and a plain word or number only in free text. */
  values: (values: readonly string[], ownTexts?: readonly string[]) => void
  /** Adds texts that are public: a value that is one of them is not hidden. */
  allow: (texts: readonly string[]) => void
  isPublic: (value: string) => boolean
}

/** Hides nothing. */
export const NO_MASKS: Masks = {
  credentials: () => undefined,
  values: () => undefined,
  allow: () => undefined,
  isPublic: () => false,
}
