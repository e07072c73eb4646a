import { type ClockOptions, systemClock } from '@htskit/io';

/** A process that serves. */
export interface ServingProcess {
  /** Resolves when the process listens. Rejects if it ends before. */
  readonly ready: Promise<void>;
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<string>;
  /** Lets running responses end, and then ends the process. Others serve in the place of a process that is replaced. */
  close(options: { readonly isReplaced: boolean }): void;
}

export interface SupervisorOptions extends Pick<ClockOptions, 'sleep'> {
  /** Milliseconds since any fixed point in time. Default `performance.now`. */
  readonly now?: () => number;
  /** The number of processes. */
  readonly count: number;
  readonly start: (options: { readonly isFirst: boolean }) => ServingProcess;
  /** Receives a message for each process that ends unexpectedly. */
  readonly log: (message: string) => void;
  /** Called for each process that ends unexpectedly. */
  readonly onRestart?: () => void;
}

/** A process that lived longer has not failed at its start. */
const STABLE_MILLISECONDS = 60_000;
const MAX_BACK_OFF_MILLISECONDS = 30_000;

/** The place of one process, which is replaced when it ends. */
interface Slot {
  process: ServingProcess | undefined;
  /** How often a process ended soon after its start. */
  failures: number;
}

/** Keeps a number of processes running, and replaces them one after another. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #slots: readonly Slot[];
  /** All processes that have not ended, those that are being replaced included. */
  readonly #processes = new Set<ServingProcess>();
  readonly #closing = new AbortController();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.count }, () => ({ process: undefined, failures: 0 }));
  }

  /** Starts the processes one after another, and resolves when the first one is ready. Rejects if it ends before. */
  async start(): Promise<void> {
    const [first, ...others] = this.#slots;
    if (first === undefined) throw new RangeError('expected at least one process');
    const started = this.#start({ isFirst: true });
    await started.ready;
    this.#fill(first, started);
    void this.#startOthers(others);
  }

  /**
   * Replaces each process by a new one that is ready. Rejects, and changes nothing, if the first new one ends before it is ready.
   * Resolves when all are replaced; the old ones may still be answering.
   */
  async replaceAll(): Promise<void> {
    for (const [index, slot] of this.#slots.entries()) {
      const next = index === 0 ? await this.#startReady() : await this.#startUntilReady(slot);
      if (next === undefined) return;
      const replaced = slot.process;
      this.#fill(slot, next);
      replaced?.close({ isReplaced: true });
    }
  }

  /** Lets running responses end, and resolves when all processes have ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    const running = [...this.#processes];
    for (const each of running) each.close({ isReplaced: false });
    await Promise.all(running.map(({ ended }) => ended));
  }

  async #startOthers(slots: readonly Slot[]): Promise<void> {
    for (const slot of slots) {
      const started = await this.#startUntilReady(slot);
      if (started === undefined) return;
      // A replacement may have filled the place in the meantime.
      if (slot.process === undefined) this.#fill(slot, started);
      else started.close({ isReplaced: true });
    }
  }

  #start(options: { readonly isFirst: boolean }): ServingProcess {
    const started = this.#options.start(options);
    this.#processes.add(started);
    void started.ended.then(() => this.#processes.delete(started));
    return started;
  }

  async #startReady(): Promise<ServingProcess> {
    const started = this.#start({ isFirst: false });
    await started.ready;
    return started;
  }

  /** Starts a process, again and again with pauses until one is ready. Returns undefined if the supervisor closes before. */
  async #startUntilReady(slot: Slot): Promise<ServingProcess | undefined> {
    const { sleep = systemClock.sleep } = this.#options;
    const { signal } = this.#closing;
    for (;;) {
      await sleep(backOff(slot.failures), signal);
      if (signal.aborted) return undefined;
      try {
        return await this.#startReady();
      } catch {
        slot.failures++;
      }
    }
  }

  /** Puts a process into a place, and keeps the place filled. */
  #fill(slot: Slot, started: ServingProcess): void {
    const { now = () => performance.now(), log, onRestart } = this.#options;
    const startedAt = now();
    slot.process = started;
    void started.ended.then(async (reason) => {
      if (this.#closing.signal.aborted || slot.process !== started) return;
      log(`a serving process ended (${reason}); starting another`);
      onRestart?.();
      slot.process = undefined;
      slot.failures = now() - startedAt < STABLE_MILLISECONDS ? slot.failures + 1 : 0;
      await this.#startOthers([slot]);
    });
  }
}

/** Returns the pause before a start: none at first and after the first failure, and then from one second on twice the last. */
function backOff(failures: number): number {
  return failures < 2 ? 0 : Math.min(1000 * 2 ** (failures - 2), MAX_BACK_OFF_MILLISECONDS);
}
