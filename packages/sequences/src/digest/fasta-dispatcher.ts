import { FastaParser } from '@htskit/formats';
import type { DigestJobResult } from './digest-job.js';
import { type DigestLane, type FastaDigests, RecordDigests } from './record-digests.js';
import { SequenceSlot } from './sequence-slot.js';

/** Slots in progress for each lane, so that a lane never waits for its next one. */
const SLOTS_PER_LANE = 2;

export interface FastaDispatcherOptions {
  /** Returns the lanes that do the work. Called when the first slot is full. */
  readonly startLanes: () => readonly DigestLane[];
  /** Does the work if no slot ever fills up: too little to start workers for. */
  readonly shortLane: DigestLane;
  /** Returns a number that no other sequence has. */
  readonly nextSequence: () => number;
  readonly keepAsterisk: boolean;
}

/** Parses FASTA text, gathers its sequences in slots and has the lanes digest the slots. */
export class FastaDispatcher {
  readonly #options: FastaDispatcherOptions;
  readonly #parser = new FastaParser({
    onRecord: (name, description) => this.#beginRecord(name, description),
    onSequence: (bytes) => this.#addSequence(bytes),
  });
  #lanes: readonly DigestLane[] = [];
  #slot = new SequenceSlot();
  readonly #idleSlots: SequenceSlot[] = [];
  readonly #inProgress = new Set<Promise<void>>();
  /** Records that have not been taken yet, by sequence number and in file order. */
  readonly #records = new Map<number, RecordDigests>();
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

  /** Yields and removes the digests of the leading records that are complete, in file order. */
  *takeFinished(): Generator<FastaDigests, void> {
    for (const [sequence, record] of this.#records) {
      const { result } = record;
      if (result === undefined) return;
      this.#records.delete(sequence);
      yield result;
    }
  }

  /** Makes the lanes drop the hash states of records that will not be completed. */
  abandon(): void {
    for (const { sequence, lanes, result } of this.#records.values()) {
      if (lanes === undefined || result !== undefined) continue;
      const pieces = [{ sequence, start: 0, end: 0, algorithms: 'both', isLast: true }] as const;
      const job = { input: new ArrayBuffer(0), pieces };
      for (const lane of new Set([lanes.md5, lanes.sha512])) lane.run(job, []).catch(() => undefined);
    }
  }

  #beginRecord(name: string, description: string): void {
    this.#endRecord();
    const record = new RecordDigests({ sequence: this.#options.nextSequence(), name, description });
    this.#records.set(record.sequence, record);
    this.#current = record;
  }

  #addSequence(bytes: Uint8Array): void {
    if (this.#current === undefined) return;
    for (let at = 0; at < bytes.length; ) {
      at += this.#slot.add(this.#current, bytes.subarray(at), this.#options.keepAsterisk);
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
      this.#addResults(await lane.run({ input, pieces }, transfer));
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

  #addResults({ ended }: DigestJobResult): void {
    for (const { sequence, digests } of ended) this.#records.get(sequence)?.add(digests);
  }
}
