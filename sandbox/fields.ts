import { z } from 'zod'

/** The kinds of field in the contract's tables: nullable; a missing field means null. */

export const text = z.string().nullish()
export const flag = z.boolean().nullish()
export const uuid = z.guid().nullish()
export const freeForm = z.record(z.string(), z.unknown()).nullish()
export const stringMap = z.record(z.string(), z.string()).nullish()

export const dnsLabel = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'String should be a DNS label')
export const identifier = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'String should be a C identifier')

const digits = z.string().transform((given, context) => {
  if (/^-?\d+$/.test(given)) return Number(given)
  const message = 'Input should be a valid integer, unable to parse string as an integer'
  context.addIssue({ code: 'custom', message, params: { type: 'int_parsing' } })
  return z.NEVER
})

/** An integer in a query: a string on the wire, an integer in the document. */
export function queryInteger(standard: number, minimum: number, maximum?: number) {
  const bounded = maximum === undefined ? z.number().min(minimum) : z.number().min(minimum).max(maximum)
  const bounds = { minimum, ...(maximum === undefined ? {} : { maximum }) }
  return digits
    .pipe(bounded)
    .default(standard)
    .meta({ type: 'integer', ...bounds, standard })
}

/** A boolean in a query. */
export const queryFlag = z
  .string()
  .transform((given, context) => {
    if (/^(true|1|yes|on)$/i.test(given)) return true
    if (/^(false|0|no|off)$/i.test(given)) return false
    const message = 'Input should be a valid boolean, unable to interpret input'
    context.addIssue({ code: 'custom', message, params: { type: 'bool_parsing' } })
    return z.NEVER
  })
  .meta({ type: 'boolean' })
