import { run } from '../suite.mjs';

export default { fetch: async () => Response.json(await run()) };
