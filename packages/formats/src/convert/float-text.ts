import type { ByteWriter } from './byte-writer.js';

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

const [ZERO, POINT, MINUS] = [0x30, 0x2e, 0x2d];
/** The range that htslib writes without the C library, and the power of ten with which it does so. */
const [MIN_FIXED, MAX_FIXED, FIXED_EXPONENT] = [0.0001, 999_999, 10];
const FIXED_SCALE = 10 ** FIXED_EXPONENT;
/** The powers of ten within that range. Half of the last digit that is written grows with each. */
const LIMITS = [0.001, 0.01, 0.1, 1, 10, 100, 1000, 10_000, 100_000];

/**
 * Writes a number as htslib writes those of VCF and of array tags: `%g`, except that numbers between 0.0001 and 999,999 are
 * rounded from their product with 10^10, so that ties and values close to them differ from `%g`.
 */
export function writeFloat(writer: ByteWriter, value: number): void {
  const size = Math.abs(value);
  if (!(size >= MIN_FIXED && size <= MAX_FIXED)) {
    writer.text(formatG(value));
    return;
  }
  if (value < 0) writer.uint8(MINUS);
  let half = 5;
  for (const limit of LIMITS) {
    if (size < limit) break;
    half *= 10;
  }
  writeFixed(writer, Math.trunc(size * FIXED_SCALE) + half);
}

/** Writes the first 6 digits of `scaled` / 10^10, without zeros at the end of the fraction. All numbers are exact. */
function writeFixed(writer: ByteWriter, scaled: number): void {
  let scaledDigits = PRECISION;
  for (let limit = 10 ** PRECISION; scaled >= limit; limit *= 10) scaledDigits++;
  let digits = Math.floor(scaled / 10 ** (scaledDigits - PRECISION));
  const integerDigits = scaledDigits - FIXED_EXPONENT;
  let fractionDigits = PRECISION - integerDigits;
  while (fractionDigits > 0 && digits % 10 === 0) {
    digits /= 10;
    fractionDigits--;
  }
  if (fractionDigits === 0) {
    writer.decimal(digits);
    return;
  }
  const scale = 10 ** fractionDigits;
  const integer = Math.floor(digits / scale);
  writer.decimal(integer);
  writer.uint8(POINT);
  const start = writer.reserve(fractionDigits);
  let rest = digits - integer * scale;
  for (let at = start + fractionDigits - 1; at >= start; at--) {
    const tens = Math.floor(rest / 10);
    writer.memory[at] = ZERO + rest - 10 * tens;
    rest = tens;
  }
}
