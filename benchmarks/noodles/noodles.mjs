// noodles, if its program was built (see benchmarks/README.md): a peer that is compiled from Rust.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { outputOf, runCommand } from '../installed-command.mjs';
import { noteNotMeasured } from '../not-measured.mjs';

const { NOODLES } = process.env;
const NEEDS = 'noodles-peer, built by cargo, and its path in NOODLES';

/** Returns a contender that runs a command of noodles-peer for a file, with the version of a crate; undefined without it. */
export function noodles(crate, command, path) {
  if (NOODLES === undefined) {
    noteNotMeasured('noodles', NEEDS);
    return undefined;
  }
  const program = resolve(NOODLES);
  if (spawnSync(program).status !== 2) throw new Error('NOODLES is not the path of noodles-peer');
  const args = [command, path];
  return {
    name: `${crate} ${versionOf(crate)}, whole process`,
    command: program,
    args,
    run: () => runCommand(program, args),
    result: () => outputOf(program, args),
  };
}

function versionOf(crate) {
  const manifest = readFileSync(new URL('Cargo.toml', import.meta.url), 'utf8');
  return new RegExp(`^${crate} = .*"=([\\d.]+)"`, 'm').exec(manifest)?.[1];
}
