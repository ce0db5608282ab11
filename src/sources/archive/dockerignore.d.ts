/** The package's own types describe an ES module, but it is CommonJS. */
declare module '@balena/dockerignore' {
  interface DockerRules {
    add(text: string): DockerRules
    /** @param path relative to the directory of the rules, with `/` between its parts */
    ignores(path: string): boolean
  }

  export default function createDockerRules(options?: { ignorecase?: boolean }): DockerRules
}
