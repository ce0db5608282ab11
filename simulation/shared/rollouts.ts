import type { InputValue } from '../../demo/runner.ts'
import type { RolloutScript } from '../../sandbox/lifecycle.ts'
import type { SandboxOptions } from '../../sandbox/server.ts'
import { CREATE, INTEGRATION_ID } from '../../__tests__/e2e/journey.ts'

/** A rollout of the storm: the state before it, its inputs, and how it ends. */
export interface StormRollout {
  kind: 'create' | 'patch and revise' | 'verify' | 'after a stranger' | 'two at once'
  seed: NonNullable<SandboxOptions['seed']>
  inputs: Record<string, InputValue>
  /** The state that the deployment must have once the action reports `deployed`. */
  asked: Asked
  script: (deployment: { name: string }, revisionNumber: number) => RolloutScript
  /** Whether the app responds with 200 for an image; used only by a rollout that is verified. */
  isWell: (image: string) => boolean
  optionalRoutes?: boolean
  /** The unfinished revision of another client. */
  stranger?: Stranger
  /** A second run, at the same time. */
  second?: Pick<StormRollout, 'inputs' | 'asked'>
}

export interface Stranger {
  revision: Pick<Asked, 'secrets' | 'source_config' | 'source_revision_config'>
  /** Whether it builds exactly what the run asks for. */
  isSame: boolean
}

export interface Asked {
  shareable?: true
  secrets: { name: string; value: string }[]
  source_config: Readonly<Record<string, unknown>>
  source_revision_config: Readonly<Record<string, unknown>>
}

export type Chance = () => number

export const WAYS: readonly RolloutScript[] = [{}, {}, {}, { ends: 'BUILD_FAILED' }, { ends: 'DEPLOY_FAILED' }]
const WAYS_BACK: readonly RolloutScript[] = [{}, {}, {}, {}, { ends: 'DEPLOY_FAILED' }]

const NAME = 'hello-agent'
const OLD = { secrets: [{ name: 'MODEL_KEY', value: 'an-older-key' }], image: 'registry.example/agent:1' }
const SECRETS = [
  { name: 'MODEL_KEY', value: 'correct-horse-battery' },
  { name: 'SEARCH_KEY', value: 'staple-in-the-hay' },
]
const IMAGE = 'registry.example/agent:2'
const [OLD_URL, URL] = ['https://one.example', 'https://two.example']
/** A service may write it with one space. */
const COMMAND = 'npm  ci'
const NEW_SECRETS = SECRETS.map(({ name, value }) => `${name}=${value}`).join('\n')

export const GIT: Pick<StormRollout, 'seed' | 'inputs' | 'asked'> = {
  seed: [
    {
      name: NAME,
      source: 'git_host',
      source_config: {
        integration_id: INTEGRATION_ID,
        repo_url: 'https://github.com/octo-org/hello-agent',
        build_on_push: false,
        install_command: 'npm install',
      },
      source_revision_config: { repo_ref: 'main', app_config_path: 'agent.json' },
      secrets: OLD.secrets,
    },
  ],
  inputs: {
    ...CREATE,
    'app-config-path': 'storm.json',
    'build-on-push': true,
    'install-command': COMMAND,
    secrets: NEW_SECRETS,
  },
  asked: {
    secrets: SECRETS,
    source_config: { build_on_push: true, install_command: COMMAND },
    source_revision_config: { repo_ref: 'main', app_config_path: 'storm.json' },
  },
}

export const CONTAINER: typeof GIT = {
  seed: [
    {
      name: NAME,
      source: 'external_container',
      source_config: { custom_url: OLD_URL },
      source_revision_config: { image_uri: OLD.image },
      secrets: OLD.secrets,
    },
  ],
  inputs: { name: NAME, source: 'external_container', 'image-uri': IMAGE, 'custom-url': URL, secrets: NEW_SECRETS },
  asked: { secrets: SECRETS, source_config: { custom_url: URL }, source_revision_config: { image_uri: IMAGE } },
}

/**
 * @param site the address that is verified
 * @param isShareable whether a deployment that is created is made shareable, by a PATCH
 */
export function chooseRollout(chance: Chance, site: string, isShareable: boolean): StormRollout {
  const kind = oneOf(['create', 'patch and revise', 'verify'] as const, chance)
  const way = oneOf(WAYS, chance)
  if (kind === 'verify') return verified(way, chance, site)
  const basis = oneOf([GIT, CONTAINER], chance)
  const rollout = { ...basis, kind, script: () => way, isWell: () => false }
  if (kind !== 'create') return rollout
  if (!isShareable) return { ...rollout, seed: [] }
  const [inputs, asked] = [{ ...basis.inputs, shareable: true }, { ...basis.asked, shareable: true } as const]
  return { ...rollout, seed: [], inputs, asked }
}

/** Three of four new images fail the check, and the previous one is restored. */
function verified(way: RolloutScript, chance: Chance, site: string): StormRollout {
  const wayBack = oneOf(WAYS_BACK, chance)
  const isNewWell = chance() < 0.25
  return {
    ...CONTAINER,
    kind: 'verify',
    inputs: { ...CONTAINER.inputs, 'verify-url': site, 'verify-timeout': '6s', rollback: 'on-failure' },
    script: (_deployment, number) => (number === 2 ? way : wayBack),
    isWell: (image) => isNewWell || image === OLD.image,
  }
}

export function oneOf<T>(choices: readonly [T, ...T[]] | readonly T[], chance: Chance): T {
  const chosen = choices[Math.floor(chance() * choices.length)]
  if (chosen === undefined) throw new Error('there is nothing to choose from')
  return chosen
}
