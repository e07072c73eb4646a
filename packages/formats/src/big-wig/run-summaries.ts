import type { BigWigReference } from './chromosome-tree.js';
import { runEnd, runStart, runValue, sectionLength, sectionReference } from './data-sections.js';
import type { Summary, ZoomLevelWriter } from './zoom-level.js';

/**
 * Summarises the runs of data sections for the first zoom level. A summary begins at the first base that has a value and is not in
 * the one before, so that bases without values take no summaries.
 */
export class RunSummaries {
  readonly #writer: ZoomLevelWriter;
  readonly #reduction: number;
  readonly #references: readonly BigWigReference[];
  #summary: Summary | undefined;

  constructor(writer: ZoomLevelWriter, reduction: number, references: readonly BigWigReference[]) {
    this.#writer = writer;
    this.#reduction = reduction;
    this.#references = references;
  }

  /** Adds the runs of a section. Yields after each block of summaries, since a long run can fill many. */
  *addSection(section: DataView): Generator<void, void> {
    const referenceId = sectionReference(section);
    for (let i = 0; i < sectionLength(section); i++) {
      const [end, value] = [runEnd(section, i), runValue(section, i)];
      let start = runStart(section, i);
      let summary = this.#summary;
      if (summary === undefined || summary.referenceId !== referenceId || summary.end <= start) {
        if (summary !== undefined && this.#writer.add(summary)) yield;
        summary = this.#open(referenceId, start, value);
      }
      for (; end > summary.end; summary = this.#open(referenceId, start, value)) {
        addBases(summary, value, summary.end - start);
        start = summary.end;
        if (this.#writer.add(summary)) yield;
      }
      addBases(summary, value, end - start);
    }
  }

  /** Writes the last summary. */
  finish(): void {
    if (this.#summary !== undefined) this.#writer.add(this.#summary);
  }

  #open(referenceId: number, start: number, value: number): Summary {
    const end = Math.min(start + this.#reduction, this.#references[referenceId]?.length ?? 0);
    const summary = { referenceId, start, end, baseCount: 0, minimum: value, maximum: value, sum: 0, squareSum: 0 };
    this.#summary = summary;
    return summary;
  }
}

function addBases(summary: Summary, value: number, count: number): void {
  summary.baseCount += count;
  if (value < summary.minimum) summary.minimum = value;
  if (value > summary.maximum) summary.maximum = value;
  summary.sum += value * count;
  summary.squareSum += value * value * count;
}

/** Counts the summaries that a reduction would result in. */
export class SummaryCounter {
  readonly reduction: number;
  count = 0;
  #referenceId = -1;
  #end = 0;

  constructor(reduction: number) {
    this.reduction = reduction;
  }

  /** Counts those of the runs of a section. */
  addSection(section: DataView): void {
    const { reduction } = this;
    let { count } = this;
    let summaryEnd = sectionReference(section) === this.#referenceId ? this.#end : 0;
    for (let i = 0; i < sectionLength(section); i++) {
      const [start, end] = [runStart(section, i), runEnd(section, i)];
      if (start >= summaryEnd) {
        count++;
        summaryEnd = start + reduction;
      }
      if (end > summaryEnd) {
        const more = Math.ceil((end - summaryEnd) / reduction);
        count += more;
        summaryEnd += more * reduction;
      }
    }
    this.count = count;
    this.#referenceId = sectionReference(section);
    this.#end = summaryEnd;
  }
}
