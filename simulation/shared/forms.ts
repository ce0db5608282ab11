type Fields = Readonly<Record<string, unknown>>

/** How a control plane writes values, and which fields it never reports. */
export interface Form {
  /** Applied to each object of a response; twice is as once. */
  own?: (fields: Fields) => Fields
  hidden?: readonly string[]
}

export const OWN_FORM: Form = {
  own: (fields) =>
    changed(
      changed(fields, 'custom_url', (url) => url.replace(/\/*$/, '/')),
      'install_command',
      (command) => command.trim().replace(/\s+/g, ' '),
    ),
}

export const UNREPORTED: Form = { hidden: ['build_on_push', 'custom_url', 'install_command', 'shareable'] }

export const WHOLE_SECONDS: Form = {
  own: (fields) => changed(changed(fields, 'created_at', inSeconds), 'updated_at', inSeconds),
}

function inSeconds(date: string): string {
  return date.replace(/\.\d+/, '')
}

function changed(fields: Fields, name: string, change: (text: string) => string): Fields {
  const value = fields[name]
  return typeof value === 'string' ? { ...fields, [name]: change(value) } : fields
}

/** The body of a response in this form. */
export function showIn({ own = (fields) => fields, hidden = [] }: Form, body: unknown): unknown {
  return everywhere(body, (fields) => {
    const shown = Object.entries(own(fields)).filter(([name]) => !hidden.includes(name))
    return Object.fromEntries(shown)
  })
}

/** A copy in which every object, at any depth, is changed. */
export function everywhere(json: unknown, change: (object: Record<string, unknown>) => object): unknown {
  if (Array.isArray(json)) return json.map((one) => everywhere(one, change))
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(change({ ...json })).map(([name, value]) => [name, everywhere(value, change)]),
  )
}
