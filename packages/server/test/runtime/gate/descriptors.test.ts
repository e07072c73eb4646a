import { expect, test } from 'vitest';
import { descriptorLimit, fitConnections } from '../../../src/runtime/gate/descriptors.js';

const limits = { connections: 4096, connectionsPerClient: 1024 };

test.each([
  [Number.POSITIVE_INFINITY, 4096, 1024],
  [20_000, 4096, 1024],
  [5120, 4096, 1024],
  [4096, 3072, 1024],
  [1024, 512, 256],
  [200, 100, 50],
  [10, 5, 2],
  [1, 2, 1],
])('of %d descriptors, connections get %i, and one client %i', (descriptors, connections, connectionsPerClient) => {
  expect(fitConnections(limits, descriptors)).toEqual({ connections, connectionsPerClient });
});

test('leaves limits alone that fit', () => {
  const few = { connections: 100, connectionsPerClient: 100 };
  expect(fitConnections(few, 200)).toEqual(few);
});

test('reads how many descriptors this process may have', () => {
  expect(descriptorLimit()).toBeGreaterThan(63);
});
