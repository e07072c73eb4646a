/** Keys that are stored, signed and read as they are. */
export const awkwardKeys: readonly string[] = [
  'plain.bam',
  'a folder/with spaces.bam',
  'plus+and&and=and;and,and:and@and$',
  'quotes\'and"and(brackets)*and!',
  'per%cent and %41 and %2F',
  'question?mark#hash',
  'back\\slash|pipe^caret`tick{brace}[bracket]<angle>~tilde',
  'ümläut 日本語 🧬',
  'a//b',
  'folder/',
  'dots...in.names/.hidden',
  '-_.~',
];
