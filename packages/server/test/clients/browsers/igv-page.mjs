// The page of the tests of igv.js: what igv.js has loaded for a region of each track, in a form that goes to
// the test.
import igv from 'igv';

/** Opens a browser with an alignment and a variant track: what names the source of each, such as its URL. */
async function open({ reads, variants, locus, oauthToken }) {
  const browser = await igv.createBrowser(document.querySelector('#browser'), {
    // Without it, a list of genomes is asked for elsewhere.
    loadDefaultGenomes: false,
    reference: { id: 'fixtures', fastaURL: './genome.fa', indexed: false },
    locus,
    tracks: [
      { ...reads, oauthToken, type: 'alignment', format: 'bam', filter: { vendorFailed: false, duplicates: false } },
      // Exactly the regions of the test are asked for, each time.
      { ...variants, oauthToken, type: 'variant', format: 'vcf', expandQuery: false, disableCache: true },
    ],
  });
  const [alignments] = browser.findTracks('type', 'alignment');
  const [variantTrack] = browser.findTracks('type', 'variant');
  return { alignments, variantTrack };
}

// Sorted, since igv.js has alignments in the order of its rows, and variants in that of where the alleles differ.
async function loadAlignments(track, { referenceName, start, end }) {
  const container = await track.getFeatures(referenceName, start, end);
  return container
    .allAlignments()
    .map(({ readName, flags, chr, start: position, mq, cigar, seq }) =>
      [readName, flags, chr, position + 1, mq, cigar, seq].join('\t'),
    )
    .sort();
}

async function loadVariants(track, { referenceName, start, end }) {
  await track.getFeatures(referenceName, start, end);
  const variants = await track.featureSource.findFeatures(() => true);
  return variants
    .map(({ chr, pos, names, referenceBases, alternateBases, quality, filter }) =>
      [chr, pos, names, referenceBases, alternateBases, quality, filter].join('\t'),
    )
    .sort();
}

/** The bases of each region of a genome, a URL of a FASTA file with its index beside it. */
globalThis.loadBases = async ({ genome, regions }) => {
  const browser = await igv.createBrowser(document.querySelector('#browser'), {
    loadDefaultGenomes: false,
    reference: { id: 'served', fastaURL: genome, indexURL: `${genome}.fai` },
  });
  const bases = [];
  for (const { referenceName, start, end } of regions) {
    bases.push(await browser.genome.getSequence(referenceName, start, end));
  }
  return bases;
};

/** What igv.js holds of each region. */
globalThis.loadRegions = async ({ regions, ...options }) => {
  const { alignments, variantTrack } = await open(options);
  const loaded = [];
  for (const region of regions) {
    loaded.push({
      alignments: await loadAlignments(alignments, region),
      variants: await loadVariants(variantTrack, region),
    });
  }
  return { version: igv.version(), loaded };
};

/** Shows the depth of a region from a bigWig file on a genome, each a URL. */
globalThis.showDepth = async ({ genome, bigWig, region: { referenceName, start, end } }) => {
  const browser = await igv.createBrowser(document.querySelector('#browser'), {
    loadDefaultGenomes: false,
    reference: { id: 'served', fastaURL: genome, indexURL: `${genome}.fai` },
    locus: `${referenceName}:${start + 1}-${end}`,
    tracks: [{ type: 'wig', format: 'bigwig', name: 'depth', url: bigWig, color: 'blue', height: 150 }],
  });
  const [track] = browser.findTracks('name', 'depth');

  /** Returns the values of a region that igv.js reads, as start, end and depth. */
  globalThis.readDepth = async (region) => {
    const features = await track.getFeatures(region.referenceName, region.start, region.end, 1);
    return features.map((feature) => [feature.start, feature.end, feature.value]);
  };
};

/** Opens a session. Returns the names of its tracks, and the names of the reads of a region that each has. */
globalThis.openSession = async ({ url, oauthToken, region: { referenceName, start, end } }) => {
  if (oauthToken !== undefined) igv.setOauthToken(oauthToken, new URL(url).hostname);
  const browser = await igv.createBrowser(document.querySelector('#browser'), {
    loadDefaultGenomes: false,
    sessionURL: url,
  });
  const tracks = [...browser.findTracks('type', 'wig'), ...browser.findTracks('type', 'variant')];
  const reads = {};
  for (const track of browser.findTracks('type', 'alignment')) {
    const container = await track.getFeatures(referenceName, start, end);
    reads[track.name] = container.allAlignments().map(({ readName }) => readName);
  }
  return { tracks: tracks.map(({ name }) => name), reads };
};
