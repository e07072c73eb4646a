import { expect, test } from 'vitest';
import { BgzfRegions } from '../../src/stored/bgzf-regions.js';
import { CRAM_RECORDS } from '../../src/stored/cram-store.js';
import { HtsgetStore } from '../../src/stored/htsget-store.js';
import * as late from '../../src/stored/lazy-formats.js';
import * as eager from '../../src/stored/lazy-formats.workerd.js';

test.each([
  ['late', late],
  ['in workerd', eager],
])('loads what reads regions, CRAM and htsget, %s', async (_, { loadBgzfRegions, loadCram, loadHtsgetStore }) => {
  expect(await loadBgzfRegions()).toBe(BgzfRegions);
  expect(await loadCram()).toBe(CRAM_RECORDS);
  expect(await loadHtsgetStore()).toBe(HtsgetStore);
});
