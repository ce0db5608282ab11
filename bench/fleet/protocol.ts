import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** What the control plane of the benchmark and the benchmark tell each other. Times are milliseconds since the epoch. */

const asked = z.strictObject({ count: z.number(), speed: z.number() })
export type Asked = z.infer<typeof asked>
export const askedOf = (text: string): Asked => asked.parse(JSON.parse(text))

const opened = z.strictObject({ url: z.string(), gitHubUrl: z.string(), gitHubToken: z.string() })
export type Opened = z.infer<typeof opened>

const revision = z.strictObject({ id: z.string(), status: z.string(), createdAt: z.number(), endedAt: z.number() })
const seen = z.strictObject({ name: z.string(), id: z.string(), active: z.string(), revisions: z.array(revision) })
const request = z.strictObject({
  method: z.string(),
  route: z.string(),
  path: z.string(),
  at: z.number(),
  status: z.number(),
})
const report = z.strictObject({ requests: z.array(request), deployments: z.array(seen) })

/** A deployment as the control plane knows it. */
export type Seen = z.infer<typeof seen>
export type Report = z.infer<typeof report>

export interface ControlPlane extends AsyncDisposable, Opened {
  report: () => Promise<Report>
}

/** Starts a control plane with so many deployments in its own process. */
export async function startControlPlane(options: Asked): Promise<ControlPlane> {
  const file = fileURLToPath(new URL('control-plane.ts', import.meta.url))
  const child = fork(file, [JSON.stringify(options)])
  const [addresses] = z
    .tuple([opened])
    .rest(z.unknown())
    .parse(await once(child, 'message'))
  return {
    ...addresses,
    report: async () => {
      child.send('report')
      const [answer] = z.array(z.unknown()).parse(await once(child, 'message'))
      return report.parse(answer)
    },
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit')
      child.disconnect()
      await exit
    },
  }
}
