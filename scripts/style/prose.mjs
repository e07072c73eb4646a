/**
 * Splits files into what people read: the prose of comments, messages and Markdown, and the identifiers of code.
 *
 * A segment is one comment, one string or one Markdown paragraph, in one line: `text` has no line breaks, so that a
 * phrase is found wherever the editor wrapped it, and `lineAt(index)` returns the line of a character of `text`.
 */

const REGEX_MAY_FOLLOW = /(?:^|[([{,;=:?!&|+\-*%<>~^]|\b(?:return|typeof|case|in|of|await|yield|throw))\s*$/;

/** Segments of kind 'doc' (JSDoc), 'comment' and 'string', and the code with the same line breaks but without them. */
export function splitScript(source) {
  const lines = lineStarts(source);
  const segments = [];
  const code =
    [...source].length === source.length
      ? source.split('')
      : Array.from({ length: source.length }, (_, i) => source[i]);
  const blank = (start, end) => {
    for (let at = start; at < end; at++) if (code[at] !== '\n') code[at] = ' ';
  };
  const add = (kind, pieces, before = '') => segments.push({ kind, before, ...collapse(source, pieces, lines) });

  /** Positions of unclosed `${`: the depth of braces at which each template continues. */
  const templates = [];
  let braces = 0;
  let at = 0;

  const lineComment = () => {
    const pieces = [];
    const start = at;
    for (;;) {
      const end = endOfLine(source, at);
      pieces.push([at + 2, end]);
      at = end;
      const next = /^\n[ \t]*(?=\/\/)/.exec(source.slice(end, end + 200));
      // A comment after code belongs to that line alone.
      if (next === null || !/^[ \t]*$/.test(source.slice(lineStart(source, start), start))) break;
      at = end + next[0].length;
    }
    blank(start, at);
    add('comment', pieces);
  };

  const blockComment = () => {
    const start = at;
    const close = source.indexOf('*/', at + 2);
    at = close === -1 ? source.length : close + 2;
    const isDoc = source.startsWith('/**', start);
    const pieces = [];
    let from = start + (isDoc ? 3 : 2);
    const until = close === -1 ? source.length : close;
    while (from < until) {
      const end = Math.min(endOfLine(source, from), until);
      const margin = from > start + 3 ? (/^[ \t]*\*?/.exec(source.slice(from, end))?.[0].length ?? 0) : 0;
      pieces.push([from + margin, end]);
      from = end + 1;
    }
    blank(start, at);
    add(isDoc ? 'doc' : 'comment', pieces);
  };

  const quoted = () => {
    const start = at;
    const quote = source[at];
    at++;
    while (at < source.length && source[at] !== quote && source[at] !== '\n') at += source[at] === '\\' ? 2 : 1;
    add('string', [[start + 1, at]], source.slice(Math.max(0, start - 200), start));
    at++;
    blank(start + 1, at - 1);
  };

  /** From the backtick or the closing brace at `at` to the end of the template or to its next expression. */
  const templateChunk = (segment) => {
    const start = at;
    at++;
    while (at < source.length && source[at] !== '`' && !source.startsWith('${', at)) at += source[at] === '\\' ? 2 : 1;
    segment.pieces.push([start + 1, at]);
    blank(start + 1, at);
    if (source[at] === '`' || at >= source.length) {
      at++;
      add('string', segment.pieces, segment.before);
    } else {
      at += 2;
      templates.push({ depth: braces, segment });
    }
  };

  while (at < source.length) {
    const char = source[at];
    if (char === '/' && source[at + 1] === '/') lineComment();
    else if (char === '/' && source[at + 1] === '*') blockComment();
    else if (char === "'" || char === '"') quoted();
    else if (char === '`') templateChunk({ pieces: [], before: source.slice(Math.max(0, at - 200), at) });
    else if (char === '/' && REGEX_MAY_FOLLOW.test(code.slice(Math.max(0, at - 40), at).join(''))) {
      const end = endOfRegex(source, at);
      blank(at, end);
      at = end;
    } else if (char === '}' && templates.at(-1)?.depth === braces) templateChunk(templates.pop().segment);
    else {
      if (char === '{') braces++;
      if (char === '}') braces--;
      at++;
    }
  }
  return { segments, code: code.join(''), lines };
}

/** One segment of kind 'markdown' per paragraph, table row or list item. */
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

/** The identifiers of code: `{ name, line }`. Quoted and commented text is not looked at. */
export function* identifiers(code, lines) {
  for (const match of code.matchAll(/[A-Za-z_$][\w$]*/g)) yield { name: match[0], line: lineOf(lines, match.index) };
}

/** "firstEndingBehind" is first, ending, behind. */
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

/** The line, from 1, of the character at `offset`. */
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
