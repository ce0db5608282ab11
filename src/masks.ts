/** Tells the report which texts are secrets, before anything can print them. */
export interface Masks {
  /** Hides credentials, whatever they look like. */
  credentials: (texts: readonly string[]) => void
  /** Hides values of the deployment's environment: not those that are public, and a plain word or number only in free text. */
  values: (values: readonly string[], ownTexts?: readonly string[]) => void
  /** Names and addresses that are public: a value that is a part of one is not hidden. */
  allow: (texts: readonly string[]) => void
  /** Values that are public as a whole. */
  allowValues: (values: readonly string[]) => void
  isPublic: (value: string) => boolean
}

/** Hides nothing. */
export const NO_MASKS: Masks = {
  credentials: () => undefined,
  values: () => undefined,
  allow: () => undefined,
  allowValues: () => undefined,
  isPublic: () => false,
}
