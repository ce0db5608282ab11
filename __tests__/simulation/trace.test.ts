import { expect, it } from '@jest/globals'
import { Trace } from '../../simulation/trace.ts'
import { reportBroken } from '../../src/report/log.ts'
import { Redactor } from '../../src/secrets/redact.ts'

/** The trace of a run that prints this stack. */
function traceWith(stack: string): Trace {
  const trace = new Trace(() => 0)
  const error = Object.assign(new Error('it is lost'), { stack })
  reportBroken(new Redactor(() => undefined), (line) => trace.add('run', line), error)
  return trace
}

it('has the same digest in every folder, and keeps the stack', () => {
  const one = traceWith('Error: it is lost\n    at read (/one/src/read.ts:7:1)\n    at async /one/src/run.ts:3:9')
  const other = traceWith('Error: it is lost\n    at read (/another/src/read.ts:8:1)')
  expect(one.lines.join()).toContain('/one/src/run.ts:3:9')
  expect(one.digest('end')).toBe(other.digest('end'))
})

it('has another digest if something else happened', () => {
  const stack = 'Error: it is lost\n    at read (/one/src/read.ts:7:1)'
  const digest = traceWith(stack).digest('end')
  expect(traceWith(stack.replace('is lost', 'came twice')).digest('end')).not.toBe(digest)
  expect(traceWith(`${stack}\nCause: none`).digest('end')).not.toBe(digest)
  expect(traceWith(stack).digest('another end')).not.toBe(digest)
})
