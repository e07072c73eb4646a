import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "ClientError",
      "HtsgetClientError",
      "RefgetClient",
      "RefgetClientError",
      "fetchTicket",
      "openHtsget",
      "openTicket",
      "parseTicket",
      "streamTicket",
    ]
  `);
});
