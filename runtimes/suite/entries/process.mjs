// Prints a report of all checks, of those of a client, or of the client of a README's example:
//
//   process.mjs all|client|PACKAGE 'origin=…&other=…&lacks=…'
import { readServices, run, runClient, runExample } from '../suite.mjs';

const { Bun, Deno, process } = globalThis;
const version = Bun ? `Bun ${Bun.version}` : Deno ? `Deno ${Deno.version.deno}` : `Node ${process.versions.node}`;
const [what, query] = Deno ? Deno.args : process.argv.slice(2);
const services = readServices(query);
const RUNS = { all: run, client: runClient };
const report = await (RUNS[what] ?? ((client) => runExample(what, client)))(services);
console.log(JSON.stringify({ ...report, version }));
