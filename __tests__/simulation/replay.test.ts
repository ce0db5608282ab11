import { beforeAll, describe, expect, it } from '@jest/globals'
import { loadAction } from '../../simulation/load.ts'
import { replay, type Replayed } from '../../simulation/replay/replay.ts'
import { parseTrace } from '../../simulation/replay/trace-file.ts'
import { GIT } from '../../simulation/shared/rollouts.ts'
import { journey, story, STORIES, tell } from './traced-runs.ts'

beforeAll(loadAction)

const replayText = async (text: string): Promise<Replayed> => await replay(parseTrace(text))
const ONE = story({ inputs: GIT.inputs, seed: GIT.seed })

describe('a replay', () => {
  it.each(Object.entries(STORIES))(
    'comes to the same end by the same requests: %s',
    async (_name, { outcome, tell: tale }) => {
      const { step, trace } = await tell(tale)
      expect(step.outputs['outcome']).toBe(outcome)
      const again = await replayText(trace)
      expect(again.differences).toEqual([])
      expect(again).toMatchObject({ outcome, exitCode: step.exitCode, requests: step.parcels.length })
    },
  )

  it('is not possible of the action request: any text of it may be a secret', async () => {
    const { step, trace } = await tell(journey('request'))
    expect(step.outputs['outcome']).toBe('answered')
    expect(trace).toBe('')
  })

  it('is a function of the trace', async () => {
    const { trace } = await tell(ONE)
    expect(await replayText(trace)).toEqual(await replayText(trace))
  })

  it('reports another outcome, what was not sent, and what was not recorded', async () => {
    const { trace } = await tell(ONE)
    const failed = await replayText(
      trace.replaceAll(String.raw`\"status\":\"DEPLOYED\"`, String.raw`\"status\":\"BUILD_FAILED\"`),
    )
    expect(failed.outcome).toBe('failed')
    expect(failed.differences.join('\n')).toMatch(
      /^the exit code was 0, and is 1\nthe output outcome was deployed, and is failed/,
    )
    expect(failed.differences.some((one) => one.startsWith('sent, but not recorded: '))).toBe(true)
    const lines = trace.trimEnd().split('\n')
    const twice = [...lines.slice(0, -1), lines.at(-2), lines.at(-1)].join('\n')
    expect((await replayText(twice)).differences).toEqual([expect.stringMatching(/^recorded, but not sent: GET /)])
  })

  it('reports another body of a request', async () => {
    const { trace } = await tell(ONE)
    const other = trace.replace(String.raw`"sent":"{\"revision_source\"`, String.raw`"sent":"{\"another\"`)
    expect(other).not.toBe(trace)
    const { differences } = await replayText(other)
    expect(differences).toEqual([expect.stringContaining('sent with another body: POST ')])
  })

  it('says what it cannot compare', async () => {
    const { trace } = await tell(ONE)
    const { remarks } = await replayText(
      trace.replace('"isCut":false', '"isCut":true').replace('"GITHUB_RUN_ATTEMPT":"1"', '"GITHUB_RUN_ATTEMPT":"2"'),
    )
    expect(remarks.join('\n')).toMatch(/the trace is cut[^]*a rerun/)
  })
})
