/**
 * Replaces @actions/exec in the bundle (see "paths" beside this folder in tsconfig.json). @actions/core imports it to
 * describe the platform, which this action does not ask for. With it, Node would load all that starts processes.
 */
export async function getExecOutput(): Promise<never> {
  return await Promise.reject(new Error('This action starts no process by @actions/exec'))
}
