import type { Path } from '../../sources/resource-spec/path.ts'

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/

/** `deployments[3].secrets.MODEL_API_KEY` */
export function describePlace(path: Path): string {
  const steps = path.map((step, depth) => {
    if (typeof step === 'number') return `[${step}]`
    const key = String(step)
    if (PLAIN_KEY.test(key)) return `.${key}`
    // `{ TOKEN=… }` is a mapping, too: a key that is not a plain name may contain a value.
    return mayHoldSecrets(path.slice(0, depth)) ? '[…]' : `[${JSON.stringify(key.slice(0, 60))}]`
  })
  return steps.join('').replace(/^\./, '')
}

/** Whether a text at this place may be a secret that must not be repeated. */
export function mayHoldSecrets(path: Path): boolean {
  return path.some((step) => ['secrets', 'resource-spec', 'install-command', 'build-command'].includes(String(step)))
}

/** The steps below an input, as in `.sidecars[0]["a b"].env` of a problem's name. */
export function stepsOf(below: string): PropertyKey[] {
  return [...below.matchAll(/\.([A-Za-z_][\w-]*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/g)].map(
    ([, key, index, quoted]) => key ?? (index === undefined ? (quoted ?? '') : Number(index)),
  )
}
