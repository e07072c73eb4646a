import { expect, test } from 'vitest';
import { companionPathOf, isEncryptedPath, plainPathOf } from '../../src/internal.js';

test.each([
  ['a.bam.c4gh', true, 'a.bam', 'a.bam.bai.c4gh'],
  ['a.bam', false, 'a.bam', 'a.bam.bai'],
  ['x.c4gh/a.bam', false, 'x.c4gh/a.bam', 'x.c4gh/a.bam.bai'],
])('%s is encrypted or not by its name, and so is what lies beside it', (path, isEncrypted, plain, index) => {
  expect([isEncryptedPath(path), plainPathOf(path), companionPathOf(path, '.bai')]).toEqual([
    isEncrypted,
    plain,
    index,
  ]);
});
