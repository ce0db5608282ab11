import { withFullStop } from '../problem.ts'

export function countOf(count: number, noun = 'deployment', plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** Says where the end of a log is. A summary and a comment have it below. */
export const IN_STEP_LOG = "in this step's log"

/** A text without full ids and hashes, for people: the first part of a UUID, and seven digits of a commit. */
export function withShortIds(text: string): string {
  return text
    .replace(/\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '$1')
    .replace(/\b([0-9a-f]{7})[0-9a-f]{33}\b/gi, '$1')
}

/** A text in the same words for every deployment. */
export function withoutIds(text: string): string {
  return text.replace(UUID, '…')
}

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi

/** In characters of a name: in a title, a sentence or a cell. GitHub shows a title in one line. */
export const MAX_NAME = 100
/** In characters of a name: in a column of the log. */
export const MAX_NAME_IN_LOG = 40

export function capital(words: string): string {
  return words.replace(/^./, (first) => first.toUpperCase())
}

export function asSentence(words: string): string {
  return withFullStop(capital(words))
}

/** The seconds of a duration, to a tenth, as outputs and the record have them. A clock that is set back gives 0. */
export function inSeconds(ms: number): number {
  return Math.max(0, Math.round(ms / 100) / 10)
}

/** A duration as people write it: `0.8 s`, `42 s`, `3 m 05 s`, `1 h 02 m`. */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} m ${String(seconds % 60).padStart(2, '0')} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`
}

/** An age in its largest sensible unit: `40 minutes`, `30 hours`, `12 days`. */
export function formatAge(ms: number): string {
  const hours = Math.floor(ms / 3_600_000)
  if (hours < 1) return `${Math.floor(ms / 60_000)} minutes`
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
}

// In an estimate: below 90 s to the next 5 s, then to the minute, from 90 min on to the hour.
const SECONDS = { word: 's', perUnit: 1_000, step: 5 }
const MINUTES = { word: 'min', perUnit: 60_000, step: 1 }
const HOURS = { word: 'h', perUnit: 3_600_000, step: 1 }

/** Two durations as people say them: `3–4 min`, `about 3 min`, `40–60 s`. */
export function formatRange({ fromMs, toMs }: { fromMs: number; toMs: number }): string {
  const { word, perUnit, step } = toMs < 90_000 ? SECONDS : toMs < 5_400_000 ? MINUTES : HOURS
  const [from, to] = [fromMs, toMs].map((ms) => Math.max(step, Math.round(ms / perUnit / step) * step))
  return `${from === to ? 'about ' : `${from}–`}${to} ${word}`
}

export function sentences(...all: (string | undefined)[]): string {
  return all.filter((sentence) => sentence !== undefined).join(' ')
}

/** The sentences about an outcome: the result, its reason, the writes, and the remedy. */
export interface Words {
  headline: string
  reason?: string | undefined
  /** The reason is a sentence of ours, and no text of the control plane. */
  isSentence?: boolean
  /** Each line of the reason is a mistake of its own. */
  isList?: boolean
  written?: string | undefined
  /** An action. */
  next?: string | undefined
}

/** The outcome of a run in words. May contain text of the server: whatever prints it escapes it. */
export interface Message extends Words {
  mark: string
  serving?: string | undefined
}

/** A function for each kind of a union. The compiler finds a kind that is missing. */
export type ByKind<Of extends { kind: string }, More extends unknown[], Result> = {
  readonly [Kind in Of['kind']]: (member: Of & { kind: Kind }, ...more: More) => Result
}

/** Returns a function that takes one of the union, and calls the function of its kind. */
export function perKind<Of extends { kind: string }, More extends unknown[] = [], Result = string>(
  table: ByKind<Of, More, Result>,
) {
  return (one: Of & { kind: Of['kind'] }, ...more: More): Result => table[one.kind](one, ...more)
}
