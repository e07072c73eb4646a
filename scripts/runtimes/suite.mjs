// What must hold in every runtime, without a test framework and without files. An area exports `checks`, functions by
// what they show, which throw; and it may export `engine`, which tells what does its work in this runtime.
import * as bgzf from './areas/bgzf.mjs';
import * as client from './areas/client.mjs';
import * as digest from './areas/digest.mjs';
import * as formats from './areas/formats.mjs';
import * as htsget from './areas/htsget.mjs';
import * as indexes from './areas/indexes.mjs';
import * as protocol from './areas/protocol.mjs';
import * as refget from './areas/refget.mjs';
import * as storage from './areas/storage.mjs';

const AREAS = { bgzf, client, digest, formats, htsget, indexes, protocol, refget, storage };

/** Runs all checks. The number of them, what failed, and the engine of each area that has one. */
export async function run() {
  const report = { count: 0, failures: [], engines: {} };
  for (const [area, { checks, engine }] of Object.entries(AREAS)) {
    for (const [fact, check] of Object.entries(checks)) {
      report.count++;
      try {
        await check();
      } catch (error) {
        report.failures.push(`  ${area}: ${fact}: ${error.stack ?? error}`);
      }
    }
    if (engine !== undefined) report.engines[area] = engine();
  }
  return report;
}
