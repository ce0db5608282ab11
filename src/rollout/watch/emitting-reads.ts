import type { ControlPlane } from '../../control-plane/control-plane.ts'
import type { Dependencies } from '../dependencies.ts'

/** Any read may report the deployment's address: a new deployment gets it while its revision is rolled out. */
export function emittingReads(controlPlane: ControlPlane, emit: Dependencies['emit']): ControlPlane {
  return {
    ...controlPlane,
    within: (deadline) => emittingReads(controlPlane.within(deadline), emit),
    async getDeployment(id) {
      const deployment = await controlPlane.getDeployment(id)
      emit({ kind: 'deployment-read', deployment })
      return deployment
    },
  }
}
