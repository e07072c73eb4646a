import type { DigestJob, SequencePiece } from './digest-job.js';
import type { DigestLane } from './digest-lane.js';
import type { RecordLanes } from './record-digests.js';
import type { SequenceSlot } from './sequence-slot.js';

/** The pieces of a slot for each lane that has some. A record keeps the lanes that it got first. */
export function toLanePieces(
  { parts }: SequenceSlot,
  lanes: readonly DigestLane[],
): ReadonlyMap<DigestLane, SequencePiece[]> {
  const pieces = new Map<DigestLane, SequencePiece[]>();
  const give = (lane: DigestLane, piece: SequencePiece): void => {
    const byteLength = piece.end - piece.start;
    lane.load += piece.algorithms === 'both' ? 2 * byteLength : byteLength;
    if (piece.algorithms !== 'sha512') lane.md5Load += byteLength;
    const given = pieces.get(lane);
    if (given === undefined) pieces.set(lane, [piece]);
    else given.push(piece);
  };
  for (const { record, start, end, isLast } of parts) {
    record.lanes ??= chooseLanes(lanes, isLast);
    const { md5, sha512 } = record.lanes;
    const piece = { sequence: record.sequence, start, end, isLast };
    if (md5 === sha512) {
      give(md5, { ...piece, algorithms: 'both' });
    } else {
      give(md5, { ...piece, algorithms: 'md5' });
      give(sha512, { ...piece, algorithms: 'sha512' });
    }
  }
  return pieces;
}

/** One lane for a record that is whole already; else the two with the least to do. */
function chooseLanes(lanes: readonly DigestLane[], isWhole: boolean): RecordLanes {
  const first = idlest(lanes);
  if (isWhole || lanes.length === 1) return { md5: first, sha512: first };
  return { md5: first, sha512: idlest(lanes.filter((lane) => lane !== first)) };
}

/**
 * The lane with the least to do, and of those the one with the least MD5: on one processor MD5 takes 1.3 times as long as
 * SHA-512, on another 0.8 times.
 */
function idlest(lanes: readonly DigestLane[]): DigestLane {
  return lanes.reduce((best, lane) => ((lane.load - best.load || lane.md5Load - best.md5Load) < 0 ? lane : best));
}

/** The memory of a job, and what of it is handed over: all jobs of a slot see it where it is shared, else a copy each. */
export function toInput({ memory, used }: SequenceSlot): Pick<DigestJob, 'input'> & { transfer: ArrayBuffer[] } {
  if (!(memory instanceof ArrayBuffer)) return { input: memory, transfer: [] };
  const input = memory.slice(0, used);
  return { input, transfer: [input] };
}
