import { afterAll, beforeAll, describe } from 'vitest';
import { bodyTests } from './adapter-contract/bodies.js';
import { disconnectTests } from './adapter-contract/disconnects.js';
import { messageTests } from './adapter-contract/messages.js';
import { type CreateServer, MountedServer } from './adapter-contract/mounted-server.js';
import { pathTests } from './adapter-contract/paths.js';
import { streamTests } from './adapter-contract/streams.js';

/** Declares the tests that every adapter must pass, over real sockets. */
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
