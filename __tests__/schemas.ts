import { SCHEMAS } from '../src/control-plane/schemas.ts'

export const baseUrl = new URL('https://control-plane.example')

/** The schemas of the control plane, loaded already. */
export const schemas = async (): Promise<typeof SCHEMAS> => await Promise.resolve(SCHEMAS)
