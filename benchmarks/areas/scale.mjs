// Compares a simulated process of `htskit serve` with a real one. benchmarks/scale/check.mjs takes more, and minutes.
import { noteNotMeasured } from '../not-measured.mjs';
import { compareFleets, FIGURES } from '../scale/compare.mjs';

const LOAD = 0.6;
const MIX = 'browser';
/** An error of 15 %. */
const BUDGET = 0.85;
const PEER = 'measured';

/** Returns rows whose ratio is the smaller one of what is simulated and what is measured, divided by the larger one. */
export async function measure() {
  if (process.platform !== 'linux') {
    noteNotMeasured('fleets', 'Linux');
    return [];
  }
  const { cells } = await compareFleets({ mix: MIX, counts: [1], loads: [LOAD], rounds: 2, seconds: 3 });
  return cells.flatMap((cell) => Object.entries(FIGURES).map(([name, { unit }]) => toRow(cell, name, unit)));
}

function toRow({ failures, model, measured }, figure, unit) {
  const [ours, value] = [model[figure], measured[figure]].map(toDigits);
  return {
    name: `simulated process at ${100 * LOAD} % of its load: ${figure}`,
    unit,
    ours,
    peers: { [PEER]: value },
    peer: PEER,
    ratio: toDigits(Math.min(ours, value) / Math.max(ours, value)),
    budget: BUDGET,
    equal: failures === 0,
  };
}

function toDigits(value) {
  return Number(value.toPrecision(3));
}
