import { expect, test } from 'vitest';
import * as express from '../src/express.js';
import * as fastify from '../src/fastify.js';
import * as hono from '../src/hono.js';
import * as internal from '../src/internal.js';
import * as node from '../src/node.js';

test('each entry point exports exactly these values', () => {
  const names = Object.entries({ express, fastify, hono, internal, node }).map(([path, api]) => [
    path,
    Object.keys(api).sort(),
  ]);
  expect(Object.fromEntries(names)).toMatchInlineSnapshot(`
    {
      "express": [
        "AdapterError",
        "toExpress",
      ],
      "fastify": [
        "AdapterError",
        "toFastify",
      ],
      "hono": [
        "toHono",
      ],
      "internal": [
        "answerExchange",
        "hasBody",
        "normalizePath",
        "onResponseClosed",
        "parseRequestTarget",
      ],
      "node": [
        "AdapterError",
        "toNodeListener",
      ],
    }
  `);
});
