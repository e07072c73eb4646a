import { readServices, run } from '../suite.mjs';

globalThis.report = await run(readServices(location.search));
