import { afterAll, beforeAll, describe } from 'vitest';
import { bodyTests } from './bodies.js';
import { disconnectTests } from './disconnects.js';
import { messageTests } from './messages.js';
import { type CreateServer, MountedServer } from './mounted-server.js';
import { pathTests } from './paths.js';
import { streamTests } from './streams.js';

/** Registers the tests that every adapter must pass, over real sockets. */
export function adapterContract(name: string, create: CreateServer): void {
  describe(`adapter contract: ${name}`, () => {
    let mounted: MountedServer;
    beforeAll(async () => {
      mounted = await MountedServer.start(create);
    });
    afterAll(() => mounted.close());
    const server = (): MountedServer => mounted;

    messageTests(server);
    pathTests(server, create);
    bodyTests(server);
    streamTests(server);
    disconnectTests(server);
  });
}
