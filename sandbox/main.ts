import { HELP, readCommand, UsageError } from './command-line.ts'
import { credentialToSend } from './credentials.ts'
import { curlWith } from './page/rules.js'
import { startSandbox } from './server.ts'

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2))
  if (command.kind === 'help') {
    console.log(HELP)
    return
  }
  const { options } = command
  const { apiKey, bearerToken, tenantId } = options.credentials
  const sandbox = await startSandbox(options)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close())
  console.log(`Sandbox control plane: ${sandbox.url}`)
  console.log(`With LangSmith's names: ${sandbox.publicUrl}`)
  console.log(`API key:               ${apiKey}`)
  if (bearerToken !== undefined) console.log(`Bearer token:          ${bearerToken}`)
  if (tenantId !== undefined) console.log(`Tenant ID:             ${tenantId}`)
  console.log(`In a browser:          ${new URL('/', sandbox.url).href}`)
  console.log(
    `Try it:                ${curlWith(credentialToSend(options.credentials).header)} '${sandbox.url}/v2/deployments'`,
  )
}

try {
  await main()
} catch (thrown) {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  console.error(thrown instanceof UsageError ? `sandbox: ${message}. See --help.` : `sandbox: ${message}`)
  process.exitCode = thrown instanceof UsageError ? 2 : 1
}
