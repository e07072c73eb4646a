import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { RunningService } from '../../../src/runtime/service/retirable-service.js';
import type { ServedFiles } from '../../../src/runtime/service/open-files.js';

function open(): { service: RunningService; events: string[] } {
  const events: string[] = [];
  const files = { close: async () => void events.push('closed') } as unknown as ServedFiles;
  const service = new RunningService(
    () => new Response(),
    files,
    () => () => void events.push('asked'),
  );
  return { service, events };
}

/** A request whose answer ends when `outgoing` or `socket` says that it is closed. */
function ask(service: RunningService, socket: EventEmitter = new EventEmitter()): EventEmitter {
  const outgoing = new EventEmitter();
  service.answer({ socket } as unknown as IncomingMessage, outgoing as unknown as ServerResponse);
  return outgoing;
}

/** When all that can happen without further events has happened. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test('what was replaced is closed when its last answer has ended', async () => {
  const { service, events } = open();
  const [first, second] = [ask(service), ask(service)];
  const retired = service.retire().then(() => events.push('retired'));
  second.emit('close');
  second.emit('close');
  await settle();
  expect(events).toEqual(['asked', 'asked']);
  first.emit('close');
  await retired;
  expect(events).toEqual(['asked', 'asked', 'closed', 'retired']);
});

test('an answer whose connection closes has ended, also if it never began', async () => {
  const { service, events } = open();
  const socket = new EventEmitter();
  ask(service, socket);
  const outgoing = ask(service, socket);
  const retired = service.retire();
  socket.emit('close');
  outgoing.emit('close');
  await retired;
  expect(events.at(-1)).toBe('closed');
  expect(socket.listenerCount('close')).toBe(0);
});

test('what answers nothing is closed at once', async () => {
  const { service, events } = open();
  ask(service).emit('close');
  await service.retire();
  expect(events).toEqual(['asked', 'closed']);
});
