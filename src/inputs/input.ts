import type { FormParser } from './parsers.ts'

/** An input: its default, '' if it has none, and what it takes, as far as no other input decides it. */
export interface Input extends Content {
  standard: string
  takes?: FormParser<unknown>
  /** Set if the default is a word that counts as not set. */
  empty?: Empty
}

/** The secrecy of an input's text. A test lists the texts that are neither secret nor public. */
interface Content {
  readonly secrecy?: Secrecy
  /** The parts that every reader of the run knows: they are not masked. */
  readonly public?: Publicity
  /** The text is an address as a whole. A malformed one may hide where its password ends. */
  readonly isAddress?: true
  /** The input authenticates the step at the control plane. */
  readonly authenticates?: true
  /** A deployment may have this credential among its own environment variables. */
  readonly isPassedOn?: true
  /** The text lists names with values. An entry of a manifest may write them as a mapping. */
  readonly entries?: Entries
}

export type Entries = 'secrets' | 'variables' | 'headers'

export type Secrecy =
  /** A secret as a whole: masked, and in no error. */
  | 'credential'
  /** The text has secrets, or may have one by mistake: it is in no error. */
  | 'values'
  /** A plan shows the text: what looks like a secret in it is masked and refused. Of an entry, it is in no error. */
  | 'settings'
  /** As `settings`, for a command, in which more texts look like a secret. */
  | 'command'
  /** A plan or a message shows the text: what looks like a secret in it is masked and refused. */
  | 'shown'

/** `name`: of a deployment, also without the end of a preview. `address`: with its path. `service`: without its parts. */
export type Publicity = 'whole' | 'name' | 'address' | 'service' | 'host'

/**
 * The meaning of an empty text of an input. The runner passes it for an output that does not exist, too; an input that the
 * step does not set has its default. `from`: an expression that may have no value, for the examples of messages.
 */
export type Empty = Readonly<
  { from: string } & (
    | { kind: 'refused'; cause?: string; means: string }
    /** The empty text counts as the default. `effect`: what the warning says. */
    | { kind: 'accepted'; effect: string }
    /** The input is a part of the list of secrets and variables. */
    | { kind: 'list' }
  )
>

export function input<const Standard extends string, T>(standard: Standard, takes: FormParser<T>, content?: Content) {
  return { standard, takes, ...content }
}

export function named<const Standard extends string, T>(
  standard: Standard,
  takes: FormParser<T>,
  empty: Empty,
  content?: Content,
) {
  return { standard, takes, empty, ...content }
}
