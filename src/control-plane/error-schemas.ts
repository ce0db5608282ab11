import { z } from 'zod'

/** Contract, "HTTPValidationError", without `input` and `ctx`: they echo the request and may hold a secret. */
export const httpValidationError = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
})

/** The text of an error: `detail` (contract, "Errors"), or `message` or `error` of a gateway. */
export const plainError = z.union([
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ detail: z.object({ message: z.string() }) }).transform(({ detail }) => detail.message),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.string() }).transform(({ error }) => error),
])
