import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBamCondition, createBamFilter, createBamRewriter } from '@htskit/formats';
import { findCommand, outputOf } from '../installed-command.mjs';
import { makeBamFile } from '../plan/region-files.mjs';
import { changedLines, LEVEL, measureRewriting } from './measure-rewriting.mjs';

const BYTES = 20_000_000;
/** The tags of the generated records. */
const TAGS = ['NM', 'MD', 'AS', 'XS', 'RG'];
const FIELDS = ['QNAME', 'FLAG', 'RNAME', 'POS'];
/** The text of samtools for the fields that are left out, which follow POS. */
const MISSING_FIELDS = ['255', '*', '*', '0', '0', '*', '*'];

/** Flags and a mapping quality that leave out some records. */
const [EXCLUDED, MIN_QUALITY] = [0x904, 20];

/** Returns rows for no tags, one tag left out, four fields, and some records left out, if samtools is installed. */
export async function measureBam(folder) {
  const samtools = findCommand('samtools');
  if (samtools === undefined) return [];
  const { bytes, data, headerLength } = makeBamFile({ length: BYTES, count: 0 });
  const file = { path: join(folder, 'reads.bam'), size: data.length, headerLength };
  writeFileSync(file.path, bytes);
  const rows = [];
  for (const { name, selection, options, change, budget } of rewritings()) {
    const args = ['view', '-b', '-O', `bam,level=${LEVEL}`, ...options, file.path];
    const text = ['view', ...options, file.path];
    const peer = {
      budget,
      name: `${samtools.name} view ${['-b', ...options].join(' ')}`,
      command: samtools.command,
      args,
      expected: () => (change ? changedLines(samtools.command, text, change) : outputOf(samtools.command, text)),
    };
    const readBack = (path) => outputOf(samtools.command, ['view', path]);
    const createRewriter = () =>
      selection === undefined
        ? createBamFilter(undefined, {
            condition: createBamCondition({ excludeFlags: EXCLUDED, minMappingQuality: MIN_QUALITY }),
          })
        : createBamRewriter(selection);
    rows.push(await measureRewriting({ name: `BAM, ${name}`, file, createRewriter, readBack, peer }));
  }
  return rows.flat();
}

function rewritings() {
  return [
    { name: 'no tags', selection: { tags: [] }, options: ['-x', TAGS.join(',')] },
    { name: 'without MD', selection: { notags: ['MD'] }, options: ['-x', 'MD'] },
    { name: `fields ${FIELDS.join(',')}`, selection: { fields: FIELDS }, options: [], change: withoutFields },
    {
      name: 'by flags and mapping quality',
      options: ['-F', `0x${EXCLUDED.toString(16)}`, '-q', String(MIN_QUALITY)],
      budget: 0.8,
    },
  ];
}

/** samtools cannot drop fields, so its peer writes all of them. */
function withoutFields(line) {
  const columns = line.split('\t');
  return [...columns.slice(0, FIELDS.length), ...MISSING_FIELDS, ...columns.slice(11)].join('\t');
}
