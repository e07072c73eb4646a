import type { TracingSection } from '../../config/sections/operation.js';
import type { Tracing } from './tracing.js';

/** The packages to install beside the server. They are optional because they are larger than everything else it needs. */
const PACKAGES = ['api', 'core', 'exporter-trace-otlp-http', 'resources', 'sdk-trace-base'];

/**
 * Loads the tracing over OTLP. Its type is written out: the types of OpenTelemetry must not be part of the package's own, since
 * they need not be installed.
 */
type LoadOtlp = () => Promise<{ readonly createOtlpTracing: (section: TracingSection) => Tracing }>;

const loadOtlp: LoadOtlp = () => import('./otlp-tracing.js');

/** Creates the tracing, and loads OpenTelemetry only then. Throws Error if it is not installed. */
export async function createTracing(section: TracingSection, load: LoadOtlp = loadOtlp): Promise<Tracing> {
  try {
    const { createOtlpTracing } = await load();
    return createOtlpTracing(section);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const packages = PACKAGES.map((name) => `@opentelemetry/${name}`).join(' ');
    throw new Error(`tracing needs optional packages: npm install ${packages}`, { cause });
  }
}
