import type { SequenceCharacters } from '@htskit/digest';
import { toSequenceDigests } from '@htskit/digest/internal';
import { FastaParser } from '@htskit/formats';
import { type BorrowedBytes, peek } from '@htskit/io';
import { type DigestJobResult, LAST, MD5, SHA512 } from './digest-job.js';
import { type DigestLane, type FastaDigests, RecordDigests } from './record-digests.js';
import { SequenceSlot } from './sequence-slot.js';

/** Slots in progress for each lane, so that a lane never waits for its next one. */
const SLOTS_PER_LANE = 2;

/** Follows the records of a FASTA as they are parsed, before their digests are known. */
export interface RecordObserver {
  /** Called at the start of each record. */
  onRecord(name: string): void;
  /** Called with each piece of the record, in order. */
  readonly onSequence: (piece: RecordPiece) => void;
}

/** Consecutive bytes of the lines of a record. */
export interface RecordPiece {
  readonly bytes: BorrowedBytes;
  /** Offset of `bytes` in the text. */
  readonly offset: number;
  /** The bases in `bytes`. */
  readonly bases: BorrowedBytes;
}

/** Called with a piece of a record that holds characters which its digests do not cover. */
export type OnOmitted = (record: RecordDigests, bytes: Uint8Array, offset: number) => void;

export interface FastaDispatcherOptions {
  /** Returns the lanes that do the work. Called when the first slot is full. */
  readonly startLanes: () => readonly DigestLane[];
  /** Does the work if no slot ever fills up: too little to start workers for. */
  readonly shortLane: DigestLane;
  /** A number that no other file in progress on the lanes has. */
  readonly file: number;
  readonly characters: SequenceCharacters;
  readonly observer: RecordObserver | undefined;
  /** Called with each record and the offset of its `>`. */
  readonly onRecord: (record: RecordDigests, offset: number) => void;
  readonly onOmitted: OnOmitted;
}

interface RecordStart {
  readonly name: string;
  readonly description: string;
  readonly offset: number;
}

/** Parses FASTA text, gathers its sequences in slots and has the lanes digest the slots. */
export class FastaDispatcher {
  readonly #options: FastaDispatcherOptions;
  readonly #parser = new FastaParser({
    onRecord: (name, description, offset) => this.#beginRecord({ name, description, offset }),
    onSequence: (bytes, offset) => this.#addSequence(peek(bytes), offset),
  });
  #lanes: readonly DigestLane[] = [];
  #slot = new SequenceSlot();
  readonly #idleSlots: SequenceSlot[] = [];
  readonly #inProgress = new Set<Promise<void>>();
  /** Records that have not been taken yet, in file order. */
  #records: RecordDigests[] = [];
  #recordCount = 0;
  #current: RecordDigests | undefined;

  constructor(options: FastaDispatcherOptions) {
    this.#options = options;
  }

  /** Adds the next bytes of the text. Throws like `FastaParser.push`. */
  push(chunk: Uint8Array): void {
    this.#parser.push(chunk);
  }

  /** Ends the text. */
  finish(): void {
    this.#parser.finish();
    this.#endRecord();
    if (this.#lanes.length === 0) this.#lanes = [this.#options.shortLane];
    this.#dispatch();
  }

  /** Waits until only as many slots are in progress as keep the lanes busy. Rejects with the failure of a lane. */
  async ready(): Promise<void> {
    while (this.#inProgress.size > SLOTS_PER_LANE * this.#lanes.length) await Promise.race(this.#inProgress);
  }

  /** Waits for all slots in progress. */
  async settle(): Promise<void> {
    await Promise.all(this.#inProgress);
  }

  /** Removes the leading records that are complete and returns their digests, in file order. */
  takeFinished(): readonly FastaDigests[] {
    const finished: FastaDigests[] = [];
    for (const { result } of this.#records) {
      if (result === undefined) break;
      finished.push(result);
    }
    this.#records = this.#records.slice(finished.length);
    return finished;
  }

  /** Makes the lanes drop the hash states of records that will not be completed. */
  abandon(): void {
    for (const { index, lanes, result } of this.#records) {
      if (lanes === undefined || result !== undefined) continue;
      for (const lane of new Set([lanes.md5, lanes.sha512])) {
        const pieces = Int32Array.of(index, 0, 0, MD5 | SHA512 | LAST);
        lane.run({ file: this.#options.file, input: new ArrayBuffer(0), pieces }, []).catch(() => undefined);
      }
    }
  }

  #beginRecord({ name, description, offset }: RecordStart): void {
    this.#endRecord();
    const record = new RecordDigests(this.#recordCount++, name, description);
    this.#options.onRecord(record, offset);
    this.#records.push(record);
    this.#current = record;
    this.#options.observer?.onRecord(name);
  }

  #addSequence(bytes: Uint8Array, offset: number): void {
    const { characters, observer, onOmitted } = this.#options;
    const record = this.#current;
    if (record === undefined) return;
    for (let at = 0; at < bytes.length; ) {
      const taken = this.#slot.capacityFor(bytes);
      // Most records are one piece, for which no view is needed.
      const piece = at === 0 && taken === bytes.length ? bytes : bytes.subarray(at, at + taken);
      const { bases, hasOmitted } = this.#slot.add(record, piece, characters);
      if (hasOmitted) onOmitted(record, piece, offset + at);
      observer?.onSequence({ bytes: piece, offset: offset + at, bases });
      record.baseCount += bases.length;
      at += piece.length;
      if (this.#slot.isFull) this.#dispatchFull();
    }
  }

  #endRecord(): void {
    if (this.#current === undefined) return;
    this.#slot.end(this.#current);
    this.#current = undefined;
    if (this.#slot.isFull) this.#dispatchFull();
  }

  #dispatchFull(): void {
    if (this.#lanes.length === 0) this.#lanes = this.#options.startLanes();
    this.#dispatch();
  }

  /** Hands the slot to the lanes and continues with an idle one. */
  #dispatch(): void {
    const slot = this.#slot;
    const runs = [...slot.assignPieces(this.#lanes)].map(async ([lane, pieces]) => {
      const { input, transfer } = slot.toInput();
      this.#addResults(await lane.run({ file: this.#options.file, input, pieces }, transfer));
    });
    const work = Promise.all(runs).then(() => {
      this.#inProgress.delete(work);
      slot.clear();
      this.#idleSlots.push(slot);
    });
    // A failed slot stays in progress, so that `ready` and `settle` reject with its failure.
    work.catch(() => undefined);
    this.#inProgress.add(work);
    this.#slot = this.#idleSlots.pop() ?? new SequenceSlot();
  }

  #addResults({ records, algorithms, lengths, md5, trunc512 }: DigestJobResult): void {
    // The records are in order and none was taken before it was complete.
    const first = this.#records[0]?.index ?? 0;
    for (const [at, digests] of toSequenceDigests(lengths, md5, trunc512).entries()) {
      this.#records[(records[at] ?? 0) - first]?.add(digests, algorithms[at] ?? 0);
    }
  }
}
