import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { ClusterProcess } from '../../../src/runtime/processes/cluster-process.js';

/** A connection as Node's cluster hands it over. */
class FakeConnection {
  closedCount = 0;

  close(): void {
    this.closedCount++;
  }
}

/** A process of the cluster whose events the test emits. */
class FakeWorker extends EventEmitter {
  isOpen = true;
  readonly process = Object.assign(new EventEmitter(), { pid: 1, send: () => true });
  #seq = 0;

  isConnected(): boolean {
    return this.isOpen;
  }

  send(): boolean {
    return true;
  }

  /** Hands a connection over as Node does, and returns the number of the message. */
  hand(connection: FakeConnection): number {
    const seq = this.#seq++;
    const send = this.process.send as (message: object, handle: object) => boolean;
    send({ cmd: 'NODE_CLUSTER', act: 'newconn', key: 'a', seq }, connection);
    return seq;
  }
}

function fork(worker = new FakeWorker()): { readonly worker: FakeWorker; readonly started: ClusterProcess } {
  vi.spyOn(cluster, 'fork').mockReturnValue(worker as unknown as Worker);
  const start = { key: '', configText: undefined, host: '127.0.0.1', port: 0, count: 1, isFirst: true };
  return { worker, started: new ClusterProcess({ start, readAllMetrics: async () => '' }) };
}

test('closes a connection that was on its way to a killed process, and none that the process acknowledged', async () => {
  const { worker, started } = fork();
  const [accepted, refused, lost] = [new FakeConnection(), new FakeConnection(), new FakeConnection()];
  worker.process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: worker.hand(accepted), accepted: true });
  worker.process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: worker.hand(refused), accepted: false });
  worker.hand(lost);
  worker.emit('exit', null, 'SIGKILL');
  // Node closes the channel without an event while a connection is on its way.
  worker.isOpen = false;
  expect(await started.ended).toBe('SIGKILL');
  expect([accepted, refused, lost].map(({ closedCount }) => closedCount)).toEqual([0, 0, 1]);
});

test('receives the last metrics after the exit, before the channel is closed', async () => {
  const { worker, started } = fork();
  worker.emit('exit', 0, null);
  worker.emit('message', { type: 'last', snapshot: [] });
  worker.isOpen = false;
  expect(await started.ended).toBe('exit code 0');
  expect(started.lastMetrics).toEqual([]);
});

test('a failure to send to a process is not its end', async () => {
  const { worker, started } = fork();
  worker.emit('error', new Error('write EPIPE'));
  worker.emit('exit', null, 'SIGTERM');
  worker.isOpen = false;
  expect(await started.ended).toBe('SIGTERM');
});

test('a process that cannot be started has ended', async () => {
  const worker = new FakeWorker();
  // Node gives it neither an id nor a channel.
  Object.assign(worker.process, { pid: undefined, send: undefined });
  worker.isOpen = false;
  const { started } = fork(worker);
  worker.emit('error', new Error('spawn EMFILE'));
  expect(await started.ended).toBe('spawn EMFILE');
  await expect(started.ready).rejects.toThrow('spawn EMFILE');
});
