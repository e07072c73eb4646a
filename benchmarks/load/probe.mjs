// Requests /healthz on a new connection every 50 ms until stdin ends: node probe.mjs URL. Prints the milliseconds of all requests
// as JSON; one that is still unanswered counts with the time that has passed. A process of its own: the load must not delay it.
import { get } from 'node:http';

const [url = ''] = process.argv.slice(2);
const milliseconds = [];
const running = new Map();
let count = 0;

function probe() {
  const id = count++;
  const started = performance.now();
  running.set(id, started);
  const finish = () => {
    if (running.delete(id)) milliseconds.push(performance.now() - started);
  };
  get(`${url}/healthz`, { agent: false }, (response) => response.resume().on('end', finish)).on('error', finish);
}

const timer = setInterval(probe, 50);
process.stdin.resume().on('end', () => {
  clearInterval(timer);
  const now = performance.now();
  const unanswered = [...running.values()].map((started) => now - started);
  process.stdout.write(`${JSON.stringify([...milliseconds, ...unanswered])}\n`, () => process.exit(0));
});
