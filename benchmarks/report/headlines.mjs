// The ten pieces of work that the short page reports, and the page.
import { toWorks } from './comparisons.mjs';
import { formatMachine } from './markdown.mjs';
import { escapeCell, formatMarkdownTable } from './markdown-table.mjs';
import { plotRatios } from './plot.mjs';

/** `name` and `peers` are the beginnings of the names of the work and its peers. */
export const HEADLINES = [
  { title: 'tickets from the server', area: 'server', name: 'htskit serve: tickets', peers: ['htsget-rs'] },
  { title: 'regions downloaded', area: 'server', name: 'htskit serve: regions', peers: ['htsget-rs'] },
  { title: 'a whole BAM downloaded', area: 'server', name: 'htskit serve: a BAM', peers: ['htsget-rs'] },
  {
    title: 'BGZF decoded, one thread',
    area: 'bgzf',
    name: 'decode BAM (',
    peers: ['@gmod/bgzf-filehandle', 'pako', 'bgzip', 'noodles-bgzf'],
  },
  {
    title: 'BGZF encoded at level 6, one thread',
    area: 'bgzf',
    name: 'encode BAM, level 6, one thread',
    peers: ['node:zlib', 'pako', 'bgzip'],
  },
  {
    title: 'BAI of 9 MB: opened, first region',
    area: 'indexes',
    name: 'BAI: open, first region',
    peers: ['@gmod/bam', 'htslib'],
  },
  {
    title: 'BAM records, all fields',
    area: 'records',
    name: 'BAM, all fields',
    peers: ['@gmod/bam', 'samtools', 'noodles-bam'],
  },
  {
    title: 'CRAM answered as BAM, all processors',
    area: 'convert',
    name: 'CRAM to BAM, all processors',
    peers: ['samtools'],
  },
  {
    title: 'digests of a FASTA, all processors',
    area: 'digest',
    name: 'FASTA of several sequences',
    peers: ['gtars', 'samtools', 'md5sum'],
  },
  { title: 'slices of 1 kb of a FASTA', area: 'refget', name: '1 kb slices: FASTA', peers: ['htslib'] },
];

const HEADER = ['what', 'unit', 'htskit', 'peer', 'value', 'ratio', 'ahead'];
const NUMBERS = new Set(['htskit', 'value', 'ratio', 'comparisons', 'htskit ahead', 'level', 'peer ahead']);
const AREA_HEADER = ['area', 'comparisons', 'htskit ahead', 'level', 'peer ahead'];
/** The names of the leaders, in the order of the columns. */
const LEADERS = { ours: 'htskit', level: 'level', peer: 'peer' };

/** Returns the works of the headlines under their titles, with their peers only. Those that were not measured are left out. */
export function selectHeadlines(rows) {
  const works = toWorks(rows);
  return HEADLINES.flatMap(({ title, area, name, peers }) => {
    const work = works.find((each) => each.area === area && each.name.startsWith(name));
    const comparisons = peers.flatMap(
      (beginning) => work?.comparisons.find(({ peer }) => peer.startsWith(beginning)) ?? [],
    );
    return comparisons.length === 0 ? [] : [{ ...work, name: title, comparisons }];
  });
}

/** Returns the measured part of the short page. `plotPath` is that of the plot. */
export function formatHeadlines(results, { plotPath }) {
  const works = selectHeadlines(results.rows);
  return [
    formatMachine(results),
    `![Ratio of htskit to each peer](${plotPath})`,
    formatMarkdownTable(HEADER, works.flatMap(toLines), NUMBERS),
    'All comparisons, by area:',
    formatAreas(results.rows),
  ].join('\n\n');
}

export function plotHeadlines({ rows }) {
  return plotRatios('ten measurements', selectHeadlines(rows));
}

function toLines({ name, unit, ours, comparisons }) {
  return comparisons.map(({ peer, value, ratio, leader }, index) => {
    const work = index === 0 ? [name, unit, String(ours)] : ['', '', ''];
    return [...work, peer, String(value), String(ratio), LEADERS[leader]].map(escapeCell);
  });
}

/** Counts who is ahead, in each area and in all of them. */
function formatAreas(rows) {
  const works = toWorks(rows);
  const lineOf = (title, counted) => {
    const leaders = counted.flatMap(({ comparisons }) => comparisons.map(({ leader }) => leader));
    const counts = Object.keys(LEADERS).map((leader) => leaders.filter((each) => each === leader).length);
    return [title, counts.reduce((sum, count) => sum + count, 0), ...counts].map(String);
  };
  const areas = [...new Set(works.map(({ area }) => area))];
  const lines = areas.map((area) =>
    lineOf(
      area,
      works.filter((work) => work.area === area),
    ),
  );
  return formatMarkdownTable(AREA_HEADER, [...lines, lineOf('all', works)], NUMBERS);
}
