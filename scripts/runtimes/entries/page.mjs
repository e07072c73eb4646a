import { run } from '../suite.mjs';

globalThis.report = await run();
