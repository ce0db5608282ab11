/** Returns the end of a refusal with the value that was probably meant; '' if it cannot be derived. */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/** The message without such an end: it repeats the text of the input, perhaps in another form than the one that is masked. */
export function withoutHint(message: string): string {
  return message.replace(/; did you mean [^]*\?( ?)/, (_hint, blank: string) => (blank === '' ? '' : '. '))
}
