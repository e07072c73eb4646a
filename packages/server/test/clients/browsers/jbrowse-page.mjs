// The page of depth-tracks.interop.test with JBrowse.
const { createRoot, createViewState, JBrowseLinearGenomeView, React } = globalThis.JBrowseReactLinearGenomeView;

const toUri = (uri) => ({ uri, locationType: 'UriLocation' });

/** Shows the depth of a region from a bigWig file on a genome, each a URL. */
globalThis.showDepth = async ({ genome, bigWig, region: { referenceName, start, end } }) => {
  const adapter = { type: 'BigWigAdapter', bigWigLocation: toUri(bigWig) };
  const viewState = createViewState({
    assembly: {
      name: 'served',
      sequence: {
        type: 'ReferenceSequenceTrack',
        trackId: 'reference',
        adapter: { type: 'IndexedFastaAdapter', fastaLocation: toUri(genome), faiLocation: toUri(`${genome}.fai`) },
      },
    },
    tracks: [{ type: 'QuantitativeTrack', trackId: 'depth', name: 'depth', assemblyNames: ['served'], adapter }],
    location: `${referenceName}:${start + 1}..${end}`,
  });
  createRoot(document.querySelector('#browser')).render(React.createElement(JBrowseLinearGenomeView, { viewState }));
  viewState.session.view.showTrack('depth');

  /** Returns the values of a region that JBrowse reads, as start, end and depth. */
  globalThis.readDepth = async (region) => {
    const regions = [{ ...region, refName: region.referenceName, assemblyName: 'served' }];
    const request = { adapterConfig: adapter, regions, sessionId: 'test' };
    const features = await viewState.session.rpcManager.call('test', 'CoreGetFeatures', request);
    return features.map((feature) => [feature.get('start'), feature.get('end'), feature.get('score')]);
  };
};
