/** What a linter finds in a file; line and column count from 1. */
export interface Problem {
  file: string
  line: number
  column: number
  message: string
}
