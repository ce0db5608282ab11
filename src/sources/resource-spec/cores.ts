/** The contract rounds cores to one decimal; none is left with nothing. */
export function roundCores(value: number): number {
  return Math.max(0.1, Math.round(value * 10) / 10)
}
