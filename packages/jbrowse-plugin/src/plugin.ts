import { COVERAGE_ADAPTER } from './adapters/coverage-adapter.js';
import { READS_ADAPTER } from './adapters/reads-adapter.js';
import { SEQUENCE_ADAPTER } from './adapters/sequence-adapter.js';
import { extendSnpCoverage } from './adapters/snp-coverage.js';
import { BCF_ADAPTER, VARIANTS_ADAPTER } from './adapters/variants-adapter.js';
import { toAdapterType } from './jbrowse/adapter-element.js';
import { type PluginManager, requireCore } from './jbrowse/core.js';

const ADAPTERS = [READS_ADAPTER, VARIANTS_ADAPTER, BCF_ADAPTER, COVERAGE_ADAPTER, SEQUENCE_ADAPTER];

/**
 * The plugin of JBrowse 2. Embedded views take the class; JBrowse Web loads the built file.
 *
 * @example
 * ```ts
 * import { HtskitPlugin } from '@htskit/jbrowse-plugin';
 *
 * export const plugins = [HtskitPlugin]; // of createViewState of @jbrowse/react-app2 or @jbrowse/react-linear-genome-view2
 * ```
 */
export class HtskitPlugin {
  readonly name = 'HtskitPlugin';

  /** Registers the adapters. */
  install(pluginManager: PluginManager): void {
    const core = requireCore(pluginManager);
    for (const element of ADAPTERS) pluginManager.addAdapterType(() => toAdapterType(core, element));
    extendSnpCoverage(pluginManager, core);
  }

  configure(): void {
    // JBrowse calls it. The plugin adds nothing to menus.
  }
}
