import { deferred } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { BoundedTasks } from '../../src/store/bounded-tasks.js';

describe('BoundedTasks', () => {
  test('starts no more tasks than there is place for, and the next one when one ends', async () => {
    const tasks = new BoundedTasks(2);
    const ends = [deferred<void>(), deferred<void>(), deferred<void>()];
    const started: number[] = [];
    const added = ends.map(async ({ promise }, index) => {
      await tasks.add(() => {
        started.push(index);
        return promise;
      });
    });
    await Promise.all(added.slice(0, 2));
    expect(started).toEqual([0, 1]);
    ends[1]?.resolve();
    await added[2];
    expect(started).toEqual([0, 1, 2]);
    for (const { resolve } of ends) resolve();
    await tasks.finish();
  });

  test('tells the first failure, to whoever adds the next task and at the end', async () => {
    const tasks = new BoundedTasks(1);
    await tasks.add(() => Promise.reject(new Error('first')));
    await expect(tasks.add(() => Promise.reject(new Error('second')))).rejects.toThrow('first');
    await expect(tasks.finish()).rejects.toThrow('first');
  });

  test('settles although tasks fail', async () => {
    const tasks = new BoundedTasks(4);
    const { promise, resolve } = deferred();
    let ended = false;
    await tasks.add(async () => {
      await promise;
      ended = true;
    });
    await tasks.add(() => Promise.reject(new Error('first')));
    setImmediate(resolve);
    await tasks.settle();
    expect(ended).toBe(true);
  });
});
