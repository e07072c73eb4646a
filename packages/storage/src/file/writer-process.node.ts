import { createHash } from 'node:crypto';
import { readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

/** The beginning of the names of the temporary files of this process: its machine, as a digest, and its number. */
export async function writerPrefix(): Promise<string> {
  machine ??= readMachine();
  return `${await machine}-${process.pid}-`;
}

let machine: Promise<string> | undefined;

/** Containers may share a host name but not the numbers of their processes. */
async function readMachine(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 16);
}

/** Returns whether a temporary file was written by a process of this machine that has ended. */
export function hasEnded(name: string, own: string): boolean {
  const [writer, pid] = name.split('-');
  if (writer !== own.split('-')[0] || !/^\d+$/.test(pid ?? '')) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // EPERM is a process of another user.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
