import { hostname, userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { describeMachine, versionsOf } from '../report/machine.mjs';

describe('describeMachine', () => {
  it('names the processor and the system, and neither the machine nor its user', () => {
    const machine = describeMachine();
    expect(Object.keys(machine)).toEqual(['cpu', 'processors', 'memoryGiB', 'system']);
    const words = JSON.stringify(machine).split(/[^\w.-]+/);
    expect(words).not.toContain(hostname());
    expect(words).not.toContain(userInfo().username);
  });
});

describe('versionsOf', () => {
  it('finds the versions in the names of peers, each once, and leaves out names without one', () => {
    const peers = {
      'pako 3.0.3, no CRC': 1,
      'Python htsget 0.2.6, whole process': 1,
      'samtools 1.16.1 faidx, md5sum 9.1, whole processes': 1,
      'the sequence': 1,
    };
    expect(versionsOf([{ peers }, { peers }])).toEqual({
      node: process.versions.node,
      htsget: '0.2.6',
      md5sum: '9.1',
      pako: '3.0.3',
      samtools: '1.16.1',
    });
  });
});
