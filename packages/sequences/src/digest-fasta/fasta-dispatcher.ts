import { FastaParser } from '@htskit/formats';
import type { DigestJobResult } from './digest-job.js';
import type { DigestLane } from './digest-lane.js';
import { type FastaDigests, RecordDigests } from './record-digests.js';
import { SequenceSlot } from './sequence-slot.js';
import { toInput, toLanePieces } from './slot-jobs.js';

/** Slots under way for each lane: it always has the next one at hand. */
const SLOTS_PER_LANE = 2;

export interface FastaDispatcherOptions {
  /** Who does the work; asked for when a slot is full for the first time. */
  readonly startLanes: () => readonly DigestLane[];
  /** Who does it if that never happens: it is not worth starting workers. */
  readonly shortLane: DigestLane;
  /** A number that no other sequence has. */
  readonly nextSequence: () => number;
  readonly keepAsterisk: boolean;
}

/** Parses FASTA text, gathers its sequences in slots, and has lanes digest those. */
export class FastaDispatcher {
  readonly #options: FastaDispatcherOptions;
  readonly #parser = new FastaParser({
    onRecord: (name, description) => this.#beginRecord(name, description),
    onSequence: (bytes) => this.#addSequence(bytes),
  });
  #lanes: readonly DigestLane[] = [];
  #slot = new SequenceSlot();
  readonly #idleSlots: SequenceSlot[] = [];
  readonly #underWay = new Set<Promise<void>>();
  /** Records that were not taken, by their sequence number and in file order. */
  readonly #records = new Map<number, RecordDigests>();
  #current: RecordDigests | undefined;

  constructor(options: FastaDispatcherOptions) {
    this.#options = options;
  }

  /** Takes the next bytes of the text. Throws as `FastaParser.push`. */
  push(chunk: Uint8Array): void {
    this.#parser.push(chunk);
  }

  /** Ends the text. */
  finish(): void {
    this.#parser.finish();
    this.#endRecord();
    if (this.#lanes.length === 0) this.#lanes = [this.#options.shortLane];
    this.#handOut();
  }

  /** Waits until no more is under way than is needed to keep the lanes busy. Rejects with what a lane failed with. */
  async ready(): Promise<void> {
    while (this.#underWay.size > SLOTS_PER_LANE * this.#lanes.length) await Promise.race(this.#underWay);
  }

  /** Waits for all that is under way. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** The digests of the next records, in file order, as far as they are known. */
  *takeFinished(): Generator<FastaDigests, void> {
    for (const [sequence, record] of this.#records) {
      const { result } = record;
      if (result === undefined) return;
      this.#records.delete(sequence);
      yield result;
    }
  }

  /** Has the lanes drop what they know of records that were not taken, of which nothing more will come. */
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
      if (this.#slot.isFull) this.#handOutFull();
    }
  }

  #endRecord(): void {
    if (this.#current === undefined) return;
    this.#slot.end(this.#current);
    this.#current = undefined;
    if (this.#slot.isFull) this.#handOutFull();
  }

  #handOutFull(): void {
    if (this.#lanes.length === 0) this.#lanes = this.#options.startLanes();
    this.#handOut();
  }

  /** Gives the slot to the lanes, and takes another one that is idle. */
  #handOut(): void {
    const slot = this.#slot;
    const runs = [...toLanePieces(slot, this.#lanes)].map(async ([lane, pieces]) => {
      const { input, transfer } = toInput(slot);
      this.#add(await lane.run({ input, pieces }, transfer));
    });
    const work = Promise.all(runs).then(() => {
      this.#underWay.delete(work);
      slot.clear();
      this.#idleSlots.push(slot);
    });
    // Whoever waits is told of the failure: it stays under way.
    work.catch(() => undefined);
    this.#underWay.add(work);
    this.#slot = this.#idleSlots.pop() ?? new SequenceSlot();
  }

  #add({ ended }: DigestJobResult): void {
    for (const { sequence, digests } of ended) this.#records.get(sequence)?.add(digests);
  }
}
