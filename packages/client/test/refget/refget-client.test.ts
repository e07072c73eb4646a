import { expectations } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { ClientError, RefgetClient, type RefgetClientOptions, type SequenceCache } from '../../src/index.js';
import { type Answer, collect, serve, withoutDelays } from '../listen.js';
import { sendBytes } from '../resource-server.js';
import { fixtureService } from './fixture-service.js';

const { sequences, slices } = expectations('genome.fa');
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function client(...servers: RefgetClientOptions['servers']): RefgetClient {
  return new RefgetClient({ servers, ...withoutDelays });
}
