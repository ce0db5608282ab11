/**
 * Keeps Node's heap small, before much is read: the manifest of a fleet, or a large answer. The space for new objects
 * would grow to 128 MB and stay so, and the space for old ones to four times what is in use (docs/performance.md,
 * "Fleets").
 */
export function keepHeapSmall(): void {
  // Not imported: most runs do without it.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString('--semi-space-growth-factor=1')
  // In percent of what is in use after a collection.
  setFlagsFromString('--heap-growing-percent=40')
}
