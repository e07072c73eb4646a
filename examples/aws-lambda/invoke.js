// node invoke.js EVENT.json: calls the function as Lambda would, and writes what the ticket leads to.
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { openTicket, parseTicket } from '@htskit/client';
import { handler } from './index.js';

const [path = 'event.json'] = process.argv.slice(2);
const { statusCode, body } = await handler(JSON.parse(await readFile(path, 'utf8')));
if (statusCode !== 200) throw new Error(`${statusCode}: ${body}`);
const { stream } = openTicket(parseTicket(body));
await pipeline(stream, process.stdout);
