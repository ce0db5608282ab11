import { loadAction } from '../load.ts'
import { replay } from './replay.ts'
import { readTrace } from './trace-file.ts'

/** Replays the run of a trace, and prints how it differs from the recorded one. Returns the exit code. */
export async function showReplay(file: string, withTrace: boolean): Promise<number> {
  await loadAction()
  let traced
  try {
    traced = readTrace(file)
  } catch (thrown) {
    console.error(`Cannot replay ${file}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    return 2
  }
  const { exitCode, outcome, requests, differences, remarks, trace } = await replay(traced)
  if (withTrace) for (const line of trace) console.log(line)
  console.log(`outcome: ${outcome}, exit code ${exitCode ?? 'none'}`)
  console.log(`requests: ${requests}, recorded: ${traced.exchanges.length}`)
  for (const remark of remarks) console.log(`note: ${remark}`)
  for (const difference of differences) console.log(`DIFFERENT: ${difference}`)
  console.log(
    differences.length === 0 ? 'The replay is the same as the recorded run.' : `${differences.length} differences`,
  )
  return differences.length === 0 ? 0 : 1
}
