import { SCHEMAS } from '../src/control-plane/schemas.ts'

/** The schemas of the control plane, loaded already. */
export const schemas = async (): Promise<typeof SCHEMAS> => await Promise.resolve(SCHEMAS)
