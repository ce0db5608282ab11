import { z } from 'zod'
import { freeObject } from '../shapes.ts'
import { anything, route, type Plane, type Route } from './route.ts'

const FORMULA = '/feedback/formulas/{feedback_formula_id}'
/** The contract says of formulas only that these routes exist until a day. */
const FORMULAS = [
  ['POST', '/feedback/formulas', 'Creates a feedback formula'],
  ['GET', '/feedback/formulas', 'Lists feedback formulas'],
  ['GET', FORMULA, 'Reads a feedback formula'],
  ['PUT', FORMULA, 'Replaces a feedback formula'],
  ['DELETE', FORMULA, 'Deletes a feedback formula'],
] as const
const feedback = z.looseObject({ thread_id: z.string().nullish() })
const shape = z.looseObject({ id: z.string() })

export function feedbackRoutes({ tracing }: Plane): Route[] {
  return [
    route({
      method: 'POST',
      pattern: '/feedback',
      summary: 'Adds feedback',
      group: 'feedback',
      described: 'partly',
      ids: anything,
      query: anything,
      body: feedback,
      answers: { 200: shape },
      answer: ({ body }) => ({ status: 200, body: tracing.addFeedback(body) }),
    }),
    route({
      method: 'GET',
      pattern: '/feedback',
      summary: 'Lists feedback, by thread within a project',
      group: 'feedback',
      described: 'partly',
      ids: anything,
      query: z.object({ thread_id: z.string().optional(), project_id: z.string().optional() }),
      body: anything,
      answers: { 200: z.array(shape) },
      answer: ({ query }) => ({ status: 200, body: tracing.feedback(query) }),
    }),
    route({
      method: 'POST',
      pattern: '/feedback/eager',
      summary: 'Adds feedback; use POST /feedback instead',
      group: 'feedback',
      described: 'partly',
      removedOn: '2026-08-10',
      ids: anything,
      query: anything,
      body: feedback,
      answers: { 200: shape },
      answer: ({ body }) => ({ status: 200, body: tracing.addFeedback(body) }),
    }),
    ...FORMULAS.map(([method, pattern, summary]) =>
      route({
        method,
        pattern,
        summary,
        group: 'feedback',
        described: 'partly',
        removedOn: '2026-08-20',
        ids: anything,
        query: anything,
        body: anything,
        answers: { 200: freeObject },
        answer: () => ({ status: 200, body: {} }),
      }),
    ),
  ]
}
