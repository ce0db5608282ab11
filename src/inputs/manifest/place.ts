import { describeSteps, type Path } from '../../sources/resource-spec/path.ts'

/** `deployments[3].secrets.MODEL_API_KEY` */
export function describePlace(path: Path): string {
  return describeSteps(path, mayHoldSecrets).replace(/^\./, '')
}

/** Whether a text at this place may be a secret that must not be repeated. */
export function mayHoldSecrets(path: Path): boolean {
  return path.some((step) => MAY_HOLD_SECRETS.includes(String(step)))
}

const MAY_HOLD_SECRETS = ['secrets', 'variables', 'resource-spec', 'install-command', 'build-command']

/** The steps below an input, as in `.sidecars[0]["a b"].env` of a problem's name. */
export function stepsOf(below: string): PropertyKey[] {
  return [...below.matchAll(/\.([A-Za-z_][\w-]*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/g)].map(
    ([, key, index, quoted]) => key ?? (index === undefined ? (quoted ?? '') : Number(index)),
  )
}
