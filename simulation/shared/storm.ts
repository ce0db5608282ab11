import type { Fault } from '../../sandbox/faults.ts'
import type { CreateDeployment } from '../../sandbox/schemas.ts'
import { type StormClass } from './fault-classes.ts'
import { type Form } from './forms.ts'
import { chooseAfterStranger, chooseTwoAtOnce } from './others.ts'
import { chooseRollout, type Chance, type StormRollout } from './rollouts.ts'
import { activeRevision, readDeployments, type Shown } from './truth.ts'

/** A deployment that no rollout is about. */
export const BYSTANDER: CreateDeployment = {
  name: 'bystander',
  source: 'external_container',
  source_config: {},
  source_revision_config: { image_uri: 'registry.example/other:1' },
  secrets: [],
}

export function isDelay({ effect }: Fault): boolean {
  return effect.kind === 'delay' || (effect.kind === 'act-later' && effect.answer.kind === 'delay')
}

/** @param site where the app of a rollout answers */
export function chooseInStorm(
  others: StormClass['others'],
  chance: Chance,
  site: string,
  { hidden = [] }: Form,
): StormRollout {
  switch (others) {
    case 'stranger':
      return chooseAfterStranger(chance)
    case 'second run':
      return chooseTwoAtOnce(chance)
    case undefined:
      return chooseRollout(chance, site, hidden.includes('shareable'))
  }
}

export function activeImage(sandbox: Shown, name?: string): string {
  return String(activeRevision(readDeployments(sandbox, name)[0])?.source_revision_config['image_uri'])
}
