import { expect, test } from 'vitest';
import {
  htsgetServiceInfo,
  refgetServiceInfo,
  type ServiceInfoOptions,
  seqcolServiceInfo,
} from '../src/service-info.js';

test('the htsget document has its required members without any configuration', () => {
  expect(toWire(htsgetServiceInfo({ authority: 'ga4gh', datatype: 'reads' }))).toEqual({
    id: 'org.htskit.htsget.reads',
    name: 'htskit htsget reads',
    type: { group: 'org.ga4gh', artifact: 'htsget', version: '1.3.1' },
    organization: { name: 'htskit', url: 'https://github.com/htskit/htskit' },
    version: '0.0.0',
    htsget: { datatype: 'reads' },
  });
});

test('the refget document has its required members without any configuration', () => {
  expect(toWire(refgetServiceInfo({ authority: 'std', circularSupported: true }))).toEqual({
    id: 'org.htskit.refget',
    name: 'htskit refget',
    type: { group: 'org.std', artifact: 'refget', version: '2.0.0' },
    organization: { name: 'htskit', url: 'https://github.com/htskit/htskit' },
    version: '0.0.0',
    refget: {
      circular_supported: true,
      subsequence_limit: 0,
      algorithms: ['md5', 'std', 'trunc512'],
      identifier_types: [],
    },
  });
});

test('the sequence collections document has its required members without any configuration', () => {
  const schema = { type: 'object' };
  expect(toWire(seqcolServiceInfo({ authority: 'std', schema }))).toEqual({
    id: 'org.htskit.refget.seqcol',
    name: 'htskit sequence collections',
    type: { group: 'org.std', artifact: 'refget-seqcol', version: '1.0.0' },
    organization: { name: 'htskit', url: 'https://github.com/htskit/htskit' },
    version: '0.0.0',
    seqcol: { schema },
  });
});

const CONFIGURED: Required<ServiceInfoOptions> = {
  id: 'org.example.htsget',
  name: 'Example',
  description: 'Reads of an example',
  version: '1.2.3',
  organization: { name: 'Example', url: 'https://example.org' },
  contactUrl: 'mailto:help@example.org',
  documentationUrl: 'https://example.org/docs',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-02-01T00:00:00Z',
  environment: 'test',
};

test('the htsget document contains the configuration', () => {
  const document = htsgetServiceInfo({
    ...CONFIGURED,
    authority: 'std',
    datatype: 'variants',
    formats: ['VCF', 'BCF', 'VCFTEXT'],
    fieldsParameterEffective: false,
    tagsParametersEffective: true,
  });
  expect(toWire(document)).toEqual({
    ...CONFIGURED,
    type: { group: 'org.std', artifact: 'htsget', version: '1.3.1' },
    htsget: {
      datatype: 'variants',
      // The protocol's list of formats lacks VCFTEXT.
      formats: ['VCF', 'BCF'],
      fieldsParameterEffective: false,
      tagsParametersEffective: true,
    },
  });
});

test('the refget document contains the configuration', () => {
  const document = refgetServiceInfo({
    ...CONFIGURED,
    authority: 'ga4gh',
    circularSupported: false,
    subsequenceLimit: 1000,
    algorithms: ['md5'],
    identifierTypes: ['insdc'],
  });
  expect(toWire(document)).toEqual({
    ...CONFIGURED,
    type: { group: 'org.ga4gh', artifact: 'refget', version: '2.0.0' },
    refget: {
      circular_supported: false,
      subsequence_limit: 1000,
      algorithms: ['md5'],
      identifier_types: ['insdc'],
    },
  });
});

function toWire(document: object): unknown {
  return JSON.parse(JSON.stringify(document));
}
