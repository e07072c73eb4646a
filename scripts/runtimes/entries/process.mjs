// Prints the report of the suite, or of its client alone: process.mjs all|client 'origin=…&other=…'
import { readServices, run, runClient } from '../suite.mjs';

const { Bun, Deno, process } = globalThis;
const version = Bun ? `Bun ${Bun.version}` : Deno ? `Deno ${Deno.version.deno}` : `Node ${process.versions.node}`;
const [what, services] = Deno ? Deno.args : process.argv.slice(2);
const report = await (what === 'all' ? run : runClient)(readServices(services));
console.log(JSON.stringify({ ...report, version }));
