const MAX_NAMED = 20

/** Warns of secrets whose values are not hidden. */
export function publicSecretsText(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const named = names.slice(0, MAX_NAMED).join(', ') + more
  const which = names.length === 1 ? 'its value is' : 'their values are'
  return `The input secrets contains ${named}, but ${which} public: a name, a ref, a repository or an address of this run contains ${names.length === 1 ? 'it' : 'them'}. The action neither masks nor hides ${names.length === 1 ? 'it' : 'them'}. Move ${named} to the input variables.`
}
