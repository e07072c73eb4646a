import { s3ObjectStore } from '@htskit/storage/s3';
import { areInstalled, readFixture, startServer } from '@htskit/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { prepareLocations } from '../../../src/commands/prepare/prepare-locations.js';
import { runCommand } from '../../run-command.js';
import { expectIndex, FILES, fixtureOf } from './prepare-files.js';

interface Gateway {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly bucket: string;
}

const TIMEOUT = 300_000;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe.skipIf(!areInstalled('radosgw', 'ceph-mon', 'ceph-osd'))('htskit prepare in Ceph radosgw', () => {
  test('two runs at once complete a bucket, and a third one keeps everything', { timeout: TIMEOUT }, async () => {
    const server = await startServer<Gateway>('radosgw.mjs');
    try {
      const { endpoint, accessKeyId, secretAccessKey, bucket } = server.details;
      vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
      vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId);
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey);
      const credentials = { accessKeyId, secretAccessKey };
      const store = s3ObjectStore({ bucket, endpoint, forcePathStyle: true, credentials, prefix: 'cohort/' });
      for (const name of Object.keys(FILES)) await store.put(name, readFixture(fixtureOf(name)));
      const location = `s3://${bucket}/cohort`;
      vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      const flags = {
        index: true,
        coverage: false,
        digests: false,
        checksums: false,
        identity: [],
        jobs: 3,
        share: undefined,
      };
      const run = (): Promise<boolean> => prepareLocations([location], flags, new AbortController().signal);
      expect(await Promise.all([run(), run()])).toEqual([false, false]);
      vi.restoreAllMocks();
      for (const [name, extensions] of Object.entries(FILES)) {
        const { version } = await store.source(name).stat();
        for (const extension of extensions) {
          const source = store.source(name + extension);
          const { origin, size } = await source.stat();
          expect([name, origin]).toEqual([name, version]);
          expectIndex(name + extension, await source.read({ start: 0, end: size }));
        }
      }
      const { code, stderr } = await runCommand(['prepare', location]);
      expect([code, stderr]).toEqual([0, '0 made, 7 current, 0 failed\n']);
    } finally {
      await server.stop();
    }
  });
});
