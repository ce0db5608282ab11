import type { ControlPlane, PageQuery } from '../../control-plane/control-plane.ts'

/** The same control plane, which is asked only once for what is the same for all deployments. */
export function askedOnce(controlPlane: ControlPlane): ControlPlane {
  const listListeners = once(
    async (query: PageQuery) => await controlPlane.listListeners(query),
    ({ limit, offset }) => `${limit} ${offset}`,
  )
  const listIntegrations = once(
    async () => await controlPlane.listIntegrations(),
    () => '',
  )
  const listRepositories = once(
    async (id: string) => await controlPlane.listRepositories(id),
    (id) => id,
  )
  const shared = { listListeners, listIntegrations, listRepositories }
  const decorate = (one: ControlPlane): ControlPlane => ({
    ...one,
    ...shared,
    within: (deadline) => decorate(one.within(deadline)),
  })
  return decorate(controlPlane)
}

/** An answer is kept, an error is not. */
function once<Given extends readonly unknown[], T>(
  ask: (...given: Given) => Promise<T>,
  keyOf: (...given: Given) => string,
): (...given: Given) => Promise<T> {
  const answers = new Map<string, Promise<T>>()
  return async (...given) => {
    const key = keyOf(...given)
    const answer = answers.get(key) ?? ask(...given)
    answers.set(key, answer)
    try {
      return await answer
    } catch (thrown) {
      answers.delete(key)
      throw thrown
    }
  }
}
