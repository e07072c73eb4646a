import { createRandom, volume } from '@htskit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Asker } from './asker.js';
import { checkBulk, checkDescription, checkFile, checkOthers, readTags } from './file-checks.js';
import { checkBigWig, checkCoverage, checkTicket } from './htsget-checks.js';
import { checkLists, checkPage } from './listing-checks.js';
import {
  DATASETS,
  GROUPS,
  type Pick,
  type RandomAccess,
  randomRequester,
  randomRule,
  viewOf,
} from './random-access.js';
import { OBJECTS } from './secret-files.js';
import { SecretServer } from './secret-server.js';

let server: SecretServer;
beforeAll(async () => {
  server = await SecretServer.start();
});
afterAll(() => server.stop());

function randomAccess(pick: Pick): RandomAccess {
  const groups = pick([1, 2, 3]);
  const owners = [...GROUPS.slice(0, groups).map((group) => ({ group })), ...pick([[], [], [{}]])];
  const datasets = pick([[], DATASETS.map((dataset) => ({ dataset }))]);
  return {
    rules: [...owners, ...datasets].map((owner) => randomRule(owner, pick)),
    publicGlobs: pick([[], [], [], ['reads/d2/**'], ['variants/d1/basil']]),
  };
}

/** The requesters of one server, which share its caches. */
const REQUESTERS = 10;

test('no endpoint shows a requester more than random rules permit', async () => {
  const random = createRandom(38);
  const pick: Pick = (values) => values[Math.floor(random() * values.length)] as (typeof values)[number];
  const everything = viewOf(
    '',
    { kind: 'stranger', groups: [], datatypes: [], datasets: [] },
    { rules: [], publicGlobs: ['**'] },
  );
  const open = new Asker(await server.createApp(), { token: undefined, views: OBJECTS.map(() => everything) });
  const context = { server, tags: await readTags(open), pick };
  const refusals = new Map<number | undefined, number>();
  let answers = 0;
  for (let run = 0; run < volume(1000) / REQUESTERS; run++) {
    const access = randomAccess(pick);
    const app = await server.createApp(access);
    for (let each = 0; each < REQUESTERS; each++) {
      const requester = randomRequester(
        access.rules.some(({ dataset }) => dataset !== undefined),
        pick,
      );
      const views = OBJECTS.map(({ datatype, id }) => viewOf(`${datatype}/${id}`, requester, access));
      const asker = new Asker(app, { token: await server.tokenOf(requester), views });
      for (const { refusal } of views) refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
      const object = pick([...OBJECTS.keys()]);
      await checkTicket(asker, object, pick);
      await checkTicket(asker, pick([...OBJECTS.keys()]), pick);
      await checkCoverage(asker, object, pick);
      await checkBigWig(asker, object);
      await checkFile(asker, object, context);
      await checkDescription(asker, object, context);
      await checkOthers(asker, object, pick);
      await checkPage(asker, object);
      await checkBulk(asker);
      await checkLists(asker, pick);
      answers += asker.answers;
    }
  }
  // The rules permit and refuse about as often.
  for (const refusal of [undefined, 401, 403]) expect(refusals.get(refusal)).toBeGreaterThan(volume(1000) / 2);
  expect(answers).toBeGreaterThan(volume(1000) * 15);
});
