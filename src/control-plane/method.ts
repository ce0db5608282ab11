export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** Whether the method changes nothing on the server. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
