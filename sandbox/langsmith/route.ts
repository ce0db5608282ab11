import { parseJson, Refusal } from '../answers.ts'
import { echoOf, type ValidationError } from '../problems.ts'
import type { Answer, Route } from '../routes/route.ts'
import { placeOf, respell, respellPath, respellPattern, respellText, type Place } from './names.ts'

/** The same route in the words of the public service: its path, what it takes, what it answers, and its errors. */
export function inPublicWords(route: Route): Route {
  const place = placeOf(route.pattern)
  return {
    ...route,
    pattern: respellPattern(route.pattern),
    handle(request) {
      const sent = jsonIn(request.text)
      const text = sent === undefined ? request.text : JSON.stringify(respell(place, sent))
      try {
        return answered(place, route.handle({ ...request, text }))
      } catch (thrown) {
        throw thrown instanceof Refusal ? refused(place, thrown, sent) : thrown
      }
    },
  }
}

/** undefined for a body that is no JSON: the route refuses it. */
function jsonIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function answered(place: Place, answer: Answer): Answer {
  return 'body' in answer ? { ...answer, body: respell(place, answer.body) } : answer
}

function refused(place: Place, { status, body, headers }: Refusal, sent: unknown): Refusal {
  const { detail } = body
  const shown = typeof detail === 'string' ? respellText(detail) : detail.map((problem) => worded(place, problem, sent))
  return new Refusal(status, shown, headers)
}

function worded(place: Place, problem: ValidationError, sent: unknown): ValidationError {
  const [part = 'body', ...path] = problem.loc
  const { ctx, ...rest } = problem
  const spelled = { ...rest, msg: respellText(problem.msg), ...(ctx === undefined ? {} : { ctx: wordedContext(ctx) }) }
  if (part !== 'body' || sent === undefined) return spelled
  const there = respellPath(place, path)
  return { ...spelled, loc: [part, ...there], input: echoOf(sent, there) }
}

function wordedContext(ctx: Record<string, unknown>): Record<string, unknown> {
  const { expected } = ctx
  return typeof expected === 'string' ? { ...ctx, expected: respellText(expected) } : ctx
}
