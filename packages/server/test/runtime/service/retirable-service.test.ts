import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { routeOf } from '../../../src/runtime/request-route.js';
import { RetirableService } from '../../../src/runtime/service/retirable-service.js';
import type { ServedFiles } from '../../../src/runtime/service/served-files.js';

const ADMITTED = { route: routeOf('/reads/a'), body: undefined };

function open(): { service: RetirableService; events: string[] } {
  const events: string[] = [];
  const files = { close: async () => void events.push('closed') } as unknown as ServedFiles;
  const handler = (): Promise<never> => {
    events.push('asked');
    return new Promise(() => undefined);
  };
  const service = new RetirableService({ files, handler, report: () => undefined });
  return { service, events };
}

/** Sends a request whose response ends when `outgoing` or `socket` emits `close`. */
function ask(service: RetirableService, socket: EventEmitter = new EventEmitter()): EventEmitter {
  // A response without a socket of its own is queued on that of its request.
  const outgoing = Object.assign(new EventEmitter(), { socket: null, req: { socket } });
  const incoming = { method: 'GET', headers: {}, socket } as unknown as IncomingMessage;
  service.answer(incoming, outgoing as unknown as ServerResponse, ADMITTED);
  return outgoing;
}

/** Waits until everything that needs no further events has happened. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test('closes the files after the last response', async () => {
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

test('counts a response as ended when its connection closes, even if it never began', async () => {
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

test('closes the files at once if no request is running', async () => {
  const { service, events } = open();
  ask(service).emit('close');
  await service.retire();
  expect(events).toEqual(['asked', 'closed']);
});
