/** Names of labels have no case on GitHub. One character may be written in two ways in Unicode. */
export function sameLabel(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other)
}

export function hasLabel(labels: readonly string[], label: string): boolean {
  return labels.some((one) => sameLabel(one, label))
}

function keyOf(label: string): string {
  return label.normalize().trim().toLowerCase()
}
