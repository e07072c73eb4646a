// The page of served-configs.interop.test with JBrowse: all of it, as JBrowse Web has it.
const { createRoot, createViewState, JBrowseApp, React } = globalThis.JBrowseReactApp;

/** Opens a configuration. Returns the names of its tracks, and the names of the reads of a region that each has. */
globalThis.openSession = async ({ url, region: { referenceName, start, end } }) => {
  const config = await (await fetch(url)).json();
  const viewState = createViewState({ config: { ...config, configuration: {} } });
  createRoot(document.querySelector('#browser')).render(React.createElement(JBrowseApp, { viewState }));
  const reads = {};
  for (const { type, name, adapter, assemblyNames } of config.tracks) {
    if (type !== 'AlignmentsTrack') continue;
    const regions = [{ refName: referenceName, start, end, assemblyName: assemblyNames[0] }];
    const request = { adapterConfig: adapter, regions, sessionId: 'test' };
    const features = await viewState.session.rpcManager.call('test', 'CoreGetFeatures', request);
    reads[name] = features.map((feature) => feature.get('name'));
  }
  return { tracks: config.tracks.filter(({ type }) => type !== 'AlignmentsTrack').map(({ name }) => name), reads };
};
