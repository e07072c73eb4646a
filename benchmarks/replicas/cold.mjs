// Measures the first 1,000 requests that a new replica answers, beside those of one that has answered thousands.
import { join } from 'node:path';
import { noteNotMeasured } from '../not-measured.mjs';
import { smallerRows } from '../turns.mjs';
import { writeObjects } from './objects.mjs';
import { costOf, withBucket, withReplica } from './replica.mjs';
import { choosePaths } from './requests.mjs';

const ROUNDS = 2;
/** Thousands of requests until the compiler has nothing left to do. */
const WARM_UPS = 2;
const WARM = 'a replica that is warm';
const OPENED = 'a new process that has opened all files';

/** Returns rows of the CPU time and of the reads of the bucket; no rows without `/proc`. */
export async function measureCold(folder) {
  if (process.platform !== 'linux') {
    noteNotMeasured('CPU time of a new replica', 'Linux');
    return [];
  }
  const objects = await writeObjects(folder);
  return withBucket(objects.paths, async (bucket) => {
    const cold = (sharedCache, measure) =>
      withReplica({ folder, endpoint: bucket.endpoint, sharedCache }, (replica) => measure({ ...replica, bucket }));
    const [inFolder, inBucket] = [join(folder, 'cache'), 's3://bucket/cache'];
    const paths = await cold(inFolder, ({ url }) => choosePaths(url, objects));
    const first = (replica) => costOf(replica, bucket, paths);
    const contenders = {
      ours: () => cold(inFolder, first),
      [WARM]: () => cold(inFolder, (replica) => costWhenWarm(replica, paths)),
      [OPENED]: () => cold(inFolder, (replica) => costWhenOpen(replica, paths)),
      'a shared cache in the bucket': () => cold(inBucket, first),
      'no shared cache': () => cold(undefined, first),
    };
    // Another replica fills the caches.
    for (const sharedCache of [inFolder, inBucket]) await cold(sharedCache, first);
    return toRows(await takeRounds(contenders));
  });
}

async function costWhenWarm(replica, paths) {
  for (let n = 0; n < WARM_UPS; n += 1) await costOf(replica, replica.bucket, paths);
  return costOf(replica, replica.bucket, paths);
}

/** Requests each object once, which is not counted: the code is still new for the compiler. */
async function costWhenOpen(replica, paths) {
  const objects = new Map(paths.filter((path) => path.includes('?')).map((path) => [path.split('?', 1)[0], path]));
  await costOf(replica, replica.bucket, [...objects.values()]);
  return costOf(replica, replica.bucket, paths);
}

/** Runs the contenders in turns. Returns the least costs of each by its name. */
async function takeRounds(contenders) {
  const costs = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, measure] of Object.entries(contenders)) {
      const { cpu, requests } = await measure();
      // Requests without a body depend on the time that passes: versions are checked every few seconds.
      costs[name].push({ cpu, reads: requests.filter(({ method, key }) => isRead(method, key)).length });
    }
  }
  // Whatever else runs on the machine only adds.
  const least = (values) => Math.min(...values);
  return Object.entries(costs).map(([name, runs]) => ({
    name,
    cpu: least(runs.map(({ cpu }) => cpu)),
    reads: least(runs.map(({ reads }) => reads)),
  }));
}

function isRead(method, key) {
  return method === 'GET' && key !== '';
}

function toRows(contenders) {
  const amounts = (field) => contenders.map((each) => [each.name, each[field]]);
  const name = 'the first 1,000 requests of a new replica, a cache on a shared disk';
  return [
    ...smallerRows({ name: `${name}: CPU`, unit: 'CPU ms', budgets: { [WARM]: 0.5 }, equal: true }, amounts('cpu')),
    ...smallerRows(
      { name: `${name}: reads of the bucket`, unit: 'requests', budgets: {}, equal: true },
      amounts('reads').filter(([peer]) => peer !== WARM && peer !== OPENED),
    ),
  ];
}
