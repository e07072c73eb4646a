import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a server until the test ends and returns its port. */
export async function listen(target: Server | RequestListener): Promise<number> {
  const server = typeof target === 'function' ? createServer(target) : target;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** Opens a connection and sends `text` on it. */
export async function openRaw(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Sends `text` and returns everything that the server sends until it closes the connection. Rejects on a reset. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const chunks = await (await openRaw(port, text)).toArray();
  return Buffer.concat(chunks as Buffer[]).toString('latin1');
}
