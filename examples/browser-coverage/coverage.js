import { openAlignments } from '@htskit/records';

/** Flags of reads that are not counted, as in samtools depth: unmapped, secondary, failed, duplicate. */
const SKIPPED = 0x704;

/** Returns the number of reads that cover each base of a region. */
async function coverage(url, { referenceName, start, end }) {
  const depth = new Uint32Array(end - start);
  const reads = await openAlignments({ htsget: url });
  for await (const read of reads.records({ referenceName, start, end })) {
    if (read.flags & SKIPPED) continue;
    let base = read.start - start;
    read.forEachCigar((operation, length) => {
      if ('M=X'.includes(operation))
        for (let i = Math.max(base, 0); i < base + length && i < depth.length; i++) depth[i]++;
      if ('MDN=X'.includes(operation)) base += length;
    });
  }
  return depth;
}

function draw(canvas, depth) {
  const pen = canvas.getContext('2d');
  const deepest = Math.max(...depth, 1);
  const width = canvas.width / depth.length;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = 'steelblue';
  depth.forEach((count, base) => {
    const height = (count / deepest) * canvas.height;
    pen.fillRect(base * width, canvas.height - height, width, height);
  });
}

const form = document.querySelector('form');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { url, referenceName, start, end } = Object.fromEntries(new FormData(form));
  const output = document.querySelector('output');
  try {
    const depth = await coverage(url, { referenceName, start: Number(start), end: Number(end) });
    draw(document.querySelector('canvas'), depth);
    output.value = `mean depth ${(depth.reduce((sum, count) => sum + count, 0) / depth.length).toFixed(2)}`;
  } catch (error) {
    output.value = error.message;
  }
});
form.requestSubmit();
