/**
 * Splits files into what people read: the prose of comments, messages and Markdown, and the identifiers of code.
 *
 * A segment is one comment, one string or one Markdown paragraph, in one line: `text` has no line breaks, so that a
 * phrase is found wherever the editor wrapped it, and `lineAt(index)` returns the line of a character of `text`.
 */

const REGEX_MAY_FOLLOW = /(?:^|[([{,;=:?!&|+\-*%<>~^]|\b(?:return|typeof|case|in|of|await|yield|throw))\s*$/;

/** Returns segments of kind 'doc' (JSDoc), 'comment' and 'string', and `code`: the source with these blanked out. */
export function splitScript(source) {
  const scanner = new ScriptScanner(source);
  scanner.scan();
  return { segments: scanner.segments, code: scanner.code.join(''), lines: scanner.lines };
}

/** Scans a script as far as its comments, strings, templates and regular expressions need. */
class ScriptScanner {
  segments = [];
  #source;
  #at = 0;
  #braces = 0;
  /** Templates whose `${` is open, each with the depth of braces at which it continues. */
  #templates = [];

  constructor(source) {
    this.#source = source;
    this.lines = lineStarts(source);
    this.code = source.split('');
  }

  scan() {
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at];
      if (this.#startsWith('//')) this.#lineComment();
      else if (this.#startsWith('/*')) this.#blockComment();
      else if (char === "'" || char === '"') this.#quoted(char);
      else if (char === '`') this.#templateChunk({ pieces: [], before: this.#before() });
      else if (char === '}' && this.#templates.at(-1)?.depth === this.#braces) this.#continueTemplate();
      else if (char === '/' && this.#mayBeRegex()) this.#skip(endOfRegex(this.#source, this.#at));
      else this.#codeCharacter(char);
    }
  }

  #codeCharacter(char) {
    if (char === '{') this.#braces++;
    if (char === '}') this.#braces--;
    this.#at++;
  }

  /** Consecutive lines of comment are one segment. A comment after code is one by itself. */
  #lineComment() {
    const start = this.#at;
    const isAlone = /^[ \t]*$/.test(this.#source.slice(lineStart(this.#source, start), start));
    const pieces = [];
    let at = start;
    for (;;) {
      const end = endOfLine(this.#source, at);
      pieces.push([at + 2, end]);
      const next = /^\n[ \t]*(?=\/\/)/.exec(this.#source.slice(end, end + 200));
      at = end;
      if (!isAlone || next === null) break;
      at += next[0].length;
    }
    this.#skip(at);
    this.#add('comment', pieces);
  }

  #blockComment() {
    const start = this.#at;
    const close = this.#source.indexOf('*/', start + 2);
    const until = close === -1 ? this.#source.length : close;
    const isDoc = this.#startsWith('/**');
    const pieces = [];
    for (let from = start + (isDoc ? 3 : 2); from < until; ) {
      const end = Math.min(endOfLine(this.#source, from), until);
      const margin = pieces.length === 0 ? 0 : /^[ \t]*\*?/.exec(this.#source.slice(from, end))[0].length;
      pieces.push([from + margin, end]);
      from = end + 1;
    }
    this.#skip(Math.min(until + 2, this.#source.length));
    this.#add(isDoc ? 'doc' : 'comment', pieces);
  }

  #quoted(quote) {
    const start = this.#at;
    const before = this.#before();
    const end = this.#endOfText(start + 1, (at) => this.#source[at] === quote || this.#source[at] === '\n');
    this.#skip(end);
    this.#at = end + 1;
    this.#add('string', [[start + 1, end]], before);
  }

  /** Reads from a backtick or a closing brace to the end of the template or to its next expression. */
  #templateChunk(segment) {
    const start = this.#at;
    const end = this.#endOfText(start + 1, (at) => this.#source[at] === '`' || this.#source.startsWith('${', at));
    segment.pieces.push([start + 1, end]);
    this.#skip(end);
    if (this.#startsWith('${')) {
      this.#at = end + 2;
      this.#templates.push({ depth: this.#braces, segment });
    } else {
      this.#at = end + 1;
      this.#add('string', segment.pieces, segment.before);
    }
  }

  #continueTemplate() {
    this.#templateChunk(this.#templates.pop().segment);
  }

  #endOfText(from, isEnd) {
    let at = from;
    while (at < this.#source.length && !isEnd(at)) at += this.#source[at] === '\\' ? 2 : 1;
    return Math.min(at, this.#source.length);
  }

  #mayBeRegex() {
    return REGEX_MAY_FOLLOW.test(this.code.slice(Math.max(0, this.#at - 40), this.#at).join(''));
  }

  #startsWith(text) {
    return this.#source.startsWith(text, this.#at);
  }

  /** The code that precedes a string, which may name a test by it. */
  #before() {
    return this.#source.slice(Math.max(0, this.#at - 200), this.#at);
  }

  #add(kind, pieces, before = '') {
    this.segments.push({ kind, before, ...collapse(this.#source, pieces, this.lines) });
  }

  /** Blanks the code up to `end`, but for its line breaks, and continues there. */
  #skip(end) {
    for (let at = this.#at; at < end; at++) if (this.code[at] !== '\n') this.code[at] = ' ';
    this.#at = end;
  }
}

/** Returns one segment of kind 'markdown' per paragraph, table row or list item. */
export function splitMarkdown(source) {
  const lines = lineStarts(source);
  const segments = [];
  let pieces = [];
  const flush = () => {
    if (pieces.length > 0) segments.push({ kind: 'markdown', before: '', ...collapse(source, pieces, lines) });
    pieces = [];
  };
  for (let at = 0; at < source.length; ) {
    const end = endOfLine(source, at);
    const line = source.slice(at, end);
    if (/^\s*(?:[-*] |\d+\. |\||#|$)/.test(line)) flush();
    pieces.push([at, end]);
    if (line.trim() === '') flush();
    at = end + 1;
  }
  flush();
  return segments;
}

/** Yields the identifiers of code: `{ name, line }`. */
export function* identifiers(code, lines) {
  for (const match of code.matchAll(/[A-Za-z_$][\w$]*/g)) yield { name: match[0], line: lineOf(lines, match.index) };
}

/** Splits a name into lower-case words: "firstEndingBehind" is first, ending, behind. */
export function wordsOf(name) {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

function collapse(source, pieces, lines) {
  let text = '';
  const offsets = [];
  for (const [start, end] of pieces) {
    if (text !== '' && !text.endsWith(' ')) {
      text += ' ';
      offsets.push(start);
    }
    for (let at = start; at < end; at++) {
      const char = source[at];
      const isSpace = char === ' ' || char === '\t' || char === '\n' || char === '\r';
      if (isSpace && (text === '' || text.endsWith(' '))) continue;
      text += isSpace ? ' ' : char;
      offsets.push(at);
    }
  }
  const trimmed = text.trimEnd();
  return { text: trimmed, lineAt: (index) => lineOf(lines, offsets[index] ?? pieces[0]?.[0] ?? 0) };
}

function endOfRegex(source, start) {
  let isClass = false;
  for (let at = start + 1; at < source.length; at++) {
    const char = source[at];
    if (char === '\n') return start + 1;
    if (char === '\\') at++;
    else if (char === '[') isClass = true;
    else if (char === ']') isClass = false;
    else if (char === '/' && !isClass) return at + 1;
  }
  return source.length;
}

function lineStart(source, at) {
  return source.lastIndexOf('\n', at - 1) + 1;
}

function endOfLine(source, at) {
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length : end;
}

function lineStarts(source) {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the line, from 1, of the character at `offset`. */
export function lineOf(starts, offset) {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
