const MAX_NAMED = 20

/** Warns of the names in the input `secrets` whose values are not hidden. */
export function publicSecretsText(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const named = names.slice(0, MAX_NAMED).join(', ') + more
  const [values, are, them] =
    names.length === 1 ? ['its value is', 'it is', 'it'] : ['their values are', 'they are', 'them']
  return `The input secrets contains ${named}, but ${values} public: ${are} a name, a ref, an address or a variable of this run. The action neither masks nor hides ${them}. Move ${named} to the input variables.`
}
