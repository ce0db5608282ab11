import type { Masks } from '../../secrets/learn.ts'
import { secretsOfAddress, secretsOfText } from '../../secrets/address.ts'
import type { Environment } from '../../world.ts'
import { PUBLIC_VARIABLES } from '../runner-inputs.ts'

/** The environment of the step, and the masks, which learn a value from it before anything is printed. */
export interface StepVariables {
  env: Environment
  masks: Masks
}

/** Replaces `${NAME}` in a text. Each problem is the end of a sentence and contains no value. */
export type Fill = (text: string, onProblem: (message: string) => void) => string

/** Variables that hold inputs, or the runner's own tokens. */
const OF_RUNNER = /^(INPUT|STATE|ACTIONS)_/i

const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{/g

const HOW = 'set it in env of the step'

const LITERAL_SECRET =
  'has a literal value, and a manifest contains no secrets: write ${NAME}, and set NAME in env of the step, from a secret of the workflow; a value that is no secret belongs in variables'

/** `$${` becomes `${` itself. A value is masked when it is first read. */
export function createFill({ env, masks }: StepVariables): Fill {
  const masked = new Set<string>()
  return (text, onProblem) =>
    text.replace(REFERENCE, (all: string, name: string | undefined, at: number) => {
      if (all === '$${') return '${'
      if (name === undefined) {
        onProblem(text[at + 2] === '{' ? EXPRESSION : MALFORMED)
        return all
      }
      if (OF_RUNNER.test(name)) {
        onProblem(`names the variable ${name}, which belongs to the runner: ${HOW} under another name`)
        return all
      }
      // An object has more names than its own, such as toString.
      const value = Object.hasOwn(env, name) ? env[name] : undefined
      if (value === undefined || value.trim() === '') {
        const why = value === undefined ? 'not set' : 'empty'
        const look = value === undefined ? '' : ', and look for a typo in the name of the secret'
        onProblem(`names the variable ${name}, which is ${why}: ${HOW}${look}`)
        return all
      }
      if (value.includes('${{')) {
        onProblem(`names the variable ${name}, whose value has an expression \${{ … }} that GitHub did not evaluate`)
        return all
      }
      if (!masked.has(name) && !PUBLIC_VARIABLES.includes(name))
        masks.values([value, ...secretsOfText(value), ...secretsOfAddress(value)])
      masked.add(name)
      return value
    })
}

/** Words what is wrong with the text of a secret that is no variable. */
export function describeSecret(text: unknown): string {
  return typeof text === 'string' && text.includes('${{') ? EXPRESSION : LITERAL_SECRET
}

export const EXPRESSION = `has an expression \${{ … }}, which GitHub evaluates in workflows only: ${HOW}, and write \${NAME} here`
const MALFORMED = 'has a ${ that does not begin ${NAME}: write $${ for the characters themselves'
