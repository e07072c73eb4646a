import { expect, test, vi } from 'vitest';
import type { PrimaryMessage, WorkerMessage } from '../../../src/runtime/processes/messages.js';
import { WorkerLink } from '../../../src/runtime/processes/worker-link.js';

test('a process that cannot read its metrics or its readiness answers nothing, and continues', async () => {
  const sent: WorkerMessage[] = [];
  let receive: (message: PrimaryMessage) => void = () => undefined;
  const link = new WorkerLink({
    send: (message) => void sent.push(message),
    onMessage: (listener) => {
      receive = listener;
    },
  });
  const rejected = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', rejected);
  link.watchMetrics(async () => Promise.reject(new Error('EMFILE: too many open files')));
  link.watchReadiness(() => {
    throw new Error('EMFILE: too many open files');
  });
  receive({ type: 'collect', id: 1 });
  receive({ type: 'check', id: 2, accept: undefined });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', rejected);
  expect(rejected).not.toHaveBeenCalled();
  link.watchMetrics(async () => []);
  receive({ type: 'collect', id: 3 });
  await expect.poll(() => sent).toEqual([{ type: 'hello' }, { type: 'snapshot', id: 3, snapshot: [] }]);
});
