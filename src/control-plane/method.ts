export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** Whether it changes nothing, whatever becomes of it. */
export function isRead(method: Method): boolean {
  return method === 'GET' || method === 'HEAD'
}
