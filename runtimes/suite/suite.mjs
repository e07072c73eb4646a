// Checks that must pass in every runtime, without a test framework and without files. An area exports `checks`,
// functions by the fact that they show, which throw. It may export `engine`, which names the engine that the runtime
// has chosen.
import * as bgzf from './areas/bgzf.mjs';
import * as client from './areas/client.mjs';
import * as conform from './areas/conform.mjs';
import * as coverage from './areas/coverage.mjs';
import * as crypt4gh from './areas/crypt4gh.mjs';
import * as digest from './areas/digest.mjs';
import * as drs from './areas/drs.mjs';
import * as formats from './areas/formats.mjs';
import * as htsget from './areas/htsget.mjs';
import * as indexes from './areas/indexes.mjs';
import * as protocol from './areas/protocol.mjs';
import * as records from './areas/records.mjs';
import * as refget from './areas/refget.mjs';
import * as storage from './areas/storage.mjs';
import * as workers from './areas/workers.mjs';
import { checksOf as checksOfAccess } from './loopback/access.mjs';
import { checksOf as checksOfExample } from './loopback/examples.mjs';
import { checksOf as checksOfHtsget } from './loopback/htsget.mjs';
import { checksOf as checksOfHttp } from './loopback/http.mjs';
import { checksOf as checksOfRefget } from './loopback/refget.mjs';

const AREAS = {
  bgzf,
  client,
  conform,
  coverage,
  crypt4gh,
  digest,
  drs,
  formats,
  htsget,
  indexes,
  protocol,
  records,
  refget,
  storage,
  workers,
};

/** Checks of a client of a service that listens. */
const LOOPBACK = {
  'htsget over loopback': checksOfHtsget,
  'refget over loopback': checksOfRefget,
  'HTTP over loopback': checksOfHttp,
  'access over loopback': checksOfAccess,
};

/** Parses a query string into the origins of the services that a client reads from, and what these lack. */
export function readServices(query) {
  const { origin, other, lacks } = Object.fromEntries(new URLSearchParams(query));
  return { origin, other, lacks: lacks.split(',') };
}

/** Runs all checks: of the packages by themselves, and as a client of services. */
export function run(services) {
  return runAreas({ ...AREAS, ...clientAreas(services) });
}

/** Runs only the checks of a client. */
export function runClient(services) {
  return runAreas(clientAreas(services));
}

/** Runs the check of a client of the example in a package's README. */
export function runExample(packageName, services) {
  return runAreas({ [`the README of ${packageName}`]: { checks: checksOfExample[packageName](services) } });
}

function clientAreas(services) {
  return Object.fromEntries(Object.entries(LOOPBACK).map(([area, checksOf]) => [area, { checks: checksOf(services) }]));
}

/** Returns the number of checks, the failures, and the engine of each area that has one. */
async function runAreas(areas) {
  const report = { count: 0, failures: [], engines: {} };
  for (const [area, { checks, engine }] of Object.entries(areas)) {
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
