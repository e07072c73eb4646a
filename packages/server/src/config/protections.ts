import type { Config } from './schema.js';

/** The keys that keep data from strangers, each with the condition that it is in force. */
const PROTECTIONS: Readonly<Record<string, (config: Config) => boolean>> = {
  'listen.tls': ({ listen }) => listen?.tls !== undefined,
  'auth.jwt': ({ auth }) => auth?.jwt !== undefined,
  'auth.passports': ({ auth }) => auth?.passports !== undefined,
  'auth.signingKeys': ({ auth }) => (auth?.signingKeys ?? []).length > 0,
  'auth.rules or auth.authorizer': ({ auth }) => auth?.rules !== undefined || auth?.authorizer !== undefined,
  'crypt4gh.keys': ({ crypt4gh }) => crypt4gh?.keys !== undefined,
  audit: ({ audit }) => audit !== undefined,
};

/**
 * Throws Error if a configuration lacks a protection of the current one. A file that is emptied or cut off while it is written
 * is often valid, and would open the service to everybody.
 */
export function checkProtections(current: Config, next: Config): void {
  const lost = Object.entries(PROTECTIONS).filter(([, isInForce]) => isInForce(current) && !isInForce(next));
  if (lost.length === 0) return;
  const keys = lost.map(([key]) => key).join(', ');
  throw new Error(`the configuration no longer has ${keys}; restart the server to do without`);
}
