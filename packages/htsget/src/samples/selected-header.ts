import { inflateBlocks } from '@htskit/bgzf';
import { selectHeaderReadGroups, selectHeaderSamples } from '@htskit/formats';
import { encodeBcfHeader, replaceBamHeaderText } from '@htskit/formats/internal';
import { encodeText } from '@htskit/io';
import type { BgzfFile } from '../file/bgzf-file.js';
import type { RecordHeader } from '../file/record-format.js';
import type { StoredFormat } from '../file/stored-file.js';
import { type SelectedSamples, unpackSamples } from './packed-samples.js';
import { samplesOf } from './sample-table.js';
import { toReadGroups } from './select-samples.js';

/** Returns the text of a header with some of its samples. */
export function selectHeaderText(format: StoredFormat, header: RecordHeader, selected: SelectedSamples): string {
  const { packed, hidesOthers } = selected;
  if (format === 'VCF' || format === 'BCF') {
    return selectHeaderSamples(header.text, { samples: unpackSamples(packed), hidesOthers });
  }
  const { readGroups } = toReadGroups(selected, samplesOf(format, header));
  return selectHeaderReadGroups(header.text, { readGroups, hidesOthers });
}

/** Returns the uncompressed header of a BGZF file with some of its samples. */
export function selectHeaderBytes({ format, header, headerBlocks }: BgzfFile, selected: SelectedSamples): Uint8Array {
  const text = selectHeaderText(format, header, selected);
  if (format === 'BAM') return replaceBamHeaderText(inflateBlocks(headerBlocks), text);
  return format === 'BCF' ? encodeBcfHeader(text) : encodeText(text);
}
