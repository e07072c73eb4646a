import { type ByteWriter, writeDecimalAt, writeDigitsAt } from './byte-writer.js';

/** The significant digits of C's `%g`. */
const PRECISION = 6;
/** `%g` writes an exponent below the first and from the second power of ten on. */
const [MIN_FIXED_EXPONENT, MAX_FIXED_EXPONENT] = [-4, PRECISION];

/** Returns a number as C's `printf("%g")` writes it: 6 significant digits, exact ties to the even digit. */
export function formatG(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const sign = value < 0 ? '-' : '';
  const [mantissa = '', exponentText = ''] = toScientific(Math.abs(value)).split('e');
  const digits = mantissa.replace('.', '').replace(/0+$/, '');
  const exponent = Number(exponentText);
  if (exponent < MIN_FIXED_EXPONENT || exponent >= MAX_FIXED_EXPONENT) {
    const power = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${withPoint(digits, 1)}e${exponent < 0 ? '-' : '+'}${power}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  return sign + withPoint(digits.padEnd(exponent + 1, '0'), exponent + 1);
}

function withPoint(digits: string, integerDigits: number): string {
  const fraction = digits.slice(integerDigits);
  return fraction === '' ? digits : `${digits.slice(0, integerDigits)}.${fraction}`;
}

/** More digits than the exact value of a 32-bit float has before its zeros, unless it is tiny: then it cannot be a tie. */
const EXACT_DIGITS = 60;

/** Returns 6 significant digits with an exponent. `toExponential` rounds ties up, C to the even digit. */
function toScientific(value: number): string {
  const rounded = value.toExponential(PRECISION - 1);
  if (Number(rounded) === value) return rounded;
  const exact = value.toExponential(EXACT_DIGITS);
  const isTieToEven = /^.{7}50*e/.test(exact) && Number(exact[PRECISION]) % 2 === 0;
  return isTieToEven ? exact.slice(0, PRECISION + 1) + exact.slice(exact.indexOf('e')) : rounded;
}

const [POINT, PLUS, MINUS, ZERO, LOWER_E] = [0x2e, 0x2b, 0x2d, 0x30, 0x65];
/** The most characters of a number: `-1.23457e-308`. */
export const MAX_FLOAT_LENGTH = 13;
/** The range that htslib writes without the C library, and the power of ten with which it does so. */
const [MIN_FIXED, MAX_FIXED, FIXED_SCALE] = [0.0001, 999_999, 1e10];
/** The powers of ten within that range. Half of the last digit that is written grows with each. */
const LIMITS = [0.001, 0.01, 0.1, 1, 10, 100, 1000, 10_000, 100_000];
/** The digits of the fraction of a number below the first limit. */
const MOST_FRACTION_DIGITS = 9;
/** The powers of ten that scale all 32-bit floats to six digits, each the nearest double. */
const POWERS = Float64Array.from({ length: 52 }, (_, exponent) => Number(`1e${exponent}`));
const [MIN_DIGITS, DIGITS_LIMIT] = [10 ** (PRECISION - 1), 10 ** PRECISION];
/** More than the error of a scaled number, which is two roundings of less than 10^6: 2.4e-10. */
const ROUNDING_DOUBT = 1e-6;
const encoder = new TextEncoder();

/** Writes a number as `writeFloatAt` does. */
export function writeFloat(writer: ByteWriter, value: number): void {
  const at = writer.reserve(MAX_FLOAT_LENGTH);
  writer.shrinkTo(writeFloatAt(writer.memory, at, value));
}

/**
 * Writes a number as htslib writes those of VCF and of array tags: `%g`, except that numbers between 0.0001 and 999,999 are
 * rounded from their product with 10^10, so that ties and values close to them differ from `%g`. Returns the offset just after
 * it. `target` must have room for `MAX_FLOAT_LENGTH` bytes at `at`.
 */
export function writeFloatAt(target: Uint8Array, at: number, value: number): number {
  if (value === 0 && !Object.is(value, -0)) return writeDecimalAt(target, at, 0);
  const size = Math.abs(value);
  if (size >= MIN_FIXED && size <= MAX_FIXED) {
    if (value < 0) target[at] = MINUS;
    return writeFixedAt(target, value < 0 ? at + 1 : at, size);
  }
  const end = writeScientificAt(target, at, value);
  if (end !== undefined) return end;
  const text = encoder.encode(formatG(value));
  target.set(text, at);
  return at + text.length;
}

/** Writes a number from 0.0001 to 999,999 in six digits, without zeros at the end of the fraction. All numbers are exact. */
function writeFixedAt(target: Uint8Array, at: number, size: number): number {
  if (size === (size | 0)) return writeDecimalAt(target, at, size);
  let order = 0;
  while (order < LIMITS.length && size >= (LIMITS[order] ?? 0)) order++;
  // Rounds to the sixth digit, whose unit is 10^(order + 1).
  const unit = POWERS[order + 1] ?? 0;
  let digits = Math.floor((Math.trunc(size * FIXED_SCALE) + unit / 2) / unit) | 0;
  let fractionDigits = MOST_FRACTION_DIGITS - order;
  // Rounded up to the next power of ten, it ends with zeros, which are dropped.
  while (fractionDigits > 0 && digits % 10 === 0) {
    digits = (digits / 10) | 0;
    fractionDigits--;
  }
  if (fractionDigits === 0) return writeDecimalAt(target, at, digits);
  const scale = (POWERS[fractionDigits] ?? 0) | 0;
  const integer = (digits / scale) | 0;
  const point = writeDecimalAt(target, at, integer);
  target[point] = POINT;
  return writeDigitsAt(target, point + 1, digits - integer * scale, fractionDigits);
}

/**
 * Writes a number with an exponent as `%g` does, or returns undefined if it has none, if it is not that of a 32-bit float, and
 * if it is too close to a tie for a product of doubles to decide how it is rounded.
 */
function writeScientificAt(target: Uint8Array, at: number, value: number): number | undefined {
  const size = Math.abs(value);
  let exponent = Math.floor(Math.log10(size));
  let scaled = timesPower(size, PRECISION - 1 - exponent);
  // The logarithm is rounded, too.
  if (scaled < MIN_DIGITS) scaled = timesPower(size, PRECISION - 1 - --exponent);
  let digits = Math.floor(scaled);
  const rest = scaled - digits;
  if (!(Math.abs(rest - 0.5) > ROUNDING_DOUBT)) return undefined;
  if (rest > 0.5) digits++;
  if (digits >= DIGITS_LIMIT) {
    digits /= 10;
    exponent++;
  }
  if (exponent >= MIN_FIXED_EXPONENT && exponent < MAX_FIXED_EXPONENT) return undefined;
  let fractionDigits = PRECISION - 1;
  for (; fractionDigits > 0 && digits % 10 === 0; digits /= 10) fractionDigits--;
  let to = at;
  if (value < 0) target[to++] = MINUS;
  const unit = (POWERS[fractionDigits] ?? 0) | 0;
  target[to++] = ZERO + Math.floor(digits / unit);
  if (fractionDigits > 0) {
    target[to] = POINT;
    to = writeDigitsAt(target, to + 1, digits % unit, fractionDigits);
  }
  target[to++] = LOWER_E;
  target[to++] = exponent < 0 ? MINUS : PLUS;
  return writeDigitsAt(target, to, Math.abs(exponent), 2);
}

/** Returns the product of a number with a power of ten; NaN for a power that no 32-bit float needs. */
function timesPower(value: number, exponent: number): number {
  return exponent < 0 ? value / (POWERS[-exponent] ?? Number.NaN) : value * (POWERS[exponent] ?? Number.NaN);
}
