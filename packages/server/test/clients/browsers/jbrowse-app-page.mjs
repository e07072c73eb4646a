// The page of the tests of configurations with JBrowse: all of it, as JBrowse Web has it.
const { createRoot, createViewState, JBrowseApp, React } = globalThis.JBrowseReactApp;

/**
 * Opens a configuration with its plugins, in the page or in a worker. Returns the names of its tracks, and the names of the reads of a
 * region that each has.
 */
globalThis.openSession = async ({ url, oauthToken, worker, location, tracks, region }) => {
  const headers = oauthToken === undefined ? {} : { authorization: `Bearer ${oauthToken}` };
  const config = await (await fetch(url, { headers })).json();
  // What a person would enter.
  if (oauthToken !== undefined) sessionStorage.setItem('htskit-token', oauthToken);
  const [{ init }] = config.defaultSession.views;
  if (location !== undefined) init.loc = location;
  if (tracks !== undefined) init.tracks = tracks;
  const configuration = worker === undefined ? {} : { rpc: { defaultDriver: 'WebWorkerRpcDriver' } };
  const viewState = createViewState({
    config: { ...config, configuration },
    plugins: await Promise.all(config.plugins.map(loadPlugin)),
    makeWorkerInstance: () => new Worker(worker),
  });
  createRoot(document.querySelector('#browser')).render(React.createElement(JBrowseApp, { viewState }));

  /** Returns the features of a region that an adapter has, without their ids, as they leave the worker. */
  globalThis.readFeatures = async (adapterConfig, { referenceName, start, end }, opts) => {
    const regions = [{ refName: referenceName, start, end, assemblyName: config.assemblies[0].name }];
    const request = { adapterConfig, regions, sessionId: 'test', opts };
    const features = await viewState.session.rpcManager.call('test', 'CoreGetFeatures', request);
    return features.map((feature) => ({ ...feature.toJSON(), uniqueId: undefined }));
  };

  const reads = {};
  for (const { type, name, adapter } of config.tracks) {
    if (type === 'AlignmentsTrack') reads[name] = (await readFeatures(adapter, region)).map((feature) => feature.name);
  }
  return { tracks: config.tracks.filter(({ type }) => type !== 'AlignmentsTrack').map(({ name }) => name), reads };
};

/** Loads a plugin as JBrowse Web does. Returns a class whose instances are the plugin with its definition, which workers load it by. */
async function loadPlugin(definition) {
  await import(definition.url);
  const { default: Plugin } = globalThis[`JBrowsePlugin${definition.name}`];
  return function LoadedPlugin() {
    return { plugin: new Plugin(), definition, metadata: {} };
  };
}
