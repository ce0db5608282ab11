import type { Mutant } from '../../scripts/mutants/mutant.ts'

export const BUNDLE: readonly Mutant[] = [
  {
    file: 'bundle/tunnel.ts',
    guard: 'A proxy that refuses opens no tunnel.',
    text: 'if (response.statusCode === 200)',
    becomes: 'if (response.statusCode !== 407)',
    test: 'bundle/tunnel.test.ts',
  },
  {
    file: 'bundle/tunnel.ts',
    guard: "What comes with the proxy's answer is not lost.",
    text: 'if (head.length > 0) socket.unshift(head)',
    becomes: '',
    test: 'bundle/tunnel.test.ts',
  },
]
