import { describe, expect, it } from '@jest/globals'
import { readConfirmedTarget } from '../../src/inputs/target.ts'
import { InputReader } from '../../src/inputs/reader.ts'
import type { Preview } from '../../src/previews/request.ts'
import { describeProblem } from '../../src/problem.ts'
import { DEPLOYMENT_ID } from '../builders.ts'

const PREVIEW: Preview = { pullRequest: 7, closed: false }
const byName = { kind: 'name', name: 'agent' }
const byId = { kind: 'id', id: DEPLOYMENT_ID }

interface Step {
  act: 'delete' | 'roll back'
  preview: Preview
  isOfPullRequest: boolean
}

function read(given: Record<string, string>, { act = 'delete', preview, isOfPullRequest = true }: Partial<Step> = {}) {
  const reader = new InputReader((name) => given[name] ?? '')
  const target = readConfirmedTarget(reader, preview, { act, isOfPullRequest })
  return { target, problems: reader.problems.map(describeProblem) }
}

describe('in a run of a pull request', () => {
  it('a name needs a confirmation, and the message has both cures', () => {
    expect(read({ name: 'agent' }).problems).toEqual([
      'name: "agent" would be deleted itself, in a run that belongs to a pull request. If the preview of the pull request is meant, set preview: true. To delete agent, set confirm: agent',
    ])
  })

  it('the message says what the step does', () => {
    const [problem] = read({ name: 'agent' }, { act: 'roll back' }).problems
    expect(problem).toMatch(/"agent" would be rolled back itself, .* To roll back agent, set confirm: agent$/)
  })

  it('so does an id, whose name is compared later', () => {
    expect(read({ 'deployment-id': DEPLOYMENT_ID }).problems).toEqual([
      `deployment-id: "${DEPLOYMENT_ID}" would be deleted itself, in a run that belongs to a pull request. If the preview of the pull request is meant, set name and preview: true instead. To delete this deployment, set confirm to its exact name`,
    ])
    const confirmed = read({ 'deployment-id': DEPLOYMENT_ID, confirm: 'agent' })
    expect(confirmed).toEqual({ target: { ...byId, confirm: 'agent' }, problems: [] })
  })

  it('so does the name of a preview that is written out', () => {
    expect(read({ name: 'agent-pr-7' }).problems).toHaveLength(1)
  })

  it.each(['agent', ' agent '])('confirm: %j permits it', (confirm) => {
    expect(read({ name: 'agent', confirm })).toEqual({ target: byName, problems: [] })
  })

  it.each(['agen', 'Agent', 'true', '*'])('confirm: %j is refused', (confirm) => {
    const message = `confirm: "${confirm}" must be the exact name of the deployment to delete, agent`
    expect(read({ name: 'agent', confirm }).problems).toEqual([message])
  })

  it.each<[string, Record<string, string>, Preview | undefined]>([
    ['preview, which needs a name', {}, PREVIEW],
    ['name', { name: 'agent' }, undefined],
  ])('an id is refused together with %s', (other, given, preview) => {
    const { problems } = read(
      { 'deployment-id': DEPLOYMENT_ID, confirm: 'agent', ...given },
      { ...(preview && { preview }) },
    )
    expect(problems).toEqual([`deployment-id: "${DEPLOYMENT_ID}" must not be set together with ${other}`])
  })

  it('a preview needs none', () => {
    const target = { kind: 'name', name: 'agent-pr-7' }
    expect(read({ name: 'agent' }, { preview: PREVIEW })).toEqual({ target, problems: [] })
  })

  it.each(['true', 'TRUE '])('a dry run needs none: %j', (dryRun) => {
    expect(read({ name: 'agent', 'dry-run': dryRun })).toEqual({ target: byName, problems: [] })
  })

  it('a dry run is refused for another name', () => {
    expect(read({ name: 'agent', 'dry-run': 'true', confirm: 'other' }).problems).toHaveLength(1)
  })
})

describe('in any other run', () => {
  const elsewhere = { isOfPullRequest: false }

  it('no confirmation is needed', () => {
    expect(read({ name: 'agent' }, elsewhere)).toEqual({ target: byName, problems: [] })
  })

  it('one that is set is compared', () => {
    expect(read({ name: 'agent', confirm: 'other' }, elsewhere).problems).toHaveLength(1)
    const target = { ...byId, confirm: 'agent' }
    expect(read({ 'deployment-id': DEPLOYMENT_ID, confirm: 'agent' }, elsewhere).target).toEqual(target)
  })
})
