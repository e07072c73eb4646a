import { run } from '../suite.mjs';

const { Bun, Deno, process } = globalThis;
const version = Bun ? `Bun ${Bun.version}` : Deno ? `Deno ${Deno.version.deno}` : `Node ${process.versions.node}`;
console.log(JSON.stringify({ ...(await run()), version }));
