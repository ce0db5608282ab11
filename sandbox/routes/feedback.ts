import { z } from 'zod'
import { freeObject } from '../shapes.ts'
import { anything, detail, route, type Plane, type Route } from './route.ts'

const FORMULAS_REMOVED_ON = '2026-08-20'
const ofFormula = z.object({ feedback_formula_id: z.string() })
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
    route({
      method: 'POST',
      pattern: '/feedback/formulas',
      summary: 'Creates a feedback formula',
      group: 'feedback',
      described: 'partly',
      removedOn: FORMULAS_REMOVED_ON,
      ids: anything,
      query: anything,
      body: freeObject,
      answers: { 200: shape },
      answer: ({ body }) => ({ status: 200, body: tracing.addFormula(body) }),
    }),
    route({
      method: 'GET',
      pattern: '/feedback/formulas',
      summary: 'Lists feedback formulas',
      group: 'feedback',
      described: 'partly',
      removedOn: FORMULAS_REMOVED_ON,
      ids: anything,
      query: anything,
      body: anything,
      answers: { 200: z.array(shape) },
      answer: () => ({ status: 200, body: tracing.formulas() }),
    }),
    route({
      method: 'GET',
      pattern: '/feedback/formulas/{feedback_formula_id}',
      summary: 'Reads a feedback formula',
      group: 'feedback',
      described: 'partly',
      removedOn: FORMULAS_REMOVED_ON,
      ids: ofFormula,
      query: anything,
      body: anything,
      answers: { 200: shape, 404: detail },
      answer: ({ ids }) => ({ status: 200, body: tracing.formula(ids.feedback_formula_id) }),
    }),
    route({
      method: 'PUT',
      pattern: '/feedback/formulas/{feedback_formula_id}',
      summary: 'Replaces a feedback formula',
      group: 'feedback',
      described: 'partly',
      removedOn: FORMULAS_REMOVED_ON,
      ids: ofFormula,
      query: anything,
      body: freeObject,
      answers: { 200: shape, 404: detail },
      answer: ({ ids, body }) => ({ status: 200, body: tracing.replaceFormula(ids.feedback_formula_id, body) }),
    }),
    route({
      method: 'DELETE',
      pattern: '/feedback/formulas/{feedback_formula_id}',
      summary: 'Deletes a feedback formula',
      group: 'feedback',
      described: 'partly',
      removedOn: FORMULAS_REMOVED_ON,
      ids: ofFormula,
      query: anything,
      body: anything,
      answers: { 204: 'nothing', 404: detail },
      answer({ ids }) {
        tracing.deleteFormula(ids.feedback_formula_id)
        return { status: 204 }
      },
    }),
  ]
}
