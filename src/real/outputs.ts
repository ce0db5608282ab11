import * as core from '@actions/core'

export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  // Without the file, the toolkit prints an older command for each output, which runners refuse.
  if (!process.env['GITHUB_OUTPUT']) throw new Error('GITHUB_OUTPUT is not set')
  for (const [name, value] of Object.entries(outputs)) core.setOutput(name, value)
}

export async function addSummary(markdown: string): Promise<void> {
  await core.summary.addRaw(markdown, true).write()
}
