import http from 'node:http'
import { expect, it } from '@jest/globals'
import { connectionsOf } from '../../src/control-plane/connections.ts'
import { METHODS } from '../../src/control-plane/method.ts'

it('a DELETE shares the connections of reads until the server closes one under a DELETE', () => {
  const agents = async () => await Promise.resolve(new http.Agent())
  const reads = async () => await agents()
  const writes = async () => await agents()
  const connections = connectionsOf(reads, writes)
  const shared = () => METHODS.filter((method) => connections.agentsFor(method) === reads)
  expect(shared()).toEqual(['GET', 'HEAD', 'DELETE'])
  connections.noteClosedIdle('GET')
  expect(shared()).toEqual(['GET', 'HEAD', 'DELETE'])
  connections.noteClosedIdle('DELETE')
  expect(shared()).toEqual(['GET', 'HEAD'])
})
