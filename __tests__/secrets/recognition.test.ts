import { describe, expect, it } from '@jest/globals'
import { holdsSecret, knownSecretsIn, looksSecret, secretsInCommand } from '../../src/secrets/recognition.ts'

const A_KEY = 'x7Kq2mPz9'
const REST = 'a1B2c3D4e5F6g7H8'

describe('the name of a variable', () => {
  it.each([
    ...['KEY', 'OPENAI_API_KEY', 'openai_api_key', 'Api_Token', 'GITHUB_TOKEN', 'CLIENT_SECRET', 'DB_PASSWORD'],
    ...['MY_PASSWD', 'GCP_CREDENTIAL', 'GCP_CREDENTIALS', 'JWT_PRIVATE_KEY', 'KEY_', 'A__TOKEN'],
  ])('says that its value is a secret: %s', (name) => {
    expect(looksSecret({ name, value: A_KEY })).toBe(true)
  })

  it.each([
    ...['LOG_LEVEL', 'KEYS', 'MONKEY', 'TOKENS', 'TOKENIZER', 'KEY_FILE', 'SECRET_NAME', 'PASSWORD_MIN', 'APIKEY'],
    ...[
      'PUBLIC_KEY',
      'NEXT_PUBLIC_API_KEY',
      'STRIPE_PUBLISHABLE_KEY',
      'SUPABASE_ANON_KEY',
      'SORT_KEY',
      'partition_key',
    ],
    ...['PUBLIC_PASSWORD'],
  ])('says nothing: %s', (name) => {
    expect(looksSecret({ name, value: A_KEY })).toBe(false)
  })

  it.each<[string, string]>([
    ['a word', 'user_id'],
    ['words of 32 letters', 'abcdefghijklmnop.qrstuvwxyz-abcd'],
    ['letters of another alphabet', 'schlüssel-für-alle'],
    ['a number', '1234567890'],
    ['a number with a sign', '-0.12345678'],
    ['a path', '/run/secrets/the-key-1'],
    ['a path from here', './keys/id_rsa.v2'],
    ['a path above', '../keys/id_rsa.v2'],
    ['a path of a home', '~/.ssh/id_rsa.v2'],
    ['a path of the home of another', '~app1/.ssh/id_rsa2'],
    ['an address', 'https://login.example/oauth2/token?v=1'],
    ['an address with a user', 'postgres://app1@db.example/x'],
    ['an address with a placeholder', 'postgres://app1:changeme@db.example/x'],
    ['an ARN', 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:a-1'],
    ['a placeholder', '<your key 123>'],
    ['a list', '["a1","b2"]'],
    ['nothing', ''],
    ['blanks', '          '],
  ])('says nothing if the value is %s', (_case, value) => {
    for (const name of ['API_KEY', 'API_TOKEN', 'API_SECRET', 'API_CREDENTIALS', 'PRIVATE_KEY'])
      expect([name, looksSecret({ name, value })]).toEqual([name, false])
  })

  it.each<[string, string]>([
    ['letters and a digit', 'abcdefgh1'],
    ['33 letters', 'a'.repeat(33)],
    ['a key that begins with ~', '~x7Kq2mPz9'],
    ['a path with a login', 'postgres://app:x7Kq2mPz9@db.example/x'],
    ['text that only ends with a bracket', 'x7Kq2mPz9]'],
    ['text that only begins with a bracket', '<x7Kq2mPz9'],
    ['a JSON web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'],
  ])('says that the value is a secret if it is %s', (_case, value) => {
    expect(looksSecret({ name: 'API_KEY', value })).toBe(true)
  })

  it.each<[string, boolean]>([
    ['API_KEY', false],
    ['API_TOKEN', false],
    ['API_SECRET', true],
    ['API_CREDENTIALS', true],
    ['RSA_PRIVATE_KEY', true],
  ])('allows values below 8 characters: %s, refused: %p', (name, isRefused) => {
    expect(looksSecret({ name, value: 'abc12$7' })).toBe(isRefused)
    expect(looksSecret({ name, value: 'abc12$78' })).toBe(true)
  })

  it.each(['info', '8000', './file', 'https://x.example', '<password>', 'x'])(
    'allows no value of a password: %s',
    (value) => {
      expect(looksSecret({ name: 'DB_PASSWORD', value })).toBe(true)
      expect(looksSecret({ name: 'DB_PASSWD', value })).toBe(true)
    },
  )
})

describe('the form of a value', () => {
  // prettier-ignore
  const BEGINNINGS = [
    'sk-', 'sk_live_', 'rk_live_', 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'AKIA', 'AIza',
    'lsv2_', 'hf_', 'gsk_', 'tvly-', 'xoxb-', 'xoxp-', 'npm_', 'pypi-', 'ya29.', 'SG.',
  ]

  it.each(BEGINNINGS)('shows a token: %s', (beginning) => {
    const token = `${beginning}${REST}`
    for (const text of [token, `Bearer ${token}`, `{"a":"${token}"}`, `https://x.example/?key=${token}`])
      expect(knownSecretsIn(text)).toEqual([token])
    expect(holdsSecret(token)).toBe(true)
    expect(holdsSecret(`https://${token}@git.example/a`)).toBe(true)
    expect(looksSecret({ name: 'MODE', value: token })).toBe(true)
    expect(looksSecret({ name: 'PUBLIC_KEY', value: token })).toBe(true)
    expect(knownSecretsIn(token.slice(0, -1))).toEqual([])
    expect(knownSecretsIn(`a${token}`)).toEqual([])
  })

  it.each<[string, string]>([
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIx\n-----END RSA PRIVATE KEY-----'],
    ['a private key without a kind', '-----BEGIN PRIVATE KEY-----\\nMIIx\\n-----END PRIVATE KEY-----\\n'],
    ['a private key that is cut', 'x -----BEGIN OPENSSH PRIVATE KEY-----'],
    ['a private key of PGP', '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nx'],
    ['a password in an address', 'postgres://me:hunter2@db.example/x'],
    ['a password without a user', 'redis://:hunter2@cache.example'],
    ['a password that no parser of addresses takes', 'postgres://me:p#ss/w@db.example/x'],
    ['a password after a placeholder', 'a://u:changeme@h b://u:hunter2@h'],
    ['a password in an address of an address', 'jdbc:postgresql://me:hunter2@db.example/x'],
  ])('shows %s', (_case, value) => {
    expect(looksSecret({ name: 'MODE', value })).toBe(true)
    expect(holdsSecret(value)).toBe(true)
  })

  it.each<[string, string]>([
    ['a certificate', '-----BEGIN CERTIFICATE-----\nMIIx\n-----END CERTIFICATE-----'],
    ['a public key', '-----BEGIN PUBLIC KEY-----\nMIIx\n-----END PUBLIC KEY-----'],
    ['a JSON web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'],
    ['a random text', 'x7Kq2mPz9vB4nR8wT1yU6iO3pA5sD0fG'],
    ['a commit', '0123456789abcdef0123456789abcdef01234567'],
    ['an end of a word', `task-${REST}`],
    ['the host of an address', 'https://sk-telecom-agents-prod1.example/x'],
    ['an @ in a path', 'https://x.example/a:b@c'],
    ['a user of an address', 'https://git@x.example/a'],
    ['an empty password', 'https://git:@x.example/a'],
    ...[
      'password',
      'Password',
      'changeme',
      'change-me',
      'your-password',
      '***',
      'xxxx',
      '...',
      '<password>',
      '[password]',
    ].map((word): [string, string] => [`the placeholder ${word}`, `postgres://me:${word}@db.example/x`]),
    ...['${DB_PASSWORD}', '$DB_PASSWORD', '%DB_PASSWORD%', '{password}', '%3Cpassword%3E', '$(password)'].map(
      (word): [string, string] => [`the placeholder ${word}`, `postgres://me:${word}@db.example/x`],
    ),
  ])('shows nothing: %s', (_case, value) => {
    expect(knownSecretsIn(value)).toEqual([])
    expect(looksSecret({ name: 'MODE', value })).toBe(false)
  })

  it.each([
    'npm_config_legacy_peer_deps=true npm ci',
    'npm_config_target_platform2=true npm ci',
    'HF=hf_hub_download_timeout ./x',
    'uv sync --index pypi-mirror-of-the-company',
    'sk-telecom-agents-prod',
  ])('of a text that no other input takes shows no words: %s', (text) => {
    expect(holdsSecret(text)).toBe(false)
    expect(knownSecretsIn(text)).toHaveLength(1)
    const isName = text.startsWith('sk-')
    expect(secretsInCommand(text)).toHaveLength(isName ? 1 : 0)
  })

  it.each([
    ...['sk-abcdefghijklmnop', 'hf_abcdefghijklmnopq', 'npm_config_abcdefghijklmnop', 'ghp_abc_defghijklmnopq'],
    ...['hf_hub_download_timeout2', 'npm_token_abc1_defghijk', 'npm_config_1a2b3c4d5e', 'sk-telecom-agents-prod1'],
  ])('of such a text shows letters that are no words: %s', (text) => expect(holdsSecret(text)).toBe(true))
})
