import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { mutate, occurrences } from '../scripts/mutants/mutant.ts'
import { DEFECTS, WITHOUT } from './defects.ts'

/** A process that looks for one defect, and sends what it has found. Without one in it, the action must be true. */

const [number = '', seed = '1', from = '0', to = '0', what = 'with the defect'] = process.argv.slice(2)
const defect = DEFECTS[Number(number)]
if (defect === undefined) throw new Error(`there is no defect ${number}`)
const changes = Map.groupBy(
  what === WITHOUT ? [] : defect.changes,
  ({ file }) => new URL(`../src/${file}`, import.meta.url).href,
)
const unmade = new Set(changes.keys())

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const own = changes.get(url)
    if (own === undefined) return loaded
    let source = readFileSync(new URL(url), 'utf8')
    for (const change of own) {
      if (occurrences(source, change.text) !== 1) throw new Error(`the text of "${defect.name}" is not once in ${url}`)
      source = mutate(source, change)
    }
    unmade.delete(url)
    return { ...loaded, source }
  },
})

/** How long it took to find a defect, and by what. */
export interface Finding {
  /** Its number, from 0. */
  run: number
  rollouts: number
  kind: string
  untrue: string
}

const { loadAction } = await import('./load.ts')
const { simulate } = await import('./simulate.ts')
await loadAction()
if (unmade.size > 0) throw new Error(`nothing loads ${[...unmade].join(' and ')}`)
process.send?.(await find(defect.operation))

async function find(operation: (typeof DEFECTS)[number]['operation']): Promise<Finding | 'not found'> {
  let rollouts = 0
  for (let run = Number(from); run < Number(to); run++) {
    const { untrue, kind, rollouts: more } = await simulate(seed, run, { operation })
    rollouts += more
    if (untrue[0] !== undefined) return { run, rollouts, kind, untrue: untrue[0] }
  }
  return 'not found'
}
