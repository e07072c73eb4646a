// Changes igv.js for the page of the server, where it has no option: it requests nothing from other servers, and shows text from
// data as text rather than as HTML. The build fails if a version of igv.js lacks a place that is changed here.

/** What is written in place of what, and how often it occurs. */
const EDITS = [
  // A click on a base that differs from the reference would send its place to NCBI.
  { from: 'async function getClinVarURL(hgvsNotation) {', to: (found) => `${found} return null;` },
  // A failed request would make igv.org learn that there was one.
  { from: 'async function lookupMapping(url) {', to: (found) => `${found} return undefined;` },
  {
    from: 'async function blat({url, userSeq, db}) {',
    to: (found) => `${found} throw Error('this page sends no bases to other servers');`,
  },
  // Chromosome sizes of a data URL are read from the URL of a FASTA file, which is not there.
  {
    from: 'if (isDataURL(this.url)) {\n               let bytes = decodeDataURI$1(this.fastaURL);',
    to: () =>
      "if (isDataURL(this.url)) {\n let bytes = decodeURIComponent(this.url.replace(/^[^,]*,/, '')).split('').map((unit) => unit.charCodeAt(0));",
  },
  // The name of a track is an id.
  { from: 'this.trackLabelElement.innerHTML = label;', to: () => 'this.trackLabelElement.textContent = label;' },
  // Names of references.
  { from: 'textDiv.innerHTML = ', count: 2, to: () => 'textDiv.textContent = ' },
  { from: "const margin = '&nbsp';", count: 3, to: () => "const margin = '\\u00a0';" },
  { from: '{position}`,', count: 2, to: () => "{position.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}`," },
  // Messages of errors, which may quote data. Line breaks are the only elements of igv.js in them.
  {
    from: "this.body.innerHTML = purify_default.sanitize(string).replaceAll('\\n', '<br>');",
    to: () => "this.body.innerText = String(string).replaceAll('<br>', '\\n');",
  },
];

/** Creates a plugin of Vite that makes the edits. */
export function editIgv() {
  let isEdited = false;
  return {
    name: 'edit-igv',
    transform(code, id) {
      if (!/\/igv\/dist\/igv\.js$/.test(id)) return undefined;
      isEdited = true;
      return EDITS.reduce(applyEdit, code);
    },
    buildEnd(error) {
      if (error === undefined && !isEdited) throw new Error('the page does not bundle igv/dist/igv.js');
    },
  };
}

function applyEdit(code, { from, to, count = 1 }) {
  const found = code.split(from).length - 1;
  if (found !== count) throw new Error(`igv.js has ${found} times, rather than ${count}: ${from}`);
  return code.replaceAll(from, () => to(from));
}
