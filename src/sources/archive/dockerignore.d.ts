/** The package's own types take it for an ES module, which it is not. */
declare module '@balena/dockerignore' {
  interface DockerRules {
    add(text: string): DockerRules
    /** @param path relative to where the rules stand, with `/` between its parts */
    ignores(path: string): boolean
  }

  export default function createDockerRules(options?: { ignorecase?: boolean }): DockerRules
}
