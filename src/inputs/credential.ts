import { text, type Form, Unacceptable, withForm } from './parsers.ts'

/** A variable of a shell, as in `$NAME`, `${NAME}`, `$env:NAME` and `%NAME%`. */
const VARIABLE = '(?:\\$(?:env:|[({])?|%)([A-Za-z_]\\w*)[)}%]?'
/** An expression of a workflow without its braces, as in `secrets.NAME` and `secrets[\'NAME\']`. */
const EXPRESSION =
  '\\$?\\{{0,2}\\s*(?:(secrets|vars)(?:\\.|\\[[\'"]?)([A-Za-z_]\\w*)(?:[\'"]?\\])?|(github\\.token))\\s*\\}{0,2}'
const QUOTED = '([\'"`]).*\\1'
const IS_QUOTED = new RegExp(`^${QUOTED}$`)

const FORM: Form = {
  ...text.form,
  description: 'printable ASCII without blanks or line breaks: check for a pasting mistake',
  pattern: new RegExp(`^(?!${QUOTED}$)(?!${VARIABLE}$)(?!${EXPRESSION}$)[\\x21-\\x7e]+$`),
}

/** It is sent in a header, so a character that a header cannot contain is a pasting mistake. No message has the value. */
export const credential = withForm(FORM, (value) => {
  const form = formToWrite(value)
  if (form !== undefined) throw new Unacceptable(`is a name that GitHub does not replace: write \${{ ${form} }}`)
  if (IS_QUOTED.test(value)) throw new Unacceptable('is in quotes, which would be sent, too: remove them')
  const [first = '', ...more] = value.split(/\s+/)
  const hasHeader = more.length > 0 && /^[\w-]+:$/.test(first)
  const words = hasHeader ? more : [first, ...more]
  const [scheme = '', ...rest] = words
  if (/^bearer$/i.test(scheme) && rest.length === 0) throw new Unacceptable(NO_TOKEN)
  const hasScheme = /^(?:bearer|token|basic)$/i.test(scheme) && rest.length > 0
  if (hasScheme || hasHeader) throw new Unacceptable(ONLY_TOKEN)
  if (!FORM.pattern.test(value)) throw new Unacceptable(`must be ${FORM.description}`)
  return value
})

const ONLY_TOKEN = 'must be only the token or key, without a word like Bearer or the name of a header before it'
const NO_TOKEN =
  "has a word like Bearer without a token behind it: set only the token, and look for a typo in the name of the workflow's secret"

/** Returns the form that an expression needs in place of a name that is no value; undefined for any other text. */
function formToWrite(value: string): string | undefined {
  return referenceIn(value) ?? (matchOf(VARIABLE, value) === undefined ? undefined : 'secrets.NAME')
}

/** A first word without digits: a token that begins with `$` hardly is such a name. */
const CONVENTIONAL = /^[A-Z]+(?:_[A-Z0-9]+)*$/

/** The expression that a text names, if the text is certainly a name, and no secret. */
export function referenceIn(value: string): string | undefined {
  const [, context, key, token] = matchOf(EXPRESSION, value) ?? []
  if (token !== undefined) return token
  if (context !== undefined) return `${context}.${key ?? ''}`
  const [, name = ''] = matchOf(VARIABLE, value) ?? []
  return CONVENTIONAL.test(name) ? `secrets.${name}` : undefined
}

function matchOf(form: string, value: string): RegExpExecArray | undefined {
  const plain = IS_QUOTED.test(value) ? value.slice(1, -1) : value
  return new RegExp(`^${form}$`).exec(plain) ?? undefined
}
