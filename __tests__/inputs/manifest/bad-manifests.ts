/** What is wrong, the text, and the problems that the reader reports. */
type BadManifest = [what: string, text: string, problems: string[]]

export const BAD_SHAPES: readonly BadManifest[] = [
  ['no version', 'deployments: [{ name: a }]', ['1 version: is required: write version: 1']],
  ['another version', 'version: "1"\ndeployments: [{ name: a }]', ['1 version: "1" must be 1, without quotes']],
  ['no deployments', 'version: 1', ['1 deployments: is required']],
  ['an empty list', 'version: 1\ndeployments: []', ['2 deployments: must have at least one entry']],
  ['a mapping of deployments', 'version: 1\ndeployments: { a: 1 }', ['2 deployments: must be a list, not a mapping']],
  ['a text as an entry', 'version: 1\ndeployments:\n  - a', ['3 deployments[0]: must be a mapping, not a string']],
  [
    'no name',
    'version: 1\ndeployments:\n  - source: x',
    [
      '3 deployments[0].name: is required',
      '3 deployments[0].source (deployment): "x" must be one of git_host, external_container, internal_container, internal_source, internal_template',
    ],
  ],
  ['a blank name', 'version: 1\ndeployments:\n  - name: " "', ['3 deployments[0].name: " " must not be blank']],
  [
    'a name of two lines',
    'version: 1\ndeployments:\n  - name: "a\\nb"',
    ['3 deployments[0].name (a\nb): "a\nb" must be one line without control characters'],
  ],
  [
    'a name twice',
    'version: 1\ndeployments:\n  - name: a\n  - name: A',
    ['4 deployments[1].name: "A" is also the name of deployments[0]: names are unique, in any case of their letters'],
  ],
  [
    'a list as a value',
    'version: 1\ndeployments:\n  - name: a\n    repo-ref: [main]',
    ['4 deployments[0].repo-ref (a): must be a string, a number, true or false, not a list'],
  ],
  [
    'null as a value',
    'version: 1\ndeployments:\n  - name: a\n    repo-ref:',
    ["4 deployments[0].repo-ref (a): must be a string, a number, true or false, not null; '' unsets a default"],
  ],
  [
    'a list as resource-spec',
    'version: 1\ndeployments:\n  - name: a\n    resource-spec: [1]',
    ['4 deployments[0].resource-spec (a): must be a mapping or a string, not a list'],
  ],
  [
    'an unknown key',
    'version: 1\nwave: []\ndeployments: [{ name: a }]',
    ['2 wave: is not a key of a manifest; did you mean waves?'],
  ],
  [
    'an unknown input',
    'version: 1\ndeployments:\n  - name: a\n    repo_ref: main\n    colour: red',
    [
      '4 deployments[0].repo_ref (a): is not a key of a deployment; did you mean repo-ref?',
      '5 deployments[0].colour (a): is neither a key of a deployment nor an input of a rollout',
    ],
  ],
  [
    'an unknown default',
    'version: 1\ndefaults:\n  secret: x\n  wave: x\n  name: x\ndeployments: [{ name: a }]',
    [
      '3 defaults.secret: is not a key of defaults; did you mean secrets?',
      '4 defaults.wave: "x" is not accepted in defaults: a deployment without a wave is in the last one',
      '5 defaults.name: "x" is not accepted in defaults: every deployment has a name of its own',
    ],
  ],
  [
    'live logs',
    'version: 1\ndefaults: { logs: live }\ndeployments: [{ name: a }]',
    ['2 defaults.logs: "live" must be on-failure or never: the live logs of many deployments would mix'],
  ],
]

export const withWaves = (waves: string): string => `version: 1\nwaves: ${waves}\ndeployments: [{ name: a, wave: w }]`

/** The same of `waves`, for {@link withWaves}. */
export const BAD_WAVES: readonly BadManifest[] = [
  ['no waves', '[]', ['2 waves: must have at least one entry']],
  ['a wave without a name', '[{ bake: 5m }, { name: w }]', ['2 waves[0].name: is required']],
  ['a name twice', '[{ name: w }, { name: w }]', ['2 waves[1].name: "w" is also the name of waves[0]']],
  [
    'a name like a part',
    '[{ name: 1/3 }, { name: w }]',
    ['2 waves[0].name: "1/3" must not look like a part, as in 1/3: shard has both', '2 waves[0]: has no deployments'],
  ],
  [
    'a name of two lines',
    '[{ name: "v\\nw" }, { name: w }]',
    ['2 waves[0].name: must be one line without control characters', '2 waves[0]: has no deployments'],
  ],
  [
    'an unknown key',
    '[{ name: w, max-paralel: 1 }]',
    ['2 waves[0].max-paralel: is not a key of a wave; did you mean max-parallel?'],
  ],
  [
    'wrong limits',
    '[{ name: w, max-parallel: 0, max-failures: 101%, bake: soon }]',
    [
      '2 waves[0].max-parallel: "0" must be a whole number from 1, or a percentage from 1% to 100%',
      '2 waves[0].max-failures: "101%" must be a whole number from 0, or a percentage from 0% to 100%',
      '2 waves[0].bake: "soon" must be a duration above zero, as in 90s, 15m or 1h30m',
    ],
  ],
  [
    'a limit that is a list',
    '[{ name: w, max-parallel: [1] }]',
    ['2 waves[0].max-parallel: must be a string or a number, not a list'],
  ],
  ['a wave without deployments', '[{ name: v }, { name: w }]', ['2 waves[0]: has no deployments']],
]

/** Lines of an entry whose value is no word, or has no form, of its input. */
export const BAD_VALUES: readonly string[] = [
  'source: github',
  'rollback: always',
  'logs: live',
  'if-missing: Create',
  'verify-method: DELETE',
  'deployment-type: dedicated',
  'build-on-push: yes',
  'resume: 1',
  'timeout: 5 min',
  'deploy-timeout: 0',
  'queue-timeout: 100000',
  'integration-id: 12',
  'listener-id: my-listener',
  'repo-ref: tags/v1',
  'verify-url: agent.example/ok',
  "verify-url: '{url}ok'",
  'verify-status: 1000',
  'verify-status: 99',
  'verify-url: https:///ok',
  'custom-url: agent.example',
  'repo-url: acme/agent',
  'repo-url: https://github.com/acme//agent',
  'image-uri: https://registry.example/agent',
  'image-uri: Agent',
  "image-uri: 'agent:'",
  'image-uri: agent:feature/x',
  'app-config-path: /agent.json',
  'app-config-path: src/',
  'build-command: make ${{ vars.TARGET }}',
  'install-command: make ${1TARGET}',
  'secrets: A=literal',
  'secrets: { A: literal }',
  'dry-run: true',
]

/** Lines of an entry that the reader and the schema accept; the variable KEY is a word of the first input. */
export const GOOD_VALUES: readonly string[] = [
  'if-missing: ${KEY}',
  "rollback: ''",
  'deploy-timeout: 300',
  'build-on-push: True',
  'repo-ref: 1.10',
  'image-uri: agent:${KEY}',
  'image-uri: 12',
  'app-config-path: ./src/agent.json',
  'app-config-path: ${KEY}/agent.json',
  'repo-url: git@github.com:acme/agent.git',
  'custom-url: https://${KEY}.example',
  "secrets: { A: '${KEY}' }",
  'install-command: make $${TARGET}',
]
