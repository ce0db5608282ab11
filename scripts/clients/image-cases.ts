import assert from 'node:assert/strict'
import type { Bench } from './bench.ts'
import { assertShows, type Case } from './case.ts'

const LISTENER = '3f2b8c1e-94d7-4c55-8a0e-6d1f0b7a2c43'

const isPython = ({ client }: Bench): boolean => client.language === 'Python'
const pushesTo = ({ client }: Bench): boolean => client.pushesTo

/** Images that the client builds and pushes itself, with the stand-in for docker. */
export const IMAGE_CASES: readonly Case[] = [
  {
    name: 'a build on this machine, with the stand-in for docker',
    appliesTo: isPython,
    async run(bench) {
      const local = ['deploy', '--name', 'local', '--no-input', '--no-remote', '--tag', 'v1']
      assertShows(await bench.run(local), 'Requesting push token', 'Deployment successful')
      const { source, source_revision_config: config, revisions } = bench.stored('local')
      assert.equal(source, 'internal_container')
      assert.match(String(config['image_uri']), /^images\.example\/.*@sha256:/)
      assert.deepEqual(
        revisions.map(({ status }) => status),
        ['DEPLOYED'],
      )
      assert.ok(
        bench.docker().some((one) => one.includes('"push"')),
        'docker push was not run',
      )
    },
  },
  {
    name: 'a push token for another source',
    appliesTo: isPython,
    async run(bench) {
      const { id } = bench.stored('no-wait')
      const args = ['deploy', '--deployment-id', id, '--no-input', '--image', 'a/b:1']
      assertShows(await bench.run(args, { exit: 1 }), "was not created by 'langgraph deploy'")
    },
  },
  {
    name: '--push-to a registry of the user, with the stand-in for docker',
    appliesTo: pushesTo,
    async run(bench) {
      const push = ['deploy', '--name', 'pushed', '--no-input', '--push-to', 'images.example/team/agent']
      assertShows(await bench.run([...push, '--tag', 'v1']), 'Deployment successful')
      assertShows(await bench.run([...push, '--tag', 'v2']), 'Deployment successful')
      const { source, source_revision_config: config, revisions } = bench.stored('pushed')
      assert.equal(source, 'external_container')
      assert.match(String(config['image_uri']), /^images\.example\/team\/agent@sha256:/)
      assert.deepEqual(
        revisions.map(({ status }) => status),
        ['DEPLOYED', 'DEPLOYED'],
      )
      assert.ok(
        bench.docker().some((one) => /"push","images\.example\/team\/agent:v2"/.test(one)),
        'no push',
      )
    },
  },
  {
    name: '--push-to where a listener is required',
    appliesTo: pushesTo,
    async run(bench) {
      const sandbox = await bench.demanding()
      const push = ['deploy', '--name', 'placed', '--no-input', '--push-to', 'images.example/team/agent']
      assertShows(await bench.run(push, { exit: 2, sandbox }), '--listener-id')
      assertShows(await bench.run(['deploy', 'listeners', 'list'], { sandbox }), LISTENER, 'default, agents')
      const wrongPlace = [...push, '--listener-id', LISTENER, '--k8s-namespace', 'other']
      assertShows(await bench.run(wrongPlace, { exit: 2, sandbox }), 'does not serve namespace')
      await bench.run([...push, '--listener-id', LISTENER, '--k8s-namespace', 'agents'], { sandbox })
      assert.deepEqual(bench.stored('placed', sandbox).source_config['listener_config'], {
        cluster_namespace: 'agents',
      })
    },
  },
]
