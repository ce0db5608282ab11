import { z } from 'zod'

/** Contract, "HTTPValidationError", less what it echoes of the request: `input` and `ctx` may hold a secret. */
export const httpValidationError = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
})

/** An error's `detail` as plain text; some gateways say `message` instead. */
export const plainError = z.union([
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ detail: z.object({ message: z.string() }) }).transform(({ detail }) => detail.message),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.string() }).transform(({ error }) => error),
])
