import { expect, test } from 'vitest';
import * as api from '../src/index.js';
import * as file from '../src/plugin-file.js';
import { JBrowse } from './jbrowse.js';

test('exports exactly these values', () => {
  expect(Object.keys(api)).toEqual(['HtskitPlugin']);
});

test('the built file has the plugin as its default export, as JBrowse loads it', () => {
  expect(file.default).toBe(api.HtskitPlugin);
  expect(new api.HtskitPlugin().name).toBe('HtskitPlugin');
});

test('registers its adapters beside those of JBrowse', () => {
  expect(new JBrowse().adapterTypes).toEqual([
    'SNPCoverageAdapter',
    'HtskitReadsAdapter',
    'HtskitVariantsAdapter',
    'HtskitBcfAdapter',
    'HtskitCoverageAdapter',
    'HtskitSequenceAdapter',
  ]);
});
