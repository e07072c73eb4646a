/** Adds up values of records, so that no decoding can be left out, and the results of the contenders can be compared. */
export class Sums {
  records = 0;
  values = 0;

  number(value) {
    this.values += value;
  }

  /** Adds the length of a text and a character of it. */
  text(text) {
    if (text === undefined || text === null) return;
    this.values += text.length + text.charCodeAt(text.length >> 1);
  }

  /** Adds the length of an array of numbers and one of them. */
  numbers(numbers) {
    if (numbers === undefined || numbers === null || numbers.length === 0) return;
    this.values += numbers.length + numbers[numbers.length >> 1];
  }
}

/** The character of each kind of difference in a CIGAR; a substitution is X. */
export const KINDS = { substitution: 88, insertion: 73, deletion: 68, skip: 78, softClip: 83, hardClip: 72 };
